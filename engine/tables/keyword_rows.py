"""The rows of the keyword and dialect tables, and their loading: a row that is wrong is refused with a `RuleError`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

from toolglot.errors import RuleError
from toolglot.json_values import Json
from toolglot.tables.toml import parsed_toml

HOLDS = frozenset({"none", "one", "list", "map", "one-or-list", "map-or-names", "names-or-schemas"})
VALUES = frozenset(
    [
        "any",
        "text",
        "reference",
        "anchor",
        "flag",
        "number",
        "positive-number",
        "count",
        "count-or-text",
        "list",
        "choices",
        "names",
        "some-names",
        "type",
        "types",
        "map-of-names",
        "switches",
    ]
)
READINGS = frozenset(
    [
        "keep",
        "drop",
        "reference",
        "dynamic-reference",
        "recursive-reference",
        "types-and-schemas",
        "types",
        "disallow",
        "nullable",
        "with-if",
        "extends",
        "divisible",
        "flagged-bound",
        "count",
        "format",
        "items",
        "additional-items",
        "unevaluated-items",
        "unseen-contains",
        "with-contains",
        "properties-and-required",
        "names",
        "dependencies",
        "map-of-names",
        "example",
    ]
)
MARK_VALUES = frozenset(
    [
        "any",
        "boolean",
        "number",
        "text",
        "list",
        "object",
        "upper-case",
        "any-or-schema",
        "null-or-list",
        "fragment",
        "component",
    ]
)
TYPES = frozenset({"null", "boolean", "object", "array", "number", "string", "integer"})
VOCABULARIES = frozenset({"core", "applicator", "unevaluated", "validation", "meta-data", "format", "content"})


@dataclass(frozen=True, slots=True)
class Form:
    """How one keyword stands in some dialects; the fields are described at the head of `rules/keywords.toml`."""

    dialects: frozenset[str]
    holds: str = "none"
    value: str = "any"
    boolean: bool = False
    empty: bool = False
    vocabulary: str = ""
    reading: str = "keep"


@dataclass(frozen=True, slots=True)
class Keyword:
    """One row of `rules/keywords.toml`."""

    name: str
    means: str
    forms: tuple[Form, ...]
    types: tuple[str, ...] = ()
    in_place: bool = False
    declares_keys: bool = False
    annotation: bool = False
    says_nothing: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True)
class Extension:
    """A word that is no keyword and is known to assert nothing; a name may end in `*`."""

    name: str
    why: str
    source: tuple[str, ...]
    seen: date


@dataclass(frozen=True, slots=True)
class Dialect:
    """One row of `rules/dialects.toml`; the fields are described at the head of that file."""

    id: str
    title: str
    schema: tuple[str, ...]
    ref_siblings: str
    identifier: str
    anchors: str
    twice_named: str
    boolean_schemas: bool
    asserts_formats: bool
    integer_by_spelling: bool
    preference: int
    why: str
    source: tuple[str, ...]
    seen: date
    release: int = 0
    base: str = ""
    type_names: str = "lower"


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """A form of a keyword that tells in which dialects a schema may be written."""

    keyword: str
    value: str
    dialects: frozenset[str]
    weight: int
    why: str


@dataclass(frozen=True, slots=True)
class Tables:
    """Both tables."""

    dialects: Mapping[str, Dialect]
    marks: tuple[Mark, ...]
    keywords: Mapping[str, Keyword]
    extensions: Mapping[str, Extension]


# --- Loading


def load_dialects(text: str, file: str) -> tuple[Mapping[str, Dialect], tuple[Mark, ...]]:
    """The dialects and marks of a table's text."""
    table = parsed_toml(text, file)
    _only(table, {"dialect", "mark"}, file, "")
    found = {}
    for name, row in _rows(table, "dialect", file):
        where = f"dialect.{name}"
        values = _checked(row, _DIALECT, file, where)
        for field, allowed in _DIALECT_CHOICES.items():
            _one_of(values, field, allowed, file, where)
        found[name] = Dialect(id=name, **values)
    for name, dialect in found.items():
        if dialect.base and dialect.base not in found:
            raise RuleError(file, f"dialect.{name}.base", f"no dialect {dialect.base!r}")
    rows = table.get("mark", [])
    if not isinstance(rows, list):
        raise RuleError(file, "mark", "wanted a list of tables")
    return MappingProxyType(found), tuple(_mark(row, number, found, file) for number, row in enumerate(rows))


