"""The text for the model about a call that was refused: one bounded text, worded in one place.

`Wording` is that place; another one can be handed in. A refusal never grows with what was sent: values and names
are cut, problems of one kind are told once and counted, and the whole keeps the limit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import islice
from string import Formatter

from toolglot.calls.roots import ALIASES, alias_names
from toolglot.errors import Path, Problem, pointer
from toolglot.json_values import Json, kind
from toolglot.schemas.shown import cut, quoted, shown, speakable

LIMIT = 1000
# Of so many problems, told or counted alone, one after the other is looked at; the rest is only counted.
_LOOKED_AT = 500
# So many problems the exact check gathers before it stops: then there may be more of each kind.
_GATHERED = 64
_STEPS = 6
_STEP_LENGTH = 40
_VALUE_LENGTH = 80
_WANTED_LENGTH = 240
_HINT_LENGTH = 200
# Rules beside whose problems no value stands: `got` is None there, and not because null came.
_VALUELESS = frozenset({"work-limit", "not-restorable", "output-missing"})
# Rules about the tool that was named, not about its arguments.
_OF_THE_TOOL = frozenset({"unknown-tool", "no-tool-named", "broken-tool"})


@dataclass(frozen=True, slots=True)
class Wording:
    """Every sentence of a refusal; each {name} is filled in.

    Attributes:
        arguments_head: the first line for a call, with {tool}.
        unread_head: the first line where the arguments are a text that can't be read, with {tool}.
        uncallable_head: the first line where no tool is named that can be called, with {tool}.
        result_head: the first line for a tool's result, with {tool}.
        tool: a tool that is named, with {name}; `no_tool` stands where none is.
        whole: the place where the arguments as a whole are meant; `whole_result` a result, `whole_name` its name.
        problem: a value that does not fit, with {place}, {wanted} and {got}.
        valueless: a problem beside which no value stands, with {place} and {wanted}.
        unnamed: the same where values are left out.
        missing: a missing key, with {place} and {wanted}.
        likely: the key that was likely meant, with {sent} and {key}.
        undeclared: keys that came and are not declared, with {names}.
        hint: what else is known, with {hint}.
        alike: how many more problems are of the same kind, with {count}; `alike_at_least` where not all were counted.
        rest: how many problems are not told, with {count}.
        last: the last line for a call.
        kinds: what values are, by JSON type.
    """

    arguments_head: str = "Nothing was done: the arguments for {tool} do not fit."
    unread_head: str = "Nothing was done: the arguments for {tool} did not arrive whole."
    uncallable_head: str = "Nothing was done: {tool} can't be called."
    result_head: str = "The result of {tool} does not fit the output schema that the tool declares."
    tool: str = "`{name}`"
    no_tool: str = "the tool"
    whole: str = "the arguments"
    whole_result: str = "the result"
    whole_name: str = "the tool's name"
    problem: str = "{place}: wanted {wanted}; got {got}"
    valueless: str = "{place}: wanted {wanted}"
    unnamed: str = "{place}: wanted {wanted}; something else came"
    missing: str = "{place} is missing: wanted {wanted}"
    unread: str = "{hint}"
    unread_at: str = "at {place}: {hint}"
    likely: str = "; {sent} came, its name is {key}"
    undeclared: str = "; these keys came that are not declared: {names}"
    hint: str = " ({hint})"
    alike: str = "; and {count} more like it"
    alike_at_least: str = "; and at least {count} more like it"
    rest: str = "{count} more problems are not told here."
    last: str = "Send the call again with this put right."
    unread_last: str = "Send the whole call again, as one JSON object."
    kinds: dict[str, str] = field(
        default_factory=lambda: {
            "string": "text",
            "integer": "a number",
            "number": "a number",
            "boolean": "a boolean",
            "array": "a list",
            "object": "an object",
            "null": "null",
        }
    )

    def __post_init__(self) -> None:
        """Raises ValueError for a sentence that can't be filled in: else no one sees it before a call is refused."""
        for sentence in fields(self):
            known = _slots(sentence.default) if isinstance(sentence.default, str) else None
            if known:  # the others are said as they are, braces too
                _know_slots(
                    sentence.name, getattr(self, sentence.name), known | _MORE_SLOTS.get(sentence.name, frozenset())
                )


