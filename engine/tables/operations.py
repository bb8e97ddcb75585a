"""The table `rules/operations.toml`: how a document that describes requests is read as a list of tools."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from toolglot.tables import shipped
from toolglot.tables.reading import Lines, Row
from toolglot.tables.toml import parsed_toml

FILE = "operations.toml"


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition of the format: how its schemas are written.

    Attributes:
        version: how the version of a document begins.
        dialect: the dialect of its schemas.
        schema: the `$schema` that tells that dialect.
        named_by: the field in which a document names another one, or None.
        one_way: whether a property that goes one way alone is required on that way alone.
    """

    version: str
    dialect: str
    schema: str
    named_by: str | None
    one_way: bool


@dataclass(frozen=True, slots=True)
class DocumentFormat:
    """What of a document becomes a tool.

    Attributes:
        envelope: the id of the envelope that such a list of tools has.
        key: the field that holds the version, by which a document is recognised.
        methods: the fields of a path that are operations.
        places: where a parameter may lie.
        ignored_headers: the names of header parameters that are no parameters, in lower case.
        styles: the fields of a parameter that say how it is written.
        json: patterns of the media types that are JSON.
        responses: patterns of the responses that declare the output, the first choice first.
        editions: the editions that are known.
    """

    envelope: str
    key: str
    methods: tuple[str, ...]
    places: tuple[str, ...]
    ignored_headers: frozenset[str]
    styles: tuple[str, ...]
    json: tuple[str, ...]
    responses: tuple[str, ...]
    editions: tuple[Edition, ...]


@functools.cache
def document_format() -> DocumentFormat:
    """The package's own table."""
    return load_operations(shipped.text(FILE), FILE)


_LISTS = ("methods", "places", "ignored_headers", "styles", "json", "responses")


def load_operations(text: str, file: str) -> DocumentFormat:
    """The table of a text.

    Raises:
        RuleError: something in it is wrong, with the file, the field and the reason.
    """
    table = parsed_toml(text, file)
    lines = Lines(text)
    row = Row(file, "document", table.get("document", {}), lines, lines.header("document"))
    row.know(("envelope", "key", *_LISTS, "why", "source", "seen"))
    _grounds(row)
    lists = {field: row.texts(field, required=True) for field in _LISTS}
    editions = tuple(_edition(file, each, turn, lines) for turn, each in enumerate(table.get("edition", [])))
    return DocumentFormat(
        envelope=row.text("envelope"),
        key=row.text("key"),
        methods=lists["methods"],
        places=lists["places"],
        ignored_headers=frozenset(lists["ignored_headers"]),
        styles=lists["styles"],
        json=lists["json"],
        responses=lists["responses"],
        editions=editions,
    )


def _edition(file: str, table: Mapping[str, object], turn: int, lines: Lines) -> Edition:
    row = Row(file, "edition", table, lines, lines.header("edition", turn))
    row.know(("version", "dialect", "schema", "named_by", "one_way", "why", "source", "seen"))
    _grounds(row)
    one_way = row.flag("one_way", required=True)
    return Edition(row.text("version"), row.text("dialect"), row.text("schema"), row.optional("named_by"), one_way)


def _grounds(row: Row) -> None:
    """Refuses a row that does not say why, and from where."""
    row.text("why")
    row.texts("source", required=True)
    row.day("seen")
