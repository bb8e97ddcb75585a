"""Which keys or items a schema has looked at: what `unevaluatedProperties` and `unevaluatedItems` ask.

An `Assess` answers for one value: `None` when the schema refuses it, else the keys of the object (or the indices of
the array) that it evaluated. Each subschema is asked once, so that nested unevaluated* stay linear.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from toolglot.calls.leaves import MATCH_COST, Match
from toolglot.calls.rules import Rule, Test, Work, spend
from toolglot.json_values import Json

Marks = set[Json]
Assess = Callable[[Json, Work], Marks | None]


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of one schema object, as `assess` needs them.

    Attributes:
        own: the test of all keywords that are neither applied in place nor unevaluated*.
        evaluated: the keys or indices that the schema's own keywords evaluate.
        each: `$ref` and `allOf`: all must pass.
        any: the branches of `anyOf`.
        one: the branches of `oneOf`.
        negated: the rule of `not`, which evaluates nothing.
        branch: `if`, `then`, `else`.
        dependents: by key, the schemas of `dependentSchemas`.
        other_keys: the rule of `unevaluatedProperties`.
        other_items: the rule of `unevaluatedItems`.
    """

    own: Test
    evaluated: Callable[[Json, Work], Marks]
    each: Sequence[Assess] = ()
    any: Sequence[Assess] = ()
    one: Sequence[Assess] = ()
    negated: Rule | None = None
    branch: tuple[Assess, Assess, Assess] | None = None
    dependents: Mapping[str, Assess] | None = None
    other_keys: Rule | None = None
    other_items: Rule | None = None


def assess_of(parts: Parts) -> Assess:
    """The function that answers for a whole schema object."""
    steps = [step for asked, step in _steps(parts) if asked]

    def assess(value: Json, work: Work) -> Marks | None:
        if not parts.own(value, work):
            return None
        marks = parts.evaluated(value, work)
        for step in steps:
            more = step(parts, value, work, marks)
            if more is None:
                return None
            marks |= more
        return marks

    return assess


_Step = Callable[[Parts, Json, Work, Marks], Marks | None]


def _steps(parts: Parts) -> list[tuple[bool, _Step]]:
    return [
        (bool(parts.each), _each),
        (bool(parts.any), _any),
        (bool(parts.one), _one),
        (parts.negated is not None, _negated),
        (parts.branch is not None, _branch),
        (bool(parts.dependents), _dependents),
        (parts.other_keys is not None, _other_keys),
        (parts.other_items is not None, _other_items),
    ]


def _each(parts: Parts, value: Json, work: Work, _: Marks) -> Marks | None:
    marks: Marks = set()
    for assess in parts.each:
        more = assess(value, work)
        if more is None:
            return None
        marks |= more
    return marks


def _any(parts: Parts, value: Json, work: Work, _: Marks) -> Marks | None:
    found = [more for assess in parts.any if (more := assess(value, work)) is not None]
    return set[Json]().union(*found) if found else None


def _one(parts: Parts, value: Json, work: Work, _: Marks) -> Marks | None:
    found = [more for assess in parts.one if (more := assess(value, work)) is not None]
    return found[0] if len(found) == 1 else None


def _negated(parts: Parts, value: Json, work: Work, _: Marks) -> Marks | None:
    return None if parts.negated is not None and parts.negated.check(value, work) else set()


def _branch(parts: Parts, value: Json, work: Work, _: Marks) -> Marks | None:
    if parts.branch is None:
        return set()
    condition, then, other = parts.branch
    marks = condition(value, work)
    if marks is None:
        return other(value, work)
    more = then(value, work)
    return None if more is None else marks | more


def _dependents(parts: Parts, value: Json, work: Work, _: Marks) -> Marks | None:
    marks: Marks = set()
    for name, assess in (parts.dependents or {}).items():
        if isinstance(value, dict) and name in value:
            more = assess(value, work)
            if more is None:
                return None
            marks |= more
    return marks


def _other_keys(parts: Parts, value: Json, work: Work, marks: Marks) -> Marks | None:
    if parts.other_keys is None or not isinstance(value, dict):
        return set()
    spend(work, len(value) * parts.other_keys.cost)
    for name, item in value.items():
        if name not in marks and not parts.other_keys.check(item, work):
            return None
    return set(value)


def _other_items(parts: Parts, value: Json, work: Work, marks: Marks) -> Marks | None:
    if parts.other_items is None or not isinstance(value, (list, tuple)):
        return set()
    spend(work, len(value) * parts.other_items.cost)
    for index, item in enumerate(value):
        if index not in marks and not parts.other_items.check(item, work):
            return None
    return set(range(len(value)))


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What a schema's own keywords evaluate.

    Attributes:
        names: of `properties`.
        patterns: of `patternProperties`.
        takes_others: whether there is `additionalProperties`.
        prefix: the length of `prefixItems`.
        takes_rest: whether there is `items`.
        counted: the rule of `contains`, where it evaluates the items that it matches.
    """

    names: frozenset[str]
    patterns: Sequence[Match]
    takes_others: bool
    prefix: int
    takes_rest: bool
    counted: Rule | None

    def __call__(self, value: Json, work: Work) -> Marks:
        """The keys or indices of a value that the schema admits."""
        if isinstance(value, dict):
            spend(work, len(value) * (1 + MATCH_COST * len(self.patterns)))
            return self._keys(value)
        if isinstance(value, (list, tuple)):
            spend(work, len(value) * (self.counted.cost if self.counted else 1))
            return self._indices(value, work)
        return set()

    def _keys(self, value: Json) -> Marks:
        if self.takes_others:
            return set(value)
        found = {name for name in value if name in self.names}
        if self.patterns:
            texts = [name for name in value if isinstance(name, str)]
            found |= {name for name in texts if any(match(name) for match in self.patterns)}
        return found

    def _indices(self, value: Json, work: Work) -> Marks:
        if self.takes_rest:
            return set(range(len(value)))
        found = set(range(min(self.prefix, len(value))))
        if self.counted is not None:
            found |= {index for index, item in enumerate(value) if self.counted.check(item, work)}
        return found
