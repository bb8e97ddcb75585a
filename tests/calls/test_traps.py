"""What validators that generate code get wrong, and that no text of a schema ever becomes code."""

from __future__ import annotations

import ast
import copy
import gc
import json
import math
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from tests.schemas.growing import GROWING
from tests.work import steps_of

import toolglot
from toolglot.calls.checker import Checker, checker
from toolglot.errors import SchemaError
from toolglot.schemas.normal import normal_form

ENGINE = Path(toolglot.__file__ or "").parent


@pytest.mark.parametrize(
    ("one", "other"),
    [("Foo", "foo"), ("a-b", "a_b"), ("a", "a+"), ("é", "è"), ("Page[Item]", "Page_Item_"), ("x", "x\t"), ("", "_")],
)
def test_definitions_whose_names_are_alike_stay_apart(one: str, other: str) -> None:
    def pointer(name: str) -> str:
        return "#/$defs/" + name.replace("\t", "%09").replace("[", "%5B").replace("]", "%5D")

    schema = {
        "$defs": {one: {"type": "string"}, other: {"type": "integer"}},
        "properties": {"one": {"$ref": pointer(one)}, "other": {"$ref": pointer(other)}},
    }
    held = checker(schema)
    assert held.accepts({"one": "text", "other": 1})
    assert not held.accepts({"one": 1, "other": 1})
    assert not held.accepts({"one": "text", "other": "text"})


@pytest.mark.parametrize("levels", [19, 25, 60, 300, 1500])
@pytest.mark.parametrize("keyword", ["items", "properties", "anyOf", "oneOf", "not", "allOf", "if"])
def test_schemas_nest_as_deep_as_they_like(keyword: str, levels: int) -> None:
    schema: Any = {"type": "integer"}
    value: Any = 1
    for _ in range(levels):
        schema = {keyword: [schema] if keyword.endswith("Of") else {"a": schema} if keyword == "properties" else schema}
        value = [value] if keyword == "items" else {"a": value} if keyword == "properties" else value
    if keyword == "if":
        schema = {**schema, "then": {"type": "integer"}}
    held = checker(schema)
    assert held.accepts(value) is (keyword != "not" or levels % 2 == 0)
    assert bool(held.problems(value)) is not held.accepts(value)


def test_a_required_key_that_a_closed_object_does_not_declare_can_never_be_met() -> None:
    schema = {"required": ["a"], "properties": {"b": {}}, "additionalProperties": False}
    assert not checker(schema).accepts({})
    assert not checker(schema).accepts({"a": 1})
    assert checker({"anyOf": [schema, {"type": "object"}]}).accepts({"a": 1})
    assert checker({**schema, "additionalProperties": {}}).accepts({"a": 1})


def test_numbers_past_a_double_in_a_schema_are_limits_like_others() -> None:
    schema = json.loads('{"maximum": 1e400, "minimum": -1e400}')
    assert schema["maximum"] == math.inf
    assert checker(schema).accepts(10**500)


def test_a_dollar_does_not_match_before_a_final_newline() -> None:
    assert not checker({"pattern": "^a$"}).accepts("a\n")
    assert not checker({"pattern": "^a\\\\$"}).accepts("a\\\n")
    assert checker({"patternProperties": {"^a$": False}}).accepts({"a\n": 1})
    assert checker({"pattern": "^[a-z$]+$"}).accepts("a$")


def test_content_keywords_and_defaults_change_no_value() -> None:
    schema = {
        "properties": {"a": {"contentMediaType": "application/json", "contentEncoding": "base64"}, "b": {"default": 1}},
        "allOf": [{"properties": {"a": {"maxLength": 8}}}],
    }
    value = {"a": '{"a": 1}'}
    before = copy.deepcopy((schema, value))
    assert checker(schema).accepts(value)
    assert checker(schema).problems({"a": "123456789"})
    assert (schema, value) == before


def test_references_and_names_inside_constants_are_data() -> None:
    inside = {"$ref": "#/nowhere", "$id": "http://x.test/", "id": "y", "$schema": "z"}
    schema = {"$id": "http://example.test/root", "const": inside, "default": inside, "examples": [inside]}
    assert checker(schema).accepts(inside)
    assert checker({"enum": [inside, 1]}).accepts(1)


def test_names_of_python_and_of_browsers_are_names_like_others() -> None:
    names = ["__proto__", "__class__", "constructor", "self", "value", "work", "None", "{value}", "%s", "{0.__class__}"]
    schema = {"properties": {name: {"type": "integer"} for name in names}, "additionalProperties": False}
    held = checker(schema)
    assert held.accepts(dict.fromkeys(names, 1))
    assert {problem.path for problem in held.problems(dict.fromkeys(names, "x"))} == {(name,) for name in names}