# What is known beside what the shipped sentence says: with `unnamed`, the kind of the value.
_MORE_SLOTS: Mapping[str, frozenset[str]] = {"unnamed": frozenset({"got"})}


def _know_slots(name: str, said: str, known: frozenset[str]) -> None:
    """Refuses a sentence with other slots than there are at its place."""
    try:
        unknown = sorted(_slots(said) - known)
    except ValueError as error:
        raise ValueError(f"{name}: its braces can't be read: {error}") from error
    if unknown:
        raise ValueError(f"{name}: no slot {{{unknown[0]}}}, wanted one of {', '.join(sorted(known))}")


def _slots(text: str) -> frozenset[str]:
    return frozenset(slot for _, slot, _, _ in Formatter().parse(text) if slot is not None)


ENGLISH = Wording()


def refusal(  # noqa: PLR0913 - everything but the problems has a default and is named at the call
    problems: Sequence[Problem],
    *,
    tool: str | None = None,
    limit: int = LIMIT,
    values: bool = True,
    names: Collection[str] | None = None,
    wording: Wording | None = None,
    of: str = "arguments",
) -> str:
    """The text for the model: that nothing was done, and for each problem the key, what is wanted and what came.

    Args:
        problems: what is wrong; empty gives an empty text.
        tool: the tool's name.
        limit: how many characters the text has at most.
        values: whether values and other data of the call may stand in it. Without them only the kinds of
            values are told, and of the steps of a path only list positions and the `names`.
        names: the names that the tool's schema declares (see `declared_names`); used where `values` is False.
        wording: other sentences.
        of: `arguments` for a call, `result` for what a tool gave back.
    """
    if not problems:
        return ""
    teller = _Teller(wording or ENGLISH, values, frozenset(names or ()), of)
    return _bounded(teller, problems, tool, limit)


def declared_names(schema: Json) -> frozenset[str]:
    """Every name that a schema declares, with aliases, anywhere in it: the author's own words, no caller's data."""
    found: set[str] = set()
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            properties = node.get("properties")
            found.update(properties if isinstance(properties, dict) else ())
            found |= alias_names(node.get(ALIASES))
            listed = node.get("required")
            found.update(name for name in listed if isinstance(name, str)) if isinstance(listed, list) else None
            waiting.extend(node.values())
        elif isinstance(node, (list, tuple)):
            waiting.extend(node)
    return frozenset(found)


def _bounded(teller: _Teller, problems: Sequence[Problem], tool: str | None, limit: int) -> str:
    """The lines that fit, with a count of the problems that are not told."""
    words = teller.wording
    is_unread = problems[0].rule.startswith("text-")
    head, last = teller.head(tool, problems[0]), words.unread_last if is_unread else words.last
    if teller.of == "result":
        last = ""
    lines, left = [head], len(problems)
    room = limit - len(head) - len(last) - len(words.rest) - 16
    for told, line in _grouped(teller, problems):
        if len(line) + 3 > room:
            break
        lines.append(f"- {line}")
        room -= len(line) + 3
        left -= told
    if left > 0:
        lines.append(words.rest.format(count=f"{left:,}"))
    return cut(speakable("\n".join(filter(None, [*lines, last]))), limit)


def _grouped(teller: _Teller, problems: Sequence[Problem]) -> Iterator[tuple[int, str]]:
    """Each kind of problem once, with how many of it there are: alike are those that differ in list positions."""
    groups: dict[tuple[object, ...], list[Problem]] = {}
    for problem in islice(problems, _LOOKED_AT):
        steps = tuple("*" if isinstance(step, int) else step for step in problem.path[:64])
        groups.setdefault((steps, problem.rule, problem.keyword, problem.wanted), []).append(problem)
    told_strays = False
    told_alike = teller.wording.alike_at_least if len(problems) == _GATHERED else teller.wording.alike
    for alike in groups.values():
        first = alike[0]
        line = teller.line(first, with_strays=not told_strays)
        told_strays = told_strays or bool(first.undeclared)
        yield len(alike), line + (told_alike.format(count=f"{len(alike) - 1:,}") if alike[1:] else "") + "."


