"""The compiled tests, the exact checker, and two other libraries agree on generated schemas and on the corpus."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from jsonschema import validators
from tests.calls.generated import VALUES, schemas
from tests.shared_data import corpus

from toolglot.calls.checker import Checker, checker, checker_of
from toolglot.errors import SchemaError
from toolglot.schemas.normal import normal_form

CLASSES = {
    "draft-03": validators.Draft3Validator,
    "draft-04": validators.Draft4Validator,
    "draft-06": validators.Draft6Validator,
    "draft-07": validators.Draft7Validator,
    "2019-09": validators.Draft201909Validator,
    "2020-12": validators.Draft202012Validator,
}
QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large, HealthCheck.large_base_example]


def compiled(schema: Any) -> Checker | None:
    """The checker; None where references lead back to themselves without progress, which is refused."""
    try:
        return checker_of(normal_form(schema, dialect="2020-12"))
    except SchemaError:
        return None


def agree(schema: Any, value: Any) -> None:
    held = compiled(schema)
    assume(held is not None)
    assert held is not None
    answer = held.accepts(value)
    assert answer is not bool(held._finder.exactly(value))
    assert answer is not bool(held.problems(value))


def agrees_with_jsonschema(schema: Any, value: Any) -> None:
    held = compiled(schema)
    assume(held is not None)
    assert held is not None
    assert held.accepts(value) is validators.Draft202012Validator(schema).is_valid(value)


@given(schemas(), VALUES)
@settings(max_examples=150, deadline=None, suppress_health_check=QUIET)
def test_the_compiled_tests_agree_with_the_exact_checker(schema: Any, value: Any) -> None:
    agree(schema, value)


@given(schemas(), VALUES)
@settings(max_examples=150, deadline=None, suppress_health_check=QUIET)
def test_the_check_agrees_with_an_independent_validator(schema: Any, value: Any) -> None:
    agrees_with_jsonschema(schema, value)


@pytest.mark.heavy
@given(schemas(), VALUES)
@settings(max_examples=20_000, deadline=None, suppress_health_check=QUIET)
def test_twenty_thousand_schemas_and_values_give_no_disagreement(schema: Any, value: Any) -> None:
    agree(schema, value)
    agrees_with_jsonschema(schema, value)


def judged_like_jsonschema(records: list[dict[str, Any]]) -> Counter[str]:
    """Counts what judged each instance, having compared every verdict."""
    counts: Counter[str] = Counter()
    for record in records:
        held = checker(record["schema"], formats=False)
        reference = CLASSES[held.normal.detection.dialect](record["schema"])
        counts["schemas"] += 1
        for test in record["tests"]:
            value = test["data"]
            judged = held._judged(value)
            counts["exact checker alone" if isinstance(judged, tuple) else "compiled tests"] += 1
            assert held.accepts(value) is reference.is_valid(value), record["name"]
            assert held.accepts(value) is not bool(held._finder.exactly(value)), record["name"]
    return counts


def test_every_eighth_corpus_schema_judges_as_jsonschema_does() -> None:
    counts = judged_like_jsonschema(list(corpus())[::8])
    assert counts["compiled tests"] > 500
    assert not counts["exact checker alone"]


@pytest.mark.heavy
def test_every_corpus_schema_judges_as_jsonschema_does(
    capsys: pytest.CaptureFixture[str], record_property: Callable[[str, object], None]
) -> None:
    counts = judged_like_jsonschema(list(corpus()))
    total = counts["compiled tests"] + counts["exact checker alone"]
    share = counts["compiled tests"] / total
    record_property("judged by compiled tests", share)
    with capsys.disabled():
        sys.stdout.write(f"\ncorpus: {counts['schemas']} schemas, {total} instances: {dict(counts)}\n")
    assert share >= 0.97