@pytest.mark.parametrize("shape", GROWING)
def test_compiling_ten_times_the_size_takes_at_most_twelve_times_the_steps(shape: str) -> None:
    small, large = (normal_form(GROWING[shape](size), dialect="2020-12") for size in (300, 3_000))
    Checker(small)  # what loads lazily is loaded
    assert steps_of(lambda: Checker(large)) <= 12 * steps_of(lambda: Checker(small))


LARGE = {
    "properties with bounds": (10_000, {"p7": 8}, {"p7": 6}),
    "listed values": (10_000, "member 99999", "member 100000"),
    "exclusive branches": (5_000, {"k": 4_999}, {"k": 5_000}),
    "references in a chain": (5_000, {"x": {"x": {}}}, None),
}


@pytest.mark.parametrize("shape", LARGE)
def test_large_schemas_are_compiled_and_still_tell_values_apart(shape: str) -> None:
    size, fits, other = LARGE[shape]
    held = checker(GROWING[shape](size))
    assert held.accepts(fits)
    assert other is None or not held.accepts(other)


def hostile_texts() -> list[str]:
    marked = [
        '"',
        "'",
        "\\",
        "\n",
        "\r",
        "\t",
        "{",
        "}",
        "{variable}",
        "%(name)s",
        "\u2028",
        "\x00",
        "`",
        "#",
        "$",
        '"""',
        "'''",
    ]
    code = [
        "__import__('os').system('exit')",
        '"); raise SystemExit("',
        "\nimport os\n",
        "lambda: 0",
        "eval(x)",
        "];x=[",
    ]
    texts = [f"hostile{index}{mark}{text}" for mark in marked for index, text in enumerate(code)]
    return texts + [f"hostile{mark}" for mark in marked] + [f"hostile-{index}" for index in range(150)]


def hostile_schemas(text: str) -> list[Any]:
    return [
        {"properties": {text: {"type": "integer"}}, "required": [text], "additionalProperties": False},
        {"enum": [text, {text: [text]}], "title": text, "description": text, "default": {text: text}},
        {"const": {text: text}, "$comment": text, "examples": [text]},
        {"dependentRequired": {text: [text]}, "dependentSchemas": {text: {"const": text}}, "format": text},
        {"$defs": {"a": {"properties": {text: {"const": text}}}}, "$ref": "#/$defs/a", text: text},
    ]


def functions_of(held: Checker) -> list[FunctionType]:
    """Every function that a checker holds, at any distance."""
    found, seen, waiting = [], set(), [held]
    while waiting:
        item: Any = waiting.pop()
        if id(item) in seen or isinstance(item, (type, str, bytes)) or item is functions_of.__globals__:
            continue
        seen.add(id(item))
        if isinstance(item, FunctionType):
            found.append(item)
            waiting += [cell.cell_contents for cell in item.__closure__ or () if cell.cell_contents is not None]
            waiting += item.__defaults__ or ()
        elif type(item).__module__ != "builtins" or isinstance(item, (list, tuple, dict, set, frozenset)):
            waiting += [each for each in gc.get_referents(item) if not isinstance(each, type(ast))]
    return found


def test_hundreds_of_hostile_texts_never_become_code() -> None:
    texts = hostile_texts()
    assert len(texts) > 250
    for text in texts:
        for schema in hostile_schemas(text):
            held = checker(schema)
            held.problems({text: text})
            codes = [function.__code__ for function in functions_of(held)]
            assert codes
            assert all(Path(code.co_filename).is_relative_to(ENGINE) for code in codes)
            assert not any("hostile" in repr((code.co_consts, code.co_names, code.co_varnames)) for code in codes)


@pytest.mark.parametrize("room", ["schemas", "calls", "wire"])
def test_no_room_that_reads_a_schema_turns_text_into_code(room: str) -> None:
    forbidden = {"exec", "eval", "compile", "__import__"}
    for file in (ENGINE / room).rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        called = {
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not called & forbidden, file


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "http://example.test/schema.json"},
        {"$ref": "file:///etc/passwd"},
        {"$ref": "#/$defs/missing"},
        {"$ref": "#"},
        {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"},
        {"properties": {"a": {"pattern": "("}}},
        {"patternProperties": {"(": {}}},
        {"type": "text"},
        {"properties": []},
        {"required": "a"},
        {"items": None},
        {"minimum": "1"},
        {"multipleOf": 0},
        {"minLength": -1},
        {"enum": 1},
        {"allOf": [{"$id": "http://x.test/a"}, {"$id": "http://x.test/a"}]},
        {"pattern": 1},
        {"$ref": 1},
        [],
        None,
        "text",
    ],
    ids=str,
)
def test_a_broken_schema_is_refused_with_its_place(schema: Any) -> None:
    with pytest.raises(SchemaError) as caught:
        checker(schema)
    assert caught.value.pointer.startswith("/")
    assert caught.value.reason
