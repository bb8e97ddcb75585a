r"""Whether a pattern can be slow in an engine that tries one way after another, and why.

Here patterns run in linear time or under a bound; the tool's own side often has neither. Found are a repetition
whose rounds can be split in more than one way (`(a+)+`, `(a|a)*`, `(\w+\s?)+`) and back-references. A repetition
whose rounds are held apart by a letter that is not repeated (`a+(-a+)*`) is not.
"""

from __future__ import annotations

from collections.abc import Sequence as SequenceOf
from dataclasses import dataclass
from itertools import combinations

from toolglot.schemas.patterns import PatternError, read
from toolglot.schemas.patterns.nodes import (
    Alternation,
    BackReference,
    CharSet,
    Look,
    Node,
    Repeat,
    Sequence,
    Text,
    fold,
)

Letters = tuple[tuple[int, int], ...]

# A repetition up to a smaller number can't be split in enough ways to matter.
_MANY = 16
_ALL: Letters = ((0, 0x10FFFF),)


@dataclass(frozen=True, slots=True)
class _Found:
    """What is known of one node.

    Attributes:
        letters: the letters that it may match, as ranges.
        nullable: whether it can match the empty text.
        one: whether it matches exactly one letter.
        loops: the letters of repetitions in it that a round around it could split anew.
        reason: why it can be slow, or None.
    """

    letters: Letters = ()
    nullable: bool = True
    one: bool = False
    loops: tuple[Letters, ...] = ()
    reason: str | None = None


def slow(pattern: str) -> str | None:
    """Why the pattern can be slow, or None; a pattern that nobody can read is not judged."""
    try:
        tree = read(pattern)
    except PatternError:
        return None
    return fold(tree, _found).reason


def _found(node: Node, below: SequenceOf[_Found]) -> _Found:
    reason = next((part.reason for part in below if part.reason), None)
    letters = tuple(letter for part in below for letter in part.letters)
    match node:
        case Text(text):
            return _Found(tuple((ord(letter), ord(letter)) for letter in text), not text, len(text) == 1)
        case CharSet(ranges):
            return _Found(tuple((low, high) for low, high in ranges), nullable=False, one=True)
        case Sequence():
            nullable = all(part.nullable for part in below)
            return _Found(letters, nullable, loops=_split_anew(below), reason=reason)
        case Alternation():
            loops = tuple(loop for part in below for loop in part.loops)
            return _Found(letters, any(part.nullable for part in below), loops=loops, reason=reason or _alike(below))
        case Repeat():
            return _repeated(node, below[0])
        case Look():
            return _Found(reason=reason)
        case BackReference():
            return _Found(_ALL, reason="a back-reference is tried at every length")
        case _ if below:
            return below[0]
        case _:
            return _Found()


def _repeated(node: Repeat, item: _Found) -> _Found:
    is_many = node.high is None or node.high >= _MANY
    reason = item.reason if item.reason != _ALIKE or is_many else None
    if is_many and item.loops:
        reason = reason or "a repetition stands in a repetition, and nothing keeps the rounds apart"
    loops = (item.letters,) if is_many else item.loops
    return _Found(item.letters, node.low == 0 or item.nullable, loops=loops, reason=reason)


_ALIKE = "two alternatives match the same letter, again and again"


def _alike(options: SequenceOf[_Found]) -> str | None:
    single = [option.letters for option in options if option.one]
    return _ALIKE if any(_meet(left, right) for left, right in combinations(single[:32], 2)) else None


def _split_anew(parts: SequenceOf[_Found]) -> tuple[Letters, ...]:
    """The loops that nothing beside them keeps apart: each other part can be empty or match the loop's letters."""
    return tuple(
        loop
        for place, part in enumerate(parts)
        for loop in part.loops
        if all(other.nullable or _meet(other.letters, loop) for at, other in enumerate(parts) if at != place)
    )


def _meet(left: Letters, right: Letters) -> bool:
    return any(low <= top and bottom <= high for low, high in left for bottom, top in right)
