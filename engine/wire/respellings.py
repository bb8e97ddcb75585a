"""The verbs that say the same with other keywords, so that a call needs no way back."""

from __future__ import annotations

from math import ceil, floor, isfinite
from typing import Any

from toolglot.json_values import Json, equal, kind
from toolglot.schemas.forms import Schema
from toolglot.wire.conjunction import never
from toolglot.wire.edited import Edited, Site
from toolglot.wire.kinds import overlap
from toolglot.wire.shapes import (
    CONSTRAINTS,
    codecs_of,
    is_bare_branch,
    like,
    of_type,
    siblings,
    type_set,
    with_keywords,
    without,
)

ALL_TYPES = ["object", "array", "string", "number", "boolean", "null"]


def one_value(node: Schema, options: Json, _site: Site) -> Edited:
    """`const` as an `enum` of one value, or the other way round."""
    if options == "const" and "const" in node:
        if "enum" in node:
            return Edited(without(node, "enum"))
        return Edited(_renamed(node, "const", "enum", [node["const"]]))
    if options == "enum" and len(node.get("enum", ())) == 1 and "const" not in node:
        return Edited(_renamed(node, "enum", "const", node["enum"][0]))
    return Edited(node)


def _renamed(node: Schema, before: str, after: str, value: Json) -> Schema:
    """The node with another keyword in the place of one."""
    pairs = [(after, value) if key == before else (key, held) for key, held in node.items()]
    return like(node, dict(pairs))


def shift_bounds(node: Schema, _options: Json, _site: Site) -> Edited:
    """The exclusive bounds of an integer as inclusive ones; of two bounds on one side, the one that says more."""
    if any(name == "number" for name in type_set(node)) or "type" not in node:
        return Edited(node)
    bounds: dict[str, float] = {}
    for inclusive, exclusive, sign in (("minimum", "exclusiveMinimum", 1), ("maximum", "exclusiveMaximum", -1)):
        given = [_inward(sign * node[inclusive])] if inclusive in node else []
        if exclusive in node and isfinite(node[exclusive]):
            given.append(floor(sign * node[exclusive]) + 1)
        if given:
            bounds[inclusive] = sign * max(given)
    return Edited(with_keywords(without(node, "exclusiveMinimum", "exclusiveMaximum"), bounds))


def _inward(bound: float) -> float:
    """The first whole number from a lower bound on; the bound itself where it is past every number."""
    return ceil(bound) if isfinite(bound) else bound


def split_types(node: Schema, _options: Json, _site: Site) -> Edited:
    """A list of types as a union, each type with the keywords that look at it."""
    names = [name for name in type_set(node) if name != "integer" or "number" not in type_set(node)]
    if not isinstance(node.get("type"), list) or not names:
        return Edited(node)
    typed = without(node, *_OF_ANY_TYPE)
    branches = [of_type(typed, name) for name in names]
    branches = [branch for branch in branches if branch.get("enum", (None,))]
    # there is one null, so that a list of it says no more
    branches = [without(branch, "enum") if branch["type"] == "null" else branch for branch in branches]
    annotations = like(node, {key: value for key, value in node.items() if key not in CONSTRAINTS})
    beside = {key: node[key] for key in _OF_ANY_TYPE if key in node}
    if not branches:
        return Edited(with_keywords(annotations, never(node.trail)))
    if len(branches) == 1:
        return Edited(like(node, {**branches[0], **beside, **annotations}), structural=True)
    return Edited(with_keywords(annotations, {"anyOf": branches, **beside}), structural=True)


# What looks at values of every type and stays beside a union: copied into each branch, it would double at each level.
_OF_ANY_TYPE = ("not", "if", "then", "else")


def mark_nullable(node: Schema, _options: Json, _site: Site) -> Edited:
    """Null as `nullable: true`, also beside a list of values that has it; a node that admits only null stays."""
    if "anyOf" in node:
        return _marked_union(node)
    types = type_set(node)
    rest = [name for name in types if name != "null"]
    listed = node.get("enum")
    if "type" not in node or "null" not in types or not rest or "const" in node:
        return Edited(node)
    changed: dict[str, Any] = {"type": rest[0] if len(rest) == 1 else rest}
    if listed is not None and None not in listed:
        return Edited(with_keywords(node, changed))
    if listed is not None and all(member is None for member in listed):
        return Edited(node)
    return Edited(with_keywords(node, {**changed, "nullable": True}))


def _marked_union(node: Schema) -> Edited:
    """The branches that are not null alone; a union that is left with one becomes that one."""
    kept = [branch for branch in node["anyOf"] if not _is_null(branch) or codecs_of(branch)]
    if len(kept) == len(node["anyOf"]) or not kept or siblings(node, "anyOf"):
        return Edited(node)
    if len(kept) > 1 or "$ref" in kept[0]:
        return Edited(with_keywords(node, {"anyOf": kept, "nullable": True}), structural=True)
    only = kept[0]
    merged = {**listing_null(only), **without(node, "anyOf"), "nullable": True}
    return Edited(Schema(merged, node.trail), structural=True, codecs=codecs_of(only))


