"""Which kinds of values a node can admit, and whether two branches of a union can admit the same value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
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


_OF_TYPE = {name: frozenset((name,)) for name in TYPES} | {"integer": frozenset(("number",))}
# What has a say beside the type.
_SAYING = frozenset(("enum", "const", "anyOf", "oneOf", "$ref", "not"))


def kinds(node: Schema, definition: Definition) -> frozenset[str]:
    """The kinds of values that a node can admit; an integer counts as a number. Never too few."""
    known = _kinds_at_once(node)
    if known is None and len(node.get("anyOf", ())) <= MOST_BRANCHES and _LEADING.intersection(node) == _ANY_OF:
        parts = [_kinds_at_once(branch) for branch in node["anyOf"]]
        if None not in parts:
            known = frozenset[str]().union(*[part for part in parts if part]) & _kinds_said(node)
    return unwound(_kinds(node, definition, [MOST_STEPS], frozenset())) if known is None else known


_LEADING = frozenset(("anyOf", "oneOf", "$ref", "not"))
_ANY_OF = frozenset(("anyOf",))


def _kinds_at_once(node: Schema) -> frozenset[str] | None:
    """The same for a node that leads to no other; else None."""
    return _kinds_said(node) if _LEADING.isdisjoint(node) else None


def _kinds_said(node: Schema) -> frozenset[str]:
    """The kinds that the type and the listed values of a node leave."""
    named = node.get("type", ALL)
    if isinstance(named, str):
        found = _OF_TYPE[named]
    else:
        found = frozenset(["number" if name == "integer" else name for name in named])
    if "enum" in node or "const" in node:
        found &= _kinds_of(node["enum"] if "enum" in node else [node["const"]])
    return found


def _kinds(node: Schema, definition: Definition, budget: list[int], seen: frozenset[str]) -> Call[frozenset[str]]:
    budget[0] -= 1
    if budget[0] < 0 or len(seen) > MOST_BRANCHES:
        return ALL
    if is_never(node):
        return frozenset()
    found = _kinds_said(node)
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
    found = {kind(member) for member in members}
    return frozenset({"number", *found - {"integer"}} if "integer" in found else found)


def overlap(branches: list[Schema], definition: Definition) -> bool:
    """Whether a value might fit two branches; False only where none can."""
    if len(branches) > MOST_BRANCHES:
        return True
    looks = [Look(branch, definition) for branch in branches]
    return any(not left.is_apart(right) for left, right in combinations(looks, 2))


class Look:
    """What tells a node from others, looked up once for all comparisons."""

    def __init__(self, node: Schema, definition: Definition) -> None:
        self.node = node = _behind(node, definition)
        self.kinds, self.listed = kinds(node, definition), _listed(node)
        self.is_object = node.get("type") == "object"
        self._definition = definition

    def is_apart(self, other: Look) -> bool:
        """Whether no value fits both nodes; False where that is not known."""
        if self.kinds.isdisjoint(other.kinds):
            return True
        if self.listed is not None and other.listed is not None:
            return self.listed.isdisjoint(other.listed)
        if not self.is_object or not other.is_object:
            return False
        if _wants_what_is_refused(self.node, other.node) or _wants_what_is_refused(other.node, self.node):
            return True
        ours, theirs = self._told_by, other._told_by
        return any(name in theirs and values.isdisjoint(theirs[name]) for name, values in ours.items())

    @cached_property
    def _told_by(self) -> dict[str, frozenset[Json]]:
        """The values of each required property that lists them."""
        properties = self.node.get("properties", {})
        declared = [name for name in self.node.get("required", ()) if name in properties]
        listed = {name: _listed(_behind(properties[name], self._definition)) for name in declared}
        return {name: values for name, values in listed.items() if values is not None}


def _behind(node: Schema, definition: Definition) -> Schema:
    """What a plain reference means."""
    for _ in range(MOST_BRANCHES):
        if "$ref" not in node:
            break
        node = definition(node["$ref"])
    return node


def _wants_what_is_refused(left: Schema, right: Schema) -> bool:
    """Whether one object requires a key that the other does not take."""
    others = right.get("additionalProperties")
    if "patternProperties" in right or not (others is False or (isinstance(others, Schema) and is_never(others))):
        return False
    properties = right.get("properties", ())
    return any(name not in properties for name in left.get("required", ()))


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
    said = [_said_once(branch, definition, budget) for branch in branches[:MOST_BRANCHES]]
    return any(encoded for _, encoded in said) and any(
        own & others and (own & encoded & others or own & others & other_encoded)
        for (own, encoded), (others, other_encoded) in combinations(said, 2)
    )


_Said = tuple[frozenset[str], frozenset[str]]
_NOTHING: _Said = (frozenset(), frozenset())
_TEXT = _OF_TYPE["string"]


def _said_once(node: Schema, definition: Definition, budget: list[int]) -> _Said:
    """What a branch is said as; most are of one plain type."""
    named = node.get("type")
    if isinstance(named, str) and _SAYING.isdisjoint(node):
        budget[0] -= 1
        return _kind_said_as(node, named) if budget[0] >= 0 else _NOTHING
    return unwound(_said_as(node, definition, budget, frozenset()))


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
        return (listed, frozenset()) if plain else (_TEXT, _TEXT)
    if "type" not in node:
        return _TEXT, _TEXT
    types = type_set(node)
    return _kind_said_as(node, types[0]) if len(types) == 1 else _joined([_kind_said_as(node, name) for name in types])


def _kind_said_as(node: Schema, name: str) -> _Said:
    if name == "object" and not node.get("properties"):
        others = node.get("additionalProperties")
        if others is not None and is_never(others) and "patternProperties" not in node:
            return _OF_TYPE[name], frozenset()
        name = "array" if others or "patternProperties" in node else "string"
    elif name == "array" and "prefixItems" in node:
        name = "object"
    else:
        return _OF_TYPE[name], frozenset()
    return _OF_TYPE[name], _OF_TYPE[name]


def _joined(parts: list[_Said]) -> _Said:
    return frozenset[str]().union(*[own for own, _ in parts]), frozenset[str]().union(*[coded for _, coded in parts])
