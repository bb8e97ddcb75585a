"""Schemas taken out of a larger document, each with everything that it refers to."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

from toolglot.errors import Path, SchemaError
from toolglot.json_values import Json
from toolglot.schemas.copying import copied
from toolglot.schemas.trails import trail_of
from toolglot.schemas.walk import DEFAULT_LIMITS, Limits, walk
from toolglot.tables.keywords import Vocabulary

_NOT_PLAIN = re.compile(r"[^A-Za-z0-9_.-]+")


class Excerpt:
    """Schemas of one document, as they can stand without it.

    References into the document lead to copies at `home` in whatever is built of the excerpt; others stay as they are.
    """

    def __init__(
        self,
        document: Json,
        how: Vocabulary,
        home: tuple[str, ...],
        edit: Callable[[dict[str, Json]], None] | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        """Takes nothing yet.

        Args:
            document: what is taken from; it is not written to.
            how: the vocabulary of its schemas.
            home: the keys under which the definitions will stand.
            edit: what is done to each schema that is taken; it may write to it.
            limits: how deep and large what is taken may be, each time.
        """
        self._document, self._how, self._home, self._edit, self._limits = document, how, home, edit, limits
        self._names: dict[str, str] = {}
        self._numbers: dict[str, int] = {}
        self._waiting: list[tuple[str, Path, Json]] = []
        self._taken: dict[str, Json] = {}

    def take(self, schema: Json, path: Path) -> Json:
        """The schema that stands at a path of the document, a copy with its references turned.

        Raises:
            SchemaError: a reference names nothing, or the schema is past the limits.
        """
        own = copied(schema, self._limits, trail_of(path))
        for node in walk(own, self._how, self._limits):
            if isinstance(node.schema, dict):
                if self._edit is not None:
                    self._edit(node.schema)
                reference = node.schema.get("$ref")
                if isinstance(reference, str) and reference.startswith("#"):
                    node.schema["$ref"] = self._turned(reference, (*path, *node.path))
        return own

    def definitions(self) -> dict[str, Json]:
        """What the schemas that were taken refer to, near and far, by name.

        Raises:
            SchemaError: as for `take`.
        """
        while self._waiting:
            name, path, schema = self._waiting.pop()
            self._taken[name] = self.take(schema, path)
        return {name: self._taken[name] for name in self._names.values()}

    def _turned(self, reference: str, place: Path) -> str:
        pointer = unquote(reference[1:])
        if pointer and not pointer.startswith("/"):
            return reference  # an anchor
        if pointer not in self._names:
            path = steps_of(pointer)
            schema = pointed(self._document, path)
            if not path or not isinstance(schema, (dict, bool)):
                raise SchemaError(place, "$ref", f"{reference[:200]!r} names no schema of this document")
            self._names[pointer] = name = self._free(path[-1])
            self._waiting.append((name, path, schema))
        return "#/" + "/".join((*self._home, self._names[pointer]))

    def _free(self, step: str) -> str:
        stem = name = _NOT_PLAIN.sub("_", step) or "_"
        while name in self._numbers:
            self._numbers[stem] += 1
            name = f"{stem}_{self._numbers[stem]}"
        self._numbers[name] = 1
        return name


def steps_of(pointer: str) -> tuple[str, ...]:
    """The steps of a JSON pointer, each a key or an index in digits."""
    return tuple([step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]])


def pointed(document: Json, path: Path) -> Json:
    """What stands at a pointer's steps, or None where nothing does."""
    value = document
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, str) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return None
    return value
