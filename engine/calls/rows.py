"""The rows that the call side reads, by verb, made ready once per ruleset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from toolglot.json_values import Json
from toolglot.tables.derived import made_once
from toolglot.tables.rows import Rule
from toolglot.tables.ruleset import Ruleset

Facts = Mapping[str, Json]
_VERBS = {
    "root": ("withhold",),
    "value": ("take", "take-digits", "bound", "parse", "wrap", "omit", "advise"),
    "call": ("suggest",),
}


@dataclass(frozen=True, slots=True)
class CallRows:
    """The call side's rows.

    Attributes:
        withhold: the ways in which a root can declare keys beside `properties` and `required`.
        take: when null counts as a value.
        take_digits: which runs of digits, as text, pass for a number.
        bound: the bounds of a number.
        readings: the near misses that a policy may accept.
        advise: what the lint finds.
        suggest: names that callers use for one and the same parameter.
    """

    withhold: tuple[Rule, ...]
    take: tuple[Rule, ...]
    take_digits: tuple[Rule, ...]
    bound: tuple[Rule, ...]
    readings: tuple[Rule, ...]
    advise: tuple[Rule, ...]
    suggest: tuple[Rule, ...]


@made_once
def call_rows(rules: Ruleset) -> CallRows:
    """The rows of a ruleset; of the shipped one for None."""
    rows = [rule for place, verbs in _VERBS.items() for rule in rules.at(place) if rule.verb in verbs]

    def of(*verbs: str) -> tuple[Rule, ...]:
        return tuple(rule for rule in rows if rule.verb in verbs)

    return CallRows(
        withhold=of("withhold"),
        take=of("take"),
        take_digits=of("take-digits"),
        bound=of("bound"),
        readings=of("parse", "wrap", "omit"),
        advise=of("advise"),
        suggest=of("suggest"),
    )


def holding(rows: Iterable[Rule], node: Mapping[str, Json], facts: Facts) -> tuple[Rule, ...]:
    """The rows whose predicate holds of a node."""
    return tuple(rule for rule in rows if rule.when.test(node, facts))
