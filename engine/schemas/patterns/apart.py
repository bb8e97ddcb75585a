"""Whether no text fits two patterns, as far as their beginnings show it: `^a` and `^b`, `^x$` and `^xy$`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations

from toolglot.schemas.patterns.nodes import Alternation, CharSet, Node, Sequence, Text
from toolglot.schemas.patterns.reading import read
from toolglot.schemas.patterns.sets import Ranges, intersection, union
from toolglot.schemas.patterns.whole import one_character, whole

END: Ranges = ()  # stands for the end of the text: no character fits it
_Beginning = tuple[Ranges, ...]


def are_apart(patterns: Iterable[str]) -> bool:
    """Whether each text fits one of the patterns at most; False where that is not seen. PatternError as `read`."""
    beginnings = [_beginning(pattern) for pattern in patterns]
    return all(_differ(one, other) for one, other in combinations(beginnings, 2))


def _differ(one: _Beginning, other: _Beginning) -> bool:
    """Whether a place has different characters; the end of one is no end of the other."""
    return any(left != right and not intersection(left, right) for left, right in zip(one, other, strict=False))


@lru_cache(maxsize=512)
def _beginning(pattern: str) -> _Beginning:
    """What each of the first characters can be, as far as they stand at a fixed place."""
    tree = whole(read(pattern))
    if tree is None:
        return ()
    found: list[Ranges] = []
    for node in tree.items if isinstance(tree, Sequence) else (tree,):
        characters = _characters(node)
        if characters is None:
            return tuple(found)
        found.extend(characters)
    return (*found, END)


def _characters(node: Node) -> list[Ranges] | None:
    """A set for each character of a node of one length."""
    match node:
        case Text(text):
            return [((ord(letter), ord(letter)),) for letter in text]
        case CharSet(ranges):
            return [ranges]
        case Alternation(options):
            members = [one_character(option) for option in options]
            return None if None in members else [union(pair for member in members for pair in member or ())]
        case _:
            return None
