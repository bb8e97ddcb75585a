"""The laws that hold for every target: over the MCP lists in the quick run, over the corpus in the heavy one."""

import hashlib
import json
import threading
from random import Random

import pytest
from tests.corpus_laws import RULES, TARGETS, Tally, judge, written
from tests.shared_data import corpus_part, mcp_tools
from tests.wire.schemas import fitting, schema_of

from toolglot.errors import SchemaError
from toolglot.schemas.normal import normal_form
from toolglot.toolbox import Toolbox
from toolglot.wire.convert import convert

PARTS = 4  # of the corpus; each target has one of them


@pytest.mark.parametrize("target", TARGETS)
def test_every_tool_of_the_mcp_lists_gets_an_answer_that_is_the_same_again(target):
    for tool in mcp_tools():
        before = json.dumps(tool["inputSchema"])
        first = convert(tool["inputSchema"], target)
        assert json.dumps(tool["inputSchema"]) == before
        assert convert(json.loads(before), target, rules=RULES).wire_json == first.wire_json  # made anew


@pytest.mark.heavy
@pytest.mark.parametrize("target", TARGETS)
def test_schemas_of_the_corpus_get_an_answer_and_their_legal_values_come_back(target):
    tally, again = Tally(), hashlib.sha256()
    for row in corpus_part(TARGETS.index(target), PARTS):
        before = json.dumps(row["schema"])
        judge(row, [target], {target: tally})
        assert json.dumps(row["schema"]) == before
        again.update(written(convert(json.loads(before), target, rules=RULES)))
    assert tally.faults == []
    assert len(tally.narrowed) < tally.legal / 200
    assert tally.digest.digest() == again.digest()


@pytest.mark.parametrize("seeds", [pytest.param(10, id="some"), pytest.param(150, id="many", marks=pytest.mark.heavy)])
@pytest.mark.parametrize("target", TARGETS)
def test_generated_schemas_leave_no_hazard_and_their_legal_values_come_back(target, seeds):
    tally, first = Tally(), TARGETS.index(target) * seeds  # each target has seeds of its own
    for seed in range(first, first + seeds):
        schema, random = schema_of(seed), Random(seed)
        try:
            normal_form(schema)
        except SchemaError:
            continue
        tests = [{"data": fitting(random, schema, schema["$defs"]), "valid": True} for _ in range(4)]
        judge({"name": str(seed), "schema": schema, "tests": tests}, [target], {target: tally})
    assert tally.faults == []


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
