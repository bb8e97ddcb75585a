"""Tables that are read when they are first asked for, each once.

To read all shipped tables costs a tenth of a second, and a conversion asks for one target. A row that speaks of a
target or a place has to name it in quotes, so the texts themselves say which of them can matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from toolglot.tables.loader import read_table
from toolglot.tables.rows import Table

_RETIRES = re.compile(r"^[ \t]*[\"']?retire[\"']?[ \t]*=", re.MULTILINE)


class Shelf:
    """Some tables, by name. Safe to share: two threads that read the same text keep one of the outcomes."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts, self._read = texts, dict[str, Table]()
        self.files = tuple(sorted(texts))

    @classmethod
    def of(cls, tables: Iterable[Table]) -> Shelf:
        """A shelf of tables that are read already."""
        read = {table.file: table for table in tables}
        shelf = cls(dict.fromkeys(read, ""))
        shelf._read = read
        return shelf

    def tables(self) -> list[Table]:
        """All tables, by name."""
        return [self._table(file) for file in self.files]

    def naming(self, name: str) -> list[Table]:
        """The tables that name something in quotes, and those that retire rules."""
        quoted = (f'"{name}"', f"'{name}'")
        return [
            self._table(file)
            for file in self.files
            if any(each in self._texts[file] for each in quoted) or _may_retire(self._texts[file])
        ]

    def of_target(self, name: str) -> list[Table] | None:
        """The tables that speak of a target and of those that it is like; None where no table has one of them."""
        found: dict[str, Table] = {}
        seen: set[str] = set()
        wanted: str | None = name
        while wanted is not None and wanted not in seen:
            seen.add(wanted)
            found.update({table.file: table for table in self.naming(wanted)})
            rows = [target for table in found.values() for target in table.targets if target.id == wanted]
            if not rows:
                return None
            wanted = rows[0].like
        return [found[file] for file in sorted(found)]

    def _table(self, file: str) -> Table:
        known = self._read.get(file)
        return known or self._read.setdefault(file, read_table(self._texts[file], file))


def _may_retire(text: str) -> bool:
    """Whether a table may retire a rule; the word is looked for first, as that is much the cheaper search."""
    return "retire" in text and _RETIRES.search(text) is not None


def is_closed(tables: Iterable[Table]) -> bool:
    """Whether every rule that has to come before one of these is one of these."""
    rules = {rule.id: rule for table in tables for rule in table.rules}
    return all(name in rules for rule in rules.values() for name in rule.after)
