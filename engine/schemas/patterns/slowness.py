r"""Whether a backtracking engine could take exponential time for a pattern: a hint for its author, no proof.

Here it does no harm (see matching.py), but the tool's own server, or a provider, may run the pattern on Python's `re`
or in a browser. What is looked for is a loop whose rounds can be cut in more than one way: a run of a set in a
loop where all else in a round may consist of that set's characters too (`(a+)+`, `(\w+\s?)*`, `(.*,)*`), or
options of a loop that share a character (`(a|[ab])*`).
"""

from __future__ import annotations

from collections.abc import Sequence as SequenceOf
from itertools import combinations

from toolglot.schemas.patterns.nodes import (
    Alternation,
    CharSet,
    Node,
    Repeat,
    Sequence,
    Text,
    fold,
    parts,
)
from toolglot.schemas.patterns.reading import read
from toolglot.schemas.patterns.sets import Ranges, contains, intersection
from toolglot.schemas.patterns.whole import one_character

OFTEN = 10  # rounds from which a loop can hurt
LONGEST = 2000  # characters of a pattern that is looked at


def slow(pattern: str) -> str | None:
    """Why a backtracking engine may stall on the pattern, in a few words; None if no reason is known.

    PatternError where nobody can read the pattern.
    """
    tree = read(pattern)
    if len(pattern) > LONGEST:
        return None
    pending = [tree]
    while pending:
        node = pending.pop()
        reason = _ambiguous(node.item) if isinstance(node, Repeat) and _often(node) else None
        if reason is not None:
            return reason
        pending.extend(parts(node))
    return None


def _often(node: Repeat) -> bool:
    return node.high is None or node.high >= OFTEN


def _ambiguous(body: Node) -> str | None:
    """How a round of a loop can be cut in more than one way."""
    pending: list[tuple[Node, tuple[Node, ...]]] = [(body, ())]
    while pending:
        node, others = pending.pop()
        match node:
            case Sequence(items):
                pending.extend((item, (*others, *items[:at], *items[at + 1 :])) for at, item in enumerate(items))
            case Alternation(options):
                if _share_a_character(options) and all(_may_be_empty(other) for other in others):
                    return "options within a repetition share a character"
                pending.extend((option, others) for option in options)
            case Repeat(item):
                members = one_character(_bare(item))
                if (
                    members
                    and _often(node)
                    and node.low != node.high
                    and all(_within(other, members) for other in others)
                ):
                    return "a repetition stands within a repetition, and the same text can be cut in many ways"
                pending.append((item, others))
            case _:
                pending.extend((part, others) for part in parts(node))
    return None


def _bare(node: Node) -> Node:
    while not isinstance(node, (CharSet, Text)) and len(parts(node)) == 1 and not isinstance(node, Repeat):
        node = parts(node)[0]
    return node


def _share_a_character(options: SequenceOf[Node]) -> bool:
    sets = [members for members in map(one_character, map(_bare, options)) if members]
    return any(intersection(left, right) for left, right in combinations(sets, 2))


def _may_be_empty(node: Node) -> bool:
    return _within(node, ())


def _within(node: Node, members: Ranges) -> bool:
    """Whether the node can match a text of these characters alone."""

    def combine(current: Node, below: SequenceOf[bool]) -> bool:
        match current:
            case Text(text):
                return all(contains(members, ord(letter)) for letter in text)
            case CharSet(ranges):
                return bool(intersection(ranges, members))
            case Alternation():
                return any(below)
            case Repeat(_, low, _):
                return low == 0 or below[0]
            case _:
                return all(below)

    return fold(node, combine)
