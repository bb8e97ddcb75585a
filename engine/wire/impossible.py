"""What nothing fits is taken out of an edited schema: branches, properties, items, and kinds of values.

No provider takes a schema that nothing fits, and most misread one. What holds such a part is said without it, which
means the same; where it can't be, the constraint leaves, and is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from toolglot.json_values import Json
from toolglot.schemas.forms import Schema
from toolglot.wire.codecs import OrNull
from toolglot.wire.conjunction import never
from toolglot.wire.edited import Lost
from toolglot.wire.shapes import (
    CONSTRAINTS,
    Wire,
    below,
    children,
    codecs_of,
    groups,
    is_never,
    nodes_of,
    of_other_types,
    reference_of,
    type_set,
)


class TakenOut(NamedTuple):
    """What was taken out.

    Attributes:
        nodes: every node of the schema, as it was.
        changed: the ids of those that are not what they were.
        relaxed: the nodes that say less than before, each with what left it.
    """

    nodes: tuple[Schema, ...] = ()
    changed: frozenset[int] = frozenset()
    relaxed: tuple[tuple[Schema, Lost], ...] = ()


def take_out(root: Schema, definitions: Mapping[str, Schema], *, forbids: bool) -> TakenOut:
    """Takes out what nothing fits, from the leaves up; root and definitions are changed.

    Args:
        root: the edited root.
        definitions: the edited definitions.
        forbids: whether the wire can say that a key may not be, which an open object needs.
    """
    nodes = nodes_of(root, definitions)
    if not (is_nothing(root) or any(map(is_nothing, definitions.values())) or any(map(_holds_nothing, nodes))):
        return TakenOut()
    impossible = _impossible(nodes, definitions)
    exact = _exactly_read(nodes, definitions) if impossible else frozenset()
    changed: set[int] = set()
    relaxed: list[tuple[Schema, Lost]] = []
    for node in reversed(nodes):  # a union that becomes its only branch takes it as it is left
        if id(node) not in impossible and _without_impossible(
            node, impossible, relaxed, keeps=forbids or id(node) in exact
        ):
            changed.add(id(node))
    if id(root) in impossible:
        _loosen(root, impossible, relaxed, forbids=forbids)
        changed.add(id(root))
    # what a union says of its branches may hold no longer
    changed.update(id(node) for node in nodes if any(id(branch) in changed for branch in _branches(node)))
    return TakenOut(tuple(nodes), frozenset(changed), tuple(relaxed))


def _branches(node: Schema) -> list[Schema]:
    return [*node.get("anyOf", ()), *node.get("oneOf", ())]


def is_nothing(node: Schema) -> bool:
    """Whether the node itself says that nothing fits it."""
    return is_never(node) or ("enum" in node and not node["enum"])


def _holds_nothing(node: Schema) -> bool:
    """Whether nothing fits a subschema of the node, and that is not merely that no other keys may be.

    A closed object may miss a key that it requires.
    """
    return misses_a_key(node) or any(
        is_nothing(child)
        for container, key, child in children(node)
        if key != "additionalProperties" or container is not node
    )


def misses_a_key(node: Schema) -> bool:
    """Whether an object is closed and requires what it does not declare."""
    if "required" not in node or "additionalProperties" not in node or not is_never(node["additionalProperties"]):
        return False
    declared = node.get("properties", ())
    return "patternProperties" not in node and any(name not in declared for name in node["required"])


# What is impossible ----------------------------------------------------------------------------------------------


def _impossible(nodes: list[Schema], definitions: Mapping[str, Schema]) -> set[int]:
    """The ids of the nodes that nothing fits, by what is found of the nodes below them, until nothing changes."""
    impossible: set[int] = set()
    changed = True
    while changed:
        changed = False
        for node in reversed(nodes):
            if id(node) not in impossible and _is_impossible(node, definitions, impossible):
                impossible.add(id(node))
                changed = True
    return impossible


def _is_impossible(node: Schema, definitions: Mapping[str, Schema], impossible: set[int]) -> bool:
    """Whether nothing fits a node, by what is known of the nodes below it."""
    if node.get("nullable") is True:
        return False
    name = reference_of(node)
    if name is not None and id(definitions[name]) in impossible:
        return True
    if any(id(part) in impossible for part in node.get("allOf", ())):
        return True
    return _is_empty(node, impossible)


def _is_empty(node: Schema, impossible: set[int]) -> bool:
    """Whether nothing fits the types and the unions of a node, but the null of `nullable`."""
    unions = [node[keyword] for keyword in ("anyOf", "oneOf") if keyword in node]
    if is_nothing(node) or any(all(id(branch) in impossible for branch in branches) for branches in unions):
        return True
    gone = _kinds_gone(node, impossible)
    return bool(gone) and _without_kinds(node, gone) is None


def _kinds_gone(node: Schema, impossible: set[int]) -> list[str]:
    """The kinds of values that the node names (or does not exclude), and that it makes impossible."""
    if "required" not in node and "minItems" not in node:
        return []
    named = type_set(node)
    gone = ["object"] if "object" in named and _misses_a_key(node, impossible) else []
    return [*gone, "array"] if "array" in named and _misses_an_item(node, impossible) else gone


def _misses_a_key(node: Schema, impossible: set[int]) -> bool:
    """Whether a key is required that may not be."""
    properties = node.get("properties", {})
    closed = "patternProperties" not in node and id(node.get("additionalProperties")) in impossible
    return any(
        id(properties[name]) in impossible if name in properties else closed for name in node.get("required", ())
    )


def _misses_an_item(node: Schema, impossible: set[int]) -> bool:
    """Whether an item has to be that may not be."""
    positions, least = node.get("prefixItems", ()), node.get("minItems", 0)
    if any(id(part) in impossible for part in positions[:least]):
        return True
    return least > len(positions) and id(node.get("items")) in impossible


def _without_kinds(node: Schema, gone: Iterable[str]) -> Schema | None:
    """What the node says of its other values; None where it has no others."""
    left: Schema | None = node
    for name in gone:
        left = of_other_types(left, name) if left is not None else None
    return left


_TURNING = frozenset(("not", "if", "contains", "oneOf"))


def _exactly_read(nodes: list[Schema], definitions: Mapping[str, Schema]) -> frozenset[int]:
    """The nodes below a keyword that does not follow its parts: what fits them may be neither more nor less."""
    found: set[int] = set()
    stack = [
        child for node in nodes for keyword, _, _, held in groups(node) if keyword in _TURNING for _, child in held
    ]
    while stack:
        node = stack.pop()
        if id(node) not in found:
            found.add(id(node))
            stack += below(node)
            name = reference_of(node)
            if name is not None:
                stack.append(definitions[name])
    return frozenset(found)


# What is left ----------------------------------------------------------------------------------------------------


def _loosen(root: Schema, impossible: set[int], relaxed: list[tuple[Schema, Lost]], *, forbids: bool) -> None:
    """Takes off what makes the root impossible: an engine refuses such a schema, and the check refuses every value."""
    lost: list[tuple[str, Json]] = [(key, root.pop(key)) for key in ("not", "enum") if key in root and is_nothing(root)]
    empty = [key for key in ("anyOf", "oneOf") if all(id(branch) in impossible for branch in root.get(key, (root,)))]
    lost += [(key, root.pop(key)) for key in empty if key in root]
    if _misses_a_key(root, impossible):
        lost.append(("required", root["required"]))
        properties = root.get("properties", {})
        root["required"] = [
            name for name in root["required"] if name in properties and id(properties[name]) not in impossible
        ]
    if _misses_an_item(root, impossible):
        lost.append(("minItems", root.pop("minItems")))
    relaxed.append((root, tuple(lost)))
    _without_impossible(root, impossible, relaxed, keeps=forbids)


def _without_impossible(node: Schema, impossible: set[int], relaxed: list[tuple[Schema, Lost]], *, keeps: bool) -> bool:
    """Takes out what nothing fits; whether there was anything.

    A property of an open object stays where it `keeps` others from being said.
    """
    if node.get("nullable") is True and _is_empty(node, impossible):
        _leave_null(node)
        return True
    changed = _leave_other_kinds(node, impossible)
    for keyword in ("anyOf", "oneOf"):
        if keyword in node and any(id(branch) in impossible for branch in node[keyword]):
            node[keyword] = [branch for branch in node[keyword] if id(branch) not in impossible]
            changed = True
            if len(node[keyword]) == 1:
                _unwrap(node, keyword)
    changed = _leave_properties(node, impossible, relaxed, keeps=keeps) or changed
    if id(node.get("additionalProperties")) in impossible and not is_never(node["additionalProperties"]):
        node["additionalProperties"] = never(node.trail)
        changed = True
    return _leave_items(node, impossible) or changed


def _leave_items(node: Schema, impossible: set[int]) -> bool:
    """Ends a list before the first item that may not be; whether there was one."""
    positions = node.get("prefixItems", ())
    length = next((at for at, part in enumerate(positions) if id(part) in impossible), len(positions))
    if length == len(positions) and id(node.get("items")) not in impossible:
        return False
    if length:
        node["prefixItems"] = positions[:length]
    else:
        node.pop("prefixItems", None)
    node.pop("items", None)
    node["maxItems"] = min(node.get("maxItems", length), length)
    return True


def _leave_null(node: Schema) -> None:
    for keyword in [key for key in node if key in CONSTRAINTS or key == "nullable"]:
        del node[keyword]
    node["type"] = "null"
    if isinstance(node, Wire):  # these pass null by, and look at values that are none
        node.codecs = tuple(codec for codec in node.codecs if not codec.moves_keys and not isinstance(codec, OrNull))


def _leave_other_kinds(node: Schema, impossible: set[int]) -> bool:
    """Takes off a kind of values that the node makes impossible; whether there was one."""
    gone = _kinds_gone(node, impossible)
    left = _without_kinds(node, gone) if gone else None
    if left is None:
        return False
    annotations = {key: value for key, value in node.items() if key not in CONSTRAINTS}
    node.clear()
    node.update({**left, **annotations})
    return True


def _leave_properties(node: Schema, impossible: set[int], relaxed: list[tuple[Schema, Lost]], *, keeps: bool) -> bool:
    """Takes out the properties that may not be; whether there was one."""
    properties = node.get("properties", {})
    gone = [key for key, value in properties.items() if id(value) in impossible]
    if not gone:
        return False
    closed = is_never(node.get("additionalProperties", node))
    if keeps and not closed:
        for key in gone:
            properties[key] = never(properties[key].trail)
        return False
    node["properties"] = {key: value for key, value in properties.items() if key not in gone}
    if not closed:
        relaxed.append((node, (("properties", {key: never(properties[key].trail) for key in gone}),)))
    return True


def _unwrap(node: Schema, keyword: str) -> None:
    """Puts the only branch in the place of the alternatives, where nothing else constrains."""
    (branch,) = node[keyword]
    if all(key not in CONSTRAINTS for key in node if key != keyword) and can_become(node, branch):
        del node[keyword]
        become(node, branch)


def can_become(node: Schema, other: Schema) -> bool:
    """Whether a node can take the place of another: one without room for codecs can't take a coded one's."""
    return isinstance(node, Wire) or not codecs_of(other)


def become(node: Schema, other: Schema) -> None:
    """Puts another node in the place of this one, beside its annotations; the codecs of both then hold here."""
    annotations = dict(node)
    node.clear()
    node.update({**other, **annotations})
    if isinstance(node, Wire):
        node.codecs += codecs_of(other)
