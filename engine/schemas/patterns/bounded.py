"""The matcher for what no automaton does: look-around, back-references, atomic groups, lone surrogates.

It walks the tree's program depth first, as a backtracking engine does, with three differences. A state (place in
the program, place in the text, loop counts, captures) that was tried is not tried again, so that without
back-references the work is at most program times text. A run of one set (`.*`, `[a-z]{2,}`) is found in one
go, and the places in it that were tried are remembered as one stretch. And every step counts: past
`STEPS` it stops with PatternTooCostly. Nothing here calls itself but a look-around within a look-around.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from toolglot.schemas.patterns.errors import PatternTooCostly
from toolglot.schemas.patterns.nodes import Node
from toolglot.schemas.patterns.programs import program
from toolglot.schemas.patterns.reading import paired
from toolglot.schemas.patterns.steps import Asserts, Captures, Loops, Memory, Program, SetStep, State, TextStep

# At one to two microseconds a step this is below half a second; a text of 64 KiB may take several steps a character.
STEPS = 300_000
RUN = 2  # what beginning to match costs, in steps


def bounded_matcher(pattern: str, tree: Node) -> Callable[[str], bool]:
    """A function that says whether a text has a match, or raises PatternTooCostly."""

    @lru_cache(maxsize=1)
    def code() -> Program:
        return program(tree)

    def accepts(text: str) -> bool:
        return Search(pattern, paired(text)).finds(code())

    return accepts


def steps_taken(tree: Node, text: str) -> int:
    """How many steps the answer for a text takes: a measure without a clock."""
    search = Search("", paired(text))
    search.finds(program(tree))
    return STEPS - search.steps


class Search:
    """One text being tried: what is left to spend, and what is known about it."""

    def __init__(self, pattern: str, text: str) -> None:
        self.pattern, self.text, self.length = pattern, text, len(text)
        self.steps = STEPS
        self.looks: dict[tuple[int, int], bool] = {}
        self.memories: dict[int, Memory] = {}
        self._reversed: str | None = None

    def spend(self, steps: int) -> None:
        """Counts steps; PatternTooCostly when none are left."""
        self.steps -= steps
        if self.steps < 0:
            raise PatternTooCostly(self.pattern, self.length)

    def facing(self, backward: bool) -> str:
        """The text in the direction in which a program reads it."""
        if not backward:
            return self.text
        if self._reversed is None:
            self._reversed = self.text[::-1]
        return self._reversed

    def finds(self, code: Program) -> bool:
        """Whether the program matches from anywhere in the text."""
        memory = Memory()
        at = self._next_start(code, 0)
        while at >= 0:
            if self.run(code, at, code.no_captures, memory) is not None:
                return True
            at = self._next_start(code, at + 1)
        return False

    def _next_start(self, code: Program, at: int) -> int:
        """The next place where a match may begin, or -1."""
        if at > self.length:
            return -1
        match code.steps[0] if code.steps else None:
            case Asserts("start"):
                return at if at == 0 else -1
            case TextStep(wanted):
                return self.text.find(wanted, at)
            case SetStep(member):
                found = member.search(self.text, at)
                return -1 if found is None else found.start()
            case _:
                return at

    def run(self, code: Program, at: int, captures: Captures, memory: Memory) -> tuple[int, Captures] | None:
        """Where a match of the program from here ends, and what it captured; None if there is none."""
        run = Run(self, self.facing(code.backward), code.backward, memory)
        run.stack.append((0, at, None, captures, -1))
        steps, end = code.steps, len(code.steps)
        self.spend(RUN)
        while run.stack:
            pc, at, loops, captures, until = run.stack.pop()
            if 0 <= until != at:
                run.stack.append((pc, at + (1 if until > at else -1), loops, captures, until))
            state: State | None = (pc, at, loops, captures)
            while state is not None:
                if state[0] == end:
                    return state[1], state[3]
                self.steps -= 1  # as `spend`, without the call: this is the hot line
                if self.steps < 0:
                    raise PatternTooCostly(self.pattern, self.length)
                state = steps[state[0]](run, *state)
        return None


@dataclass(slots=True)
class Run:
    """One program being run on a text: what is still to be tried."""

    search: Search
    text: str
    backward: bool
    memory: Memory
    stack: list[tuple[int, int, Loops, Captures, int]] = field(default_factory=list)

    def place(self, at: int) -> int:
        """The place counted from the text's start, or back again."""
        return self.search.length - at if self.backward else at
