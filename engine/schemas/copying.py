"""A copy of JSON data that shares nothing with the original, made without recursion."""

from __future__ import annotations

from collections.abc import Iterable

from toolglot.errors import SchemaError
from toolglot.json_values import Json
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
            here = Trail(place, step)
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
