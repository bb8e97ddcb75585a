"""Names for definitions: plain, and no two of them alike."""

from __future__ import annotations

import re

from toolglot.schemas.trails import Trail
from toolglot.tables.keywords import keywords

# How a reference to a definition begins; its name follows.
POINTER = "#/$defs/"
# The name that the root goes by where it is referred to.
ROOT = "root"

_LENGTH = 64
_NOT_PLAIN = re.compile(r"[^A-Za-z0-9_-]+")
# Below these keywords stand names, not keywords.
_NAMES_BELOW = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependencies", "dependentSchemas"}
)


class Names:
    """The names that are taken in one normal form."""

    def __init__(self) -> None:
        self._taken = {ROOT}
        self._numbers: dict[str, int] = {}

    def free(self, plain: str) -> str:
        """This name, or it with the first number that tells it from those that are taken; it is taken then."""
        name, number = plain, 1
        while _alike(name) in self._taken:
            number = self._numbers[plain] = self._numbers.get(plain, 1) + 1
            name = f"{plain}-{number}"
        self._taken.add(_alike(name))
        return name


def _alike(name: str) -> str:
    """Names that differ in case or punctuation only are too alike for some readers of schemas."""
    return name.lower().replace("-", "_")


def plain_name(trail: Trail | None, uri: str) -> str:
    """A name for a definition: the last step of its place or of its address, in plain letters."""
    if trail is None:
        name = uri.rstrip("/#").rsplit("/", 1)[-1].removesuffix(".json")
    else:
        above, step = trail
        name = str(step)
        before = above[1] if above else ""
        row = keywords().get(name)
        is_inside = isinstance(step, int) or (row is not None and "one" in {form.holds for form in row.forms})
        if before and is_inside and before not in _NAMES_BELOW:
            name = f"{before}-{name}"
    return _NOT_PLAIN.sub("_", name)[:_LENGTH].strip("_") or "definition"
