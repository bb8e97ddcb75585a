"""The table of content references as frozen rows: limits, fields, block kinds, media types, content parts, wording."""

from __future__ import annotations

import functools
import json
import re
import string
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NoReturn

from toolglot.json_values import Json
from toolglot.tables import shipped
from toolglot.tables.reading import Lines, Row, found
from toolglot.tables.toml import parsed_toml

FILE = "references.toml"

LIMITS = (
    "uri-units",
    "label",
    "path",
    "shown-uri",
    "wake-text",
    "wake-parts",
    "records",
    "masked-run",
    "remembered-run",
    "label-run",
    "mask-windows",
    "remembered-windows",
    "remembered-room",
    "read-nodes",
    "inline-image-bytes",
    "fetch-bytes",
    "fetch-seconds",
    "redirects",
    "eager-seconds",
)
FIELDS = ("uri", "name", "type", "size", "digest", "expires", "disposition", "description")
READS = ("text", "media", "resource", "link")

# Every sentence the model can read, with the slots that it may fill.
WORDING: Mapping[str, frozenset[str]] = MappingProxyType({
    "stub": frozenset({"id", "facts"}),
    "claimed": frozenset({"size"}),
    "verified": frozenset({"size"}),
    "unnamed": frozenset(),
    "from-server": frozenset({"name"}),
    "from-module": frozenset({"name"}),
    "from-script": frozenset({"name"}),
    "saved": frozenset({"path"}),
    "fetchable": frozenset(),
    "address": frozenset({"uri"}),
    "marked": frozenset(),
    "governed": frozenset(),
    "foreign": frozenset({"facts"}),
    "withheld": frozenset({"type"}),
    "withheld-never": frozenset({"type"}),
    "withheld-beside": frozenset({"type"}),
    "withheld-text": frozenset(),
    "invalid": frozenset({"type", "reason"}),
    "unknown": frozenset({"type", "label"}),
    "image": frozenset({"type", "size"}),
    "undecodable": frozenset({"type", "size"}),
    "empty": frozenset(),
    "failed": frozenset(),
    "unreadable": frozenset(),
    "too-deep": frozenset(),
    "more": frozenset({"count"}),
    "cut": frozenset(),
    "mask": frozenset(),
    "address-mask": frozenset(),
    "unknown-reference": frozenset(),
})  # fmt: skip

REFUSALS = (
    *("marked", "unbound", "malformed", "scheme", "origin", "private", "credentials", "expired", "claim"),
    *("ceiling", "redirects", "status", "coding", "digest", "time", "network", "storage", "closed"),
)

_TOP = (
    *("source", "seen", "limit", "field", "block", "shapes", "cleaning", "sniff"),
    *("extensions", "textual", "parts", "wording", "refusals"),
)
_RANGE = re.compile(r"([0-9A-F]{4,6})(?:-([0-9A-F]{4,6}))?\Z")
_MEDIA_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*\Z")


@dataclass(frozen=True, slots=True)
class FieldRule:
    """What a field's valid value looks like: its spellings, a schema, a length in UTF-16 units."""

    name: str
    keys: tuple[str, ...]
    schema: Json
    units: int | None


@dataclass(frozen=True, slots=True)
class BlockKind:
    """A block's type word: how it is read, and the schema of a strict emitter's block."""

    type: str
    reads: str
    shape: Json


@dataclass(frozen=True, slots=True)
class Sniff:
    """A media type, and the bytes that tell it, each with its offset."""

    type: str
    bytes: tuple[tuple[int, bytes], ...]


@dataclass(frozen=True, slots=True)
class Textual:
    """Which media types are text, and the charsets that are decoded."""

    types: frozenset[str]
    families: tuple[str, ...]
    suffixes: tuple[str, ...]
    charsets: frozenset[str]


@dataclass(frozen=True, slots=True)
class Parts:
    """A provider's content parts: templates for text and image, and the image types taken."""

    id: str
    text: Json
    image: Json
    images: frozenset[str]


