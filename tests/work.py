"""How much work something is, counted and not timed, so that a busy machine changes nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def steps_of(act: Callable[[], object]) -> int:
    """How many lines of Python run while something is done, those of what it calls included.

    Work inside a function that is no Python is one step, however long it takes: benchmarks measure that.
    """
    steps = 0

    def step(_frame: FrameType, _event: str, _argument: Any) -> Any:
        nonlocal steps
        steps += 1
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        act()
    finally:
        sys.settrace(before)
    return steps
