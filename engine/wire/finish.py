"""The last pass over an edited schema: definitions are put in order and named, booleans are written.

Each step keeps the meaning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from toolglot.schemas.forms import Schema
from toolglot.wire.impossible import become, can_become
from toolglot.wire.shapes import below, is_never, nodes_of, reference_of

_PREFIX = "#/$defs/"


def finished(
    root: Schema,
    definitions: dict[str, Schema],
    *,
    made: frozenset[str],
    own: Callable[[], str] | None,
    closed: Iterable[Schema],
) -> dict[str, Schema]:
    """The definitions that the wire has, by their names there; root and definitions are brought to their last form.

    Args:
        root: the edited root; it is changed.
        definitions: the edited definitions; they are changed.
        made: the definitions that edits have made, which are put back in place where they are used once.
        own: gives letters that belong to this schema alone, for the names of its definitions; None leaves them.
        closed: every node that says something of undeclared keys.
    """
    if not definitions:
        _write_booleans(closed)
        return {}
    if made and _put_in_place(root, definitions, made):
        closed = nodes_of(root, definitions)
    used = _reached(root, definitions)
    if own is not None and used:
        used = _named(root, used, own())
    _write_booleans(closed)
    return used


def _named(root: Schema, definitions: Mapping[str, Schema], digest: str) -> dict[str, Schema]:
    """The definitions by their names outside, which all references then have."""
    names = {name: _outer_name(name, index, digest) for index, name in enumerate(definitions)}
    for node in nodes_of(root, definitions):
        name = reference_of(node)
        if name is not None:
            node["$ref"] = _PREFIX + names[name]
    return {names[name]: definition for name, definition in definitions.items()}


def _outer_name(name: str, index: int, digest: str) -> str:
    """Letters and digits only, and never the beginning of another: engines make rule names of these."""
    plain = "".join(letter for letter in name if letter.isascii() and letter.isalnum())
    return f"{plain[:24]}x{index}x{digest}"


# Definitions -------------------------------------------------------------------------------------------------


def _put_in_place(root: Schema, definitions: dict[str, Schema], made: frozenset[str]) -> bool:
    """Puts definitions that edits have made where they are used, if that is one place; whether it did."""
    placed = False
    uses: dict[str, list[Schema]] = {}
    for node in nodes_of(root, _reached(root, definitions)):
        name = reference_of(node)
        if name in made:
            uses.setdefault(name, []).append(node)
    for name, places in uses.items():
        (place, *others), meant = places, definitions[name]
        if not others and not _leads_to(meant, place) and can_become(place, meant):
            del place["$ref"]
            become(place, meant)
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
        name = reference_of(node)
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
