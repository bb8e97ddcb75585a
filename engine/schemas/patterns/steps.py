"""The steps of a program for the bounded matcher, each a small class.

A step gets the state (place in the program, place in the text, loops, captures) and returns the next one, or None
where this way ends; other ways that are worth trying go onto the run's stack. A program that reads backward
(look-behind) gets the text reversed, so that its steps need not know.
"""

# ruff: noqa: D102, ARG002 (what a step does, its class says; and each gets all of the state)

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from toolglot.schemas.patterns.sets import WORD, contains

if TYPE_CHECKING:
    from toolglot.schemas.patterns.bounded import Run

# The loops that a state is in, innermost first: how often, where this round began, and the outer ones.
Loops: TypeAlias = "tuple[int, int, Loops] | None"
# For each group that a back-reference names: where it began and ended, and where it was last entered.
Captures: TypeAlias = tuple[tuple[int, int, int], ...]
State: TypeAlias = tuple[int, int, Loops, Captures]
UNSET = (-1, -1, -1)


@dataclass(slots=True)
class Memory:
    """What was tried: states at a fork, and for each run of a set the first place in it."""

    seen: set[State] = field(default_factory=set)
    stretches: dict[State, int] = field(default_factory=dict)
    ends: dict[int, tuple[int, int]] = field(default_factory=dict)

    def is_new(self, state: State) -> bool:
        """Whether the state was not tried before; from now on it was."""
        if state in self.seen:
            return False
        self.seen.add(state)
        return True


class Step(Protocol):
    """One step of a program."""

    def __call__(self, run: Run, pc: int, at: int, loops: Loops, captures: Captures) -> State | None:
        """The next state, or None."""


@dataclass(frozen=True, slots=True)
class Program:
    """The steps; a program that reads backward is a look-behind's."""

    steps: tuple[Step, ...]
    backward: bool
    no_captures: Captures


@dataclass(frozen=True, slots=True)
class SetStep:
    """One character out of a set."""

    member: re.Pattern[str]

    def __call__(self, run: Run, pc: int, at: int, loops: Loops, captures: Captures) -> State | None:
        return (pc + 1, at + 1, loops, captures) if self.member.match(run.text, at) else None


@dataclass(frozen=True, slots=True)
class TextStep:
    """These characters."""

    text: str

    def __call__(self, run: Run, pc: int, at: int, loops: Loops, captures: Captures) -> State | None:
        return (pc + 1, at + len(self.text), loops, captures) if run.text.startswith(self.text, at) else None


@dataclass(frozen=True, slots=True)
class Jump:
    """Go on elsewhere."""

    by: int

    def __call__(self, run: Run, pc: int, at: int, loops: Loops, captures: Captures) -> State | None:
        return pc + self.by, at, loops, captures


@dataclass(frozen=True, slots=True)
class Fork:
    """Go on here first, then there."""

    first: int
    second: int

    def __call__(self, run: Run, pc: int, at: int, loops: Loops, captures: Captures) -> State | None:
        if not run.memory.is_new((pc, at, loops, captures)):
            return None
        run.stack.append((pc + self.second, at, loops, captures, -1))
        return pc + self.first, at, loops, captures


