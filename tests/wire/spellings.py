"""The JSON texts that a grammar engine could take for a value: compact, with the keys in an order of the wire's own."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from itertools import islice, product
from typing import Any, NamedTuple

MOST, EACH = 48, 6  # texts of a value, and of each part of it


def texts(value: Any, wire: dict[str, Any], *, required_first: bool = True) -> list[str]:
    """Compact texts of a wire value, at most MOST; among them each order of keys that some object shape lists.

    Required keys come before optional ones (`required_first`), or all as they are declared.
    """
    reading = _Reading(wire.get("$defs", {}), required_first)
    return list(dict.fromkeys(islice(_texts(value, [wire], reading), MOST)))


class _Reading(NamedTuple):
    definitions: dict[str, Any]
    required_first: bool


def _shapes(nodes, definitions):
    found, seen, stack = [], set(), list(reversed(nodes))
    while stack:
        node = stack.pop()
        if not isinstance(node, dict) or id(node) in seen:
            continue
        seen.add(id(node))
        if "$ref" in node:
            stack.append(definitions[node["$ref"].rpartition("/")[2]])
            continue
        branches = [*node.get("oneOf", ()), *node.get("anyOf", ())]
        beside = node.get("properties", {})
        if branches:
            stack.extend(
                both for branch in reversed(branches) for both in _with_properties(branch, beside, definitions)
            )
        if beside or not branches:
            found.append(node)
    return found


def _with_properties(branch, beside, definitions):
    """The branch with the properties that stand beside the union: engines read them after its own, or before."""
    if not beside or not isinstance(branch, dict):
        return [branch]
    while "$ref" in branch:
        branch = definitions[branch["$ref"].rpartition("/")[2]]
    own = branch.get("properties", {})
    return [{**branch, "properties": both} for both in ({**beside, **own}, {**own, **beside})]


def _texts(value, nodes, reading):
    shapes = _shapes(nodes, reading.definitions)
    listed = [shape["const"] for shape in shapes if "const" in shape]
    listed += [member for shape in shapes for member in shape.get("enum", ()) if member == value]
    yield from (_flat(member) for member in listed if member == value)
    if isinstance(value, dict):
        yield from _object_texts(value, shapes, reading)
    elif isinstance(value, list):
        choices = []
        for index, item in enumerate(value):
            below = [shape.get("items") for shape in shapes]
            below += [part for shape in shapes for part in shape.get("prefixItems", ())[index : index + 1]]
            choices.append(list(islice(_texts(item, below, reading), EACH)))
        yield from ("[" + ",".join(chosen) + "]" for chosen in product(*choices))
    else:
        yield _flat(value)
        if isinstance(value, float) and (value == 0 or 1e-30 < abs(value) < 1e30):
            plain = f"{Decimal(repr(value)):f}"  # a number with bounds may have no exponent, a whole one no fraction
            yield from (plain, plain.removesuffix(".0"))


def _object_texts(value, shapes, reading):
    orders = {}
    for shape in sorted(shapes, key=lambda shape: _misfit(value, shape)):
        required = set(shape.get("required", ()))
        names = list(shape.get("properties", ()))
        if reading.required_first:
            names.sort(key=lambda name: name not in required)
        known = [name for name in names if name in value]
        orders[tuple(known + [name for name in value if name not in names])] = None
    orders[tuple(value)] = None
    for order in orders:
        choices = []
        for name in order:
            below = [shape["properties"][name] for shape in shapes if name in shape.get("properties", ())]
            below += [shape.get("additionalProperties") for shape in shapes]
            below += [said for shape in shapes for said in shape.get("patternProperties", {}).values()]
            choices.append(list(islice(_texts(value[name], below, reading), EACH)))
        for chosen in product(*choices):
            pairs = [_flat(name) + ":" + text for name, text in zip(order, chosen, strict=True)]
            yield "{" + ",".join(pairs) + "}"


def _misfit(value, shape):
    """How badly a shape fits an object at first sight: keys it does not declare, keys it wants and misses."""
    properties = shape.get("properties", {})
    wrong = sum(
        "const" in said and said["const"] != value.get(name) for name, said in properties.items() if name in value
    )
    return (
        wrong + sum(name not in properties for name in value) + sum(n not in value for n in shape.get("required", ()))
    )


def _flat(value):
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("\x7f", "\\u007f")
    if isinstance(value, float):
        return re.sub(r"e([+-]?)0+(\d)", r"e\1\2", text)  # 1e-07 is 1e-7
    return text