@dataclass(frozen=True, slots=True)
class References:
    """The whole table."""

    limits: Mapping[str, int]
    fields: Mapping[str, FieldRule]
    blocks: Mapping[str, BlockKind]
    cleaned: re.Pattern[str]
    sniffs: tuple[Sniff, ...]
    extensions: Mapping[str, str]
    textual: Textual
    parts: Mapping[str, Parts]
    wording: Mapping[str, str]
    refusals: Mapping[str, str]


@functools.cache
def references() -> References:
    """The package's own table."""
    return read_references(shipped.text(FILE), FILE)


def read_references(text: str, file: str) -> References:
    """The rows of a table's text; raises RuleError for the first thing that is wrong."""
    top = _Reader(text, file).top
    top.know(_TOP)
    top.texts("source", required=True)
    top.day("seen")
    defs = top.check_json("shapes.defs", str(_section(top, "shapes").table.get("defs")))
    return References(
        limits=MappingProxyType({name: _limit(row) for name, row in _complete(top, "limit", LIMITS).items()}),
        fields=MappingProxyType({name: _field(name, row) for name, row in _complete(top, "field", FIELDS).items()}),
        blocks=MappingProxyType({name: _block(name, row, defs) for name, row in _rows(top, "block").items()}),
        cleaned=_cleaned(_rows(top, "cleaning")),
        sniffs=_sniffs(top),
        extensions=MappingProxyType(_extensions(_section(top, "extensions"))),
        textual=_textual(_section(top, "textual")),
        parts=MappingProxyType({name: _parts(name, row) for name, row in _rows(top, "parts").items()}),
        wording=MappingProxyType(_wording(_section(top, "wording"))),
        refusals=MappingProxyType(_refusals(_section(top, "refusals"))),
    )


class _Reader:
    """The top row of a TOML text."""

    def __init__(self, text: str, file: str) -> None:
        self.top = Row(file, "", parsed_toml(text, file), Lines(text), None)


def _section(top: Row, name: str) -> Row:
    """One table of the file."""
    table = top.table.get(name)
    if not isinstance(table, dict):
        top.refuse(name, f"wanted a table, got {found(table)}")
    return Row(top.file, name, table, top.lines, top.lines.header(name))


def _rows(top: Row, kind: str) -> dict[str, Row]:
    """The rows `[kind.ID]`, by id."""
    section = _section(top, kind)
    return {
        name: Row(top.file, f"{kind}.{name}", table, top.lines, top.lines.header(f"{kind}.{name}"))
        if isinstance(table, dict)
        else section.refuse(name, f"wanted a table, got {found(table)}")
        for name, table in section.table.items()
    }


def _complete(top: Row, kind: str, names: tuple[str, ...]) -> dict[str, Row]:
    """The rows of a kind, all of which must be there and no others."""
    rows = _rows(top, kind)
    _section(top, kind).know(names)
    for name in names:
        if name not in rows:
            top.refuse(f"{kind}.{name}", "this row is missing")
    return rows


def _limit(row: Row) -> int:
    row.know(("is", "why"))
    row.text("why")
    return _whole(row, "is")


def _whole(row: Row, field: str) -> int:
    value = row.table.get(field)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        row.refuse(field, f"wanted a whole number, 1 or more, got {found(value)}")
    return value


def _field(name: str, row: Row) -> FieldRule:
    row.know(("keys", "schema", "units", "why"))
    row.text("why")
    schema = json.loads(row.json("schema") or row.refuse("schema", "this field is missing"))
    units = _whole(row, "units") if "units" in row.table else None
    return FieldRule(name, row.texts("keys", required=True), schema, units)


def _block(name: str, row: Row, defs: Json) -> BlockKind:
    row.know(("reads", "shape", "why"))
    row.text("why")
    shape = json.loads(row.json("shape") or row.refuse("shape", "this field is missing"))
    return BlockKind(name, row.choice("reads", READS), {**shape, "$defs": defs} if "oneOf" in shape else shape)


