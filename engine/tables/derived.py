"""What a room makes of a ruleset once and keeps, by identity: comparing two rulesets is never cheap."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import TypeVar

from toolglot.tables.ruleset import Ruleset, default_rules

_Made = TypeVar("_Made")

# More rulesets than this are never in use at once; a dropped one is only made again.
_KEPT = 16


def made_once(make: Callable[[Ruleset], _Made]) -> Callable[[Ruleset | None], _Made]:
    """The function with its results kept, one per ruleset; None stands for the shipped rules."""
    kept: OrderedDict[int, tuple[Ruleset, _Made]] = OrderedDict()
    lock = Lock()

    @wraps(make)
    def made(rules: Ruleset | None) -> _Made:
        ruleset = default_rules() if rules is None else rules
        try:  # a dict's `get` may wait for itself where threads run freely, see `Cache`
            found = kept[id(ruleset)]
        except KeyError:
            found = None
        if found is None or found[0] is not ruleset:
            found = (ruleset, make(ruleset))
            with lock:
                kept[id(ruleset)] = found
                while len(kept) > _KEPT:
                    kept.popitem(last=False)
        return found[1]

    return made
