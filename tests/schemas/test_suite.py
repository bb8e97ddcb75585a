"""The normal form means what the schema means: the official suite judges it through a 2020-12 validator."""

from __future__ import annotations

import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.schemas.suite import DIALECTS, Case, cases, documents

from toolglot.schemas.detect import detect
from toolglot.schemas.forms import Normal
from toolglot.schemas.normal import normal_form

# The validator reads patterns as Python does; patterns are judged in a room of their own.
OTHER_PATTERNS = ("pattern with Unicode property escape", "patternProperties with Unicode property escape")
# Optional files that ask for other things: patterns, formats, contents, how numbers are spelled or stored.
OTHER_OPTIONS = {"ecmascript-regex", "format-assertion", "content", "zeroTerminatedFloats", "float-overflow"}


def whole(normal: Normal) -> dict[str, Any]:
    """The normal form as one schema of 2020-12."""
    return {**normal.root, "$defs": dict(normal.definitions)}


def read(case: Case, known: dict[str, Any]) -> Normal:
    declared = isinstance(case.schema, dict) and "$schema" in case.schema
    return normal_form(case.schema, dialect=None if declared else case.dialect, resources=known)


def wrong_verdicts(case: Case, known: dict[str, Any]) -> list[str]:
    validator = Draft202012Validator(whole(read(case, known)))
    return [
        f"{case.name} | {test['description']}"
        for test in case.tests
        if validator.is_valid(test["data"]) != test["valid"]
    ]


@pytest.mark.parametrize("folder", DIALECTS)
def test_the_normal_form_gives_the_verdict_of_every_required_test(folder: str) -> None:
    known = documents(folder)
    wrong = [
        text
        for case in cases(folder)
        if not case.description.startswith(OTHER_PATTERNS)
        for text in wrong_verdicts(case, known)
    ]
    assert wrong == []


@pytest.mark.parametrize("folder", DIALECTS)
def test_the_normal_form_gives_the_verdict_of_the_optional_tests_about_schemas(folder: str) -> None:
    known = documents()
    wrong = [
        text
        for case in cases(folder, "optional")
        if case.file not in OTHER_OPTIONS
        for text in wrong_verdicts(case, known)
    ]
    assert wrong == []


@pytest.mark.parametrize("folder", DIALECTS)
def test_the_dialect_that_schema_names_is_found(folder: str) -> None:
    known = documents(folder)
    for case in [*cases(folder), *cases(folder, "optional")]:
        declared = case.schema.get("$schema") if isinstance(case.schema, dict) else None
        if declared and "localhost" not in declared:
            found = detect(case.schema)
            assert (found.dialect, found.certainty) == (case.dialect, "declared"), case.name
        elif declared and declared in known:
            assert read(case, known).detection.dialect == case.dialect, case.name


@pytest.mark.parametrize("folder", DIALECTS)
def test_the_dialect_is_found_by_marks_that_only_it_has(folder: str) -> None:
    seen = 0
    for case in cases(folder):
        if isinstance(case.schema, dict):
            found = detect({key: value for key, value in case.schema.items() if key != "$schema"})
            if found.certainty == "marked":
                seen += 1
                assert found.dialect == case.dialect, (case.name, found)
    has_marks_of_its_own = folder not in {"draft4", "draft6", "draft7"}
    assert bool(seen) >= has_marks_of_its_own


@pytest.mark.parametrize("folder", DIALECTS)
def test_every_schema_is_read_into_what_the_normal_form_promises(folder: str) -> None:
    known = documents(folder)
    for case in cases(folder):
        normal = read(case, known)
        keep_promises(normal.root, normal)
        for name, schema in normal.definitions.items():
            assert re.fullmatch(r"[A-Za-z0-9_-]+", name), name
            keep_promises(schema, normal)


GONE = {
    "$id", "$anchor", "$schema", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "$defs",
    "definitions", "additionalItems", "dependencies", "nullable", "extends", "disallow", "divisibleBy", "id",
}  # fmt: skip
ONE = {
    "items", "contains", "not", "if", "then", "else", "additionalProperties", "propertyNames", "unevaluatedItems",
    "unevaluatedProperties", "contentSchema",
}  # fmt: skip


def keep_promises(schema: Any, normal: Normal) -> None:
    assert type(schema).__name__ == "Schema"
    assert isinstance(schema.place, tuple)
    assert not GONE & schema.keys()
    if "$ref" in schema:
        assert schema["$ref"].removeprefix("#/$defs/") in normal.definitions
    for keyword, value in schema.items():
        if keyword in ONE:
            keep_promises(value, normal)
        elif keyword in {"allOf", "anyOf", "oneOf", "prefixItems"}:
            for child in value:
                keep_promises(child, normal)
        elif keyword in {"properties", "patternProperties", "dependentSchemas"}:
            for child in value.values():
                keep_promises(child, normal)