def _cleaned(rows: Mapping[str, Row]) -> re.Pattern[str]:
    """A pattern for every run of characters that a label loses."""
    classes = []
    for row in rows.values():
        row.know(("ranges", "why"))
        row.text("why")
        for text in row.texts("ranges", required=True):
            match = _RANGE.match(text) or row.refuse("ranges", f"{text!r} is no range such as 0000-001F")
            first, last = int(match[1], 16), int(match[2] or match[1], 16)
            if first > last or last > 0x10FFFF:
                row.refuse("ranges", f"{text!r} runs backwards or past the last character")
            classes.append(f"\\U{first:08X}-\\U{last:08X}")
    return re.compile(f"[{''.join(classes)}]+")


def _sniffs(top: Row) -> tuple[Sniff, ...]:
    tables = top.table.get("sniff")
    if not isinstance(tables, list):
        top.refuse("sniff", f"wanted tables [[sniff]], got {found(tables)}")
    return tuple(
        [
            _sniff(Row(top.file, f"sniff.{turn}", table, top.lines, top.lines.header("sniff", turn)))
            for turn, table in enumerate(tables)
        ]
    )


def _sniff(row: Row) -> Sniff:
    row.know(("type", "bytes"))
    media_type, parts = row.text("type"), row.table.get("bytes")
    if not _MEDIA_TYPE.match(media_type):
        row.refuse("type", f"{media_type!r} is no media type in small letters")
    if not isinstance(parts, dict) or not parts:
        row.refuse("bytes", f"wanted offsets with their text, got {found(parts)}")
    return Sniff(media_type, tuple([_magic(row, offset, text) for offset, text in parts.items()]))


def _magic(row: Row, offset: str, text: Json) -> tuple[int, bytes]:
    if not offset.isdecimal() or not isinstance(text, str) or not text or max(text) > "\xff":
        row.refuse("bytes", f"wanted an offset with latin-1 text, got {found(offset)} = {found(text)}")
    return int(offset), text.encode("latin-1")


def _extensions(row: Row) -> dict[str, str]:
    for media_type, extension in row.table.items():
        if not _MEDIA_TYPE.match(media_type) or not isinstance(extension, str) or not extension.isalnum():
            row.refuse(media_type, f"wanted letters and digits, got {found(extension)}")
    return dict(row.table)


def _textual(row: Row) -> Textual:
    row.know(("types", "families", "suffixes", "charsets"))
    types, charsets = row.texts("types"), row.texts("charsets")
    return Textual(frozenset(types), row.texts("families"), row.texts("suffixes"), frozenset(charsets))


def _parts(name: str, row: Row) -> Parts:
    row.know(("text", "image", "images", "why", "source"))
    row.text("why")
    row.texts("source", required=True)
    templates = []
    for field, slots in (("text", ("<text>",)), ("image", ("<type>", "<base64>"))):
        text = row.json(field) or row.refuse(field, "this field is missing")
        if any(text.count(slot) != 1 for slot in slots):
            row.refuse(field, f"wanted {' and '.join(slots)} in it, each once")
        templates.append(json.loads(text))
    return Parts(name, templates[0], templates[1], frozenset(row.texts("images", required=True)))


def _wording(row: Row) -> dict[str, str]:
    row.know(WORDING)
    return {name: _sentence(row, name, slots) for name, slots in WORDING.items()}


def _refusals(row: Row) -> dict[str, str]:
    row.know(REFUSALS)
    return {name: row.text(name) for name in REFUSALS}


def _sentence(row: Row, name: str, slots: frozenset[str]) -> str:
    text = row.text(name)
    try:
        used = {slot for _, slot, _, _ in string.Formatter().parse(text) if slot is not None}
    except ValueError as error:
        _unreadable(row, name, error)
    if not used <= slots:
        row.refuse(name, f"no such slot: {', '.join(sorted(used - slots))}")
    return text


def _unreadable(row: Row, name: str, error: ValueError) -> NoReturn:
    row.refuse(name, f"its braces can't be read: {error}")
