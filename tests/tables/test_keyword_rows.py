"""The keyword and dialect tables: a wrong row is refused by name, and the shipped rows agree with the engine."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from toolglot.errors import RuleError
from toolglot.schemas.detect import _SHAPES
from toolglot.schemas.readings import RULES
from toolglot.schemas.values import _HOLDERS, _VALUES
from toolglot.tables.keyword_rows import HOLDS, MARK_VALUES, READINGS, VALUES, load_dialects, load_keywords
from toolglot.tables.keywords import asserts_nothing, dialects, keywords, vocabulary

DIALECT = """
[dialect.one]
title = "One"
schema = []
release = 1
ref_siblings = "read"
identifier = ""
anchors = "none"
twice_named = "refused"
boolean_schemas = true
asserts_formats = false
integer_by_spelling = false
preference = 1
why = "why"
source = ["somewhere"]
seen = 2026-11-30
"""

BAD_DIALECTS = [
    (DIALECT + 'more = "x"', "dialect.one.more"),
    (DIALECT.replace('title = "One"\n', ""), "dialect.one.title"),
    (DIALECT.replace("release = 1", 'release = "1"'), "dialect.one.release"),
    (DIALECT.replace("preference = 1", "preference = true"), "dialect.one.preference"),
    (DIALECT.replace("schema = []", "schema = [1]"), "dialect.one.schema"),
    (DIALECT.replace('"read"', '"half"'), "dialect.one.ref_siblings"),
    (DIALECT.replace("seen = 2026-11-30", 'seen = "today"'), "dialect.one.seen"),
    (DIALECT.replace('why = "why"', 'why = ""'), "dialect.one.why"),
    (DIALECT + 'base = "two"', "dialect.one.base"),
    (DIALECT + '[[mark]]\nkeyword = "a"\nvalue = "purple"\nweight = 1\nwhy = "why"', "mark.0.value"),
    (DIALECT + '[[mark]]\nkeyword = "a"\nvalue = "any"\nwhy = "why"', "mark.0.weight"),
    (DIALECT + '[[mark]]\nkeyword = "a"\nvalue = "any"\nweight = 1\nwhy = "why"\nsince = "two"', "mark.0"),
    ("dialect = 1", "dialect"),
    ("other = 1", "other"),
    ("[dialect", ""),
]


@pytest.mark.parametrize(("text", "field"), BAD_DIALECTS)
def test_a_wrong_dialect_row_is_refused_by_name(text: str, field: str) -> None:
    with pytest.raises(RuleError) as caught:
        load_dialects(text, "own.toml")
    assert (caught.value.file, caught.value.field) == ("own.toml", field)


def keyword(forms: str, more: str = "") -> str:
    return f'[keyword.a]\nmeans = "m"\nforms = [{forms}]\n{more}'


BAD_KEYWORDS = [
    (keyword('{ value = "any" }', 'types = ["text"]'), "keyword.a.types"),
    (keyword('{ value = "any" }', "more = 1"), "keyword.a.more"),
    (keyword('{ value = "any" }', 'says_nothing = ["{"]'), "keyword.a.says_nothing"),
    (keyword(""), "keyword.a.forms"),
    (keyword("{ }"), "keyword.a.forms.0.value"),
    (keyword("1"), "keyword.a.forms.0"),
    (keyword('{ value = "other" }'), "keyword.a.forms.0.value"),
    (keyword('{ holds = "many" }'), "keyword.a.forms.0.holds"),
    (keyword('{ holds = "one", reading = "aloud" }'), "keyword.a.forms.0.reading"),
    (keyword('{ holds = "one", vocabulary = "own" }'), "keyword.a.forms.0.vocabulary"),
    (keyword('{ holds = "one", since = "two" }'), "keyword.a.forms.0"),
    (keyword('{ holds = "one", since = "none" }'), "keyword.a.forms.0"),
    (keyword('{ value = "any" }, { value = "text" }'), "keyword.a.forms.1"),
    ('[extension.a]\nwhy = "w"\nseen = 2026-11-30', "extension.a.source"),
    (keyword('{ value = "any" }', '[extension.a]\nwhy = "w"\nsource = ["s"]\nseen = 2026-11-30'), "extension.a"),
    ("keyword = 1", "keyword"),
]


@pytest.mark.parametrize(("text", "field"), BAD_KEYWORDS)
def test_a_wrong_keyword_row_is_refused_by_name(text: str, field: str) -> None:
    known, _ = load_dialects(DIALECT, "own.toml")
    with pytest.raises(RuleError) as caught:
        load_keywords(text, "own.toml", known)
    assert (caught.value.file, caught.value.field) == ("own.toml", field)


def test_a_mark_of_no_keyword_is_refused() -> None:
    mark = '[[mark]]\nkeyword = "b"\nvalue = "any"\nweight = 1\nwhy = "why"'
    with pytest.raises(RuleError) as caught:
        load_keywords(keyword('{ value = "any" }'), "own.toml", *load_dialects(DIALECT + mark, "own.toml"))
    assert caught.value.field == "keyword.b"


def test_the_engine_has_what_rows_may_ask_for_and_rows_ask_for_all_of_it() -> None:
    forms = [form for row in keywords().values() for form in row.forms]
    assert set(RULES) == READINGS == {form.reading for form in forms}
    assert set(_VALUES) | {"any"} == VALUES == {form.value for form in forms}
    assert set(_HOLDERS) | {"none"} == HOLDS == {form.holds for form in forms}
    assert set(_SHAPES) == MARK_VALUES


METASCHEMAS = {
    "draft3": "draft-03", "draft4": "draft-04", "draft6": "draft-06", "draft7": "draft-07",
    "draft201909": "2019-09", "draft202012": "2020-12",
}  # fmt: skip


@pytest.mark.parametrize(("folder", "dialect"), METASCHEMAS.items())
def test_each_dialect_has_the_keywords_of_its_metaschema(folder: str, dialect: str) -> None:
    root = files("jsonschema_specifications").joinpath("schemas", folder)
    texts = [root.joinpath("metaschema.json").read_text("utf-8")]
    if root.joinpath("vocabularies").is_dir():
        texts += [each.read_text("utf-8") for each in root.joinpath("vocabularies").iterdir() if each.is_file()]
    wanted = {name for text in texts for name in json.loads(text).get("properties", {})}
    inherited = {"$recursiveAnchor", "$recursiveRef"} if dialect == "2020-12" else set()
    assert wanted - inherited <= vocabulary(dialect).forms.keys()


def test_a_dialect_with_a_base_has_all_of_its_keywords() -> None:
    assert vocabulary("2020-12").forms.items() <= vocabulary("openapi-3.1").forms.items()


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("title", True),
        ("$anchor", True),
        ("x-own", True),
        ("markdownDescription", True),
        ("minimum", False),
        ("own", False),
    ],
)
def test_words_that_assert_nothing_are_known(name: str, wanted: Any) -> None:
    assert asserts_nothing(name) is wanted


def test_rows_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        dialects()["own"] = dialects()["2020-12"]  # type: ignore[index]  # what the test is about
