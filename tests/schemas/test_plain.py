"""The fast way of reading a plain schema gives what the general way gives, or leaves the schema to it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.schemas.suite import DIALECTS, cases, documents
from tests.schemas.test_normal import BROKEN, BROKEN_SCHEMAS, DATA, NAMES, READINGS, SCHEMAS
from tests.shared_data import corpus, mcp_tools

from toolglot.errors import SchemaError
from toolglot.schemas.forms import Normal, Schema
from toolglot.schemas.normal import any_normal, normal_form, told
from toolglot.schemas.plain import plain_normal
from toolglot.schemas.values import _VALUES, plain_types
from toolglot.schemas.walk import DEFAULT_LIMITS, Limits
from toolglot.tables.keywords import Form, dialects, keywords


def said(normal: Normal) -> tuple[Any, ...]:
    """All that a normal form says, with the order of its keys and the place of each schema."""
    definitions = dict(normal.definitions)
    flags = (normal.asserts_formats, normal.integer_by_spelling, normal.unknown, normal.detection)
    return repr([normal.root, definitions]), places([normal.root, definitions]), flags


def places(value: Any) -> list[Any]:
    found: list[Any] = []
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Schema):
            found.append(item.place)
        if isinstance(item, (dict, list)):
            waiting += item.values() if isinstance(item, dict) else item
    return found


def compare(schema: Any, dialect: str | None = None, known: Any = None, limits: Limits = DEFAULT_LIMITS) -> bool:
    """Whether the fast way reads the schema; it must then say what the general way says."""
    how = told(schema, dialect, known or {}, limits)
    plain = plain_normal(schema, how, limits)
    if plain is not None:
        assert said(plain) == said(any_normal(schema, how, known or {}, limits))
    return plain is not None


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.heavy)])
def test_real_schemas_are_read_alike_and_nearly_all_of_them_are_plain(step: int) -> None:
    schemas = [record["schema"] for record in corpus()]
    schemas += [tool[name] for tool in mcp_tools() for name in ("inputSchema", "outputSchema") if name in tool]
    plain = [compare(schema) for schema in schemas[::step]]
    assert sum(plain) > len(plain) * 0.9


def test_real_schemas_are_read_alike_whatever_dialect_is_handed_in() -> None:
    for number, record in enumerate(corpus()):
        if number % 20 == 0:
            for dialect in dialects():
                try:
                    compare(record["schema"], dialect)
                except SchemaError as error:
                    pytest.fail(f"{dialect}: {error}")


@pytest.mark.parametrize("folder", DIALECTS)
def test_the_schemas_of_the_official_suite_are_read_alike(folder: str) -> None:
    known = documents(folder)
    read = [compare(case.schema, dialect, known) for case in cases(folder) for dialect in (None, case.dialect)]
    assert any(read)


@pytest.mark.parametrize(("dialect", "schema", "_"), READINGS)
def test_each_reading_is_alike(dialect: str, schema: Any, _: Any) -> None:
    compare(schema, dialect)
    compare(schema)


@pytest.mark.parametrize(("dialect", "schema", "_", "__"), BROKEN, ids=range(len(BROKEN)))
def test_what_is_broken_is_left_to_the_way_that_says_so(dialect: str, schema: Any, _: Any, __: Any) -> None:
    assert plain_normal(schema, told(schema, dialect, {}, DEFAULT_LIMITS), DEFAULT_LIMITS) is None


@settings(max_examples=400, deadline=None)
@given(BROKEN_SCHEMAS, st.sampled_from([None, *dialects()]))
def test_whatever_is_given_is_read_alike(schema: Any, dialect: str | None) -> None:
    if isinstance(schema, (dict, bool)):
        compare(schema, dialect)


@settings(max_examples=200, deadline=None)
@given(SCHEMAS, st.sampled_from([None, *dialects()]))
def test_any_schema_is_read_alike(schema: Any, dialect: str | None) -> None:
    compare(schema, dialect)


REFERENCES = st.sampled_from(
    ["#", "#/$defs/a", "#/definitions/b", "#/$defs/a/items", "#/properties/a", "#x", "x", "#/$defs/%61", "#/$defs/"]
)
RIGHT = {
    "any": DATA,
    "text": st.sampled_from(["", "byte", "date", "#x", "http://example.com/a", "http://["]),
    "reference": REFERENCES,
    "anchor": st.just("x"),
    "flag": st.booleans(),
    "number": st.integers() | st.floats(),
    "positive-number": st.integers(1) | st.just(0.5),
    "count": st.sampled_from([0, 1, 2.0]),
    "count-or-text": st.sampled_from([1, "1"]),
    "list": st.lists(DATA, max_size=3),
    "choices": st.lists(DATA, min_size=1, max_size=3),
    "names": st.lists(NAMES, max_size=3),
    "some-names": st.lists(NAMES, min_size=1, max_size=3),
    "type": st.sampled_from(["string", "null", "OBJECT", "any"]),
    "types": st.sampled_from(["string", "null", "OBJECT", ["string"], ["null", "object", "null"]]),
    "map-of-names": st.dictionaries(NAMES, st.lists(NAMES, max_size=2), max_size=2),
    "switches": st.dictionaries(NAMES, st.booleans(), max_size=2),
}
DEFINITIONS = ("$defs", "definitions")


def value_of(keyword: str, inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A value that is right for the keyword in some dialect."""
    if keyword not in keywords():
        return DATA
    held = {
        "none": st.nothing(),
        "one": inner,
        "list": st.lists(inner, min_size=1, max_size=2),
        "map": st.dictionaries(st.sampled_from(["a", "b"]) if keyword in DEFINITIONS else NAMES, inner, max_size=3),
        "one-or-list": inner | st.lists(inner, max_size=2),
        "map-or-names": st.dictionaries(NAMES, inner | st.lists(NAMES, max_size=2), max_size=2),
        "names-or-schemas": st.just("any") | st.lists(st.just("string") | inner, max_size=2),
    }
    forms = keywords()[keyword].forms
    return st.one_of([held[form.holds] if form.holds != "none" else RIGHT[form.value] for form in forms])


