"""Numbers and text at the door: what is no plain JSON has one documented answer, and never a traceback."""

from __future__ import annotations

import collections
import enum
import math
from decimal import Decimal
from typing import Any

import pytest

from toolglot.calls.checker import checker

NO_JSON = [
    math.nan,
    math.inf,
    -math.inf,
    Decimal("nan"),
    Decimal("-inf"),
    {1, 2},
    b"text",
    1j,
    range(3),
]
TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"]


def accepts(schema: Any, value: Any, **options: Any) -> bool:
    held = checker(schema, **options)
    answer = held.accepts(value)
    assert bool(held.problems(value)) is not answer
    assert bool(held._finder.exactly(value)) is not answer
    return answer


@pytest.mark.parametrize("value", NO_JSON, ids=repr)
def test_what_is_no_json_has_no_type(value: Any) -> None:
    assert not any(accepts({"type": name}, value) for name in TYPES)
    assert not accepts({"type": TYPES}, value)


@pytest.mark.parametrize("value", NO_JSON, ids=repr)
def test_what_is_no_json_equals_nothing(value: Any) -> None:
    assert not accepts({"enum": [1, "text", None, True, [], {}]}, value)
    assert not accepts({"const": 1}, value)
    assert accepts({"uniqueItems": True}, [value, value])


@pytest.mark.parametrize("value", NO_JSON, ids=repr)
def test_a_schema_that_asks_for_nothing_lets_it_pass(value: Any) -> None:
    assert accepts({}, value)
    assert accepts({"minimum": 0, "multipleOf": 3, "minLength": 2}, value)
    assert accepts({"not": {"type": TYPES}}, value)


def test_no_json_inside_a_value_is_found_where_the_schema_looks() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "number"}}}}
    assert accepts(schema, {"a": [1.5]})
    (problem,) = checker(schema).problems({"a": [1.5, math.nan]})
    assert (problem.path, problem.keyword) == (("a", 1), "type")


def test_true_is_not_one_and_one_is_not_true() -> None:
    assert not accepts({"type": "integer"}, True)
    assert not accepts({"type": "number"}, False)
    assert not accepts({"type": "boolean"}, 1)
    assert not accepts({"const": 1}, True)
    assert not accepts({"enum": [0, 1]}, False)
    assert not accepts({"enum": [True]}, 1)
    assert not accepts({"const": {"a": [1]}}, {"a": [True]})
    assert accepts({"uniqueItems": True}, [1, True, 0, False, "1", [1], [True], {"a": 1}, {"a": True}])


def test_one_point_zero_is_the_integer_one() -> None:
    assert accepts({"type": "integer"}, 1.0)
    assert accepts({"const": 1}, 1.0)
    assert accepts({"enum": [1.0]}, 1)
    assert accepts({"const": [1, {"a": 2.0}]}, [1.0, {"a": 2}])
    assert not accepts({"uniqueItems": True}, [1, 1.0])
    assert not accepts({"uniqueItems": True}, [{"a": 1, "b": 2}, {"b": 2.0, "a": 1.0}])
    assert not accepts({"type": "integer"}, 1.5)


@pytest.mark.parametrize("dialect", ["draft-03", "draft-04"])
def test_one_point_zero_is_no_integer_in_dialects_that_go_by_spelling(dialect: str) -> None:
    assert not accepts({"type": "integer"}, 1.0, dialect=dialect)
    assert accepts({"type": "number"}, 1.0, dialect=dialect)
    assert accepts({"enum": [1]}, 1.0, dialect=dialect)


def test_integers_of_any_size_are_exact() -> None:
    assert accepts({"minimum": 2**64}, 2**64)
    assert not accepts({"maximum": 2**64}, 2**64 + 1)
    assert accepts({"const": 10**30}, 10**30)
    assert not accepts({"const": 10**30}, 10**30 + 1)
    assert not accepts({"const": 9007199254740993}, 9007199254740992.0)
    assert accepts({"multipleOf": 7}, 7 * 10**40)
    assert not accepts({"multipleOf": 7}, 7 * 10**40 + 1)


