"""The limits that a target may set on what it is sent, by the names they have in a target's row.

Measured on the finished wire by the room `wire`; a name that is not declared here is refused. A target's
`[target."id".limits]` sets a number for each, and texts where the meaning says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from toolglot.json_values import Json

OF_SCHEMA: Mapping[str, str] = MappingProxyType(
    {
        "depth": "objects and arrays inside each other",
        "properties": "declared properties in total",
        "enum-members": "listed values in total",
        "enum-members-each": "listed values of one `enum`",
        "enum-characters-each": "characters of the texts of one `enum` with more than `enum-characters-from` values",
        "text-total": "characters of property names, definition names and listed values together",
        "branches": "branches of one `anyOf` or `oneOf`",
        "schema-characters": "characters of the schema as compact JSON",
    }
)
OF_REQUEST: Mapping[str, str] = MappingProxyType(
    {
        "tools": "tools",
        "request-characters": "characters of all schemas together",
        "request-properties": "declared properties of all tools together",
        "request-optional": "optional properties of all tools together",
        "request-unions": "properties with a list of types or an `anyOf`, of all tools together",
    }
)
SETTINGS: Mapping[str, str] = MappingProxyType(
    {
        "enum-characters-from": "the number of values above which `enum-characters-each` counts",
        "share": "true where parts that stand in several places count once, as a definition",
        "tool-name-pattern": "a text: the pattern that a tool's name has to match; others get another name",
        "tool-name-longest": "characters of a tool's name; longer ones get another name",
        "otherwise": "a text: the target whose form a tool has, in the same request, that does not fit into this one",
    }
)
LIMITS: Mapping[str, str] = MappingProxyType({**OF_SCHEMA, **OF_REQUEST, **SETTINGS})
_TEXTS = ("tool-name-pattern", "otherwise")
_FLAGS = ("share",)


def limit_fault(name: str, value: Json) -> str | None:
    """Why a limit can't have a value, in words; None where it can."""
    if name in _FLAGS:
        return None if isinstance(value, bool) else "wanted true or false"
    if name in _TEXTS:
        return _text_fault(name, value)
    is_number = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return None if is_number else "wanted a whole number, 0 or more"


def _text_fault(name: str, value: Json) -> str | None:
    if not isinstance(value, str) or not value:
        return "wanted a text"
    try:
        re.compile(value if name == "tool-name-pattern" else "")
    except re.error as error:
        return f"no regular expression ({error})"
    return None
