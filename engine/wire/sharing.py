"""Parts of a schema that stand in several places are said once, as a definition: the same in fewer characters.

Only for a target that says so in its limits, since engines differ in what a reference costs them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Any

from toolglot.schemas.forms import Schema
from toolglot.wire.shapes import children, codecs_of
from toolglot.wire.writing import compact

LEAST = 80  # characters of a part that is worth a definition


def shared(root: Schema, definitions: Mapping[str, Schema]) -> dict[str, Schema]:
    """The definitions, with those that repeated parts have become; root and definitions are changed.

    A part whose values are said in another form stays where it is: the way back is by its place.
    """
    numbers = _numbered(root, definitions)
    counts = Counter(number for number, size in numbers.values() if size >= LEAST)
    found = dict(definitions)
    names: dict[int, str] = {}
    stack = [root, *definitions.values()]
    while stack:
        for container, key, child in children(stack.pop()):
            number, size = numbers[id(child)]
            if size < LEAST or counts[number] < 2:  # what stands once is said once
                stack.append(child)
                continue
            if number not in names:
                names[number] = _free_name(found)
                found[names[number]] = child
            container[key] = Schema({"$ref": f"#/$defs/{names[number]}"}, child.trail)
    return found


def _free_name(taken: Mapping[str, Schema]) -> str:
    number = 1
    while f"part{number}" in taken:
        number += 1
    return f"part{number}"


def _numbered(root: Schema, definitions: Mapping[str, Schema]) -> dict[int, tuple[int, int]]:
    """For each node a number that equal nodes share, and its size; a node that is encoded has a number of its own."""
    order: list[Schema] = []
    stack = [root, *definitions.values()]
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(child for _, _, child in children(node))
    known: dict[Hashable, int] = {}
    numbers: dict[int, tuple[int, int]] = {}
    for node in reversed(order):
        below = {(id(container), key): numbers[id(child)] for container, key, child in children(node)}
        parts = [_part(node, keyword, value, below) for keyword, value in node.items()]
        shape: Hashable = id(node) if codecs_of(node) else tuple([said for said, _ in parts])
        number = known.setdefault(shape, len(known))
        numbers[id(node)] = (number, sum(size for _, size in parts))
    return numbers


def _part(
    node: Schema, keyword: str, value: Any, below: Mapping[tuple[int, Any], tuple[int, int]]
) -> tuple[Hashable, int]:
    """One keyword of a node by the numbers of what it holds, and about how many characters it takes."""
    if (id(node), keyword) in below:
        number, size = below[id(node), keyword]
        return (keyword, number), len(keyword) + size
    keys = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    held = [(key, below[id(value), key]) for key in keys if (id(value), key) in below]
    if held:
        names = sum(len(str(key)) + size for key, (_, size) in held)
        return (keyword, tuple([(key, number) for key, (number, _) in held])), len(keyword) + names
    text = compact(value)
    return (keyword, text), len(keyword) + len(text)
