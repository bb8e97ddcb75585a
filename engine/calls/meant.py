"""Which of the keys that came was likely meant for a missing one: the same words, a known alias, a near spelling."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from toolglot.calls.rows import CallRows

# Work that a hostile call can cause is bounded: only this many keys, and none longer, are compared.
_COMPARED = 32
_LONGEST = 64
# Share of a name that may differ: one letter in four, at least one.
_LETTERS_PER_SLIP = 4

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[-_. ]+")


def snake(name: str) -> str:
    """A name in small letters with `_` between its words, however it was spelled."""
    return "_".join(word.lower() for word in _HUMP.split(name) if word)


def likely_keys(missing: Sequence[str], strays: Iterable[str], rows: CallRows) -> dict[str, str]:
    """The stray key that was likely meant for each missing one, where there is one; none is meant twice."""
    left = [stray for stray in strays if len(stray) <= _LONGEST][:_COMPARED]
    meant: dict[str, str] = {}
    for is_meant in (_same_words, _known_alias(rows), _near_spelling):
        for key in missing[:_COMPARED]:
            stray = next((stray for stray in left if is_meant(key, stray)), None) if key not in meant else None
            if stray is not None:
                meant[key] = stray
                left.remove(stray)
    return meant


def _same_words(key: str, stray: str) -> bool:
    return snake(key).replace("_", "") == snake(stray).replace("_", "")


def _known_alias(rows: CallRows) -> Callable[[str, str], bool]:
    def is_meant(key: str, stray: str) -> bool:
        name = snake(stray)
        facts = {"missing": snake(key)}
        return any(name in rule.options and rule.when.test({}, facts) for rule in rows.suggest)

    return is_meant


def _near_spelling(key: str, stray: str) -> bool:
    left, right = snake(key), snake(stray)
    slips = max(len(left) // _LETTERS_PER_SLIP, 1)
    return len(left) > 2 and abs(len(left) - len(right)) <= slips and _distance(left, right) <= slips


def _distance(left: str, right: str) -> int:
    """How many slips lie between two short names: a letter added, left out, changed, or two exchanged."""
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, letter in enumerate(left, 1):
        above, before, row = before, row, [i]
        for j, other in enumerate(right, 1):
            slips = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if above and j > 1 and letter == right[j - 2] and left[i - 2] == other:
                slips = min(slips, above[j - 2] + 1)
            row.append(slips)
    return row[-1]
