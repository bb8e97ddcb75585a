"""Each row of a grammar engine that says `proof = "engine"`, shown by it: the source fails, the wire does not."""

import pytest
from tests.oracle.engines import MODULES, Engine
from tests.wire.engine_tests import faults, faults_of_wire

from toolglot.tables.ruleset import load_rules

# The engines are installed after the quick tests have run, see `.ci/run`.
pytestmark = pytest.mark.heavy

RULES = load_rules(entry_points=False)
PROVEN = [
    pytest.param(name, rule, id=rule.id)
    for name in MODULES
    if name in RULES.targets
    for rule in RULES.target(name).rules
    if rule.proof == "engine" and rule.id.startswith(name)  # what it shares with another is shown there
]


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


@pytest.mark.parametrize(("name", "rule"), PROVEN)
def test_the_engine_fails_on_the_source_of_an_example(engines, name, rule):
    assert any(faults(engines(name), example) for example in rule.examples if example.fires)


@pytest.mark.parametrize(("name", "rule"), PROVEN)
def test_the_engine_takes_the_wire_of_every_example(engines, name, rule):
    assert [fault for example in rule.examples for fault in faults_of_wire(engines(name), example, name)] == []