def test_integers_of_more_digits_than_python_prints_are_no_trouble() -> None:
    huge = 10**5000
    assert accepts({"type": "integer", "minimum": 0, "multipleOf": 0.5}, huge)
    assert accepts({"const": huge, "maximum": huge}, huge)
    for schema in (
        {"maximum": 5},
        {"const": huge + 1},
        {"minimum": huge * 10},
        {"enum": [huge + 1]},
        {"multipleOf": 7},
    ):
        assert not accepts(schema, huge)
        assert checker(schema).problems(huge)[0].wanted


@pytest.mark.parametrize(
    ("value", "unit", "is_multiple"),
    [
        (0.0075, 0.0001, True),
        (0.00751, 0.0001, False),
        (19.01, 0.01, True),
        (1e308, 0.5, True),
        (1e308, 3, False),
        (1e30, 0.3, False),
        (1e308, 0.123456789, False),
        (4.5, 1.5, True),
        (35, 1.5, False),
        (0, 1e-300, True),
        (1, 1e-300, True),
        (10**400, 0.1, True),
        (10**400 + 1, 10.0, False),
        (1.5, 10**400, False),
        (5e-324, 5e-324, True),
    ],
)
def test_multiples_are_counted_in_decimal_as_written(value: float, unit: float, is_multiple: bool) -> None:
    assert accepts({"multipleOf": unit}, value) is is_multiple


def test_a_decimal_is_a_number_of_exactly_its_value() -> None:
    assert accepts({"type": "number", "minimum": 1, "multipleOf": 0.1}, Decimal("1.1"))
    assert not accepts({"type": "number", "maximum": 1}, Decimal("1.00000000000000000000001"))
    assert accepts({"type": "integer"}, Decimal("1.00"))
    assert accepts({"type": "integer", "minimum": 1e308}, Decimal("1e400"))
    assert not accepts({"multipleOf": 7}, Decimal("1e999999"))
    assert not accepts({"type": "integer"}, Decimal("1.5"))
    assert not accepts({"type": "integer"}, Decimal(1), dialect="draft-04")
    assert accepts({"enum": [1.5, 2]}, Decimal(2))
    assert not accepts({"uniqueItems": True}, [Decimal("1.5"), 1.5])


def test_limits_past_a_double_are_beyond_every_number() -> None:
    assert accepts({"maximum": math.inf}, 10**400)
    assert not accepts({"minimum": math.inf}, 10**400)
    assert not accepts({"enum": [math.inf]}, math.inf)


def test_a_tuple_is_an_array() -> None:
    assert accepts({"type": "array", "items": {"type": "integer"}}, (1, 2))
    assert not accepts({"type": "array", "items": {"type": "integer"}}, (1, "a"))
    assert accepts({"const": [1, [2]]}, (1, (2,)))
    assert not accepts({"uniqueItems": True}, [(1,), [1]])
    assert not accepts({"items": {"type": "string"}}, (1,))


def test_keys_that_are_no_text_match_no_name_and_no_pattern() -> None:
    value = {1: "a", None: "b", (1, 2): "c"}
    assert accepts({"type": "object"}, value)
    assert accepts({"patternProperties": {".*": {"type": "null"}}}, value)
    assert not accepts({"additionalProperties": False, "properties": {"1": {}}}, value)
    assert accepts({"additionalProperties": {"type": "string"}}, value)
    assert not accepts({"propertyNames": {"type": "string"}}, value)
    assert not accepts({"required": ["1"]}, value)
    assert not accepts({"unevaluatedProperties": False}, value)
    assert not accepts({"const": {"1": "a"}}, {1: "a"})


def test_lone_surrogates_are_characters() -> None:
    lone = "\ud800"
    assert accepts({"type": "string", "minLength": 1, "maxLength": 1}, lone)
    assert accepts({"const": lone, "enum": [lone]}, lone)
    assert not accepts({"const": "\udc00"}, lone)
    assert accepts({"properties": {lone: {"type": "integer"}}, "required": [lone]}, {lone: 1})
    assert not accepts({"properties": {lone: {"type": "integer"}}}, {lone: "1"})
    assert accepts({"pattern": "^.$"}, lone)
    assert not accepts({"pattern": "^a$"}, lone)
    assert not accepts({"patternProperties": {"^.$": False}}, {lone: 1})


