"""What a schema says of one place of a value: the subschemas that look at it, from the normal form.

Nothing is checked here. Which branch of a union holds is not decided, so every branch's subschemas are given,
each with the mark that it stands in a union.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from toolglot.errors import Path
from toolglot.json_values import Json
from toolglot.schemas.forms import Normal, Schema

_TOGETHER = ("allOf",)
_APART = ("anyOf", "oneOf")
_CONDITIONAL = ("then", "else")
# A schema with more subschemas at one place than this is not looked through further: hints get poorer, no more.
_MOST = 64


@dataclass(frozen=True, slots=True)
class Said:
    """One subschema that looks at a place.

    Attributes:
        schema: the subschema.
        in_union: whether another branch may hold instead.
    """

    schema: Schema
    in_union: bool


def said_at(normal: Normal, path: Path) -> tuple[Said, ...]:
    """The subschemas that look at the place of a path, at most a few dozen."""
    found = _expanded(normal, [Said(normal.root, in_union=False)])
    for step in path:
        found = _expanded(
            normal, [Said(schema, each.in_union) for each in found for schema in _inner(each.schema, step)]
        )
    return tuple(found)


def _expanded(normal: Normal, start: Iterable[Said]) -> list[Said]:
    """The subschemas and all that look at the same value through them."""
    found: list[Said] = []
    met: set[int] = set()
    waiting = list(start)
    while waiting and len(found) < _MOST:
        said = waiting.pop(0)
        if id(said.schema) in met:
            continue
        met.add(id(said.schema))
        found.append(said)
        waiting.extend(_beside(normal, said))
    return found


def _beside(normal: Normal, said: Said) -> Iterator[Said]:
    schema = said.schema
    if "$ref" in schema:
        target = normal.definitions.get(str(schema["$ref"]).removeprefix("#/$defs/"))
        if target is not None:
            yield Said(target, said.in_union)
    for keyword in _TOGETHER:
        yield from (Said(member, said.in_union) for member in schema.get(keyword, ()))
    for keyword in _APART:
        yield from (Said(member, in_union=True) for member in schema.get(keyword, ()))
    for keyword in _CONDITIONAL:
        if keyword in schema:
            yield Said(schema[keyword], in_union=True)
    for member in schema.get("dependentSchemas", {}).values():
        yield Said(member, in_union=True)


def _inner(schema: Schema, step: str | int) -> Iterator[Schema]:
    """The subschemas of one schema that look at what stands under a step."""
    if isinstance(step, int):
        first = schema.get("prefixItems", ())
        if step < len(first):
            yield first[step]
        elif "items" in schema:
            yield schema["items"]
        return
    declared = schema.get("properties", {})
    yield from schema.get("patternProperties", {}).values()
    if step in declared:
        yield declared[step]
    elif "additionalProperties" in schema:
        yield schema["additionalProperties"]


def required_at(normal: Normal, path: Path) -> frozenset[str]:
    """The keys that some subschema of a place marks required."""
    return frozenset(name for said in said_at(normal, path) for name in said.schema.get("required", ()))


def declaration_at(normal: Normal, path: Path) -> Schema | None:
    """The one subschema that says of what type the value at a place is, where there is just one."""
    typed = [said.schema for said in said_at(normal, path) if _speaks(said.schema)]
    outer = [schema for schema in typed if not any(schema in _members(other) for other in typed)]
    return outer[0] if len(outer) == 1 else None


def _speaks(schema: Schema) -> bool:
    return any(keyword in schema for keyword in ("type", "enum", "const", "anyOf", "oneOf"))


def _members(schema: Schema) -> list[Json]:
    return [member for keyword in _APART for member in schema.get(keyword, ())]
