"""A target's limits, measured on a finished wire; and what is given up, step by step, so that a schema fits.

Nothing that is given up is lost: a list of values that is too long is left to the check, and what is too deep or
too large becomes JSON text. What still does not fit is told by name, so that the request can leave that tool out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from toolglot.json_values import Json
from toolglot.tables.limits import LIMITS, OF_REQUEST, OF_SCHEMA
from toolglot.wire.shapes import HOLDING, parts_of_wire

Measures = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Over:
    """One limit that is passed.

    Attributes:
        limit: its name, as in a target's row.
        found: what was measured.
        most: what the target takes.
    """

    limit: str
    found: int
    most: int

    @property
    def reason(self) -> str:
        """What was found and what the target takes."""
        return f"{self.found:,} {LIMITS[self.limit]}, where the target takes {self.most:,}"


@dataclass(frozen=True, slots=True)
class Pressure:
    """What is given up at the nodes of a schema.

    Attributes:
        enum: lists of this many values and more are left to the check; None for no list.
        depth: objects and arrays this deep and deeper are JSON text; None for none.
        for_enum: the limit that asks for the one.
        for_depth: the limit that asks for the other.
        share: whether parts that stand in several places are said once.
    """

    enum: int | None = None
    depth: int | None = None
    for_enum: str = ""
    for_depth: str = ""
    share: bool = False


NO_PRESSURE = Pressure()


def counted(wire: dict[str, Any], *, few: int = 0) -> dict[str, int]:
    """What a finished wire measures, by the names of limits, but for its length as text.

    Args:
        wire: the schema as plain JSON.
        few: the number of values up to which the texts of a list do not count for `enum-characters-each`.
    """
    found = dict.fromkeys((*OF_SCHEMA, "optional", "unions"), 0)
    stack: list[tuple[dict[str, Any], int]] = [(wire, 0)]
    deepest = 0
    while stack:
        node, depth = stack.pop()
        inner = depth + 1 if _is_container(node) else depth
        deepest = max(deepest, inner)
        if _COUNTED.isdisjoint(node):
            continue
        if "properties" in node:
            _count_properties(node, found)
        if "enum" in node or "const" in node:
            _count_members(node, found, few)
        for keyword in _UNIONS.intersection(node):
            found["branches"] = max(found["branches"], len(node[keyword]))
        for keyword in _DEFINITIONS.intersection(node):
            found["text-total"] += sum(map(len, node[keyword]))
        stack += parts_of_wire(node, depth, inner)
    found["depth"] = deepest
    return found


_UNIONS = frozenset(("anyOf", "oneOf"))
_DEFINITIONS = frozenset(("$defs", "definitions"))
_COUNTED = frozenset(("enum", "const", *_UNIONS, *_DEFINITIONS, *HOLDING))
COUNTABLE = frozenset(("properties", "enum", "const", *_UNIONS))  # what `at_most` wants to see
_CONTAINERS = frozenset(("object", "array", "OBJECT", "ARRAY"))


def _is_container(node: dict[str, Any]) -> bool:
    named = node.get("type", "")
    if isinstance(named, str):
        return named in _CONTAINERS or "properties" in node or "items" in node
    return not _CONTAINERS.isdisjoint(named) or "properties" in node or "items" in node


def _count_properties(node: dict[str, Any], found: dict[str, int]) -> None:
    properties = node["properties"]
    found["properties"] += len(properties)
    found["optional"] += len(properties.keys() - node.get("required", ()))
    found["text-total"] += sum(map(len, properties))
    for below in properties.values():
        if isinstance(below, dict) and ("anyOf" in below or isinstance(below.get("type"), list)):
            found["unions"] += 1


def _count_members(node: dict[str, Any], found: dict[str, int], few: int) -> None:
    members: list[Json] = node["enum"] if "enum" in node else [node["const"]]
    texts = sum([len(member) for member in members if isinstance(member, str)])
    found["enum-members"] += len(members)
    found["enum-members-each"] = max(found["enum-members-each"], len(members))
    found["text-total"] += texts
    if len(members) > few:
        found["enum-characters-each"] = max(found["enum-characters-each"], texts)


def at_most(nodes: Iterable[dict[str, Any]], definitions: Iterable[str], depth: int, *, few: int = 0) -> dict[str, int]:
    """Bounds of what a wire measures, by the names of limits; most schemas need not be counted to be known to fit.

    Args:
        nodes: the nodes with properties, listed values or a union; some may not be on the wire any more.
        definitions: the names of the definitions.
        depth: how deep the deepest node is at most.
        few: as for `counted`.
    """
    found = dict.fromkeys(OF_SCHEMA, 0)
    found["depth"] = depth
    found["text-total"] = sum(map(len, definitions))
    for node in nodes:
        if "properties" in node:
            found["properties"] += len(node["properties"])
            found["text-total"] += sum(map(len, node["properties"]))
        if "enum" in node or "const" in node:
            _count_members(node, found, few)
        for keyword in _UNIONS.intersection(node):
            found["branches"] = max(found["branches"], len(node[keyword]))
    del found["schema-characters"]
    return found


def over(found: Measures, limits: Mapping[str, Json]) -> tuple[Over, ...]:
    """The limits of one schema that are passed."""
    return tuple(
        Over(name, found[name], limits[name]) for name in OF_SCHEMA if name in limits and found[name] > limits[name]
    )


_BY_LISTS = ("enum-members", "enum-members-each", "enum-characters-each", "text-total", "schema-characters")
_LISTS = (500, 250, 100, 50, 20, 5)
_STEPWISE = 20  # levels up to which one after another is tried


def pressures(passed: tuple[Over, ...], found: Measures, *, share: bool = False) -> Iterator[Pressure]:
    """What may be given up, the least first; each is more than the one before.

    Args:
        passed: the limits that are passed.
        found: what the schema measures.
        share: whether the target counts a part once that stands in several places by reference.
    """
    lists = [one.limit for one in passed if one.limit in _BY_LISTS]
    others = [one.limit for one in passed if one.limit not in _BY_LISTS] or lists
    enum: int | None = None
    if share:
        yield Pressure(share=True)
    for most in _LISTS if lists else ():
        if most <= found["enum-members-each"]:
            enum = most
            yield Pressure(enum=enum, for_enum=lists[0], share=share)
    depth = min([found["depth"], *(one.most + 1 for one in passed if one.limit == "depth")])
    for_enum = lists[0] if lists else ""
    while depth > 1:  # by a fifth where it is deep, so that the whole takes few rounds
        depth = min(depth - 1, depth * 4 // 5) if depth > _STEPWISE else depth - 1
        yield Pressure(enum=enum, depth=depth, for_enum=for_enum, for_depth=others[0], share=share)


# The request ----------------------------------------------------------------------------------------------------

_SUMS = {
    "request-characters": "schema-characters",
    "request-properties": "properties",
    "request-optional": "optional",
    "request-unions": "unions",
}


class Measured(Protocol):
    """What can be measured; not measured before it is asked for."""

    @property
    def measures(self) -> Measures:
        """What it measures, by the names of limits."""


def left_over(tools: Mapping[str, Measured], limits: Mapping[str, Json]) -> dict[str, Over]:
    """The tools that do not fit into one request beside those before them, each with the limit that it passes."""
    room = {name: limits[name] for name in OF_REQUEST if name in limits}
    sums = dict.fromkeys(room, 0)
    found: dict[str, Over] = {}
    for tool, measured in tools.items():
        would = {name: sums[name] + (1 if name == "tools" else measured.measures[_SUMS[name]]) for name in room}
        passed = next((name for name in room if would[name] > room[name]), None)
        if passed is None:
            sums = would
        else:
            found[tool] = Over(passed, would[passed], room[passed])
    return found
