"""What a benchmark claims, and how it is measured: interleaved medians in one process."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Claim:
    """One number, and the budget that it has to keep.

    Attributes:
        name: what was measured.
        value: the number, or None where it could not be measured here (`note` says why).
        unit: such as `ms` or `x`.
        budget: the most it may be, or None for a number that is only shown.
        note: what a reader needs to judge it.
        compared_with: the same measured for something else, by its name.
        least: whether the budget is the least it may be.
        goal: what it is to come to, where that is not reached: the budget then keeps what is.
    """

    name: str
    value: float | None
    unit: str
    budget: float | None = None
    note: str = ""
    compared_with: Mapping[str, float] | None = None
    least: bool = False
    goal: float | None = None

    @property
    def holds(self) -> bool | None:
        """Whether the budget is kept; None where there is none, or no number."""
        if self.budget is None or self.value is None:
            return None
        return self.value >= self.budget if self.least else self.value <= self.budget


def medians(
    candidates: Mapping[str, Callable[[], object]], *, seconds: float = 1.0, least: int = 7
) -> dict[str, float]:
    """The median seconds of each candidate, measured turn by turn so that a busy machine is busy for all.

    They are the processor's seconds: what else runs takes its own.
    """
    taken: dict[str, list[float]] = {name: [] for name in candidates}
    for run in candidates.values():
        run()
    end = time.perf_counter() + seconds
    rounds = 0
    gc.collect()
    gc.disable()
    try:
        while rounds < least or time.perf_counter() < end:
            rounds += 1
            for name, run in candidates.items():
                start = time.process_time()
                run()
                taken[name].append(time.process_time() - start)
    finally:
        gc.enable()
    return {name: statistics.median(times) for name, times in taken.items()}
