"""The same second reading as `hazards`, for Gemini, Moonshot, Mistral, Cohere, Ollama, MCP, OpenAPI and their like."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tests.targets.hazards import (
    Check,
    Place,
    formats,
    is_schema,
    is_valid_2020_12,
    listed_values_fit_the_type,
    lists_of_values,
    names_of_properties,
    nests,
    no_boolean_schemas,
    no_lists_of_types,
    no_references,
    only,
    places,
    references_are_to_definitions,
    required_is_declared,
    root_is_no_reference,
    root_is_plain_object,
    unions_have_branches,
    without,
)

LONGEST_INTEGER = 2**53 - 1
CONSTRAINTS = {"type", "enum", "properties", "items", "anyOf", "pattern", "minLength", "minimum", "required"}


def hazards(target: str, wire: Any) -> list[str]:
    """Each fault that the target would find, with its place; empty where it would find none."""
    return [
        f"{place.path or '/'}: {fault}" for place in places(wire) for check in CHECKS[target] for fault in check(place)
    ]


# Any target ------------------------------------------------------------------------------------------------------


def root_names_the_type_object(place: Place) -> Iterator[str]:
    if place.is_root and place.schema.get("type") != "object":
        yield f"the root has the type {place.schema.get('type')!r}"


def unions_stand_with(*keywords: str) -> Check:
    """Nothing but these stands beside `anyOf`."""

    def check(place: Place) -> Iterator[str]:
        if is_schema(place) and "anyOf" in place.schema:
            yield from (f"{key} beside anyOf" for key in place.schema if key not in (*keywords, "anyOf", "$defs"))

    return check


def references_stand_with(*keywords: str) -> Check:
    """Nothing but these stands beside `$ref`."""

    def check(place: Place) -> Iterator[str]:
        if is_schema(place) and "$ref" in place.schema:
            yield from (f"{key} beside $ref" for key in place.schema if key not in (*keywords, "$ref", "$defs"))

    return check


def words_are_texts(place: Place) -> Iterator[str]:
    if is_schema(place):
        yield from (
            f"{key} is no text" for key in ("description", "title") if not isinstance(place.schema.get(key, ""), str)
        )


def lists_have_items(place: Place) -> Iterator[str]:
    if is_schema(place) and {"array", "ARRAY"} & set(place.types()) and not isinstance(place.schema.get("items"), dict):
        yield "a list without items"


def required_is_a_set_of_names(place: Place) -> Iterator[str]:
    if is_schema(place):
        names = place.schema.get("required", ["-"])
        if names is None or len(set(names)) != len(names) or not all(isinstance(name, str) for name in names):
            yield f"required is {names!r}"


# Gemini's message ------------------------------------------------------------------------------------------------

GEMINI_FIELDS = (
    "anyOf", "default", "description", "enum", "example", "format", "items", "maxItems", "maxLength", "maxProperties",
    "maximum", "minItems", "minLength", "minProperties", "minimum", "nullable", "pattern", "properties",
    "propertyOrdering", "required", "title", "type",
)  # fmt: skip
GEMINI_TYPES = ("STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT")
GEMINI_FORMATS = {"STRING": ("enum", "date-time"), "INTEGER": ("int32", "int64"), "NUMBER": ("float", "double")}


def gemini_type(place: Place) -> Iterator[str]:
    """One type of the enum, except where `anyOf` stands alone."""
    if is_schema(place) and "anyOf" not in place.schema and place.schema.get("type") not in GEMINI_TYPES:
        yield f"the type {place.schema.get('type')!r}"


def gemini_enum(place: Place) -> Iterator[str]:
    if is_schema(place) and "enum" in place.schema:
        listed = place.schema["enum"]
        if (
            place.schema.get("type") != "STRING"
            or not listed
            or not all(isinstance(one, str) and one for one in listed)
        ):
            yield f"the listed values {listed!r}"


def gemini_object(place: Place) -> Iterator[str]:
    """An object has properties; a root without any is left out of the declaration, and is then the type alone."""
    if not is_schema(place) or place.schema.get("type") != "OBJECT" or place.schema.get("properties"):
        return
    if not (place.is_root and place.schema == {"type": "OBJECT"}):
        yield "an object without properties"


def gemini_format(place: Place) -> Iterator[str]:
    known = GEMINI_FORMATS.get(place.schema.get("type"), ()) if is_schema(place) else ()
    if is_schema(place) and place.schema.get("format", "") not in ("", *known):
        yield f"the format {place.schema['format']!r} of a {place.schema.get('type')}"


def gemini_root(place: Place) -> Iterator[str]:
    if place.is_root and place.schema.get("type") != "OBJECT":
        yield f"the root has the type {place.schema.get('type')!r}"


def counts_are_64_bit(place: Place) -> Iterator[str]:
    if is_schema(place):
        for key in ("maxItems", "minItems", "maxLength", "minLength", "maxProperties", "minProperties"):
            if not 0 <= place.schema.get(key, 0) < 2**63 or not isinstance(place.schema.get(key, 0), int):
                yield f"{key} {place.schema[key]}"


def short_lists(place: Place) -> Iterator[str]:
    if is_schema(place) and place.schema.get("maxItems", 0) > 10:
        yield f"maxItems {place.schema['maxItems']}"


_PARAMETER_NAMES = names_of_properties(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_MESSAGE = (
    no_boolean_schemas, only(*GEMINI_FIELDS), gemini_type, gemini_enum, gemini_object, gemini_format, lists_have_items,
    required_is_declared, required_is_a_set_of_names, unions_stand_with(), unions_have_branches(), counts_are_64_bit,
    words_are_texts, short_lists, _PARAMETER_NAMES,
)  # fmt: skip


# Moonshot --------------------------------------------------------------------------------------------------------

_MOONSHOT_BESIDE = {
    "object": ("properties", "required", "additionalProperties"),
    "array": ("items", "minItems", "maxItems"),
    "string": ("minLength", "maxLength", "pattern", "enum"),
    "number": ("minimum", "maximum", "enum"),
    "integer": ("minimum", "maximum", "enum"),
    "boolean": ("enum",),
    "null": ("enum",),
}
_MOONSHOT_KNOWN = {key for keys in _MOONSHOT_BESIDE.values() for key in keys}


def moonshot_keywords(place: Place) -> Iterator[str]:
    """What may stand beside a type; beside several only words."""
    if not is_schema(place):
        return
    words = {"type", "title", "description"} | ({"$defs"} if place.is_root else set())
    named = place.schema.get("type")
    if isinstance(named, list):
        allowed = words
    elif named is not None:
        allowed = words | {"default"} | set(_MOONSHOT_BESIDE[named])
    else:
        allowed = words | {"default", "anyOf", "$ref"} | _MOONSHOT_KNOWN - {"enum", "required"}
    yield from (f"{key} beside the type {named}" for key in place.schema if key not in allowed)


def moonshot_numbers(place: Place) -> Iterator[str]:
    if is_schema(place):
        for key in ("minimum", "maximum"):
            bound = place.schema.get(key, 0)
            if abs(bound) > LONGEST_INTEGER or "e" in str(bound).lower():
                yield f"{key} {bound}"
            if place.schema.get("type") == "integer" and bound != int(bound):
                yield f"{key} {bound} of an integer"


def moonshot_ranges(place: Place) -> Iterator[str]:
    if is_schema(place):
        for low, high in (("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems")):
            if low in place.schema and high in place.schema and place.schema[low] > place.schema[high]:
                yield f"{low} above {high}"


def moonshot_names(place: Place) -> Iterator[str]:
    reserved = ("", "$defs", "$ref", "anyOf", "required", "additionalProperties")
    if is_schema(place):
        names = place.schema.get("properties", ())
        yield from (f"the name {name!r}" for name in names if name in reserved or re.search("[/{}%]", name))
        yield from (f"the definition {name!r}" for name in place.schema.get("$defs", ()) if not name or "/" in name)


# OpenAPI ---------------------------------------------------------------------------------------------------------

OPENAPI_KEYWORDS = (
    "title", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength",
    "pattern", "maxItems", "minItems", "uniqueItems", "maxProperties", "minProperties", "required", "enum", "type",
    "not", "allOf", "oneOf", "anyOf", "items", "properties", "additionalProperties", "description", "format", "default",
    "nullable", "discriminator", "readOnly", "writeOnly", "example", "externalDocs", "deprecated", "xml",
)  # fmt: skip


def openapi_values(place: Place) -> Iterator[str]:
    if not is_schema(place):
        return
    for key in ("exclusiveMinimum", "exclusiveMaximum", "nullable", "uniqueItems"):
        if not isinstance(place.schema.get(key, True), bool):
            yield f"{key} is no flag"
    if place.schema.get("required") == [] or place.schema.get("enum") == []:
        yield "an empty list of names or values"
    if place.schema.get("nullable") and "anyOf" in place.schema:
        yield "nullable beside anyOf"
    if place.schema.get("nullable") and None not in place.schema.get("enum", [None]):
        yield "nullable beside a list without null"
    if "null" in place.types():
        yield "the type null"


def openapi_negations_are_schemas(place: Place) -> Iterator[str]:
    if not is_schema(place) and not place.path.endswith("/additionalProperties"):
        yield "a boolean schema"


# The others ------------------------------------------------------------------------------------------------------


def one_parameter_is_required(place: Place) -> Iterator[str]:
    if place.is_root and place.schema.get("properties") and not place.schema.get("required"):
        yield "no required parameter"


def types_outside_of_lists(place: Place) -> Iterator[str]:
    held = place.path.rpartition("/")[2] in ("items", "additionalProperties")
    if is_schema(place) and not held and not set(place.schema) & {"type", "anyOf", "$ref", "enum", "const"}:
        yield "no type"


def universal_null(place: Place) -> Iterator[str]:
    """Null is a branch of a union, and nothing else."""
    if is_schema(place) and place.schema.get("type") == "null" and not re.search(r"/anyOf/\d+$", place.path):
        yield "null outside of a union"


_ROOT = (root_is_plain_object, root_is_no_reference, no_boolean_schemas)
_UNIVERSAL = (
    *_ROOT, only("type", "properties", "required", "items", "enum", "anyOf", "description"), no_lists_of_types,
    lists_have_items, required_is_declared, unions_stand_with(), unions_have_branches(), words_are_texts,
    lists_of_values(150), names_of_properties(r"[A-Za-z_][A-Za-z0-9_]{0,63}"), universal_null,
    listed_values_fit_the_type,
    lambda place: iter(
        ["a listed value that is no text"]
        if is_schema(place) and not all(isinstance(one, str) and one for one in place.schema.get("enum", ()))
        else []
    ),
    lambda place: iter(
        ["no type"] if is_schema(place) and "type" not in place.schema and "anyOf" not in place.schema else []
    ),
    lambda place: iter(
        ["an object without properties"]
        if is_schema(place) and not place.is_root and place.schema.get("type") == "object"
        and not place.schema.get("properties")
        else []
    ),
)  # fmt: skip

CHECKS: dict[str, tuple[Check, ...]] = {
    "gemini/parameters": (*_MESSAGE, gemini_root),
    "gemini/response-schema": tuple(check for check in _MESSAGE),
    "vertex": (*_MESSAGE, gemini_root),
    "gemini/json-schema": (
        *_ROOT, _PARAMETER_NAMES, references_stand_with(), references_are_to_definitions, short_lists, words_are_texts,
        unions_stand_with("description", "title", "format"), unions_have_branches(),
        only("$ref", "$defs", "type", "format", "title", "description", "enum", "items", "prefixItems", "minItems",
             "maxItems", "minimum", "maximum", "anyOf", "oneOf", "properties", "additionalProperties", "required",
             "propertyOrdering"),
        formats("date-time", "date", "time"),
        lambda place: iter(
            [f"the listed values {place.schema['enum']!r}"]
            if is_schema(place) and not all(
                isinstance(one, (str, int, float)) and not isinstance(one, bool) and one != ""
                for one in place.schema.get("enum", ())
            )
            else []
        ),
    ),
    "moonshot": (
        *_ROOT, moonshot_keywords, moonshot_numbers, moonshot_ranges, moonshot_names, required_is_declared,
        required_is_a_set_of_names, references_stand_with("description", "title"), references_are_to_definitions,
        unions_stand_with("description", "title"), unions_have_branches(500), listed_values_fit_the_type,
        lists_of_values(500, texts_from=250, characters=7_500), nests(31), words_are_texts,
    ),
    "mistral": (
        root_names_the_type_object,
        without("$id", "$schema", "uniqueItems", "contains", "not", "if", "propertyNames", "minLength", "maxLength",
                "pattern", "format", "oneOf", "allOf", "dependentRequired", "unevaluatedProperties"),
        lambda place: iter(
            ["a closed object"]
            if is_schema(place) and "object" in place.types() and place.schema.get("additionalProperties") is False
            else []
        ),
    ),
    "cohere": (
        *_ROOT, one_parameter_is_required, no_lists_of_types, types_outside_of_lists, references_are_to_definitions,
        references_stand_with("description", "title", "default", "format"),
        unions_stand_with("description", "title", "default", "format"),
        formats("date-time", "uuid", "date", "time"),
        without("allOf", "oneOf", "not", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
                "minItems", "maxItems", "minLength", "maxLength", "uniqueItems", "pattern", "if", "propertyNames",
                "prefixItems"),
    ),
    "together": (
        root_names_the_type_object, without("allOf"), references_are_to_definitions,
        lambda place: iter(
            ["a constraint beside $ref"]
            if is_schema(place) and "$ref" in place.schema and CONSTRAINTS & set(place.schema)
            else []
        ),
        lambda place: iter(
            ["a list without items"]
            if is_schema(place) and "array" in place.types() and not {"items", "prefixItems"} & set(place.schema)
            else []
        ),
    ),
    "qwen": (root_names_the_type_object, no_references),
    "glm": (root_names_the_type_object,),
    "openrouter": _UNIVERSAL,
    "universal": _UNIVERSAL,
    "ollama/tools": (
        *_ROOT, no_references, only("type", "properties", "required", "items", "enum", "anyOf", "description"),
        words_are_texts,
    ),
    "mcp": (root_names_the_type_object, is_valid_2020_12),
    "openapi-3.0": (
        only(*OPENAPI_KEYWORDS), no_lists_of_types, openapi_values, openapi_negations_are_schemas, lists_have_items,
        words_are_texts,
    ),
}  # fmt: skip
