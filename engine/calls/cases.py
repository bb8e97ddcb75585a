"""What the exact checker works on: one value before one schema object, with its verdict as it grows."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from toolglot.calls.kinds import OutOfWork, flat
from toolglot.calls.leaves import Match
from toolglot.errors import CallError, Path
from toolglot.json_values import Json
from toolglot.schemas.forms import Schema

if TYPE_CHECKING:  # it makes the cases; at run time it imports this module
    from toolglot.calls.exact import Exact

# Where in a value: the step and what is above it. A tuple of all steps would make deep values quadratic.
Place: TypeAlias = "tuple[Place, str | int] | None"


@dataclass(frozen=True, slots=True)
class Fault:
    """One broken keyword: where, which, of which schema object, and what stood there."""

    place: Place
    keyword: str
    schema: Schema
    got: Json
    # What the keyword's own value does not say: a key's name, a count, the branches' faults.
    detail: Json = None

    def path(self) -> Path:
        """The steps from the root of the value."""
        return steps(self.place)


@dataclass(slots=True)
class Verdict:
    """What judging one value by one schema gave: its faults, and what was evaluated (keys or indices)."""

    faults: list[Fault] = field(default_factory=list)
    marks: set[Json] = field(default_factory=set)

    @property
    def passes(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


Passes: TypeAlias = Callable[[Schema, Json], bool]
Judgement: TypeAlias = "Generator[Judgement, Verdict, Verdict]"
Steps: TypeAlias = "Generator[Judgement, Verdict, None]"
# The kinds of values that a keyword looks at; a value that is no JSON has none.
ANY = frozenset(("object", "array", "string", "integer", "number", "boolean", "null", ""))
NUMBER = frozenset(("integer", "number"))
STRING = frozenset(("string",))
ARRAY = frozenset(("array",))
OBJECT = frozenset(("object",))


def steps(place: Place) -> Path:
    """A place as a path."""
    found: list[str | int] = []
    while place is not None:
        place, step = place
        found.append(step)
    return tuple(reversed(found))


@dataclass(slots=True)
class Case:
    """One value before one schema object, with the verdict as it grows."""

    exact: Exact
    schema: Schema
    value: Json
    place: Place
    kind: str
    verdict: Verdict

    def fault(self, keyword: str, *, step: str | int | None = None, got: Json = None, detail: Json = None) -> None:
        """Notes that a keyword is broken, by the value itself or by the part of it at `step`."""
        if step is None:
            place, found = self.place, self.value
        else:
            place, found = (self.place, step), got
        self.verdict.faults.append(Fault(place, keyword, self.schema, found, detail))

    def ask(self, schema: Schema) -> Judgement:
        """The judgement of the same value by a subschema."""
        return self.exact.judgement(schema, self.value, self.place)

    def judge_at(self, schema: Schema, step: str | int, value: Json) -> Generator[Judgement, Verdict, bool]:
        """Takes over what is wrong with a part of the value; whether nothing is."""
        passes = self.exact.passes
        if not schema or (passes is not None and passes(schema, value)):
            return True
        verdict = yield self.exact.judgement(schema, value, (self.place, step))
        self.verdict.faults += verdict.faults
        return verdict.passes

    def take(self, verdict: Verdict) -> None:
        """Adds what a subschema that has to hold for the same value said."""
        self.verdict.faults += verdict.faults
        if verdict.passes:
            self.verdict.marks |= verdict.marks

    def key(self) -> tuple[Hashable, ...]:
        """The value's key for comparisons."""
        key = flat(self.value)
        self.exact.spend(len(key) >> 1)
        return key

    @property
    def full(self) -> bool:
        """Whether enough faults are gathered."""
        return len(self.verdict.faults) >= self.exact.most

    def match(self, pattern: str, keyword: str, text: str) -> bool:
        """Whether a text matches a pattern of this schema object.

        Raises:
            OutOfWork: finding out takes too much work.
        """
        return self.ask_text(self.exact.match_of(pattern, self.schema, keyword), keyword, text)

    def ask_text(self, match: Match, keyword: str, text: str) -> bool:
        """As `match`, for any function of a text."""
        self.exact.spend(1 + (len(text) >> 6))
        try:
            return match(text)
        except CallError as error:
            raise OutOfWork(keyword, steps(self.place)) from error
