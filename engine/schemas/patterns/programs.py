"""A syntax tree as a flat program for the bounded matcher: the steps, and how far to go from each."""

from __future__ import annotations

import re
from collections.abc import Sequence as SequenceOf
from dataclasses import dataclass
from functools import lru_cache

from toolglot.schemas.patterns.nodes import (
    Alternation,
    Assertion,
    Atomic,
    BackReference,
    CharSet,
    Group,
    Look,
    Node,
    Repeat,
    Sequence,
    Text,
    fold,
)
from toolglot.schemas.patterns.sets import Ranges
from toolglot.schemas.patterns.steps import (
    UNSET,
    Asserts,
    Capture,
    Captures,
    Enter,
    Fork,
    Jump,
    Looks,
    Loop,
    Mark,
    Program,
    Recall,
    SetRun,
    SetStep,
    Step,
    Takes,
    TextStep,
)

LONGEST = 4_000_000_000  # what a count of Python's `re` may be


def program(tree: Node) -> Program:
    """The program of a tree."""
    writer = _Writer(tree)
    return Program(fold(tree, writer.write).ahead, backward=False, no_captures=writer.no_captures)


@dataclass(frozen=True, slots=True)
class _Code:
    """A node's steps in both directions, and the capture slots within."""

    ahead: tuple[Step, ...]
    behind: tuple[Step, ...]
    slots: tuple[int, ...] = ()


class _Writer:
    """Writes a node's steps from those of its parts. Only groups that a back-reference names are captured."""

    def __init__(self, tree: Node) -> None:
        named: set[int] = set()
        fold(tree, lambda node, _: named.update(node.groups) if isinstance(node, BackReference) else None)
        self.slots = {at: slot for slot, at in enumerate(sorted(named))}
        self.no_captures: Captures = (UNSET,) * len(named)

    def write(self, node: Node, below: SequenceOf[_Code]) -> _Code:
        """The steps of a node in both directions."""
        slots = tuple(slot for code in below for slot in code.slots)
        if isinstance(node, Group) and node.at in self.slots:
            slots = (*slots, self.slots[node.at])
        ahead = self._steps(node, [code.ahead for code in below], slots, backward=False)
        behind = self._steps(node, [code.behind for code in below], slots, backward=True)
        if isinstance(node, Look):  # it looks its own way, whichever way the program around it reads
            inner = Program(below[0].behind if node.behind else below[0].ahead, node.behind, ())
            ahead = behind = (Looks(inner, node.negative),)
        return _Code(ahead, behind, slots)

    def _steps(
        self, node: Node, below: SequenceOf[tuple[Step, ...]], slots: tuple[int, ...], *, backward: bool
    ) -> tuple[Step, ...]:
        match node:
            case Text(text):
                return (TextStep(text[::-1] if backward else text),) if text else ()
            case CharSet(ranges):
                return (SetStep(members_of(ranges, "")),)
            case Sequence():
                return tuple(step for steps in (reversed(below) if backward else below) for step in steps)
            case Alternation():
                return _options(below)
            case Repeat():
                return self._repeat(node, below[0], slots)
            case Group(_, at) if at in self.slots:
                return (Mark(self.slots[at]), *below[0], Capture(self.slots[at]))
            case Group():
                return below[0]
            case Atomic():
                return (Takes(Program(below[0], backward, ())),)
            case Assertion(kind):
                return (Asserts(kind),)
            case BackReference(groups, any_case):
                return (Recall(tuple(self.slots[at] for at in groups), any_case),)
            case _:
                return ()

    def _repeat(self, node: Repeat, body: tuple[Step, ...], slots: tuple[int, ...]) -> tuple[Step, ...]:
        members = _single(node.item)
        if members is not None:
            counts = "*" if node.high is None else f"{{0,{min(node.high, LONGEST)}}}"
            return (SetRun(members_of(members, counts), node.low, node.high, node.greedy),)
        if not self.slots and node.low == 0 and node.high in (1, None):
            fork = (1, len(body) + (1 if node.high else 2))
            first, second = fork if node.greedy else fork[::-1]
            return (Fork(first, second), *body, *(() if node.high else (Jump(-len(body) - 1),)))
        loop = Loop(node.low, node.high, node.greedy, len(body) + 2, slots, keeps_place=bool(self.slots))
        return (Enter(), loop, *body, Jump(-len(body) - 1))


def _options(below: SequenceOf[tuple[Step, ...]]) -> tuple[Step, ...]:
    """Each option but the last is a fork, its steps, and a jump behind the last."""
    total = sum(len(steps) + 2 for steps in below) - 2
    result: list[Step] = []
    for steps in below[:-1]:
        result.append(Fork(1, len(steps) + 2))
        result.extend(steps)
        result.append(Jump(total - len(result)))
    return (*result, *below[-1])


def _single(node: Node) -> Ranges | None:
    """The set, where a node stands for one character of it."""
    match node:
        case Group(item, _, None):
            return None if isinstance(item, Group) else _single(item)
        case CharSet(ranges):
            return ranges
        case Text(text) if len(text) == 1:
            return ((ord(text), ord(text)),)
        case _:
            return None


@lru_cache(maxsize=256)
def members_of(ranges: Ranges, counts: str) -> re.Pattern[str]:
    """The set as a class of Python's `re`, so often."""
    return re.compile(expression(ranges) + counts)


def expression(ranges: Ranges) -> str:
    """The set as a class of Python's `re`."""
    if not ranges:
        return r"(?!)"
    return "[" + "".join(rf"\U{low:08x}-\U{high:08x}" for low, high in ranges) + "]"
