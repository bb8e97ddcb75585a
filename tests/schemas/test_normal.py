"""Reading schemas of any dialect into the one normal form."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.schemas.growing import GROWING, nested
from tests.schemas.test_suite import keep_promises, whole
from tests.shared_data import corpus, mcp_tools
from tests.work import steps_of

from toolglot.errors import SchemaError
from toolglot.schemas.normal import normal_form
from toolglot.schemas.walk import Limits
from toolglot.tables.keywords import dialects, keywords

# A dialect, a schema, and what it becomes.
READINGS = [
    ("draft-03", {"type": "any"}, {}),
    ("draft-03", {"type": ["string", {"minimum": 1}]}, {"anyOf": [{"type": "string"}, {"minimum": 1}]}),
    ("draft-03", {"type": ["string"]}, {"type": "string"}),
    ("draft-03", {"disallow": "string"}, {"not": {"type": "string"}}),
    ("draft-03", {"disallow": ["any"]}, {"not": {}}),
    ("draft-03", {"extends": {"minimum": 1}}, {"allOf": [{"minimum": 1}]}),
    ("draft-03", {"divisibleBy": 2}, {"multipleOf": 2}),
    ("draft-03", {"properties": {"a": {"required": True}}}, {"properties": {"a": {}}, "required": ["a"]}),
    ("draft-03", {"dependencies": {"a": "b"}}, {"dependentRequired": {"a": ["b"]}}),
    ("draft-04", {"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
    ("draft-04", {"maximum": 1, "exclusiveMaximum": False}, {"maximum": 1}),
    ("draft-04", {"exclusiveMaximum": True}, {}),
    ("draft-04", {"items": [{}], "additionalItems": False}, {"prefixItems": [{}], "items": {"not": {}}}),
    ("draft-04", {"additionalItems": False}, {}),
    ("draft-07", {"dependencies": {"a": ["b", "b"]}}, {"dependentRequired": {"a": ["b"]}}),
    ("draft-07", {"dependencies": {"a": True}}, {"dependentSchemas": {"a": {}}}),
    ("draft-07", {"then": {"type": "string"}}, {}),
    ("draft-07", {"type": "string", "default": None}, {"type": "string", "default": None}),
    ("draft-07", {"properties": {"default": {"default": 0}}}, {"properties": {"default": {"default": 0}}}),
    ("draft-07", {"properties": {"a": True, "b": False}}, {"properties": {"a": {}, "b": {"not": {}}}}),
    ("2019-09", {"contains": {}, "minContains": 2.0}, {"contains": {}, "minContains": 2}),
    ("2020-12", {"minContains": 2}, {}),
    ("2020-12", {"required": ["a", "b", "a"]}, {"required": ["a", "b"]}),
    ("2020-12", {"maxLength": 5.0}, {"maxLength": 5}),
    ("openapi-3.0", {"type": "string", "nullable": True}, {"type": ["string", "null"]}),
    ("openapi-3.0", {"type": "string", "nullable": True, "enum": ["a"]}, {"type": ["string", "null"], "enum": ["a"]}),
    ("openapi-3.0", {"nullable": True, "minLength": 1}, {"minLength": 1}),
    ("openapi-3.0", {"type": "string", "format": "byte"}, {"type": "string", "contentEncoding": "base64"}),
    ("openapi-3.0", {"example": 1}, {"examples": [1]}),
    ("openapi-3.1", {"type": "string", "nullable": True}, {"type": "string"}),
    ("gemini", {"type": "OBJECT", "minProperties": "1"}, {"type": "object", "minProperties": 1}),
    ("gemini", {"type": "TYPE_UNSPECIFIED"}, {}),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "schema", "wanted"), READINGS)
def test_each_dialects_words_become_those_of_2020(dialect: str, schema: Any, wanted: Any) -> None:
    normal = normal_form(schema, dialect=dialect)
    assert normal.root == wanted
    keep_promises(normal.root, normal)


def test_the_later_unevaluated_items_does_not_see_an_earlier_contains() -> None:
    schema = {"contains": {"type": "string"}, "unevaluatedItems": {"type": "number"}}
    old, new = (normal_form(schema, dialect=name).root for name in ("2019-09", "2020-12"))
    assert new == schema
    assert old["allOf"] == [{"not": {"not": {"contains": {"type": "string"}}}}]


def test_a_keyword_of_another_dialect_does_not_act_and_is_listed() -> None:
    normal = normal_form({"prefixItems": [{"type": "string"}], "own": {"a": [1]}}, dialect="draft-07")
    assert normal.root == {"own": {"a": [1]}}
    assert normal.unknown == (((), "prefixItems"), ((), "own"))


def test_annotations_and_extensions_are_kept_and_known() -> None:
    schema = {"title": "t", "x-any": {"$ref": "nowhere"}, "markdownDescription": "d", "examples": [{"$id": 1}]}
    normal = normal_form(schema, dialect="draft-04")
    assert normal.root == schema
    assert normal.unknown == ()


def test_beside_a_reference_only_annotations_stay_before_2019() -> None:
    schema = {
        "properties": {"a": {"$ref": "#/definitions/b", "maxLength": 1, "description": "d"}},
        "definitions": {"b": {}},
    }
    old, new = (normal_form(schema, dialect=name).root["properties"]["a"] for name in ("draft-07", "2020-12"))
    assert old == {"$ref": "#/$defs/b", "description": "d"}
    assert new == {"$ref": "#/$defs/b", "description": "d", "maxLength": 1}


def test_a_property_named_as_a_keyword_is_a_property() -> None:
    names = [
        "enum",
        "$ref",
        "$id",
        "properties",
        "required",
        "default",
        "type",
        "if",
        "nullable",
        "definitions",
        "$defs",
    ]
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": names}
    assert normal_form(schema).root == schema


def test_definitions_are_those_that_are_reached_with_plain_names() -> None:
    schema = {
        "properties": {"a": {"$ref": "#/$defs/a%20b~1c%7E0"}, "b": {"$ref": "#kind"}, "c": {"$ref": "#/$defs/%C3%A4"}},
        "$defs": {
            "a b/c~": {"type": "string"},
            "x": {"$anchor": "kind"},
            "ä": {"type": "null"},
            "unused": {"$ref": "#/nowhere"},
        },
    }
    normal = normal_form(schema)
    assert {name: dict(schema) for name, schema in normal.definitions.items()} == {
        "a_b_c": {"type": "string"},
        "x": {},
        "definition": {"type": "null"},
    }


def test_names_that_would_be_alike_are_told_apart() -> None:
    defs = {"A": {"const": 1}, "a": {"const": 2}, "root": {"const": 3}, "a_b": {"const": 4}, "a-b": {"const": 5}}
    schema = {
        "allOf": [{"$ref": f"#/$defs/{name}"} for name in defs],
        "properties": {"r": {"$ref": "#"}},
        "$defs": defs,
    }
    normal = normal_form(schema)
    assert [each["$ref"] for each in normal.root["allOf"]] == [
        "#/$defs/A", "#/$defs/a-2", "#/$defs/root-2", "#/$defs/a_b", "#/$defs/a-b-2",
    ]  # fmt: skip
    assert normal.definitions["root"] is normal.root


def test_a_schema_that_is_referred_to_where_it_stands_is_written_once() -> None:
    schema = {"properties": {"a": {"properties": {"b": {"type": "string"}}}, "c": {"$ref": "#/properties/a"}}}
    normal = normal_form(schema)
    assert normal.root["properties"] == {"a": {"$ref": "#/$defs/a"}, "c": {"$ref": "#/$defs/a"}}
    assert normal.definitions["a"] == schema["properties"]["a"]
    assert normal.definitions["a"].place == ("properties", "a")


def test_a_reference_between_siblings_and_levels_stays_linear() -> None:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(300):
        schema = {"properties": {"a": schema}}
    pointer = "#"
    references = {}
    for number in range(299):
        pointer += "/properties/a"
        references[f"r{number}"] = {"$ref": pointer}
    normal = normal_form({**schema, "$defs": references, "dependentSchemas": {"x": {"properties": references}}})
    assert len(json.dumps(whole(normal))) < 60_000


def test_every_schema_knows_its_place() -> None:
    normal = normal_form({"properties": {"a": {"anyOf": [{"type": "string"}]}}})
    assert normal.root["properties"]["a"]["anyOf"][0].place == ("properties", "a", "anyOf", 0)


def test_documents_that_are_handed_in_are_read_in_their_own_dialect() -> None:
    other = {"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": True}
    normal = normal_form({"$ref": "http://example.com/other.json"}, resources={"http://example.com/other.json": other})
    assert normal.definitions == {"other": {"exclusiveMinimum": 1}}


def test_a_name_inside_a_document_that_is_handed_in_is_found() -> None:
    other = {"$defs": {"in": {"$id": "http://example.com/in", "type": "string"}}}
    normal = normal_form({"$ref": "http://example.com/in"}, resources={"http://example.com/other": other})
    assert normal.definitions["in"] == {"type": "string"}


def test_the_published_metaschemas_are_known() -> None:
    normal = normal_form({"$ref": "https://json-schema.org/draft/2020-12/schema"})
    assert "schema" in normal.definitions
    keep_promises(normal.definitions["schema"], normal)


BROKEN: list[tuple[str, Any, tuple[Any, ...], str]] = [
    ("2020-12", {"type": "strin"}, (), "type"),
    ("2020-12", {"type": []}, (), "type"),
    ("2020-12", {"properties": {"a": {"minimum": "1"}}}, ("properties", "a"), "minimum"),
    ("2020-12", {"properties": {"a": 1}}, (), "properties"),
    ("2020-12", {"items": [{}]}, (), "items"),
    ("2020-12", {"required": "a"}, (), "required"),
    ("2020-12", {"maxLength": -1}, (), "maxLength"),
    ("2020-12", {"maxLength": 1.5}, (), "maxLength"),
    ("2020-12", {"multipleOf": 0}, (), "multipleOf"),
    ("2020-12", {"minimum": float("nan")}, (), "minimum"),
    ("2020-12", {"minLength": -(10**5_000)}, (), "minLength"),
    ("2020-12", {10**5_000: 1}, (), ""),
    ("2020-12", {"default": {10**5_000: 1}}, ("default",), ""),
    ("2020-12", {"minimum": True}, (), "minimum"),
    ("2020-12", {"allOf": []}, (), "allOf"),
    ("2020-12", {"pattern": 1}, (), "pattern"),
    ("2020-12", {"$ref": 1}, (), "$ref"),
    ("2020-12", {"$ref": "#/$defs/a", "minLength": "1", "$defs": {"a": {}}}, (), "minLength"),
    ("gemini", {"$ref": "#", "minLength": None}, (), "minLength"),
    ("2020-12", {"$ref": "#/$defs/none"}, (), "$ref"),
    ("2020-12", {"$ref": "http://example.com/none"}, (), "$ref"),
    ("2020-12", {"$ref": "file:///etc/passwd"}, (), "$ref"),
    ("2020-12", {"$ref": "http://[bad"}, (), "$ref"),
    ("2020-12", {"$ref": "#/required/0", "required": ["a"]}, (), "$ref"),
    ("2020-12", {"$ref": "#/allOf/x", "allOf": [{}]}, (), "$ref"),
    ("2020-12", {"$ref": "#/allOf/-1", "allOf": [{}]}, (), "$ref"),
    ("2020-12", {"$ref": "#/title/0", "title": "abc"}, (), "$ref"),
    ("2020-12", {"$ref": "#"}, (), "$ref"),
    ("2020-12", {"$ref": "#/$defs/a", "$defs": {"a": {"not": {"$ref": "#/$defs/a"}}}}, ("$defs", "a", "not"), "$ref"),
    ("2020-12", {"$defs": {"a": {"$id": "x"}, "b": {"$id": "x"}}}, ("$defs", "b"), "$id"),
    ("2020-12", {"$defs": {"a": {"$anchor": "x"}, "b": {"$anchor": "x"}}}, ("$defs", "b"), "$anchor"),
    ("2020-12", {"$id": "#a"}, (), "$id"),
    ("2020-12", {"$id": "http://example.com/" + "a" * 5_000}, (), "$id"),
    ("2020-12", {"default": {1: 2}}, ("default",), ""),
    ("2020-12", {"default": {"a": {1, 2}}}, ("default", "a"), ""),
    ("2020-12", {1: 2}, (), ""),
    ("draft-04", {"properties": {"a": True}}, (), "properties"),
    ("draft-04", {"required": []}, (), "required"),
    ("draft-07", {"$ref": "#x", "definitions": {"a": {"$id": "#x"}, "b": {"$id": "#x"}}}, (), "$ref"),
    ("gemini", {"type": "THING"}, (), "type"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "schema", "path", "keyword"), BROKEN, ids=range(len(BROKEN)))
def test_a_broken_schema_is_refused_with_its_place(dialect: str, schema: Any, path: Any, keyword: str) -> None:
    with pytest.raises(SchemaError) as caught:
        normal_form(schema, dialect=dialect)
    assert (caught.value.path, caught.value.keyword) == (path, keyword)
    assert caught.value.reason


@pytest.mark.parametrize("schema", [None, 1, "object", [], [{}]])
def test_what_is_no_schema_is_refused(schema: Any) -> None:
    with pytest.raises(SchemaError):
        normal_form(schema)


def test_the_same_name_twice_is_no_fault_before_2019_where_nothing_asks_for_it() -> None:
    schema = {"definitions": {"a": {"$id": "x"}, "b": {"$id": "x"}}}
    assert normal_form(schema, dialect="draft-07").root == {}


def test_recursion_that_looks_further_in_is_fine() -> None:
    normal = normal_form({"properties": {"a": {"$ref": "#"}}, "items": {"$ref": "#"}})
    assert normal.root["items"] == {"$ref": "#/$defs/root"}


def test_a_metaschema_that_is_handed_in_may_leave_the_validation_vocabulary_out() -> None:
    vocabularies = {f"https://json-schema.org/draft/2020-12/vocab/{name}": True for name in ("core", "applicator")}
    meta = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$vocabulary": vocabularies}
    schema = {"$schema": "http://example.com/meta", "properties": {"a": {"minimum": 1}}}
    normal = normal_form(schema, resources={"http://example.com/meta": meta})
    assert normal.root == {"properties": {"a": {}}}
    assert normal.unknown == ((("properties", "a"), "minimum"),)


# --- Size and depth


def test_a_thousand_levels_are_read() -> None:
    schema = normal_form(nested(1_000)).root
    for _ in range(1_000):
        schema = schema["properties"]["a"]
    assert schema == {"type": "string"}
    assert len(schema.place) == 2_000


def test_a_thousand_references_in_a_row_are_read() -> None:
    defs: dict[str, Any] = {f"d{at}": {"$ref": f"#/$defs/d{at + 1}"} for at in range(5_000)}
    normal = normal_form({"$ref": "#/$defs/d0", "$defs": {**defs, "d5000": {"type": "string"}}})
    assert len(normal.definitions) == 5_001


@pytest.mark.parametrize(
    "schema",
    [
        nested(60),
        {"default": json.loads("[" * 60 + "]" * 60)},
        {"allOf": [{}] * 200},
        {"enum": [[] for _ in range(200)]},
    ],
)
def test_a_schema_past_the_limits_is_refused(schema: Any) -> None:
    with pytest.raises(SchemaError) as caught:
        normal_form(schema, limits=Limits(depth=50, nodes=100))
    assert "limit" in caught.value.reason


def test_the_sentence_of_an_error_is_short_however_deep_and_long_named_its_place_is() -> None:
    for schema in (nested(3_000), {"properties": {"n" * 5_000: {"type": "strin"}}}):
        with pytest.raises(SchemaError) as caught:
            normal_form(schema)
        assert len(str(caught.value)) < 400
        assert caught.value.pointer.startswith("/properties/")
        assert len(caught.value.pointer) > 5_000


def test_a_schema_that_holds_itself_is_refused() -> None:
    schema: dict[str, Any] = {"type": "object"}
    schema["properties"] = {"self": schema}
    with pytest.raises(SchemaError):
        normal_form(schema)


def dynamic_tree(levels: int) -> dict[str, Any]:
    """Each level enters one of two resources with an anchor of the level, so that there are 2^levels ways."""
    defs: dict[str, Any] = {}
    for level in range(levels):
        for side in "ab":
            ways = [{"$ref": f"{level + 1}{other}"} for other in "ab"] if level + 1 < levels else [{}]
            properties = {"x": {"$dynamicRef": f"#n{level}"}, "y": {"anyOf": ways}}
            name = f"{level}{side}"
            defs[name] = {"$id": name, "$dynamicAnchor": f"n{level}", "properties": properties}
    return {"anyOf": [{"$ref": "0a"}, {"$ref": "0b"}], "$defs": defs}  # fmt: skip


def test_too_many_ways_through_dynamic_anchors_meet_the_limit() -> None:
    with pytest.raises(SchemaError) as caught:
        normal_form(dynamic_tree(30), limits=Limits(nodes=5_000))
    assert "limit" in caught.value.reason


@pytest.mark.parametrize("shape", GROWING)
def test_reading_ten_times_the_size_takes_at_most_twelve_times_the_steps(shape: str) -> None:
    small, large = (GROWING[shape](size) for size in (300, 3_000))

    def read(schema: Any) -> Callable[[], Any]:
        return lambda: normal_form(schema, dialect="2020-12")

    read(small)()  # what loads lazily is loaded
    assert steps_of(read(large)) <= 12 * steps_of(read(small))


# --- Real and generated schemas


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.heavy)])
def test_every_real_schema_is_read_the_same_twice_and_left_alone(step: int) -> None:
    schemas = [record["schema"] for record in corpus()]
    schemas += [tool[name] for tool in mcp_tools() for name in ("inputSchema", "outputSchema") if name in tool]
    for schema in schemas[::step]:
        before = json.dumps(schema)
        first = json.dumps(whole(normal_form(schema)))
        assert json.dumps(whole(normal_form(json.loads(before)))) == first
        assert json.dumps(schema) == before


@pytest.mark.parametrize("number", [10**400, 1e308, float("inf")], ids=["huge", "large", "infinite"])
def test_numbers_of_any_size_are_numbers(number: float) -> None:
    assert normal_form({"minimum": number}).root == {"minimum": number}


JUNK = st.sampled_from([
    None, True, 1, -1, 1.5, float("nan"), 10**400, "", "a", "#", "\ud800", "http://[", "%zz#%", "#/allOf/0",
    [], [[]], {}, {"a": 1}, {1: 1}, (), b"",
])  # fmt: skip
WORDS = st.sampled_from([*sorted(keywords()), "own", "x-own"])
BROKEN_SCHEMAS = st.recursive(
    JUNK, lambda inner: st.dictionaries(WORDS, inner, max_size=4) | st.lists(inner, max_size=3), max_leaves=12
)


@settings(max_examples=400, deadline=None)
@given(BROKEN_SCHEMAS, st.sampled_from([None, *dialects()]))
def test_whatever_is_given_is_read_or_refused(schema: Any, dialect: str | None) -> None:
    try:
        normal = normal_form(schema, dialect=dialect)
    except SchemaError:
        return
    keep_promises(normal.root, normal)


NAMES = st.sampled_from(["a", "b", "enum", "$ref", "type", "properties", "required", "default", "$id", "ä/~ %"])
DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=5,
)
LEAVES = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["string", "object", "array", "integer", "null"]),
        "enum": st.lists(DATA, min_size=1, max_size=3),
        "default": DATA,
        "minLength": st.integers(0, 5),
        "title": st.text(max_size=3),
        "own": DATA,
        "$ref": st.sampled_from(["#", "#/$defs/a", "#/$defs/%C3%A4~1~0%20%25", "#/properties/enum", "#/properties/a"]),
    },
)
SCHEMAS = st.recursive(
    LEAVES,
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(NAMES, inner, max_size=4),
            "items": inner,
            "anyOf": st.lists(inner, min_size=1, max_size=3),
            "not": inner,
            "$defs": st.fixed_dictionaries({"a": inner, "ä/~ %": inner}),
            "dependentSchemas": st.dictionaries(NAMES, inner, max_size=2),
        },
    ),
    max_leaves=12,
)
DIALECT = st.sampled_from([None, "draft-07", "2019-09", "2020-12"])


@settings(max_examples=100, deadline=None)
@given(SCHEMAS, DIALECT)
def test_any_schema_is_read_the_same_twice_left_alone_and_shared_with_nothing(schema: Any, dialect: str | None) -> None:
    before = copy.deepcopy(schema)
    try:
        normal = normal_form(schema, dialect=dialect)
    except SchemaError:
        assert schema == before
        return
    text = json.dumps(whole(normal))
    assert json.dumps(whole(normal_form(copy.deepcopy(schema), dialect=dialect))) == text
    keep_promises(normal.root, normal)
    for each in (normal.root, *normal.definitions.values()):
        spoil(each)
    assert schema == before


def spoil(value: Any) -> None:
    """Empty every container, inner ones first."""
    for item in list(value.values() if isinstance(value, dict) else value):
        if isinstance(item, (dict, list)):
            spoil(item)
    value.clear()


@settings(max_examples=50, deadline=None)
@given(SCHEMAS)
def test_objects_that_stand_at_two_places_read_as_their_copies_do(part: Any) -> None:
    shared_part = {"properties": {"a": part, "b": part, "enum": {"items": part}}, "$defs": {"a": part, "ä/~ %": part}}
    try:
        wanted = json.dumps(whole(normal_form(json.loads(json.dumps(shared_part)))))
    except SchemaError:
        with pytest.raises(SchemaError):
            normal_form(shared_part)
        return
    assert json.dumps(whole(normal_form(shared_part))) == wanted
