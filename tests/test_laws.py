"""The laws that hold for every target: over the MCP lists in the quick run, over the corpus in the heavy one."""

import json
import threading
from itertools import islice

import pytest
from tests.shared_data import corpus, mcp_tools

from toolglot.calls.checker import checker, checker_of
from toolglot.tables.ruleset import load_rules
from toolglot.toolbox import Toolbox
from toolglot.wire.convert import convert

RULES = load_rules(entry_points=False)
TARGETS = sorted(RULES.targets)
PARTS = 4
SPELLING = {"rewrite", "lengths-as-pattern"}
OWN_PATTERNS = {target for target in TARGETS if SPELLING & {rule.verb for rule in RULES.target(target).rules}}
DIALECTS = {target: row.dialect for target, row in RULES.targets.items()}


@pytest.mark.parametrize("target", TARGETS)
def test_every_tool_of_the_mcp_lists_gets_an_answer_that_is_the_same_again(target):
    for tool in mcp_tools():
        before = json.dumps(tool["inputSchema"])
        first = convert(tool["inputSchema"], target)
        assert json.dumps(tool["inputSchema"]) == before
        assert convert(json.loads(before), target, rules=RULES).wire_json == first.wire_json  # made anew


def wire_check(wire, target):
    """The check of a wire. Patterns in an engine's own reading are left out: tests that ask the engine judge them."""
    if target in OWN_PATTERNS:
        wire = json.loads(json.dumps(wire), object_hook=without_pattern)
    return checker(wire, dialect=DIALECTS[target], formats=False)


def without_pattern(node):
    return {key: value for key, value in node.items() if key != "pattern" or not isinstance(value, str)}


@pytest.mark.heavy
@pytest.mark.parametrize("target", TARGETS)
def test_schemas_of_the_corpus_get_an_answer_and_their_legal_values_come_back(target):
    part = TARGETS.index(target) % PARTS  # each target a part of the corpus, so that all of it is used in little time
    for row in islice(corpus(), part, None, PARTS):
        before = json.dumps(row["schema"])
        conversion = convert(row["schema"], target)
        assert json.dumps(row["schema"]) == before
        assert convert(json.loads(before), target, rules=RULES).wire_json == conversion.wire_json  # made anew
        check = checker_of(conversion.normal, formats=False)
        wire = wire_check(conversion.wire, target)
        for number, test in enumerate(row["tests"]):
            if check.accepts(test["data"]):
                admitted = [form for form in conversion.spellings(test["data"]) if wire.accepts(form)]
                assert admitted or "narrowed" in conversion.outcomes, f"{row['name']}#{number}"
                back = [conversion.restore(form, check.accepts) for form in admitted]
                assert not back or (test["data"], ()) in back, f"{row['name']}#{number}"
                assert all(problems or value == test["data"] for value, problems in back), f"{row['name']}#{number}"


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_handed_out_is_nobody_elses(target):
    tools = mcp_tools()[:40]
    box = Toolbox(tools, target)
    before = json.dumps(box.wire)
    for entry in box.wire:
        _spoil(entry)
    assert json.dumps(box.wire) == before
    assert json.dumps(Toolbox(tools, target).wire) == before


def _spoil(value):
    if isinstance(value, dict):
        for inner in value.values():
            _spoil(inner)
        value.clear()
    elif isinstance(value, list):
        value.clear()


@pytest.mark.parametrize("target", TARGETS)
def test_a_wire_does_not_depend_on_order_history_or_neighbours(target):
    tools = mcp_tools()[:60]
    backwards = [convert(tool["inputSchema"], target).wire_json for tool in reversed(tools)]
    assert [convert(tool["inputSchema"], target).wire_json for tool in tools] == backwards[::-1]


@pytest.mark.parametrize("target", TARGETS)
def test_the_same_id_on_two_tools_changes_neither(target):
    one = {"$id": "urn:x:args", "type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    two = {"$id": "urn:x:args", "type": "object", "properties": {"n": {"type": "string"}}, "required": ["n"]}
    box = Toolbox([{"name": "one", "inputSchema": one}, {"name": "two", "inputSchema": two}], target)
    assert box.read("one", {"n": 1}).arguments == {"n": 1}
    assert box.read("two", {"n": "x"}).arguments == {"n": "x"}
    assert box.read("one", {"n": "x"}).problems
    assert box.read("two", {"n": 1}).problems
    assert convert(one, target).wire_json == convert(dict(one), target).wire_json != convert(two, target).wire_json


@pytest.mark.parametrize("target", TARGETS)
def test_one_bad_tool_never_sinks_the_others(target):
    bad = {"name": "bad", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/nowhere"}}}}
    good = {"name": "good", "inputSchema": {"type": "object", "properties": {"a": {"type": "integer"}}}}
    box = Toolbox([bad, good], target)
    assert [tool.name for tool in box.tools] == ["good"]
    assert box.broken["bad"].path == ("properties", "a")
    assert box.read("good", {"a": 1}).arguments == {"a": 1}


def test_threads_give_the_same_wires():
    tools = mcp_tools()[:80]
    wanted = [convert(tool["inputSchema"], TARGETS[0]).wire_json for tool in tools]
    found = []

    def work():
        found.append([convert(tool["inputSchema"], TARGETS[0]).wire_json for tool in tools])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 4
