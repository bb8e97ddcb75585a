"""What edits make of the nodes that recur, learned once and put on each node that is alike.

Two thirds of the nodes of real schemas are leaves, and most are alike but for their texts: `{"type": "string",
"description": …}`. What a target's rules make of such a node depends on its keywords and their values alone, not on
the texts that no rule looks at, nor on what stands under `items`, where no rule looks there. A union of such nodes is
one more of them. So the edits of a node
that comes a second time are rehearsed on one whose texts and children can be told from all others, and what came of
it is kept: which keyword has which value then, or which part of the source.

A plan is never more than a short way to the same outcome. It is learned only where the edits asked nothing of the
rest of the schema, and where putting it on the rehearsed node gives what the edits gave.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import itemgetter
from typing import Any, NoReturn, TypeAlias

from toolglot.json_values import Json
from toolglot.schemas.forms import Schema
from toolglot.schemas.trails import Trail
from toolglot.tables.target_rules import TargetRules
from toolglot.wire.codecs import Codec
from toolglot.wire.editing import Done, Editor, Saying
from toolglot.wire.limits import NO_PRESSURE
from toolglot.wire.shapes import HOLDING, Wire, new

# What no edit looks into, whatever it says, unless a rule of the target does.
_ANNOTATIONS = frozenset(("title", "description", "default", "examples", "example", "$comment"))
# A stranger's nodes must not fill memory, nor keep out those that come again.
MOST_PLANS = 1_024
MOST_SEEN = 16_384
_MOST_BRANCHES = 8
_LONGEST_KEY = 64
_LONGEST_TEXT = 100

_Key: TypeAlias = tuple[Any, ...]
_Make: TypeAlias = Callable[[Schema], Any]
_Way: TypeAlias = tuple[str | int, ...]


def plans_for(editor: Editor) -> Plans | None:
    """The plans for a schema's nodes; None where its edits depend on more than the nodes."""
    normal = editor.normal
    if editor.pressure is not NO_PRESSURE or normal.unknown:
        return None
    return _plans(editor.rules, editor.describe, normal.detection.dialect, normal.asserts_formats)


@lru_cache(maxsize=128)
def _plans(rules: TargetRules, _describe: bool | str, _dialect: str, _asserts_formats: bool) -> Plans:
    return Plans(rules)


class Plans:
    """The plans of one target, for schemas that are read and described in one way."""

    def __init__(self, rules: TargetRules) -> None:
        read = frozenset[str]().union(*[rule.when.reads for rule in rules.at("schema")])
        self._free = _ANNOTATIONS - read
        self._known: dict[_Key, Plan | None] = {}
        self._seen: set[int] = set()

    def __len__(self) -> int:
        return len(self._known)

    def put_on(self, source: Schema, editor: Editor) -> Schema | None:
        """The node with every edit that its rules ask for, each of them told; None where no plan is known for it."""
        key = self._key(source)
        if key is None:
            return None
        plan = self._known.get(key, _UNKNOWN)
        by_spot = plan is _BY_SPOT
        if by_spot:
            key = (*key, editor.depth, editor.keyword)
            plan = self._known.get(key, _UNKNOWN)
        if plan is _UNKNOWN:
            plan = self._learned(key, source, editor, by_spot=by_spot)
        return None if plan is None else plan.put_on(source, editor)

    def _key(self, source: Schema) -> _Key | None:
        """What decides of the edits; None for a node that is not like enough others."""
        parts: list[Any] = [source.absent] if source.__class__ is Wire else []
        free = self._free
        for keyword, value in source.items():
            kind = value.__class__
            if kind is str:
                parts += (keyword, str if value and keyword in free else value)
            elif kind is int or kind is bool or value is None:
                parts += (keyword, kind, value)
            elif keyword == "items":
                if kind is not Schema or "not" in value:
                    return None
                parts += (keyword, len(value) > 0)
            elif keyword == "anyOf":
                branches = [_whole_key(branch) for branch in value] if len(value) <= _MOST_BRANCHES else [None]
                if None in branches:
                    return None
                parts += (keyword, tuple(branches))
            elif keyword in free and kind in _MARKS:
                parts += (keyword, kind)
            elif keyword == "type":
                parts += (keyword, tuple(value))
            else:
                return None
        return tuple(parts)

    def _learned(self, key: _Key, source: Schema, editor: Editor, *, by_spot: bool) -> Plan | None:
        """The plan for a node that has been seen before."""
        number = hash(key)
        if number not in self._seen:  # most that comes once does not come again
            if len(self._seen) >= MOST_SEEN:
                self._seen.clear()
            self._seen.add(number)
            return None
        if not _is_small(key):
            return None
        if len(self._known) >= MOST_PLANS:
            self._known.clear()
        plan, asked_spot = _rehearsed(self._marked(source), editor)
        if asked_spot and not by_spot:
            self._known[key] = _BY_SPOT
            key = (*key, editor.depth, editor.keyword)
        self._known[key] = plan
        return plan

    def _marked(self, source: Schema) -> _Marked:
        """The node with values of its own, which can be told from all others, where no edit looks into them."""
        marked = _Marked(source)
        for keyword, value in source.items():
            if keyword == "items":
                marked.put((keyword,), _Closed(_own(value.trail)) if value else Schema({}, _own(value.trail)))
            elif keyword == "anyOf":
                marked.node[keyword] = [marked.copied((keyword, at), branch) for at, branch in enumerate(value)]
            elif value and keyword in self._free and value.__class__ in _MARKS:
                marked.put((keyword,), _MARKS[value.__class__](value))
        return marked


