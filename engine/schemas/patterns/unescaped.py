r"""A pattern for engines that match it against the whole text between the quotes and take no escape there.

Such an engine never says a quote, a backslash or a control character in a text that has a pattern: JSON spells these
with a backslash. So there is a form only where the pattern admits none of them. The form is written with ASCII and
simple signs alone, since these engines read neither `\u` nor large classes: characters beyond are said by what they are
not.
"""

from __future__ import annotations

from collections.abc import Sequence as SequenceOf
from functools import lru_cache

from toolglot.schemas.patterns.nodes import Alternation, CharSet, Node, Repeat, Sequence, Text, fold
from toolglot.schemas.patterns.printing import weight
from toolglot.schemas.patterns.reading import read
from toolglot.schemas.patterns.sets import LAST, Ranges, complement, intersection, size
from toolglot.schemas.patterns.whole import productive, whole

LENGTH = 2_000  # characters of a form
WEIGHT = 2_000  # about how many states the engine makes of it
FEW = 64  # characters beyond ASCII that may be listed
ESCAPED: Ranges = ((0, 0x1F), (0x22, 0x22), (0x5C, 0x5C))
DIGITS: Ranges = ((0x30, 0x39),)
BEYOND: Ranges = ((0x80, LAST),)
_NONE = "\0"  # marks what has no form; no form holds it


@lru_cache(maxsize=512)
def unescaped_form(pattern: str) -> str | None:
    """The pattern for a whole text without escapes; None where there is none. PatternError where nobody can read it."""
    fitted = whole(read(pattern))
    tree = None if fitted is None else productive(fitted, LENGTH)
    if tree is None or weight(tree) > WEIGHT:
        return None
    form = fold(tree, _form)
    return None if _NONE in form or len(form) + 2 > LENGTH else f"^{form}$"


def _form(node: Node, below: SequenceOf[str]) -> str:
    match node:
        case Text(text):
            return "".join(_set(((ord(letter), ord(letter)),)) for letter in text)
        case CharSet(ranges):
            return _set(ranges)
        case Sequence():
            return "".join(below)
        case Alternation():
            return f"({'|'.join(below)})"
        case Repeat(item, low, high):
            alone = isinstance(item, (CharSet, Alternation)) or (isinstance(item, Text) and len(item.text) == 1)
            return (below[0] if alone else f"({below[0]})") + _count(low, high)
        case _:
            return _NONE  # `whole` leaves no other node


def _count(low: int, high: int | None) -> str:
    if (low, high) in _SIGNS:
        return _SIGNS[low, high]
    return f"{{{low}}}" if low == high else f"{{{low},{'' if high is None else high}}}"


_SIGNS: dict[tuple[int, int | None], str] = {(0, None): "*", (1, None): "+", (0, 1): "?", (1, 1): ""}


def _set(ranges: Ranges) -> str:
    """One character of a set, by its members, or by the rest of ASCII where all beyond it are members."""
    beyond = intersection(ranges, BEYOND)
    if not ranges or intersection(ranges, ESCAPED) or FEW < size(beyond) < size(BEYOND):
        return _NONE
    if beyond == BEYOND:
        return f"[^{_members(complement(ranges))}]"
    if size(ranges) == 1:
        return _literal(chr(ranges[0][0]))
    if ranges == DIGITS:
        return r"\d"
    return f"[{_members(ranges)}]"


def _members(ranges: Ranges) -> str:
    return "".join(_member(low) if low == high else f"{_member(low)}-{_member(high)}" for low, high in ranges)


def _member(code: int) -> str:
    if code < 0x20 or code == 0x7F:
        return rf"\x{code:02x}"
    return "\\" + chr(code) if chr(code) in r"\]^-[" else chr(code)


def _literal(letter: str) -> str:
    return "\\" + letter if letter in r"\^$.[]()|{}*+?" else _member(ord(letter)) if letter == "\x7f" else letter
