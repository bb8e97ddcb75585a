"""Several schemas that must all hold, said as one.

`meet` reads two schema objects of the normal form as one that admits what both admit. It works on one
level: what meets below (a property declared by both, the items of both) is left as an `allOf` of the
two, for whoever looks at that place next. So nothing here recurses, and a merge costs what its own
keywords cost.

Where JSON Schema has no single keyword for both (two patterns, two `contains`), the second is handed
back as rest: the caller keeps it in an `allOf` or leaves it to the check. What is returned is never
tighter than both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import lcm
from typing import Any

from toolglot.json_values import Json, identity
from toolglot.schemas.forms import Schema
from toolglot.schemas.trails import Trail
from toolglot.wire.shapes import CONSTRAINTS, admits_type, is_never, type_set

Matches = Callable[[str, str], bool]

_LARGER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_SMALLER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
_OBJECT_KEYS = ("properties", "patternProperties", "additionalProperties")
_ARRAY_KEYS = ("prefixItems", "items")
_SCOPED = ("unevaluatedProperties", "unevaluatedItems")
_IN_PLACE = ("allOf", "anyOf", "oneOf", "if", "then", "else", "$ref", "dependentSchemas", "not")


def never(place: Trail | None) -> Schema:
    """The schema that nothing fits."""
    return Schema({"not": Schema({}, place)}, place)


def conjunction(members: Iterable[Schema], place: Trail | None) -> Schema:
    """One schema for all members: themselves if there is but one, `{}` for none, else an `allOf`."""
    kept: list[Schema] = []
    for member in members:
        parts = member["allOf"] if member.keys() == {"allOf"} else (member,)
        kept.extend(part for part in parts if part and not any(part is other for other in kept))
    if any(is_never(part) for part in kept):
        return never(place)
    if len(kept) == 1:
        return kept[0]
    return Schema({"allOf": kept} if kept else {}, place)


def meet(left: Schema, right: Schema, matches: Matches) -> tuple[Schema, list[Schema]]:
    """One schema that admits what both admit, and the conjuncts that it could not take in.

    `matches(pattern, name)` says whether a pattern finds a match in a property's name.
    Neither schema may hold `$ref` or `allOf`: these are followed and flattened before.
    """
    if is_never(left) or is_never(right):
        return never(left.trail), []
    left, right = _settled(left), _settled(right)
    merged = Schema(left, left.trail)
    rest: list[Schema] = []
    _meet_types(merged, left, right)
    _meet_objects(merged, rest, left, right, matches)
    _meet_arrays(merged, left, right)
    right = _without_groups(merged, rest, right)
    for keyword, value in right.items():
        if keyword not in _MET_TOGETHER:
            _meet_keyword(merged, rest, keyword, value, right.trail)
    # what `unevaluated*` sees would change with what stands beside it
    scoped = [keyword for keyword in _SCOPED if keyword in merged]
    rest.extend(Schema({keyword: merged.pop(keyword)}, merged.trail) for keyword in scoped)
    if "type" in merged and not merged["type"]:
        return never(left.trail), []
    if "enum" in merged and not merged["enum"]:
        return never(left.trail), []
    return merged, rest


_GROUPS = {"contains": ("minContains", "maxContains"), "if": ("then", "else")}
_MET_TOGETHER = frozenset(("type", *_OBJECT_KEYS, *_ARRAY_KEYS))


def _settled(schema: Schema) -> Schema:
    """The schema with `const` as an `enum` of one, and `unevaluated*` under the name that means the same here."""
    if "const" in schema:
        schema = Schema(schema, schema.trail)
        only = [schema.pop("const")]
        schema["enum"] = _common_members(only, schema["enum"]) if "enum" in schema else only
    return settle_scope(schema)


def settle_scope(schema: Schema) -> Schema:
    """`unevaluated*` beside nothing that applies in place is `additionalProperties` (or `items`) by another name."""
    if not any(keyword in schema for keyword in _SCOPED) or any(keyword in schema for keyword in _IN_PLACE):
        return schema
    settled = Schema(schema, schema.trail)
    remaining = settled.pop("unevaluatedProperties", None)
    if remaining is not None:
        settled.setdefault("additionalProperties", remaining)
    if "contains" not in settled:
        remaining = settled.pop("unevaluatedItems", None)
        if remaining is not None:
            settled.setdefault("items", remaining)
    return settled


def _without_groups(merged: Schema, rest: list[Schema], right: Schema) -> Schema:
    """The right side without the keywords that only mean something together and stand on the left already."""
    for leader, followers in _GROUPS.items():
        if leader in merged and leader in right:
            right = Schema(right, right.trail)
            group = {keyword: right.pop(keyword) for keyword in (leader, *followers) if keyword in right}
            rest.append(Schema(group, right.trail))
    return right


def _meet_types(merged: Schema, left: Schema, right: Schema) -> None:
    if "type" not in right:
        return
    if "type" not in left:
        merged["type"] = right["type"]
        return
    wanted, other = type_set(left), type_set(right)
    common = [name for name in wanted if admits_type(other, name)]
    common += [name for name in other if name == "integer" and name not in common and "number" in wanted]
    merged["type"] = common[0] if len(common) == 1 else common


def _meet_objects(merged: Schema, rest: list[Schema], left: Schema, right: Schema, matches: Matches) -> None:
    """Which keys both admit, and with which values (`properties`, `patternProperties`, `additionalProperties`)."""
    if not any(keyword in right for keyword in _OBJECT_KEYS):
        return
    if not any(keyword in left for keyword in _OBJECT_KEYS):
        merged.update((keyword, right[keyword]) for keyword in _OBJECT_KEYS if keyword in right)
        return
    place = left.trail
    names = dict.fromkeys((*left.get("properties", ()), *right.get("properties", ())))
    if names:
        merged["properties"] = {
            name: conjunction((*_of_key(left, name, matches), *_of_key(right, name, matches)), place) for name in names
        }
    merged_patterns = _meet_patterns(left, right, rest)
    if merged_patterns:
        merged["patternProperties"] = merged_patterns
    others = [side["additionalProperties"] for side in (left, right) if "additionalProperties" in side]
    if others:
        merged["additionalProperties"] = conjunction(others, place)


def _of_key(side: Schema, name: str, matches: Matches) -> list[Schema]:
    """What one side says of the value under a key."""
    said = [side["properties"][name]] if name in side.get("properties", ()) else []
    said += [value for pattern, value in side.get("patternProperties", {}).items() if matches(pattern, name)]
    if not said and "additionalProperties" in side:
        said.append(side["additionalProperties"])
    return said


def _meet_patterns(left: Schema, right: Schema, rest: list[Schema]) -> dict[str, Schema]:
    """Keys that match a pattern of one side are still subject to the other side's `additionalProperties`.

    With patterns on both sides it is not known which keys match both, so there the other's
    `additionalProperties` is handed back as rest.
    """
    patterns: dict[str, Schema] = {}
    for side, other in ((left, right), (right, left)):
        for pattern, value in side.get("patternProperties", {}).items():
            said = [patterns[pattern]] if pattern in patterns else []
            said.append(value)
            if "patternProperties" not in other and "additionalProperties" in other:
                said.append(other["additionalProperties"])
            patterns[pattern] = conjunction(said, side.trail)
    if "patternProperties" in left and "patternProperties" in right:
        rest.extend(
            Schema({keyword: side[keyword] for keyword in _OBJECT_KEYS if keyword in side}, side.trail)
            for side in (left, right)
            if "additionalProperties" in side
        )
    return patterns


def _meet_arrays(merged: Schema, left: Schema, right: Schema) -> None:
    """Tuples meet position by position; past a tuple's end its `items` speaks."""
    if not any(keyword in right for keyword in _ARRAY_KEYS):
        return
    length = max(len(left.get("prefixItems", ())), len(right.get("prefixItems", ())))
    if length:
        merged["prefixItems"] = [
            conjunction((*_of_position(left, index), *_of_position(right, index)), left.trail)
            for index in range(length)
        ]
    items = [side["items"] for side in (left, right) if "items" in side]
    if items:
        merged["items"] = conjunction(items, left.trail)


