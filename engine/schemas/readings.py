"""What each keyword becomes in the normal form, by the `reading` of its row in the keyword table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag

from toolglot.json_values import Json
from toolglot.schemas.forms import Schema
from toolglot.schemas.places import Target
from toolglot.schemas.resources import RECURSIVE
from toolglot.tables.keywords import TYPES, Form

if TYPE_CHECKING:
    from toolglot.schemas.reading import Reading

# A reading is given the schema that is being read, the keyword, its value, and the keyword's form.
ReadingRule = Callable[["Reading", str, Json, Form], None]


def _keep(reading: Reading, keyword: str, value: Json, form: Form) -> None:
    """The same keyword, with its subschemas in normal form."""
    if form.holds == "none":
        reading.put(keyword, reading.copied(value, keyword))
    elif form.holds == "one":
        reading.put(keyword, reading.child(value, keyword))
    elif form.holds == "map":
        reading.put(keyword, {name: reading.child(child, keyword, name) for name, child in value.items()})
    else:
        reading.put(keyword, [reading.child(child, keyword, position) for position, child in enumerate(value)])


def _drop(reading: Reading, keyword: str, value: Json, form: Form) -> None:
    """Nothing: the keyword names or holds things, or is read together with another one."""


# --- References


def _reference(reading: Reading, keyword: str, value: Json, _: Form) -> None:
    reading.refer(reading.resolved(keyword, value))


def _dynamic_reference(reading: Reading, keyword: str, value: Json, _: Form) -> None:
    """What the reference names, unless its name is a dynamic anchor there: then the outermost one on the way."""
    target = reading.resolved(keyword, value)
    name = unquote(urldefrag(value)[1])
    if name in target.resource.dynamic:
        outermost = dict(reading.way).get(name)
        target = outermost.anchors[name] if outermost else target
    reading.refer(target)


def _recursive_reference(reading: Reading, keyword: str, value: Json, _: Form) -> None:
    target = reading.resolved(keyword, value)
    if target.resource.recursive and target.schema is target.resource.contents:
        outermost = dict(reading.way).get(RECURSIVE, target.resource)
        target = Target(outermost.contents, outermost, outermost.trail)
    reading.refer(target)


# --- Any value


def _types(reading: Reading, keyword: str, value: Json, _: Form) -> None:
    """Type names in lower case, each once, a single one alone; with null where the schema is nullable."""
    names = [value] if isinstance(value, str) else list(dict.fromkeys(value))
    if reading.resource.vocabulary.dialect.type_names == "any-case":
        names = [name.lower() for name in names if name.lower() in TYPES]
    if names and _is_nullable(reading) and "null" not in names:
        reading.put(keyword, [*names, "null"])
    elif names:
        reading.put(keyword, _one_or_all(names))


def _one_or_all(names: list[str]) -> Json:
    """A single type by its name, several as a list."""
    return names[0] if len(names) == 1 else [*names]


def _is_nullable(reading: Reading) -> bool:
    return reading.source.get("nullable") is True and "nullable" in reading.resource.vocabulary.forms


def _types_and_schemas(reading: Reading, keyword: str, value: Json, _: Form) -> None:
    choice = _choice(reading, keyword, value)
    for name, part in choice.items():
        reading.put(name, part)


def _disallow(reading: Reading, keyword: str, value: Json, _: Form) -> None:
    reading.put("not", reading.inner(_choice(reading, keyword, value)))


def _choice(reading: Reading, keyword: str, value: Json) -> dict[str, Json]:
    """One of these types or schemas, as keywords; none where any value will do."""
    items = [value] if isinstance(value, str) else value
    names = list(dict.fromkeys(item for item in items if isinstance(item, str)))
    for name in names:
        if name not in TYPES and name != "any":
            reading.reader.note(reading, keyword)
    if any(name not in TYPES for name in names):
        return {}
    schemas = [reading.child(item, keyword, at) for at, item in enumerate(items) if not isinstance(item, str)]
    if not schemas:
        return {"type": _one_or_all(names)} if names else {"enum": []}
    return {"anyOf": [*([reading.inner({"type": _one_or_all(names)})] if names else []), *schemas]}


def _with_if(reading: Reading, keyword: str, value: Json, form: Form) -> None:
    if "if" in reading.source:
        _keep(reading, keyword, value, form)


def _extends(reading: Reading, keyword: str, value: Json, _: Form) -> None:
    if isinstance(value, dict):
        reading.put("allOf", [reading.child(value, keyword)])
    elif value:
        reading.put("allOf", [reading.child(child, keyword, position) for position, child in enumerate(value)])


# --- Numbers, strings

_FLAGGED = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}


def _flagged_bound(reading: Reading, keyword: str, value: Json, _: Form) -> None:
    """The bound, exclusive where its flag says so."""
    flag = _FLAGGED[keyword]
    reading.put(flag if reading.source.get(flag) is True else keyword, value)


def _divisible(reading: Reading, _: str, value: Json, __: Form) -> None:
    reading.put("multipleOf", value)


def _count(reading: Reading, keyword: str, value: Json, _: Form) -> None:
    reading.put(keyword, int(value))


def _format(reading: Reading, keyword: str, value: Json, _: Form) -> None:
    if value == "byte":
        reading.put("contentEncoding", "base64")
    else:
        reading.put(keyword, value)


# --- Arrays


def _items(reading: Reading, keyword: str, value: Json, _: Form) -> None:
    """A list stands for the first items, and `additionalItems` for those behind it; one schema for all items."""
    if isinstance(value, (dict, bool)):
        reading.put(keyword, reading.child(value, keyword))
        return
    if value:
        reading.put("prefixItems", [reading.child(child, keyword, position) for position, child in enumerate(value)])
    if "additionalItems" in reading.source:
        reading.put("items", reading.child(reading.source["additionalItems"], "additionalItems"))


def _unevaluated_items(reading: Reading, keyword: str, value: Json, form: Form) -> None:
    reading.reader.sees_items = True
    _keep(reading, keyword, value, form)


def _unseen_contains(reading: Reading, keyword: str, value: Json, form: Form) -> None:
    """Before 2020-12, `unevaluatedItems` does not see what `contains` has looked at."""
    reading.reader.unseen.append(reading.out)
    _keep(reading, keyword, value, form)


def _with_contains(reading: Reading, keyword: str, value: Json, form: Form) -> None:
    if "contains" in reading.source:
        _count(reading, keyword, value, form)


# --- Objects


def _properties_and_required(reading: Reading, keyword: str, value: Json, form: Form) -> None:
    """Properties, and the names of those that say themselves that they are required."""
    _keep(reading, keyword, value, form)
    required = [
        name
        for name, child in value.items()
        if isinstance(child, dict) and child.get("required") is True and "$ref" not in child
    ]
    if required:
        reading.put("required", required)


def _names(reading: Reading, keyword: str, value: Json, _: Form) -> None:
    reading.put(keyword, list(dict.fromkeys(value)))


def _map_of_names(reading: Reading, keyword: str, value: Json, _: Form) -> None:
    reading.put(keyword, {name: list(dict.fromkeys(names)) for name, names in value.items()})


def _dependencies(reading: Reading, keyword: str, value: Json, _: Form) -> None:
    """Names and schemas apart; one name may stand alone in draft-03."""
    names = {name: [item] if isinstance(item, str) else item for name, item in value.items() if not _is_schema(item)}
    schemas = {name: reading.child(item, keyword, name) for name, item in value.items() if _is_schema(item)}
    if names:
        reading.put("dependentRequired", {name: list(dict.fromkeys(needed)) for name, needed in names.items()})
    if schemas:
        reading.put("dependentSchemas", schemas)


def _is_schema(value: Json) -> bool:
    return isinstance(value, (dict, bool))


def _example(reading: Reading, keyword: str, value: Json, _: Form) -> None:
    if "examples" not in reading.source:
        reading.put("examples", [reading.copied(value, keyword)])


def hide_contains(schema: Schema) -> None:
    """Say `contains` under a double `not`, through which `unevaluatedItems` can't see it."""
    parts = {name: schema.pop(name) for name in ("contains", "minContains", "maxContains") if name in schema}
    trail = schema.trail
    hidden = Schema({"not": Schema({"not": Schema(parts, trail)}, trail)}, trail)
    schema["allOf"] = [*schema.get("allOf", ()), hidden]


RULES: Mapping[str, ReadingRule] = {
    "keep": _keep,
    "drop": _drop,
    "reference": _reference,
    "dynamic-reference": _dynamic_reference,
    "recursive-reference": _recursive_reference,
    "types": _types,
    "types-and-schemas": _types_and_schemas,
    "disallow": _disallow,
    "nullable": _drop,
    "with-if": _with_if,
    "extends": _extends,
    "divisible": _divisible,
    "flagged-bound": _flagged_bound,
    "count": _count,
    "format": _format,
    "items": _items,
    "additional-items": _drop,
    "unevaluated-items": _unevaluated_items,
    "unseen-contains": _unseen_contains,
    "with-contains": _with_contains,
    "properties-and-required": _properties_and_required,
    "names": _names,
    "dependencies": _dependencies,
    "map-of-names": _map_of_names,
    "example": _example,
}
