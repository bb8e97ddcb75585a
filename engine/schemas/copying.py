"""A copy of JSON data that shares nothing with the original, made without recursion."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import replace
from types import MappingProxyType

from toolglot.errors import SchemaError
from toolglot.json_values import Json
from toolglot.schemas.forms import Normal, Schema
from toolglot.schemas.trails import Trail, path_of
from toolglot.schemas.walk import Limits

_SCALARS = (str, int, float, bool, type(None))
_Container = dict[Json, Json] | list[Json]


def copied(value: Json, limits: Limits, trail: Trail | None = None) -> Json:
    """The same JSON, tuples as lists, in containers of its own.

    Raises:
        SchemaError: it is deeper or larger than the limits, or no JSON.
    """
    if isinstance(value, _SCALARS):
        return value
    top = _fresh(value, trail)
    # Each entry is a container that is already new, and whose items still have to be copied.
    stack: list[tuple[_Container, Trail | None, int]] = [(top, trail, 1)]
    count = 1
    while stack:
        container, place, depth = stack.pop()
        for step, item in list(_steps(container)):
            if isinstance(item, _SCALARS):
                continue
            count += 1
            if depth >= limits.depth or count > limits.nodes:
                limit = f"{limits.depth} levels and {limits.nodes} values"
                raise SchemaError(path_of(trail), "", f"data past the limits of {limit}")
            here = (place, step)
            container[step] = new = _fresh(item, here)
            stack.append((new, here, depth + 1))
    return top


def _steps(container: _Container) -> Iterable[tuple[Json, Json]]:
    return container.items() if isinstance(container, dict) else enumerate(container)


def _fresh(value: Json, trail: Trail | None) -> _Container:
    """A new container with the same items."""
    if isinstance(value, (list, tuple)):
        return list(value)
    if not isinstance(value, dict):
        raise SchemaError(path_of(trail), "", f"wanted JSON, got a {type(value).__name__}")
    for key in value:
        if not isinstance(key, str):
            raise SchemaError(path_of(trail), "", f"wanted a key as text, got a {type(key).__name__}")
    return dict(value)


def copied_normal(normal: Normal) -> Normal:
    """The same normal form, sharing no list and no object with it."""
    made: dict[int, Json] = {}
    out: list[Json] = [None]
    pending: list[tuple[Json, Json, Json]] = [(out, 0, [normal.root, dict(normal.definitions)])]
    while pending:
        holder, key, item = pending.pop()
        if not isinstance(item, (dict, list)):
            holder[key] = item
            continue
        new = made.get(id(item))  # the root may be a definition too
        if new is None:
            new = made[id(item)] = Schema(item, item.trail) if isinstance(item, Schema) else copy(item)
            pending += [(new, step, below) for step, below in _steps(item) if isinstance(below, (dict, list))]
        holder[key] = new
    root, definitions = out[0]
    return replace(normal, root=root, definitions=MappingProxyType(definitions))
