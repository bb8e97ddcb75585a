"""Where in a schema a walk stands: a step and the trail before it, so that a deep walk stays linear."""

from __future__ import annotations

from typing import TypeAlias

from toolglot.errors import Path

# The trail that led to a step, and the step; `None` stands for the root. A bare pair, as one is made for every schema.
# Never compared, hashed or printed: Python would recurse.
Trail: TypeAlias = tuple["Trail | None", str | int]


def path_of(trail: Trail | None) -> Path:
    """The steps of a trail from the root."""
    steps: list[str | int] = []
    while trail is not None:
        trail, step = trail
        steps.append(step)
    steps.reverse()
    return tuple(steps)


def trail_of(path: Path, before: Trail | None = None) -> Trail | None:
    """The trail with these steps, behind `before`."""
    for step in path:
        before = (before, step)
    return before
