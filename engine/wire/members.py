"""Whether a listed value (of `enum` or `const`) fits the keywords that stand beside the list.

Exact for the keywords that look at the value alone; any other keyword is passed over, so that a value is
never taken off a list by mistake.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite

from toolglot.json_values import Json, identity, kind
from toolglot.schemas.forms import Schema
from toolglot.tables.keywords import keywords as all_keywords
from toolglot.wire.conjunction import Matches
from toolglot.wire.shapes import admits_type, type_set


def undecided(keywords: list[str], members: list[Json]) -> list[str]:
    """The keywords that `member_fits` passes over and that look at values such as these."""
    kinds = {kind(member) for member in members}
    table = all_keywords()
    left = [keyword for keyword in keywords if keyword not in DECIDED]
    return [keyword for keyword in left if not table[keyword].types or not kinds.isdisjoint(table[keyword].types)]


def member_fits(member: Json, rules: Schema, matches: Matches) -> bool:
    """Whether no keyword of `DECIDED` refuses the value."""
    of_kind = kind(member)
    tests = _TESTS.get("number" if of_kind == "integer" else of_kind, {})
    for keyword, wanted in rules.items():
        if keyword == "type":
            fits = admits_type(type_set(rules), of_kind)
        elif keyword == "pattern":
            fits = of_kind != "string" or matches(wanted, member)
        elif keyword == "enum":
            fits = identity(member) in {identity(other) for other in wanted}
        elif keyword == "const":
            fits = identity(member) == identity(wanted)
        else:
            test = tests.get(keyword)
            fits = test is None or test(member, wanted)
        if not fits:
            return False
    return True


def _is_multiple(member: float, step: float) -> bool:
    """Whether a number is a multiple of another, as both are written."""
    from fractions import Fraction  # noqa: PLC0415 - import cost, for the few numbers that come here

    return (Fraction(repr(member)) / Fraction(repr(step))).denominator == 1


_TESTS: dict[str, dict[str, Callable[[Json, Json], bool]]] = {
    "number": {
        "minimum": lambda member, bound: member >= bound,
        "maximum": lambda member, bound: member <= bound,
        "exclusiveMinimum": lambda member, bound: member > bound,
        "exclusiveMaximum": lambda member, bound: member < bound,
        "multipleOf": lambda member, step: not isfinite(member) or _is_multiple(member, step),
    },
    "string": {
        "minLength": lambda member, bound: len(member) >= bound,
        "maxLength": lambda member, bound: len(member) <= bound,
    },
    "array": {
        "minItems": lambda member, bound: len(member) >= bound,
        "maxItems": lambda member, bound: len(member) <= bound,
    },
    "object": {
        "minProperties": lambda member, bound: len(member) >= bound,
        "maxProperties": lambda member, bound: len(member) <= bound,
        "required": lambda member, names: all(name in member for name in names),
    },
}
DECIDED = frozenset(("type", "pattern", "enum", "const", *(key for tests in _TESTS.values() for key in tests)))
