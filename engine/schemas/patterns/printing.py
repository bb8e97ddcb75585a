"""A syntax tree in the language of re2, with the same meaning: what has one, and how large it gets."""

from __future__ import annotations

from collections.abc import Sequence as SequenceOf

from toolglot.schemas.patterns.nodes import (
    Alternation,
    Assertion,
    CharSet,
    Group,
    Node,
    Repeat,
    Sequence,
    Text,
    fold,
)
from toolglot.schemas.patterns.sets import EVERYTHING, SURROGATES, Ranges, difference

NO_CHARACTER = r"[^\x00-\x{10FFFF}]"
# re2 refuses a count over 1000, and nested counts whose product is.
COUNT = 1000
_ASSERTIONS = {
    "start": r"\A",
    "end": r"\z",
    "line start": r"(?m:^)",
    "line end": r"(?m:$)",
    "edge": r"\b",
}


def printed(tree: Node) -> str | None:
    r"""The tree as a pattern for re2, finding a match in the same texts without lone surrogates.

    None where re2 has no form for it: look-around, back-references, atomic groups, `\B`, nested large counts.
    """
    if _count(tree) is None:
        return None
    return fold(tree, _form)


def weight(tree: Node) -> int:
    """About how many instructions re2 makes of the tree: what a step on each byte of a text may cost."""

    def combine(node: Node, below: SequenceOf[int]) -> int:
        match node:
            case Text(text):
                return len(text) if text.isascii() else 3 * len(text)
            case CharSet(ranges):
                return 1 + (4 if ranges and ranges[-1][1] > 0x7F else 1) * len(ranges)
            case Repeat(_, low, high):
                return below[0] * max(1, low if high is None else high) + 1
            case _:
                return 1 + sum(below)

    return fold(tree, combine)


def _count(tree: Node) -> int | None:
    """The largest product of nested counts, within what re2 takes once `_repeat` has split it; else None."""

    def combine(node: Node, below: SequenceOf[int]) -> int:
        match node:
            case Assertion("no edge"):
                # re2 looks at bytes, and finds such a place within a character of several: `\B` in "aéa".
                return COUNT * 2
            case Text() | CharSet() | Assertion():
                return 1
            case Sequence() | Alternation() | Group():
                return max(below, default=1)
            case Repeat(_, low, high):
                most = low if high is None else high
                if below[0] > 1 and most > 1:
                    return min(below[0], COUNT * 2) * most
                return max(below[0], min(most, COUNT))
            case _:
                return COUNT * 2

    largest = fold(tree, combine)
    return largest if largest <= COUNT else None


def _form(node: Node, below: SequenceOf[str]) -> str:
    match node:
        case Text(text):
            return "".join(map(_character, text))
        case CharSet(ranges):
            return _set(ranges)
        case Sequence():
            return "".join(below)
        case Alternation():
            return "(?:" + "|".join(below) + ")"
        case Group():
            return f"(?:{below[0]})"
        case Repeat(item, low, high):
            single = isinstance(item, CharSet) or (isinstance(item, Text) and len(item.text) == 1)
            return _repeat(below[0] if single else f"(?:{below[0]})", low, high)
        case Assertion(kind):
            return _ASSERTIONS[kind]
        case _:
            raise AssertionError(node)  # `_count` found that there is no such node


def _character(letter: str) -> str:
    if letter.isascii():
        return letter if letter.isalnum() else rf"\x{ord(letter):02x}"
    return NO_CHARACTER if "\ud800" <= letter <= "\udfff" else letter


def _set(ranges: Ranges) -> str:
    if ranges == EVERYTHING:
        return "(?s:.)"
    spoken = difference(ranges, SURROGATES)
    if not spoken:
        return NO_CHARACTER
    return (
        "["
        + "".join(rf"\x{{{low:x}}}" if low == high else rf"\x{{{low:x}}}-\x{{{high:x}}}" for low, high in spoken)
        + "]"
    )


def _repeat(item: str, low: int, high: int | None) -> str:
    if high is None:
        required = _times(item, low - 1) + f"{item}+" if low else f"{item}*"
        return f"(?:{required})"
    optional = high - low
    return f"(?:{_times(item, low)}{_up_to(item, optional)})"


def _times(item: str, count: int) -> str:
    """Exactly `count` items, in steps that re2 takes."""
    whole, rest = divmod(count, COUNT)
    steps = [f"{item}{{{COUNT}}}"] * whole
    if rest:
        steps.append(item if rest == 1 else f"{item}{{{rest}}}")
    return "".join(steps)


def _up_to(item: str, count: int) -> str:
    whole, rest = divmod(count, COUNT)
    steps = [f"{item}{{0,{COUNT}}}"] * whole
    if rest:
        steps.append(f"{item}?" if rest == 1 else f"{item}{{0,{rest}}}")
    return "".join(steps)
