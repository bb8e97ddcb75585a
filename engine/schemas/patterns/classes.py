r"""Escapes and character classes: what one token of a pattern stands for.

Leniency beyond the `u` flag, for schemas in the wild (Annex B unless it says Python): any punctuation may be
escaped; `\w-.` in a class is a set, a dash and a dot; `\012` is octal; `\a` is the bell (Python). Any other
escaped letter is refused: the `u` flag refuses it, Python refuses it, and nobody can say what was meant.
"""

from __future__ import annotations

import re

from toolglot.schemas.patterns.nodes import CharSet
from toolglot.schemas.patterns.properties import property_set
from toolglot.schemas.patterns.sets import (
    DIGIT,
    EVERYTHING,
    LAST,
    LINE_ENDS,
    NOTHING,
    SPACE,
    WORD,
    Ranges,
    complement,
    union,
)

DOT = CharSet(complement(LINE_ENDS))
ANY = CharSet(EVERYTHING)
_SHORTHANDS = {
    "d": CharSet(DIGIT),
    "D": CharSet(complement(DIGIT), negated=True),
    "w": CharSet(WORD),
    "W": CharSet(complement(WORD), negated=True),
    "s": CharSet(SPACE),
    "S": CharSet(complement(SPACE), negated=True),
}
_CONTROLS = {"t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D, "a": 0x07}
_OCTAL = frozenset("01234567")
_MEMBER = re.compile(
    r"\\(?:u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|u\{[0-9A-Fa-f]+\}|u[0-9A-Fa-f]{4}"
    r"|x[0-9A-Fa-f]{2}|c[A-Za-z]|[pP]\{[^{}]*\}|[0-3][0-7]{0,2}|[4-7][0-7]?|[\s\S])|[\s\S]"
)


class FlawError(Exception):
    """What is wrong with a token, and where in it; reading.py turns it into a PatternError."""

    def __init__(self, flaw: str, offset: int = 0) -> None:
        self.flaw, self.offset = flaw, offset
        super().__init__(flaw)


def escaped(token: str) -> int | CharSet:
    """What an escape stands for: a code point, or a set of them."""
    letter = token[1]
    if letter in _SHORTHANDS:
        return _SHORTHANDS[letter]
    if letter in _CONTROLS:
        return _CONTROLS[letter]
    if letter in "pP" and len(token) > 2:
        return _property(token)
    if letter in "uxc" and len(token) > 2:
        return _numbered(token)
    if letter in _OCTAL:
        return int(token[1:], 8)
    if letter.isascii() and letter.isalnum():
        raise FlawError(f"the escape {token} has no meaning")
    return ord(letter)


def _numbered(token: str) -> int:
    if token[1] == "c":
        return ord(token[2]) % 32
    if token[2] == "{":
        digits = token[3:-1].lstrip("0") or "0"
        if len(digits) > 6 or int(digits, 16) > LAST:
            raise FlawError(f"the escape {token} is no code point")
        return int(digits, 16)
    if len(token) == 12:  # a pair of surrogates is one code point
        high, low = int(token[2:6], 16), int(token[8:], 16)
        return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)
    return int(token[2:], base=16)  # noqa: FURB166 (`\u0041` is no number of Python's)


def _property(token: str) -> CharSet:
    try:
        ranges = property_set(token[3:-1])
    except KeyError:
        raise FlawError(f"no data for the property {token}") from None
    negated = token[1] == "P"
    return CharSet(complement(ranges) if negated else ranges, negated)


def character_class(token: str) -> CharSet:
    """The set that a class in brackets stands for; `[]` has no member, `[^]` all."""
    negated = token[1] == "^"
    ranges = union(_members(token, 2 if negated else 1))
    return CharSet(complement(ranges) if negated else ranges, negated)


def _members(token: str, start: int) -> list[tuple[int, int]]:
    atoms = [(found.start(), _member(found)) for found in _MEMBER.finditer(token, start, len(token) - 1)]
    result: list[tuple[int, int]] = []
    at = 0
    while at < len(atoms):
        offset, first = atoms[at]
        if at + 2 < len(atoms) and token[atoms[at + 1][0]] == "-" and not isinstance(first, CharSet):
            last = atoms[at + 2][1]
            if not isinstance(last, CharSet):
                if last < first:
                    raise FlawError("the range in the class is out of order", offset)
                result.append((first, last))
                at += 3
                continue
        result.extend(_ranges(first))
        at += 1
    return result


def _member(found: re.Match[str]) -> int | CharSet:
    member = found[0]
    if len(member) == 1:
        return ord(member)
    if member[1] == "b":
        return 0x08
    if member[1] in "89":  # Annex B: no octal digit, so the character itself
        return ord(member[1])
    try:
        return escaped(member)
    except FlawError as error:
        raise FlawError(error.flaw, found.start()) from None


def _ranges(member: int | CharSet) -> Ranges:
    if isinstance(member, CharSet):
        return member.ranges or NOTHING
    return ((member, member),)
