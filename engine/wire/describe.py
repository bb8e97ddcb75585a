"""What a constraint says, in a few words, for the description of the node that it left."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import cache

from toolglot.json_values import Json
from toolglot.schemas.forms import Schema
from toolglot.tables import shipped
from toolglot.tables.keywords import says_nothing
from toolglot.wire.writing import shortly

Pairs = tuple[tuple[str, Json], ...]
_NEVER: Json = {"not": {}}


@cache
def _table() -> dict[str, Json]:
    return tomllib.loads(shipped.text("words.toml"))


def in_words(lost: Pairs, described: str = "") -> str:
    """The constraints in a few words, such as `>= 3 characters; unique items`, but those that a description has."""
    table = _table()
    said = []
    for keyword, value in lost:
        if _goes_without_saying(keyword, value):
            continue
        if described and keyword in table["known"] and _says(described, table["known"][keyword], value):
            continue
        template = table["words"].get(keyword, keyword + " {}")
        text = template.replace("{}", _spelled(keyword, value)) if "{}" in template else template
        if len(text) > table["longest"]:
            text = table["long"].get(keyword, "")
        said.append(text)
    return "; ".join(dict.fromkeys(filter(None, said)))


@cache
def _first_words(ways: tuple[str, ...]) -> tuple[str, ...]:
    """The words of which one has to be there for one of the ways to be."""
    return tuple(dict.fromkeys([way.partition(" ")[0].replace("{}", "") for way in ways]))


def _goes_without_saying(keyword: str, value: Json) -> bool:
    """Whether a constraint says nothing, or nothing that a model does not expect: keys are texts, and no others."""
    if not value and isinstance(value, (dict, list)):
        return True
    if keyword == "additionalProperties":
        return bool(value == _NEVER)
    return says_nothing(keyword, value)


# No word of JSON, and no number.
_PLAIN = re.compile(r"(?!(?:true|false|null)\Z)[A-Za-z][\w./:@-]*", re.ASCII)


def _spelled(keyword: str, value: Json) -> str:
    table = _table()
    if keyword in table["unquoted"] and isinstance(value, str) and _PLAIN.fullmatch(value):
        return value
    return shortly(value, table["longest"])


_WORD = re.compile(r"[+-]?\w+(?:[.,:/-]\w+)*")


def _says(described: str, ways: list[str], value: Json) -> bool:
    """Whether a description has a value in one of the ways to say it, whatever stands between the words."""
    lowered = described.lower()
    if not any(word in lowered for word in _first_words(tuple(ways))):
        return False
    spelled = _plain(shortly(value, _table()["longest"]))
    if not spelled or spelled.partition(" ")[0] not in lowered:
        return False
    said = f" {_plain(described)} "
    return any(f" {way.replace('{}', spelled)} " in said for way in ways)


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))


def told(gone: Pairs, lost: Pairs) -> Pairs:
    """Of what is gone and no constraint, what the model should still know: the table's annotations, unless null."""
    annotations = _table()["annotations"]
    constraints = [keyword for keyword, _ in lost]
    return tuple(
        [
            (keyword, value)
            for keyword, value in gone
            if keyword in annotations and keyword not in constraints and value is not None
        ]
    )


def filled(name: str, value: str) -> str:
    """What an encoding asks the model to say, by its name in the table; empty where the table has no words for it."""
    template: str = _table()["encodings"].get(name, "")
    return template.replace("{}", value) if value or "{}" not in template else template.replace(": {}", "")


def slots_are_described_from() -> int:
    """How many declared properties an object has, for the text of its other keys to say what it is."""
    least: int = _table()["slots-described-from"]
    return least


LONGEST_VERBATIM = 2_000


def verbatim(lost: Pairs) -> str:
    """The constraints as JSON text; broken off where it would be longer than any model should read."""
    return "must also fit " + shortly(dict(lost), LONGEST_VERBATIM)


# Shapes ----------------------------------------------------------------------------------------------------------

LONGEST_OUTLINE = 400
_LEVELS = 4
_LISTED = 12


def outline(node: Schema, definition: Callable[[str], Schema]) -> str:
    """The shape of a node as a type is written, such as `{name: string, tags?: string[]}`; empty where it says nothing.

    What is too deep or too long for a description is left out, at `…`.
    """
    for levels in range(_LEVELS, 0, -1):
        text = _outline(node, definition, levels)
        if len(text) <= LONGEST_OUTLINE:
            return "" if text in ("any", "object", "…") else text
    return ""


def _outline(node: Schema, definition: Callable[[str], Schema], levels: int) -> str:
    if levels < 1:
        return "…"
    if "$ref" in node:
        return _outline(definition(node["$ref"]), definition, levels - 1)
    if "const" in node or "enum" in node:
        members = node["enum"][:_LISTED] if "enum" in node else [node["const"]]
        return "|".join(shortly(member, LONGEST_OUTLINE) for member in members) + (
            "|…" if len(node.get("enum", ())) > _LISTED else ""
        )
    for keyword in ("anyOf", "oneOf"):
        if keyword in node:
            return "|".join(dict.fromkeys(_outline(branch, definition, levels - 1) for branch in node[keyword]))
    named = node.get("type", "any")
    names = [named] if isinstance(named, str) else named
    return "|".join(_outline_of_type(node, name, definition, levels) for name in names)


def _outline_of_type(node: Schema, name: str, definition: Callable[[str], Schema], levels: int) -> str:
    if name == "array" and "prefixItems" in node:
        return "[" + ", ".join(_outline(item, definition, levels - 1) for item in node["prefixItems"]) + "]"
    if name == "array":
        items = _outline(node["items"], definition, levels - 1) if "items" in node else "any"
        return f"({items})[]" if "|" in items else f"{items}[]"
    if name != "object":
        return name
    required = frozenset(node.get("required", ()))
    said = [
        f"{key}{'' if key in required else '?'}: {_outline(value, definition, levels - 1)}"
        for key, value in node.get("properties", {}).items()
    ]
    others = node.get("additionalProperties")
    if isinstance(others, Schema) and others and "not" not in others:
        said.append(f"[key]: {_outline(others, definition, levels - 1)}")
    return "{" + ", ".join(said) + "}" if said else "object"
