"""The JSON texts that a grammar engine could take for a value: compact, with the keys in an order of the wire's own."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from itertools import islice, product
from typing import Any, NamedTuple

from toolglot.json_values import equal

MOST, EACH = 48, 6  # texts of a value, and of each part of it


def texts(value: Any, wire: dict[str, Any], *, required_first: bool = True) -> list[str]:
    """Compact texts of a wire value, at most MOST; among them each order of keys that some object shape lists.

    Required keys come before optional ones (`required_first`), or all as they are declared.
    """
    reading = _Reading(wire.get("$defs", {}), required_first)
    return _first(MOST, _texts(value, [wire], reading))


def _first(count, texts_of_value):
    """So many different texts; a value of many parts has more ways than can be gone through."""
    return list(dict.fromkeys(islice(texts_of_value, 8 * count)))[:count]


class _Reading(NamedTuple):
    definitions: dict[str, Any]
    required_first: bool


def _shapes(nodes, definitions):
    """The nodes that a value could be of, unions opened; each with the properties that stand beside its unions.

    Where a union stands beside properties, engines read these before a branch's own or after, some in the order
    in which both are written: that comes first here.
    """
    found, seen, stack = [], set(), [(node, (), ()) for node in reversed(nodes)]
    while stack:
        node, before, after = stack.pop()
        at = (id(node), *map(id, before), *map(id, after))
        if not isinstance(node, dict) or at in seen:
            continue
        seen.add(at)
        if "$ref" in node:
            stack.append((definitions[node["$ref"].rpartition("/")[2]], before, after))
            continue
        branches, own = [*node.get("oneOf", ()), *node.get("anyOf", ())], node.get("properties")
        ways = [(before, after)]
        if own:
            ways = [(before, (own, *after)), ((*before, own), after)]
            written_first = next(key for key in node if key in _LISTING)
            ways = ways if written_first == "properties" else ways[::-1]
        stack.extend((branch, *way) for branch in reversed(branches) for way in ways)
        if own or not branches:
            properties = {name: said for part in (*before, own or {}, *after) for name, said in part.items()}
            found.append({**node, "properties": properties} if properties else node)
    return found


_LISTING = ("properties", "anyOf", "oneOf")


def _texts(value, nodes, reading):
    shapes = _shapes(nodes, reading.definitions)
    listed = [shape["const"] for shape in shapes if "const" in shape]
    listed += [member for shape in shapes for member in shape.get("enum", ())]
    yield from (_flat(member) for member in listed if equal(member, value))
    if isinstance(value, dict):
        yield from _object_texts(value, shapes, reading)
    elif isinstance(value, list):
        choices = []
        for index, item in enumerate(value):
            below = [shape.get("items") for shape in shapes]
            below += [part for shape in shapes for part in shape.get("prefixItems", ())[index : index + 1]]
            choices.append(_first(EACH, _texts(item, below, reading)))
        yield from ("[" + ",".join(chosen) + "]" for chosen in _chosen(choices))
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
            choices.append(_first(EACH, _texts(value[name], below, reading)))
        for chosen in _chosen(choices):
            pairs = [_flat(name) + ":" + text for name, text in zip(order, chosen, strict=True)]
            yield "{" + ",".join(pairs) + "}"


def _chosen(choices):
    """Each way to take one of every part's texts; first the ways that take the like of all parts."""
    for at in range(max(map(len, choices), default=0)):
        yield tuple(texts_of_part[min(at, len(texts_of_part) - 1)] for texts_of_part in choices)
    yield from product(*choices)


def _misfit(value, shape):
    """How badly a shape fits an object at first sight: keys it does not declare, keys it wants and misses."""
    properties = shape.get("properties", {})
    wrong = sum(
        said is False or (said is not True and "const" in said and not equal(said["const"], value.get(name)))
        for name, said in properties.items()
        if name in value
    )
    return (
        wrong + sum(name not in properties for name in value) + sum(n not in value for n in shape.get("required", ()))
    )


def _flat(value):
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("\x7f", "\\u007f")
    if isinstance(value, float):
        return re.sub(r"e([+-]?)0+(\d)", r"e\1\2", text)  # 1e-07 is 1e-7
    return text
