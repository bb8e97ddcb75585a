"""Where in a schema a walk stands: a step and the trail before it, so that a deep walk stays linear."""

from __future__ import annotations

from toolglot.errors import Path


class Trail:
    """One step of a path and the trail that led to it; `None` stands for the root."""

    __slots__ = ("before", "step")

    def __init__(self, before: Trail | None, step: str | int) -> None:
        self.before = before
        self.step = step


def path_of(trail: Trail | None) -> Path:
    """The steps of a trail from the root."""
    steps: list[str | int] = []
    while trail is not None:
        steps.append(trail.step)
        trail = trail.before
    steps.reverse()
    return tuple(steps)


def trail_of(path: Path, before: Trail | None = None) -> Trail | None:
    """The trail with these steps, behind `before`."""
    for step in path:
        before = Trail(before, step)
    return before
