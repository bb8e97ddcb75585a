"""Readings of near misses: opt-in, at failing places alone, only where the call then passes, each one told."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from toolglot import Toolbox
from toolglot.calls.check import held_check
from toolglot.calls.lower import Lowering
from toolglot.calls.readings import allowed, nearly


def read(schema: Any, value: Any, policy: Any = True, **options: Any) -> Any:
    """The value as it is read and the ids of the readings; None where it does not pass."""
    held = held_check(schema, **options)
    before = copy.deepcopy(value)
    found = nearly(held, value, held.problems(value), policy)  # type: ignore[arg-type]
    assert value == before
    if found is None:
        return None
    assert held.accepts(found.value)
    return found.value, [reading.rule for reading in found.readings]


def tool(declaration: Any, *required: str) -> dict[str, Any]:
    return {"type": "object", "properties": {"x": declaration}, "required": list(required)}


@pytest.mark.parametrize(
    ("declaration", "sent", "value"),
    [
        ({"type": "integer"}, "5", 5),
        ({"type": "integer"}, "-12345678901234567890123", -12345678901234567890123),
        ({"type": "number"}, "2.50", 2.5),
        ({"type": ["integer", "number", "null"]}, "7", 7),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "7", 7),
        ({"enum": [1, 2]}, "2", 2),
        ({"type": "boolean"}, "true", True),
        ({"type": "object"}, ' {"a": "5"} ', {"a": "5"}),
        ({"type": "array"}, "[1]", [1]),
        ({"type": "array", "items": {"type": "integer"}}, 3, [3]),
        ({"$ref": "#/$defs/n"}, "5", 5),
        ({"allOf": [{"type": "integer"}, {"minimum": 5}]}, "5", 5),
    ],
    ids=repr,
)
def test_a_near_miss_is_read_where_the_schema_wants_it(declaration: Any, sent: Any, value: Any) -> None:
    schema = tool(declaration, "x") | {"$defs": {"n": {"type": "integer"}}}
    found = read(schema, {"x": sent})
    assert found is not None
    assert found[0] == {"x": value}
    assert type(found[0]["x"]) is type(value)
    assert len(found[1]) == 1


@pytest.mark.parametrize(
    ("declaration", "sent"),
    [
        ({"type": "integer"}, "5.0"),
        ({"type": "integer"}, " 5"),
        ({"type": "integer"}, "0x5"),
        ({"type": "integer"}, "05"),
        ({"type": "integer"}, "five"),
        ({"type": "integer", "minimum": 1}, "0"),
        ({"type": "number"}, "NaN"),
        ({"type": "number"}, "1e999"),
        ({"type": "boolean"}, "True"),
        ({"type": "boolean"}, "yes"),
        ({"type": "boolean"}, "1"),
        ({"type": "boolean"}, 0),
        ({"type": "object"}, '{"a": 1'),
        ({"type": "object"}, '{"a": 1, "a": 2}'),
        ({"type": "object", "required": ["b"]}, '{"a": 1}'),
        ({"type": "array", "items": {"type": "integer"}}, "x"),
        ({"type": "array"}, None),
        ({"type": "string"}, 5),
        ({"type": "string"}, None),
        ({"type": ["integer", "string"], "pattern": "^[a-z]+$"}, "5"),
        ({"anyOf": [{"type": "integer"}, {"type": "string", "maxLength": 1}]}, "55"),
        ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, 5),
        ({"enum": [True]}, "1"),
    ],
    ids=repr,
)
def test_what_is_no_near_miss_stays_refused(declaration: Any, sent: Any) -> None:
    assert read(tool(declaration, "x"), {"x": sent}) is None


def test_a_value_that_fits_a_branch_of_a_union_as_it_is_is_left_alone() -> None:
    branches = [
        {"type": "object", "properties": {"k": {"const": "a"}, "v": {"type": "integer"}}, "required": ["k", "v"]},
        {"type": "object", "properties": {"k": {"const": "b"}, "v": {"type": "string"}, "w": {}}, "required": ["w"]},
    ]
    assert read(tool({"anyOf": branches}), {"x": {"k": "a", "v": "5"}}) is None
    assert read(tool({"anyOf": branches[:1]}), {"x": {"k": "a", "v": "5"}}) == (
        {"x": {"k": "a", "v": 5}},
        ["read-text-as-integer"],
    )


def test_only_failing_places_are_touched() -> None:
    schema = {"properties": {"a": {"type": "integer"}, "b": {"type": ["integer", "string"]}, "c": {"type": "string"}}}
    inner = {"deep": ["5"]}
    call = {"a": "5", "b": "5", "c": '{"d": 1}', "e": inner}
    found = read(schema, call)
    assert found == ({"a": 5, "b": "5", "c": '{"d": 1}', "e": inner}, ["read-text-as-integer"])
    assert found[0]["e"] is inner


def test_one_place_that_cannot_be_read_leaves_all_refused() -> None:
    schema = {"properties": {"a": {"type": "integer"}, "b": {"type": "boolean"}}}
    assert read(schema, {"a": "5", "b": "no"}) is None
    assert read({**schema, "required": ["z"]}, {"a": "5"}) is None


def test_a_text_that_was_read_may_hold_near_misses_of_its_own_but_is_read_once() -> None:
    schema = tool({"type": "object", "properties": {"n": {"type": "integer"}}})
    assert read(schema, {"x": '{"n": "5"}'}) == ({"x": {"n": 5}}, ["read-text-as-object", "read-text-as-integer"])
    assert read(tool({"type": "object"}), {"x": '"{}"'}) is None


def test_the_arguments_as_a_whole_may_be_a_text_in_a_text() -> None:
    assert read(tool({"type": "integer"}, "x"), '{"x": 5}') == ({"x": 5}, ["read-text-as-object"])


def test_null_is_absent_only_where_the_key_is_optional_and_null_is_not_admitted() -> None:
    assert read(tool({"type": "string"}), {"x": None}) == ({}, ["read-null-as-absent"])
    assert read(tool({"type": "string"}, "x"), {"x": None}) is None
    nested = tool({"type": "object", "properties": {"y": {"type": "string"}}})
    assert read(nested, {"x": {"y": None}}) == ({"x": {}}, ["read-null-as-absent"])
    assert read({"type": "array", "items": {"type": "string"}}, [None]) is None


def test_a_lossy_reading_is_asked_for_by_its_id() -> None:
    schema = tool({"type": "string", "pattern": "^[a-z]+$"})
    assert read(schema, {"x": ""}) is None
    assert read(schema, {"x": ""}, ["read-empty-as-absent"]) == ({}, ["read-empty-as-absent"])
    assert read(schema, {"x": ""}, ["lossless", "read-empty-as-absent"]) == ({}, ["read-empty-as-absent"])
    assert read(tool({"type": "string"}), {"x": ""}, ["read-empty-as-absent"]) is None


def test_a_policy_may_name_single_readings_and_an_unknown_one_is_an_error() -> None:
    schema = {"properties": {"a": {"type": "integer"}, "b": {"type": "boolean"}}}
    assert read(schema, {"a": "5"}, ["read-text-as-boolean"]) is None
    assert read(schema, {"b": "true"}, ["read-text-as-boolean"]) == ({"b": True}, ["read-text-as-boolean"])
    assert read(schema, {"a": "5"}, False) is None
    with pytest.raises(ValueError, match="guess"):
        allowed(["guess"])


def test_an_alias_is_read_as_its_parameter_and_told_as_it_was_spelled() -> None:
    schema = {"properties": {"limit": {"type": "integer", "minimum": 1, "x-aliases": ["n"]}}}
    held = held_check(schema)
    found = nearly(held, {"n": "5"}, held.problems({"n": "5"}), True)  # type: ignore[arg-type]
    assert found is not None
    assert (found.value, found.readings[0].path) == ({"n": 5}, ("n",))


def test_through_a_toolbox_readings_are_off_by_default_and_told_when_used() -> None:
    tools = [{"name": "t", "inputSchema": tool({"type": "integer"}, "x")}]
    assert not Toolbox(tools).read("t", {"x": "5"}).fits
    answer = Toolbox(tools, readings=True).read("t", '{"x": "5"}')
    assert (answer.arguments, answer.fits) == ({"x": 5}, True)
    (reading,) = answer.readings
    assert (reading.path, reading.rule, reading.got, reading.read) == (("x",), "read-text-as-integer", "5", 5)
    untouched = Toolbox(tools, readings=True).read("t", {"x": 5})
    assert (untouched.arguments, untouched.readings) == ({"x": 5}, ())


TREE = {
    "$defs": {
        "node": {
            "type": "object",
            "properties": {
                "v": {"type": "integer"},
                "below": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/node"}}, {"type": "null"}]},
            },
            "required": ["v"],
        }
    },
    "type": "object",
    "properties": {"x": {"$ref": "#/$defs/node"}},
}


@pytest.mark.parametrize(
    ("sent", "value"),
    [
        ({"v": 1, "below": [{"v": 2, "below": "[]"}]}, {"v": 1, "below": [{"v": 2, "below": []}]}),
        ({"v": "1", "below": {"v": "2"}}, {"v": 1, "below": [{"v": 2}]}),
        ({"v": 1, "below": "none"}, None),
    ],
)
def test_a_near_miss_in_a_schema_that_is_part_of_itself_is_read(sent: Any, value: Any) -> None:
    found = read(TREE, {"x": sent})
    assert (found and found[0]) == (value and {"x": value})


def test_however_many_branches_and_places_there_are_nothing_is_compiled_for_a_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    branches = [{"type": "object", "required": [f"p{turn}"]} for turn in range(20)]
    held = held_check(tool({"type": "array", "items": {"anyOf": branches}}))
    monkeypatch.setattr(Lowering, "run", None)  # whoever compiled would fail
    value = {"x": ["5"] * 40}
    assert nearly(held, value, held.problems(value), True) is None  # type: ignore[arg-type] # the whole schema's check
