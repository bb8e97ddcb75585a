"""The formats as functions: which values each one admits, as `rules/formats.toml` has it for a dialect.

Most are one pattern, run by re2. What no pattern says stands here by name: a leap second's place in the day,
the length of a mailbox's parts, internationalized host names (through `idna`), and whether a text is a pattern.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import TypeAlias

from toolglot.errors import RuleError
from toolglot.json_values import Json
from toolglot.schemas.patterns import is_ecma, matcher
from toolglot.tables import shipped

FormatTest: TypeAlias = Callable[[Json], bool]
TextTest: TypeAlias = Callable[[str], bool]

FILE = "formats.toml"
NEWEST = "2020-12"
_FIELDS = frozenset({"pattern", "also", "since", "until", "also_in"})
_PART = re.compile(r"<(:?)([a-z0-9-]+)>")
_LEAP = re.compile(r"([0-9]{2}):([0-9]{2}):60(?:\.[0-9]+)?(?:[zZ]|([+-])([0-9]{2}):([0-9]{2}))\Z")
_DOTS = re.compile("[.\u3002\uff0e\uff61]")


def format_test(name: str, dialect: str = NEWEST) -> FormatTest | None:
    """A function that says whether a value fits a format; None where the dialect knows no such format.

    A value that is no text fits every format. The function raises PatternTooCostly for a text too long to try.
    """
    rows = _table().get(name, {})
    return rows.get(dialect) if dialect in _dialects() else rows.get(NEWEST)


@lru_cache(maxsize=1)
def _source() -> dict[str, Json]:
    return tomllib.loads(shipped.text(FILE))


@lru_cache(maxsize=1)
def _dialects() -> Mapping[str, str]:
    """Each dialect, and the one of the line whose formats it has."""
    table = _source()
    return MappingProxyType({**{dialect: dialect for dialect in table["line"]}, **table["like"]})


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Mapping[str, FormatTest]]:
    """For each format and dialect its function. RuleError where a row is wrong."""
    table = _source()
    parts: dict[str, str] = {}
    for name, text in table["part"].items():
        parts[name] = _filled(text, parts, f"part.{name}")
    return MappingProxyType({name: _versions(name, rows, parts) for name, rows in table["format"].items()})


def _versions(name: str, rows: Sequence[Mapping[str, Json]], parts: Mapping[str, str]) -> Mapping[str, FormatTest]:
    versions: dict[str, FormatTest] = {}
    for row in rows:
        field = f"format.{name}"
        if not row.keys() <= _FIELDS:
            raise RuleError(FILE, field, f"knows no {', '.join(sorted(row.keys() - _FIELDS))}")
        test = _test(_filled(row["pattern"], parts, field), row.get("also"), field)
        for dialect in _having(row):
            if dialect in versions:
                raise RuleError(FILE, field, f"has two rows for {dialect}")
            versions[dialect] = test
    return MappingProxyType(versions)


def _having(row: Mapping[str, Json]) -> list[str]:
    """The dialects that have a row's format."""
    line = _source()["line"]
    span = line[line.index(row["since"]) : line.index(row.get("until", line[-1])) + 1]
    return [*(dialect for dialect, base in _dialects().items() if base in span), *row.get("also_in", [])]


def _filled(text: str, parts: Mapping[str, str], field: str) -> str:
    """A pattern with its parts in place."""

    def fill(found: re.Match[str]) -> str:
        if found[2] not in parts:
            raise RuleError(FILE, field, f"there is no part {found[2]!r} above it")
        return parts[found[2]] if found[1] else f"(?:{parts[found[2]]})"

    return _PART.sub(fill, text)


def _test(pattern: str, also: str | None, field: str) -> FormatTest:
    """The function of a row; its pattern is compiled when it is first asked for."""
    if also is not None and also not in TESTS:
        raise RuleError(FILE, field, f"there is no test {also!r}")
    further = TESTS[also] if also else None

    @lru_cache(maxsize=1)
    def fits() -> TextTest:
        return matcher(f"^(?:{pattern})$")

    def test(value: Json) -> bool:
        if not isinstance(value, str):
            return True
        return fits()(value) and (further is None or further(value))

    return test


def _leap_second_in_place(text: str) -> bool:
    """Whether a second 60, if there is one, ends a day in UTC (RFC 3339, 5.7)."""
    found = _LEAP.search(text)
    if found is None:
        return True
    minute = int(found[1]) * 60 + int(found[2])
    shift = int(found[4] or 0) * 60 + int(found[5] or 0)
    return (minute - shift if found[3] == "+" else minute + shift) % 1440 == 1439


def _mailbox_is_short_enough(text: str) -> bool:
    """RFC 5321, 4.5.3.1: 64 octets before the sign, 255 after it."""
    local, _, domain = text.rpartition("@")
    return len(local.encode()) <= 64 and len(domain.encode()) <= 255


def _labels_decode(text: str) -> bool:
    """Whether each label that is marked as an internationalized one is one (RFC 5891, 5.4)."""
    return all(_is_international(label) for label in text.split(".") if label[:4].lower() == "xn--")


def _is_international(label: str) -> bool:
    import idna  # noqa: PLC0415 (its tables take some milliseconds to load)

    try:
        return bool(idna.alabel(idna.ulabel(label)) == label.lower().encode())
    except (idna.IDNAError, UnicodeError):
        return False


def _is_international_host(text: str) -> bool:
    """RFC 5890 and its kin: each label valid and at most 63 octets as it is sent, the whole at most 253."""
    import idna  # noqa: PLC0415 (as above)

    if len(text) > 253:  # what is sent is never shorter than what is shown
        return False
    try:
        shown = [idna.ulabel(label) for label in _DOTS.split(text)]
        sent = [idna.alabel(label) for label in shown]
        if any(map(_runs_right_to_left, shown)):  # then the rule of RFC 5893 holds for all labels
            for label in shown:
                idna.check_bidi(label, check_ltr=True)
    except (idna.IDNAError, UnicodeError):
        return False
    return sum(len(label) + 1 for label in sent) <= 254 and _labels_decode(".".join(_DOTS.split(text)))


def _runs_right_to_left(label: str) -> bool:
    return any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in label)


TESTS: Mapping[str, TextTest] = MappingProxyType(
    {
        "leap-second": _leap_second_in_place,
        "mailbox-lengths": _mailbox_is_short_enough,
        "internationalized-labels": _labels_decode,
        "internationalized-host": _is_international_host,
        "regular-expression": is_ecma,
    }
)