@dataclass(frozen=True, slots=True)
class SetRun:
    """Characters of one set, `low` to `high` of them."""

    members: re.Pattern[str]
    low: int
    high: int | None
    greedy: bool

    def __call__(self, run: Run, pc: int, at: int, loops: Loops, captures: Captures) -> State | None:
        if not run.memory.is_new((pc, at, loops, captures)):
            return None
        end = self._end(run, pc, at)
        first, last = at + self.low, end
        if self.high is None:  # ways from later places in the same stretch were tried already
            stretch = (pc, end, loops, captures)
            tried = run.memory.stretches.get(stretch, end + 1)
            last = min(end, tried - 1)
            run.memory.stretches[stretch] = min(first, tried)
        if first > last:
            return None
        ways = (last, first) if self.greedy else (first, last)
        run.stack.append((pc + 1, ways[0], loops, captures, ways[1]))
        return None

    def _end(self, run: Run, pc: int, at: int) -> int:
        if self.high is None:
            start, end = run.memory.ends.get(pc, (0, -1))
            if start <= at <= end:
                return end
        found = self.members.match(run.text, at)
        end = at if found is None else found.end()
        run.search.spend((end - at) // 256)
        if self.high is None:
            run.memory.ends[pc] = (at, end)
        return end


@dataclass(frozen=True, slots=True)
class Enter:
    """Begin a loop: the `Loop` comes next."""

    def __call__(self, run: Run, pc: int, at: int, loops: Loops, captures: Captures) -> State | None:
        return pc + 1, at, (0, -1, loops), captures


@dataclass(frozen=True, slots=True)
class Loop:
    """One more round, or on; captures within begin anew with each round, as ECMA-262 has it."""

    low: int
    high: int | None
    greedy: bool
    after: int
    within: tuple[int, ...]
    keeps_place: bool

    def __call__(self, run: Run, pc: int, at: int, loops: Loops, captures: Captures) -> State | None:
        if loops is None or not run.memory.is_new((pc, at, loops, captures)):
            return None
        count, began, outer = loops
        if self.keeps_place and count > self.low and began == at:
            return None  # a round that was not required and took nothing
        leave = (pc + self.after, at, outer, captures)
        if self.high is not None and count >= self.high:
            return leave
        most = self.low + 1 if self.keeps_place else self.low
        counted = count + 1 if self.high is not None else min(count + 1, most)
        inside = (counted, at if self.keeps_place else -1, outer)
        fresh = captures
        if self.within:
            fresh = tuple(UNSET if slot in self.within else kept for slot, kept in enumerate(captures))
        again = (pc + 1, at, inside, fresh)
        if count < self.low:
            return again
        first, second = (again, leave) if self.greedy else (leave, again)
        run.stack.append((*second, -1))
        return first


@dataclass(frozen=True, slots=True)
class Asserts:
    """A place in the text."""

    kind: str

    def __call__(self, run: Run, pc: int, at: int, loops: Loops, captures: Captures) -> State | None:
        return (pc + 1, at, loops, captures) if self._holds(run.search.text, run.place(at)) else None

    def _holds(self, text: str, place: int) -> bool:
        match self.kind:
            case "start":
                return place == 0
            case "end":
                return place == len(text)
            case "line start":
                return place == 0 or text[place - 1] == "\n"
            case "line end":
                return place == len(text) or text[place] == "\n"
        before = place > 0 and contains(WORD, ord(text[place - 1]))
        after = place < len(text) and contains(WORD, ord(text[place]))
        return (before != after) == (self.kind == "edge")


@dataclass(frozen=True, slots=True)
class Mark:
    """A capturing group's first side, as the program reads."""

    slot: int

    def __call__(self, run: Run, pc: int, at: int, loops: Loops, captures: Captures) -> State | None:
        low, high, _ = captures[self.slot]
        return pc + 1, at, loops, _with(captures, self.slot, (low, high, run.place(at)))


@dataclass(frozen=True, slots=True)
class Capture:
    """A capturing group's other side."""

    slot: int

    def __call__(self, run: Run, pc: int, at: int, loops: Loops, captures: Captures) -> State | None:
        sides = sorted((captures[self.slot][2], run.place(at)))
        return pc + 1, at, loops, _with(captures, self.slot, (sides[0], sides[1], -1))


@dataclass(frozen=True, slots=True)
class Recall:
    """The text of a group; the empty text if it has none."""

    slots: tuple[int, ...]
    any_case: bool

    def __call__(self, run: Run, pc: int, at: int, loops: Loops, captures: Captures) -> State | None:
        low, high = next((captures[slot][:2] for slot in self.slots if captures[slot][0] >= 0), (0, 0))
        run.search.spend((high - low) // 256)
        wanted = run.search.text[low:high]
        if run.backward:
            wanted = wanted[::-1]
        found = run.text[at : at + len(wanted)]
        same = found.lower() == wanted.lower() if self.any_case else found == wanted
        return (pc + 1, at + len(wanted), loops, captures) if same else None


@dataclass(frozen=True, slots=True)
class Looks:
    """What stands ahead or behind."""

    inner: Program
    negative: bool

    def __call__(self, run: Run, pc: int, at: int, loops: Loops, captures: Captures) -> State | None:
        place = run.place(at)
        if captures:
            search = run.search
            found = search.run(self.inner, self._from(run, place), captures, Memory())
            if self.negative:
                return (pc + 1, at, loops, captures) if found is None else None
            return None if found is None else (pc + 1, at, loops, found[1])
        return (pc + 1, at, loops, captures) if self._seen(run, place) is not self.negative else None

    def _from(self, run: Run, place: int) -> int:
        return run.search.length - place if self.inner.backward else place

    def _seen(self, run: Run, place: int) -> bool:
        search, key = run.search, id(self)
        known = search.looks.get((key, place))
        if known is None:
            memory = search.memories.setdefault(key, Memory())
            known = search.run(self.inner, self._from(run, place), (), memory) is not None
            search.looks[key, place] = known
            if known:  # states on the way to a match were tried too: what is remembered holds for failures alone
                del search.memories[key]
        return known


@dataclass(frozen=True, slots=True)
class Takes:
    """The first match of an atomic group, and no other."""

    inner: Program

    def __call__(self, run: Run, pc: int, at: int, loops: Loops, captures: Captures) -> State | None:
        found = run.search.run(self.inner, at, captures, Memory())
        return None if found is None else (pc + 1, found[0], loops, found[1])


def _with(captures: Captures, slot: int, value: tuple[int, int, int]) -> Captures:
    return (*captures[:slot], value, *captures[slot + 1 :])
