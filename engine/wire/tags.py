"""Branches of a union that would read like others on the wire: they are told apart by a name around them.

`{"anyOf": [{"type": "string"}, {"enum": [1]}]}` with the number said as the text `"1"` would read two ways. As
`{"value": "1"}` it reads one way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolglot.schemas.forms import Schema
from toolglot.wire.codecs import Codec, Entries, Inside, JsonText, Left, Positions, Texts
from toolglot.wire.conjunction import never
from toolglot.wire.kinds import Definition, kinds
from toolglot.wire.shapes import Wire, codecs_of

_NAMES: tuple[tuple[type[Codec], str], ...] = (
    (JsonText, "json"),
    (Entries, "entries"),
    (Positions, "positions"),
    (Texts, "value"),
)
MOST_BRANCHES = 100
_MOST_STEPS = 50


def tags(branches: Sequence[Schema], definition: Definition) -> Iterator[tuple[int, str]]:
    """The branches that need a name, by their position."""
    said = [_said(branch, definition) for branch in branches[:MOST_BRANCHES]]
    if not any(said):
        return
    shown = [kinds(branch, definition) for branch in branches]
    for at, mine in enumerate(said):
        if mine and any(
            shown[at] & shown[other] and (said[other] != mine or mine != {"json"})
            for other, branch in enumerate(branches)
            if other != at and not any(isinstance(codec, Left) for codec in codecs_of(branch))
        ):
            yield at, min(mine)


def _said(branch: Schema, definition: Definition) -> frozenset[str]:
    """The names of the forms in which a branch says values of another kind; behind references and unions too."""
    found: set[str] = set()
    seen: set[int] = set()
    stack = [branch]
    while stack and len(seen) < _MOST_STEPS:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        codecs = codecs_of(node)
        if any(isinstance(codec, Inside) for codec in codecs):
            continue
        found.update(name for codec in codecs for kind, name in _NAMES if isinstance(codec, kind))
        if "$ref" in node:
            stack.append(definition(node["$ref"]))
        stack.extend((*node.get("anyOf", ()), *node.get("oneOf", ())))
    return frozenset(found)


def tagged(branch: Schema, name: str) -> Wire:
    """The branch as the one property of an object."""
    inner = Wire(branch, branch.trail, codecs=codecs_of(branch), settled="below")
    keywords = {
        "type": "object",
        "properties": {name: inner},
        "required": [name],
        "additionalProperties": never(branch.place),
    }
    return Wire(keywords, branch.trail, codecs=(Inside(name),), settled="form")
