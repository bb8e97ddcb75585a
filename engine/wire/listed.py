"""The verbs that say listed values as texts, each with the codec that turns a call back."""

from __future__ import annotations

import re
from collections.abc import Iterable

from toolglot.json_values import Json, identity, json_text, kind
from toolglot.schemas.forms import Schema
from toolglot.wire.codecs import Texts
from toolglot.wire.edited import Edited, Lost, Site
from toolglot.wire.encodings import lost_beside, or_null, own_annotations
from toolglot.wire.shapes import with_keywords


def as_texts(node: Schema, options: Json, _site: Site) -> Edited:
    """The listed values as texts; texts among them stay as they are, but the empty one, which some targets refuse."""
    members = node["enum"] if options == "enum" else [node["const"]]
    texts: dict[str, Json] = {member: member for member in members if isinstance(member, str) and member}
    seen = {identity(member) for member in texts}
    for member in members:
        if identity(member) not in seen:
            seen.add(identity(member))
            texts[_free_text(member, texts)] = member
    places = {identity(member): at for at, member in reversed(list(enumerate(members)))}
    ordered = sorted(texts, key=lambda text: places[identity(texts[text])])
    said = ordered if options == "enum" else ordered[0]
    changed = with_keywords(own_annotations(node), {"type": "string", options: said})
    codecs = or_null(node, Texts({text: texts[text] for text in ordered}))
    return Edited(changed, _beside_listed(node, options), codecs=codecs)


def unescape(node: Schema, options: Json, _site: Site) -> Edited:
    """The listed texts with other signs in place of those that JSON spells with a backslash."""
    members = node["enum"] if options == "enum" else [node["const"]]
    if not all(isinstance(member, str) for member in members):
        return Edited(node)
    own, said = frozenset(members), dict[str, Json]()
    for member in members:
        text = _ESCAPED.sub(lambda met: _SIGNS.get(met[0], " "), member)
        while text in said or (text != member and text in own):
            text += "_"
        said[text] = member
    if all(map(str.__eq__, said, members)):
        return Edited(node)
    listed = list(said) if options == "enum" else next(iter(said))
    return Edited(with_keywords(node, {options: listed}), codecs=or_null(node, Texts(said)))


_ESCAPED, _SIGNS = re.compile(r'["\\\x00-\x1f]'), {'"': "'", "\\": "/"}


def _beside_listed(node: Schema, options: str) -> Lost:
    """What stands beside the listed values and is left to the check: all but the type, where it admits every member."""
    return lost_beside(node, options, "type")


def _free_text(member: Json, taken: Iterable[str]) -> str:
    text = json_text(member)
    if text in taken:
        text = f"{text} ({kind(member)})"
    while text in taken:
        text += "_"
    return text