def schema_of(inner: st.SearchStrategy[Any], words: tuple[str, ...] = ()) -> st.SearchStrategy[Any]:
    chosen = st.lists(st.sampled_from([*keywords(), "own", "x-own", *words * 10]), max_size=4, unique=True)
    return chosen.flatmap(lambda found: st.fixed_dictionaries({word: value_of(word, inner) for word in found}))


MOSTLY_RIGHT = st.recursive(st.booleans() | schema_of(st.just({})), schema_of, max_leaves=8)
WHOLE = schema_of(MOSTLY_RIGHT, ("$schema", "$defs", "definitions", "properties", "$ref"))
ADDRESSES = [f"http://{uri}#" for row in dialects().values() for uri in row.schema] + ["http://example.com/own"]


@settings(max_examples=600, deadline=None)
@given(WHOLE, st.sampled_from([None, *ADDRESSES]), st.sampled_from([None, *dialects()]))
def test_schemas_of_any_keywords_are_read_alike(schema: Any, declared: str | None, dialect: str | None) -> None:
    schema = {**schema, "$schema": declared} if declared else schema
    if plain_normal(schema, told(schema, dialect, {}, DEFAULT_LIMITS), DEFAULT_LIMITS) is not None:
        compare(schema, dialect)


@settings(max_examples=100, deadline=None)
@given(SCHEMAS | WHOLE, st.sampled_from([None, "draft-04", "draft-07"]), st.integers(1, 8), st.integers(1, 12))
def test_limits_hold_alike(schema: Any, dialect: str | None, depth: int, nodes: int) -> None:
    compare(schema, dialect, limits=Limits(depth=depth, nodes=nodes))


@pytest.mark.parametrize("schema", [{"not": False}, {"additionalProperties": True}, {"contentSchema": True}], ids=str)
@pytest.mark.parametrize("limits", [Limits(depth=1, nodes=9), Limits(depth=9, nodes=1)], ids=str)
def test_a_boolean_counts_as_a_schema_of_its_own(schema: Any, limits: Limits) -> None:
    with pytest.raises(SchemaError):
        normal_form(schema, limits=limits)


SHARED: Any = {"enum": [[1]]}
PLAIN = {
    "in a definition": {
        "definitions": {"a": {"const": 1}, "b": {"own": 1}},
        "properties": {"x": {"$ref": "#/definitions/a"}},
    },
    "itself": {"properties": {"a": {"$ref": "#/definitions/root"}, "b": {"$ref": "#"}}, "definitions": {"root": {}}},
    "named alike": {
        "anyOf": [{"$ref": f"#/definitions/{name}"} for name in ("A", "a", "b c")],
        "definitions": {"A": {}, "a": {}, "b c": {}},
    },
    "beside a reference": {
        "definitions": {"a": {"id": 1}},
        "items": {"$ref": "#/definitions/a", "title": 5, "minLength": "x"},
    },
    "named": {"$id": "http://example.com/a", "items": {"type": "string"}},
    "in a circle": {
        "definitions": {"a": {"items": {"$ref": "#/definitions/b"}}, "b": {"not": {"$ref": "#/definitions/a"}}},
        "$ref": "#/definitions/a",
    },
    "shared": {"properties": {"a": SHARED, "b": SHARED}},
    "with names that nothing asks for": {
        "$id": "http://example.com/root.json#",
        "properties": {"a": {"$id": "#a"}, "b": {"$id": "/properties/b"}, "c": {"$id": "#a"}},
    },
    "with what acts beside a list only": {
        "additionalItems": {"own": 1, "$ref": "#/definitions/nowhere"},
        "items": {"additionalItems": False, "items": {}},
    },
}


@pytest.mark.parametrize("name", PLAIN)
def test_these_are_plain(name: str) -> None:
    assert compare(PLAIN[name], "draft-07")
    compare(PLAIN[name])


@settings(deadline=None)
@given(st.data())
def test_values_of_a_plain_type_are_right(data: st.DataObject) -> None:
    kinds = {str: st.text(), bool: st.booleans(), int: st.integers(), list: st.lists(st.none() | st.text())}
    for name, check in _VALUES.items():
        for kind in plain_types(Form(frozenset(), value=name)):
            assert check(dialects()["2020-12"], data.draw(kinds[kind])) is None
