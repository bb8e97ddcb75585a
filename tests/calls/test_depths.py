"""The shallow depths `keys` and `values`: each rule in both directions, at the right depth."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests.shared_data import corpus

from toolglot import SchemaError
from toolglot.calls.check import check, held_check
from toolglot.calls.checker import checker

PATH = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
SHALLOW = ("keys", "values")


def tool(declaration: Any, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"x": declaration}, **more}


def rules(schema: Any, value: Any, depth: str, **options: Any) -> list[str]:
    """The ids of what is wrong, after a look that both ways to ask agree, and that nothing was written to."""
    before = copy.deepcopy((schema, value))
    held = held_check(schema, depth=depth, **options)
    problems = check(schema, value, depth=depth, **options)
    assert held.problems(value) == problems
    assert held.accepts(value) is not bool(problems)
    assert (schema, value) == before
    return [problem.rule for problem in problems]


# The input ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", SHALLOW)
@pytest.mark.parametrize("value", ["text", "", "{}", 5, 0, 2.5, True, False, [], [{}], (1,)])
def test_an_input_that_is_no_object_is_refused(value: Any, depth: str) -> None:
    for schema in (PATH, {"type": "object"}, {}, True):
        assert rules(schema, value, depth) == ["not-an-object"]
    (problem,) = check(PATH, value, depth=depth)
    assert (problem.path, problem.keyword, problem.got) == ((), "type", value)


@pytest.mark.parametrize("depth", SHALLOW)
def test_no_input_is_a_call_without_arguments(depth: str) -> None:
    assert rules({"type": "object", "properties": {"a": {}}}, None, depth) == []
    assert rules(PATH, None, depth) == ["missing-key"]
    assert rules(PATH, {}, depth) == ["missing-key"]


# Required keys --------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", SHALLOW)
def test_all_problems_come_at_once_and_each_key_once(depth: str) -> None:
    schema = {"properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["a", "b", "a", "c"]}
    problems = check(schema, {"b": None}, depth=depth)
    assert {(problem.path, problem.rule) for problem in problems} == {
        (("a",), "missing-key"),
        (("b",), "null-for-required"),
        (("c",), "missing-key"),
    }
    assert len(problems) == 3
    assert rules(schema, {"a": "x", "b": 1, "c": 0}, depth) == []


@pytest.mark.parametrize("depth", SHALLOW)
@pytest.mark.parametrize("value", ["", " ", "0"])
def test_an_empty_text_is_a_value(value: str, depth: str) -> None:
    assert rules(PATH, {"path": value}, depth) == []


@pytest.mark.parametrize("value", [0, -1, False, [], {}, ""])
def test_no_value_but_null_is_read_as_absent(value: Any) -> None:
    assert rules(tool({}, required=["x"]), {"x": value}, "keys") == []
    assert rules(PATH, {"path": value}, "keys") == []


def test_keys_looks_at_no_value() -> None:
    schema = tool({"type": "integer", "minimum": 1, "enum": [1]}, required=["x"])
    for value in ("text", 0, [], True):
        assert rules(schema, {"x": value}, "keys") == []
        assert rules(schema, {"x": value}, "values") != []


# Null -----------------------------------------------------------------------------------------------

ADMITS_NULL = [
    {},
    True,
    {"description": "no type"},
    {"enum": ["a", None]},
    {"$ref": "#/$defs/other"},
    {"type": "null"},
    {"type": ["string", "null"]},
    {"type": "string", "nullable": True},
    {"anyOf": [{"type": "string"}, {"type": "null"}]},
    {"oneOf": [{"type": "integer"}, {"type": ["null"]}]},
    {"anyOf": [{"type": "string"}, {}]},
    {"anyOf": [{"type": "string"}, {"type": "string", "nullable": True}]},
    {"type": ["any", "null"]},
    {"type": "STRING", "nullable": True},
    {"type": "any", "enum": ["a", None]},
    {"type": "any", "anyOf": [{"type": "null"}]},
    {"type": 5},
    {"type": []},
    {"type": {"name": "string"}},
    {"type": ["string", 5]},
    {"type": None},
]
REFUSES_NULL = [
    {"type": "string"},
    {"type": ["string", "integer"]},
    {"type": "string", "nullable": False},
    {"type": "string", "nullable": "true"},
    {"type": "string", "default": None},
    {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    {"type": "any"},
    {"type": "STRING"},
    {"type": "strnig"},
    {"type": ["any", "string"]},
    {"type": "any", "enum": ["a"]},
    {"type": "string", "enum": ["a", None]},
]


@pytest.mark.parametrize("declaration", ADMITS_NULL, ids=repr)
def test_null_is_a_value_where_the_declaration_admits_it(declaration: Any) -> None:
    assert rules(tool(declaration, required=["x"]), {"x": None}, "keys") == []


@pytest.mark.parametrize("declaration", REFUSES_NULL, ids=repr)
def test_null_is_no_value_elsewhere(declaration: Any) -> None:
    for depth in SHALLOW:
        assert rules(tool(declaration, required=["x"]), {"x": None}, depth) == ["null-for-required"]


def test_a_required_key_that_is_not_declared_has_no_type_and_takes_null() -> None:
    assert rules({"required": ["x"]}, {"x": None}, "keys") == []
    assert rules({"required": ["x"]}, {}, "keys") == ["missing-key"]


def test_null_for_an_optional_key_is_a_matter_of_values() -> None:
    assert rules(tool({"type": "string"}), {"x": None}, "keys") == []
    assert rules(tool({"type": "string"}), {"x": None}, "values") == ["wrong-type"]
    assert rules(tool({"type": "string", "nullable": True}), {"x": None}, "values") == []


# Undeclared keys ------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", SHALLOW)
def test_undeclared_keys_are_never_refused_for_themselves(depth: str) -> None:
    for schema in (PATH, {**PATH, "additionalProperties": False}):
        assert rules(schema, {"path": "a", "other": 1, "__proto__": {}}, depth) == []


def test_undeclared_keys_are_named_beside_a_missing_one_five_and_a_count() -> None:
    call = {f"k{number}": number for number in range(8)}
    (problem,) = check(PATH, call, depth="keys")
    assert problem.undeclared == ("k0", "k1", "k2", "k3", "k4")
    assert problem.undeclared_count == 8


def test_a_key_that_is_only_required_counts_as_declared() -> None:
    schema = {"properties": {"a": {}}, "required": ["b", "c"]}
    (problem,) = check(schema, {"b": 1, "a": 1, "d": 1}, depth="keys")
    assert (problem.path, problem.undeclared) == (("c",), ("d",))


@pytest.mark.parametrize(
    "more",
    [
        {"allOf": [{}]},
        {"not": {}},
        {"if": {}},
        {"$ref": "#/$defs/a"},
        {"additionalProperties": {}},
        {"additionalProperties": True},
        {"unevaluatedProperties": {"type": "string"}},
    ],
    ids=repr,
)
def test_a_root_that_can_declare_keys_another_way_names_none(more: dict[str, Any]) -> None:
    (problem,) = check({**PATH, **more}, {"file": 1}, depth="keys")
    assert (problem.rule, problem.undeclared, problem.likely) == ("missing-key", (), None)


@pytest.mark.parametrize(
    "more",
    [
        {"additionalProperties": False},
        {"unevaluatedProperties": False},
        {"additionalProperties": None},
        {"additionalProperties": "yes"},
        {"then": {}, "else": {}},
        {"$defs": {"a": {"properties": {"file": {}}}}},
        {"strict": True},
        {"allof": [{}]},
        {"allowed": {}},
    ],
    ids=repr,
)
def test_any_other_root_names_them(more: dict[str, Any]) -> None:
    (problem,) = check({**PATH, **more}, {"file": 1}, depth="keys")
    assert problem.undeclared == ("file",)


@pytest.mark.parametrize(
    ("missing", "sent", "likely"),
    [
        ("file_path", "filePath", "filePath"),
        ("file_path", "FILE-PATH", "FILE-PATH"),
        ("filePath", "filepath", "filepath"),
        ("path", "pth", "pth"),
        ("content", "contnet", "contnet"),
        ("path", "filename", "filename"),
        ("query", "q", "q"),
        ("lineLimit", "max_results", "max_results"),
        ("path", "colour", None),
        ("id", "ix", None),
    ],
)
def test_the_key_that_was_likely_meant_is_told(missing: str, sent: str, likely: str | None) -> None:
    schema = {"properties": {missing: {"type": "string"}}, "required": [missing]}
    (problem,) = check(schema, {sent: "x"}, depth="keys")
    assert problem.likely == likely
    (exact,) = check(schema, {sent: "x"})
    assert (exact.rule, exact.likely, exact.undeclared) == ("missing-key", likely, (sent,))


def test_no_key_is_meant_for_two() -> None:
    schema = {"properties": {"path": {}, "paths": {}}, "required": ["path", "paths"]}
    problems = check(schema, {"pathz": 1}, depth="keys")
    assert [problem.likely for problem in problems].count("pathz") == 1


# Types, lists and bounds ----------------------------------------------------------------------------

FITS = [
    ({"type": "string"}, "x"),
    ({"type": "integer"}, 3),
    ({"type": "integer"}, 3.0),
    ({"type": "integer"}, -(10**30)),
    ({"type": "number"}, 3),
    ({"type": "number"}, 3.5),
    ({"type": "boolean"}, False),
    ({"type": "array"}, []),
    ({"type": "array"}, (1, 2)),
    ({"type": "object"}, {"any": "thing"}),
    ({"type": ["string", "integer"]}, 3),
    ({"type": "any"}, object),
    ({"type": "STRING", "enum": ["a"]}, "a"),
    ({"type": 5}, "x"),
    ({"type": ["string", 5]}, 7),
    ({"enum": [1, "a", None, [1], {"k": True}]}, {"k": True}),
    ({"enum": [1]}, 1.0),
    ({"enum": "abc"}, "z"),
    ({"enum": {"a": 1}}, 5),
    ({"const": None}, None),
    ({"type": "string", "minimum": 5}, "1234567890123456"),
    ({"minimum": 5}, "text"),
    ({"type": "integer", "minimum": "1"}, 0),
    ({"type": "integer", "minimum": True}, 0),
    ({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]}, None),
    ({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}]}, "text"),
    ({"anyOf": []}, 1),
    ({"anyOf": "x"}, 1),
    ({"oneOf": [{"$ref": "#/a"}, {"type": "string"}]}, 1),
    (True, 1),
    (None, 1),
    (["type"], 1),
    ("string", 1),
]
REFUSED = [
    ({"type": "string"}, 3, "wrong-type"),
    ({"type": "integer"}, 3.5, "wrong-type"),
    ({"type": "integer"}, "3", "wrong-type"),
    ({"type": "integer"}, True, "wrong-type"),
    ({"type": "number"}, False, "wrong-type"),
    ({"type": "number"}, float("nan"), "wrong-type"),
    ({"type": "boolean"}, "false", "wrong-type"),
    ({"type": "boolean"}, 0, "wrong-type"),
    ({"type": "array"}, "[]", "wrong-type"),
    ({"type": "object"}, [], "wrong-type"),
    ({"type": "string"}, {1, 2}, "wrong-type"),
    ({"type": "STRING", "enum": ["a"]}, "b", "not-a-member"),
    ({"type": "string", "enum": ["a"]}, "b", "not-a-member"),
    ({"enum": [1, [False]]}, True, "not-a-member"),
    ({"enum": [[False]]}, [0], "not-a-member"),
    ({"enum": []}, 1, "not-a-member"),
    ({"const": 1}, True, "not-a-member"),
    ({"type": "string", "nullable": True, "enum": ["a"]}, None, "not-a-member"),
    ({"type": "integer", "minimum": 1}, 0, "number-below-minimum"),
    ({"type": "integer", "minimum": 1}, -5, "number-below-minimum"),
    ({"type": "integer", "maximum": 5}, 6, "number-above-maximum"),
    ({"type": "number", "exclusiveMinimum": 0}, 0, "number-at-exclusive-minimum"),
    ({"type": "number", "exclusiveMaximum": 1}, 1.0, "number-at-exclusive-maximum"),
    ({"type": "number", "minimum": 0, "exclusiveMinimum": True}, 0, "number-at-minimum-made-exclusive"),
    ({"type": "number", "maximum": 0, "exclusiveMaximum": True}, 0, "number-at-maximum-made-exclusive"),
    ({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]}, 0, "number-below-minimum"),
    ({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]}, "5", "wrong-type"),
    ({"type": ["integer", "null"], "minimum": 1}, 0, "number-below-minimum"),
]


@pytest.mark.parametrize(("declaration", "value"), FITS, ids=repr)
def test_a_value_that_its_declaration_admits_passes(declaration: Any, value: Any) -> None:
    assert rules(tool(declaration), {"x": value}, "values") == []


@pytest.mark.parametrize(("declaration", "value", "rule"), REFUSED, ids=repr)
def test_a_value_outside_its_declaration_is_refused(declaration: Any, value: Any, rule: str) -> None:
    (problem,) = check(tool(declaration), {"x": value}, depth="values")
    assert (problem.path, problem.rule) == (("x",), rule)
    assert problem.got is value
    assert rules(tool(declaration), {}, "values") == []


@pytest.mark.parametrize("kind", ["integer", "number"])
def test_a_run_of_sixteen_digits_passes_for_a_number_and_fifteen_do_not(kind: str) -> None:
    schema = tool({"type": kind})
    for text in ("1" * 16, "9" * 400, "0" * 16, "-" + "1" * 16):
        call = {"x": text}
        assert rules(schema, call, "values") == []
        assert call == {"x": text}
    for text in (
        "1" * 15,
        "-" + "1" * 15,
        "1" * 16 + ".0",
        "1" * 15 + "a",
        " " + "1" * 16,
        "1" * 16 + "\n",
        "१" * 16,
        "+" + "1" * 16,
    ):
        assert rules(schema, {"x": text}, "values") == ["wrong-type"], text
    assert check(schema, {"x": "1" * 16}) != (), "at depth schema the schema itself decides"


def test_a_run_of_digits_keeps_bounds_and_lists_like_the_number_it_stands_for() -> None:
    assert rules(tool({"type": "integer", "maximum": 100}), {"x": "1" * 16}, "values") == ["number-above-maximum"]
    assert rules(tool({"type": "integer", "minimum": 1}), {"x": "-" + "1" * 16}, "values") == ["number-below-minimum"]
    assert rules(tool({"type": "integer", "minimum": 1}), {"x": "1" * 100_000}, "values") == []
    listed = tool({"type": "integer", "enum": [9007199254740993]})
    assert rules(listed, {"x": "9007199254740993"}, "values") == []
    assert rules(listed, {"x": "9007199254740992"}, "values") == ["not-a-member"]


def test_integer_is_strict_unless_a_switch_reads_it_as_number() -> None:
    schema = tool({"type": "integer"})
    assert rules(schema, {"x": 3.5}, "values") == ["wrong-type"]
    assert rules(schema, {"x": 3.5}, "values", integers="number") == []
    assert rules(schema, {"x": "3"}, "values", integers="number") == ["wrong-type"]
    with pytest.raises(ValueError, match="integers"):
        check(schema, {}, integers="loose")


def test_an_unknown_depth_is_an_error_of_the_caller() -> None:
    with pytest.raises(ValueError, match="deep"):
        check({}, {}, depth="deep")


# What can't be read ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "schema",
    [
        None,
        True,
        False,
        [],
        "text",
        {"required": "a"},
        {"required": None},
        {"required": {"a": 1}},
        {"required": [1, None, ["a"], {}]},
        {"properties": None},
        {"properties": ["a"]},
        {"properties": {"a": 5, "b": None, "c": [], "d": "string"}},
        {"properties": {"a": {"type": {}, "enum": 5, "minimum": "x", "anyOf": [5, None]}}},
        {"x-aliases": 5, "properties": {"a": {"x-aliases": [5, None]}}},
    ],
    ids=repr,
)
@pytest.mark.parametrize("depth", SHALLOW)
def test_what_cannot_be_read_in_a_schema_is_passed_over(schema: Any, depth: str) -> None:
    assert rules(schema, {"a": 1, "b": "x"}, depth) == []
    assert rules(schema, [], depth) == ["not-an-object"]


@pytest.mark.parametrize("depth", SHALLOW)
def test_names_of_another_language_are_names_like_any_other(depth: str) -> None:
    schema = {"properties": {"constructor": {"type": "string"}}, "required": ["constructor", "__proto__", "toString"]}
    assert rules(schema, {}, depth) == ["missing-key"] * 3
    assert rules(schema, {"constructor": "a", "__proto__": 1, "toString": 2}, depth) == []


# Aliases --------------------------------------------------------------------------------------------

ALIASED = {
    "type": "object",
    "properties": {
        "line_limit": {"type": "integer", "minimum": 1, "x-aliases": ["limit"]},
        "path": {"type": "string", "x-aliases": "file"},
    },
    "required": ["path"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("depth", ["values", "schema"])
def test_an_alias_is_read_as_the_parameter_and_named_as_it_was_spelled(depth: str) -> None:
    (problem,) = check(ALIASED, {"file": "a", "limit": 0}, depth=depth)
    assert (problem.path, problem.keyword, problem.got, problem.wanted) == (
        ("limit",),
        "minimum",
        0,
        "a whole number, 1 or more",
    )
    (problem,) = check(ALIASED, {"path": "a", "line_limit": 0}, depth=depth)
    assert problem.path == ("line_limit",)
    assert check(ALIASED, {"file": "a", "limit": 1}, depth=depth) == ()


@pytest.mark.parametrize("depth", ["keys", "values", "schema"])
def test_a_required_key_may_come_under_its_alias(depth: str) -> None:
    assert check(ALIASED, {"file": "a"}, depth=depth) == ()
    assert [problem.path for problem in check(ALIASED, {}, depth=depth)] == [("path",)]


@pytest.mark.parametrize("depth", ["values", "schema"])
def test_one_parameter_under_two_names_needs_one_value(depth: str) -> None:
    assert check(ALIASED, {"path": "a", "limit": 2, "line_limit": 2}, depth=depth) == ()
    (problem,) = check(ALIASED, {"path": "a", "limit": 2, "line_limit": 3}, depth=depth)
    assert (problem.path, problem.rule) == (("limit",), "sent-twice")


@pytest.mark.parametrize("depth", ["values", "schema"])
def test_aliases_may_come_from_a_table(depth: str) -> None:
    schema = tool({"type": "integer", "minimum": 1})
    assert check(schema, {"y": 0}, depth=depth) == ()
    (problem,) = check(schema, {"y": 0}, depth=depth, aliases={"x": ["y"]})
    assert problem.path == ("y",)


def test_a_declared_name_is_never_an_alias() -> None:
    schema = {"properties": {"a": {"type": "integer", "x-aliases": ["b"]}, "b": {"type": "string"}}}
    assert rules(schema, {"b": "text"}, "values") == []
    assert rules(schema, {"b": "text"}, "schema") == []


@pytest.mark.heavy
def test_over_real_schemas_the_shallow_depths_refuse_nothing_that_the_whole_schema_accepts() -> None:
    wrong = []
    for record in corpus():
        try:
            exact = checker(record["schema"])
        except SchemaError:
            continue
        held = [held_check(record["schema"], depth=depth) for depth in SHALLOW]
        calls = [test["data"] for test in record["tests"] if isinstance(test["data"], dict)]
        legal = [call for call in calls if exact.accepts(call)]
        wrong += [(record["name"], call) for call in legal if not all(each.accepts(call) for each in held)]
    assert wrong == []


@pytest.mark.parametrize("depth", ["values", "schema"])
@pytest.mark.parametrize("number", [float("inf"), float("-inf"), float("nan")])
def test_what_json_has_no_number_for_is_no_number(depth: str, number: float) -> None:
    assert rules(tool({"type": "number"}), {"x": number}, depth) != []
    assert rules(tool({"type": "number"}), {"x": 1e308}, depth) == []
