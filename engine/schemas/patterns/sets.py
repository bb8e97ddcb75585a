"""Sets of code points as sorted ranges that do not touch, and the sets that ECMA-262 names."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from functools import lru_cache

Ranges = tuple[tuple[int, int], ...]

LAST = 0x10FFFF
NOTHING: Ranges = ()
EVERYTHING: Ranges = ((0, LAST),)
SURROGATES: Ranges = ((0xD800, 0xDFFF),)

DIGIT: Ranges = ((0x30, 0x39),)
WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
# ECMA-262 "WhiteSpace" and "LineTerminator": U+FEFF belongs, U+0085 does not.
SPACE: Ranges = (
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
)
LINE_ENDS: Ranges = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))


def union(pairs: Iterable[tuple[int, int]]) -> Ranges:
    """The given ranges, in any order and overlapping, as one set."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(pairs):
        if merged and low <= merged[-1][1] + 1:
            if high > merged[-1][1]:
                merged[-1] = (merged[-1][0], high)
        else:
            merged.append((low, high))
    return tuple(merged)


def complement(ranges: Ranges) -> Ranges:
    """Every code point that is not in the set."""
    result, start = [], 0
    for low, high in ranges:
        if start < low:
            result.append((start, low - 1))
        start = high + 1
    if start <= LAST:
        result.append((start, LAST))
    return tuple(result)


def intersection(left: Ranges, right: Ranges) -> Ranges:
    """The code points in both sets."""
    result, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        low, high = max(left[i][0], right[j][0]), min(left[i][1], right[j][1])
        if low <= high:
            result.append((low, high))
        if left[i][1] < right[j][1]:
            i += 1
        else:
            j += 1
    return tuple(result)


def difference(left: Ranges, right: Ranges) -> Ranges:
    """The code points of `left` that are not in `right`."""
    return intersection(left, complement(right))


def contains(ranges: Ranges, code: int) -> bool:
    """Whether a code point is in the set."""
    at = bisect_right(ranges, (code, LAST)) - 1
    return at >= 0 and ranges[at][1] >= code


def size(ranges: Ranges) -> int:
    """How many code points are in the set."""
    return sum(high - low + 1 for low, high in ranges)


@lru_cache(maxsize=1)
def _case_families() -> dict[int, tuple[int, ...]]:
    """Each letter that has other cases, with all of its family (simple case folding)."""
    families: dict[str, list[int]] = {}
    for code in range(0x1E944):  # the last cased letter of Unicode is U+1E943
        letter = chr(code)
        lower = letter.lower()
        if lower != letter or letter.upper() != letter:
            folded = letter.casefold()
            key = folded if len(folded) == 1 else lower
            families.setdefault(key, []).append(code)
    members = [tuple(family) for family in families.values() if len(family) > 1]
    return {code: family for family in members for code in family}


def any_case(ranges: Ranges) -> Ranges:
    """The set with the other cases of its letters."""
    families = _case_families()
    if size(ranges) < len(families):
        inside = [code for low, high in ranges for code in range(low, high + 1) if code in families]
    else:
        inside = [code for code in families if contains(ranges, code)]
    return union([*ranges, *((other, other) for code in inside for other in families[code])])
