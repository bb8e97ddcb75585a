"""Lists of tools in any provider's envelope: recognised, read into `Tool`s, and written for a target.

An envelope is a row of `rules/envelopes.toml`; its `tool` is an example of itself, from which reading
and writing are both derived.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from toolglot.errors import Path, SchemaError
from toolglot.json_values import Json, equal, fresh, kind, plain
from toolglot.tables.envelopes import Envelope, Shape, at, envelopes, surroundings
from toolglot.tables.operations import document_format
from toolglot.wire.operations import Operation, is_document, read_operations

# A schema where an envelope has its schema weighs more than every other sign together.
SURE = 20


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool, whatever envelope it came in. What it holds is its own: nothing is shared with the caller.

    Attributes:
        name: the name that the model calls it by.
        description: what the model reads about it, or None.
        schema: the schema of its arguments, as its author wrote it.
        output_schema: the schema of its declared output, or None.
        extra: further fields of the tool, such as a title or annotations.
    """

    name: str
    schema: Json
    description: str | None = None
    output_schema: Json = None
    extra: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolList:
    """A list of tools that was read.

    Attributes:
        envelope: the id of the envelope that was recognised.
        tools: the tools, in the order they came in.
        broken: the entries that are no tool, by name (by place where they have none), with the reason.
    """

    envelope: str
    tools: tuple[Tool, ...]
    broken: Mapping[str, SchemaError]

    def __reduce__(self) -> tuple[Any, ...]:
        """The list by its parts, since a read-only view can't be pickled."""
        return _list_of, (self.envelope, self.tools, dict(self.broken))


def _list_of(envelope: str, tools: tuple[Tool, ...], broken: dict[str, SchemaError]) -> ToolList:
    return ToolList(envelope, tools, MappingProxyType(broken))


def read_tools(source: Json, *, envelope: str | None = None) -> ToolList:
    """The tools of a list in any known envelope: the list itself, what is around it, or one tool alone.

    An OpenAPI document is such a list too: each operation is a tool, and its `extra` says how the request is made.

    An entry that is no tool is named in `broken` and sinks no other. Objects of an SDK are taken too,
    where they can be dumped as JSON (`model_dump`).

    Raises:
        SchemaError: nothing in `source` is a tool of a known envelope (or of the one named).
    """
    found = plain(source)
    known = envelopes()
    if envelope is not None and envelope not in known:
        raise SchemaError((), "", f"no envelope is called {envelope!r}", hint=f"known: {', '.join(known)}")
    if is_document(found) and envelope in (None, document_format().envelope):
        return _read_document(found)
    entries = list(_entries(found))
    rows = [known[envelope]] if envelope else list(known.values())
    if not entries and _is_empty_list(source):
        return ToolList(rows[0].id, (), MappingProxyType({}))
    best = _recognised(rows, entries)
    if best is None:
        raise _unknown(entries, rows)
    return _read_all(best, entries)


def write_tools(tools: Iterable[tuple[Tool, Json]], envelope: str) -> list[Json]:
    """The entries for a request, in the envelope named, each tool with the schema given beside it.

    The schemas are put in as they are; everything else is fresh.
    """
    row = envelopes()[envelope]
    entries = [_written(row, tool, schema) for tool, schema in tools]
    return [{row.group[0]: entries}] if row.group and entries else entries


# Reading ------------------------------------------------------------------------------------------------------


def _is_empty_list(source: Json) -> bool:
    found = plain(source)
    return found == [] or (isinstance(found, dict) and any(at(found, path) == [] for path in surroundings()))


def _entries(source: Json) -> Iterator[tuple[Path, Json]]:
    """Each entry with its place; a list's members, or those of the list that an object surrounds."""
    if isinstance(source, dict):
        for path in surroundings():
            inner = at(source, path)
            if isinstance(inner, list):
                yield from _members(path, inner)
                return
        yield from _members((), [source], single=True)
    elif isinstance(source, list):
        yield from _members((), source)


def _members(path: Path, items: Sequence[Json], *, single: bool = False) -> Iterator[tuple[Path, Json]]:
    groups = _groups()
    for index, item in enumerate(items):
        place = path if single else (*path, index)
        group = next((key for key in groups if isinstance(item, dict) and isinstance(item.get(key), list)), None)
        if group is None:
            yield place, item
        else:
            yield from (((*place, group, inner), entry) for inner, entry in enumerate(item[group]))


@functools.cache
def _groups() -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for row in envelopes().values() for key in row.group))


def _recognised(rows: Sequence[Envelope], entries: Sequence[tuple[Path, Json]]) -> Envelope | None:
    """The envelope that fits the entries best, the first such row; None where none fits any."""
    if not entries:
        return None
    # Nearly every list is of one kind: the row that fits its first entry best has a schema in all of them.
    likely = max(rows, key=lambda row: _fit(row, entries[0]))
    if all(_fit(likely, entry) > SURE for entry in entries):
        return likely
    best = max(rows, key=lambda row: sum(_fit(row, entry) for entry in entries))
    return best if any(_fit(best, entry) for entry in entries) else None


def _fit(row: Envelope, entry: tuple[Path, Json]) -> int:
    """How well an entry fits an envelope: 0 for not at all."""
    grouped = bool(row.group) and any(step in row.group for step in entry[0])
    fit = max((_shape_fit(shape, entry[1], grouped=grouped) for shape in row.shapes), default=0)
    return fit + bool(fit and row.strict is not None and _flag(row, entry[1]) is row.strict)


