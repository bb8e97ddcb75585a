"""Which dialects have which formats: what `rules/formats.toml` says of it, for rooms that check no values."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from toolglot.json_values import Json
from toolglot.tables import shipped

NEWEST = "2020-12"


def has_format(dialect: str, name: str) -> bool:
    """Whether a dialect has a format of the name; elsewhere the name is an annotation."""
    spans, lines = _spans()
    return lines.get(dialect, NEWEST) in spans.get(name, ()) or dialect in spans.get(name, ())


@cache
def _spans() -> tuple[Mapping[str, frozenset[str]], Mapping[str, str]]:
    """For each format the dialects that have it, and for each dialect the one of the line whose formats it has."""
    table: dict[str, Json] = tomllib.loads(shipped.text("formats.toml"))
    line: list[str] = table["line"]
    spans: dict[str, set[str]] = {}
    for name, rows in table["format"].items():
        for row in rows:
            first, last = line.index(row["since"]), line.index(row.get("until", line[-1]))
            spans.setdefault(name, set()).update(line[first : last + 1], row.get("also_in", ()))
    lines = {**{dialect: dialect for dialect in line}, **table["like"]}
    return MappingProxyType({name: frozenset(span) for name, span in spans.items()}), MappingProxyType(lines)
