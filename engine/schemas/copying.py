"""A copy of JSON data that shares nothing with the original, made without recursion."""

from __future__ import annotations

from toolglot.errors import SchemaError
from toolglot.json_values import Json
from toolglot.schemas.trails import Trail, path_of
from toolglot.schemas.walk import Limits

_SCALARS = (str, int, float, bool, type(None))


def copied(value: Json, limits: Limits, trail: Trail | None = None) -> Json:
    """The same JSON, tuples as lists, in containers of its own.

    Raises:
        SchemaError: it is deeper or larger than the limits, or no JSON.
    """
    if isinstance(value, _SCALARS):
        return value
    top: list[Json] = [value]
    # Each entry is a container that is already new, and whose items still have to be copied.
    stack: list[tuple[dict[str, Json] | list[Json], Trail | None, int]] = [(top, trail, 0)]
    count = 0
    while stack:
        container, place, depth = stack.pop()
        items = list(container.items() if isinstance(container, dict) else enumerate(container))
        for step, item in items:
            if isinstance(item, _SCALARS):
                continue
            count += 1
            here = place if container is top else Trail(place, step)
            if depth >= limits.depth or count > limits.nodes:
                raise SchemaError(path_of(trail), "", f"data past the limits of {limits.depth} levels and {limits.nodes} values")
            new = _fresh(item, here)
            container[step] = new  # type: ignore[index] # a step of this very container
            stack.append((new, here, depth + 1))
    return top[0]


def _fresh(value: Json, trail: Trail | None) -> dict[str, Json] | list[Json]:
    """A new container with the same items."""
    if isinstance(value, (list, tuple)):
        return list(value)
    if not isinstance(value, dict):
        raise SchemaError(path_of(trail), "", f"wanted JSON, got a {type(value).__name__}")
    for key in value:
        if not isinstance(key, str):
            raise SchemaError(path_of(trail), "", f"wanted a key as text, got {key!r}")
    return dict(value)
