"""Edits of one node by itself, to learn what comes of them: its texts and children can be told from all others.

Where an edit looks into a child, or asks for anything beside the node, the rehearsal ends.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, NoReturn, TypeAlias

from toolglot.json_values import Json
from toolglot.schemas.forms import Schema
from toolglot.schemas.trails import Trail
from toolglot.wire.codecs import Codec
from toolglot.wire.editing import Done, Editor, Saying
from toolglot.wire.shapes import Wire

# The way to a part of a node: a keyword, and what leads on from its value.
Way: TypeAlias = tuple[str | int, ...]


class _Text(str):
    """A text that is no other."""

    __slots__ = ()


class _List(list[Json]):
    """A list that is no other."""


class _Object(dict[str, Json]):
    """An object that is no other."""


MARKS: dict[type, Callable[[Any], Json]] = {str: _Text, list: _List, dict: _Object}


class AskedError(Exception):
    """An edit asked for more than its node says."""


class _Closed(Schema):
    """A schema that says something, and not what; but nothing in it is forbidden, as `is_never` asks."""

    def __init__(self, trail: Trail | None) -> None:
        super().__init__(None, trail)

    def _asked(self, *_asked: object) -> NoReturn:
        raise AskedError

    __contains__ = __eq__ = __getitem__ = __iter__ = __len__ = _asked
    copy = items = keys = values = pop = update = _asked  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return True

    def get(self, keyword: str, default: Json = None) -> Json:
        """Nothing for `not`."""
        return default if keyword == "not" else self._asked()


def _own(trail: Trail | None) -> Trail | None:
    """An equal trail that is no other."""
    return None if trail is None else (trail[0], trail[1])


class Marked:
    """A node whose parts can be told from all others, with the ways to them in any node that is alike.

    Attributes:
        node: the node.
        ways: the way to each value of its own, by the value's identity.
        trails: the way to each node below, by the identity of its trail.
    """

    def __init__(self, source: Schema, free: Collection[str]) -> None:
        """Marks the texts under keywords that no edit looks into, the branches of a union, and what `items` holds."""
        self.ways: dict[int, Way] = {}
        self.trails: dict[int, Way] = {}
        self.node = Schema(source, source.trail)
        if isinstance(source, Wire):
            self.node = Wire(source, source.trail, absent=source.absent)
        for keyword, value in source.items():
            if keyword == "items":
                trail = _own(value.trail)
                self.node[keyword] = self._told((keyword,), _Closed(trail) if value else Schema({}, trail))
            elif keyword == "anyOf":
                self.node[keyword] = [self._copied((keyword, at), branch) for at, branch in enumerate(value)]
            elif keyword in free and value.__class__ in MARKS:
                self.node[keyword] = MARKS[value.__class__](value)
                self.ways[id(self.node[keyword])] = (keyword,)
        self._share_words()

    def _share_words(self) -> None:
        """Gives branches that describe themselves as the node does that one text, of which the key says no more."""
        words = self.node.get("description")
        for branch in self.node.get("anyOf", ()):
            if isinstance(words, _Text) and branch.get("description") == words:
                branch["description"] = words

    def _copied(self, way: Way, part: Schema) -> Schema:
        made = self._told(way, Schema(part, _own(part.trail)))
        if "items" in made:
            made["items"] = self._copied((*way, "items"), part["items"])
        return made

    def _told(self, way: Way, part: Schema) -> Schema:
        self.ways[id(part)] = self.trails[id(part.trail)] = way
        return part


class Rehearsal(Editor):
    """Edits one node by itself, and remembers what was told; what is asked of the rest of the schema ends it."""

    def __init__(self, editor: Editor) -> None:
        super().__init__(editor.normal, editor.rules, describe=editor.describe)
        self.spot = editor.spot
        self.told: list[Done] = []
        self.sayings: list[Saying] = []
        self.asked_spot = False

    def tell(self, node: Schema, done: Done) -> None:  # noqa: ARG002 - the one node that there is
        """Remembers the edit."""
        self.told.append(done)

    def in_words(self, saying: Saying, described: str) -> str:
        """Remembers what is to be said."""
        self.sayings.append(saying)
        return super().in_words(saying, described)

    @property
    def depth(self) -> int:
        """How many objects and arrays the node stands in."""
        self.asked_spot = True
        return super().depth

    @property
    def keyword(self) -> str:
        """The keyword that holds the node."""
        self.asked_spot = True
        return super().keyword

    def _asked(self, *_asked: object) -> NoReturn:
        raise AskedError

    definition = define = spend = afford = slot = words_of_slot = free_property = aliases = _asked  # type: ignore[assignment]
    size_of = times_inlined = inlining = is_recursive = digest = _asked  # type: ignore[assignment]


def alike(one: Any, other: Any) -> bool:
    """Whether two outcomes are the same down to the order of keys, and of the same objects where it counts."""
    if one is other:
        return True
    if type(one) is not type(other) or isinstance(one, _Closed):
        return False
    if isinstance(one, dict):
        if isinstance(one, Schema) and one.trail is not other.trail:
            return False
        parts = list(one) == list(other) and all(alike(value, other[key]) for key, value in one.items())
        return parts and (not isinstance(one, Wire) or marks_of(one) == marks_of(other))
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(alike, one, other))
    return bool(one == other)


def marks_of(node: Wire) -> tuple[tuple[Codec, ...], str, str]:
    """What a node has beside its keywords: its codecs, how null is to be said, and what is settled."""
    return node.codecs, node.absent, node.settled
