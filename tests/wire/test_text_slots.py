"""Undeclared keys as one text of JSON: there and back, what is no spelling, and what the wire says of it."""

import json
from typing import Any

import pytest

from toolglot import Toolbox
from toolglot.tables.ruleset import load_rules
from toolglot.wire.convert import Conversion, convert

OPEN = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
ALWAYS_THERE = ["openai/strict", "anthropic/strict", "lm-format-enforcer"]


def anything(_reading: Any) -> bool:
    """The check of a tool that takes whatever comes."""
    return True


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


@pytest.mark.parametrize("said", [" ", "{}", " {} "])
def test_an_empty_object_stands_for_no_other_keys_and_blanks_for_nothing(said):
    restored, problems = converted(OPEN).restore({"id": "1", "etc": said}, anything)
    assert ((restored, problems) == ({"id": "1"}, ())) is bool(said.strip())


NOTHING_MEANT = ["none", "None", "null", "n/a", "-", "[]", '""', "undefined", "false", "[1]", '{"id": "2"}']


@pytest.mark.parametrize(
    "text", [*NOTHING_MEANT, '{"a": 1, "a": 2}', "{'a': 1}", '{"a": 1', 1, None, False, {}, {"a": 1}]
)
def test_what_spells_no_other_keys_is_a_problem_whatever_the_check_would_take(text):
    for accepts in (None, anything):
        _, problems = converted(OPEN).restore({"id": "1", "etc": text}, accepts)
        assert [problem.path[0] for problem in problems] == ["etc"]


@pytest.mark.parametrize("target", ALWAYS_THERE)
@pytest.mark.parametrize("text", NOTHING_MEANT)
def test_no_word_for_nothing_reaches_the_tool_as_a_key(target, text):
    box = Toolbox([{"name": "find", "inputSchema": OPEN}], target)
    answer = box.read("find", {"id": "1", "etc": text})
    assert answer.arguments is None
    assert "etc" in (answer.refusal or "")
    assert box.read("find", {"id": "1", "etc": ""}).arguments == {"id": "1"}


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_the_same_holds_of_a_text_further_in(depth):
    schema, call = OPEN, {"id": "1", "etc": "none"}
    for _ in range(depth):
        schema = {"type": "object", "properties": {"in": schema, "list": {"type": "array", "items": schema}}}
        call = {"in": call, "etc": "", "list": None}
    box = Toolbox([{"name": "find", "inputSchema": schema}], "openai/strict")
    assert not box.read("find", call).fits
    assert box.read("find", json.loads(json.dumps(call).replace('"none"', '""'))).fits


def test_other_keys_that_are_no_object_are_a_problem_too():
    schema = {**OPEN, "additionalProperties": {"type": "integer"}}
    for target in ("llama.cpp", "openai/strict"):
        box = Toolbox([{"name": "find", "inputSchema": schema}], target)
        for said in ("none", 5, "{}", True):
            assert box.read("find", {"id": "1", "other_keys": said}).arguments is None


def test_a_call_in_the_tools_own_form_stays_as_it_is_where_the_check_takes_it():
    value = {"id": "1", "note": "none"}
    assert converted(OPEN).restore(value, anything) == (value, ())
    schema = {"type": "object", "properties": {"a": {"type": "array", "prefixItems": [{"type": "integer"}]}}}
    own = {"a": [1], "b": 2}
    assert converted(schema).restore(own, anything) == (own, ())


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
