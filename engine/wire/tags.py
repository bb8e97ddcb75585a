"""Branches of a union that would read like others on the wire: they are told apart by a name around them.

`{"anyOf": [{"type": "string"}, {"enum": [1]}]}` with the number said as the text `"1"` would read two ways. As
`{"value": "1"}` it reads one way. What counts is not only the branch itself: two lists whose items differ so read
two ways as well.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Sequence
from typing import TypeAlias

from toolglot.schemas.forms import Schema
from toolglot.wire.codecs import Codec, Entries, Inside, JsonText, Left, OrNull, Positions
from toolglot.wire.conjunction import never
from toolglot.wire.ground import Spot
from toolglot.wire.kinds import Definition, Look
from toolglot.wire.shapes import Wire, codecs_of

_NAMES: tuple[tuple[type[Codec], str], ...] = ((JsonText, "json"), (Entries, "entries"), (Positions, "positions"))
MOST_BRANCHES = 40
UNIONS = frozenset(("anyOf", "oneOf"))
_Standing: TypeAlias = tuple[Schema, Spot]  # a node and where it stands


def can_mix(codecs: Sequence[Codec], spot: Spot) -> bool:
    """Whether a union has a branch with another form, because a node of these codecs stands at a spot.

    What is left out does not count for the union that it is a branch of, and a definition may stand anywhere.
    """
    if spot.in_branch or spot.place:
        return moves_more(codecs)
    return spot.keyword in UNIONS and any(not codec.moves_keys and type(codec) is not Left for codec in codecs)


def moves_more(codecs: Sequence[Codec]) -> bool:
    """Whether the codecs do more than to move keys."""
    return not all(codec.moves_keys for codec in codecs)


class Changes:
    """The nodes that say values in another form, here or below."""

    def __init__(self) -> None:
        self._found: set[int] = set()
        self._kept: list[Schema] = []  # so that no other node gets the identity of one that is gone
        self._references: dict[str, list[_Standing]] = {}
        self._places: set[str] = set()

    def __contains__(self, node: object) -> bool:
        return id(node) in self._found

    def refers(self, node: Schema, spot: Spot, name: str) -> None:
        """Says that a node refers to a definition."""
        self._references.setdefault(name, []).append((node, spot))
        if name in self._places:
            self.says_otherwise(node, spot)

    def says_otherwise(self, node: Schema, spot: Spot) -> None:
        """Says that a node has another form; all that it is part of then holds another form."""
        waiting: list[_Standing] = [(node, spot)]
        while waiting:
            at: _Standing | None = waiting.pop()
            while at is not None and id(at[0]) not in self._found:
                part, where = at
                self._found.add(id(part))
                self._kept.append(part)
                at = where.holder
                if at is not None and not _holds(at[0], where.keyword):
                    break
                if at is None and where.place and where.place not in self._places:
                    self._places.add(where.place)
                    waiting += self._references.get(where.place, ())


def _holds(node: Schema, keyword: str) -> bool:
    """Whether a node still has what stood under a keyword."""
    return keyword in node or (keyword == "oneOf" and "anyOf" in node)


def tags(branches: Sequence[Schema], changes: Container[Schema], definition: Definition) -> list[tuple[int, str]]:
    """The branches that need a name, by their position, each with a name of its own."""
    kept = [at for at, branch in enumerate(branches) if Left not in map(type, codecs_of(branch))]
    had = [branch for branch in branches if _named(branch)]
    if not had and not any(branches[at] in changes for at in kept):
        return []
    looks = {at: Look(branches[at], definition) for at in kept}
    names, named = _Names(had), dict[int, str]()
    for at in kept:
        if branches[at] in changes and not _named(branches[at]):
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
    return tuple(codec.name for codec in codecs_of(branch) if type(codec) is Inside)


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
