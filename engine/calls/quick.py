"""The quick way in for the text of a call: short, whole, and with nothing in it that wants a second look.

Nearly every call is such a text. Python's own reader is asked once, through one scanner that is ready; what it would
pass over in silence sends the text to `arguments`, which reads it with care and says what is wrong. So the quick
way never answers otherwise than the careful one: it answers the same, or not at all.
"""

from __future__ import annotations

import json
from typing import Any

from toolglot.calls.arguments import DEEPEST, LONGEST_INTEGER, is_kept, pairs
from toolglot.json_values import Json

# No integer in a text of this length is too long to read, and what fails in it is soon read again.
LONGEST = LONGEST_INTEGER


class _LookAgainError(ValueError):
    """Something stands in the text that Python's reader would read as another value."""


def quick_object(text: Json) -> dict[str, Json] | None:
    """The object behind a text, as `parse_arguments` reads it; None for all that it takes a second look to read."""
    if type(text) is not str or len(text) > LONGEST:
        return None
    try:
        value, end = _decode(text)
    except (ValueError, RecursionError):  # no JSON, a number to look at, or too deep
        return None
    if end != len(text) or type(value) is not dict:
        return None
    # Each key has its colon: where there are no more colons than keys of the object itself, then no object is
    # nested in it, no text has a colon, and no key stands there twice.
    colons = text.count(":")
    if colons != len(value):
        keys = _keys(value)
        if keys != colons and keys != pairs(text):
            return None
    # A level takes two characters.
    if end > 2 * DEEPEST and text.count("[") + text.count("{") > DEEPEST:
        return None
    return value


def _number(text: str) -> float:
    number = float(text)
    if is_kept(number, text):
        return number
    raise _LookAgainError


def _constant(_name: str) -> Any:
    raise _LookAgainError


_decode = json.JSONDecoder(parse_float=_number, parse_constant=_constant).raw_decode


def _keys(value: dict[str, Json]) -> int:
    """How many keys an object has in all."""
    keys = len(value)
    waiting: list[Any] = [item for item in value.values() if type(item) in _CONTAINERS]
    for container in waiting:  # grows while it is walked
        items = container
        if type(container) is dict:
            keys += len(container)
            items = container.values()
        for item in items:
            if type(item) in _CONTAINERS:
                waiting.append(item)  # noqa: PERF401 - a comprehension is a call of its own in Python 3.11
    return keys


_CONTAINERS = frozenset({dict, list})