@dataclass(frozen=True, slots=True)
class _Teller:
    """Tells single problems in a wording."""

    wording: Wording
    values: bool
    names: frozenset[str]
    of: str

    def head(self, tool: str | None, first: Problem) -> str:
        """The first line, by what the first problem is about."""
        words = self.wording
        named = words.tool.format(name=_in_one_line(cut(tool, 2 * _STEP_LENGTH))) if tool else words.no_tool
        head = words.unread_head if first.rule.startswith("text-") else words.arguments_head
        if first.rule in _OF_THE_TOOL:
            head = words.uncallable_head
        return (words.result_head if self.of == "result" else head).format(tool=named)

    def line(self, problem: Problem, *, with_strays: bool) -> str:
        """One problem, without its full stop."""
        words = self.wording
        place = words.whole_name if problem.rule in _OF_THE_TOOL else self.place(problem.path)
        if problem.rule.startswith("text-"):
            hint = cut(problem.hint or "", _HINT_LENGTH)
            return words.unread_at.format(place=place, hint=hint) if problem.path else words.unread.format(hint=hint)
        wanted = cut(problem.wanted, _WANTED_LENGTH)
        if problem.keyword == "required":
            return words.missing.format(place=place, wanted=wanted) + self.strays(problem, place, told=not with_strays)
        told = self.template(problem).format(place=place, wanted=wanted, got=self.got(problem))
        return told + self.hint(problem)

    def template(self, problem: Problem) -> str:
        """The sentence for a problem: what came is told where something did, and where it may be."""
        if problem.rule in _VALUELESS:
            return self.wording.valueless
        return self.wording.problem if self.values or problem.keyword == "type" else self.wording.unnamed

    def got(self, problem: Problem) -> str:
        """What came: the value, or without values only what kind of value it is."""
        named = self.wording.kinds.get(kind(problem.got), kind(problem.got))
        if not self.values:
            return named
        value = shown(problem.got, _VALUE_LENGTH)
        is_told = problem.got is not None and not value.startswith(("a ", "an "))
        return f"{named}: {value}" if is_told and not problem.path and problem.keyword == "type" else value

    def hint(self, problem: Problem) -> str:
        """What else is known; it may hold the call's own words, so it is left out where values are."""
        if not problem.hint or not self.values:
            return ""
        return self.wording.hint.format(hint=cut(problem.hint, _HINT_LENGTH))

    def strays(self, problem: Problem, place: str, *, told: bool) -> str:
        """The undeclared keys beside a missing one, once per refusal, and the one that was likely meant."""
        if not self.values:
            return ""
        likely = ""
        if problem.likely is not None:
            likely = self.wording.likely.format(sent=quoted(problem.likely, _STEP_LENGTH), key=place)
        others = [quoted(name, _STEP_LENGTH) for name in problem.undeclared if name != problem.likely or told]
        if told or not others:
            return likely
        more = problem.undeclared_count - len(problem.undeclared)
        listed = ", ".join(others) + (f" and {more:,} more" if more > 0 else "")
        return likely + self.wording.undeclared.format(names=listed)

    def place(self, path: Path) -> str:
        """A place in short: the parameter's name, or the pointer to what lies deeper."""
        if not path:
            return self.wording.whole_result if self.of == "result" else self.wording.whole
        steps = [self.step(step) for step in path[:_STEPS]]
        if len(path) > _STEPS:
            half = _STEPS // 2
            steps = [*steps[:half], "…", *[self.step(step) for step in path[-half:]]]
        text = speakable(pointer(tuple(steps)))
        return f"`{text.removeprefix('/') if len(path) == 1 else text}`"

    def step(self, step: str | int) -> str:
        if isinstance(step, str) and not self.values and step not in self.names:
            return "*"
        text = str(step)
        short = cut(text, _STEP_LENGTH)
        return _in_one_line(short) + ("…" if short != text else "")


def _in_one_line(text: str) -> str:
    """The text without line ends and what a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
