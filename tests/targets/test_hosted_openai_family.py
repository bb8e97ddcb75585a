"""Stories of hosted targets that a row's examples can't tell: a whole tool there and a call back."""

import pytest

from toolglot.toolbox import Toolbox
from toolglot.wire.convert import convert

STRICT = [
    "openai/strict",
    "openai-responses/strict",
    "openai/response-format",
    "azure/strict",
    "deepseek/strict",
    "cerebras",
]


def tool(schema, name="t"):
    return {"name": name, "description": "d", "inputSchema": schema}


@pytest.mark.parametrize("target", STRICT)
def test_null_for_what_may_be_left_out_comes_back_as_left_out(target):
    schema = {
        "type": "object",
        "properties": {"zone": {"type": "string"}, "unit": {"type": "string", "enum": ["c", "f"]}},
        "required": ["zone"],
        "additionalProperties": False,
    }
    box = Toolbox([tool(schema)], target)
    assert box.read("t", {"zone": "north", "unit": None}).arguments == {"zone": "north"}
    assert box.read("t", {"zone": "north", "unit": "c"}).arguments == {"zone": "north", "unit": "c"}
    assert box.read("t", {"zone": None, "unit": None}).problems


@pytest.mark.parametrize("target", STRICT)
def test_null_that_the_tool_admits_itself_is_told_from_what_is_left_out(target):
    schema = {"type": "object", "properties": {"a": {"type": ["string", "null"]}}, "additionalProperties": False}
    made = convert(schema, target)
    for value in ({}, {"a": None}, {"a": "x"}):
        forms = made.spellings(value)
        assert forms
        assert all(made.restore(form) == (value, ()) for form in forms)


@pytest.mark.parametrize("target", [*STRICT, "anthropic/strict", "bedrock/strict"])
@pytest.mark.parametrize("overrides", [{"type": "object"}, {"type": "object", "additionalProperties": True}])
def test_keys_that_nobody_declared_arrive_however_they_are_allowed(target, overrides):
    schema = {
        "type": "object",
        "properties": {"page": {"type": "string"}, "overrides": overrides},
        "required": ["page", "overrides"],
        "additionalProperties": False,
    }
    made = convert(schema, target)
    value = {"page": "home", "overrides": {"dark": True, "cols": [1, 2]}}
    (form,) = made.spellings(value)
    assert form != value
    assert made.restore(form) == (value, ())
    assert "encoded" in made.outcomes


@pytest.mark.parametrize("target", ["anthropic/plain", "anthropic/strict", "openai/plain", "openai/strict"])
def test_parts_of_an_object_are_one_object_and_all_their_keys_are_required(target):
    schema = {
        "type": "object",
        "allOf": [
            {"properties": {"host": {"type": "string"}, "port": {"type": "integer"}}},
            {"required": ["host", "port"]},
        ],
    }
    wire = convert(schema, target).wire
    assert {"host", "port"} <= set(wire["required"])
    assert "allOf" not in wire
    assert Toolbox([tool(schema)], target).read("t", {"host": "h"}).problems


def test_thirty_nullable_fields_pass_no_limit_unnoticed_and_none_becomes_required():
    names = [f"f{number:02}" for number in range(30)]
    schema = {
        "type": "object",
        "properties": {name: {"type": ["string", "null"]} for name in names},
        "additionalProperties": False,
    }
    assert "required" not in convert(schema, "anthropic/strict").wire
    box = Toolbox([tool(schema)], "anthropic/strict")
    (sent,) = box.wire
    assert "strict" not in sent
    assert "required" not in sent["input_schema"]
    assert box.report.tools[0].edits[0].rule == "limits.request-optional"


def test_a_tool_past_the_limit_of_tools_is_told_by_name():
    tools = [tool({"type": "object", "properties": {}, "additionalProperties": False}, f"t{n}") for n in range(129)]
    box = Toolbox(tools, "openai/plain")
    assert len(box.wire) == 128
    assert list(box.broken) == ["t128"]


@pytest.mark.parametrize(
    ("target", "flag"),
    [("openai/plain", False), ("openai/strict", True), ("openai-responses/plain", False),
     ("openai-responses/strict", True), ("azure/plain", False), ("azure/strict", True), ("anthropic/strict", True),
     ("bedrock/strict", True), ("deepseek/strict", True), ("cerebras", True)],
)  # fmt: skip
def test_the_flag_strict_is_said_outright(target, flag):
    (entry,) = Toolbox([tool({"type": "object", "properties": {}, "additionalProperties": False})], target).wire
    assert (entry.get("function") or entry.get("toolSpec") or entry)["strict"] is flag


def test_a_schema_for_an_answer_has_the_form_of_a_response_format():
    (entry,) = Toolbox([tool({"type": "array", "items": {"type": "string"}}, "names")], "openai/response-format").wire
    assert entry["type"] == "json_schema"
    assert entry["json_schema"]["name"] == "names"
    assert entry["json_schema"]["strict"] is True
    assert entry["json_schema"]["schema"]["properties"]["value"] == {"type": "array", "items": {"type": "string"}}
