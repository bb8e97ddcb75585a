"""Which kinds of values a node can admit, and whether two branches of a union can admit the same value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations

from toolglot.json_values import Json, identity, kind
from toolglot.schemas.forms import Schema
from toolglot.unwound import Call, unwound
from toolglot.wire.shapes import TYPES, is_never, type_set

Definition = Callable[[str], Schema]

ALL = frozenset(TYPES)
MOST_BRANCHES = 40
MOST_STEPS = 200
FEW_STEPS = 60


def kinds(node: Schema, definition: Definition) -> frozenset[str]:
    """The kinds of values that a node can admit; an integer counts as a number. Never too few."""
    return unwound(_kinds(node, definition, [MOST_STEPS], frozenset()))


def _kinds(node: Schema, definition: Definition, budget: list[int], seen: frozenset[str]) -> Call[frozenset[str]]:
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
            said = frozenset[str]()
            for part in node[keyword]:
                said |= yield _kinds(part, definition, budget, seen)
            found &= said
    reference = node.get("$ref")
    if reference is not None and reference not in seen:
        found &= yield _kinds(definition(reference), definition, budget, seen | {reference})
    return found


def _kinds_of(members: Iterable[Json]) -> frozenset[str]:
    return frozenset("number" if kind(member) == "integer" else kind(member) for member in members)


def overlap(branches: list[Schema], definition: Definition) -> bool:
    """Whether a value might fit two branches; False only where none can."""
    if len(branches) > MOST_BRANCHES:
        return True
    return any(not are_apart(left, right, definition) for left, right in combinations(branches, 2))


def _behind(node: Schema, definition: Definition) -> Schema:
    """What a plain reference means."""
    for _ in range(MOST_BRANCHES):
        if "$ref" not in node:
            break
        node = definition(node["$ref"])
    return node


def are_apart(left: Schema, right: Schema, definition: Definition) -> bool:
    """Whether no value fits both nodes; False where that is not known."""
    left, right = _behind(left, definition), _behind(right, definition)
    if kinds(left, definition).isdisjoint(kinds(right, definition)):
        return True
    first, second = _listed(left), _listed(right)
    if first is not None and second is not None:
        return first.isdisjoint(second)
    if left.get("type") != "object" or right.get("type") != "object":
        return False
    if _wants_what_is_refused(left, right) or _wants_what_is_refused(right, left):
        return True
    for name in frozenset(left.get("required", ())) & frozenset(right.get("required", ())):
        ours, theirs = left.get("properties", {}).get(name), right.get("properties", {}).get(name)
        if ours is not None and theirs is not None:
            first, second = _listed(_behind(ours, definition)), _listed(_behind(theirs, definition))
            if first is not None and second is not None and first.isdisjoint(second):
                return True
    return False


def _wants_what_is_refused(left: Schema, right: Schema) -> bool:
    """Whether one object requires a key that the other does not take."""
    others = right.get("additionalProperties")
    if "patternProperties" in right or not (others is False or (isinstance(others, Schema) and is_never(others))):
        return False
    return any(name not in right.get("properties", ()) for name in left.get("required", ()))


def _listed(node: Schema) -> frozenset[Json] | None:
    """The identities of the values that a node lists."""
    if "const" in node:
        return frozenset([identity(node["const"])])
    return frozenset(map(identity, node["enum"])) if "enum" in node else None


# Branches that are encoded ---------------------------------------------------------------------------------------


def mixed_up(branches: list[Schema], definition: Definition) -> bool:
    """Whether a branch that a target can't say as it is would be taken for another one, once it is encoded.

    A value of any kind and a free object are then a text, a map is a list of entries, a tuple an object by
    positions. What another branch says itself in that kind can't be told from it.
    """
    budget = [FEW_STEPS]
    said = [unwound(_said_as(branch, definition, budget, frozenset())) for branch in branches[:MOST_BRANCHES]]
    return any(
        own & others and (own & encoded & others or own & others & other_encoded)
        for (own, encoded), (others, other_encoded) in combinations(said, 2)
    )


_Said = tuple[frozenset[str], frozenset[str]]
_NOTHING: _Said = (frozenset(), frozenset())


def _said_as(node: Schema, definition: Definition, budget: list[int], seen: frozenset[str]) -> Call[_Said]:
    """The kinds that a branch has on the wire, and those of them that it has by an encoding."""
    budget[0] -= 1
    if is_never(node) or budget[0] < 0:
        return _NOTHING
    reference = node.get("$ref")
    if reference is not None:
        if reference in seen:
            return _NOTHING
        meant: _Said = yield _said_as(definition(reference), definition, budget, seen | {reference})
        return meant
    for keyword in ("anyOf", "oneOf"):
        if keyword in node:
            said = _NOTHING
            for part in node[keyword]:
                said = _joined([said, (yield _said_as(part, definition, budget, seen))])
            return said
    if "enum" in node or "const" in node:
        listed = _kinds_of(node["enum"] if "enum" in node else [node["const"]])
        plain = listed.isdisjoint(("array", "object"))
        return (listed, frozenset()) if plain else (frozenset(("string",)), frozenset(("string",)))
    if "type" not in node:
        return frozenset(("string",)), frozenset(("string",))
    return _joined([_kind_said_as(node, name) for name in type_set(node)])


def _kind_said_as(node: Schema, name: str) -> _Said:
    if name == "object" and not node.get("properties"):
        others = node.get("additionalProperties")
        if others is not None and is_never(others) and "patternProperties" not in node:
            return frozenset(("object",)), frozenset()
        name = "array" if others or "patternProperties" in node else "string"
    elif name == "array" and "prefixItems" in node:
        name = "object"
    else:
        return frozenset(("number" if name == "integer" else name,)), frozenset()
    return frozenset((name,)), frozenset((name,))


def _joined(parts: list[_Said]) -> _Said:
    return frozenset[str]().union(*[own for own, _ in parts]), frozenset[str]().union(*[coded for _, coded in parts])
