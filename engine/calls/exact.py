"""The exact checker: every problem of a value, at any depth, by a second and independent reading of the normal form.

The compiled tests answer yes or no and recurse with Python's stack. This one is an interpreter with a stack of its
own: each schema object is judged by a generator, which yields the judgements it needs and gets their verdicts. It is
asked only where the compiled tests refuse a value or run out of stack, and it is what they are proven against.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from toolglot.calls.applicators import APPLICATORS, Apply
from toolglot.calls.assertions import ASSERTIONS, Holds
from toolglot.calls.cases import ARRAY, OBJECT, Case, Judgement, Passes, Place, Verdict
from toolglot.calls.kinds import OutOfWork, json_type
from toolglot.calls.leaves import Match
from toolglot.json_values import Json
from toolglot.schemas.forms import Normal, Schema

_HOLDING = ARRAY | OBJECT


@dataclass(slots=True)
class Exact:
    """Judges one value by a schema of the normal form.

    Attributes:
        normal: the schema.
        match_of: the function for a `pattern`.
        format_of: the function for a `format`, or None where it checks nothing.
        plans: which keywords of a schema object matter for which kind of value; kept by the owner between values.
        passes: a quick test of parts of the value: what passes it is not judged. The reading is independent without.
        left: the work that is left; a schema object judged costs 8, and more for a long list or large object.
        most: how many faults are gathered before judging stops.
    """

    normal: Normal
    match_of: Callable[[str, Schema, str], Match]
    format_of: Callable[[str], Match | None]
    plans: Plans = field(default_factory=dict)
    passes: Passes | None = None
    left: int = 8 * 20_000
    most: int = 64

    def judge(self, value: Json) -> Verdict:
        """The verdict on the value.

        Raises:
            OutOfWork: judging it takes more work than is left.
        """
        stack = [self.judgement(self.normal.root, value, None)]
        verdict = Verdict()
        fresh = True
        while stack:
            try:
                asked = next(stack[-1]) if fresh else stack[-1].send(verdict)
            except StopIteration as end:
                stack.pop()
                verdict, fresh = end.value, False
                continue
            stack.append(asked)
            fresh = True
        return verdict

    def spend(self, cost: int) -> None:
        """Takes from the work that is left.

        Raises:
            OutOfWork: nothing is left.
        """
        self.left -= cost
        if self.left < 0:
            raise OutOfWork

    def judgement(self, schema: Schema, value: Json, place: Place) -> Judgement:
        """The judgement of one value by one schema object, to be driven by `judge`."""
        found = json_type(value, by_spelling=self.normal.integer_by_spelling)
        self.spend(8 + (len(value) >> 2) if found in _HOLDING else 8)
        plan = self.plans.get((id(schema), found)) or self._plan(schema, found)
        case = Case(self, schema, value, place, found, Verdict())
        for keyword, holds, wanted in plan.assertions:
            if not holds(case, wanted):
                case.fault(keyword)
        for apply in plan.applicators:
            yield from apply(case)
            if len(case.verdict.faults) >= self.most:
                break
        return case.verdict

    def _plan(self, schema: Schema, kind: str) -> Plan:
        plan = self.plans[id(schema), kind] = Plan(
            [
                (keyword, holds, schema[keyword])
                for keyword, applies, holds in ASSERTIONS
                if keyword in schema and kind in applies
            ],
            [apply for keywords, applies, apply in APPLICATORS if kind in applies and not keywords.isdisjoint(schema)],
        )
        return plan


@dataclass(frozen=True, slots=True)
class Plan:
    """What a schema object asks of values of one kind."""

    assertions: Sequence[tuple[str, Holds, Json]]
    applicators: Sequence[Apply]


# By the identity of the schema object, which the normal form keeps alive, and the kind of value.
Plans: TypeAlias = dict[tuple[int, str], Plan]