def _whole_key(node: Schema) -> _Key | None:
    """All that a small node says; None where it says more than plans are made for."""
    if node.__class__ is not Schema:
        return None
    parts: list[Any] = []
    for keyword, value in node.items():
        kind = value.__class__
        if kind is str:
            parts += (keyword, value)
        elif kind is int or kind is bool or value is None:
            parts += (keyword, kind, value)
        elif keyword == "type":
            parts += (keyword, tuple(value))
        elif keyword == "items" and HOLDING.isdisjoint(value) and (items := _whole_key(value)) is not None:
            parts += (keyword, items)
        else:
            return None
    return tuple(parts)


def _is_small(key: _Key) -> bool:
    parts = list(key)
    for part in parts:  # grows while it is walked
        if isinstance(part, tuple):
            parts += part
        if len(parts) > _LONGEST_KEY or (isinstance(part, str) and len(part) > _LONGEST_TEXT):
            return False
    return True


_UNKNOWN: Any = object()
_BY_SPOT: Any = object()  # the plan depends on where the node stands as well


class _Text(str):
    """A text that is no other."""

    __slots__ = ()


class _List(list[Json]):
    """A list that is no other."""


class _Object(dict[str, Json]):
    """An object that is no other."""


_MARKS: dict[type, Callable[[Any], Json]] = {str: _Text, list: _List, dict: _Object}


class _AskedError(Exception):
    """An edit asked for more than its node says."""


class _Closed(Schema):
    """A schema that says something, and not what; but nothing in it is forbidden, as `is_never` asks."""

    def __init__(self, trail: Trail | None) -> None:
        super().__init__(None, trail)

    def _asked(self, *_asked: object) -> NoReturn:
        raise _AskedError

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


class _Marked:
    """A node whose parts can be told from all others.

    Attributes:
        node: the node.
        ways: for each value of its own the way to it, by the value's identity.
        trails: for each node the way to it, by the identity of the node's trail.
    """

    def __init__(self, source: Schema) -> None:
        self.ways: dict[int, _Way] = {}
        self.trails: dict[int, _Way] = {}
        self.node = Schema(source, source.trail)
        if isinstance(source, Wire):
            self.node = Wire(source, source.trail, absent=source.absent)

    def put(self, way: _Way, value: Any) -> None:
        """Puts a value of its own under a keyword of the node."""
        self.node[str(way[0])] = value
        self.ways[id(value)] = way
        if isinstance(value, Schema):
            self.trails[id(value.trail)] = way

    def copied(self, way: _Way, part: Schema) -> Schema:
        """A copy of a part of the node, and of what is in it."""
        made = Schema(part, _own(part.trail))
        self.ways[id(made)] = self.trails[id(made.trail)] = way
        if "items" in made:
            made["items"] = self.copied((*way, "items"), part["items"])
        return made


# Rehearsals ------------------------------------------------------------------------------------------------------


class _Rehearsal(Editor):
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
        raise _AskedError

    definition = define = spend = afford = slot = words_of_slot = free_property = aliases = _asked  # type: ignore[assignment]
    size_of = times_inlined = inlining = is_recursive = digest = _asked  # type: ignore[assignment]


