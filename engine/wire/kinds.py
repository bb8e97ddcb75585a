"""Which kinds of values a node can admit, and whether two branches of a union can admit the same value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations

from toolglot.json_values import Json, identity, kind
from toolglot.schemas.forms import Schema
from toolglot.wire.shapes import TYPES, is_never, type_set

Definition = Callable[[str], Schema]

ALL = frozenset(TYPES)
MOST_BRANCHES = 40
MOST_STEPS = 200


def kinds(node: Schema, definition: Definition) -> frozenset[str]:
    """The kinds of values that a node can admit; an integer counts as a number. Never too few."""
    budget = [MOST_STEPS]
    return _kinds(node, definition, budget, frozenset())


def _kinds(node: Schema, definition: Definition, budget: list[int], seen: frozenset[str]) -> frozenset[str]:
    budget[0] -= 1
    if budget[0] < 0 or len(seen) > MOST_BRANCHES:
        return ALL
    if is_never(node):
        return frozenset()
    found = frozenset("number" if name == "integer" else name for name in type_set(node)) if "type" in node else ALL
    if "enum" in node or "const" in node:
        found &= _kinds_of(node["enum"] if "enum" in node else [node["const"]])
    for keyword in ("anyOf", "oneOf"):
        if keyword in node:
            found &= frozenset[str]().union(*[_kinds(part, definition, budget, seen) for part in node[keyword]])
    reference = node.get("$ref")
    if reference is not None and reference not in seen:
        found &= _kinds(definition(reference), definition, budget, seen | {reference})
    return found


def _kinds_of(members: Iterable[Json]) -> frozenset[str]:
    return frozenset("number" if kind(member) == "integer" else kind(member) for member in members)


def overlap(branches: list[Schema], definition: Definition) -> bool:
    """Whether a value might fit two branches; False only where none can."""
    if len(branches) > MOST_BRANCHES:
        return True
    known = [_behind(branch, definition) for branch in branches]
    return any(not _are_apart(left, right, definition) for left, right in combinations(known, 2))


def _behind(node: Schema, definition: Definition) -> Schema:
    """What a plain reference means."""
    for _ in range(MOST_BRANCHES):
        if "$ref" not in node:
            break
        node = definition(node["$ref"])
    return node


def _are_apart(left: Schema, right: Schema, definition: Definition) -> bool:
    if kinds(left, definition).isdisjoint(kinds(right, definition)):
        return True
    first, second = _listed(left), _listed(right)
    if first is not None and second is not None:
        return first.isdisjoint(second)
    if left.get("type") != "object" or right.get("type") != "object":
        return False
    for name in frozenset(left.get("required", ())) & frozenset(right.get("required", ())):
        ours, theirs = left.get("properties", {}).get(name), right.get("properties", {}).get(name)
        if ours is not None and theirs is not None:
            first, second = _listed(_behind(ours, definition)), _listed(_behind(theirs, definition))
            if first is not None and second is not None and first.isdisjoint(second):
                return True
    return False


def _listed(node: Schema) -> frozenset[Json] | None:
    """The identities of the values that a node lists."""
    if "const" in node:
        return frozenset([identity(node["const"])])
    return frozenset(map(identity, node["enum"])) if "enum" in node else None
