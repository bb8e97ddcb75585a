"""The optional accelerator: its yes implies ours, and nothing else changes."""

from __future__ import annotations

import math
from collections import OrderedDict
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from tests.calls.generated import VALUES, schemas
from tests.shared_data import corpus

from toolglot.calls import accelerated as module
from toolglot.calls import checker as checkers
from toolglot.calls.accelerated import accelerated
from toolglot.calls.checker import Checker
from toolglot.errors import SchemaError
from toolglot.schemas.forms import Normal
from toolglot.schemas.normal import normal_form

QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much]
TYPED = {
    "type": "object",
    "properties": {"n": {"type": "number", "minimum": 1}, "s": {"type": ["string", "null"], "enum": ["a", None]}},
    "required": ["n"],
    "additionalProperties": False,
}
# Values that the two readings of JSON could tell apart.
ODD = [
    math.nan,
    math.inf,
    1.0,
    True,
    10**400,
    10**5000,
    -(10**5000),
    2**64,
    (1,),
    "\ud800",
    {1: 2},
    OrderedDict(n=1),
    Decimal(1),
    1e308,
    [()],
]


class Eager:
    """Stands in for the library where it is not installed: says what it is told to say."""

    answer: Any = True

    def __init__(self, document: Any) -> None:
        self.document = document

    def is_valid(self, value: Any) -> bool:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer(value) if callable(self.answer) else bool(self.answer)


def documents(normal: Normal) -> list[Any]:
    try:
        return [module._Plain(normal, False).schema(normal.root, module._DEEPEST)]
    except module._Unequal:
        return []


def test_a_no_or_an_exception_of_the_library_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_library", lambda: Eager)
    normal = normal_form(TYPED)
    for answer in (False, ValueError("cannot convert"), RecursionError(), OverflowError()):
        monkeypatch.setattr(Eager, "answer", answer)
        held = Checker(normal)
        assert held.accepts({"n": 1})
        assert not held.accepts({"n": 0})
        assert held.problems({"n": 0})


def test_without_the_library_the_answers_are_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_library", lambda: None)
    assert accelerated(normal_form(TYPED), formats=False) is None
    assert Checker(normal_form(TYPED)).accepts({"n": 1})


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "pattern": "a"},
        {"type": "number", "multipleOf": 0.1},
        {"not": {"type": "string"}},
        {"oneOf": [{"type": "string"}, {"type": "integer"}]},
        {"type": "array", "uniqueItems": True},
        {"enum": [[1]]},
        {"enum": [1.5]},
        {"const": 2**60},
        {"type": "number", "maximum": 1e400},
        {"items": {"type": "string"}},
        {"type": "array", "items": {"$ref": "#"}},
        {"unevaluatedProperties": False},
        {"if": {"type": "string"}, "then": False},
    ],
    ids=str,
)
def test_what_is_not_proven_equal_keeps_to_our_own_tests(schema: Any) -> None:
    assert documents(normal_form(schema)) == []


def test_what_is_proven_equal_is_handed_over_without_annotations() -> None:
    schema = {**TYPED, "title": "t", "$comment": "c", "examples": [1], "x-vendor": {"$ref": "#"}}
    (document,) = documents(normal_form(schema))
    assert document == TYPED


@pytest.mark.parametrize(
    "schema",
    [
        {"type": ["integer", "null"], "maximum": 5},
        {"type": ["number", "null"], "maximum": 5},
        {"type": "integer", "maximum": 5},
        {"type": "number", "maximum": 5},
        {"enum": [0]},
        {"const": 0},
        {"type": "integer", "enum": [0, 1]},
        {"type": ["string", "number"], "enum": [0, "a"]},
    ],
    ids=str,
)
def test_an_integer_of_thousands_of_digits_is_past_a_maximum_and_no_listed_value(schema: Any) -> None:
    # The library takes it for 0 where it compares it; asked by itself, it is no `number` there.
    assert len(documents(normal_form(schema))) == 1
    assert Checker(normal_form(schema)).accepts(0)
    assert not Checker(normal_form(schema)).accepts(10**5000)


def test_formats_are_ours_alone_where_they_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_library", lambda: Eager)
    normal = normal_form({"type": "string", "format": "ipv4"})
    assert accelerated(normal, formats=True) is None
    assert accelerated(normal, formats=False) is not None


# With the library itself ---------------------------------------------------------------------------------------------


def both(normal: Normal) -> tuple[Any, Any] | None:
    """The library's test and ours alone, where it is used."""
    pytest.importorskip("jsonschema_rs", reason="the extra `fast` is not installed")
    quick = accelerated(normal, formats=False)
    held = Checker(normal, formats=False)
    return None if quick is None else (quick, checkers._accepts(held._judged))


def its_yes_is_ours(normal: Normal, value: Any) -> bool:
    pair = both(normal)
    if pair is None:
        return False
    quick, ours = pair
    try:
        says_yes = quick(value)
    except Exception:  # noqa: BLE001 - as the check takes it
        return True
    assert not says_yes or ours(value)
    return True


@given(schemas(), VALUES)
@settings(max_examples=300, deadline=None, suppress_health_check=QUIET)
def test_on_generated_schemas_its_yes_is_ours(schema: Any, value: Any) -> None:
    pytest.importorskip("jsonschema_rs", reason="the extra `fast` is not installed")
    try:
        normal = normal_form(schema, dialect="2020-12")
    except SchemaError:
        return
    for each in (value, *ODD, [value], {"a": value}):
        its_yes_is_ours(normal, each)


@pytest.mark.parametrize("value", ODD, ids=range(len(ODD)))
def test_on_odd_values_its_yes_is_ours(value: Any) -> None:
    types = ["object", "array", "string", "number", "integer", "boolean", "null"]
    leaves = [{"type": name} for name in types] + [{"enum": ["a", None, 1]}, {"const": 1}, {}, False]
    leaves += [
        {"type": "integer", limit: 1} for limit in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
    ]
    leaves += [
        {"type": "string", "maxLength": 1},
        {"type": "array", "maxItems": 1},
        {"type": "object", "maxProperties": 1},
    ]
    for leaf in leaves:
        for schema, wrapped in (
            (leaf, value),
            ({"type": "array", "items": leaf}, [value]),
            ({"type": "object", "additionalProperties": leaf}, {"n": value}),
            ({"anyOf": [leaf, {"type": "null"}]}, value),
        ):
            its_yes_is_ours(normal_form(schema, dialect="2020-12"), wrapped)


def test_on_the_corpus_its_yes_is_ours_and_it_serves_a_good_part() -> None:
    served = total = 0
    for record in list(corpus())[::5]:
        normal = normal_form(record["schema"])
        for test in record["tests"]:
            total += 1
            served += its_yes_is_ours(normal, test["data"])
    assert served > total / 4
