"""The one walker finds every schema position and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from toolglot.errors import SchemaError
from toolglot.schemas.walk import Limits, walk
from toolglot.tables.keywords import vocabulary


def places(schema: Any, dialect: str = "2020-12") -> list[str]:
    return ["/".join(map(str, node.path)) for node in walk(schema, vocabulary(dialect))]


def test_a_property_named_as_a_keyword_is_walked_into_and_the_keyword_is_not() -> None:
    schema = {
        "properties": {"enum": {"type": "string"}, "default": True},
        "enum": [{"properties": {}}],
        "default": {"items": {}},
    }
    assert places(schema) == ["", "properties/enum", "properties/default"]


def test_data_is_never_walked_into() -> None:
    data = {"properties": {"a": {}}, "items": {}, "allOf": [{}]}
    schema = {"const": data, "enum": [data], "default": data, "examples": [data], "x-own": data, "unknown": data}
    assert places(schema) == [""]


def test_every_kind_of_holder_is_walked_in_the_order_of_the_text() -> None:
    schema = {
        "not": {},
        "if": True,
        "dependentSchemas": {"a": {}},
        "allOf": [{"items": False}, {}],
        "$defs": {"d": {"type": ["object", "null"], "properties": {"p": {}}}},
    }
    assert places(schema) == [
        "", "not", "if", "dependentSchemas/a", "allOf/0", "allOf/0/items", "allOf/1", "$defs/d", "$defs/d/properties/p",
    ]  # fmt: skip


def test_a_keyword_is_walked_into_only_where_its_dialect_has_it() -> None:
    schema = {
        "prefixItems": [{}],
        "items": [{}],
        "extends": {},
        "type": ["string", {}],
        "dependencies": {"a": ["b"], "c": {}},
    }
    assert places(schema, "draft-07") == ["", "items/0", "dependencies/c"]
    assert places(schema, "draft-03") == ["", "items/0", "extends", "type/1", "dependencies/c"]


def test_beside_a_reference_only_definitions_are_walked_before_2019() -> None:
    schema = {"$ref": "#", "definitions": {"a": {}}, "properties": {"b": {}}}
    assert places(schema, "draft-07") == ["", "definitions/a"]
    assert places(schema, "2020-12") == ["", "definitions/a", "properties/b"]


def test_the_walk_stops_at_its_limits() -> None:
    schema: dict[str, Any] = {}
    for _ in range(100):
        schema = {"not": schema}
    assert len(list(walk(schema, vocabulary("2020-12")))) == 101
    for limits in (Limits(depth=50), Limits(nodes=50)):
        with pytest.raises(SchemaError) as caught:
            list(walk(schema, vocabulary("2020-12"), limits))
        assert caught.value.path == ("not",) * 50
