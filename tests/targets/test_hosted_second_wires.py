"""Wires for the second half of the hosted targets: free of what a provider would refuse, no larger than the source."""

import json

import pytest
from tests.shared_data import corpus_part, mcp_tools, shared
from tests.targets.hazards_second import CHECKS, hazards

from toolglot.calls.checker import checker, checker_of
from toolglot.tables.ruleset import load_rules
from toolglot.toolbox import Toolbox
from toolglot.wire.convert import convert

TARGETS = sorted(CHECKS)
DIALECTS = {target: row.dialect for target, row in load_rules(entry_points=False).targets.items()}

PARTS = 16  # of the corpus; each target has one of them


@pytest.mark.parametrize("target", TARGETS)
def test_no_tool_of_the_mcp_lists_has_a_hazard_left(target):
    found = {tool["name"]: hazards(target, convert(tool["inputSchema"], target).wire) for tool in mcp_tools()}
    assert {name: faults for name, faults in found.items() if faults} == {}


@pytest.mark.heavy
@pytest.mark.parametrize("target", TARGETS)
def test_no_schema_of_the_corpus_has_a_hazard_left(target):
    rows = corpus_part(TARGETS.index(target), PARTS)
    found = {row["name"]: hazards(target, convert(row["schema"], target).wire) for row in rows}
    assert {name: faults for name, faults in found.items() if faults} == {}


@pytest.mark.parametrize("target", TARGETS)
def test_a_wire_is_no_larger_than_its_source(target, capsys):
    found = []
    for tool in mcp_tools():
        source = json.dumps(tool["inputSchema"], separators=(",", ":"), ensure_ascii=False)
        found.append(len(convert(tool["inputSchema"], target).wire_json) / len(source))
    found.sort()
    median, last = found[len(found) // 2], found[int(len(found) * 0.99)]
    with capsys.disabled():
        print(f"\n{target}: median {median:.2f}, p99 {last:.2f}")  # noqa: T201 - the numbers are what the test is for
    assert median <= 1.0
    assert last <= 1.5


# The public reports of these providers: what is legal is sayable and comes back, what is not is refused.


PROVIDERS = {
    "gemini": ("gemini/parameters", "gemini/json-schema", "vertex"),
    "moonshot": ("moonshot",),
    "oci": ("cohere", "universal", "openapi-3.0"),
}


def reports():
    cases = json.loads(shared("cases", "reports-open.json").read_text(encoding="utf-8"))
    for case in cases:
        for provider, targets in PROVIDERS.items():
            if str(case["provider"]).startswith(provider) and "schema" in case:
                yield from ((case, target) for target in targets)


def test_what_a_report_calls_legal_can_be_said_and_comes_back_and_the_rest_is_refused():
    for case, target in reports():
        conversion = convert(case["schema"], target)
        check = checker_of(conversion.normal)
        wire = checker(conversion.wire, dialect=DIALECTS[target])
        assert hazards(target, conversion.wire) == [], case["id"]
        for probe in case["probes"]:
            assert check.accepts(probe["value"]) == probe["valid"], case["id"]
            if probe["valid"]:
                admitted = [form for form in conversion.spellings(probe["value"]) if wire.accepts(form)]
                assert (probe["value"], ()) in [conversion.restore(form, check.accepts) for form in admitted], case[
                    "id"
                ]


def test_what_a_report_keeps_off_its_providers_wire_is_not_there():
    for case, target in reports():
        wire = convert(case["schema"], target).wire
        if case["provider"].startswith("gemini") and target == "gemini/json-schema":
            continue  # a report of `parameters` says nothing of the other surface
        assert not set(case.get("wire_must_not_contain") or ()) & set(keywords(wire)), case["id"]


def keywords(wire):
    waiting = [wire]
    while waiting:
        node = waiting.pop()
        yield from node
        for key, value in node.items():
            below = value.values() if key in {"properties", "$defs"} else value if isinstance(value, list) else [value]
            waiting += [item for item in below if isinstance(item, dict)]


# Single behaviours ------------------------------------------------------------------------------------------------


def tool(schema, name="t"):
    return {"name": name, "inputSchema": schema}


@pytest.mark.parametrize("target", ["gemini/parameters", "vertex"])
def test_a_tool_that_takes_nothing_has_no_parameters_field_at_all(target):
    box = Toolbox([tool({"type": "object", "properties": {}, "additionalProperties": False})], target)
    (group,) = box.wire
    assert group["functionDeclarations"] == [{"name": "t"}]
    assert box.read("t", {}).arguments == {}
    assert box.read("t", {"a": 1}).problems


def test_a_list_of_listed_texts_or_null_is_restored_whichever_way_null_is_said():
    schema = {
        "type": "object",
        "properties": {"a": {"anyOf": [{"type": "string", "enum": ["x", "y"]}, {"type": "null"}]}},
        "required": ["a"],
    }
    for target in ("gemini/parameters", "openapi-3.0", "universal"):
        box = Toolbox([tool(schema)], target)
        assert box.read("t", {"a": None}).arguments == {"a": None}
        assert box.read("t", {"a": "x"}).arguments == {"a": "x"}
        assert box.read("t", {"a": "z"}).problems
    assert Toolbox([tool(schema)], "gemini/parameters").read("t", {"a": "null"}).arguments == {"a": None}


def test_a_tool_with_optional_parameters_only_is_called_with_nulls_and_restored():
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": ["integer", "null"]}}}
    box = Toolbox([tool(schema)], "cohere")
    assert box.read("t", {"a": None, "b": False}).arguments == {}
    assert box.read("t", {"a": "x", "b": None}).arguments == {"a": "x", "b": None}


def test_a_recursive_schema_is_said_to_a_depth_and_read_at_every_depth():
    schema = {
        "type": "object",
        "properties": {"tree": {"$ref": "#/$defs/Node"}},
        "$defs": {
            "Node": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "below": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
                },
                "required": ["name"],
                "additionalProperties": False,
            }
        },
    }
    deep = {"tree": {"name": "a", "below": [{"name": "b", "below": [{"name": "c", "below": [{"name": "d"}]}]}]}}
    bad = json.loads(json.dumps(deep).replace('"d"', "4"))
    for target in ("gemini/parameters", "gemini/json-schema", "ollama/tools", "openapi-3.0", "universal", "qwen"):
        conversion = convert(schema, target)
        check = checker_of(conversion.normal)
        wire = checker(conversion.wire, dialect=DIALECTS[target])
        (form,) = [form for form in conversion.spellings(deep) if wire.accepts(form)]
        assert conversion.restore(form, check.accepts) == (deep, ())
        assert Toolbox([tool(schema)], target).read("t", bad).problems


def test_a_union_that_is_left_with_one_union_has_no_branch_that_nothing_fits():
    inner = {"anyOf": [{"type": "string"}, {"type": "integer"}, False]}
    wire = convert({"type": "object", "properties": {"a": {"anyOf": [inner, False]}}}, "ollama/tools").wire
    assert wire["properties"]["a"] == {"anyOf": [{"type": "string"}, {"type": "integer"}]}
