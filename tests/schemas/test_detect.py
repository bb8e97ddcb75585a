"""Which dialect a schema is written in."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolglot.schemas.detect import detect
from toolglot.tables.keywords import dialects


@pytest.mark.parametrize(
    ("address", "dialect"),
    [
        ("http://json-schema.org/draft-03/schema#", "draft-03"),
        ("https://json-schema.org/draft-04/schema", "draft-04"),
        ("http://json-schema.org/draft-06/schema", "draft-06"),
        ("https://json-schema.org/draft-07/schema#", "draft-07"),
        ("http://json-schema.org/draft/2019-09/schema#", "2019-09"),
        ("https://json-schema.org/draft/2020-12/schema", "2020-12"),
        ("https://spec.openapis.org/oas/3.1/dialect/base", "openapi-3.1"),
    ],
)
def test_an_address_is_known_with_and_without_hash_over_http_and_https(address: str, dialect: str) -> None:
    assert detect({"$schema": address}).dialect == dialect
    assert detect({"$schema": address}).certainty == "declared"


@pytest.mark.parametrize(
    ("schema", "dialect", "certainty"),
    [
        ({"minimum": 1, "exclusiveMinimum": True}, "draft-04", "likely"),
        ({"exclusiveMinimum": 1}, "2020-12", "likely"),
        ({"type": "string", "nullable": True}, "openapi-3.0", "likely"),
        ({"prefixItems": [{}]}, "2020-12", "marked"),
        ({"definitions": {"a": {}}}, "draft-07", "likely"),
        ({"$defs": {"a": {}}}, "2020-12", "likely"),
        ({"items": [{}]}, "2019-09", "likely"),
        ({"type": "OBJECT"}, "gemini", "marked"),
        ({"properties": {"a": {"required": True}}}, "draft-03", "marked"),
        ({"$recursiveRef": "#"}, "2019-09", "marked"),
        ({"if": {}, "dependencies": {}}, "draft-07", "marked"),
        ({"$id": "#/properties/a", "type": "string"}, "draft-07", "likely"),
        ({"type": "string"}, "2020-12", "default"),
        ({"$ref": "#/components/schemas/A", "components": {"schemas": {"A": {}}}}, "openapi-3.1", "likely"),
    ],
)
def test_marks_decide_where_schema_does_not(schema: dict[str, Any], dialect: str, certainty: str) -> None:
    found = detect(schema)
    assert (found.dialect, found.certainty) == (dialect, certainty)


def test_the_newest_dialect_that_explains_most_wins_and_the_rest_is_a_conflict() -> None:
    found = detect({"prefixItems": [{}], "exclusiveMinimum": True})
    assert found.dialect == "2020-12"
    assert found.conflicts == ("boolean exclusiveMinimum at /",)
    assert found.certainty == "likely"


def test_a_mark_says_where_it_stands() -> None:
    assert detect({"properties": {"a": {"exclusiveMinimum": True}}}).marks == (
        "boolean exclusiveMinimum at /properties/a",
    )


def test_a_declared_dialect_stands_and_marks_of_others_are_named() -> None:
    found = detect({"$schema": "http://json-schema.org/draft-07/schema#", "prefixItems": []})
    assert (found.dialect, found.conflicts) == ("draft-07", ("list prefixItems at /",))


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"prefixItems": {"type": "array"}, "nullable": {}, "dependencies": {}}},
        {"default": {"prefixItems": [], "type": "OBJECT"}},
        {"enum": [{"nullable": True}], "const": {"type": "OBJECT"}},
        {"examples": [{"required": True}]},
    ],
)
def test_properties_and_data_are_no_marks(schema: dict[str, Any]) -> None:
    found = detect(schema)
    assert found.dialect == "2020-12"
    assert not any("prefixItems" in mark or "OBJECT" in mark or "nullable" in mark for mark in found.marks)


def test_an_unknown_address_is_told_and_marks_decide() -> None:
    found = detect({"$schema": "https://example.com/own", "prefixItems": []})
    assert found.dialect == "2020-12"
    assert "https://example.com/own" in found.conflicts[0]


def test_the_callers_default_holds_without_marks() -> None:
    assert detect({}, default="draft-07").dialect == "draft-07"
    assert detect({"const": 1}, default="draft-06").dialect == "draft-06"


JUNK = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text() | st.binary() | st.integers(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.sampled_from(["type", "items", "$schema", "required", "properties", "dependencies", "$ref", "allOf"])
            | st.integers(),
            inner,
        )
        | st.tuples(inner)
    ),
)


@given(JUNK)
def test_nothing_that_is_given_raises(junk: Any) -> None:
    assert detect(junk).dialect in dialects()


def test_a_schema_that_holds_itself_is_read_to_the_limit() -> None:
    schema: dict[str, Any] = {"type": "object"}
    schema["properties"] = {"self": schema}
    assert detect(schema).certainty == "default"


@pytest.mark.parametrize("declared", [10**5_000, None, [], {"a": 1}], ids=["huge", "null", "list", "object"])
def test_a_schema_that_is_declared_with_no_text_is_read_by_its_marks(declared: Any) -> None:
    assert detect({"$schema": declared, "prefixItems": []}).dialect == "2020-12"
