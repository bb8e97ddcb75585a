"""The three borders for one list of tools: what is sent, what was changed, and the calls that come back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from toolglot.answers import Answer, Call
from toolglot.cache import Cache, content_key
from toolglot.calls.arguments import parse_arguments
from toolglot.calls.check import Asked, Whole, know_depth, know_integers, shared_check
from toolglot.calls.depths import Held
from toolglot.calls.quick import quick_object
from toolglot.calls.readings import Nearly, Policy, allowed, nearly
from toolglot.calls.refusals import Wording, declared_names, refusal
from toolglot.calls.roots import Aliases, alias_names
from toolglot.errors import Problem, SchemaError
from toolglot.json_values import Json, fresh
from toolglot.schemas.normal import know_dialect
from toolglot.tables.envelopes import envelopes
from toolglot.tables.messages import MessageForm
from toolglot.tables.ruleset import Ruleset, default_rules
from toolglot.tables.spelling import near
from toolglot.wire.envelopes import Tool, ToolList, read_tools
from toolglot.wire.ledger import MISFIT
from toolglot.wire.messages import SentCall, read_message
from toolglot.wire.report import Report
from toolglot.wire.request import Request, request

NAMES_SHOWN = 20


@dataclass(frozen=True, slots=True)
class _Way:
    """The way of a tool's calls at one depth, made ready at the first.

    Attributes:
        tool: the tool's own name.
        depth: how deep its check looks.
        held: the check.
        restore: what brings a call back into the tool's own form; None where it comes in that form.
    """

    tool: str
    depth: str
    held: Held
    restore: Callable[[Json], tuple[Json, tuple[Problem, ...]]] | None = None


class _Checks:
    """The checks of a request's tools, each made when first asked for.

    Apart from the toolbox, so that a way may lead to them: one that led to its toolbox would close a circle, and all
    that a toolbox holds would outlive it until the next collection.
    """

    def __init__(self, request: Request, rules: Ruleset, asked: Asked, aliases: Mapping[str, Aliases]) -> None:
        self._request, self._rules, self._asked, self._aliases = request, rules, asked, aliases
        self._held: dict[tuple[str, str], Held] = {}

    def held(self, name: str, depth: str) -> Held:
        """The check of a tool at a depth."""
        held = self._held.get((name, depth))
        if held is None:
            request = self._request
            asked = self._asked._replace(depth=depth, aliases=self._aliases.get(name))
            held = shared_check(lambda: request.tool(name).schema, request.content(name), asked, self._rules)
            self._held[name, depth] = held
        return held

    def fits(self, name: str, reading: Json) -> bool:
        """Whether a reading of a call fits the whole schema; asked only where there are several."""
        return self.held(name, "schema").accepts(reading)


class Toolbox:
    """A list of tools, held for one target.

    Made once per list: the schemas are converted here, and nothing is compiled before a tool's first call.
    Safe to use from several threads.
    """

    def __init__(  # noqa: PLR0913 - everything but the tools has a default and is named at the call
        self,
        tools: Json | ToolList,
        target: str | None = None,
        *,
        rules: Ruleset | None = None,
        describe: bool | str = True,
        depth: str | Mapping[str, str] = "schema",
        dialect: str | None = None,
        resources: Mapping[str, Json] | None = None,
        envelope: str | None = None,
        formats: bool | None = None,
        integers: str = "strict",
        aliases: Mapping[str, Aliases] | None = None,
        readings: Policy = False,
        values: bool = True,
        wording: Wording | None = None,
    ) -> None:
        """Reads and converts the tools.

        Args:
            tools: the list in any known envelope, or what `read_tools` gave.
            target: the id of a row of the tables; without one nothing is converted, and calls are checked.
            rules: the tables, as `load_rules` gives them; the shipped ones by default.
            describe: whether descriptions say in a few words what leaves the wire; `domains` says there the bounds
                of each parameter too, whether or not the wire keeps them.
            depth: how deep `read` looks (`keys`, `values` or `schema`), for all tools or by tool's name.
            dialect: how the schemas are written, where it is not to be detected.
            resources: other schemas that references may reach, by address; nothing is ever fetched.
            envelope: the envelope of `tools`, where it is not to be detected.
            formats: whether `format` is checked; as the dialect says where it is not given.
            integers: `number` to read the type `integer` as `number` at depth `values`.
            aliases: other names of parameters, by tool's name.
            readings: near misses that are accepted at depth `schema`: none, `True` for those that keep the
                meaning, or the ids of rows.
            values: whether a refusal may show what was sent; without, only names that the schema declares.
            wording: other sentences for refusals.

        Raises:
            SchemaError: `tools` is no list of tools at all, or there is no such dialect. One bad tool raises nothing,
                see `broken`.
            RuleError: there is no such target.
            ValueError: there is no such reading, depth or reading of integers.
        """
        allowed(readings, rules)
        know_dialect(dialect)
        know_integers(integers)
        for each in [depth] if isinstance(depth, str) else depth.values():
            know_depth(each)
        self._rules = rules or default_rules()
        resources = fresh(dict(resources)) if resources else None  # checks are compiled later, and edits come before
        self._depth = depth if isinstance(depth, str) else dict(depth)
        self._aliases = fresh(dict(aliases)) if aliases else {}
        self._readings, self._values, self._wording = readings, values, wording
        self._ways: dict[tuple[str, str | None], _Way] = {}

        def make() -> Request:
            read = tools if isinstance(tools, ToolList) else read_tools(tools, envelope=envelope)
            return request(read, target, self._rules, dialect=dialect, resources=resources, describe=describe)

        # The content is the key, so that tools that were rebuilt cost no more than reading them once. Tables of a
        # caller's own have no content to compare.
        options = (target, envelope, dialect, describe, dict(resources) if resources else None)
        key = content_key((tools, options)) if self._rules is default_rules() else None
        self._request = make() if key is None else _REQUESTS.get(key, make)
        asked = Asked(dialect=dialect, resources=resources, formats=formats, integers=integers)
        self._checks = _Checks(self._request, self._rules, asked, self._aliases)

    @property
    def source(self) -> str:
        """The id of the envelope that the tools came in."""
        return self._request.source

    @property
    def broken(self) -> Mapping[str, SchemaError]:
        """The tools that are not sent, by name, each with the place and the reason."""
        return self._request.broken

    @cached_property
    def tools(self) -> tuple[Tool, ...]:
        """The tools that are sent, in the order they came."""
        return tuple(self._request.tool(name) for name in self._request.names)

    @property
    def wire(self) -> list[Json]:
        """What goes into the request, in the target's own envelope; fresh at each access."""
        return self._request.wire()

    @property
    def wire_json(self) -> bytes:
        """`wire` as JSON text in UTF-8, without spaces, made once."""
        return self._request.wire_json

    @property
    def report(self) -> Report:
        """Every edit, and every broken tool; made when asked for."""
        return self._request.report

    def read(self, name: str, arguments: Json = None, *, depth: str | None = None) -> Answer:
        """The call in the tool's own form, or everything that is wrong with it and the refusal for the model.

        Args:
            name: the tool that is called.
            arguments: an object, the JSON text as the model sent it, or None where none came.
            depth: how deep to look, where it is not what the toolbox says.
        """
        try:  # not `get`, see `Cache`
            way = self._ways[name, depth]
        except KeyError:
            return self._read(name, arguments, depth)
        value = arguments if type(arguments) is dict else quick_object(arguments)
        return self._read(name, arguments, depth) if value is None else self._judged(way, value)

    def _read(self, name: str, arguments: Json, depth: str | None) -> Answer:
        """The same for a tool's first call, and for arguments that have to be read with care."""
        own = self._request.called(name)
        if own not in self._request:
            return self._refused(own, (self._no_such_tool(own),))
        parsed = parse_arguments(arguments)
        if parsed.problems:
            return self._refused(own, parsed.problems)
        try:
            way = self._ways[name, depth] = self._way(own, depth)
        except SchemaError as error:  # without a target nothing is read before a tool's first call
            return self._refused(own, (_of_broken(own, error),))
        return self._judged(way, parsed.value)

    def _judged(self, way: _Way, value: Json) -> Answer:
        if way.restore is not None:
            value, problems = way.restore(value)
            if problems:
                return self._refused(way.tool, self._told(way.tool, value, problems))
        held = way.held
        if held.accepts(value):
            return Answer({} if value is None and way.depth != "schema" else value)  # there null is no arguments
        problems = held.problems(value)
        near_enough = self._nearly(held, value, problems)
        if near_enough:
            return Answer(near_enough.value, readings=near_enough.readings)
        return self._refused(way.tool, problems)

    def _told(self, name: str, value: Json, problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
        """What is wrong with a call that can't be restored: where each reading is refused, what is wrong with one."""
        if problems[0].rule != MISFIT:
            return problems
        return self._checks.held(name, "schema").problems(value) or problems

    def calls(self, message: Json, *, form: str | None = None, depth: str | None = None) -> tuple[Call, ...]:
        """Each call in a provider's answer, read as `read` does, in the order they came.

        The message is the whole answer, the model's message in it, or a list of its calls, in any known form; an SDK's
        objects are taken too. What the model wrote raises nothing: a call that is broken is refused, alone. A message
        without calls gives none. Streamed deltas have to be put together before they are a message.

        Args:
            message: what the provider sent.
            form: the id of its form, where it is not to be recognised.
            depth: how deep to look, where it is not what the toolbox says.

        Raises:
            MessageError: the message is of no known form.
        """
        read = read_message(message, form=form, likely=self._likely_form)
        return tuple(self._call(sent, read.form, depth) for sent in read.calls)

    @property
    def _likely_form(self) -> str | None:
        """The form in which calls of the tools as they are sent come back."""
        target = self._request.target
        row = envelopes().get(target.envelope if target else self._request.source)
        return row.calls if row else None

    def _call(self, sent: SentCall, form: MessageForm, depth: str | None) -> Call:
        if isinstance(sent.name, str):
            name = self._request.called(sent.name)
            return Call(name, self.read(sent.name, sent.arguments, depth=depth), sent, form)
        known = ", ".join(self._request.names[:NAMES_SHOWN]) or "none"
        problem = Problem((), "name", "no-tool-named", sent.name, f"the name of one of the tools {known}")
        return Call("", self._refused("", (problem,)), sent, form)

    def _way(self, name: str, depth: str | None) -> _Way:
        depth = depth or self._depth_of(name)
        conversions = self._request.conversions
        restore = conversions[name].restoring(partial(self._checks.fits, name)) if name in conversions else None
        return _Way(name, depth, self._checks.held(name, depth), restore)

    def _depth_of(self, name: str) -> str:
        return self._depth if isinstance(self._depth, str) else self._depth.get(name, "schema")

    def _nearly(self, held: Held, value: Json, problems: tuple[Problem, ...]) -> Nearly | None:
        if self._readings is False or not isinstance(held, Whole):
            return None
        return nearly(held, value, problems, self._readings, rules=self._rules)

    def _no_such_tool(self, name: str) -> Problem:
        names = self._request.names
        hint = near(name, names)
        if name in self.broken:
            return _of_broken(name, self.broken[name])
        known = ", ".join(names[:NAMES_SHOWN]) or "none"
        return Problem((), "name", "unknown-tool", name, f"one of the tools {known}", hint)

    def _refused(self, name: str, problems: tuple[Problem, ...]) -> Answer:
        names, told = frozenset[str](), name
        if not self._values:
            names = self._own_names(name)
            told = name if name in self._request or name in self.broken else ""  # else it is the model's own word
        text = refusal(problems, tool=told, values=self._values, names=names, wording=self._wording)
        return Answer(None, problems, text)

    def _own_names(self, name: str) -> frozenset[str]:
        """The names that the authors of a tool and of its aliases gave."""
        if name not in self._request:
            return frozenset()
        return declared_names(self._request.tool(name).schema) | alias_names(self._aliases.get(name))


def _of_broken(name: str, error: SchemaError) -> Problem:
    return Problem((), "name", "broken-tool", name, "a tool that can be called", error.reason)


def _size_of(key: bytes, _request: Request | None = None) -> int:
    """About the bytes that a request holds: its own copies, the wire, the normal forms and the edits."""
    return 4096 + 11 * len(key)


_REQUESTS: Cache[Request] = Cache(entries=256, size=128 * 2**20, entry_size=_size_of)
