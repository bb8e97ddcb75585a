"""References that lead back to themselves without ever looking further into a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from toolglot.errors import SchemaError
from toolglot.schemas.forms import Schema
from toolglot.schemas.walk import held
from toolglot.tables.keywords import keywords, vocabulary

_DEFINITION = len("#/$defs/")


def refuse_loops(root: Schema, definitions: Mapping[str, Schema]) -> None:
    """Refuse a schema in which a value would be looked at for ever.

    Raises:
        SchemaError: some schema refers to itself, and only through schemas that look at the same value.
    """
    if not definitions:
        return
    done: set[int] = set()
    for start in (root, *definitions.values()):
        _visit(start, definitions, done)


def _visit(start: Schema, definitions: Mapping[str, Schema], done: set[int]) -> None:
    """Depth first; `open_ones` are the schemas on the way from the start to here."""
    if id(start) in done:
        return
    open_ones = {id(start)}
    stack = [(start, _in_place(start, definitions))]
    while stack:
        schema, below = stack[-1]
        child = next(below, None)
        if child is None:
            stack.pop()
            open_ones.discard(id(schema))
            done.add(id(schema))
        elif id(child) in open_ones:
            raise SchemaError(schema.place, "$ref", "leads back to itself without looking further into the value")
        elif id(child) not in done:
            open_ones.add(id(child))
            stack.append((child, _in_place(child, definitions)))


def _in_place(schema: Schema, definitions: Mapping[str, Schema]) -> Iterator[Schema]:
    """The schemas that look at the same value as this one."""
    holders, rows = vocabulary("2020-12").holders, keywords()
    for keyword, value in schema.items():
        if keyword == "$ref":
            yield definitions[value[_DEFINITION:]]
        elif keyword in holders and rows[keyword].in_place:
            for _, _, child in held(keyword, holders[keyword], value):
                yield child
