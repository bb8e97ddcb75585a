"""One row of a table, read field by field; each refusal names file, line, field and reason."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import NoReturn

from toolglot.errors import RuleError
from toolglot.json_values import Json, kind
from toolglot.tables.rows import read_json
from toolglot.tables.spelling import near

ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")
TARGET_ID = re.compile(r"[a-z0-9]+([-./][a-z0-9]+)*\Z")
_HEADER = re.compile(r"^[ \t]*\[{1,2}([^\[\]\n]+)\]{1,2}\s*(?:#.*)?$")
_UNQUOTED = str.maketrans("", "", " \t\"'")


class Lines:
    """Where the rows and fields of a TOML text stand.

    The TOML reader tells no lines, so the text is searched for the row's header and, below it, for the field.
    A header is known by its spelling without quotes and spaces; a row written without one has no line.
    """

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._headers: dict[str, list[int]] = {}
        for number, line in enumerate(self._lines, 1):
            if line.lstrip().startswith("[") and (header := _HEADER.match(line)):
                name = header[1].translate(_UNQUOTED)
                self._headers.setdefault(name, []).append(number)

    def header(self, name: str, turn: int = 0) -> int | None:
        """The line of a header, or of its n-th turn for a list of tables."""
        lines = self._headers.get(name.replace(" ", ""), [])
        return lines[turn] if turn < len(lines) else None

    def field(self, header: int | None, name: str) -> int | None:
        """The line of a field below a header (None: the top of the file); the header's own where it isn't found."""
        start = header or 0
        is_field = re.compile(rf"\s*[\"']?{re.escape(name)}[\"']?\s*[=.]")
        for number, line in enumerate(self._lines[start:], start + 1):
            if is_field.match(line):
                return number
            if line.lstrip().startswith("[") and _HEADER.match(line):
                break
        return header


@dataclass(frozen=True, slots=True)
class Row:
    """One table of a file, and what is needed to refuse it."""

    file: str
    name: str
    table: Mapping[str, Json]
    lines: Lines
    line: int | None

    def refuse(self, field: str, reason: str, hint: str | None = None) -> NoReturn:
        """Raises the RuleError of a field."""
        where = f"{self.name}.{field}" if self.name and field else self.name or field
        line = self.lines.field(self.line, field) if field else self.line
        raise RuleError(self.file, where, reason, line=line, hint=hint)

    def field_lines(self, *fields: str) -> Mapping[str, int | None]:
        """The lines of those of the fields that are there."""
        return {field: self.lines.field(self.line, field) for field in fields if field in self.table}

    def know(self, fields: Iterable[str]) -> None:
        """Refuses a field that no row of this kind has."""
        known = set(fields)
        for field in self.table:
            if field not in known:
                self.refuse(field, "no such field", near(field, known))

    def text(self, field: str, default: str | None = None) -> str:
        """A text with something in it."""
        value = self.table.get(field, default)
        if not isinstance(value, str) or not value.strip():
            self.refuse(field, f"wanted a text, got {found(value)}")
        return value

    def optional(self, field: str) -> str | None:
        """A text, or None where the field is left out."""
        return self.text(field) if field in self.table else None

    def texts(self, field: str, *, required: bool = False) -> tuple[str, ...]:
        """A list of texts, or one text alone."""
        value = self.table.get(field, [])
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list) or not all(isinstance(text, str) and text.strip() for text in values):
            self.refuse(field, f"wanted a list of texts, got {found(value)}")
        if required and not values:
            self.refuse(field, "wanted at least one text, got none")
        if len(set(values)) < len(values):
            self.refuse(field, "the same text stands twice")
        return tuple(values)

    def examples(self) -> list[Row]:
        """The tables [[….example]] of the row, each as a row of its own."""
        tables = self.table.get("example", [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            self.refuse("example", f"wanted tables [[{self.name}.example]], got {found(tables)}")
        name = f"{self.name}.example"
        return [
            Row(self.file, name, table, self.lines, self.lines.header(name, turn) or self.line)
            for turn, table in enumerate(tables)
        ]

    def flag(self, field: str, *, required: bool = False) -> bool:
        """True or false; false for none, where it may be left out."""
        value = self.table.get(field, None if required else False)
        if not isinstance(value, bool):
            self.refuse(field, f"wanted true or false, got {found(value)}")
        return value

    def choice(self, field: str, choices: Iterable[str]) -> str:
        """One word of a few."""
        value, known = self.table.get(field), tuple(choices)
        if value not in known:
            hint = near(value, known) if isinstance(value, str) else None
            self.refuse(field, f"wanted {' or '.join(known)}, got {found(value)}", hint)
        return str(value)

    def day(self, field: str) -> date:
        """A date, written without quotes."""
        value = self.table.get(field)
        if not isinstance(value, date) or isinstance(value, datetime):
            self.refuse(field, f"wanted a date such as 2026-11-30, without quotes, got {found(value)}")
        return value

    def json(self, field: str) -> str | None:
        """A text that is JSON, or None where the field is left out."""
        text = self.optional(field)
        if text is not None:
            self.check_json(field, text)
        return text

    def jsons(self, field: str) -> tuple[str, ...]:
        """A list of texts, each of them JSON."""
        texts = self.texts(field)
        for text in texts:
            self.check_json(field, text)
        return texts

    def check_json(self, field: str, text: str) -> Json:
        """The JSON value of a text of the field."""
        try:
            return read_json(text)
        except (ValueError, RecursionError) as error:
            self.refuse(field, f"{text[:60]!r} is no JSON: {error}")


def found(value: Json) -> str:
    """What stands in a field, for a message."""
    if value is None:
        return "nothing"
    if isinstance(value, (str, bool, int, float)):
        text = repr(value)
        return text if len(text) <= 60 else f"{text[:57]}..."
    return f"{'an' if kind(value)[0] in 'aeiou' else 'a'} {kind(value)}"
