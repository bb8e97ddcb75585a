"""Each row of a grammar engine that says `proof = "engine"`, shown by it: the source fails, the wire does not."""

import pytest
from tests.oracle.engines import MODULES, Engine
from tests.wire.engine_tests import faults, faults_of_wire

from toolglot.tables.ruleset import load_rules

RULES = load_rules(entry_points=False)
HELD = [(name, rule) for name in MODULES for rule in RULES.target(name).rules if rule.proof == "engine"]
PROVEN = [(name, rule) for name, rule in HELD if rule.id.startswith(name)]  # what it shares with another is shown there


@pytest.fixture(scope="module")
def engines():
    started = {}

    def engine(name):
        if name not in started:
            started[name] = Engine(name, seconds=8)
        return started[name]

    yield engine
    for one in started.values():
        one.close()


# An integer may be `-0.e7` there, see the row lm-format-enforcer-minus-zero-may-be-no-json.
MINUS_ZERO = {"lm-format-enforcer"}


def named(pairs):
    return [pytest.param(name, rule, id=f"{name}-{rule.id}") for name, rule in pairs]


def test_every_row_that_an_engine_proves_is_shown_by_one():
    shown = {rule.id for _, rule in PROVEN} | {rule.id for rule in RULES.target("llama.cpp").rules}
    assert [rule.id for rule in RULES.rules.values() if rule.proof == "engine" and rule.id not in shown] == []


# The engines are installed after the quick tests have run, see `.ci/run`.
@pytest.mark.heavy
@pytest.mark.parametrize(("name", "rule"), named(PROVEN))
def test_the_engine_fails_on_the_source_of_an_example(engines, name, rule):
    assert any(faults(engines(name), example) for example in rule.examples if example.fires)


@pytest.mark.heavy
@pytest.mark.parametrize(("name", "rule"), named(HELD))
def test_the_engine_takes_the_wire_of_every_example(engines, name, rule):
    faults_found = [fault for example in rule.examples for fault in faults_of_wire(engines(name), example, name)]
    assert [fault for fault in faults_found if not (name in MINUS_ZERO and fault.startswith("makes '-0."))] == []
