"""Tests of objects and arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolglot.calls.kinds import flat
from toolglot.calls.leaves import MATCH_COST, Match
from toolglot.calls.rules import Rule, Test, Work, always, every, never, spend
from toolglot.json_values import Json


def object_test(
    required: Sequence[str], properties: Mapping[str, Rule], patterns: Sequence[tuple[Match, Rule]], others: Rule
) -> Test:
    """The test of `required`, `properties`, `patternProperties` and `additionalProperties` together."""
    if patterns:
        return every([_required(required), _values_by_pattern(properties, patterns, others)])
    if others.check is always and all(rule.check is always for rule in properties.values()):
        return _required(required)
    table = {name: (rule.settled, rule.check) for name, rule in properties.items()}
    extra = (others.settled, others.check)
    cost = 0 if others.check in (always, never) else others.cost
    values = _values(tuple(required), table, extra)
    return values if not cost else _counted(values, cost)


def _required(names: Sequence[str]) -> Test:
    if not names:
        return always

    def check(value: Json, work: Work) -> bool:
        del work
        for name in names:  # noqa: SIM110 - a generator would cost as much as the loop
            if name not in value:
                return False
        return True

    return check


def _values(
    required: Sequence[str], table: Mapping[str, tuple[frozenset[type], Test]], extra: tuple[frozenset[type], Test]
) -> Test:
    find = table.get

    def check(value: Json, work: Work) -> bool:
        for name in required:
            if name not in value:
                return False
        for name, item in value.items():
            settled, test = find(name, extra)
            if type(item) not in settled and not test(item, work):
                return False
        return True

    return check


def _counted(test: Test, cost: int) -> Test:
    def check(value: Json, work: Work) -> bool:
        spend(work, len(value) * cost)
        return test(value, work)

    return check


def _values_by_pattern(properties: Mapping[str, Rule], patterns: Sequence[tuple[Match, Rule]], others: Rule) -> Test:
    cost = MATCH_COST * len(patterns) + sum(rule.cost for _, rule in patterns) + others.cost

    def check(value: Json, work: Work) -> bool:
        spend(work, len(value) * cost)
        for name, item in value.items():
            declared = properties.get(name)
            if declared is not None and not declared.check(item, work):
                return False
            is_other = declared is None
            if isinstance(name, str):
                for match, rule in patterns:
                    work[0] -= len(name) >> 3
                    if match(name):
                        is_other = False
                        if not rule.check(item, work):
                            return False
            if is_other and not others.check(item, work):
                return False
        return True

    return check


def names_test(rule: Rule) -> Test:
    """The test of `propertyNames`."""
    if rule.check is always:
        return always

    def check(value: Json, work: Work) -> bool:
        spend(work, len(value) * rule.cost)
        return all(rule.check(name, work) for name in value)

    return check


def dependents_test(dependents: Mapping[str, Sequence[str]]) -> Test:
    """The test of `dependentRequired`."""
    wanted = [(name, tuple(names)) for name, names in dependents.items() if names]
    if not wanted:
        return always
    return lambda value, _: all(name not in value or all(key in value for key in names) for name, names in wanted)


def when_present(name: str, test: Test) -> Test:
    """The test of one entry of `dependentSchemas`."""
    return test if test is always else lambda value, work: name not in value or test(value, work)


def items_test(prefix: Sequence[Rule], rest: Rule) -> Test:
    """The test of `prefixItems` and `items`."""
    return every([_prefix(prefix), _rest(len(prefix), rest)])


def _prefix(rules: Sequence[Rule]) -> Test:
    if all(rule.check is always for rule in rules):
        return always
    return lambda value, work: all(rule.check(item, work) for rule, item in zip(rules, value, strict=False))


def _rest(start: int, rule: Rule) -> Test:
    settled, test, cost = rule.settled, rule.check, rule.cost
    if test is always:
        return always
    if test is never:
        return lambda value, _: len(value) <= start

    def check(value: Json, work: Work) -> bool:
        spend(work, len(value) * cost)
        for item in value[start:] if start else value:
            if type(item) not in settled and not test(item, work):
                return False
        return True

    return check


def contains_test(rule: Rule, least: float, most: float | None) -> Test:
    """The test of `contains`, `minContains` and `maxContains`."""
    if most is None and not least:
        return always

    def check(value: Json, work: Work) -> bool:
        spend(work, len(value) * rule.cost)
        found = 0
        for item in value:
            found += rule.check(item, work)
            if found >= least and most is None:
                return True
        return found >= least and (most is None or found <= most)

    return check


def unique(value: Json, work: Work) -> bool:
    """The test of `uniqueItems`: linear, by keys that are equal exactly for equal values."""
    kinds = {type(item) for item in value}
    if kinds <= {str}:
        return len(set(value)) == len(value)
    spend(work, len(flat(value)))
    seen = {flat(item) for item in value}
    return len(seen) == len(value)
