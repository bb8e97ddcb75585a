"""A pattern that is searched for, as one that the whole text must fit: no anchors, no look-around.

Each node has four readings: in the middle of the pattern, at its left end, at its right end, and as all of it. At
an end, whatever may stand before or after is a run of any characters, unless an anchor forbids it. So `^a|b$`
becomes `a.*|.*b`, `(^|,)x` becomes `(|.*,)x.*`, and a repetition at an open end shrinks to what it requires
(`.*a{2,}` is `.*a{2}`). A reading that does not exist (an anchor in the middle) is None.
"""

from __future__ import annotations

from collections.abc import Sequence as SequenceOf
from dataclasses import dataclass

from toolglot.schemas.patterns.nodes import (
    EMPTY,
    Alternation,
    Assertion,
    CharSet,
    Group,
    Node,
    Repeat,
    Sequence,
    Text,
    alternation,
    fold,
    sequence,
)
from toolglot.schemas.patterns.sets import EVERYTHING, Ranges, union

UNWRITTEN = 50_000  # what is larger than this is not even written down
ANYTHING = Repeat(CharSet(EVERYTHING), 0, None)


@dataclass(frozen=True, slots=True)
class _Readings:
    middle: Node | None
    left: Node | None
    right: Node | None
    all: Node | None


def whole(tree: Node) -> Node | None:
    """A tree that the whole text fits exactly when the given one has a match in it; None if there is no simple one.

    It holds texts, sets, sequences, alternations and repetitions alone.
    """
    return fold(tree, _read).all


def _read(node: Node, below: SequenceOf[_Readings]) -> _Readings:
    match node:
        case Text() | CharSet():
            return _unanchored(node)
        case Assertion("start"):
            return _Readings(None, EMPTY, None, ANYTHING)
        case Assertion("end"):
            return _Readings(None, None, EMPTY, ANYTHING)
        case Group():
            return below[0]
        case Sequence():
            return _sequence(below)
        case Alternation():
            return _Readings(
                _either([one.middle for one in below]),
                _either([one.left for one in below]),
                _either([one.right for one in below]),
                _either([one.all for one in below]),
            )
        case Repeat():
            return _repeat(node, below[0])
        case _:
            return _Readings(None, None, None, None)


def _unanchored(node: Node) -> _Readings:
    return _Readings(node, _row([ANYTHING, node]), _row([node, ANYTHING]), _row([ANYTHING, node, ANYTHING]))


def _sequence(below: SequenceOf[_Readings]) -> _Readings:
    if not below:
        return _Readings(EMPTY, ANYTHING, ANYTHING, ANYTHING)
    if len(below) == 1:
        return below[0]
    first, last, inner = below[0], below[-1], [one.middle for one in below[1:-1]]
    return _Readings(
        _row([first.middle, *inner, last.middle]),
        _row([first.left, *inner, last.middle]),
        _row([first.middle, *inner, last.right]),
        _row([first.left, *inner, last.right]),
    )


def _repeat(node: Repeat, item: _Readings) -> _Readings:
    if item.middle is not None:
        required = EMPTY if node.low == 0 else Repeat(item.middle, node.low, node.low)
        ends = _unanchored(required)
        return _Readings(Repeat(item.middle, node.low, node.high), ends.left, ends.right, ends.all)
    if node.high != 1:
        return _Readings(None, None, None, None)
    if node.low == 1:
        return item
    return _Readings(
        None,
        _either([item.left, ANYTHING]),
        _either([item.right, ANYTHING]),
        _either([item.all, ANYTHING]),
    )


def _row(items: SequenceOf[Node | None]) -> Node | None:
    present: list[Node] = []
    for item in items:
        if item is None:
            return None
        for node in item.items if isinstance(item, Sequence) else (item,):
            if not (present and node is ANYTHING and present[-1] is ANYTHING):
                present.append(node)
    return sequence(present)


