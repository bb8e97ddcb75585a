"""What no value fits is not sent: a provider refuses such a schema or reads it as any value, and a report names it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.corpus_laws import RULES, TARGETS, Tally, judge

from toolglot.schemas.normal import normal_form
from toolglot.wire.convert import Conversion, convert, convert_normal

TEXT = {"type": "string"}
MISSING = {"type": "object", "required": ["$ref"], "additionalProperties": False}
# A parameter with a part that nothing fits, and values of it.
PARAMETERS: list[tuple[Any, list[Any]]] = [
    ({"type": "array", "items": False}, [[]]),
    ({"type": "array", "items": {"enum": []}}, [[]]),
    ({"type": "array", "items": {"allOf": [TEXT, {"type": "object"}]}}, [[]]),
    ({"type": "array", "items": {"allOf": [{"type": ["boolean", "array"]}, {"enum": ["x"]}]}}, [[]]),
    ({"type": "array", "prefixItems": [{}], "maxItems": 0}, [[]]),
    ({"type": "array", "prefixItems": [TEXT, False]}, [[], ["x"]]),
    ({"type": "array", "prefixItems": [TEXT, {"not": {}, "multipleOf": 0.001}], "items": TEXT}, [[], ["x"]]),
    ({"prefixItems": [False], "minItems": 1}, ["x", None, {"a": 1}]),
    ({"required": ["x"], "additionalProperties": False}, [[], "x", None]),
    ({"properties": {"x": False}, "required": ["x"]}, [[], "x", 1]),
    ({"type": ["object", "null"], "required": ["é"], "additionalProperties": False}, [None]),
    ({"anyOf": [TEXT, {"type": "object", "properties": {"x": False}, "required": ["x"]}]}, ["x"]),
    ({"type": "object", "additionalProperties": MISSING}, [{}]),
    ({"type": "object", "properties": {"x": {"type": ["string", "integer"], "enum": []}}}, [{}, {"y": 1}]),
]  # fmt: skip


@pytest.mark.parametrize("target", TARGETS)
def test_a_part_that_nothing_fits_leaves_no_hazard_and_takes_no_legal_value_away(target: str) -> None:
    tally = Tally()
    for number, (parameter, values) in enumerate(PARAMETERS):
        schema = {"type": "object", "properties": {"a": parameter, "b": TEXT}, "required": ["b"]}
        tests = [{"data": {"b": "x", **given}, "valid": True} for given in [{}, *({"a": value} for value in values)]]
        judge({"name": str(number), "schema": schema, "tests": tests}, [target], {target: tally})
    # two engines admit one type where a schema names none, which is reported: there null may mean that it was left out
    narrows = target in {"lm-format-enforcer", "outlines"}
    assert not [*tally.failed, *tally.hazardous, *tally.broken, *tally.unsaid, *([] if narrows else tally.misread)]
    assert narrows or not tally.narrowed
    assert not tally.labelled_otherwise


@pytest.mark.parametrize("target", TARGETS)
def test_a_tool_that_no_call_fits_is_sent_without_what_makes_it_so(target: str) -> None:
    tally = Tally()
    for schema in (
        {"type": "object", "required": ["a"], "additionalProperties": False},
        {"type": "object", "properties": {"a": {"type": "array", "items": False, "minItems": 1}}, "required": ["a"]},
        {"type": "object", "allOf": [TEXT]},
        {"type": "object", "enum": []},
    ):
        judge({"name": json.dumps(schema), "schema": schema, "tests": []}, [target], {target: tally})
    assert not tally.faults


def _outcomes(conversion: Conversion) -> list[str]:
    return [edit.outcome for edit in conversion.edits if edit.rule == "nothing-fits"]


def test_a_key_that_may_not_be_is_reported_where_an_open_object_loses_it() -> None:
    schema = {"type": "object", "properties": {"a": TEXT, "old": False}}
    conversion = convert(schema, "deepseek/plain", dialect="2020-12")
    assert "old" not in conversion.wire["properties"]
    assert _outcomes(conversion) == ["checked"]
    assert "old" in conversion.wire["description"]
    assert "description" not in convert(schema, "deepseek/plain", dialect="2020-12", describe=False).wire


def test_a_closed_object_loses_nothing_with_a_key_that_may_not_be() -> None:
    schema = {"type": "object", "properties": {"a": TEXT, "old": False}, "additionalProperties": False}
    conversion = convert(schema, "deepseek/plain", dialect="2020-12")
    assert conversion.wire["properties"].keys() == {"a"}
    assert not conversion.edits


def test_a_key_that_may_not_be_is_withheld_where_the_check_cannot_vouch_for_the_schema() -> None:
    schema = {"type": "object", "properties": {"a": TEXT, "old": False}, "x-unknown": 1, "alwaysEven": True}
    conversion = convert(schema, "deepseek/plain", dialect="2020-12", describe=False)
    assert _outcomes(conversion) == ["withheld"]
    assert "old" in conversion.wire["description"]


def test_the_schema_itself_is_not_written_to() -> None:
    for schema in ({"enum": []}, {"not": {}}, {"type": "object", "required": ["a"], "additionalProperties": False}):
        normal = normal_form(schema, dialect="2020-12")
        before = json.dumps(normal.root)
        wires = [convert_normal(normal, RULES.target(target)).wire_json for target in TARGETS]
        assert json.dumps(normal.root) == before
        assert wires == [convert_normal(normal, RULES.target(target)).wire_json for target in TARGETS]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("other", ["x", 10, True, "null", {"a": 1}], ids=json.dumps)
def test_null_among_listed_values_can_be_said(target: str, other: Any) -> None:
    tally, tests = Tally(), [{"data": {"a": value}, "valid": True} for value in (None, other)]
    for listed in ([None, other], [other, None], [1.5, None, other]):
        schema = {"type": "object", "properties": {"a": {"enum": listed}}, "required": ["a"]}
        judge({"name": json.dumps(listed), "schema": schema, "tests": tests}, [target], {target: tally})
    assert not tally.faults
    assert not tally.narrowed


@pytest.mark.parametrize("target", ["openai/strict", "azure/strict", "deepseek/strict"])
def test_a_key_that_may_not_be_is_null_where_all_keys_are_required(target: str) -> None:
    """It was a text that could stand for any value, since its `not` left before anything looked at it."""
    wire = convert({"type": "object", "properties": {"a": {"type": "string"}, "no": False}}, target).wire
    assert wire["properties"]["no"] == {"anyOf": [{"type": "null"}]}
