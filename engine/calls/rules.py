"""What a schema compiles to: one test per Python type, with what the type alone settles worked out beforehand.

A `Rule` answers most questions by a set lookup: for `{"type": ["string", "null"]}` the exact Python type decides, and
no test is called. A test gets the value and the work that is left, and calls the tests of its subschemas. Nothing of
a schema becomes program text: names, patterns and constants are values that tests hold.

Work is counted where a check can grow beyond the size of schema plus value: in loops over a value's items, at
references that are cycles or large, in patterns and in comparisons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache

from toolglot.calls.kinds import SLOTS, OutOfWork, slot
from toolglot.json_values import Json

# The work that is left, as a list of one number, so that tests can share and lower it.
Work = list[int]
Test = Callable[[Json, Work], bool]
Tests = dict[type, Test]


def always(value: Json, work: Work) -> bool:
    """The test that every value passes."""
    del value, work
    return True


def never(value: Json, work: Work) -> bool:
    """The test that no value passes."""
    del value, work
    return False


@dataclass(slots=True)
class Rule:
    """One compiled subschema.

    Attributes:
        tests: the test for values of each type of `SLOTS`.
        cost: how many tests one value can lead to, up to the next place where work is counted.
        settled: the exact Python types whose values all pass; look here before calling `check`.
        check: the whole subschema as one test, for any value.
    """

    tests: Tests
    cost: int = 1
    settled: frozenset[type] = field(init=False)
    check: Test = field(init=False)

    def __post_init__(self) -> None:
        self.settled = _same(frozenset(kind for kind, test in self.tests.items() if test is always))
        self.check = _dispatch(self.tests)


@cache
def _same(kinds: frozenset[type]) -> frozenset[type]:
    """One object for all equal sets: there are few, and each schema object holds one."""
    return kinds - {object}


def _dispatch(tests: Tests) -> Test:
    if all(test is always for test in tests.values()):
        return always
    asked = {kind: test for kind, test in tests.items() if test is not never and kind is not object}
    if not asked and tests[object] is never:
        return never
    find = asked.get
    other = tests[object]

    def check(value: Json, work: Work) -> bool:
        test = find(type(value))
        if test is None:
            kind = slot(value)
            if kind not in asked:
                return kind is object and other(value, work)
            test = asked[kind]
        return test(value, work)

    return check


def every(tests: Iterable[Test]) -> Test:
    """One test that passes when all of them do."""
    real = [test for test in tests if test is not always]
    if never in real:
        return never
    if not real:
        return always
    if len(real) == 1:
        return real[0]
    if len(real) == 2:
        return _both(*real)

    def check(value: Json, work: Work) -> bool:
        for test in real:  # noqa: SIM110 - a generator would cost as much as the tests
            if not test(value, work):
                return False
        return True

    return check


def _both(first: Test, second: Test) -> Test:
    return lambda value, work: first(value, work) and second(value, work)


def spend(work: Work, cost: int) -> None:
    """Takes from the work that is left.

    Raises:
        OutOfWork: nothing is left.
    """
    work[0] -= cost
    if work[0] < 0:
        raise OutOfWork


def narrow(tests: Tests, more: Tests) -> None:
    """Makes values pass the tests of `more` too."""
    for kind, test in more.items():
        if test is not always:
            tests[kind] = every((tests[kind], test))


def of_each(test: Test) -> Tests:
    """The same test for values of every type."""
    return dict.fromkeys(SLOTS, test)
