"""What the flags `i`, `m` and `s` make of a pattern."""

from __future__ import annotations

from collections.abc import Sequence as SequenceOf

from toolglot.schemas.patterns.classes import ANY, DOT
from toolglot.schemas.patterns.nodes import Assertion, BackReference, CharSet, Node, Text, fold, rebuilt, sequence
from toolglot.schemas.patterns.sets import any_case, complement

_LINES = {"start": "line start", "end": "line end"}


def under_flags(flags: str, tree: Node) -> Node:
    """The tree under the flags `i`, `m`, `s`."""

    def combine(node: Node, below: SequenceOf[Node]) -> Node:
        match node:
            case Text(text) if "i" in flags:
                return sequence([_in_any_case(letter) for letter in text])
            case CharSet() if node is DOT:
                return ANY if "s" in flags else DOT
            case CharSet(ranges, negated) if "i" in flags:
                folded = complement(any_case(complement(ranges))) if negated else any_case(ranges)
                return CharSet(folded, negated)
            case BackReference(groups) if "i" in flags:
                return BackReference(groups, any_case=True)
            case Assertion(kind) if "m" in flags:
                return Assertion(_LINES.get(kind, kind))  # type: ignore[arg-type]  # the table holds the kinds
            case _:
                return rebuilt(node, below)

    return fold(tree, combine)


def _in_any_case(letter: str) -> Node:
    ranges = any_case(((ord(letter), ord(letter)),))
    return CharSet(ranges) if len(ranges) > 1 or ranges[0][0] != ranges[0][1] else Text(letter)
