"""The parameters of an operation: what each is called among the arguments, what it is, and where it goes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from toolglot.errors import Path, SchemaError
from toolglot.json_values import Json
from toolglot.tables.operations import document_format

# The argument that is the body of the request.
BODY = "body"
_IN_PATH = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class Part:
    """What one argument is: its schema and where that stands, what is said of it, whether it is required."""

    schema: Json
    path: Path
    description: Json
    is_required: bool


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter as the document declares it, and where.

    Attributes:
        entry: the declaration.
        path: where it stands in the document.
        name: its own name.
        place: where in the request it goes.
    """

    entry: Mapping[str, Json]
    path: Path
    name: str
    place: str

    def part(self) -> Part:
        """What the argument is."""
        schema, path = self.entry.get("schema"), (*self.path, "schema")
        if schema is None:
            media, schema = content_of(self.entry)
            path = (*self.path, "content", media or "", "schema")
        required = self.entry.get("required") is True or self.place == "path"
        return Part({} if schema is None else schema, path, self.entry.get("description"), required)

    def written(self) -> dict[str, Json]:
        """Where it goes, and how it is written there."""
        styles = {field: self.entry[field] for field in document_format().styles if field in self.entry}
        media = content_of(self.entry)[0] if self.entry.get("schema") is None else None
        return {"name": self.name, "in": self.place, **styles, **({"content": media} if media else {})}


def argument_names(parameters: Iterable[Parameter], *, has_body: bool) -> list[str]:
    """What each parameter is called among the arguments: by its place too, where its name alone would be two things."""
    declared = list(parameters)
    times = Counter([each.name for each in declared] + [BODY] * has_body)
    taken = {name for name, count in times.items() if count == 1} | {BODY}
    names = []
    for each in declared:
        name = each.name if times[each.name] == 1 else _free(f"{each.name}_{each.place}", taken)
        taken.add(name)
        names.append(name)
    return names


def _free(name: str, taken: set[str]) -> str:
    """The name, with a number behind it where it is taken already."""
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    return found


def refuse_unfilled(path: str, parameters: Iterable[tuple[str, str]], at: Path) -> None:
    """Refuses an operation whose path has a place that no parameter fills.

    Raises:
        SchemaError: there is such a place.
    """
    filled = set(parameters)
    for name in _IN_PATH.findall(path):
        if (name, "path") not in filled:
            raise SchemaError(at, "parameters", f"the path has {{{name}}}, and no parameter in the path is called so")


def content_of(holder: Mapping[str, Json]) -> tuple[str | None, Json]:
    """The media type of a content that is taken, JSON before any other, and its schema; None where there is none."""
    content = holder.get("content")
    medias = [media for media, entry in content.items() if isinstance(entry, dict)] if isinstance(content, dict) else []
    if not isinstance(content, dict) or not medias:
        return None, None
    media = next(filter(is_json, medias), medias[0])
    return media, content[media].get("schema")


def is_json(media: str) -> bool:
    """Whether a media type is JSON."""
    bare = media.partition(";")[0].strip().lower()
    return any(fnmatchcase(bare, pattern) for pattern in document_format().json)
