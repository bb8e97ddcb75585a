"""What a target would refuse or misread in a finished wire: a second reading of the providers' documents.

Plain Python over plain JSON. Nothing here knows the rows, the normal form or the ledger, so that a row that was
forgotten shows. `CHECKS` has one line per target: the checks that hold for it. A check looks at one place of the
wire and gives a few words for each fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

Check = Callable[["Place"], Iterator[str]]

ONE = ("items", "not", "if", "then", "else", "contains", "additionalProperties", "propertyNames", "unevaluatedItems",
       "unevaluatedProperties")  # fmt: skip
LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
MAPS = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions")
DEEPER = frozenset(("items", "contains", "additionalProperties", "unevaluatedItems", "unevaluatedProperties",
                    "prefixItems", "properties", "patternProperties"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """One schema of a wire: where it stands, how many objects and lists it stands in, and the whole."""

    path: str
    schema: Any
    depth: int
    wire: dict[str, Any]

    @property
    def is_root(self) -> bool:
        return self.schema is self.wire

    def types(self) -> list[str]:
        named = self.schema.get("type", [])
        return [named] if isinstance(named, str) else named

    def has(self, *keywords: str) -> list[str]:
        return [keyword for keyword in keywords if keyword in self.schema]


def places(wire: dict[str, Any]) -> Iterator[Place]:
    """Every schema of a wire, the root first."""
    waiting = [("", wire, 0)]
    while waiting:
        path, schema, depth = waiting.pop()
        yield Place(path, schema, depth, wire)
        if not isinstance(schema, dict):
            continue
        for keyword in schema:
            below = depth + (keyword in DEEPER)
            value = schema[keyword]
            if keyword in ONE:
                waiting.append((f"{path}/{keyword}", value, below))
            elif keyword in LISTS:
                waiting += [(f"{path}/{keyword}/{at}", part, below) for at, part in enumerate(value)]
            elif keyword in MAPS:
                start = 0 if keyword in ("$defs", "definitions") else below
                waiting += [(f"{path}/{keyword}/{name}", part, start) for name, part in value.items()]


def hazards(target: str, wire: dict[str, Any]) -> list[str]:
    """Each fault that the target would find, with its place; empty where it would find none."""
    return [
        f"{place.path or '/'}: {fault}" for place in places(wire) for check in CHECKS[target] for fault in check(place)
    ]


def is_schema(place: Place) -> bool:
    return isinstance(place.schema, dict)


# Checks ----------------------------------------------------------------------------------------------------------


def root_is_plain_object(place: Place) -> Iterator[str]:
    """The root has the type object and no alternatives beside it."""
    if place.is_root:
        if place.schema.get("type") != "object":
            yield f"the root has the type {place.schema.get('type')!r}"
        yield from (f"{keyword} at the root" for keyword in place.has("anyOf", "oneOf", "allOf"))


def root_lists_nothing(place: Place) -> Iterator[str]:
    if place.is_root:
        yield from (f"{keyword} at the root" for keyword in place.has("enum", "const", "not"))


def root_is_no_reference(place: Place) -> Iterator[str]:
    if place.is_root and "$ref" in place.schema:
        yield "a reference at the root"


def root_has_only(*keywords: str) -> Check:
    def check(place: Place) -> Iterator[str]:
        if place.is_root:
            yield from (f"{keyword} at the root" for keyword in place.schema if keyword not in keywords)

    return check


KEYWORDS_OF = {
    "object": ("properties", "required", "additionalProperties"),
    "array": ("items", "minItems", "maxItems"),
    "string": ("pattern", "format"),
}


def keywords_are_of_the_type(place: Place) -> Iterator[str]:
    if is_schema(place) and "type" in place.schema:
        for name, keywords in KEYWORDS_OF.items():
            if name not in place.types():
                yield from (f"{keyword} of no {name}" for keyword in place.has(*keywords))


def objects_name_properties(place: Place) -> Iterator[str]:
    if is_schema(place) and "object" in place.types() and "properties" not in place.schema:
        yield "an object without properties"


def objects_have_a_property(place: Place) -> Iterator[str]:
    if is_schema(place) and place.schema.get("properties") == {}:
        yield "an empty object"


def lists_name_items(place: Place) -> Iterator[str]:
    if is_schema(place) and "array" in place.types() and "items" not in place.schema:
        yield "a list without items"


def objects_are_closed(place: Place) -> Iterator[str]:
    if is_schema(place) and "object" in place.types() and place.schema.get("additionalProperties") is not False:
        yield "an object that is not closed"


def objects_say_whether_they_are_open(place: Place) -> Iterator[str]:
    if is_schema(place) and "object" in place.types() and "additionalProperties" not in place.schema:
        yield "an object that is silent on other keys"


def every_property_is_required(place: Place) -> Iterator[str]:
    if is_schema(place) and "properties" in place.schema:
        required = place.schema.get("required", [])
        if sorted(required) != sorted(place.schema["properties"]):
            yield "required and properties differ"


def required_is_declared(place: Place) -> Iterator[str]:
    if is_schema(place):
        yield from (
            f"{name!r} is required and not declared"
            for name in place.schema.get("required", ())
            if name not in place.schema.get("properties", {})
        )


def every_node_has_a_type(place: Place) -> Iterator[str]:
    if is_schema(place) and not place.has("type", "$ref", "anyOf"):
        yield "no type"


def every_node_says_something(place: Place) -> Iterator[str]:
    if is_schema(place) and not place.has("type", "$ref", "anyOf", "enum", "const"):
        yield "an empty schema"


def references_stand_alone(place: Place) -> Iterator[str]:
    if is_schema(place) and "$ref" in place.schema:
        yield from (f"{keyword} beside $ref" for keyword in place.schema if keyword not in ("$ref", "$defs"))


def references_are_to_definitions(place: Place) -> Iterator[str]:
    if is_schema(place) and "$ref" in place.schema:
        name = place.schema["$ref"].removeprefix("#/$defs/")
        if name not in place.wire.get("$defs", {}):
            yield f"a reference to {place.schema['$ref']}"


def no_references(place: Place) -> Iterator[str]:
    if is_schema(place):
        yield from place.has("$ref", "$defs")


def no_recursion(place: Place) -> Iterator[str]:
    if place.is_root and place.wire.get("$defs"):
        leads = {name: _references(schema) for name, schema in place.wire["$defs"].items()}
        for name, first in leads.items():
            seen: set[str] = set()
            waiting = list(first)
            while waiting:
                other = waiting.pop()
                if other not in seen:
                    seen.add(other)
                    waiting += leads.get(other, ())
            if name in seen:
                yield f"the definition {name} leads to itself"


def _references(schema: Any) -> set[str]:
    return {
        place.schema["$ref"].removeprefix("#/$defs/")
        for place in places({"items": schema})
        if is_schema(place) and "$ref" in place.schema
    }


def unions_stand_alone(place: Place) -> Iterator[str]:
    annotations = ("anyOf", "description", "title", "default", "examples", "$defs")
    if is_schema(place) and "anyOf" in place.schema:
        yield from (f"{keyword} beside anyOf" for keyword in place.schema if keyword not in annotations)


def unions_have_branches(most: int | None = None) -> Check:
    def check(place: Place) -> Iterator[str]:
        count = len(place.schema["anyOf"]) if is_schema(place) and "anyOf" in place.schema else None
        if count is not None and (count == 0 or (most is not None and count > most)):
            yield f"a union of {count} branches"

    return check


def lists_of_types_are_plain(place: Place) -> Iterator[str]:
    if is_schema(place) and isinstance(place.schema.get("type"), list) and {"object", "array"} & set(place.types()):
        yield "an object or a list in a list of types"


def types_are_named_once(place: Place) -> Iterator[str]:
    if is_schema(place) and len(set(place.types())) < len(place.types()):
        yield f"the types {place.types()!r}"


def types_are_apart(place: Place) -> Iterator[str]:
    """Every keyword beside a list of types looks at all of them."""
    if is_schema(place) and isinstance(place.schema.get("type"), list):
        yield from place.has("items", "properties", "required", "additionalProperties", "pattern", "format", "minItems")


def no_lists_of_types(place: Place) -> Iterator[str]:
    if is_schema(place) and isinstance(place.schema.get("type"), list):
        yield "a list of types"


def without(*keywords: str) -> Check:
    def check(place: Place) -> Iterator[str]:
        if is_schema(place):
            yield from place.has(*keywords)

    return check


def only(*keywords: str) -> Check:
    def check(place: Place) -> Iterator[str]:
        if is_schema(place):
            yield from (keyword for keyword in place.schema if keyword not in keywords)

    return check


def formats(*known: str) -> Check:
    def check(place: Place) -> Iterator[str]:
        if is_schema(place) and place.schema.get("format", known[0]) not in known:
            yield f"the format {place.schema['format']}"

    return check


def patterns_without(*parts: str) -> Check:
    """No pattern has any of these; each is itself a pattern."""

    def check(place: Place) -> Iterator[str]:
        if is_schema(place) and any(re.search(part, place.schema.get("pattern", "")) for part in parts):
            yield f"the pattern {place.schema['pattern']}"

    return check


def listed_values_are_plain(place: Place) -> Iterator[str]:
    listed = place.schema.get("enum", [place.schema.get("const")]) if is_schema(place) else []
    if any(isinstance(member, (list, dict)) for member in listed):
        yield "a list or an object among the listed values"
    if is_schema(place) and place.schema.get("enum") == []:
        yield "an empty list of values"


def listed_values_fit_the_type(place: Place) -> Iterator[str]:
    if is_schema(place) and "enum" in place.schema and "type" in place.schema:
        types = {"integer": int, "number": (int, float), "string": str, "boolean": bool, "null": type(None)}
        for member in place.schema["enum"]:
            whole = int(member) if isinstance(member, float) and member.is_integer() else member
            fits = [
                isinstance(whole, types.get(name, ())) and (name == "boolean" or not isinstance(member, bool))
                for name in place.types()
            ]
            if not any(fits):
                yield f"the listed value {member!r} is not of the type"


def at_most(keyword: str, most: int) -> Check:
    def check(place: Place) -> Iterator[str]:
        if is_schema(place) and place.schema.get(keyword, 0) > most:
            yield f"{keyword} {place.schema[keyword]}"

    return check


def nests(levels: int) -> Check:
    """Objects and lists inside each other, the root as the first."""

    def check(place: Place) -> Iterator[str]:
        if is_schema(place) and {"object", "array"} & set(place.types()) and place.depth >= levels:
            yield f"level {place.depth + 1}"

    return check


def lists_of_values(most: int, *, texts_from: int = 0, characters: int | None = None) -> Check:
    def check(place: Place) -> Iterator[str]:
        listed = place.schema.get("enum", []) if is_schema(place) else []
        total = sum(len(member) for member in listed if isinstance(member, str))
        if len(listed) > most or (characters is not None and len(listed) > texts_from and total > characters):
            yield f"{len(listed)} listed values of {total} characters"

    return check


def patterns_are_of_python(place: Place) -> Iterator[str]:
    """Python's `re`, which these functions are put to, can compile each pattern."""
    if is_schema(place) and "pattern" in place.schema:
        try:
            re.compile(place.schema["pattern"])
        except re.error as error:
            yield f"the pattern {place.schema['pattern']}: {error}"