def load_keywords(text: str, file: str, known: Mapping[str, Dialect], known_marks: tuple[Mark, ...] = ()) -> Tables:
    """The keywords and extensions of a table's text, for these dialects."""
    table = parsed_toml(text, file)
    _only(table, {"keyword", "extension"}, file, "")
    found = {name: _keyword(name, row, known, file) for name, row in _rows(table, "keyword", file)}
    extensions = {
        name: Extension(name=name, **_checked(row, _EXTENSION, file, f"extension.{name}"))
        for name, row in _rows(table, "extension", file)
    }
    for name in extensions:
        if name in found:
            raise RuleError(file, f"extension.{name}", "is a keyword already")
    for mark in known_marks:
        if mark.keyword not in found:
            raise RuleError(file, f"keyword.{mark.keyword}", "a mark names it, and no row does")
    return Tables(known, known_marks, MappingProxyType(found), MappingProxyType(extensions))


def _keyword(name: str, row: Json, known: Mapping[str, Dialect], file: str) -> Keyword:
    where = f"keyword.{name}"
    values = _checked(row, _KEYWORD, file, where)
    for kind in values.get("types", ()):
        if kind not in TYPES:
            raise RuleError(file, f"{where}.types", f"no type {kind!r}")
    forms: list[Form] = []
    for number, each in enumerate(values["forms"]):
        place = f"{where}.forms.{number}"
        form = _form(each, known, file, place)
        for other in forms:
            if twice := form.dialects & other.dialects:
                raise RuleError(file, place, f"{min(twice)} has a form already")
        forms.append(form)
    if not forms:
        raise RuleError(file, f"{where}.forms", "wanted at least one form")
    idle = tuple([_spelled(text, file, f"{where}.says_nothing") for text in values.get("says_nothing", ())])
    return Keyword(name=name, **{**values, "forms": tuple(forms), "says_nothing": idle})


def _spelled(text: str, file: str, where: str) -> Json:
    try:
        return json.loads(text)
    except ValueError:
        raise RuleError(file, where, f"wanted texts of JSON, got {text!r}") from None


def _form(row: Json, known: Mapping[str, Dialect], file: str, where: str) -> Form:
    values = _checked(row, _FORM, file, where)
    where_it_stands = _line(values, known, file, where)
    _one_of(values, "holds", HOLDS, file, where)
    _one_of(values, "value", VALUES, file, where)
    _one_of(values, "vocabulary", VOCABULARIES, file, where)
    _one_of(values, "reading", READINGS, file, where)
    if values.get("holds", "none") == "none" and "value" not in values:
        raise RuleError(file, f"{where}.value", "missing: a keyword without subschemas says what its value is")
    return Form(where_it_stands, **values)


def _mark(row: Json, number: int, known: Mapping[str, Dialect], file: str) -> Mark:
    where = f"mark.{number}"
    values = _checked(row, _MARK, file, where)
    where_it_stands = _line(values, known, file, where)
    _one_of(values, "value", MARK_VALUES, file, where)
    return Mark(dialects=where_it_stands, **values)


def _line(values: dict[str, Json], known: Mapping[str, Dialect], file: str, where: str) -> frozenset[str]:
    """The dialects from `since` to `until`, those of `also`, and each whose base is one of them."""
    since, until, also = values.pop("since", ""), values.pop("until", ""), values.pop("also", ())
    for name in (since, until, *also):
        if name and name != "none" and name not in known:
            raise RuleError(file, where, f"no dialect {name!r}")
    line = {row.release: name for name, row in known.items() if row.release}
    first = known[since].release if since in known else min(line, default=0)
    last = known[until].release if until in known else max(line, default=0)
    found = {name for release, name in line.items() if first <= release <= last and since != "none"}
    found.update(also)
    found.update(name for name, row in known.items() if row.base in found)
    if not found:
        raise RuleError(file, where, "stands in no dialect")
    return frozenset(found)


