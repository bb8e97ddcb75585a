"""Small questions about one node of the normal form, and the ways to make a changed one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from toolglot.errors import Path
from toolglot.json_values import Json
from toolglot.schemas.forms import Schema
from toolglot.tables.keywords import asserts_nothing, vocabulary

TYPES = ("array", "boolean", "null", "number", "object", "string")

_HOLDERS = vocabulary("2020-12").holders
_ONE = frozenset(keyword for keyword, holds in _HOLDERS.items() if holds == "one")
_LIST = frozenset(keyword for keyword, holds in _HOLDERS.items() if holds == "list")
_MAP = frozenset(keyword for keyword, holds in _HOLDERS.items() if holds == "map")
_DIALECTS_OWN = frozenset(("format", "contentEncoding", "contentMediaType", "contentSchema"))


class _Annotations:
    """The keywords that constrain nothing: annotations, extensions, words that no dialect has.

    `format` and the content keywords count here: whether they are checked is the dialect's word, and no edit
    may rest on it.
    """

    def __contains__(self, keyword: object) -> bool:
        return isinstance(keyword, str) and _constrains_nothing(keyword)


@lru_cache(maxsize=4096)
def _constrains_nothing(keyword: str) -> bool:
    return keyword in _DIALECTS_OWN or asserts_nothing(keyword) or keyword not in _FORMS


_FORMS = vocabulary("2020-12").forms
ANNOTATIONS = _Annotations()


def is_never(schema: Schema) -> bool:
    """Whether the schema is the one that nothing fits: `false`, read as `{"not": {}}`."""
    negated = schema.get("not")
    return negated is not None and not negated


def is_anything(schema: Schema) -> bool:
    """Whether everything fits: no keyword of the schema constrains."""
    return all(keyword in ANNOTATIONS for keyword in schema)


def type_set(schema: Schema) -> tuple[str, ...]:
    """The types that the schema names; all of them where it names none."""
    named = schema.get("type", TYPES)
    return (named,) if isinstance(named, str) else tuple(named)


def admits_type(types: tuple[str, ...], name: str) -> bool:
    """Whether a value of the type `name` can be of one of the types; an integer is a number."""
    return name in types or (name == "integer" and "number" in types)


def siblings(schema: Schema, *beside: str) -> list[str]:
    """The constraining keywords that stand beside the given ones."""
    return [keyword for keyword in schema if keyword not in beside and keyword not in ANNOTATIONS]


def with_keywords(schema: Schema, keywords: dict[str, Any]) -> Schema:
    """The node with these keywords set."""
    changed = Schema(schema, schema.place)
    changed.update(keywords)
    return changed


def without(schema: Schema, *keywords: str) -> Schema:
    """The node without these keywords."""
    return Schema({key: value for key, value in schema.items() if key not in keywords}, schema.place)


def only(schema: Schema, *keywords: str) -> Schema:
    """The node with nothing but these keywords."""
    return Schema({key: value for key, value in schema.items() if key in keywords}, schema.place)


def children(schema: Schema) -> Iterator[tuple[Any, Any, Schema]]:
    """Each subschema of a node as (the container it stands in, its key there, itself)."""
    for keyword, value in schema.items():
        if keyword in _ONE:
            yield schema, keyword, value
        elif keyword in _LIST:
            for index, item in enumerate(value):
                yield value, index, item
        elif keyword in _MAP:
            for name, item in value.items():
                yield value, name, item


def own_containers(schema: Schema) -> Schema:
    """The node with containers of its own around its subschemas, so that they can be replaced in place."""
    return Schema(
        {
            keyword: list(value) if keyword in _LIST else dict(value) if keyword in _MAP else value
            for keyword, value in schema.items()
        },
        schema.place,
    )


def place_of(value: Json, default: Path) -> Path:
    """The place of a subschema in the source."""
    return value.place if isinstance(value, Schema) else default