def test_text_is_counted_in_code_points() -> None:
    assert accepts({"maxLength": 2, "minLength": 2}, "😀😀")
    assert not accepts({"maxLength": 1}, "e\u0301")


def test_subclasses_are_what_they_look_like() -> None:
    class Count(enum.IntEnum):
        ONE = 1

    class Word(str):
        __slots__ = ()

    assert accepts({"type": "object", "required": ["a"]}, collections.OrderedDict(a=1))
    assert accepts({"type": "integer", "maximum": 1, "enum": [1]}, Count.ONE)
    assert accepts({"type": "string", "pattern": "^a$", "enum": ["a"]}, Word("a"))
    assert not accepts({"type": "string", "maxLength": 1}, Word("ab"))
    assert accepts({"items": {"type": "object"}}, [collections.OrderedDict()])


def nested(levels: int, kind: type) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value] if kind is list else {"a": value}
    return value


DEEP = {
    "list": {"$defs": {"t": {"type": ["array", "integer"], "items": {"$ref": "#/$defs/t"}}}, "$ref": "#/$defs/t"},
    "dict": {"type": ["object", "integer"], "properties": {"a": {"$ref": "#"}}, "additionalProperties": False},
    "union": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"$ref": "#"}}]},
    "unevaluated": {"type": ["object", "integer"], "properties": {"a": {"$ref": "#"}}, "unevaluatedProperties": False},
}


@pytest.mark.parametrize("levels", [200, 3_000])
@pytest.mark.parametrize("shape", DEEP)
def test_deep_values_are_judged_at_any_depth(shape: str, levels: int) -> None:
    kind = dict if shape in ("dict", "unevaluated") else list
    held = checker(DEEP[shape])
    assert held.accepts(nested(levels, kind))
    assert held.problems(nested(levels, kind)) == ()
    bad = [nested(levels, kind), "x"] if kind is list else {"a": nested(levels, kind), "b": 1}
    assert held.problems(bad)


@pytest.mark.parametrize("shape", DEEP)
def test_values_that_are_deeper_than_the_work_allows_are_refused_with_that_reason(shape: str) -> None:
    kind = dict if shape in ("dict", "unevaluated") else list
    held = checker(DEEP[shape])
    (problem,) = held.problems(nested(40_000, kind))
    assert problem.rule == "work-limit"


def test_the_place_of_a_problem_is_known_however_deep() -> None:
    value = nested(5_000, list)
    innermost = value
    while isinstance(innermost[0], list):
        innermost = innermost[0]
    innermost[0] = "no integer"
    (problem,) = checker(DEEP["list"]).problems(value)
    assert problem.path == (0,) * 5_000
    assert problem.got == "no integer"


def test_deep_values_are_compared_at_any_depth() -> None:
    assert accepts({"uniqueItems": True}, [nested(20_000, list), nested(20_001, list)])
    assert not accepts({"uniqueItems": True}, [nested(20_000, list), nested(20_000, list)])
    assert not accepts({"const": [[1]]}, nested(20_000, list))
    assert not accepts({"enum": [{"a": {"a": 1}}]}, nested(20_000, dict))


def test_a_value_that_contains_itself_is_refused() -> None:
    round_and_round: list[Any] = []
    round_and_round.append(round_and_round)
    (problem,) = checker(DEEP["list"]).problems(round_and_round)
    assert problem.rule == "work-limit"
    assert not checker({"uniqueItems": True}).accepts([round_and_round, 1])
    assert not checker({"const": [[1]]}).accepts(round_and_round)


def test_work_that_doubles_at_each_level_ends_in_a_refusal() -> None:
    pair = {"type": "array", "items": {"$ref": "#"}}
    schema = {"anyOf": [{"allOf": [pair, {"minItems": 3}]}, {"allOf": [pair, {"maxItems": 0}]}]}
    held = checker(schema)
    value = nested(60, list)
    assert not held.accepts(value)
    assert held.problems(value)


def test_references_that_double_end_in_a_refusal_or_an_answer() -> None:
    levels = {f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(40)}
    schema = {"$ref": "#/$defs/d0", "$defs": {**levels, "d40": {"type": "integer"}}}
    held = checker(schema)
    assert held.accepts(1) in (True, False)
    assert held.problems("x")
