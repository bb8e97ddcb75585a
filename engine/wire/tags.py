"""Branches of a union that would read like others on the wire: they are told apart by a name around them.

`{"anyOf": [{"type": "string"}, {"enum": [1]}]}` with the number said as the text `"1"` would read two ways. As
`{"value": "1"}` it reads one way. What counts is not only the branch itself: two lists whose items differ so read
two ways as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolglot.schemas.forms import Schema
from toolglot.wire.codecs import Aliases, Codec, Entries, Inside, JsonText, Left, OrNull, Positions, Slot
from toolglot.wire.conjunction import never
from toolglot.wire.kinds import Definition, are_apart
from toolglot.wire.shapes import Wire, children, codecs_of

_NAMES: tuple[tuple[type[Codec], str], ...] = ((JsonText, "json"), (Entries, "entries"), (Positions, "positions"))
# These move keys and change no value: what they make reads one way, or not at all.
_MOVING = (Slot, Aliases)
MOST_BRANCHES = 40


def changed(root: Schema, definitions: Mapping[str, Schema]) -> frozenset[int]:
    """The nodes that say values in another form, here or below, by their `id`."""
    above: dict[int, list[int]] = {}
    found: set[int] = set()
    waiting: list[int] = []
    seen: set[int] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if any(not isinstance(codec, _MOVING) for codec in codecs_of(node)):
            waiting.append(id(node))
        below = [child for _, _, child in children(node)]
        if "$ref" in node:
            below.append(definitions[node["$ref"].rpartition("/")[2]])
        for child in below:
            above.setdefault(id(child), []).append(id(node))
        stack.extend(below)
    while waiting:
        node_id = waiting.pop()
        if node_id not in found:
            found.add(node_id)
            waiting.extend(above.get(node_id, ()))
    return frozenset(found)


def tags(branches: Sequence[Schema], changes: frozenset[int], definition: Definition) -> list[tuple[int, str]]:
    """The branches that need a name, by their position, each with a name of its own."""
    if not any(id(branch) in changes for branch in branches):
        return []
    marks = [at for at, branch in enumerate(branches) if any(isinstance(one, Left) for one in codecs_of(branch))]
    kept = [at for at in range(len(branches)) if at not in marks]
    named: dict[int, str] = {}
    taken = [name for branch in branches for name in _named(branch)]
    for at in kept:
        if id(branches[at]) in changes and not _named(branches[at]):
            others = [other for other in kept if other != at and other not in named]
            if not _is_apart(branches[at], [branches[other] for other in others], definition):
                named[at] = _free(_name(branches[at]), taken)
    if not named and not taken:
        return []
    for at in kept:  # an object that is open could hold a name too
        around: list[Schema] = [tagged(branches[other], name) for other, name in named.items()]
        around += [branch for branch in branches if _named(branch)]
        if at not in named and not _named(branches[at]) and not _is_apart(branches[at], around, definition):
            named[at] = _free(_name(branches[at]), taken)
    return sorted(named.items())


def _is_apart(branch: Schema, others: Sequence[Schema], definition: Definition) -> bool:
    return len(others) <= MOST_BRANCHES and all(are_apart(branch, other, definition) for other in others)


def _name(branch: Schema) -> str:
    codecs = [codec.codec if isinstance(codec, OrNull) else codec for codec in codecs_of(branch)]
    return next((name for kind, name in _NAMES if any(isinstance(codec, kind) for codec in codecs)), "value")


def _named(branch: Schema) -> tuple[str, ...]:
    """The name that a branch has around it already."""
    return tuple(codec.name for codec in codecs_of(branch) if isinstance(codec, Inside))


def _free(name: str, taken: list[str]) -> str:
    number, free = 2, name
    while free in taken:
        free, number = f"{name}{number}", number + 1
    taken.append(free)
    return free


def tagged(branch: Schema, name: str) -> Wire:
    """The branch as the one property of an object."""
    inner = Wire(branch, branch.trail, codecs=codecs_of(branch), settled="below")
    keywords = {
        "type": "object",
        "properties": {name: inner},
        "required": [name],
        "additionalProperties": never(branch.trail),
    }
    return Wire(keywords, branch.trail, codecs=(Inside(name),), settled="form")
