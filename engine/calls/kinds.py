"""Values at the door: which JSON type a Python value has, and equality that no depth can overflow.

What counts as JSON, wherever a call is checked:

* `dict`, `list`, `str`, `int`, `float`, `bool`, `None` and their subclasses are what they look like; a `tuple` is an
  array. `True` is never `1`; `1.0` is the integer 1, unless the dialect goes by spelling (drafts 3 and 4).
* a `Decimal` is a number of exactly its value;
* `NaN`, the infinities (`1e400` is one: it is past a double's range) and values of any other Python type have no JSON
  type: each `type`, `enum` and `const` refuses them, and a schema that asks for nothing lets them pass.
* integers are exact at any size; text is counted in code points, and a lone surrogate is one.
* a key that is no text matches no name and no pattern: it is an undeclared key.
"""

from __future__ import annotations

from collections.abc import Hashable
from decimal import Decimal
from fractions import Fraction

from toolglot.errors import Path
from toolglot.json_values import Json

NONE = type(None)
LARGEST = 1.7976931348623157e308
# The Python types that a check is prepared for. `object` stands for every value that is no JSON at all.
SLOTS: tuple[type, ...] = (dict, list, str, int, float, bool, NONE, object)
# A decimal of more digits is too long to divide.
_MOST_DIGITS = 10_000
_BASES = ((dict, dict), (list, list), (tuple, list), (str, str), (bool, bool), (int, int), (float, float))
_NAMES = {dict: "object", list: "array", str: "string", int: "integer", float: "number", bool: "boolean", NONE: "null"}


def slot(value: Json) -> type:
    """The one of `SLOTS` that a value belongs to, by its Python type alone."""
    if value is None:
        return NONE
    for base, stands_for in _BASES:
        if isinstance(value, base):
            return stands_for
    return float if isinstance(value, Decimal) and value.is_finite() else object


def whole(value: float | Decimal) -> bool:
    """Whether a number that is no `int` has no fraction."""
    return value.is_integer() if isinstance(value, float) else value == value.to_integral_value()


def finite(value: float | Decimal) -> bool:
    """Whether a float, or a decimal that is in the slot of floats, is a number that JSON can write."""
    return -LARGEST <= value <= LARGEST or isinstance(value, Decimal)


def finite_number(value: float) -> bool:
    """As `finite`, for integers of any size too."""
    return isinstance(value, int) or finite(value)


def json_type(value: Json, *, by_spelling: bool = False) -> str:
    """The JSON Schema type of a value, `integer` before `number`; the empty text for what is no JSON."""
    found = slot(value)
    if found is float:
        if not finite(value):
            return ""
        return "integer" if not by_spelling and whole(value) else "number"
    return _NAMES.get(found, "")


class OutOfWork(Exception):  # noqa: N818 - the end of a budget, not a fault
    """A check has used up its budget: the caller turns it into a problem that says so.

    Attributes:
        keyword: the keyword that was too costly, where that is known.
        path: where in the value.
    """

    def __init__(self, keyword: str = "", path: Path = ()) -> None:
        self.keyword, self.path = keyword, path
        super().__init__(keyword)


def flat(value: Json, most: int = 500_000) -> tuple[Hashable, ...]:
    """A flat key, the same for two values exactly when they are equal as JSON.

    Flat, since Python compares and hashes nested tuples by recursion that a deep value would overflow. Sizes are part
    of the key, so no two shapes share one. What is no JSON (NaN too) is equal to nothing.

    Raises:
        OutOfWork: the value has more than `most` parts, or contains itself.
    """
    out: list[Hashable] = []
    waiting = [value]
    while waiting:
        if len(out) > most:
            raise OutOfWork
        item = waiting.pop()
        found = slot(item)
        out.append(found)
        if found is dict:
            names = sorted(item, key=_order)
            out.append(len(names))
            for name in names:
                out.append(name if isinstance(name, str) else (type(name), repr(name)))
                waiting.append(item[name])
        elif found is list:
            out.append(len(item))
            waiting.extend(item)
        elif found is float and finite(item):
            out[-1] = int
            out.append(item)
        elif found is object or found is float:
            out.append(object())
        else:
            out.append(item)
    return tuple(out)


def _order(name: Json) -> tuple[bool, str]:
    # Keys that are no text sort by their spelling; they are never equal to a text of the same spelling.
    return (True, name) if isinstance(name, str) else (False, f"{type(name).__name__} {name!r}")


def is_multiple(value: float | Decimal, unit: float) -> bool:
    """Whether a number is a whole multiple of another, in decimal as it is written: 0.0075 is one of 0.0001.

    Raises:
        OutOfWork: a decimal has too many digits.
    """
    if not unit or not finite_number(unit):
        return value == 0
    if isinstance(value, int) and isinstance(unit, int):
        return value % unit == 0
    return bool((_fraction(value) / _fraction(unit)).denominator == 1)


def _fraction(number: float | Decimal) -> Fraction:
    if isinstance(number, Decimal) and abs(number.adjusted()) > _MOST_DIGITS:
        raise OutOfWork("multipleOf")
    return Fraction(repr(float(number))) if isinstance(number, float) else Fraction(number)
