"""Texts cleaned and cut for a reader: labels, sizes, text that can be sent."""

from __future__ import annotations

import unicodedata

from toolglot.results.table import References, references

_UNITS = ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB"))


def units(text: str) -> int:
    """The length of a text in UTF-16 units."""
    return len(text) if text.isascii() else len(text) + sum(1 for character in text if character > "\uffff")


def is_longer(text: str, limit: int) -> bool:
    """Whether a text has more UTF-16 units than the limit; the cost depends on the limit, not on the text."""
    return len(text) > limit or (2 * len(text) > limit and units(text) > limit)


def label(text: str, limit: int | None = None, table: References | None = None) -> str:
    """A label in one line: without controls, direction marks and invisible characters, cut and marked as cut."""
    table = table or references()
    limit = limit or table.limits["label"]
    head = text[: 8 * limit]
    clean = table.cleaned.sub("", head).strip()
    if len(clean) <= limit and len(head) == len(text):
        return clean
    return cut(clean, limit, table, more=len(head) < len(text))


def cut(text: str, limit: int, table: References | None = None, *, more: bool = False) -> str:
    """A text of at most `limit` characters; a cut falls between characters and is marked."""
    mark = (table or references()).wording["cut"]
    if len(text) <= limit and not more:
        return text
    end = min(len(text), limit - len(mark))
    while 0 < end < len(text) and unicodedata.combining(text[end]):
        end -= 1
    return text[:end] + mark


def size_words(count: int) -> str:
    """A byte count in words of bounded length, such as `12 B` or `~1.5 MB`."""
    for unit, name in _UNITS:
        if count >= unit:
            value = count / unit
            return f"~{value:.1f} {name}" if value < 1000 else f"~{value:.0f} {name}"
    return f"{count} B"


def sendable(text: str) -> str:
    """The text with lone surrogates, which no encoding can carry, replaced."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
