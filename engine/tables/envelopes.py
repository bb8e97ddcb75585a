"""Rows of `rules/envelopes.toml`: how each surface wraps one tool, and where it hides the list of them."""

from __future__ import annotations

import functools
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from toolglot.errors import Path, RuleError
from toolglot.json_values import Json, kind
from toolglot.tables import shipped
from toolglot.tables.toml import parsed_toml

FILE = "envelopes.toml"
BARE = "<schema>"
_SLOTS = frozenset({"<name>", "<description>", "<schema>", "<output>", "<strict>"})


@dataclass(frozen=True, slots=True)
class Shape:
    """A template taken apart: where each slot is, and which constants stand beside them."""

    slots: Mapping[str, Path]
    constants: tuple[tuple[Path, Json], ...]

    @property
    def body(self) -> Path:
        """The path of the object that holds the tool's name."""
        return self.slots["<name>"][:-1]


@dataclass(frozen=True, slots=True)
class Envelope:
    """A row of the table: how one surface wraps a tool.

    Attributes:
        leaves: what is written, in order: the path of each field, and its slot or constant.
        shapes: what is read; the first is the one written. None for the bare schema, which says no name.
        group: the key of an entry that holds a list of tools, in each spelling; the first is written.
        keeps: further fields of a tool that have a place.
        absent: the schema of a tool that has none, or None where such a tool is broken.
        omits: the schema that is said by leaving its field out, or None where each is written.
        strict: what the flag says, or None where it is left out.
        calls: the form in which calls of these tools come back, or None where none do.
    """

    id: str
    title: str
    leaves: tuple[tuple[Path, Json], ...]
    shapes: tuple[Shape, ...]
    group: tuple[str, ...]
    keeps: frozenset[str]
    absent: Json
    omits: Json
    strict: bool | None
    calls: str | None
    why: str
    source: tuple[str, ...]
    seen: str


@functools.cache
def envelopes() -> Mapping[str, Envelope]:
    """Every envelope of the package's own table, by id, in the table's order."""
    return load_envelopes(shipped.text(FILE), FILE)


@functools.cache
def surroundings() -> tuple[Path, ...]:
    """The paths at which a request, or an answer, holds its list of tools."""
    return tuple(tuple(path) for path in parsed_toml(shipped.text(FILE), FILE)["lists"]["within"])


def load_envelopes(text: str, file: str) -> Mapping[str, Envelope]:
    """The envelopes of a table's text.

    Raises:
        RuleError: a row is wrong, with the file, the field and the reason.
    """
    table = parsed_toml(text, file)
    rows: dict[str, Mapping[str, Any]] = {}
    for name, row in table.get("envelope", {}).items():
        base = rows.get(row.get("like", ""), {})
        if "like" in row and not base:
            raise RuleError(file, f"envelope.{name}.like", f"no row above is called {row['like']!r}")
        rows[name] = {**base, **row}
    return MappingProxyType({name: _envelope(file, name, row) for name, row in rows.items()})


def at(value: Json, path: Path, default: Json = None) -> Json:
    """What stands at a path of object keys, or the default."""
    for step in path:
        if not isinstance(value, dict) or step not in value:
            return default
        value = value[step]
    return value


def leaves_of(template: Mapping[str, Json], path: Path = ()) -> Iterator[Path]:
    """The leaves of a template, in its own order (a template is a few levels deep)."""
    for key, value in template.items():
        if isinstance(value, dict):
            yield from leaves_of(value, (*path, key))
        else:
            yield (*path, key)


def shape_of(template: Mapping[str, Json], known: Container[str]) -> Shape:
    """A template taken apart, given the texts that are slots."""
    leaves = [(path, at(template, path)) for path in leaves_of(template)]
    slots = {value: path for path, value in leaves if isinstance(value, str) and value in known}
    constants = tuple((path, value) for path, value in leaves if path not in slots.values())
    return Shape(MappingProxyType(slots), constants)


_FIELDS: Mapping[str, type | tuple[type, ...]] = {
    "title": str,
    "tool": (dict, str),
    "reads": list,
    "group": list,
    "keeps": list,
    "absent": dict,
    "omits": dict,
    "strict": bool,
    "calls": str,
    "like": str,
    "why": str,
    "source": list,
    "seen": object,
}
_REQUIRED = ("title", "tool", "why", "source", "seen")


def _envelope(file: str, name: str, row: Mapping[str, Any]) -> Envelope:
    where = f"envelope.{name}"
    for key, value in row.items():
        if key not in _FIELDS:
            raise RuleError(file, f"{where}.{key}", f"no such field; known: {', '.join(_FIELDS)}")
        if not isinstance(value, _FIELDS[key]):
            raise RuleError(file, f"{where}.{key}", f"got {kind(value)}")
    for key in _REQUIRED:
        if key not in row:
            raise RuleError(file, f"{where}.{key}", "this field is missing")
    bare = row["tool"] == BARE
    templates = [] if bare else [row["tool"], *row.get("reads", [])]
    shapes = tuple(_shape(file, where, template) for template in templates)
    return Envelope(
        id=name,
        title=row["title"],
        leaves=() if bare else tuple((path, at(row["tool"], path)) for path in leaves_of(row["tool"])),
        shapes=shapes,
        group=tuple(row.get("group", ())),
        keeps=frozenset(row.get("keeps", ())),
        absent=row.get("absent"),
        omits=row.get("omits"),
        strict=row.get("strict"),
        calls=row.get("calls"),
        why=row["why"],
        source=tuple(row["source"]),
        seen=str(row["seen"]),
    )


def _shape(file: str, where: str, template: Json) -> Shape:
    if not isinstance(template, dict):
        raise RuleError(file, f"{where}.tool", f"wanted a template of a tool, or {BARE} alone; got {kind(template)}")
    shape = shape_of(template, _SLOTS)
    for slot in ("<name>", "<description>", "<schema>"):
        if slot not in shape.slots:
            raise RuleError(file, f"{where}.tool", f"the template has no {slot}")
    return shape
