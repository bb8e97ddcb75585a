"""Whether a value fits a node of the finished wire: what tells the branches of a union apart on the way back.

Exact for the keywords that say what shape a value has; what looks at more (`not`, `if`, `uniqueItems`, `format`…)
is passed over, so that a branch is never left out by mistake.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolglot.json_values import Json
from toolglot.schemas.forms import Schema
from toolglot.schemas.patterns import PatternError, PatternTooCostly, matcher
from toolglot.unwound import Call, unwound
from toolglot.wire.codecs import ABSENT
from toolglot.wire.members import DECIDED, member_fits
from toolglot.wire.shapes import is_never, type_set

DEEPEST = 1_000  # levels of a value that are looked at; below, everything fits
_OTHERS = frozenset(("$ref", "anyOf", "oneOf", "allOf"))  # what asks other nodes of the same value

# One of the nodes has to fit the value, at a depth.
_Wanted = tuple[Sequence[Schema | bool], Json, int]


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
        known = self._at_once(node, value, depth)
        return unwound(self._look(node, value, depth)) if known is None else known

    def _at_once(self, node: Schema | bool, value: Json, depth: int) -> bool | None:
        """The answer where it takes no look at other nodes, or is known; else None."""
        if isinstance(node, bool) or value is ABSENT or depth > DEEPEST:
            return node is not False and value is not ABSENT
        glance = self._glances.get(id(node))
        if glance is None:
            glance = self._glances[id(node)] = plain(node)
        if type(value) in glance.settled:
            return True
        if not isinstance(value, (dict, list)):
            return _fits_alone(node, value) if _OTHERS.isdisjoint(node) else None
        if glance.needs is not None and isinstance(value, dict):
            return None if glance.needs <= value.keys() else False
        known = self._known.get((id(node), id(value)))
        return None if known is None else known[1]

    def _look(self, node: Any, value: Json, depth: int) -> Call[bool]:
        glance = self._glances[id(node)]
        if glance.needs is not None and isinstance(value, dict):
            wanted = _wanted_of_plain(glance, value, depth + 1)
        elif _fits_alone(node, value):
            wanted = self._wanted(node, value, depth)
        else:
            return False
        key = id(node), id(value)
        self._known[key] = (value, True)  # a reference that comes back to the same place says no more
        found = True
        for nodes, item, at in wanted:
            found = False
            for one in nodes:
                known = self._at_once(one, item, at)
                found = (yield self._look(one, item, at)) if known is None else known
                if found:
                    break
            if not found:
                break
        self._known[key] = (value, found)  # the value is held, so that its id stays its own
        return found

    def _wanted(self, node: Schema, value: Json, depth: int) -> Iterator[_Wanted]:
        if value is None and node.get("nullable") is True:
            return
        if "$ref" in node:
            yield (self.definitions[node["$ref"].rpartition("/")[2]],), value, depth
        for keyword in ("anyOf", "oneOf"):
            if keyword in node:
                yield node[keyword], value, depth
        for member in node.get("allOf", ()):
            yield (member,), value, depth
        if isinstance(value, dict):
            yield from _wanted_of_object(node, value, depth + 1)
        elif isinstance(value, list):
            positions, items = node.get("prefixItems", ()), node.get("items", True)
            for at, item in enumerate(value):
                yield (positions[at] if at < len(positions) else items,), item, depth + 1


def _fits_alone(node: Schema, value: Json) -> bool:
    """Whether the value fits what the node says without other nodes."""
    if value is None and node.get("nullable") is True:
        return True
    if is_never(node) or not member_fits(value, node, matches):
        return False
    needs = node.get("dependentRequired", {}) if isinstance(value, dict) else {}
    return not any(key in value and any(name not in value for name in needed) for key, needed in needs.items())


def _wanted_of_plain(glance: Plain, value: dict[str, Json], depth: int) -> Iterator[_Wanted]:
    for key, item in value.items():
        if key in glance.properties:
            yield (glance.properties[key],), item, depth
        elif glance.is_closed:
            yield (False,), item, depth


def _wanted_of_object(node: Schema, value: dict[str, Json], depth: int) -> Iterator[_Wanted]:
    properties: dict[str, Any] = node.get("properties", {})
    patterns: dict[str, Any] = node.get("patternProperties", {})
    others, names = node.get("additionalProperties", True), node.get("propertyNames")
    for key, item in value.items():
        if names is not None:
            yield (names,), key, depth
        said = [properties[key]] if key in properties else []
        said += [below for pattern, below in patterns.items() if matches(pattern, key)]
        for below in said or (others,):
            yield (below,), item, depth
