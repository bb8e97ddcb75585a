"""Whether a value fits a node of the finished wire: what tells the branches of a union apart on the way back.

Exact for the keywords that say what shape a value has; what looks at more (`not`, `if`, `uniqueItems`, `format`…)
is passed over, so that a branch is never left out by mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolglot.json_values import Json
from toolglot.schemas.forms import Schema
from toolglot.schemas.patterns import PatternError, PatternTooCostly, matcher
from toolglot.wire.codecs import ABSENT
from toolglot.wire.members import DECIDED, member_fits
from toolglot.wire.shapes import is_never, type_set

DEEPEST = 60  # levels of a value that are looked at; below, everything fits


def matches(pattern: str, text: str) -> bool:
    """Whether a pattern finds a match; one that can't be read, or would take too long, is taken to find one."""
    try:
        return matcher(pattern)(text)
    except (PatternError, PatternTooCostly):
        return True


@dataclass(frozen=True, slots=True)
class Plain:
    """What a node shows at a glance.

    Attributes:
        settled: the types of the values that fit, whatever they are.
        needs: for a node that says no more of an object than its keys: those that it has to have; else None.
        properties: what is to be looked at below such an object.
        is_closed: whether it may have no other keys.
    """

    settled: frozenset[type]
    needs: frozenset[str] | None
    properties: Mapping[str, Schema | bool]
    is_closed: bool


def plain(node: Schema) -> Plain:
    """What a node shows at a glance."""
    said = _LOOKED_AT.intersection(node)
    settled = frozenset().union(*(_TYPES[name] for name in type_set(node))) if said <= {"type"} else frozenset()
    if node.get("nullable") is True:
        settled |= {type(None)}
    others = node.get("additionalProperties", True)
    is_shape = said <= _SHAPE and "object" in type_set(node) and isinstance(others, bool)
    needs = frozenset(node.get("required", ())) if is_shape else None
    return Plain(settled, needs, node.get("properties", {}), not others)


_TYPES: dict[str, set[type]] = {
    "array": {list},
    "boolean": {bool},
    "integer": {int},
    "null": {type(None)},
    "number": {int, float},
    "object": {dict},
    "string": {str},
}
_SHAPE = frozenset(("type", "properties", "required", "additionalProperties"))
_LOOKED_AT = DECIDED | {
    "not",
    "$ref",
    "anyOf",
    "oneOf",
    "allOf",
    "dependentRequired",
    "propertyNames",
    "properties",
    "additionalProperties",
    "patternProperties",
    "prefixItems",
    "items",
}


class Fitting:
    """Answers for one wire, and remembers them for the time of one call."""

    __slots__ = ("_glances", "_known", "definitions")

    def __init__(self, definitions: Mapping[str, Schema], glances: dict[int, Plain] | None = None) -> None:
        """Answers for a wire.

        Args:
            definitions: what its references mean.
            glances: what its nodes show at a glance, by their identity; kept by the owner between calls.
        """
        self.definitions = definitions
        self._glances = {} if glances is None else glances
        self._known: dict[tuple[int, int], tuple[Json, bool]] = {}

    def fits(self, node: Schema | bool, value: Json, depth: int = 0) -> bool:
        """Whether the value fits the node, in what they show."""
        if isinstance(node, bool) or value is ABSENT or depth > DEEPEST:
            return node is not False and value is not ABSENT
        glance = self._glances.get(id(node))
        if glance is None:
            glance = self._glances[id(node)] = plain(node)
        if type(value) in glance.settled:
            return True
        if not isinstance(value, (dict, list)):
            return self._look(node, value, depth)
        if glance.needs is not None and isinstance(value, dict):
            return glance.needs <= value.keys() and self._keys_fit(glance, value, depth + 1)
        key = id(node), id(value)
        known = self._known.get(key)
        if known is None:
            self._known[key] = (value, True)  # a reference that comes back to the same place says no more
            known = self._known[key] = (value, self._look(node, value, depth))  # held, so that its id stays its own
        return known[1]

    def _look(self, node: Schema, value: Json, depth: int) -> bool:
        if value is None and node.get("nullable") is True:
            return True
        if is_never(node) or not member_fits(value, node, matches):
            return False
        if "$ref" in node and not self.fits(self.definitions[node["$ref"].rpartition("/")[2]], value, depth):
            return False
        for keyword in ("anyOf", "oneOf"):
            if keyword in node and not any(self.fits(branch, value, depth) for branch in node[keyword]):
                return False
        if not all(self.fits(member, value, depth) for member in node.get("allOf", ())):
            return False
        if isinstance(value, dict):
            return self._object_fits(node, value, depth + 1)
        return not isinstance(value, list) or self._list_fits(node, value, depth + 1)

    def _keys_fit(self, glance: Plain, value: dict[str, Json], depth: int) -> bool:
        for key, item in value.items():
            if key not in glance.properties:
                if glance.is_closed:
                    return False
            elif not self.fits(glance.properties[key], item, depth):
                return False
        return True

    def _object_fits(self, node: Schema, value: dict[str, Json], depth: int) -> bool:
        properties: dict[str, Any] = node.get("properties", {})
        others = node.get("additionalProperties", True)
        for key, needed in node.get("dependentRequired", {}).items():
            if key in value and any(name not in value for name in needed):
                return False
        names = node.get("propertyNames")
        if names is not None and not all(self.fits(names, key, depth) for key in value):
            return False
        patterns: dict[str, Any] = node.get("patternProperties", {})
        for key, item in value.items():
            said = [properties[key]] if key in properties else []
            said += [below for pattern, below in patterns.items() if matches(pattern, key)]
            if not all(self.fits(below, item, depth) for below in said or (others,)):
                return False
        return True

    def _list_fits(self, node: Schema, value: list[Json], depth: int) -> bool:
        positions: list[Any] = node.get("prefixItems", [])
        items = node.get("items", True)
        return all(
            self.fits(positions[at] if at < len(positions) else items, item, depth) for at, item in enumerate(value)
        )
