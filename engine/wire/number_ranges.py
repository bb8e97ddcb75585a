"""The verbs for engines that pass over the bounds of numbers: whole numbers listed, or a number as text of a pattern.

A pattern looks at digits. It holds the bounds of a whole number exactly, if they have few digits; of any number the
sign and what stands before the point, and of what stands behind it only that a whole upper bound has nothing more.
The check holds the rest. No exponent: every number that JSON can say has a text without one.
"""

from __future__ import annotations

from math import ceil, floor, isfinite

from toolglot.json_values import Json
from toolglot.schemas.forms import Schema
from toolglot.wire.codecs import NumberText
from toolglot.wire.conjunction import never
from toolglot.wire.edited import Edited, Site
from toolglot.wire.encodings import with_own_codec
from toolglot.wire.shapes import without

MOST = 10**17  # a bound beyond this is left to the check
LONG = 10**6  # from here on the pattern of a bound holds the number of its digits, the check the bound itself
NATURAL = "(0|[1-9][0-9]*)"
_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
Bounds = tuple[int | float | None, int | float | None]


def whole_numbers(node: Schema) -> range | None:
    """The integers that a node admits, where it is of that type and bounded on both sides."""
    if node.get("type") != "integer":
        return None
    least, most = _bounds(node, whole=True)
    if least is None or most is None:
        return None
    step = node.get("multipleOf", 1)
    if not _is_near(step) or step != int(step) or step < 1:
        return None
    first = -(-int(least) // int(step)) * int(step)
    return range(first, int(most) + 1, int(step))


def count_whole_numbers(node: Schema) -> Json:
    """How many integers lie between the bounds of a node of that type; None where that has no end."""
    members = whole_numbers(node)
    if members is None:
        return None
    return max(0, (members.stop - members.start + members.step - 1) // members.step)  # `len` has a limit


def list_range(node: Schema, _options: Json, _site: Site) -> Edited:
    """The integers between the bounds as a list of values."""
    members = whole_numbers(node)
    if members is None:
        return Edited(node)
    if not members:
        return Edited(never(node.trail))
    bare = without(node, "type", *_BOUNDS, "multipleOf")
    bare["enum"] = list(members)
    return Edited(bare)


def as_number_text(node: Schema, _options: Json, site: Site) -> Edited:
    """A number as the text of its JSON, of a pattern that holds the bounds as far as digits can."""
    said = Schema({"type": "string", "pattern": f"^{number_pattern(node)}$"}, node.trail)
    return with_own_codec(node, said, NumberText(), site, words="number-text")


def number_pattern(node: Schema) -> str:
    """The texts of the numbers that a node of one such type admits, and of some more that the check refuses."""
    whole = node["type"] == "integer"
    least, most = _of_few_digits(_bounds(node, whole=whole))
    if least is None and most is None:
        return f"-?{NATURAL}" if whole else rf"-?{NATURAL}(\.[0-9]+)?"
    of_sign = _digits if whole else _decimals
    parts = []
    if most is None or most >= 0:
        parts += of_sign(max(least or 0, 0), most)
    if least is None or least < 0:
        nearest = 0 if most is None else max(-most, 0)
        parts += [f"-{part}" for part in of_sign(nearest, None if least is None else -least)]
    return parts[0] if len(parts) == 1 else f"({'|'.join(parts)})"


def _bounds(node: Schema, *, whole: bool) -> Bounds:
    """The least and the most that a node admits; None for a side that is open, or where both contradict."""
    lower = [node[key] for key in ("minimum", "exclusiveMinimum") if _is_near(node.get(key))]
    upper = [node[key] for key in ("maximum", "exclusiveMaximum") if _is_near(node.get(key))]
    least, most = max(lower, default=None), min(upper, default=None)
    if whole:
        least = None if least is None else ceil(least) + (least == node.get("exclusiveMinimum") == ceil(least))
        most = None if most is None else floor(most) - (most == node.get("exclusiveMaximum") == floor(most))
    return (None, None) if least is not None and most is not None and least > most else (least, most)


def _of_few_digits(bounds: Bounds) -> Bounds:
    """The bounds; one of many digits moved outward to the last or first number of so many, whose pattern is short."""
    least, most = bounds
    if least is not None and abs(least) >= LONG:
        least = _first(least) if least > 0 else -_last(least)
    if most is not None and abs(most) >= LONG:
        most = _last(most) if most > 0 else -_first(most)
    return least, most


def _first(bound: float) -> int:
    return int("1" + "0" * (len(str(int(abs(bound)))) - 1))


def _last(bound: float) -> int:
    """The last number of as many digits; of one more for what is not whole."""
    return int("9" * len(str(ceil(abs(bound)))))


def _is_near(bound: float | None) -> bool:
    return bound is not None and isfinite(bound) and abs(bound) < MOST


def _decimals(least: float, most: float | None) -> list[str]:
    """The numbers without a sign from `least`, rounded down, to `most`."""
    fraction = r"(\.[0-9]+)?"
    if most is None:
        return [_one(_digits(floor(least), None)) + fraction]
    top = floor(most)
    if top < most or top >= LONG:
        return [_one(_digits(floor(least), top)) + fraction]
    below = [_one(_digits(floor(least), top - 1)) + fraction] if floor(least) < top else []
    return [*below, rf"{top}(\.0+)?"]


def _one(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({'|'.join(parts)})"


def _digits(least: float, most: float | None) -> list[str]:
    """The natural numbers from `least` to `most`: a pattern for those of each length and beginning."""
    low, parts = int(least), list[str]()
    if most is not None and len(str(low)) == len(str(int(most))):
        return _of_length(str(low), str(int(most)))
    if low == 0:
        low, parts = 1, ["0"]
    shortest = len(str(low))
    if low != 10 ** (shortest - 1):
        parts += _of_length(str(low), "9" * shortest)
        shortest += 1
    if most is None:
        return [*parts, "[1-9][0-9]*" if shortest == 1 else f"[1-9][0-9]{{{shortest - 1},}}"]
    high = str(int(most))
    longest = len(high) - bool(high.strip("9"))
    if shortest <= longest:
        parts.append("[1-9]" + _any_digits(shortest - 1, longest - 1))
    return parts if longest == len(high) else [*parts, *_of_length("1" + "0" * longest, high)]


def _any_digits(least: int, most: int) -> str:
    if least == most:
        return "" if not most else "[0-9]" if most == 1 else f"[0-9]{{{most}}}"
    return "[0-9]?" if most == 1 else f"[0-9]{{{least},{most}}}"


def _of_length(low: str, high: str) -> list[str]:
    """The numbers from `low` to `high`, which have as many digits."""
    if low == high:
        return [low]
    rest = len(low) - 1
    first, last = int(low[0]), int(high[0])
    if first == last:
        return [low[0] + part for part in _of_length(low[1:], high[1:])]
    parts: list[str] = []
    if low[1:].strip("0"):
        parts += [low[0] + part for part in _of_length(low[1:], "9" * rest)]
        first += 1
    ends: list[str] = []
    if high[1:].strip("9"):
        ends = [high[0] + part for part in _of_length("0" * rest, high[1:])]
        last -= 1
    if first <= last:
        digit = str(first) if first == last else f"[{first}-{last}]"
        parts.append(digit + _any_digits(rest, rest))
    return [*parts, *ends]
