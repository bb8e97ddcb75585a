"""The order in which a schema is compiled: subschemas and references first, without recursion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from toolglot.errors import Path
from toolglot.schemas.forms import Normal, Schema

ONE = (
    "additionalProperties",
    "propertyNames",
    "items",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "unevaluatedProperties",
    "unevaluatedItems",
)
LISTS = ("prefixItems", "allOf", "anyOf", "oneOf")
MAPS = ("properties", "patternProperties", "dependentSchemas")
_PREFIX = "#/$defs/"


def children(schema: Mapping[str, object]) -> Iterator[tuple[Path, Schema]]:
    """Each subschema of a schema of the normal form, with its steps."""
    for keyword in schema.keys() & _ALL:
        held = schema[keyword]
        if isinstance(held, Schema):
            yield (keyword,), held
        elif isinstance(held, list):
            yield from (((keyword, index), item) for index, item in enumerate(held) if isinstance(item, Schema))
        elif isinstance(held, dict):
            yield from (((keyword, name), item) for name, item in held.items() if isinstance(item, Schema))


_ALL = frozenset((*ONE, *LISTS, *MAPS))


def target(normal: Normal, schema: Mapping[str, object]) -> Schema | None:
    """The definition that a schema's `$ref` names, if it has one."""
    reference = schema.get("$ref")
    return normal.definitions[reference.removeprefix(_PREFIX)] if isinstance(reference, str) else None


def inner_first(normal: Normal) -> list[tuple[Schema, list[Schema]]]:
    """Each schema object once, with those it holds, after all that it holds, and that it refers to unless in a cycle.

    The root may be a part of a definition that it refers to: then what holds the root waits for it.
    """
    order: list[tuple[Schema, list[Schema]]] = []
    seen: set[int] = set()
    done: set[int] = set()
    holders: dict[int, list[tuple[Schema, list[Schema] | None]]] = {}
    waiting: list[tuple[Schema, list[Schema] | None]] = [(normal.root, None)]
    while waiting:
        schema, held = waiting.pop()
        if held is not None:
            missing = next((child for child in held if id(child) not in done), None)
            if missing is not None:
                holders.setdefault(id(missing), []).append((schema, held))
                continue
            order.append((schema, held))
            done.add(id(schema))
            waiting.extend(holders.pop(id(schema), ()))
        elif id(schema) not in seen:
            seen.add(id(schema))
            held = [child for _, child in children(schema)]
            waiting.append((schema, held))
            waiting.extend((child, None) for child in held)
            referred = target(normal, schema)
            if referred is not None:
                waiting.append((referred, None))
    return order
