"""What becomes of a keyword in a plain schema, by the type of its value; made from the keyword table.

A rule is a function that is given the walk, the schema that is open, the keyword and its value. Where more has to be
known than that, the rule is `left`: the schema is no plain one, and is read the general way.

What a keyword means is said elsewhere and only asked here: `values` say whether a value is right, `readings` what is
made of one that holds no schemas. What is added is which keywords stay as they are, and which only hold what is below.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from toolglot.json_values import Json
from toolglot.schemas.addresses import joined
from toolglot.schemas.detect import Fits, marks_by_type
from toolglot.schemas.forms import Schema
from toolglot.schemas.places import SchemaResource
from toolglot.schemas.reading import stranger
from toolglot.schemas.readings import RULES
from toolglot.schemas.trails import Trail
from toolglot.schemas.values import PLAIN_TYPES, Check, checks
from toolglot.tables.keywords import TYPES, Form, Mark, Vocabulary, any_holders, asserts_nothing, keywords

if TYPE_CHECKING:
    from toolglot.schemas.plain import Walk

_CONTAINERS = (dict, list)
_KINDS = (str, int, float, bool, type(None), *_CONTAINERS)
# The readings that need no more than the keyword, its value and its neighbours.
_LEAVES = frozenset(
    ["keep", "drop", "types", "count", "names", "map-of-names", "flagged-bound", "divisible", "format", "with-contains"]
)
# The readings that keep one schema as one, a map as a map and a list as a list.
_STRUCTURES = frozenset(["keep", "items", "with-if", "unevaluated-items", "unseen-contains"])
# These two only keep where the other one is in no schema.
_ENTANGLED = frozenset(["unevaluated-items", "unseen-contains"])
# A name that a reference writes as it is.
_ONE_STEP = re.compile(r"[^/~%#]+")
_blank = Schema.__new__


class NotPlainError(Exception):
    """The schema has something that is read the general way only."""


class Part:
    """What is read from the root on, or from one definition on: what stays out unless a reference leads there.

    Attributes:
        out: its schema in the normal form.
        references: the schemas in it that refer to something.
        unknown: the keywords in it that nobody knows, with the trails of their schemas.
        name: what it is called once it is referred to.
    """

    __slots__ = ("name", "out", "references", "unknown")

    def __init__(self, trail: Trail | None) -> None:
        self.out = Schema(None, trail)
        self.references: list[Schema] = []
        self.unknown: list[tuple[Trail | None, str]] = []
        self.name = ""


# A schema whose keywords are read: itself, what it becomes, the part that it belongs to, and how deep it stands.
Opened = tuple[dict[str, Json], Schema, Part, int]


# What is given the walk, the schema that is open, a keyword of it, and the value.
Rule = Callable[["Walk", Opened, str, Any], None]


class ByType(dict[type, dict[str, Rule]]):
    """The rule for each keyword by the type of its value, and that for words that are no keyword of any dialect."""

    def __init__(self, rule: Callable[[str, type], Rule]) -> None:
        for kind in _KINDS:
            self[kind] = {name: _marking(name, kind, rule(name, kind)) for name in keywords()}

    def __missing__(self, kind: type) -> dict[str, Rule]:
        raise NotPlainError(kind)


@dataclass(frozen=True, slots=True, eq=False)
class PlainRules:
    """The rules of one dialect.

    Attributes:
        alone: those for a schema without `$ref`.
        beside_ref: those for one with it.
        type_rule: the rule for a text as `type`, where there are any of `type_names`.
        type_names: the texts that it does nothing with.
        resource: stands for the resource that the schema is, where only the dialect is asked for.
    """

    alone: tuple[ByType, Rule]
    beside_ref: tuple[ByType, Rule]
    type_rule: Rule | None
    type_names: frozenset[str]
    resource: SchemaResource


@lru_cache(maxsize=256)
def plain_rules(how: Vocabulary) -> PlainRules:
    """The rules of a dialect."""
    alone = (ByType(partial(_rule, how)), _stranger)
    beside_ref = alone if how.reads_beside_ref else (ByType(partial(_rule_beside_ref, how)), _stranger_beside_ref)
    marked = marks_by_type().get(("type", str), ())
    names = frozenset(name for name in _types(how) if not any(fits(name) for _, fits in marked))
    resource = SchemaResource("", how, None, None)
    return PlainRules(alone, beside_ref, alone[0][str]["type"] if names else None, names, resource)


def _types(how: Vocabulary) -> frozenset[str]:
    """The texts that are right as a type and are read as they are, whatever stands beside them."""
    form = how.forms.get("type")
    if form is None or form.reading != "types" or "nullable" in how.forms:
        return frozenset()
    return frozenset(name for name in TYPES if not checks(how)["type"](name))


# --- Which rule


def _marking(name: str, kind: type, rule: Rule) -> Rule:
    """The rule, noting the marks of its keyword first."""
    marks = marks_by_type().get((name, kind))
    return _marked(marks, rule) if marks and rule is not left else rule


def _rule(how: Vocabulary, name: str, kind: type) -> Rule:
    form = how.forms.get(name)
    if form is None:
        return left if kind in _CONTAINERS and name in any_holders() else _stranger
    if form.holds != "none":
        return _structure(how, form, kind)
    if form.reading == "reference":
        return _reference if kind is str else left
    if name == how.dialect.identifier:
        return _identifier if kind is str else left
    if form.reading == "keep" and kind in PLAIN_TYPES.get(form.value, ()):
        return _data if kind in _CONTAINERS else kept
    if form.reading not in _LEAVES or form.value == "anchor":
        return left
    rule = _leaf(form, checks(how).get(name))
    return _named(_types(how), rule) if form.reading == "types" and kind is str else rule


def _rule_beside_ref(how: Vocabulary, name: str, kind: type) -> Rule:
    """The rule where a dialect reads nothing beside `$ref` but annotations, and does not check them."""
    form = how.forms.get(name)
    if name == "$ref":
        return _rule(how, name, kind)
    if not asserts_nothing(name):
        return left if kind in _CONTAINERS and name in any_holders() else _dropped
    if form is None or form.holds != "none":
        return _rule(how, name, kind)
    if form.reading == "drop":
        return _dropped
    if form.reading != "keep":
        return left
    return _data if kind in _CONTAINERS else kept


def _structure(how: Vocabulary, form: Form, kind: type) -> Rule:
    """The rule for a keyword that holds schemas."""
    if form.reading == "drop":
        return _definitions if form.holds == "map" and kind is dict else left
    entangled = form.reading in _ENTANGLED and {each.reading for each in how.forms.values()} >= _ENTANGLED
    if form.reading not in _STRUCTURES or entangled:
        return left
    if kind is bool and not (form.boolean or how.dialect.boolean_schemas):
        return left
    rule = _HOLDERS.get((form.holds, kind), left)
    return _with_if(rule) if form.reading == "with-if" else rule


# --- The rules


def kept(walk: Walk, opened: Opened, keyword: str, value: Json) -> None:
    """It stays as it is."""


def left(_: Walk, __: Opened, keyword: str, ___: Json) -> None:
    """It is left to the general way."""
    raise NotPlainError(keyword)


def _marked(marks: tuple[tuple[Mark, Fits], ...], rule: Rule) -> Rule:
    """The rule, once the marks are noted that the value makes."""

    def note(walk: Walk, opened: Opened, keyword: str, value: Json) -> None:
        seen = walk.seen
        for mark, fits in marks:
            if mark not in seen and fits(value):
                seen[mark] = opened[1].trail
        rule(walk, opened, keyword, value)

    return note


def _dropped(_: Walk, opened: Opened, keyword: str, __: Json) -> None:
    del opened[1][keyword]


def _data(walk: Walk, opened: Opened, keyword: str, value: Json) -> None:
    opened[1][keyword] = walk.leaf.copied(value)


def _leaf(form: Form, wrong: Check | None) -> Rule:
    """What its reading puts in its place, or nothing; what is put elsewhere may stand there already, so it is left."""
    reading = RULES[form.reading]

    def read(walk: Walk, opened: Opened, keyword: str, value: Json) -> None:
        if wrong is not None and wrong(value) is not None:
            raise NotPlainError(keyword)
        leaf = walk.leaf
        leaf.source, leaf.out = opened[0], Schema()
        reading(leaf, keyword, value, form)
        said, out = leaf.out, opened[1]
        if said.keys() == {keyword}:
            out[keyword] = said[keyword]
        elif said:
            raise NotPlainError(keyword)
        else:
            del out[keyword]

    return read


def _named(names: frozenset[str], rule: Rule) -> Rule:
    """The rule, but for texts that stay as they are."""

    def read(walk: Walk, opened: Opened, keyword: str, value: str) -> None:
        if value not in names:
            rule(walk, opened, keyword, value)

    return read


def _stranger(walk: Walk, opened: Opened, keyword: str, value: Json) -> None:
    if type(keyword) is not str:
        raise NotPlainError(keyword)
    _, out, part, _ = opened
    is_unknown, is_kept = stranger(keyword)
    if is_unknown:
        part.unknown.append((out.trail, keyword))
    if not is_kept:
        del out[keyword]
    elif type(value) in _CONTAINERS:
        out[keyword] = walk.leaf.copied(value)


def _stranger_beside_ref(walk: Walk, opened: Opened, keyword: str, value: Json) -> None:
    rule = _stranger if type(keyword) is not str or asserts_nothing(keyword) else _dropped
    rule(walk, opened, keyword, value)


def _reference(_: Walk, opened: Opened, __: str, ___: str) -> None:
    opened[2].references.append(opened[1])


def _identifier(walk: Walk, opened: Opened, keyword: str, value: str) -> None:
    """The name of the whole schema changes nothing for references that stay inside of it."""
    source, out, _, depth = opened
    if depth > 1 or "#" in value or (walk.is_told and "$schema" in source):
        raise NotPlainError(keyword)
    try:
        joined("", value)
    except ValueError as error:
        raise NotPlainError(keyword) from error
    del out[keyword]


def _one(walk: Walk, opened: Opened, keyword: str, value: dict[str, Json]) -> None:
    _, out, part, depth = opened
    out[keyword] = inner = _blank(Schema)
    inner.trail = (out.trail, keyword)
    walk.below.append((value, inner, part, depth + 1))


def _boolean(walk: Walk, opened: Opened, keyword: str, value: bool) -> None:
    out = opened[1]
    out[keyword] = inner = _blank(Schema)
    inner.trail = (out.trail, keyword)
    walk.count += 1
    if not value:
        inner["not"] = Schema(None, inner.trail)


def _map(walk: Walk, opened: Opened, keyword: str, value: dict[str, Json]) -> None:
    _, out, part, depth = opened
    above, below = (out.trail, keyword), walk.below
    depth += 1
    made = out[keyword] = {}
    for name, child in value.items():
        made[name] = inner = _blank(Schema)
        inner.trail = (above, name)
        below.append((child, inner, part, depth))


def _list(walk: Walk, opened: Opened, keyword: str, value: list[Json]) -> None:
    if not value:
        raise NotPlainError(keyword)
    _, out, part, depth = opened
    above, below = (out.trail, keyword), walk.below
    depth += 1
    made = out[keyword] = []
    for position, child in enumerate(value):
        inner = _blank(Schema)
        inner.trail = (above, position)
        made.append(inner)
        below.append((child, inner, part, depth))


def _with_if(rule: Rule) -> Rule:
    def read(walk: Walk, opened: Opened, keyword: str, value: Json) -> None:
        (rule if "if" in opened[0] else left)(walk, opened, keyword, value)

    return read


def _definitions(walk: Walk, opened: Opened, keyword: str, value: dict[str, Json]) -> None:
    _, out, _, depth = opened
    above = (out.trail, keyword)
    del out[keyword]
    for name, child in value.items():
        part = Part((above, name))
        walk.below.append((child, part.out, part, depth + 1))
        # Others are found by the general way, which reads their steps as a reference writes them.
        if depth == 1 and type(child) is dict and type(name) is str and _ONE_STEP.fullmatch(name):
            walk.definitions[f"#/{keyword}/{name}"] = part


_HOLDERS: Mapping[tuple[str, type], Rule] = {
    ("one", dict): _one,
    ("one", bool): _boolean,
    ("one-or-list", dict): _one,
    ("one-or-list", bool): _boolean,
    ("map", dict): _map,
    ("list", list): _list,
}