def _of_position(side: Schema, index: int) -> list[Schema]:
    positions = side.get("prefixItems", ())
    if index < len(positions):
        return [positions[index]]
    return [side["items"]] if "items" in side else []


def _meet_keyword(merged: Schema, rest: list[Schema], keyword: str, value: Json, place: Trail | None) -> None:
    if keyword not in merged:
        merged[keyword] = value
    elif keyword in _LARGER:
        merged[keyword] = max(merged[keyword], value)
    elif keyword in _SMALLER:
        merged[keyword] = min(merged[keyword], value)
    elif keyword == "multipleOf" and isinstance(value, int) and isinstance(merged[keyword], int):
        merged[keyword] = lcm(merged[keyword], value)
    elif keyword in _MEETINGS:
        merged[keyword] = _MEETINGS[keyword](merged[keyword], value)
    elif keyword in CONSTRAINTS and identity(merged[keyword]) != identity(value):
        rest.append(Schema({keyword: value}, place))


def _common_members(left: list[Json], right: list[Json]) -> list[Json]:
    allowed = {identity(member) for member in right}
    return [member for member in left if identity(member) in allowed]


def _common_names(left: dict[str, list[str]], right: dict[str, list[str]]) -> dict[str, list[str]]:
    names = dict.fromkeys((*left, *right))
    return {name: list(dict.fromkeys((*left.get(name, ()), *right.get(name, ())))) for name in names}


def _common_schemas(left: dict[str, Schema], right: dict[str, Schema]) -> dict[str, Schema]:
    names = dict.fromkeys((*left, *right))
    return {
        name: conjunction([side[name] for side in (left, right) if name in side], (left.get(name) or right[name]).trail)
        for name in names
    }


_MEETINGS: dict[str, Callable[[Any, Any], Json]] = {
    "enum": _common_members,
    "required": lambda left, right: list(dict.fromkeys((*left, *right))),
    "uniqueItems": lambda left, right: left or right,
    "dependentRequired": _common_names,
    "dependentSchemas": _common_schemas,
    "propertyNames": lambda left, right: conjunction((left, right), left.trail),
}
