"""The structural edits: `allOf` as one schema, a reference and its siblings as one, siblings inside alternatives.

Each gives the changed node and the constraints that could not be taken in. What meets below the node is left
as an `allOf` for the visit of that place, so each edit costs what its own node holds. A merge that has to
look behind a reference becomes a definition of its own, known by its members: a recursive schema meets its
own definition again instead of unfolding for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolglot.json_values import Json
from toolglot.schemas.forms import Schema
from toolglot.wire.conjunction import conjunction, meet, settle_scope
from toolglot.wire.shapes import (
    below,
    children,
    groups,
    is_never,
    only,
    own_containers,
    siblings,
    size,
    with_keywords,
    without,
)

if TYPE_CHECKING:  # the edits' seam; at run time it imports this module
    from toolglot.wire.edited import Lost, Site

_SCOPED = ("unevaluatedProperties", "unevaluatedItems")
_ALTERNATIVES = ("anyOf", "oneOf")
_SHARED_FROM = 3  # a subschema of so many keywords is referred to rather than repeated in each branch


def merge(node: Schema, site: Site) -> tuple[Schema, Lost]:
    """The node and the members of its `allOf` as one; they leave the wire where too much has been merged."""
    base = without(node, "allOf")
    members = _flattened(node["allOf"])
    if not site.afford(len(members)):
        return base, (("allOf", node["allOf"]),)
    annotations = without(base, *siblings(base))
    if not siblings(base):
        if len(members) == 1:
            return Schema({**members[0], **annotations}, node.trail), ()
    else:
        members = [only(base, *siblings(base)), *members]
    if site.root:
        members = _behind_references(members, site)
    elif any("$ref" in member for member in members):
        return _as_definition(annotations, members, site)
    return _meet_all(annotations, members, site)


def follow(node: Schema, site: Site) -> tuple[Schema, Lost]:
    """What a reference means and its siblings as one."""
    reference = Schema({"$ref": node["$ref"]}, node.trail)
    beside = without(node, "$ref")
    if site.root and not siblings(beside):  # a root that is no reference any more, which some targets want
        return _meet_all(beside, _behind_references([reference], site), site)
    return merge(with_keywords(beside, {"allOf": [reference, *beside.get("allOf", ())]}), site)


def distribute(node: Schema, keyword: str, site: Site) -> tuple[Schema, Lost]:
    """The siblings of `anyOf` (or `oneOf`) in each branch, as an `anyOf`.

    Where that would make the wire too large, the alternatives leave it.
    """
    branches: list[Schema] = node[keyword]
    beside = only(node, *siblings(node, keyword))
    annotations = without(node, *siblings(node))
    lost: list[tuple[str, Json]] = [("oneOf", branches)] if keyword == "oneOf" else []
    if len(branches) > 1:
        if not site.spend(size(beside) * (len(branches) - 1)):
            return without(node, keyword), ((keyword, branches),)
        beside = _with_shared_parts(beside, site)
        # `unevaluated*` looks at what all fitting branches say together
        lost.extend((scoped, beside.pop(scoped)) for scoped in _SCOPED if scoped in beside)
    chosen = [conjunction((beside, branch), branch.trail) for branch in branches]
    return with_keywords(annotations, {"anyOf": chosen}), tuple(lost)


def _flattened(members: list[Schema]) -> list[Schema]:
    """The members with the members of their own `allOf` beside them; annotations of members are left out."""
    flat: list[Schema] = []
    stack = list(reversed(members))
    while stack:
        member = stack.pop()
        if "allOf" in member and not any(keyword in member for keyword in _SCOPED):
            stack.extend(reversed(member["allOf"]))
            member = without(member, "allOf")
        if siblings(member) and not any(member is other for other in flat):
            flat.append(member)
    return flat


def _behind_references(members: list[Schema], site: Site) -> list[Schema]:
    """The members with what each reference means in its place."""
    seen: set[str] = set()
    while any("$ref" in member for member in members):
        found: list[Schema] = []
        for member in members:
            if "$ref" in member and member["$ref"] not in seen:
                seen.add(member["$ref"])
                found.append(site.definition(member["$ref"]))
            found.append(without(member, "$ref"))
        members = _flattened(found)
    return members


def _as_definition(annotations: Schema, members: list[Schema], site: Site) -> tuple[Schema, Lost]:
    """A reference to a definition that says all members, with the references among them followed once."""
    names = [member["$ref"] for member in members if "$ref" in member]
    said: list[Schema] = []
    for member in members:
        if "$ref" in member:
            said.append(site.definition(member["$ref"]))
            member = without(member, "$ref")  # noqa: PLW2901 - the rest of the member
        if siblings(member):
            said.append(member)
    reference = site.define(said, names[0].rpartition("/")[2])
    return Schema({**reference, **annotations}, annotations.trail), ()


def _meet_all(annotations: Schema, members: list[Schema], site: Site) -> tuple[Schema, Lost]:
    merged = Schema({}, annotations.trail)
    lost: list[tuple[str, Json]] = []
    rest: list[Schema] = []
    outer: dict[str, Json] = {}
    if members and any(keyword in members[0] for keyword in _SCOPED):
        outer = {keyword: members[0][keyword] for keyword in _SCOPED if keyword in members[0]}
        members = [without(members[0], *_SCOPED), *members[1:]]
    for part in members:
        if "allOf" in part:  # it has a scope of its own, which ends where its members join the others
            scoped = [(keyword, part[keyword]) for keyword in _SCOPED if keyword in part]
            lost.extend(scoped)
            inner, more = merge(without(part, *_SCOPED), site)
            lost.extend(more)
            merged, more_rest = meet(merged, inner, site.matches)
        else:
            merged, more_rest = meet(merged, part, site.matches)
        rest.extend(more_rest)
    merged = settle_scope(Schema({**merged, **outer}, merged.trail))
    alternatives = [part for part in rest if _has_alternatives(part)]
    lost.extend(pair for part in rest if not _has_alternatives(part) for pair in part.items())
    for keyword in _ALTERNATIVES:
        if keyword in merged and alternatives:
            merged[keyword] = [conjunction((branch, *alternatives), branch.trail) for branch in merged[keyword]]
            break
    return Schema({**annotations, **merged}, annotations.trail), tuple(lost)


def _has_alternatives(schema: Schema) -> bool:
    return any(keyword in schema for keyword in _ALTERNATIVES)


def _with_shared_parts(schema: Schema, site: Site) -> Schema:
    """The schema with its larger subschemas as references, so that repeating it repeats little."""
    shared = own_containers(schema)
    for container, key, child in list(children(shared)):
        if size(child) >= _SHARED_FROM:
            _share(container, key, child, site)
    return shared


def with_shared_values(schema: Schema, site: Site) -> Schema:
    """The object with what it says of undeclared keys as references, where that holds schemas of its own.

    It is about to be said again for each of some names: what is repeated at each level would grow without end.
    """
    shared = own_containers(schema)
    for keyword, _, container, held in groups(shared):
        if keyword in ("additionalProperties", "patternProperties"):
            for key, child in held:
                if below(child):
                    _share(container, key, child, site)
    return shared


def _share(container: Any, key: Any, child: Schema, site: Site) -> None:
    if "$ref" not in child and not is_never(child):  # engines refuse a definition that nothing fits
        container[key] = site.define([child], str(key))
