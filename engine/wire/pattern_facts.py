"""The facts of a node that look at its patterns of names, see `facts`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolglot.json_values import Json
from toolglot.schemas.forms import Schema
from toolglot.schemas.patterns import PatternError
from toolglot.wire.shapes import children

if TYPE_CHECKING:
    from toolglot.wire.facts import Standing


def are_apart(node: Schema) -> Json:
    """Whether no name is seen to fit two patterns of names."""
    from toolglot.schemas.patterns import apart  # noqa: PLC0415 - few schemas have patterns of names

    if "patternProperties" not in node:
        return None
    try:
        return apart.are_apart(node["patternProperties"])
    except PatternError:
        return False


def declared_name_recurses(node: Schema, standing: Standing) -> Json:
    """Whether a property's name fits a pattern whose schema refers to one that leads back to itself."""
    names = node.get("properties", ())
    return any(
        any(standing.matches(pattern, name) for name in names) and _refers_back(said, standing)
        for pattern, said in node.get("patternProperties", {}).items()
    )


def _refers_back(node: Schema, standing: Standing) -> bool:
    stack = [node]
    while stack:
        current = stack.pop()
        if "$ref" in current and standing.is_recursive(current["$ref"]):
            return True
        stack.extend(child for _, _, child in children(current))
    return False