def listing_null(node: Schema) -> Schema:
    """The node with null among the values that it lists, if it lists any: `nullable` alone adds none to a list."""
    if "enum" not in node or None in node["enum"]:
        return node
    return with_keywords(node, {"enum": [*node["enum"], None]})


def _is_null(node: Schema) -> bool:
    named = node.get("type") in ("null", ["null"]) or ("const" in node and node["const"] is None)
    return named and not any(key not in ("type", "const", "enum") for key in siblings(node))


def name_types(node: Schema, options: Json, _site: Site) -> Edited:
    """The types of the listed values, or all types."""
    if "type" in node:
        return Edited(node)
    if options == "any":
        return Edited(with_keywords(node, {"type": list(ALL_TYPES)}))
    members = node["enum"] if "enum" in node else [node["const"]] if "const" in node else []
    names = list(dict.fromkeys(kind(member) for member in members))
    if "number" in names and "integer" in names:
        names.remove("integer")
    if not names:
        return Edited(node)
    return Edited(like(node, {"type": names[0] if len(names) == 1 else names, **node}))


def unmark_one_of(node: Schema, _options: Json, site: Site) -> Edited:
    """`oneOf` as `anyOf`; what is lost is that only one branch may fit."""
    branches = node["oneOf"]
    lost = (("oneOf", branches),) if overlap(branches, site.definition) else ()
    if "anyOf" in node:
        beside = like(node, {"anyOf": branches})
        changed = with_keywords(without(node, "oneOf"), {"allOf": [*node.get("allOf", ()), Schema(beside, node.trail)]})
        return Edited(changed, lost)
    return Edited(_renamed(node, "oneOf", "anyOf", branches), lost)


def say_once(node: Schema, options: Json, _site: Site) -> Edited:
    """The union with branches that do not repeat what it says of itself."""
    names = (options,) if isinstance(options, str) else tuple(options)
    changed: dict[str, Any] = {}
    for keyword in ("anyOf", "oneOf"):
        for at, branch in enumerate(node.get(keyword, ())):
            again = [name for name in names if name in node and name in branch and equal(branch[name], node[name])]
            if again:
                changed.setdefault(keyword, list(node[keyword]))[at] = without(branch, *again)
    return Edited(with_keywords(node, changed)) if changed else Edited(node)


def list_types(node: Schema, _options: Json, _site: Site) -> Edited:
    """The bare types of a union as a list of types: in its place, or as one of the branches that are left."""
    bare = [branch for branch in node["anyOf"] if is_bare_branch(branch)]
    if len(bare) < 2 or "type" in node:
        return Edited(node)
    names = list(dict.fromkeys(branch["type"] for branch in bare))
    named = {"type": names[0] if len(names) == 1 else names}
    if len(bare) == len(node["anyOf"]):
        return Edited(like(node, {**named, **without(node, "anyOf")}))
    rest = [branch for branch in node["anyOf"] if not is_bare_branch(branch)]
    return Edited(with_keywords(node, {"anyOf": [Schema(named, bare[0].trail), *rest]}))


def sink(node: Schema, options: Json, _site: Site) -> Edited:
    """Annotations from beside an `anyOf` in its first branch that has none of them; else they leave.

    `nullable` is none: it goes into the first branch that says a type, and if none does into the first one, to
    be said where what that refers to is put in its place.
    """
    if options == "nullable":
        return _sunk_nullable(node)
    names = (options,) if isinstance(options, str) else tuple(options)
    moved = {key: node[key] for key in names if key in node}
    if not moved or "anyOf" not in node:
        return Edited(node)
    branches = list(node["anyOf"])
    for at, branch in enumerate(branches):
        if not any(key in branch for key in moved) and "$ref" not in branch:
            branches[at] = with_keywords(branch, moved)
            break
    return Edited(with_keywords(without(node, *moved), {"anyOf": branches}), structural=True)  # more words may come


def _sunk_nullable(node: Schema) -> Edited:
    if "anyOf" not in node or node.get("nullable") is not True:
        return Edited(node)
    branches: list[Schema] = list(node["anyOf"])
    at = min(range(len(branches)), key=lambda index: _reluctance(branches[index]))
    branches[at] = with_keywords(listing_null(branches[at]), {"nullable": True})
    return Edited(with_keywords(without(node, "nullable"), {"anyOf": branches}))


def _reluctance(branch: Schema) -> int:
    """How little a branch is made for `nullable` beside it."""
    if codecs_of(branch) or not ("type" in branch or "$ref" in branch):
        return 3
    return 2 if "$ref" in branch else 1 if "enum" in branch else 0