def _rehearsed(marked: _Marked, editor: Editor) -> tuple[Plan | None, bool]:
    """The plan for a node, None where there can be none; and whether it depends on where the node stands."""
    first, second = _Rehearsal(editor), _Rehearsal(editor)
    try:
        made = first.edited(marked.node)
    except _AskedError:
        return None, first.asked_spot
    plan = Plan(None if made is marked.node else made, first, marked)
    again = plan.put_on(marked.node, second)
    is_same = _alike(made, again) and _alike(first.told, second.told)
    return plan if is_same else None, first.asked_spot


def _alike(one: Any, other: Any) -> bool:
    """Whether two outcomes are the same down to the order of keys, and of the same objects where it counts."""
    if one is other:
        return True
    if type(one) is not type(other) or isinstance(one, _Closed):
        return False
    if isinstance(one, dict):
        if isinstance(one, Schema) and one.trail is not other.trail:
            return False
        parts = list(one) == list(other) and all(_alike(value, other[key]) for key, value in one.items())
        return parts and (not isinstance(one, Wire) or _marks_of(one) == _marks_of(other))
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(_alike, one, other))
    return bool(one == other)


def _marks_of(node: Wire) -> tuple[tuple[Codec, ...], str, str]:
    return node.codecs, node.absent, node.settled


# Plans -----------------------------------------------------------------------------------------------------------


class Plan:
    """What the edits of a node come to."""

    def __init__(self, made: Schema | None, rehearsal: _Rehearsal, marked: _Marked) -> None:
        """Keeps an outcome.

        Args:
            made: the edited node; None where it is the source.
            rehearsal: what was told of it.
            marked: the node before its edits.
        """
        self._done = [(done, _maker(done.lost, marked)) for done in rehearsal.told]
        self._sayings = [(saying, _maker(saying, marked)) for saying in rehearsal.sayings]
        self._node = None if made is None else _NodeMaker(made, marked)

    def put_on(self, source: Schema, editor: Editor) -> Schema:
        """The node with its edits, each of them told; the node itself where there are none."""
        for done, lost in self._done:
            editor.tell(source, done if lost is None else done._replace(lost=lost(source)))
        if self._node is None:
            return source
        node = self._node(source)
        if self._sayings:
            self._describe(node, source, editor)
        return node

    def _describe(self, node: Schema, source: Schema, editor: Editor) -> None:
        described: str = source.get("description", "")
        for saying, make in self._sayings:
            words = editor.in_words(saying if make is None else make(source), described)
            if words:
                described = f"{described} ({words})" if described else words
        if described or "description" in source:
            node["description"] = described
        else:
            node.pop("description", None)


def _maker(value: Any, marked: _Marked) -> _Make | None:
    """What makes the value for another source; None for one that is the same for all."""
    if id(value) in marked.ways:
        return _getter(marked.ways[id(value)])
    if isinstance(value, Schema):
        return _NodeMaker(value, marked)
    if isinstance(value, dict):
        made = {key: _maker(item, marked) for key, item in value.items()}
        if not any(made.values()):
            return None
        return lambda source: {key: make(source) if make else value[key] for key, make in made.items()}
    if isinstance(value, (list, tuple)):
        items = [(item, _maker(item, marked)) for item in value]
        if not any(make for _, make in items):
            return None
        kind = tuple if isinstance(value, tuple) else list
        return lambda source: kind([make(source) if make else item for item, make in items])
    return None


def _getter(way: _Way) -> _Make:
    """What follows a way from the source."""
    if len(way) == 1:
        return itemgetter(way[0])

    def follow(source: Schema) -> Any:
        found: Any = source
        for step in way:
            found = found[step]
        return found

    return follow


class _NodeMaker:
    """Makes one node of an outcome, in the place that it came from."""

    def __init__(self, node: Schema, marked: _Marked) -> None:
        makers = {key: _maker(value, marked) for key, value in node.items()}
        self._marks = _marks_of(node) if isinstance(node, Wire) else None
        self._fixed = {key: None if makers[key] else value for key, value in node.items()}
        self._made = [(key, make) for key, make in makers.items() if make]
        way = marked.trails.get(id(node.trail))
        self._from = None if way is None else _getter(way)

    def __call__(self, source: Schema) -> Schema:
        if self._marks is None:
            node = new(Schema)
        else:
            node = coded = new(Wire)
            coded.codecs, coded.absent, coded.settled = self._marks
        node.update(self._fixed)
        node.trail = source.trail if self._from is None else self._from(source).trail
        for key, make in self._made:
            node[key] = make(source)
        return node
