"""Undeclared keys as one text of JSON: there and back, what is no spelling, and what the wire says of it."""

from typing import Any

import pytest

from toolglot.tables.ruleset import load_rules
from toolglot.wire.convert import Conversion, convert

OPEN = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
ALWAYS_THERE = ["openai/strict", "anthropic/strict", "lm-format-enforcer"]


def converted(schema: Any, target: str = "openai/strict") -> Conversion:
    return convert(schema, target, rules=load_rules(entry_points=False))


@pytest.mark.parametrize("target", [*ALWAYS_THERE, "outlines"])
@pytest.mark.parametrize("others", [{}, {"a": 1}, {"etc": "x", "é": [None, {"b": "\x7f\ud800\U0001f600"}]}, {"": {}}])
def test_any_other_keys_are_spelled_in_a_text_and_come_back_equal(target, others):
    conversion = converted(OPEN, target)
    value = {"id": "1", **others}
    (spelled,) = conversion.spellings(value)
    assert spelled.keys() <= conversion.wire["properties"].keys()
    assert spelled.keys() >= set(conversion.wire["required"])
    assert conversion.restore(spelled) == (value, ())
    assert spelled.get("etc", "").isprintable()
    assert spelled.get("etc", "").isascii()


def test_the_empty_text_and_no_text_stand_for_no_other_keys():
    conversion = converted(OPEN)
    assert conversion.restore({"id": "1", "etc": ""}) == ({"id": "1"}, ())
    assert conversion.restore({"id": "1"}) == ({"id": "1"}, ())


@pytest.mark.parametrize("text", ["none", "[1]", "null", '{"id": "2"}', '{"a": 1, "a": 2}', 1, None])
def test_what_spells_no_other_keys_is_a_problem(text):
    _, problems = converted(OPEN).restore({"id": "1", "etc": text})
    assert [problem.path[0] for problem in problems] == ["etc"]


def test_a_call_in_the_tools_own_form_stays_as_it_is_where_the_check_takes_it():
    value = {"id": "1", "etc": "none"}
    assert converted(OPEN).restore(value, lambda _reading: True) == (value, ())


def test_a_declared_property_of_the_name_leaves_it_to_the_tool():
    schema = {"type": "object", "properties": {"etc": {"type": "string"}}, "required": ["etc"]}
    assert list(converted(schema).wire["properties"]) == ["etc", "etc_"]


def test_other_keys_of_one_type_are_no_text():
    wire = converted({**OPEN, "additionalProperties": {"type": "integer"}}).wire
    assert wire["properties"]["other_keys"]["anyOf"][0]["type"] == "array"


def test_the_first_text_of_a_larger_object_says_what_it_is_and_no_other_does():
    names = ("a", "b", "c", "d")
    inner = {"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": [*names]}
    properties = converted({**inner, "properties": {**inner["properties"], "d": inner}}).wire["properties"]
    assert properties["etc"].keys() == {"type", "description"}
    assert properties["d"]["properties"]["etc"] == {"type": "string"}
    assert converted(OPEN).wire["properties"]["etc"] == {"type": "string"}


def test_branches_with_texts_for_other_keys_are_told_apart():
    other = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
    closed = {"type": "object", "properties": {"id": {"type": "boolean"}}, "additionalProperties": False}
    conversion = converted({"type": "object", "properties": {"a": {"anyOf": [OPEN, other, closed]}}})
    for value in ({"id": "1", "x": 1}, {"id": 1, "y": 2}, {"id": 1}, {"id": True}, {}):
        for spelled in conversion.spellings({"a": value}):
            assert conversion.restore(spelled) == ({"a": value}, ())
