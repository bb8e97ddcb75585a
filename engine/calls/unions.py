"""Tests that combine other rules for the same value, worked out per type as far as the type decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toolglot.calls.kinds import SLOTS
from toolglot.calls.rules import Rule, Test, Tests, Work, always, every, never
from toolglot.json_values import Json


def all_of(rules: Sequence[Rule]) -> Tests:
    """The tests of `allOf`."""
    return _each(rules, every)


def any_of(rules: Sequence[Rule]) -> Tests:
    """The tests of `anyOf`."""
    return _each(rules, _any)


def one_of(rules: Sequence[Rule]) -> Tests:
    """The tests of `oneOf`."""
    return _each(rules, _one)


def none_of(rule: Rule) -> Tests:
    """The tests of `not`."""
    return {kind: _negated(rule.tests[kind]) for kind in SLOTS}


def conditional(condition: Rule, then: Rule, other: Rule) -> Tests:
    """The tests of `if`, `then` and `else`."""
    return {kind: _conditional(condition.tests[kind], then.tests[kind], other.tests[kind]) for kind in SLOTS}


def _each(rules: Sequence[Rule], combine: Callable[[list[Test]], Test]) -> Tests:
    return {kind: combine([rule.tests[kind] for rule in rules]) for kind in SLOTS}


def _any(tests: list[Test]) -> Test:
    real = [test for test in tests if test is not never]
    if always in real:
        return always
    if not real:
        return never
    if len(real) == 1:
        return real[0]

    def check(value: Json, work: Work) -> bool:
        for test in real:  # noqa: SIM110 - a generator would cost as much as the tests
            if test(value, work):
                return True
        return False

    return check


def _one(tests: list[Test]) -> Test:
    real = [test for test in tests if test is not never]
    if real.count(always) > 1 or not real:
        return never
    if len(real) == 1:
        return real[0]

    def check(value: Json, work: Work) -> bool:
        found = 0
        for test in real:
            if test(value, work):
                if found:
                    return False
                found = 1
        return found == 1

    return check


def _negated(test: Test) -> Test:
    if test is always:
        return never
    if test is never:
        return always
    return lambda value, work: not test(value, work)


def _conditional(condition: Test, then: Test, other: Test) -> Test:
    if condition is always or then is other:
        return then
    if condition is never:
        return other
    return lambda value, work: then(value, work) if condition(value, work) else other(value, work)
