"""Rows at the root: where the root is as their `when` says, they act on the whole wire, and else not at all."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.wire.verb_targets import RULE, TARGET

from toolglot.schemas.normal import normal_form
from toolglot.tables.loader import read_table
from toolglot.tables.ruleset import assemble, load_rules
from toolglot.tables.target_rules import arranged
from toolglot.wire.convert import convert_normal

RULES = load_rules(entry_points=False)
EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.id}-{number}")
    for rule in RULES.rules.values()
    if rule.at == "root" and rule.targets
    for number, example in enumerate(rule.examples)
]


def wire(schema: Any, when: str, do: str) -> Any:
    """The wire of a schema for a target of a table of one's own with one row at the root."""
    row = RULE.format(name="mine", at="root", when=json.dumps(when), do=do, keep="same", after="[]")
    rules = assemble([read_table(TARGET.format("mine") + row, "mine.toml")]).target("mine")
    return convert_normal(normal_form(schema, dialect="2020-12"), rules, describe=False).wire


def node_of(name: str) -> Any:
    node = {"type": "array", "items": {"$ref": f"#/$defs/{name}"}}
    return {"$ref": f"#/$defs/{name}", "$defs": {name: node}}


@pytest.mark.parametrize(
    ("do", "acts"),
    [
        ('{ spell-types = "upper-case" }', {"a": {"type": "INTEGER", "exclusiveMinimum": 1}}),
        ('{ spell-bounds = "boolean" }', {"a": {"type": "integer", "minimum": 1, "exclusiveMinimum": True}}),
        ('{ spell-never = "false" }', {"^x": False}),
    ],
)
def test_a_row_at_the_root_acts_only_where_its_condition_is_met(do: str, acts: Any) -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "integer", "exclusiveMinimum": 1}},
        "patternProperties": {"^x": {"not": {}}},
    }
    untouched = wire(schema, "wire is true and not wire is true", do)
    assert untouched == schema
    assert wire(schema, "has items", do) == untouched
    assert wire(schema, 'type is "array"', do) == untouched
    for met in ("wire is true", "has properties", 'type is "object"'):
        changed = wire(schema, met, do)
        assert changed != untouched
        assert json.dumps(acts)[1:-1] in json.dumps(changed)


def test_definitions_are_renamed_and_respelled_only_where_the_condition_is_met() -> None:
    schema = node_of("Node")
    for do in ('{ rename = "definitions" }', '{ spell-definitions = "definitions" }'):
        assert wire(schema, 'has "$defs" and has "$ref"', do) != schema
        assert wire(schema, 'has "$defs" and has type', do) == schema
    assert wire(schema, 'has "$defs"', '{ spell-definitions = "definitions" }') == json.loads(
        json.dumps(schema).replace("$defs", "definitions")
    )


def test_a_row_at_the_root_looks_at_the_wire_not_at_the_source() -> None:
    schema = {"type": "object", "properties": {}, "additionalProperties": {"type": "string"}}
    do = '{ spell-types = "upper-case" }'
    assert wire(schema, "open-additional-properties is true", do)["type"] == "OBJECT"
    assert wire({**schema, "additionalProperties": False}, "open-additional-properties is true", do)["type"] == "object"
    assert wire({**schema, "$defs": {"Unused": {}}}, 'has "$defs"', do)["type"] == "object"


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_a_rows_example_at_the_root_gives_what_it_says(rule: Any, example: Any) -> None:
    target = RULES.target(rule.targets[0]).target
    normal = normal_form(json.loads(example.given), dialect="2020-12")
    made = convert_normal(normal, arranged(target, (rule,)), describe=False)
    assert json.dumps(made.wire) == json.dumps(json.loads(example.gives or example.given))
    assert (made.wire != convert_normal(normal, arranged(target, ()), describe=False).wire) == example.fires
