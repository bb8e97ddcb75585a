"""What edits make of the nodes that recur, learned once and put on each node that is alike.

Two thirds of the nodes of real schemas are leaves, and most are alike but for their texts: `{"type": "string",
"description": …}`. What a target's rules make of such a node depends on its keywords and their values alone, not on
the texts that no rule looks at, nor on what stands under `items`, where no rule looks there; and a union of such
nodes is one more of them. So the edits of a node that comes a second time are rehearsed, and what came of it is kept:
which keyword has which value then, or which part of the source.

A plan is never more than a short way to the same outcome. It is learned only where the edits asked nothing of the
rest of the schema, and where putting it on the rehearsed node gives what the edits gave.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import itemgetter
from typing import Any, TypeAlias

from toolglot.json_values import Json
from toolglot.schemas.forms import Schema
from toolglot.tables.foresight import Shape
from toolglot.tables.predicates import Predicate
from toolglot.tables.target_rules import TargetRules
from toolglot.wire.editing import Editor
from toolglot.wire.facts import NodeFacts
from toolglot.wire.limits import NO_PRESSURE
from toolglot.wire.rehearsals import MARKS, AskedError, Marked, Rehearsal, Way, alike, marks_of
from toolglot.wire.shapes import HOLDING, Wire, new

# What no edit looks into, whatever it says, unless a rule of the target does.
_ANNOTATIONS = frozenset(("title", "description", "default", "examples", "example", "$comment"))
# The fact that compares a title with what is not in the key: where a rule asks, its value is.
_OF_TITLE = "title-repeats-name"
# A stranger's nodes must not fill memory, nor keep out those that come again.
MOST_PLANS = 1_024
MOST_SEEN = 16_384
_MOST_BRANCHES = 8
_LONGEST_KEY = 64
_LONGEST_TEXT = 100

_Key: TypeAlias = tuple[Any, ...]
_Make: TypeAlias = Callable[[Schema], Any]


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
        below = [rule.when for rule in rules.at("schema") if _acts_below_root(rule.when)]
        read = frozenset[str]().union(*[when.reads for when in below])
        self._free = _ANNOTATIONS - read
        self._compares_title = _OF_TITLE in read
        self._known: dict[_Key, Plan | None] = {}
        self._seen: set[int] = set()

    def __len__(self) -> int:
        return len(self._known)

    def put_on(self, source: Schema, editor: Editor) -> Schema | None:
        """The node with every edit that its rules ask for, each of them told; None where no plan is known for it."""
        key = self._key(source, editor)
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

    def _key(self, source: Schema, editor: Editor) -> _Key | None:
        """What decides of the edits; None for a node that is not like enough others."""
        parts: list[Any] = [source.absent] if source.__class__ is Wire else []
        if self._compares_title and "title" in source:
            parts.append(NodeFacts(source, editor, root=False).get(_OF_TITLE))
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
                said = source.get("description") if "description" in free else None
                branches = [_whole_key(branch, said) for branch in value] if len(value) <= _MOST_BRANCHES else [None]
                if None in branches:
                    return None
                parts += (keyword, tuple(branches))
            elif keyword in free and kind in MARKS:
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
        plan, asked_spot = _rehearsed(Marked(source, self._free), editor)
        if asked_spot and not by_spot:
            self._known[key] = _BY_SPOT
            key = (*key, editor.depth, editor.keyword)
        self._known[key] = plan
        return plan


def _acts_below_root(when: Predicate) -> bool:
    return when.foresees(Shape(when.asks, root=False)) is not False


def _whole_key(node: Schema, said: Json = None) -> _Key | None:
    """All that a small node says, but how what is around it describes itself too; None for more than plans are for."""
    if node.__class__ is not Schema:
        return None
    parts: list[Any] = []
    for keyword, value in node.items():
        kind = value.__class__
        if kind is str:
            parts += (keyword, str if value == said and value and keyword == "description" else value)
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


def _rehearsed(marked: Marked, editor: Editor) -> tuple[Plan | None, bool]:
    """The plan for a node, None where there can be none; and whether it depends on where the node stands."""
    first, second = Rehearsal(editor), Rehearsal(editor)
    try:
        made = first.edited(marked.node)
    except AskedError:
        return None, first.asked_spot
    plan = Plan(None if made is marked.node else made, first, marked)
    again = plan.put_on(marked.node, second)
    is_same = alike(made, again) and alike(first.told, second.told)
    return plan if is_same else None, first.asked_spot


class Plan:
    """What the edits of a node come to."""

    def __init__(self, made: Schema | None, rehearsal: Rehearsal, marked: Marked) -> None:
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


def _maker(value: Any, marked: Marked) -> _Make | None:
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


def _getter(way: Way) -> _Make:
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

    def __init__(self, node: Schema, marked: Marked) -> None:
        makers = {key: _maker(value, marked) for key, value in node.items()}
        self._marks = marks_of(node) if isinstance(node, Wire) else None
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
