"""What is done with a keyword and its value in a plain schema: the rules; `plain_table` says where each of them holds.

A rule is given the walk, the schema that is open, the keyword and its value. Where more has to be known than that, it
is `left`: the schema is no plain one, and is read the general way.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from toolglot.json_values import Json
from toolglot.schemas.detect import Fits
from toolglot.schemas.forms import Schema
from toolglot.schemas.reading import stranger
from toolglot.schemas.readings import RULES
from toolglot.schemas.trails import Trail
from toolglot.tables.keywords import Form, Mark, asserts_nothing

if TYPE_CHECKING:
    from toolglot.schemas.plain import Walk

# An address that is none of the broken ones, and how much of them a schema may have, however they are joined.
_ADDRESS = re.compile(r"[A-Za-z0-9_.:/#?=&%+~-]*")
_NAMED = 4_000
# A name that a reference writes as it is.
_ONE_STEP = re.compile(r"[^/~%#]+")
_CONTAINERS = (dict, list)
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


def kept(walk: Walk, opened: Opened, keyword: str, value: Json) -> None:
    """It stays as it is."""


def left(_: Walk, __: Opened, keyword: str, ___: Json) -> None:
    """It is left to the general way."""
    raise NotPlainError(keyword)


def marked(marks: tuple[tuple[Mark, Fits], ...], rule: Rule) -> Rule:
    """The rule, once the marks are noted that the value makes."""

    def note(walk: Walk, opened: Opened, keyword: str, value: Json) -> None:
        seen = walk.seen
        for mark, fits in marks:
            if mark not in seen and fits(value):
                seen[mark] = opened[1].trail
        rule(walk, opened, keyword, value)

    return note


def dropped(_: Walk, opened: Opened, keyword: str, __: Json) -> None:
    """It goes."""
    del opened[1][keyword]


def data(walk: Walk, opened: Opened, keyword: str, value: Json) -> None:
    """It stays, as a copy: data that the schema holds."""
    opened[1][keyword] = walk.leaf.copied(value)


def leaf(form: Form, right: Callable[[Json], bool]) -> Rule:
    """What its reading puts in its place, or nothing; what is put elsewhere may stand there already, so it is left."""
    reading = RULES[form.reading]

    def read(walk: Walk, opened: Opened, keyword: str, value: Json) -> None:
        if not right(value):
            raise NotPlainError(keyword)
        leaf, out = walk.leaf, opened[1]
        leaf.source, said = opened[0], leaf.out
        reading(leaf, keyword, value, form)
        if keyword in said:
            out[keyword] = said.pop(keyword)
        else:
            del out[keyword]
        if said:
            raise NotPlainError(keyword)

    return read


def but_names(names: frozenset[str], rule: Rule) -> Rule:
    """The rule, but for texts that stay as they are."""

    def read(walk: Walk, opened: Opened, keyword: str, value: str) -> None:
        if value not in names:
            rule(walk, opened, keyword, value)

    return read


def stranger_word(walk: Walk, opened: Opened, keyword: str, value: Json) -> None:
    """A word that is no keyword here: it is noted where nobody knows it, and kept where it cannot act."""
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


def stranger_beside_ref(walk: Walk, opened: Opened, keyword: str, value: Json) -> None:
    """The same beside a reference, where only a word that asserts nothing is looked at."""
    rule = stranger_word if type(keyword) is not str or asserts_nothing(keyword) else dropped
    rule(walk, opened, keyword, value)


def reference(_: Walk, opened: Opened, __: str, ___: str) -> None:
    """It is bound when all has been read."""
    opened[2].references.append(opened[1])


def identifier(walk: Walk, opened: Opened, keyword: str, value: str) -> None:
    """It goes; the name of the whole schema changes nothing for references that stay inside of it.

    Any other name does, and may be an error beside another one; so it is plain only where neither can be.
    """
    source, out, _, depth = opened
    walk.named += len(value) + 1
    if walk.named > _NAMED or not _ADDRESS.fullmatch(value):
        raise NotPlainError(keyword)
    if "$schema" in source and (walk.is_told or depth > 1):
        raise NotPlainError(keyword)
    if depth > 1 or "#" in value[:-1]:
        walk.note_name()
    del out[keyword]


def one_below(walk: Walk, opened: Opened, keyword: str, value: dict[str, Json]) -> None:
    """The one schema that it holds is read next."""
    _, out, part, depth = opened
    out[keyword] = inner = _blank(Schema)
    inner.trail = (out.trail, keyword)
    walk.below.append((value, inner, part, depth + 1))


def boolean_below(walk: Walk, opened: Opened, keyword: str, value: bool) -> None:
    """The one schema that it holds, as an object."""
    out = opened[1]
    out[keyword] = inner = _blank(Schema)
    inner.trail = (out.trail, keyword)
    walk.count_below(1, opened)
    if not value:
        inner["not"] = Schema(None, inner.trail)


def map_below(walk: Walk, opened: Opened, keyword: str, value: dict[str, Json]) -> None:
    """The schemas that it holds, by name, are read next."""
    _, out, part, depth = opened
    above, below = (out.trail, keyword), walk.below
    depth += 1
    made = out[keyword] = {}
    for name, child in value.items():
        made[name] = inner = _blank(Schema)
        inner.trail = (above, name)
        below.append((child, inner, part, depth))


def list_below(walk: Walk, opened: Opened, keyword: str, value: list[Json]) -> None:
    """The schemas that it holds, of which there has to be one, are read next."""
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


def beside_if(rule: Rule) -> Rule:
    """The rule where an `if` stands beside it; without one it is left."""

    def read(walk: Walk, opened: Opened, keyword: str, value: Json) -> None:
        (rule if "if" in opened[0] else left)(walk, opened, keyword, value)

    return read


def unread(walk: Walk, opened: Opened, keyword: str, value: dict[str, Json] | bool) -> None:
    """It goes; what it holds is looked at, and nothing more."""
    _, out, _, depth = opened
    del out[keyword]
    if isinstance(value, bool):
        walk.count_below(1, opened)
    else:
        part = Part((out.trail, keyword))
        walk.below.append((value, part.out, part, depth + 1))


def definitions(walk: Walk, opened: Opened, keyword: str, value: dict[str, Json]) -> None:
    """It goes; each schema that it holds is a part of its own, which stays out unless a reference leads there."""
    _, out, _, depth = opened
    above = (out.trail, keyword)
    del out[keyword]
    for name, child in value.items():
        part = Part((above, name))
        walk.below.append((child, part.out, part, depth + 1))
        # Others are found by the general way, which reads their steps as a reference writes them.
        if depth == 1 and type(child) is dict and type(name) is str and _ONE_STEP.fullmatch(name):
            walk.definitions[f"#/{keyword}/{name}"] = part