def names_of_properties(pattern: str) -> Check:
    def check(place: Place) -> Iterator[str]:
        if is_schema(place):
            names = place.schema.get("properties", {})
            yield from (f"a property named {name!r}" for name in names if not re.fullmatch(pattern, name))

    return check


def no_boolean_schemas(place: Place) -> Iterator[str]:
    if not is_schema(place) and not place.path.endswith("/additionalProperties"):
        yield "a boolean schema"


def is_valid_2020_12(place: Place) -> Iterator[str]:
    """The metaschema takes each schema by itself: asked for the whole, its validator recurses once per level."""
    if is_schema(place):
        yield from (f"no 2020-12 schema: {error.message}" for error in _metaschema().iter_errors(_alone(place.schema)))


@cache
def _metaschema() -> Any:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - slow to import, and most targets want none of it

    return Draft202012Validator(Draft202012Validator.META_SCHEMA)


def _alone(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema with `true` in the place of each schema below it."""
    alone = dict(schema)
    for keyword, value in schema.items():
        if keyword in ONE:
            alone[keyword] = _stub(value)
        elif keyword in LISTS and isinstance(value, list):
            alone[keyword] = list(map(_stub, value))
        elif keyword in MAPS and isinstance(value, dict):
            alone[keyword] = {name: _stub(part) for name, part in value.items()}
    return alone


def _stub(value: Any) -> Any:
    return True if isinstance(value, (dict, bool)) else value


# Targets ---------------------------------------------------------------------------------------------------------

_OPENAI_PLAIN = (
    root_is_plain_object, root_lists_nothing, root_is_no_reference, objects_name_properties, lists_name_items,
    references_are_to_definitions, types_are_named_once,
)  # fmt: skip

_NO_SETS = without(
    "oneOf", "allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "contains", "minContains",
    "maxContains", "uniqueItems", "minProperties", "maxProperties", "propertyNames", "patternProperties", "prefixItems",
    "unevaluatedProperties", "unevaluatedItems", "nullable", "discriminator", "definitions", "$id", "$anchor",
    "contentEncoding", "contentMediaType", "contentSchema", "minLength", "maxLength",
)  # fmt: skip

_SUBSET = (
    root_is_plain_object, root_lists_nothing, root_is_no_reference, no_boolean_schemas, types_are_named_once,
    objects_name_properties,
    objects_are_closed, every_property_is_required, lists_name_items, every_node_has_a_type, references_stand_alone,
    references_are_to_definitions, unions_stand_alone, unions_have_branches(), listed_values_are_plain,
    listed_values_fit_the_type, lists_of_types_are_plain, _NO_SETS,
    without("default", "const"),
)  # fmt: skip
# OpenAI's own idiom for an optional object is a list of its type and null, which others refuse.
_SUBSET_OF_OPENAI = tuple(check for check in _SUBSET if check is not lists_of_types_are_plain)
_NO_LOOKING = patterns_without(r"\(\?[=!<]", r"\\[1-9bBkpP]")

_OPENAI_STRICT = (
    *_SUBSET_OF_OPENAI, _NO_LOOKING, patterns_are_of_python, nests(10),
    lists_of_values(1000, texts_from=250, characters=15_000),
    formats("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"),
)  # fmt: skip

_AZURE_STRICT = (
    *_SUBSET_OF_OPENAI, nests(5), lists_of_values(500, texts_from=250, characters=7_500),
    without("pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems",
            "maxItems"),
)  # fmt: skip

_ANTHROPIC_NAMES = names_of_properties(r"[a-zA-Z0-9_.-]{1,64}")
_ANTHROPIC_PLAIN = (
    root_is_plain_object, root_is_no_reference, _ANTHROPIC_NAMES, is_valid_2020_12, references_are_to_definitions,
)  # fmt: skip
_ANTHROPIC_STRICT = (
    root_is_plain_object, root_is_no_reference, _ANTHROPIC_NAMES, is_valid_2020_12, no_boolean_schemas, _NO_SETS,
    objects_are_closed, every_node_says_something, no_recursion, references_stand_alone, references_are_to_definitions,
    unions_stand_alone, unions_have_branches(), types_are_apart, keywords_are_of_the_type,
    listed_values_are_plain, lists_name_items,
    lists_of_values(160), at_most("minItems", 1),
    without("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "maxItems"),
    formats("date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"),
    patterns_without(r"\(\?[^:]", r"\\[1-9bB]", r"\{\d*,?\d{3,}"),
)  # fmt: skip

CHECKS: dict[str, tuple[Check, ...]] = {
    **dict.fromkeys(
        ("openai/plain", "openai-responses/plain", "azure/plain"), (*_OPENAI_PLAIN, patterns_are_of_python)
    ),
    "deepseek/plain": _OPENAI_PLAIN,
    "groq": (*_OPENAI_PLAIN, required_is_declared),
    "openai/strict": _OPENAI_STRICT,
    "openai-responses/strict": _OPENAI_STRICT,
    "openai/response-format": _OPENAI_STRICT,
    "azure/strict": _AZURE_STRICT,
    "anthropic/plain": _ANTHROPIC_PLAIN,
    "anthropic/strict": _ANTHROPIC_STRICT,
    "anthropic/output-format": _ANTHROPIC_STRICT,
    "bedrock": (*_ANTHROPIC_PLAIN, root_has_only("type", "properties", "required"), no_references),
    "bedrock/strict": _ANTHROPIC_STRICT,
    "deepseek/strict": (
        *_SUBSET, _NO_LOOKING, no_references, without("minItems", "maxItems"),
        formats("email", "hostname", "ipv4", "ipv6", "uuid"),
        objects_have_a_property,
    ),
    "cerebras": (
        *_SUBSET, no_lists_of_types, no_recursion, nests(5), unions_have_branches(5),
        lists_of_values(500, texts_from=250, characters=7_500),
        without("pattern", "format", "minItems", "maxItems"),
    ),
    "xai": (
        *_OPENAI_PLAIN, objects_say_whether_they_are_open, no_recursion, unions_have_branches(), no_boolean_schemas,
        without("minContains", "maxContains", "oneOf", "allOf", "patternProperties"),
        patterns_without(r"\(\?[^:]", r"\\[1-9bBpP]", r"^[^^]", r"[^$]$"),
    ),
    "fireworks": (
        *_OPENAI_PLAIN, objects_say_whether_they_are_open,
        without("oneOf", "allOf", "pattern", "minLength", "maxLength", "minItems", "maxItems", "minProperties",
                "maxProperties", "uniqueItems", "patternProperties", "prefixItems", "not", "if"),
    ),
}  # fmt: skip
