"""The keyword and dialect tables: `keywords()`, `dialects()`, `marks()`, and `vocabulary(dialect)`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from toolglot.json_values import Json, equal
from toolglot.tables import shipped
from toolglot.tables.keyword_rows import (
    TYPES,
    Dialect,
    Extension,
    Form,
    Keyword,
    Mark,
    Tables,
    load_dialects,
    load_keywords,
)

__all__ = [
    "TYPES",
    "Dialect",
    "Extension",
    "Form",
    "Keyword",
    "Mark",
    "Tables",
    "Vocabulary",
    "any_holders",
    "asserts_nothing",
    "dialects",
    "keywords",
    "marks",
    "says_nothing",
    "tables",
    "vocabulary",
]


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """One dialect's keywords, ready for reading: what the walker and the normal form look up.

    Attributes:
        dialect: the dialect's row.
        forms: each keyword that the dialect has, in its form there.
        holders: the keywords of `forms` that hold subschemas, with what they hold.
        holders_beside_ref: the same for a schema with `$ref`, beside which most dialects read definitions only.
        reads_beside_ref: whether what stands beside `$ref` is read.
        asserts_formats: whether `format` is checked by default.
    """

    dialect: Dialect
    forms: Mapping[str, Form]
    holders: Mapping[str, str]
    holders_beside_ref: Mapping[str, str]
    reads_beside_ref: bool
    asserts_formats: bool


def keywords() -> Mapping[str, Keyword]:
    """Every keyword of every dialect, by name."""
    return tables().keywords


def dialects() -> Mapping[str, Dialect]:
    """Every dialect, by id."""
    return tables().dialects


def marks() -> tuple[Mark, ...]:
    """Every mark by which a dialect is recognised."""
    return tables().marks


@lru_cache(maxsize=1)
def tables() -> Tables:
    """The shipped tables, read once."""
    read = load_dialects(shipped.text("dialects.toml"), "dialects.toml")
    return load_keywords(shipped.text("keywords.toml"), "keywords.toml", *read)


@lru_cache(maxsize=256)
def vocabulary(dialect: str, vocabularies: frozenset[str] | None = None) -> Vocabulary:
    """The keywords of a dialect; of these vocabularies only, where a metaschema names them."""
    row = dialects()[dialect]
    forms: dict[str, Form] = {}
    for keyword in keywords().values():
        for form in keyword.forms:
            known = vocabularies is None or form.vocabulary in vocabularies or not form.vocabulary
            if dialect in form.dialects and known:
                forms[keyword.name] = form
    holders = {name: form.holds for name, form in forms.items() if form.holds != "none"}
    reads_all = row.ref_siblings == "read" or "$ref" not in forms
    return Vocabulary(
        dialect=row,
        forms=MappingProxyType(forms),
        holders=MappingProxyType(holders),
        holders_beside_ref=MappingProxyType(
            {name: holds for name, holds in holders.items() if reads_all or forms[name].reading == "drop"}
        ),
        reads_beside_ref=reads_all,
        asserts_formats=row.asserts_formats or "format-assertion" in (vocabularies or ()),
    )


@lru_cache(maxsize=1)
def any_holders() -> Mapping[str, str]:
    """What a keyword may hold in any dialect, for reading a schema whose dialect is not known yet."""
    found: dict[str, str] = {}
    for keyword in keywords().values():
        kinds = {form.holds for form in keyword.forms} - {"none"}
        if len(kinds) > 1 or (kinds and kinds <= {"one-or-list", "list"}):
            found[keyword.name] = "one-or-list"
        elif kinds:
            found[keyword.name] = kinds.pop()
    return MappingProxyType(found)


@lru_cache(maxsize=4096)
def asserts_nothing(name: str) -> bool:
    """Whether a keyword is known to assert nothing in any dialect: an annotation, a name, an extension."""
    row = keywords().get(name)
    if row is not None:
        return row.annotation
    extensions = tables().extensions
    return name in extensions or any(name.startswith(pattern[:-1]) for pattern in extensions if pattern.endswith("*"))


def says_nothing(name: str, value: Json) -> bool:
    """Whether every value fits where a keyword has this value; annotations within it do not count."""
    idle = _idle().get(name)
    if idle is None:
        return False
    if isinstance(value, dict) and any_holders().get(name) == "one":
        value = {key: held for key, held in value.items() if not asserts_nothing(key)}
    return any(equal(value, one) for one in idle)


@lru_cache(maxsize=1)
def _idle() -> Mapping[str, tuple[Json, ...]]:
    return {name: row.says_nothing for name, row in keywords().items() if row.says_nothing}


# Whether these are checked is the dialect's word, and no edit may rest on it.
DIALECTS_OWN = frozenset(("format", "contentEncoding", "contentMediaType", "contentSchema"))


@lru_cache(maxsize=1)
def constraints() -> frozenset[str]:
    """The keywords that constrain; every other one is an annotation, an extension or a word that no dialect has."""
    return frozenset([word for word in vocabulary("2020-12").forms if not asserts_nothing(word)]) - DIALECTS_OWN