def _flag(row: Envelope, entry: Json) -> Json:
    """What an entry says of the flag `strict`, or None."""
    place = row.shapes[0].slots.get("<strict>")
    return at(entry, place) if place else None


def _shape_fit(shape: Shape, entry: Json, *, grouped: bool) -> int:
    if not isinstance(at(entry, shape.slots["<name>"]), str):
        return 0
    present = [(at(entry, path), value) for path, value in shape.constants]
    if any(found is not None and not equal(found, value) for found, value in present):
        return 0
    marks = 2 * sum(found is not None for found, _ in present) + 2 * grouped
    marks += SURE * (at(entry, shape.slots["<schema>"]) is not None)
    return marks and marks + sum(at(entry, path) is not None for path in shape.slots.values())


def _read_all(row: Envelope, entries: Sequence[tuple[Path, Json]]) -> ToolList:
    return _listed(row.id, ((place, _read(row, place, entry)) for place, entry in entries))


def _read_document(document: Mapping[str, Json]) -> ToolList:
    """The operations of a document, as tools."""
    read = ((place, _of_operation(found)) for place, found in read_operations(document))
    return _listed(document_format().envelope, read)


def _of_operation(found: Operation | SchemaError) -> Tool | SchemaError:
    if isinstance(found, SchemaError):
        return found
    extra = {"operation": dict(found.request)}
    return Tool(found.name, found.schema, found.description, found.output_schema, extra)


def _listed(envelope: str, entries: Iterable[tuple[Path, Tool | SchemaError]]) -> ToolList:
    tools: dict[str, Tool] = {}
    broken: dict[str, SchemaError] = {}
    for place, read in entries:
        if isinstance(read, SchemaError):
            broken[_free(read.tool or _label(place), {**tools, **broken})] = read
        elif read.name in tools:
            reason = "a second tool of this name"
            broken[_free(read.name, {**tools, **broken})] = SchemaError(place, "name", reason, tool=read.name)
        else:
            tools[read.name] = read
    return ToolList(envelope, tuple(tools.values()), MappingProxyType(broken))


def _read(row: Envelope, place: Path, entry: Json) -> Tool | SchemaError:
    shape = row.shapes[0]
    if len(row.shapes) > 1:
        shape = max(row.shapes, key=lambda each: _shape_fit(each, entry, grouped=bool(row.group)))
    name = at(entry, shape.slots["<name>"])
    if not isinstance(name, str):
        reason = f"wanted a tool of the envelope `{row.id}`, got {described(entry)}"
        return SchemaError(place, "", reason)
    schema = at(entry, shape.slots["<schema>"])
    if schema is None:
        schema = row.absent
    if schema is None:
        found = (*place, *shape.slots["<schema>"])
        return SchemaError(found, str(found[-1]), "wanted a schema, nothing is there", tool=name)
    output = shape.slots.get("<output>")
    description = at(entry, shape.slots["<description>"])
    return Tool(
        name=name,
        schema=fresh(schema),
        description=description if isinstance(description, str) else None,
        output_schema=fresh(at(entry, output)) if output else None,
        extra=_extra(shape, entry),
    )


def _extra(shape: Shape, entry: Json) -> dict[str, Json]:
    """The fields of the tool's own object that the template does not name."""
    depth = len(shape.body)
    paths = [*shape.slots.values(), *(path for path, _ in shape.constants)]
    named = {path[depth] for path in paths if len(path) > depth and path[:depth] == shape.body}
    return {key: fresh(value) for key, value in at(entry, shape.body).items() if key not in named}


def _free(name: str, taken: Mapping[str, object]) -> str:
    """The name, with a number where it is taken already."""
    number, free = 2, name
    while free in taken:
        number, free = number + 1, f"{name} ({number})"
    return free


def _label(place: Path) -> str:
    return "tools" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place)


def described(entry: Json) -> str:
    """What an entry is, in a few words for a message."""
    if not isinstance(entry, dict):
        return kind(entry)
    keys = [str(key) for key in entry][:6]
    return f"an object with {', '.join(keys)}" if keys else "an empty object"


def _unknown(entries: Sequence[tuple[Path, Json]], rows: Sequence[Envelope]) -> SchemaError:
    place, entry = entries[0] if entries else ((), None)
    known = ", ".join(f"`{row.id}`" for row in rows)
    found = described(entry) if entries else "no list of tools"
    return SchemaError(place, "", f"no tools of a known envelope: got {found}", hint=f"known envelopes: {known}")


# Writing ------------------------------------------------------------------------------------------------------


def _written(row: Envelope, tool: Tool, schema: Json) -> Json:
    if not row.shapes:
        return schema
    shape = row.shapes[0]
    values = {
        "<name>": tool.name,
        "<description>": tool.description or None,
        "<schema>": None if row.omits is not None and equal(schema, row.omits) else schema,
        "<output>": fresh(tool.output_schema),
        "<strict>": row.strict,
    }
    entry: dict[str | int, Json] = {}
    for path, leaf in row.leaves:
        value = values[leaf] if isinstance(leaf, str) and leaf in values else leaf
        if value is not None:
            _holder(entry, path)[path[-1]] = value
    kept = {key: fresh(value) for key, value in tool.extra.items() if key in row.keeps}
    _holder(entry, (*shape.body, "")).update(kept)
    return entry


def _holder(entry: dict[str | int, Json], path: Path) -> dict[str | int, Json]:
    for step in path[:-1]:
        entry = entry.setdefault(step, {})
    return entry
