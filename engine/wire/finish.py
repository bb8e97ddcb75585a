"""The last pass over an edited schema: what nothing fits is taken out, definitions are put in order and named.

Each step keeps the meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from toolglot.schemas.forms import Schema
from toolglot.wire.conjunction import never
from toolglot.wire.shapes import CONSTRAINTS, Wire, below, children, codecs_of, groups, is_never

_PREFIX = "#/$defs/"


def finished(  # noqa: PLR0913 - all but the schema itself by keyword
    root: Schema,
    definitions: dict[str, Schema],
    *,
    made: frozenset[str],
    own: Callable[[], str] | None,
    closed: Iterable[Schema],
    met_never: bool,
    forbids: bool,
) -> dict[str, Schema]:
    """The definitions that the wire has, by their names there; root and definitions are brought to their last form.

    Args:
        root: the edited root; it is changed.
        definitions: the edited definitions; they are changed.
        made: the definitions that edits have made, which are put back in place where they are used once.
        own: gives letters that belong to this schema alone, for the names of its definitions; None leaves them.
        closed: every node that says something of undeclared keys.
        met_never: whether any other node may be one that nothing fits.
        forbids: whether the wire can say that a key may not be, which an open object needs.
    """
    if met_never:
        closed = nodes = _nodes(root, definitions)
        if is_never(root) or any(map(is_never, definitions.values())) or any(map(_holds_never, nodes)):
            _take_out_never(root, definitions, nodes, forbids=forbids)
    if not definitions:
        _write_booleans(closed)
        return {}
    if made and _put_in_place(root, definitions, made):
        closed = _nodes(root, definitions)
    used = _reached(root, definitions)
    if own is not None and used:
        used = _named(root, used, own())
    _write_booleans(closed)
    return used


def _named(root: Schema, definitions: Mapping[str, Schema], digest: str) -> dict[str, Schema]:
    """The definitions by their names outside, which all references then have."""
    names = {name: _outer_name(name, index, digest) for index, name in enumerate(definitions)}
    for node in _nodes(root, definitions):
        name = _target(node)
        if name is not None:
            node["$ref"] = _PREFIX + names[name]
    return {names[name]: definition for name, definition in definitions.items()}


def _outer_name(name: str, index: int, digest: str) -> str:
    """Letters and digits only, and never the beginning of another: engines make rule names of these."""
    plain = "".join(letter for letter in name if letter.isascii() and letter.isalnum())
    return f"{plain[:24]}x{index}x{digest}"


def _nodes(root: Schema, definitions: Mapping[str, Schema]) -> list[Schema]:
    """Every node, each after the nodes above it."""
    found: list[Schema] = []
    stack = [root, *definitions.values()]
    while stack:
        node = stack.pop()
        found.append(node)
        stack += below(node)
    return found


def _holds_never(node: Schema) -> bool:
    """Whether nothing fits a subschema of the node; that no other keys may stand there makes nothing impossible."""
    return any(
        is_never(child)
        for container, key, child in children(node)
        if key != "additionalProperties" or container is not node
    )


def _target(node: Schema) -> str | None:
    reference = node.get("$ref")
    return reference.removeprefix(_PREFIX) if reference is not None else None


# What nothing fits -------------------------------------------------------------------------------------------


def _take_out_never(root: Schema, definitions: dict[str, Schema], nodes: list[Schema], *, forbids: bool) -> None:
    """Takes out branches, properties and items that nothing fits, from the leaves up, until nothing changes."""
    impossible: set[int] = set()
    changed = True
    while changed:
        changed = False
        for node in reversed(nodes):
            if id(node) not in impossible and _is_impossible(node, definitions, impossible):
                impossible.add(id(node))
                changed = True
    exact = _exactly_read(nodes, definitions) if impossible else frozenset()
    for node in reversed(nodes):  # a union that becomes its only branch takes it as it is left
        if id(node) not in impossible:
            _without_impossible(node, impossible, keeps=forbids or id(node) in exact)
    if id(root) in impossible:
        _loosen(root, impossible, forbids=forbids)


def _loosen(root: Schema, impossible: set[int], *, forbids: bool) -> None:
    """Takes off what makes the root impossible: an engine refuses such a schema, and the check refuses every value."""
    root.pop("not", None)
    properties = root.get("properties", {})
    if "required" in root:
        root["required"] = [name for name in root["required"] if id(properties.get(name)) not in impossible]
    for keyword in ("anyOf", "oneOf"):
        if keyword in root and all(id(branch) in impossible for branch in root[keyword]):
            del root[keyword]
    _without_impossible(root, impossible, keeps=forbids)


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
            name = _target(node)
            if name is not None:
                stack.append(definitions[name])
    return frozenset(found)


def _is_impossible(node: Schema, definitions: Mapping[str, Schema], impossible: set[int]) -> bool:
    """Whether nothing fits a node, by what is known of the nodes below it."""
    name = _target(node)
    if node.get("nullable") is True:
        return False
    if is_never(node) or (name is not None and id(definitions[name]) in impossible):
        return True
    for keyword in ("anyOf", "oneOf"):
        if keyword in node and all(id(branch) in impossible for branch in node[keyword]):
            return True
    if any(id(part) in impossible for part in node.get("allOf", ())):
        return True
    if node.get("type") == "object":
        properties = node.get("properties", {})
        return any(id(properties[key]) in impossible for key in node.get("required", ()) if key in properties)
    if node.get("type") == "array":
        positions = node.get("prefixItems", ())
        return any(id(part) in impossible for part in positions[: node.get("minItems", 0)])
    return False


def _without_impossible(node: Schema, impossible: set[int], *, keeps: bool) -> None:
    """Takes out what nothing fits. A property of an open object stays where it `keeps` others from being said."""
    if node.get("nullable") is True and _is_empty(node, impossible):
        _leave_null(node)
    for keyword in ("anyOf", "oneOf"):
        if keyword in node:
            kept = [branch for branch in node[keyword] if id(branch) not in impossible]
            taken_out = len(node[keyword]) - len(kept)
            node[keyword] = kept
            if taken_out and len(kept) == 1:
                _unwrap(node, keyword)
    if "properties" in node:
        forbidden = keeps and not is_never(node.get("additionalProperties", node))
        node["properties"] = {
            key: never(value.trail) if id(value) in impossible else value
            for key, value in node["properties"].items()
            if forbidden or id(value) not in impossible
        }
    if "items" in node and id(node["items"]) in impossible:
        length = len(node.get("prefixItems", ()))
        del node["items"]
        node["maxItems"] = min(node.get("maxItems", length), length)


def _is_empty(node: Schema, impossible: set[int]) -> bool:
    """Whether nothing but null fits a node that says `nullable: true`."""
    unions = [node[keyword] for keyword in ("anyOf", "oneOf") if keyword in node]
    return is_never(node) or any(all(id(branch) in impossible for branch in branches) for branches in unions)


def _leave_null(node: Schema) -> None:
    for keyword in ("anyOf", "oneOf", "not", "nullable"):
        node.pop(keyword, None)
    node["type"] = "null"


def _unwrap(node: Schema, keyword: str) -> None:
    """Puts the only branch in the place of the alternatives, where nothing else constrains."""
    (branch,) = node[keyword]
    if all(key not in CONSTRAINTS for key in node if key != keyword) and _can_become(node, branch):
        del node[keyword]
        _become(node, branch)


def _can_become(node: Schema, other: Schema) -> bool:
    """Whether a node can take the place of another: one without room for codecs can't take a coded one's."""
    return isinstance(node, Wire) or not codecs_of(other)


def _become(node: Schema, other: Schema) -> None:
    """Puts another node in the place of this one, beside its annotations; the codecs of both then hold here."""
    annotations = dict(node)
    node.clear()
    node.update({**other, **annotations})
    if isinstance(node, Wire):
        node.codecs += codecs_of(other)


# Definitions -------------------------------------------------------------------------------------------------


def _put_in_place(root: Schema, definitions: dict[str, Schema], made: frozenset[str]) -> bool:
    """Puts definitions that edits have made where they are used, if that is one place; whether it did."""
    placed = False
    uses: dict[str, list[Schema]] = {}
    for node in _nodes(root, _reached(root, definitions)):
        name = _target(node)
        if name in made:
            uses.setdefault(name, []).append(node)
    for name, places in uses.items():
        (place, *others), meant = places, definitions[name]
        if not others and not _leads_to(meant, place) and _can_become(place, meant):
            del place["$ref"]
            _become(place, meant)
            placed = True
    return placed


def _leads_to(node: Schema, wanted: Schema) -> bool:
    stack = [node]
    while stack:
        current = stack.pop()
        if current is wanted:
            return True
        stack += below(current)
    return False


def _reached(root: Schema, definitions: Mapping[str, Schema]) -> dict[str, Schema]:
    """The definitions that the root leads to, in the order in which they are met."""
    found: dict[str, Schema] = {}
    stack = [root]
    while stack:
        node = stack.pop()
        name = _target(node)
        if name is not None and name not in found:
            found[name] = definitions[name]
            stack.append(definitions[name])
        stack += reversed(below(node))
    return found


# Booleans ----------------------------------------------------------------------------------------------------


def _write_booleans(nodes: Iterable[Schema]) -> None:
    """Writes `true` and `false` for the schemas that say no more, where every target takes them."""
    for node in nodes:
        others = node.get("additionalProperties")
        if isinstance(others, Schema):
            if is_never(others):
                node["additionalProperties"] = False
            elif not others:
                node["additionalProperties"] = True
