"""The shallow test of one parameter's value: a type that its declaration admits, a listed value, a bound kept.

A declaration is compiled once. What the rows of `nullable.toml` and `numbers.toml` say of it is settled then;
a call meets set lookups and comparisons alone. What can't be read in a declaration tests nothing.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from math import isfinite

from toolglot.calls.rows import CallRows, holding
from toolglot.json_values import Json, equal
from toolglot.schemas import declarations

Fault = tuple[str, str]
"""The keyword that is broken, and the id of the rule that found it."""

Check = Callable[[Json], Fault | None]
Test = Callable[[Json], bool]

_DIGITS = re.compile(r"-?[0-9]+")
_PYTHON: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list, tuple),
    "object": (dict,),
    "null": (type(None),),
}
_REFUSES: Mapping[tuple[str, bool], Callable[[Json, Json], bool]] = {
    ("low", False): operator.lt,
    ("low", True): operator.le,
    ("high", False): operator.gt,
    ("high", True): operator.ge,
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """The compiled declaration of one parameter.

    Attributes:
        admits_null: whether null counts as a value.
        fault: the first thing wrong with a value as far as the shallow depth looks, or None.
        test: whether there is none; None where there is nothing to test.
    """

    admits_null: bool
    fault: Check
    test: Test | None


def parameter(declaration: Json, rows: CallRows, *, integers: str = "strict") -> Parameter:
    """The compiled declaration; `integers="number"` reads the type `integer` as `number`."""
    read = _read(declaration, rows, integers)
    checks = _checks(read, rows)
    unions = [_any_branch(options, rows, integers) for options in declarations.unions(read.node)]

    def fault(value: Json) -> Fault | None:
        for check in (*checks, *unions):
            found = check(value)
            if found:
                return found
        return None

    test = _test(read, fault, is_union=bool(unions)) if checks or unions else None
    return Parameter(read.admits_null, fault, test)


def _any_branch(options: list[Json], rows: CallRows, integers: str) -> Check:
    """A union, looked at one level deep: one branch has to let the value pass; else the nearest one speaks."""
    branches = [_checks(_read(option, rows, integers), rows) for option in options]

    def check(value: Json) -> Fault | None:
        nearest: Fault | None = None
        for checks in branches:
            found = next((found for found in (each(value) for each in checks) if found), None)
            if found is None:
                return None
            nearest = found if nearest is None or nearest[0] == "type" else nearest
        return nearest

    return check


@dataclass(frozen=True, slots=True)
class _Read:
    """A declaration, and what the rows say of it.

    Attributes:
        node: the declaration, empty where it is no object.
        facts: its computed facts.
        types: the readable types; empty where nothing is tested by type.
        admits_null: whether null counts as a value.
        digits: how many digits a text needs to pass for a number; None where no text does.
    """

    node: Mapping[str, Json]
    facts: Mapping[str, Json]
    types: tuple[str, ...]
    admits_null: bool
    digits: int | None


def _read(declaration: Json, rows: CallRows, integers: str) -> _Read:
    node = declaration if isinstance(declaration, dict) else {}
    facts = declarations.facts(node)
    own = declarations.own_types(node)
    types = own.names if own.spelling == "readable" else ()
    if integers == "number" and "integer" in types:
        types = (*types, "number")
    lengths = [rule.options for rule in holding(rows.take_digits, node, facts)]
    return _Read(
        node,
        facts,
        types,
        admits_null=bool(holding(rows.take, node, facts)),
        digits=min(lengths, default=None) if types and "string" not in types else None,
    )


def _checks(read: _Read, rows: CallRows) -> list[Check]:
    """The checks of a declaration's own keywords, in the order in which they speak."""
    types = [_type_check(read)] if read.types else []
    return [*types, *_value_checks(read), *_bound_checks(read, rows)]


def _test(read: _Read, fault: Check, *, is_union: bool) -> Test:
    """The test of a value, quick where its Python type, or a listed text, settles it."""
    if read.types and not is_union and not {"const", *_BOUNDS} & read.node.keys():
        members = read.node.get("enum")
        if not isinstance(members, (list, tuple)):
            sure = _exactly(read.types) - {float}
            return lambda value: type(value) in sure or fault(value) is None
        if "string" in read.types:
            texts = frozenset(member for member in members if type(member) is str)
            return lambda value: (type(value) is str and value in texts) or fault(value) is None
    return lambda value: fault(value) is None


_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


def _exactly(types: tuple[str, ...]) -> frozenset[type]:
    return frozenset(python for name in types for python in _PYTHON[name])


# Types ----------------------------------------------------------------------------------------------

_WRONG_TYPE: Fault = ("type", "wrong-type")


def _type_check(read: _Read) -> Check:
    exact = _exactly(read.types)
    classes = tuple(exact - {int}) + ((int,) if int in exact else ())
    has_integer = "integer" in read.types

    def check(value: Json) -> Fault | None:
        kind = type(value)
        if kind in exact and kind is not float:
            return None
        if value is None:
            return None if read.admits_null else _WRONG_TYPE
        if isinstance(value, bool):
            return _WRONG_TYPE
        if isinstance(value, float):
            is_number = isfinite(value) and (float in exact or (has_integer and value.is_integer()))
            return None if is_number else _WRONG_TYPE
        if isinstance(value, str) and read.digits:
            return None if _is_run(value, read.digits) else _WRONG_TYPE
        return None if isinstance(value, classes) else _WRONG_TYPE

    return check


def _is_run(value: str, shortest: int) -> bool:
    """Whether a text is one run of that many ASCII digits or more, with or without a minus sign."""
    return bool(_DIGITS.fullmatch(value)) and len(value.removeprefix("-")) >= shortest


# Values and bounds ----------------------------------------------------------------------------------


def _value_checks(read: _Read) -> list[Check]:
    checks: list[Check] = []
    members = read.node.get("enum")
    if isinstance(members, (list, tuple)):
        checks.append(_membership(list(members), read, ("enum", "not-a-member")))
    if "const" in read.node:
        checks.append(_membership([read.node["const"]], read, ("const", "not-a-member")))
    return checks


def _membership(members: list[Json], read: _Read, wrong: Fault) -> Check:
    texts = frozenset(member for member in members if type(member) is str)
    others = [member for member in members if type(member) is not str]

    def check(value: Json) -> Fault | None:
        if isinstance(value, str) and value in texts:
            return None
        compared = _number_of(value, read)
        return None if any(equal(member, compared) for member in others) else wrong

    return check


def _number_of(value: Json, read: _Read) -> Json:
    """The value that is compared: a run of digits that passes for a number counts as that number."""
    is_run = isinstance(value, str) and read.digits is not None and _is_run(value, read.digits)
    return Decimal(value) if is_run else value


def _bound_checks(read: _Read, rows: CallRows) -> list[Check]:
    found: list[Check] = []
    for rule in holding(rows.bound, read.node, read.facts):
        keyword = rule.options["keyword"]
        limit = declarations.number(read.node, keyword)
        if limit is not None:
            refuses = _REFUSES[rule.options["side"], rule.options["open"]]
            found.append(_bound(limit, refuses, read, (keyword, rule.id)))
    return found


def _bound(limit: float, refuses: Callable[[Json, Json], bool], read: _Read, wrong: Fault) -> Check:
    def check(value: Json) -> Fault | None:
        number = _number_of(value, read)
        is_number = isinstance(number, (int, float, Decimal)) and not isinstance(number, bool)
        return wrong if is_number and refuses(number, limit) else None

    return check
