"""The check of a call, at three depths, in one function.

`keys` and `values` are shallow, lenient and very cheap (see `depths`); `schema` is the whole schema, exactly (see
`checker`). A parameter may have aliases: then each depth that reads values reads the alias as the parameter, and
problems name it as the caller spelled it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from toolglot.cache import Cache, content_key
from toolglot.calls.checker import Checker, checker
from toolglot.calls.checker import entry_size as compiled_size
from toolglot.calls.depths import Held, missing_keys, shallow, spelled, twice, undeclared
from toolglot.calls.hints import hint
from toolglot.calls.meant import likely_keys
from toolglot.calls.places import declaration_at, required_at
from toolglot.calls.roots import Aliases, Root, read_root
from toolglot.calls.rows import CallRows, call_rows
from toolglot.errors import Path, Problem
from toolglot.json_values import Json, fresh
from toolglot.schemas.domains import domain
from toolglot.tables.ruleset import Ruleset, default_rules

DEPTHS = ("keys", "values", "schema")
# What is wanted at a place is said as the place's whole domain where one of these is broken.
_SAID_AS_DOMAIN = frozenset({"type", "required", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})

_REFUSES_KEYS = frozenset({"additionalProperties", "unevaluatedProperties"})


def check(  # noqa: PLR0913 - one function for all depths; everything but schema and value is named at the call
    schema: Json,
    value: Json,
    *,
    depth: str = "schema",
    dialect: str | None = None,
    resources: Mapping[str, Json] | None = None,
    formats: bool | None = None,
    integers: str = "strict",
    aliases: Aliases | None = None,
    rules: Ruleset | None = None,
) -> tuple[Problem, ...]:
    """Everything that is wrong with a value; empty where it fits.

    Args:
        schema: the tool's own schema, of any dialect.
        value: the arguments. At the shallow depths None stands for a call without arguments.
        depth: `keys`, `values` or `schema`.
        dialect: how the schema is written, where it is not to be detected; for depth `schema`.
        resources: other schemas by address, for references to them; for depth `schema`.
        formats: whether `format` is checked; as the dialect says where it is not given; for depth `schema`.
        integers: `strict`, or `number` to read the type `integer` as `number`; for depth `values`.
        aliases: other names of parameters, beside those under `x-aliases`: `{"line_limit": ["limit"]}`.
        rules: the tables; the shipped ones by default.

    Raises:
        SchemaError: the schema is broken; at depth `schema` alone.
        ValueError: there is no such depth, or no such reading of integers.
    """
    asked = Asked(depth, dialect, resources, formats, integers, aliases)
    return shared_check(lambda: fresh(schema), content_key(schema), asked, rules).problems(value)


def held_check(  # noqa: PLR0913 - as `check`
    schema: Json,
    *,
    depth: str = "schema",
    dialect: str | None = None,
    resources: Mapping[str, Json] | None = None,
    formats: bool | None = None,
    integers: str = "strict",
    aliases: Aliases | None = None,
    rules: Ruleset | None = None,
) -> Held:
    """The check of one schema, compiled and held for many calls; arguments and errors as for `check`."""
    know_depth(depth)
    know_integers(integers)
    if depth != "schema":
        return shallow(schema, depth, integers=integers, aliases=aliases, rules=rules)
    exact = checker(schema, dialect=dialect, resources=resources, formats=formats)
    return whole(exact, schema, aliases=aliases, rules=rules)


def know_depth(depth: str) -> None:
    """Nothing; raises ValueError where there is no such depth."""
    if depth not in DEPTHS:
        raise ValueError(f"no depth {depth!r}: wanted one of {', '.join(DEPTHS)}")


def know_integers(integers: str) -> None:
    """Nothing; raises ValueError where there is no such reading of integers."""
    if integers not in ("strict", "number"):
        raise ValueError(f"no reading {integers!r} of integers: wanted strict or number")


class Asked(NamedTuple):
    """How a schema is to be checked: the arguments of `check`."""

    depth: str = "schema"
    dialect: str | None = None
    resources: Mapping[str, Json] | None = None
    formats: bool | None = None
    integers: str = "strict"
    aliases: Aliases | None = None

    @property
    def key(self) -> bytes | None:
        """The bytes that stand for it; None where it has none."""
        resources, aliases = (dict(given) if given else None for given in (self.resources, self.aliases))
        return content_key((self.depth, self.dialect, resources, self.formats, self.integers, aliases))


def shared_check(schema: Callable[[], Json], content: bytes | None, asked: Asked, rules: Ruleset | None = None) -> Held:
    """The check of a schema, the same one for the same content.

    Args:
        schema: gives the schema, in objects that nobody else has; called where the check is not held yet.
        content: the bytes that stand for the schema, as `content_key` gives them.
        asked: how it is to be checked.
        rules: the tables; the shipped ones by default. Others have no content to compare: nothing is shared.

    Raises:
        As `check`.
    """

    def make() -> Held:
        return held_check(schema(), **asked._asdict(), rules=rules)

    key = asked.key if content is not None and (rules is None or rules is default_rules()) else None
    return make() if key is None or content is None else _HELD.get(key + content, make)


@dataclass(frozen=True, slots=True)
class Whole:
    """The whole schema, exactly, with aliases read as the parameters that they stand for.

    Attributes:
        accepts: whether there is no problem.
        problems: everything that is wrong with a value.
        exact: the check of the schema itself.
        aliases: the parameter that each alias stands for.
    """

    accepts: Callable[[Json], bool]
    problems: Callable[[Json], tuple[Problem, ...]]
    exact: Checker
    aliases: Mapping[str, str]


def whole(exact: Checker, schema: Json, *, aliases: Aliases | None = None, rules: Ruleset | None = None) -> Whole:
    """The check of a whole schema that is compiled already."""
    rows = call_rows(rules)
    root = read_root(schema, rows, aliases)
    finder = _Finder(exact, root, rows, rules)
    return Whole(finder.accepts if root.aliases else exact.accepts, finder.problems, exact, root.aliases)


@dataclass(frozen=True, slots=True)
class _Finder:
    """Finds the problems of a value, in the caller's spelling and with the words for what is wanted."""

    exact: Checker
    root: Root
    rows: CallRows
    rules: Ruleset | None

    def accepts(self, value: Json) -> bool:
        """Whether there is no problem."""
        if not isinstance(value, dict) or self.root.aliases.keys().isdisjoint(value):
            return self.exact.accepts(value)
        return not self.problems(value)

    def problems(self, value: Json) -> tuple[Problem, ...]:
        """Everything that is wrong with a value."""
        if not isinstance(value, dict):
            return self.exact.problems(value)
        sent = spelled(self.root, value) if self.root.aliases else {}
        names = {key: spellings[0] for key, spellings in sent.items()}
        found = self.exact.problems(_renamed(value, names, self.root.aliases))
        told = self._missing(found, value)
        found = tuple(told.get(problem.path) or self._in_words(problem) for problem in found)
        return (*(_respelled(problem, names) for problem in found), *twice(sent, value))

    def _missing(self, found: tuple[Problem, ...], value: Mapping[str, Json]) -> dict[Path, Problem]:
        """The problems of missing keys of the root, told with the keys that came instead."""
        keys = [str(each.path[0]) for each in found if each.keyword == "required" and len(each.path) == 1]
        strays = undeclared(self.root, value) if keys and self.root.is_closed else []
        return {problem.path: problem for problem in missing_keys(keys, strays, self.rows, self._wanted)}

    def _wanted(self, key: str) -> str:
        declaration = declaration_at(self.exact.normal, (key,))
        return domain({} if declaration is None else declaration, self.rules)

    def _in_words(self, problem: Problem) -> Problem:
        """The problem with the domain of its place in words, and a hint, where one schema speaks for the place."""
        if problem.rule == "work-limit":
            return problem
        declaration = declaration_at(self.exact.normal, problem.path)
        wanted, told = problem.wanted, problem.hint
        if declaration is not None and problem.keyword in _SAID_AS_DOMAIN:
            wanted = domain(declaration, self.rules)
        if problem.keyword in _REFUSES_KEYS and len(problem.path) == 1:
            told = told or self._likely(str(problem.path[0]))
        elif problem.keyword != "required":
            told = told or hint(declaration, problem.keyword, problem.got, optional=self._is_optional(problem.path))
        return replace(problem, wanted=wanted, hint=told)

    def _likely(self, stray: str) -> str | None:
        """A hint about the parameter that a refused key was likely meant for."""
        declared = [key for key in self.root.properties if likely_keys([key], [stray], self.rows)]
        return f"did you mean `{declared[0]}`?" if declared else None

    def _is_optional(self, path: Path) -> bool:
        last = path[-1] if path else None
        return isinstance(last, str) and last not in required_at(self.exact.normal, path[:-1])


def _renamed(value: dict[str, Json], names: Mapping[str, str], aliases: Mapping[str, str]) -> dict[str, Json]:
    """The arguments in the tool's own names; the caller's own object where no alias came."""
    if aliases.keys().isdisjoint(value):
        return value
    own = {name: item for name, item in value.items() if name not in aliases}
    return own | {key: value[name] for key, name in names.items()}


def _respelled(problem: Problem, names: Mapping[str, str]) -> Problem:
    """The problem in the caller's spelling of the parameter."""
    first = problem.path[0] if problem.path else None
    name = names.get(first) if isinstance(first, str) else None
    return problem if name is None or name == first else replace(problem, path=(name, *problem.path[1:]))


def entry_size(key: bytes, held: Held) -> int:
    """The bytes that a check holds, with its key: an upper estimate, held by a test."""
    own = 16_384 + 80 * len(key)
    return own + compiled_size(key, held.exact) if isinstance(held, Whole) else own


_HELD: Cache[Held] = Cache(entries=2_048, size=128 * 2**20, entry_size=entry_size)
