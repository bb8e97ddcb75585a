"""What engines are told in words of their own: patterns, formats of the dialect, schemas that nothing fits."""

import re
from typing import Any

import pytest

from toolglot.calls.formats import format_test
from toolglot.schemas.patterns import matcher
from toolglot.schemas.patterns.plain import is_plain, plain_form
from toolglot.tables.formats import has_format
from toolglot.tables.ruleset import load_rules
from toolglot.wire.convert import convert

TEXTS = ["", "a", "x", "ax", "a,x", "b\n", "a b", "\ufeff", "é", "12-ab", "--", "a.b"]


@pytest.mark.parametrize("pattern", ["^a", "a|b$", "^[\\w.-]+$", "^\\d{2}-[a-z]+", "(a|b)c*", "^(?:x|a)?$"])
def test_a_pattern_that_all_read_alike_stays_as_it_is(pattern):
    assert is_plain(pattern)
    assert plain_form(pattern) == pattern


@pytest.mark.parametrize("pattern", ["(^|,)x$", "^\\S+$", "^\\s*$", "[\\s\\S]", "^a\\b|^$", "a(?=$)", "\\W"])
def test_any_other_has_a_form_of_the_same_meaning_or_none(pattern):
    assert not is_plain(pattern)
    form = plain_form(pattern)
    if form is not None:
        inner = form.removeprefix("^").removesuffix("$")
        read = re.compile(re.sub(r"\\x\{([0-9a-f]+)\}", lambda met: f"\\U{int(met[1], 16):08x}", inner))
        assert [bool(read.fullmatch(text)) for text in TEXTS] == [matcher(pattern)(text) for text in TEXTS]


@pytest.mark.parametrize("pattern", ["(?!x)a", "(a)\\1", "(?<=a)b"])
def test_look_around_and_back_references_have_none(pattern):
    assert plain_form(pattern) is None


@pytest.mark.parametrize(
    "dialect", ["draft-03", "draft-04", "draft-06", "draft-07", "2019-09", "2020-12", "openapi-3.0"]
)
def test_the_wire_and_the_check_know_the_same_formats(dialect):
    for name in ("date", "time", "date-time", "email", "uuid", "duration", "uri", "iri", "regex", "color", "int32"):
        assert has_format(dialect, name) == (format_test(name, dialect) is not None), name


def said(schema: dict[str, Any], target: str = "llguidance") -> dict[str, Any]:
    return convert(schema, target).wire


def test_a_format_stays_where_the_dialect_checks_it_and_leaves_where_it_is_an_annotation():
    draft_7 = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "string"}
    assert said({**draft_7, "format": "date"})["format"] == "date"
    assert "format" not in said({**draft_7, "format": "uuid"})  # draft 7 has no such format
    assert "format" not in said({"type": "string", "format": "date"})


def test_what_nothing_fits_is_written_as_false_and_an_impossible_schema_still_compiles():
    names = said({"type": "object", "patternProperties": {"^x": False}})
    assert names["patternProperties"] == {"^x": False}
    root = said({"type": "object", "properties": {"a": False, "b": {}}, "required": ["a"]})
    assert root["required"] == []
    assert root["properties"] == {"a": False, "b": {}}


def test_lengths_are_said_as_a_pattern_and_leave_where_one_stands():
    assert said({"type": "string", "maxLength": 2}, "xgrammar")["pattern"].endswith("{0,2}$")
    conversion = convert({"type": "string", "pattern": "^a$", "maxLength": 2}, "xgrammar")
    assert conversion.wire["pattern"] == "^a$"
    assert "checked" in conversion.outcomes


def test_every_engine_is_a_target():
    assert {"llguidance", "xgrammar", "vllm/xgrammar", "outlines", "lm-format-enforcer"} <= load_rules().targets.keys()
