"""No schema overflows a stack: whatever nests, it is converted within a few dozen calls of Python."""

import sys
from contextlib import contextmanager

import pytest

from toolglot.json_values import equal, identity
from toolglot.schemas.normal import normal_form
from toolglot.tables.ruleset import load_rules
from toolglot.unwound import unwound
from toolglot.wire.convert import convert_normal

SHIPPED = load_rules(entry_points=False)
LEVELS, CALLS = 120, 60
TEXT = {"type": "string"}

# Each puts a schema into a larger one.
NESTED = {
    "properties": lambda below: {"type": "object", "properties": {"a": below}, "additionalProperties": False},
    "additionalProperties": lambda below: {"type": "object", "additionalProperties": below},
    "patternProperties": lambda below: {"patternProperties": {"^a": below}, "additionalProperties": False},
    "items": lambda below: {"type": "array", "items": below},
    "prefixItems": lambda below: {"type": "array", "prefixItems": [below, TEXT], "items": False},
    "anyOf": lambda below: {"anyOf": [TEXT, below]},
    "anyOf beside": lambda below: {"type": ["object", "string"], "properties": {"a": TEXT}, "anyOf": [TEXT, below]},
    "oneOf": lambda below: {"oneOf": [TEXT, below]},
    "oneOf of maps": lambda below: {"oneOf": [{"items": TEXT}, {"type": "object", "additionalProperties": below}]},
    "allOf": lambda below: {"allOf": [{"minLength": 1}, below]},
    "not": lambda below: {"type": ["integer", "string"], "not": below},
    "if": lambda below: {"if": below, "then": {"minimum": 1}, "else": TEXT},
    "then": lambda below: {"if": {"type": "integer"}, "then": below},
    "contains": lambda below: {"type": "array", "contains": below},
    "propertyNames": lambda below: {"propertyNames": {"anyOf": [{"maxLength": 3}, below]}},
    "dependentSchemas": lambda below: {"type": "object", "properties": {"a": TEXT}, "dependentSchemas": {"a": below}},
    "unevaluatedProperties": lambda below: {"allOf": [{"properties": {"a": TEXT}}], "unevaluatedProperties": below},
    "nullable": lambda below: {"type": ["object", "null"], "properties": {"a": below}},
    "required": lambda below: {"type": "object", "required": ["a", "b"], "additionalProperties": below},
    "required by pattern": lambda below: {"type": "object", "required": ["a", "b"], "patternProperties": {"": below}},
}  # fmt: skip
# Each is one definition of a chain, made of a reference to the next.
CHAINED = {
    "$ref": lambda reference: reference,
    "$ref beside": lambda reference: {**reference, "minLength": 1},
    "$ref in anyOf": lambda reference: {"anyOf": [TEXT, reference]},
    "$ref in allOf": lambda reference: {"allOf": [reference, {"minLength": 1}]},
    "$ref in oneOf": lambda reference: {"oneOf": [reference, {"type": "object", "additionalProperties": TEXT}]},
}
VALUES = {
    "const": lambda value, _: {"const": value},
    "enum": lambda value, other: {"enum": [value, 1, other, "x"]},
    "enums": lambda value, other: {"anyOf": [{"enum": [value]}, {"enum": [other, value]}, TEXT]},
    "const in allOf": lambda value, other: {"allOf": [{"const": value}, {"enum": [value, other]}]},
    "default": lambda value, other: {"type": "integer", "default": value, "examples": [other]},
    "x-words in allOf": lambda value, other: {"allOf": [{"x-a": value, "default": 1}, {"x-a": other, "default": 2}]},
}


DEEP = {"a": 1}
for _ in range(70):
    DEEP = {"a": DEEP}
CALLS_OF_TOOLS = [
    {"v": 1},
    {"v": "x", "w": 1},
    {"v": {"a": {"a": 1}}},
    {"v": [[["x"]]]},
    {"v": DEEP},
    {"w": None},
    DEEP,
]


def nested(make, levels, value=None):
    for _ in range(levels):
        value = make(value or {"type": "integer"})
    return value


def chained(make, levels):
    definitions = {f"D{at}": make({"$ref": f"#/$defs/D{at + 1}"}) for at in range(levels)}
    return {"$ref": "#/$defs/D0", "$defs": {**definitions, f"D{levels}": {"type": "integer"}}}


def schemas(levels):
    """Each shape as a parameter of a tool."""
    found = {name: nested(make, levels) for name, make in NESTED.items()}
    found |= {name: chained(make, levels) for name, make in CHAINED.items()}
    value, other = nested(lambda below: {"a": below}, levels, 1), nested(lambda below: [below], levels, 1)
    found |= {name: make(value, other) for name, make in VALUES.items()}
    pattern = "^" + "(?:" * levels + "a" + ")?" * levels + "$"
    found |= {"pattern": {"type": "string", "pattern": pattern}}
    for name, schema in found.items():
        definitions = {"$defs": schema["$defs"]} if "$defs" in schema else {}
        yield name, {"type": "object", "properties": {"v": schema, "w": {"type": "integer"}}, **definitions}


@contextmanager
def few_calls(most=CALLS):
    """Lets what runs below call so many functions within each other."""
    before, depth, frame = sys.getrecursionlimit(), 0, sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    sys.setrecursionlimit(depth + most)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


QUICK = ["openai/strict", "gemini/parameters", "llama.cpp"]
ALL = [*QUICK, *[pytest.param(name, marks=pytest.mark.heavy) for name in SHIPPED.targets if name not in QUICK]]


def convert_and_read(schema, rules):
    conversion = convert_normal(normal_form(schema), rules)
    assert conversion.wire_json
    for call in CALLS_OF_TOOLS:
        restored, problems = conversion.restore(call)
        assert problems or isinstance(restored, dict)
        assert isinstance(conversion.spellings(call), list)


@pytest.mark.parametrize("target", ALL)
def test_a_deep_schema_is_converted_and_its_calls_are_read_in_few_calls_of_python(target):
    rules = SHIPPED.target(target)
    for _, schema in schemas(2):  # what is imported when it is first needed takes calls of its own
        convert_and_read(schema, rules)
    for _, schema in schemas(LEVELS):
        with few_calls():
            convert_and_read(schema, rules)


def test_values_of_any_depth_are_compared_in_few_calls():
    one, other = (nested(lambda below: {"a": [below]}, 5_000, value) for value in (1, 1.0))
    with few_calls(20):
        assert equal(one, other)
        assert identity(one) == identity(other)
        assert identity(one) != identity(nested(lambda below: {"a": [below]}, 5_000, True))


def test_an_unwound_function_calls_itself_at_any_depth():
    def counted(levels):
        return 0 if levels == 0 else (yield counted(levels - 1)) + 1

    with few_calls(20):
        assert unwound(counted(50_000)) == 50_000


@pytest.mark.parametrize("target", ["outlines", "llama.cpp", "lm-format-enforcer"])
def test_tuples_in_tuples_do_not_multiply(target):
    schema = nested(NESTED["prefixItems"], 40)
    wire = convert_normal(
        normal_form({"type": "object", "properties": {"v": schema}}), SHIPPED.target(target)
    ).wire_json
    assert len(wire) < 60_000


@pytest.mark.parametrize("target", ["fireworks", "xai"])
def test_what_stands_beside_unions_in_unions_is_not_merged_without_end(target):
    """Each level hands what it says to the next: after so much of it, the rest is left to the check."""
    normal = normal_form({"type": "object", "properties": {"v": nested(NESTED["anyOf beside"], 900)}})
    assert len(convert_normal(normal, SHIPPED.target(target)).edits) < 9_000