def _either(options: SequenceOf[Node | None]) -> Node | None:
    """One of the options; those of one character are one set."""
    present: list[Node] = []
    ranges: list[tuple[int, int]] = []
    for option in options:
        if option is None:
            return None
        if option is ANYTHING:
            return ANYTHING
        members = one_character(option)
        if members is None:
            present.append(option)
        else:
            ranges.extend(members)
    if ranges or not present:
        present.append(CharSet(union(ranges)))
    return alternation(present)


def one_character(node: Node) -> Ranges | None:
    """The set, where the node is one character of it."""
    match node:
        case CharSet(ranges):
            return ranges
        case Text(text) if len(text) == 1:
            return ((ord(text), ord(text)),)
        case _:
            return None


@dataclass(frozen=True, slots=True)
class _Emptiness:
    """A node, whether it fits the empty text, and the same node without it (None: nothing else is left).

    `size` and `rest_size` count what both would be if written out: nodes are shared, the text is not.
    """

    node: Node
    empty: bool
    size: int
    rest: Node | None
    rest_size: int


def productive(tree: Node, size: int) -> Node | None:
    """The tree with every repeated item fitting no empty text: grammar engines refuse `(a*)*` as left recursion.

    None where the result, written out, is larger than `size` (or `UNWRITTEN`).
    """
    size = min(size, UNWRITTEN - 1)

    def combine(node: Node, below: SequenceOf[_Emptiness | None]) -> _Emptiness | None:
        known = [one for one in below if one is not None]
        made = _productive(node, known) if len(known) == len(below) else None
        return made if made is not None and made.size <= size else None

    found = fold(tree, combine)
    return None if found is None else found.node


def _productive(node: Node, below: SequenceOf[_Emptiness]) -> _Emptiness:
    match node:
        case Sequence():
            return _productive_row(below)
        case Alternation():
            rests = [one.rest for one in below if one.rest is not None]
            return _Emptiness(
                alternation([one.node for one in below]),
                any(one.empty for one in below),
                sum(one.size for one in below),
                alternation(rests) if rests else None,
                sum(one.rest_size for one in below),
            )
        case Repeat(_, low, high):
            return _productive_repeat(low, high, below[0])
        case CharSet(ranges):
            return _Emptiness(node, False, len(ranges), node, len(ranges))
        case Text(text) if text:
            return _Emptiness(node, False, len(text), node, len(text))
        case _:
            return _Emptiness(EMPTY, True, 0, None, 0)


def _productive_row(below: SequenceOf[_Emptiness]) -> _Emptiness:
    """`AB` without the empty text is `A'B|B'`, where A fits it too."""
    row = sequence([one.node for one in below])
    size = sum(one.size for one in below)
    if not all(one.empty for one in below):
        return _Emptiness(row, False, size, row, size)
    starts: list[Node] = []
    later: Node = EMPTY
    later_size = starts_size = 0
    if sum(place * one.size for place, one in enumerate(below)) > UNWRITTEN:
        return _Emptiness(row, True, size, EMPTY, UNWRITTEN)
    for one in reversed(below):
        if one.rest is not None:
            starts.append(sequence([one.rest, later]))
            starts_size += one.rest_size + later_size
        later, later_size = sequence([one.node, later]), later_size + one.size
    return _Emptiness(row, True, size, alternation(starts) if starts else None, starts_size)


def _productive_repeat(low: int, high: int | None, item: _Emptiness) -> _Emptiness:
    if item.rest is None or high == 0:
        return _Emptiness(EMPTY, True, 0, None, 0)
    once = Repeat(item.rest, max(low, 1), high)
    if item.empty:
        return _Emptiness(
            Repeat(item.rest, 0, high), True, item.rest_size + 1, Repeat(item.rest, 1, high), item.rest_size + 1
        )
    return _Emptiness(Repeat(item.node, low, high), low == 0, item.size + 1, once, item.rest_size + 1)
