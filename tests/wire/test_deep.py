"""Schemas and calls that are nested very deep: all targets answer, and nothing overflows a stack."""

import pytest
from tests.wire.verb_targets import TARGETS, rules

from toolglot.json_values import Snapshot
from toolglot.schemas.normal import normal_form
from toolglot.tables.ruleset import load_rules
from toolglot.wire.convert import convert_normal

LEVELS = 1_000
SHIPPED = load_rules(entry_points=False)


def objects(levels):
    schema = {"type": "integer"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}, "additionalProperties": False}
    return schema


def lists(levels):
    schema = {"enum": [1, "x"]}
    for _ in range(levels):
        schema = {"type": "array", "prefixItems": [schema]}
    return schema


def unions(levels):
    schema = {"type": "integer"}
    for _ in range(levels):
        schema = {"anyOf": [{"type": "string"}, schema], "description": "d"}
    return schema


QUICK = ["llama.cpp", "openai/strict", "gemini/parameters", "xgrammar", "strict"]
OTHERS = [pytest.param(name, marks=pytest.mark.heavy) for name in [*SHIPPED.targets, "nullable"] if name not in QUICK]


@pytest.mark.parametrize("make", [objects, lists, unions])
@pytest.mark.parametrize("target", [*QUICK, *OTHERS])
def test_a_schema_of_a_thousand_levels_is_converted(target, make):
    row = rules(target) if target in TARGETS else SHIPPED.target(target)
    normal = normal_form(make(LEVELS), dialect="2020-12")
    conversion = convert_normal(normal, row)
    wire = conversion.wire
    assert isinstance(wire, dict)
    assert conversion.wire_json.count("{") == conversion.wire_json.count("}")


def test_the_text_of_a_deep_wire_is_the_wire():
    conversion = convert_normal(normal_form(objects(LEVELS), dialect="2020-12"), rules("strict"))
    node, levels = conversion.wire, 0
    while "properties" in node and "a" in node["properties"]:
        node, levels = node["properties"]["a"], levels + 1
        node = node["anyOf"][0] if "anyOf" in node else node
    assert levels == LEVELS
    assert Snapshot(conversion.wire).fresh() is not conversion.wire


def test_a_call_deeper_than_can_be_restored_is_a_problem_and_no_exception():
    tree = {"type": "object", "properties": {"a": {"$ref": "#"}}, "additionalProperties": False}
    conversion = convert_normal(normal_form(tree, dialect="2020-12"), SHIPPED.target("openai/strict"))
    for levels in (50, 150, 900, 5_000):
        call = {"a": None}
        for _ in range(levels):
            call = {"a": call}
        _, problems = conversion.restore(call)
        assert bool(problems) == (levels > 1_000)
        assert isinstance(conversion.spellings(call), list)


TEXT = {"type": "string"}
# Each says what is below it for more than one type, name or branch.
REPEATING = {
    "not": lambda below: {"type": ["integer", "string"], "not": below},
    "if": lambda below: {"type": ["integer", "string"], "if": below, "then": {"minimum": 1}},
    "union": lambda below: {"type": ["integer", "string", "null"], "anyOf": [below, TEXT]},
    "beside a union": lambda below: {"anyOf": [{"required": ["a"]}, {"required": ["b"]}], "properties": {"a": below}},
    "required": lambda below: {"type": "object", "required": ["a", "b"], "additionalProperties": below},
    "required by pattern": lambda below: {"type": "object", "required": ["a", "b"], "patternProperties": {"": below}},
    "declared by pattern": lambda below: {"properties": {"a": TEXT, "ab": TEXT}, "patternProperties": {"^a": below}},
    "positions": lambda below: {"type": "array", "prefixItems": [TEXT, TEXT], "items": below},
}


def repeating(make, levels):
    schema = {"type": "integer"}
    for _ in range(levels):
        schema = make(schema)
    return {"type": "object", "properties": {"v": schema}}


@pytest.mark.parametrize("target", [*QUICK, *OTHERS])
def test_what_is_said_again_does_not_multiply_from_level_to_level(target):
    row = rules(target) if target in TARGETS else SHIPPED.target(target)
    for name, make in REPEATING.items():
        few, many = (len(convert_normal(normal_form(repeating(make, size)), row).wire_json) for size in (5, 10))
        assert many < 4 * few, name  # twice the levels; what doubles at each would be 32 times as long
