"""JSON text of any depth, and the last respellings of a finished wire that no reader of schemas would take."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from toolglot.json_values import Json
from toolglot.wire.shapes import children, with_own_children

_BEYOND = "1e999"  # a number past the largest float; JSON has no name for infinity


# Made once: `json.dumps` makes an encoder at each call with options.
_encode = json.JSONEncoder(ensure_ascii=False).encode


def compact(value: Json) -> str:
    """The value as JSON text without spaces, however deep it is."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (RecursionError, ValueError):
        return _written(value)


def in_order(value: Json) -> str:
    """The same with the keys of each object in order, so that values that differ in that alone have one text."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False, sort_keys=True)
    except (RecursionError, ValueError):
        return _written(value, ordered=True)


def shortly(value: Json, most: int) -> str:
    """The value as JSON text, broken off with `…` past so many characters; no more of it is read than is shown."""
    text = str(value) if type(value) is int else _encode(value) if isinstance(value, str) else _written(value, most)
    return text if len(text) <= most else text[:most] + "…"


def _written(value: Json, most: float = float("inf"), *, ordered: bool = False) -> str:
    """JSON text with a stack of its own; about so many characters of it."""
    out: list[str] = []
    length = 0
    stack: list[Any] = [value]
    while stack and length <= most:
        part = stack.pop()
        if isinstance(part, _Text):
            said = str(part)
        elif isinstance(part, Mapping):
            stack.append(_Text("}"))
            members = sorted(part.items(), key=_key) if ordered else list(part.items())
            for at, (key, item) in enumerate(reversed(members)):
                stack += [item, _Text(f"{_encode(key)}:"), _Text("," if at + 1 < len(part) else "")]
            said = "{"
        elif isinstance(part, (list, tuple)):
            stack.append(_Text("]"))
            for at, item in enumerate(reversed(part)):
                stack += [item, _Text("," if at + 1 < len(part) else "")]
            said = "["
        elif isinstance(part, float) and part in (float("inf"), float("-inf")):
            said = _BEYOND if part > 0 else f"-{_BEYOND}"
        else:
            said = _encode(part)
        out.append(said)
        length += len(said)
    return "".join(out)


def _key(member: tuple[str, Json]) -> str:
    return member[0]


class _Text(str):
    """Text that is written as it is."""

    __slots__ = ()


def respelled(wire: Json, verbs: frozenset[str]) -> Json:
    """A finished wire, written as the target's own verbs at the root ask: a copy, or itself where they ask nothing.

    What is no schema (a list of values, of names) is not copied.
    """
    spellings = [spell for verb, spell in _SPELLINGS.items() if verb in verbs]
    if not spellings:
        return wire
    root = dict(wire)
    waiting = [root]
    while waiting:
        node = waiting.pop()
        waiting += with_own_children(node)
        for spell in spellings:
            spell(node)
    return root


def _spell_types(node: dict[str, Any]) -> None:
    if "type" in node:
        named = node["type"]
        node["type"] = named.upper() if isinstance(named, str) else [name.upper() for name in named]


def _spell_never(node: dict[str, Any]) -> None:
    for container, key, child in list(children(node)):
        if isinstance(child, dict) and child.get("not") == {}:
            container[key] = False


def _spell_bounds(node: dict[str, Any]) -> None:
    for inclusive, exclusive, sign in (("minimum", "exclusiveMinimum", 1), ("maximum", "exclusiveMaximum", -1)):
        if exclusive in node:
            bound = node.pop(exclusive)
            if inclusive not in node or sign * bound >= sign * node[inclusive]:
                node[inclusive], node[exclusive] = bound, True


def _spell_definitions(node: dict[str, Any]) -> None:
    if "$defs" in node:
        node["definitions"] = node.pop("$defs")
    if "$ref" in node:
        node["$ref"] = node["$ref"].replace("#/$defs/", "#/definitions/", 1)


_SPELLINGS: dict[str, Callable[[dict[str, Any]], None]] = {
    "spell-types": _spell_types,
    "spell-never": _spell_never,
    "spell-bounds": _spell_bounds,
    "spell-definitions": _spell_definitions,
}
