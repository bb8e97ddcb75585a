"""Tests of single values: types, constants, texts and numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from toolglot.calls.kinds import LARGEST, NONE, SLOTS, finite, finite_number, flat, is_multiple, slot, whole
from toolglot.calls.rules import Test, Tests, Work, always, every, never, spend
from toolglot.json_values import Json

Match = Callable[[str], bool]
# What trying a pattern costs at least, beside a plain test; more for long texts.
MATCH_COST = 20
_TYPE_SLOTS: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "integer": (int, float),
    "boolean": (bool,),
    "null": (NONE,),
}


def type_tests(names: str | Sequence[str], *, by_spelling: bool) -> Tests:
    """The tests of `type`; with `by_spelling`, no float is an integer."""
    wanted = {names} if isinstance(names, str) else set(names)
    tests: Tests = dict.fromkeys(SLOTS, never)
    for name in wanted:
        tests |= dict.fromkeys(_TYPE_SLOTS.get(name, ()), always)
    if "number" not in wanted and "integer" in wanted:
        tests[float] = never if by_spelling else _whole
    return tests


def _whole(value: Json, work: Work) -> bool:
    del work
    return whole(value)


def finite_only(test: Test, other: Test) -> Test:
    """The test of floats: `test` for JSON numbers, `other` for NaN and the infinities."""
    if test is other and test in (always, never):
        return test
    if other is never and test is always:
        return lambda value, _: -LARGEST <= value <= LARGEST or finite(value)
    return lambda value, work: test(value, work) if finite(value) else other(value, work)


def member_tests(members: Iterable[Json]) -> Tests:
    """The tests of `enum` (and `const`, which is an `enum` of one)."""
    by_kind: dict[type, list[Json]] = {}
    for member in members:
        by_kind.setdefault(slot(member), []).append(member)
    tests: Tests = dict.fromkeys(SLOTS, never)
    numbers = frozenset(item for item in by_kind.get(int, []) + by_kind.get(float, []) if finite_number(item))
    if numbers:
        tests[int] = tests[float] = _member(numbers)
    if str in by_kind:
        tests[str] = _member(frozenset(by_kind[str]))
    if bool in by_kind:
        tests[bool] = always if len(set(by_kind[bool])) == 2 else _is(by_kind[bool][0])
    if NONE in by_kind:
        tests[NONE] = always
    for kind in (dict, list):
        if kind in by_kind:
            tests[kind] = _shape_member(frozenset(flat(item) for item in by_kind[kind]))
    return tests


def _member(members: frozenset[Json]) -> Test:
    return lambda value, _: value in members


def _is(member: bool) -> Test:
    return lambda value, _: value is member


def _shape_member(members: frozenset[tuple[object, ...]]) -> Test:
    most = max(map(len, members))

    def check(value: Json, work: Work) -> bool:
        if len(value) > most:
            return False
        key = flat(value)
        spend(work, len(key))
        return key in members

    return check


def length_test(least: float | None, most: float | None) -> Test:
    """The test of a length: of text, an array or an object."""
    if not least and most is None:
        return always
    if most is None:
        return lambda value, _: len(value) >= (least or 0)
    if not least:
        return lambda value, _: len(value) <= most
    return lambda value, _: least <= len(value) <= most


def text_test(matches: Sequence[Match]) -> Test:
    """The test that a text passes each of some functions (patterns and formats)."""
    return every(_match_test(match) for match in matches)


def _match_test(match: Match) -> Test:
    def check(value: Json, work: Work) -> bool:
        work[0] -= MATCH_COST + (len(value) >> 3)
        return match(value)

    return check


def number_tests(keywords: Mapping[str, Json]) -> Test:
    """The test of `minimum`, `maximum`, their exclusive forms, and `multipleOf`."""
    return every(make(keywords[name]) for name, make in _NUMBER_TESTS.items() if name in keywords)


def _multiple(unit: float) -> Test:
    return lambda value, _: is_multiple(value, unit)


_NUMBER_TESTS: Mapping[str, Callable[[Json], Test]] = {
    "minimum": lambda limit: lambda value, _: value >= limit,
    "maximum": lambda limit: lambda value, _: value <= limit,
    "exclusiveMinimum": lambda limit: lambda value, _: value > limit,
    "exclusiveMaximum": lambda limit: lambda value, _: value < limit,
    "multipleOf": _multiple,
}
