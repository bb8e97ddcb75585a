"""The two shallow depths of a check, `keys` and `values`: what no handler can do without.

`keys`: the input is an object or absent, and each key that the root marks required has a value. `values`: also
each declared key's own value is of a type, a list and a range that its declaration admits. Both read the schema
as it stands, leniently; a whole schema is enforced by `checker`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from toolglot.calls.hints import hint
from toolglot.calls.meant import likely_keys
from toolglot.calls.roots import ALIASES, Aliases, Root, read_root
from toolglot.calls.rows import CallRows, call_rows
from toolglot.calls.shallow import Fault, Parameter, Test, parameter
from toolglot.errors import Problem
from toolglot.json_values import Json, equal
from toolglot.schemas.domains import domain
from toolglot.tables.ruleset import Ruleset

# How many undeclared keys a problem names; the rest is counted.
NAMED = 5


class Held(Protocol):
    """A check that is held for one schema."""

    def accepts(self, value: Json, /) -> bool:
        """Whether there is no problem."""

    def problems(self, value: Json, /) -> tuple[Problem, ...]:
        """Everything that is wrong with the value."""


@dataclass(frozen=True, slots=True)
class Shallow:
    """A shallow check, compiled for one schema.

    Attributes:
        accepts: whether there is no problem; the fast way.
        problems: everything that is wrong with a value, all at once.
    """

    accepts: Callable[[Json], bool]
    problems: Callable[[Json], tuple[Problem, ...]]


def shallow(
    schema: Json,
    depth: str,
    *,
    integers: str = "strict",
    aliases: Aliases | None = None,
    rules: Ruleset | None = None,
) -> Shallow:
    """The check of a schema at depth `keys` or `values`; never raises, whatever the schema is."""
    rows = call_rows(rules)
    root = read_root(schema, rows, aliases)
    keys = dict.fromkeys((*root.required, *(root.properties if depth == "values" else ())))
    parameters = {key: parameter(root.properties.get(key, {}), rows, integers=integers) for key in keys}
    found = _Finder(root, parameters, rows, rules, reads_values=depth == "values")
    return Shallow(_acceptor(root, parameters, found, reads_values=depth == "values"), found.problems)


def _acceptor(
    root: Root, parameters: Mapping[str, Parameter], found: _Finder, *, reads_values: bool
) -> Callable[[Json], bool]:
    """The fast way: a plain object is looked at key by key, everything else goes to the finder."""
    needed = tuple(key for key in root.required if not parameters[key].admits_null)
    present = tuple(key for key in root.required if parameters[key].admits_null)
    tests = {key: each.test for key, each in parameters.items() if each.test} if reads_values else {}
    aliases = root.aliases.keys()

    def accepts(value: Json) -> bool:
        if type(value) is not dict or (aliases and not aliases.isdisjoint(value)):
            return not found.problems(value)
        for key in needed:
            if value.get(key) is None:
                return False
        for key in present:
            if key not in value:
                return False
        return not tests or _fit(value, tests)

    return accepts


def _fit(value: dict[str, Json], tests: Mapping[str, Test]) -> bool:
    for key, item in value.items():  # noqa: SIM110 - a generator costs half as much again
        if key in tests and not tests[key](item):
            return False
    return True


@dataclass(frozen=True, slots=True)
class _Finder:
    """Finds every problem of a value: the slow way, for values that are refused."""

    root: Root
    parameters: Mapping[str, Parameter]
    rows: CallRows
    rules: Ruleset | None
    reads_values: bool

    def problems(self, value: Json) -> tuple[Problem, ...]:
        """Everything that is wrong with a value; None is a call without arguments."""
        if value is None:
            value = {}
        if not isinstance(value, dict):
            return (Problem((), "type", "not-an-object", value, "an object that holds the parameters"),)
        sent = spelled(self.root, value)
        return tuple(self._found(value, sent))

    def _found(self, value: Mapping[str, Json], sent: Mapping[str, list[str]]) -> Iterator[Problem]:
        missing = [key for key in self.root.required if key not in sent]
        strays = undeclared(self.root, value) if missing and self.root.is_closed else []
        yield from missing_keys(missing, strays, self.rows, self._wanted)
        nulls = [
            name
            for key in self.root.required
            for name in sent.get(key, ())
            if value[name] is None and not self.parameters[key].admits_null
        ]
        for name in nulls:
            yield Problem((name,), "type", "null-for-required", None, self._wanted(self.root.key_of(name)))
        if self.reads_values:
            yield from twice(sent, value)
            yield from self._misfits(value, sent, set(nulls))

    def _misfits(self, value: Mapping[str, Json], sent: Mapping[str, list[str]], nulls: set[str]) -> Iterator[Problem]:
        for key, names in sent.items():
            for name in names:
                fault = None if name in nulls else self.parameters[key].fault(value[name])
                if fault:
                    item = value[name]
                    yield Problem((name,), *fault, item, self._wanted(key), self._hint(key, fault, item))

    def _hint(self, key: str, fault: Fault, got: Json) -> str | None:
        return hint(self.root.properties.get(key), fault[0], got, optional=key not in self.root.required)

    def _wanted(self, key: str) -> str:
        return domain(self.root.properties.get(key, {}), self.rules)


def spelled(root: Root, value: Mapping[str, Json]) -> dict[str, list[str]]:
    """The parameters that came, each with the names that the caller gave it."""
    sent: dict[str, list[str]] = {}
    for key in (*root.required, *root.properties):
        if key in value:
            sent[key] = [key]
    for name, key in root.aliases.items():
        if name in value:
            sent.setdefault(key, []).append(name)
    return sent


def undeclared(root: Root, value: Mapping[str, Json]) -> list[str]:
    """The keys that came and that the schema does not declare."""
    known = {*root.required, *root.properties, *root.aliases}
    return [key for key in value if key not in known and isinstance(key, str)]


def twice(sent: Mapping[str, list[str]], value: Mapping[str, Json]) -> Iterator[Problem]:
    """A parameter that came under two names with two values: which one is meant is not for us to say."""
    for key, names in sent.items():
        for name in names[1:]:
            if not _same(value[name], value[names[0]]):
                yield Problem((name,), ALIASES, "sent-twice", value[name], f"one value for {key}, under one name")


def _same(left: Json, right: Json) -> bool:
    """Whether two values are one: of containers, only the very same object is, so that depth costs nothing."""
    return left is right or (not isinstance(left, (dict, list, tuple)) and equal(left, right))


def missing_keys(keys: list[str], strays: list[str], rows: CallRows, wanted: Callable[[str], str]) -> Iterator[Problem]:
    """The problem of each missing key, with the keys that may have been meant for it."""
    meant = likely_keys(keys, strays, rows)
    for key in keys:
        yield Problem(
            (key,),
            "required",
            "missing-key",
            None,
            wanted(key),
            undeclared=tuple(strays[:NAMED]),
            undeclared_count=len(strays),
            likely=meant.get(key),
        )