# What each field of a row is: its type, and whether it must be there.
_Fields = Mapping[str, tuple[type, bool]]
_DIALECT: _Fields = {
    "title": (str, True),
    "schema": (tuple, True),
    "release": (int, False),
    "base": (str, False),
    "ref_siblings": (str, True),
    "identifier": (str, True),
    "anchors": (str, True),
    "twice_named": (str, True),
    "boolean_schemas": (bool, True),
    "asserts_formats": (bool, True),
    "integer_by_spelling": (bool, True),
    "type_names": (str, False),
    "preference": (int, True),
    "why": (str, True),
    "source": (tuple, True),
    "seen": (date, True),
}
_DIALECT_CHOICES = {
    "ref_siblings": frozenset({"ignored", "read"}),
    "identifier": frozenset({"", "id", "$id"}),
    "anchors": frozenset({"fragment", "keyword", "none"}),
    "twice_named": frozenset({"refused", "refused-if-used"}),
    "type_names": frozenset({"lower", "any-case"}),
}
_LINE: _Fields = {"since": (str, False), "until": (str, False), "also": (tuple, False)}
_MARK: _Fields = {
    "keyword": (str, True),
    "value": (str, True),
    "weight": (int, True),
    "why": (str, True),
    **_LINE,
}
_KEYWORD: _Fields = {
    "means": (str, True),
    "types": (tuple, False),
    "in_place": (bool, False),
    "declares_keys": (bool, False),
    "says_nothing": (tuple, False),
    "annotation": (bool, False),
    "forms": (list, True),
}
_FORM: _Fields = {
    "holds": (str, False),
    "value": (str, False),
    "boolean": (bool, False),
    "empty": (bool, False),
    "vocabulary": (str, False),
    "reading": (str, False),
    **_LINE,
}
_EXTENSION: _Fields = {"why": (str, True), "source": (tuple, True), "seen": (date, True)}


def _rows(table: Mapping[str, Json], kind: str, file: str) -> list[tuple[str, Json]]:
    rows = table.get(kind, {})
    if not isinstance(rows, dict):
        raise RuleError(file, kind, "wanted a table of rows")
    return list(rows.items())


def _only(row: Mapping[str, Json], allowed: set[str], file: str, where: str) -> None:
    for name in row:
        if name not in allowed:
            place = f"{where}.{name}" if where else name
            raise RuleError(file, place, "no such field", hint="one of " + ", ".join(sorted(allowed)))


def _checked(row: Json, wanted: _Fields, file: str, where: str) -> dict[str, Json]:
    """The row's fields: none unknown, none missing, each of its type, lists of text as tuples."""
    if not isinstance(row, dict):
        raise RuleError(file, where, "wanted a table")
    _only(row, set(wanted), file, where)
    values: dict[str, Json] = {}
    for name, (kind, needed) in wanted.items():
        if name not in row:
            if needed:
                raise RuleError(file, f"{where}.{name}", "missing")
            continue
        values[name] = _typed(row[name], kind, file, f"{where}.{name}")
    return values


def _typed(value: Json, kind: type, file: str, where: str) -> Json:
    if kind is tuple:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise RuleError(file, where, f"wanted a list of texts, got {value!r}")
        return tuple(value)
    if type(value) is not kind:
        raise RuleError(file, where, f"wanted {_KIND_NAMES[kind]}, got {value!r}")
    if kind is str and not value and not where.endswith(".identifier"):
        raise RuleError(file, where, "wanted a text, got an empty one")
    return value


_KIND_NAMES = {str: "a text", int: "a whole number", bool: "true or false", list: "a list", date: "a date"}


def _one_of(values: Mapping[str, Json], field: str, allowed: frozenset[str], file: str, where: str) -> None:
    if field in values and values[field] not in allowed:
        found = values[field]
        raise RuleError(file, f"{where}.{field}", f"no {field} {found!r}", hint="one of " + ", ".join(sorted(allowed)))
