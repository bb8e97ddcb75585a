"""Branches of a union that would read like others on the wire: they are told apart by a name around them.

`{"anyOf": [{"type": "string"}, {"enum": [1]}]}` with the number said as the text `"1"` would read two ways. As
`{"value": "1"}` it reads one way. What counts is not only the branch itself: two lists whose items differ so read
two ways as well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from toolglot.schemas.forms import Schema
from toolglot.wire.codecs import Aliases, Codec, Entries, Inside, JsonText, Left, OrNull, Positions, Slot
from toolglot.wire.conjunction import never
from toolglot.wire.ground import Spot
from toolglot.wire.kinds import Definition, Look
from toolglot.wire.shapes import Wire, below, codecs_of

_NAMES: tuple[tuple[type[Codec], str], ...] = ((JsonText, "json"), (Entries, "entries"), (Positions, "positions"))
# These move keys and change no value: what they make reads one way, or not at all.
_MOVING = (Slot, Aliases)
MOST_BRANCHES = 40
UNIONS = frozenset(("anyOf", "oneOf"))


def can_mix(codecs: Sequence[Codec], spot: Spot) -> bool:
    """Whether a union has a branch with another form, because a node of these codecs stands at a spot.

    What is left out does not count for the union that it is a branch of, and a definition may stand anywhere.
    """
    if spot.in_branch or spot.place:
        return any(not isinstance(codec, _MOVING) for codec in codecs)
    return spot.keyword in UNIONS and any(not isinstance(codec, (*_MOVING, Left)) for codec in codecs)


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
        parts = below(node)
        if "$ref" in node:
            parts.append(definitions[node["$ref"].rpartition("/")[2]])
        for child in parts:
            above.setdefault(id(child), []).append(id(node))
        stack.extend(parts)
    while waiting:
        node_id = waiting.pop()
        if node_id not in found:
            found.add(node_id)
            waiting.extend(above.get(node_id, ()))
    return frozenset(found)


def tags(branches: Sequence[Schema], changes: frozenset[int], definition: Definition) -> list[tuple[int, str]]:
    """The branches that need a name, by their position, each with a name of its own."""
    kept = [at for at, branch in enumerate(branches) if not any(isinstance(one, Left) for one in codecs_of(branch))]
    had = [branch for branch in branches if _named(branch)]
    if not had and not any(id(branches[at]) in changes for at in kept):
        return []
    looks = {at: Look(branches[at], definition) for at in kept}
    names, named = _Names(had), dict[int, str]()
    for at in kept:
        if id(branches[at]) in changes and not _named(branches[at]):
            look = looks.pop(at)  # what is left are the others without a name
            if _is_apart(look, looks.values()):
                looks[at] = look
            else:
                named[at] = names.free(_name(branches[at]))
    if not named and not had:
        return []
    around = [Look(tagged(branches[at], name), definition) for at, name in named.items()]
    around += [Look(branch, definition) for branch in had]
    for at in kept:  # an object that is open could hold a name too
        if at not in named and not _named(branches[at]) and not _is_apart(looks[at], around):
            named[at] = names.free(_name(branches[at]))
            around.append(Look(tagged(branches[at], named[at]), definition))
    return sorted(named.items())


def _is_apart(look: Look, others: Collection[Look]) -> bool:
    """Whether no value fits a branch and another one; too many are not compared."""
    return len(others) <= MOST_BRANCHES and all(look.is_apart(other) for other in others)


def _name(branch: Schema) -> str:
    codecs = [codec.codec if isinstance(codec, OrNull) else codec for codec in codecs_of(branch)]
    return next((name for kind, name in _NAMES if any(isinstance(codec, kind) for codec in codecs)), "value")


def _named(branch: Schema) -> tuple[str, ...]:
    """The name that a branch has around it already."""
    return tuple(codec.name for codec in codecs_of(branch) if isinstance(codec, Inside))


class _Names:
    """Gives each name once, with a number where it is taken."""

    def __init__(self, had: Iterable[Schema]) -> None:
        self._taken = {name for branch in had for name in _named(branch)}
        self._numbers: dict[str, int] = {}

    def free(self, name: str) -> str:
        """The name, or the first number of it that nobody has."""
        free, number = name, self._numbers.get(name, 2)
        while free in self._taken:
            free, number = f"{name}{number}", number + 1
        self._numbers[name] = number
        self._taken.add(free)
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
