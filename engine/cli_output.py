"""What the command line prints: tables as wide as the terminal, JSON, and how far a long work is."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from toolglot.json_values import Json, json_text
from toolglot.schemas.shown import cut

WIDTH = 120
# The columns that hold sentences: they are broken into lines, all others are not.
PROSE = frozenset({"why", "marks", "conflicts", "value", "line", "where"})
NARROWEST = 30


def print_json(value: Json) -> None:
    """Prints a value as JSON for eyes and programs: what a terminal would obey, or can't show, is escaped."""
    try:
        text = json.dumps(value, indent=2, ensure_ascii=False)
    except RecursionError:  # too deep for a reader's eyes too
        text = json_text(value)
    text = _BEYOND_ASCII.sub(lambda letter: letter[0] if letter[0].isprintable() else _escape(letter), text)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = _BEYOND_ASCII.sub(_escape, text)
    print(text)


_BEYOND_ASCII = re.compile(r"[^\n -~]")


def _escape(letter: re.Match[str]) -> str:
    return json.dumps(letter[0])[1:-1]


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows with the same columns as a table."""
    from tabulate import tabulate  # noqa: PLC0415 - `--json` does without it

    if not rows:
        return "none"
    keys = list(rows[0])
    rows = [{key: harmless(str(row[key])) for key in keys} for row in rows]
    natural = {key: max(len(line) for row in rows for line in row[key].splitlines() or [""]) for key in keys}
    # Prose gets what the other columns leave of the width; a column is two wider than its head, and two from the next.
    others = sum(2 + max(len(key) + 2, natural[key]) for key in keys if key not in PROSE)
    left = max(NARROWEST, shutil.get_terminal_size((WIDTH, 24)).columns - others)
    widths = [left if key in PROSE else None for key in keys]
    return tabulate(rows, headers="keys", disable_numparse=True, maxcolwidths=widths)


def progress(items: Sequence[str], what: str) -> Iterator[str]:
    """The items one by one; a person who waits at a terminal sees which one it is."""
    shows = sys.stderr.isatty() and len(items) > 1
    for number, item in enumerate(items, 1):
        if shows:
            print(f"\r\033[K{what} {number}/{len(items)}: {item}", end="", file=sys.stderr, flush=True)
        yield item
    if shows:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def printable(text: str) -> str:
    """A model's own words in short and on one line, without what a terminal would obey."""
    return harmless(cut(text, WIDTH)).replace("\n", "?")


def harmless(text: str) -> str:
    """A stranger's words without what a terminal would obey; lines stay."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "?" for letter in text)
