"""A matcher that is plainly right and slow: the places where a match can end, as sets; no captures, no order."""

from __future__ import annotations

from hypothesis import strategies as st

from toolglot.schemas.patterns.nodes import (
    Alternation,
    Assertion,
    CharSet,
    Group,
    Look,
    Node,
    Repeat,
    Sequence,
    Text,
)
from toolglot.schemas.patterns.sets import contains

WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


def finds(node: Node, text: str) -> bool:
    return any(ends(node, text, at) for at in range(len(text) + 1))


def ends(node: Node, text: str, at: int) -> set[int]:
    match node:
        case Text(wanted):
            return {at + len(wanted)} if text.startswith(wanted, at) else set()
        case CharSet(ranges):
            return {at + 1} if at < len(text) and contains(ranges, ord(text[at])) else set()
        case Sequence(items):
            places = {at}
            for item in items:
                places = {end for place in places for end in ends(item, text, place)}
            return places
        case Alternation(options):
            return {end for option in options for end in ends(option, text, at)}
        case Group(item):
            return ends(item, text, at)
        case Look(item, behind, negative):
            seen = (
                any(at in ends(item, text, start) for start in range(at + 1)) if behind else bool(ends(item, text, at))
            )
            return {at} if seen is not negative else set()
        case Assertion(kind):
            return {at} if holds(kind, text, at) else set()
        case Repeat(item, low, high):
            return repeated(item, text, at, low, high)
    raise AssertionError(node)


def repeated(item: Node, text: str, at: int, low: int, high: int | None) -> set[int]:
    places, result, rounds = {at}, set(), 0
    while places and (high is None or rounds <= high):
        if rounds >= low:
            if places <= result:
                break
            result |= places
        places = {end for place in places for end in ends(item, text, place)}
        rounds += 1
    return result


def holds(kind: str, text: str, at: int) -> bool:
    if kind == "start":
        return at == 0
    if kind == "end":
        return at == len(text)
    edge = (at > 0 and text[at - 1] in WORD) != (at < len(text) and text[at] in WORD)
    return edge == (kind == "edge")


ATOMS = ["a", "b", "c", "ab", "-", '"', r"\\", "é", "😀", "[ab]", "[^a]", '[^"\\\\]', ".", r"\w", r"\s", r"\n", r"\."]
COUNTS = ["*", "+", "?", "{2}", "{1,2}", "{0,3}", "{2,}", "*?", "+?", "??"]


def patterns(*, edges: bool = True, looks: bool = False) -> st.SearchStrategy[str]:
    """Patterns of all kinds of nodes that are regular, and of look-around too if asked."""
    plain = st.sampled_from(ATOMS)
    leaf = st.one_of(plain, st.builds(lambda atom, count: f"(?:{atom}){count}", plain, st.sampled_from(COUNTS)))
    if edges:
        leaf = st.one_of(leaf, st.sampled_from(["^", "$"] + ([r"\b", r"\B"] if looks else [])))

    def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        options = [
            st.lists(inner, max_size=4).map("".join),
            st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})"),
            st.builds(lambda part, count: f"({part}){count}", inner, st.sampled_from(COUNTS)),
        ]
        if looks:
            signs = st.sampled_from(["?=", "?!", "?<=", "?<!"])
            options.append(st.builds(lambda sign, part: f"({sign}{part})", signs, inner))
        return st.one_of(*options)

    return st.recursive(leaf, grow, max_leaves=8)


TEXTS = st.text(alphabet='abc-"\\\n .é😀\x01\u2028', max_size=8)
