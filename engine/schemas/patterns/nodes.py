"""The syntax tree of a pattern: small, frozen, and walked without recursion.

A tree is as deep as its pattern is nested (`reading.DEPTH` groups), and a walk that called itself would
use several Python frames for each. `fold` is the one walk; everything that reads a tree goes through it.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as SequenceOf
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar

from toolglot.schemas.patterns.sets import Ranges

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Text:
    """These characters, one after the other."""

    text: str


@dataclass(frozen=True, slots=True)
class CharSet:
    r"""One character out of a set.

    Attributes:
        ranges: the members.
        negated: it was written by what it leaves out (`[^a]`, `\W`), which matters where case is ignored.
    """

    ranges: Ranges
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Sequence:
    """The items, one after the other; without any, the empty text."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Alternation:
    """One of the options, the first that fits."""

    options: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """The item, `low` to `high` times (`high` None: without limit)."""

    item: Node
    low: int
    high: int | None
    greedy: bool = True


@dataclass(frozen=True, slots=True)
class Assertion:
    """A place: start or end of the text, start or end of a line, at a word's edge or not."""

    kind: Literal["start", "end", "line start", "line end", "edge", "no edge"]


@dataclass(frozen=True, slots=True)
class Look:
    """What stands ahead of a place or behind it, which is (or is not) the item."""

    item: Node
    behind: bool
    negative: bool


@dataclass(frozen=True, slots=True)
class Group:
    """A capturing group.

    Attributes:
        at: the place of its parenthesis in the pattern; groups are counted in that order.
        name: its name, where it has one.
    """

    item: Node
    at: int
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Atomic:
    """The item as it fits first, never tried again (`(?>a*)`, `a*+`: not ECMA-262)."""

    item: Node


@dataclass(frozen=True, slots=True)
class BackReference:
    """The text that a group matched; with a name that is used twice, the one of them that did.

    Attributes:
        groups: the `at` of each group meant.
        any_case: whether case is ignored.
    """

    groups: tuple[int, ...]
    any_case: bool = False


Node: TypeAlias = Text | CharSet | Sequence | Alternation | Repeat | Assertion | Look | Group | Atomic | BackReference

EMPTY = Sequence(())


def parts(node: Node) -> tuple[Node, ...]:
    """The nodes right beneath a node."""
    match node:
        case Sequence(items):
            return items
        case Alternation(options):
            return options
        case Repeat(item) | Look(item) | Group(item) | Atomic(item):
            return (item,)
        case _:
            return ()


def fold(node: Node, combine: Callable[[Node, SequenceOf[T]], T]) -> T:
    """What `combine` makes of the tree, from the leaves up: it gets each node with the results of its parts."""
    pending: list[tuple[Node, int]] = [(node, -1)]
    results: list[T] = []
    while pending:
        current, count = pending.pop()
        if count < 0:
            beneath = parts(current)
            pending.append((current, len(beneath)))
            pending.extend((part, -1) for part in reversed(beneath))
        else:
            below = results[len(results) - count :]
            del results[len(results) - count :]
            results.append(combine(current, below))
    return results[0]


def rebuilt(node: Node, below: SequenceOf[Node]) -> Node:
    """The node with other parts beneath it: what `combine` returns where it changes nothing itself."""
    match node:
        case Sequence():
            return sequence(below)
        case Alternation():
            return alternation(below)
        case Repeat(_, low, high, greedy):
            return Repeat(below[0], low, high, greedy)
        case Look(_, behind, negative):
            return Look(below[0], behind, negative)
        case Group(_, at, name):
            return Group(below[0], at, name)
        case Atomic():
            return Atomic(below[0])
        case _:
            return node


def sequence(items: SequenceOf[Node]) -> Node:
    """The items in a row, nested rows opened and neighbouring texts joined."""
    flat: list[Node] = []
    for item in items:
        for node in item.items if isinstance(item, Sequence) else (item,):
            last = flat[-1] if flat else None
            if isinstance(node, Text) and isinstance(last, Text):
                flat[-1] = Text(last.text + node.text)
            else:
                flat.append(node)
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def alternation(options: SequenceOf[Node]) -> Node:
    """One of the options; a single one stands for itself."""
    return options[0] if len(options) == 1 else Alternation(tuple(options))


def has(node: Node, kinds: type | tuple[type, ...]) -> bool:
    """Whether a node of one of the kinds is in the tree."""
    pending = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, kinds):
            return True
        pending.extend(parts(current))
    return False
