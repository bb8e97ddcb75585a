"""The texts of a union said as one branch, for a reader that goes wrong where it is inside two of them at once.

Such a reader follows all branches together. What it needs to be told apart is not which text it reads, so one branch
that admits them all is enough; what it admits beyond them is left to the check.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from toolglot.json_values import Json, equal
from toolglot.schemas.forms import Schema
from toolglot.schemas.patterns import PatternError, unescaped_form
from toolglot.wire.edited import Edited, Lost, Site
from toolglot.wire.kinds import Definition, kinds
from toolglot.wire.merging import distribute, follow, merge
from toolglot.wire.shapes import below, codecs_of, like, of_other_types, of_type, only, siblings, with_keywords, without

_LEADING = frozenset(("$ref", "allOf", "anyOf", "oneOf"))
_UNIONS = (["anyOf"], ["oneOf"], ["allOf"])  # an `allOf` of one member is that member
_OF_TEXTS = frozenset(("minLength", "maxLength", "pattern"))
_LENGTHS = frozenset(("minLength", "maxLength"))
MOST_PARTS = 400
MOST_MERGED = 4  # merges within merges


class _Part(NamedTuple):
    """What a union is made of.

    Attributes:
        node: the branch, or one of a union that the branch is or refers to.
        name: the definition that it is part of; empty where it stands in the union itself.
    """

    node: Schema
    name: str = ""


def text_branch_count(branches: list[Schema], definition: Definition) -> int:
    """How many branches are open texts, or may turn out to be; those within them and behind references too."""
    parts = [part.node for branch in branches for part in _parts(_Part(branch), definition)]
    return sum(_is_open_text(part) or _may_be_text(part, definition) for part in parts)


def join_texts(node: Schema, _options: Json, site: Site) -> Edited:
    """The union with one branch for its open texts, where it has several; that branch alone, where it has no other."""
    branches: list[Schema] = []
    texts: list[Schema] = []
    lost: list[tuple[str, Json]] = []
    place = 0
    for branch in node["anyOf"]:
        said, gone = _said(branch, site)
        if not any(_is_open_text(part.node) for part in said):
            branches.append(branch)
            continue
        place = place if texts else len(branches)
        lost += gone
        for part in said:
            text, rest = _split(part.node)
            texts += [text] if text is not None else []
            branches += [_referred(rest, part.name, site)] if rest is not None else []
    if len(texts) < 2:
        return Edited(node)
    branches.insert(place, _joined(texts))
    lost += _lost_of(texts)
    if len(branches) > 1:
        return Edited(with_keywords(node, {"anyOf": branches}), tuple(lost))
    return Edited(like(node, {**branches[0], **without(node, "anyOf")}), tuple(lost))


def _referred(node: Schema, name: str, site: Site) -> Schema:
    """A part of a definition that holds others, as a reference: it may hold the definition, and would never end."""
    return site.define([node], name) if name and below(node) else node


# What a union is made of ------------------------------------------------------------------------------------------


def _said(branch: Schema, site: Site) -> tuple[list[_Part], list[tuple[str, Json]]]:
    """The parts of a branch, those that may be texts as edits of their own would leave them, and what these lose."""
    said: list[_Part] = []
    lost: list[tuple[str, Json]] = []
    waiting = [(_Part(branch), MOST_MERGED)]
    while waiting:
        at, left = waiting.pop()
        for part in _parts(at, site.definition):
            if left and _may_be_text(part.node, site.definition):
                merged, more = _merged(part.node, site)
                lost += more
                waiting.append((_Part(merged, part.name), left - 1))
            else:
                said.append(part)
    return said, lost


def _merged(part: Schema, site: Site) -> tuple[Schema, Lost]:
    """The part with what stands beside its members, its reference or its branches taken in."""
    if "allOf" in part:
        return merge(part, site)
    if "$ref" in part:
        return follow(part, site)
    return distribute(part, "anyOf" if "anyOf" in part else "oneOf", site)


def _may_be_text(part: Schema, definition: Definition) -> bool:
    """Whether only an edit of the part shows if it is a text."""
    return not _LEADING.isdisjoint(part) and siblings(part) != ["$ref"] and "string" in kinds(part, definition)


def _parts(whole: _Part, definition: Definition) -> Iterator[_Part]:
    """The branch, or the branches of the union that it is or refers to; one within itself adds nothing to it."""
    waiting, seen = [whole], set[str]()
    for _ in range(MOST_PARTS):
        if not waiting:
            return
        part = waiting.pop()
        if siblings(part.node) == ["$ref"]:
            reference = part.node["$ref"]
            meant = definition(reference)
            if _LEADING.isdisjoint(meant) and not _is_open_text(meant):
                yield part
            elif reference not in seen:
                seen.add(reference)
                waiting.append(_Part(meant, reference.rpartition("/")[2]))
        elif (inner := _union_of(part.node)) is not None:
            waiting += [_Part(branch, part.name) for branch in reversed(inner)]
        else:
            yield part
    yield from reversed(waiting)


def _union_of(part: Schema) -> list[Schema] | None:
    """The branches of a node that is no more than a union of them."""
    beside = siblings(part)
    is_union = beside in _UNIONS and not codecs_of(part) and (beside != ["allOf"] or len(part["allOf"]) == 1)
    return part[beside[0]] if is_union else None


def _is_open_text(part: Schema) -> bool:
    """Whether the part admits texts that it neither lists nor has a pattern for that can be said for a whole text."""
    if codecs_of(part) or "enum" in part or "const" in part or not _LEADING.isdisjoint(part):
        return False
    named = part.get("type")
    is_text = not _OF_TEXTS.isdisjoint(part) if named is None else named == "string" or "string" in named
    return is_text and ("pattern" not in part or not _can_be_said(part["pattern"]))


def _can_be_said(pattern: str) -> bool:
    try:
        return unescaped_form(pattern) is not None
    except PatternError:
        return False


def _split(part: Schema) -> tuple[Schema | None, Schema | None]:
    """What the part says of open texts, and what it says of all else; None for nothing."""
    if not _is_open_text(part):
        return None, part
    if not isinstance(part.get("type"), list):
        return part, None
    return of_type(part, "string"), of_other_types(part, "string")


# One text for several ---------------------------------------------------------------------------------------------


def _joined(texts: list[Schema]) -> Schema:
    """The text that admits what any of them does, as far as lengths tell; with what all of them say of themselves."""
    first, *others = texts
    joined = {
        key: value
        for key, value in first.items()
        if key not in _OF_TEXTS and all(key in other and equal(other[key], value) for other in others)
    }
    for keyword, widest in (("minLength", min), ("maxLength", max)):
        if all(keyword in text for text in texts):
            joined[keyword] = widest(text[keyword] for text in texts)
    described = list(dict.fromkeys(text["description"] for text in texts if text.get("description")))
    return Schema({**joined, **({"description": " / ".join(described)} if described else {})}, first.trail)


def _lost_of(texts: list[Schema]) -> Lost:
    """What the joined text no longer says."""
    lost: list[tuple[str, Json]] = []
    if not _is_one_range(texts):
        lost.append(("anyOf", _said_beside(texts)))
    formats: list[Any] = list(dict.fromkeys(text.get("format") for text in texts))
    if len(formats) > 1 and None not in formats:
        lost.append(("format", formats))
    return tuple(lost)


def _said_beside(texts: list[Schema]) -> list[Schema]:
    """What the texts say beside their type, each once."""
    said = [only(text, *siblings(text, "type")) for text in texts]
    return [one for at, one in enumerate(said) if not any(equal(one, other) for other in said[:at])]


def _is_one_range(texts: list[Schema]) -> bool:
    """Whether the lengths that the texts admit are one range, and nothing but lengths is asked for."""
    asked = [frozenset(siblings(text)) - {"type"} for text in texts]
    if not all(asked):
        return True  # one of them admits all
    if any(keywords - _LENGTHS for keywords in asked):
        return False
    ranges = sorted((text.get("minLength", 0), text.get("maxLength", float("inf"))) for text in texts)
    reach = ranges[0][1]
    for least, most in ranges[1:]:
        if least > reach + 1:
            return False
        reach = max(reach, most)
    return True
