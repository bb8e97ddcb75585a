"""The limits that a target may set on what it is sent, by the names they have in a target's row.

Measured on the finished wire by the room `wire`; a name that is not declared here limits nothing. A target's
`[target."id".limits]` sets numbers, and texts for patterns.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

LIMITS: Mapping[str, str] = MappingProxyType(
    {
        # of each tool's schema
        "depth": "objects and arrays inside each other",
        "properties": "declared properties in total",
        "enum-members": "listed values in total",
        "enum-members-each": "listed values of one `enum`",
        "enum-characters-each": "characters of the texts of one `enum` that has more than `enum-characters-from` values",
        "enum-characters-from": "the number of values above which `enum-characters-each` counts",
        "text-total": "characters of property names, definition names and listed values together",
        "branches": "branches of one `anyOf` or `oneOf`",
        "schema-characters": "characters of the schema as compact JSON",
        # of each tool
        "tool-name-pattern": "a pattern that a tool's name has to match",
        "tool-name-longest": "characters of a tool's name",
        "description-longest": "characters of a tool's description",
        # of the request, over all tools
        "tools": "tools",
        "request-characters": "characters of all schemas together",
        "request-properties": "declared properties of all tools together",
        "request-optional": "optional properties of all tools together",
        "request-unions": "properties with a list of types or an `anyOf`, of all tools together",
    }
)
