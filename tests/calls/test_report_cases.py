"""Open reports about calls, each with the behaviour that is right: the shared cases as they stand, and what
single cases ask for beyond accepting and refusing, in words and values of our own."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.shared_data import shared

from toolglot import SchemaError, Toolbox, check
from toolglot.calls.check import held_check
from toolglot.calls.output import check_output
from toolglot.calls.refusals import LIMIT, declared_names, refusal

TARGET = "llama.cpp"


def cases() -> dict[str, Any]:
    found = json.loads(shared("cases", "reports-open.json").read_text(encoding="utf-8"))
    return {case["id"]: case for case in found if case["probes"]}


def box(schema: Any, **options: Any) -> Toolbox:
    return Toolbox([{"name": "tool", "inputSchema": schema}], **options)


def values_of(case: Any) -> Iterator[tuple[Any, bool]]:
    yield from ((probe["value"], probe["valid"]) for probe in case["probes"])
    if case["strict_verdict"] != "n/a":
        yield case["call"], case["strict_verdict"] == "accept"


def test_every_case_gets_its_verdict_and_no_call_is_changed() -> None:
    wrong = []
    for name, case in cases().items():
        for value, valid in values_of(case):
            before = copy.deepcopy(value)
            answer = box(case["schema"]).read("tool", value)
            same = answer.arguments == before if valid else answer.arguments is None
            if answer.fits != valid or not same or value != before or bool(check(case["schema"], value)) == valid:
                wrong.append((name, value))
    assert wrong == []


def test_every_case_gets_its_verdict_as_text_and_behind_a_target_too() -> None:
    wrong = []
    for name, case in cases().items():
        for value, valid in values_of(case):
            held = box(case["schema"], target=TARGET)
            if held.read("tool", json.dumps(value)).fits != valid:
                wrong.append((name, value))
    assert wrong == []


@pytest.mark.parametrize("depth", ["keys", "values"])
def test_the_shallow_depths_refuse_no_call_that_fits(depth: str) -> None:
    wrong = [
        (name, value)
        for name, case in cases().items()
        for value, valid in values_of(case)
        if valid and check(case["schema"], value, depth=depth)
    ]
    assert wrong == []


# What single cases ask for --------------------------------------------------------------------------

Case = Callable[[], None]


def a_json_text_for_a_text_parameter_is_delivered_as_it_is() -> None:
    schema = {"properties": {"body": {"type": "string"}}}
    call = {"body": '["kept", "as", "text"]'}
    assert box(schema, readings=True).read("tool", call).arguments == call


def a_flag_in_quotes_is_never_read_as_its_opposite() -> None:
    schema = {"properties": {"dry_run": {"type": "boolean"}}, "required": ["dry_run"]}
    lenient = box(schema, readings=True)
    assert not box(schema).read("tool", {"dry_run": "false"}).fits
    assert lenient.read("tool", {"dry_run": "false"}).arguments == {"dry_run": False}
    assert [lenient.read("tool", {"dry_run": word}).fits for word in ("no", "False", "0", 0, 1, "")] == [False] * 6


def a_quoted_object_is_told_so_and_read_only_by_policy() -> None:
    schema = {"properties": {"where": {"type": "object", "required": ["city"]}}, "required": ["where"]}
    strict = box(schema).read("tool", {"where": '{"city": "Ulm"}'})
    assert strict.problems[0].hint
    assert "an object" in strict.problems[0].wanted
    lenient = box(schema, readings=True)
    answer = lenient.read("tool", {"where": '{"city": "Ulm"}'})
    assert (answer.arguments, len(answer.readings)) == ({"where": {"city": "Ulm"}}, 1)
    assert not lenient.read("tool", {"where": '{"city": "Ulm"'}).fits
    assert not lenient.read("tool", {"where": '{"town": "Ulm"}'}).fits


def a_null_that_only_stands_for_absent_is_refused_raw() -> None:
    schema = {"properties": {"a": {"type": "string"}, "b": {"type": ["string", "null"]}}, "required": ["a"]}
    assert not box(schema).read("tool", {"a": None}).fits
    assert box(schema).read("tool", {"a": "x", "b": None}).arguments == {"a": "x", "b": None}


def a_whole_number_may_be_written_with_a_point() -> None:
    schema = {"properties": {"n": {"type": "integer"}}}
    for depth in ("values", "schema"):
        assert check(schema, {"n": 7.0}, depth=depth) == ()
        assert check(schema, {"n": 7.5}, depth=depth) != ()
        assert check(schema, {"n": True}, depth=depth) != ()


def a_value_that_fits_a_union_is_not_read_anew() -> None:
    schema = {"properties": {"key": {"type": ["number", "string"]}}}
    answer = box(schema, readings=True).read("tool", {"key": "0042"})
    assert (answer.arguments, answer.readings) == ({"key": "0042"}, ())


def filler_for_an_optional_is_refused_with_the_advice_to_leave_it_out() -> None:
    schema = {"properties": {"tag": {"type": "string", "pattern": "^v[0-9]+$"}, "note": {"type": "string"}}}
    (problem,) = check(schema, {"tag": "", "note": ""})
    assert problem.path == ("tag",)
    assert "leave it out" in (problem.hint or "")
    answer = box(schema, readings=["read-empty-as-absent"]).read("tool", {"tag": "", "note": ""})
    assert answer.arguments == {"note": ""}


def a_reference_to_elsewhere_is_the_authors_error_and_nothing_is_fetched() -> None:
    schema = {"properties": {"at": {"$ref": "https://elsewhere.example/point"}}}
    with pytest.raises(SchemaError):
        check(schema, {"at": 1})
    assert set(box(schema).broken) <= {"tool"}
    assert check(schema, {"at": 1}, resources={"https://elsewhere.example/point": {"type": "integer"}}) == ()
    assert check(schema, {"at": "x"}, resources={"https://elsewhere.example/point": {"type": "integer"}}) != ()


def no_default_of_any_branch_is_filled_in() -> None:
    lamp = {"properties": {"a": {"default": 1}}, "required": ["b"], "type": "object"}
    call = {"b": 2}
    assert box({"oneOf": [lamp, {"required": ["c"]}]}).read("tool", call).arguments == {"b": 2}


def a_calls_fault_is_worded_as_a_calls() -> None:
    text = box({"properties": {"n": {"type": "integer"}}, "required": ["n"]}).read("tool", {}).refusal or ""
    assert [word in text for word in ("arguments", "tool", "`n`", "missing", "a whole number")] == [True] * 5
    assert "output" not in text


def a_refusal_is_bounded_whatever_was_sent() -> None:
    schema = {"properties": {"rows": {"type": "array", "items": {"type": "boolean"}}}}
    for call in ({"rows": ["n"] * 30_000}, {"rows": "x" * 30_000}):
        assert len(box(schema).read("tool", call).refusal or "") <= LIMIT


def a_refusal_can_be_kept_free_of_the_callers_data() -> None:
    schema = {"properties": {"code": {"maxLength": 3}, "by": {"additionalProperties": {"type": "boolean"}}}}
    problems = check(schema, {"code": "p4ssw0rd", "by": {"user-77": "x"}})
    text = refusal(problems, values=False, names=declared_names(schema))
    assert [word for word in ("p4ssw0rd", "user-77") if word in text] == []
    assert [word in text for word in ("`code`", "`/by/*`")] == [True, True]


def a_declared_output_that_is_missing_is_the_servers_fault() -> None:
    tool = {"name": "t", "inputSchema": {}, "outputSchema": {"type": "object", "required": ["sum"]}}
    assert [problem.rule for problem in check_output(tool, {"content": [], "isError": False})] == ["output-missing"]
    assert check_output(tool, {"content": [], "isError": True}) == ()
    assert check_output(tool, {"content": [], "structuredContent": {"sum": 1}}) == ()
    assert check_output(tool, {"sum": 1, "structuredContent": {}}) != ()


def required_keys_of_a_conjunction_are_all_required() -> None:
    schema = {"allOf": [{"properties": {"a": {"type": "integer"}}}, {"required": ["a", "b"]}]}
    held = held_check(schema)
    assert {problem.path for problem in held.problems({})} == {("a",), ("b",)}
    assert held.accepts({"a": 1, "b": 2})


def a_parameter_may_be_called_like_a_keyword() -> None:
    schema = {"properties": {"title": {"type": "string"}, "enum": {"type": "integer"}}, "required": ["title", "enum"]}
    for depth in ("keys", "values", "schema"):
        assert check(schema, {"title": "x", "enum": 1}, depth=depth) == ()
        assert [problem.path for problem in check(schema, {"title": "x"}, depth=depth)] == [("enum",)]


ASKED: dict[str, Case] = {
    "rp017": required_keys_of_a_conjunction_are_all_required,
    "rp018": a_parameter_may_be_called_like_a_keyword,
    "rp025": a_json_text_for_a_text_parameter_is_delivered_as_it_is,
    "rp026": a_flag_in_quotes_is_never_read_as_its_opposite,
    "rp028": a_quoted_object_is_told_so_and_read_only_by_policy,
    "rp029": a_null_that_only_stands_for_absent_is_refused_raw,
    "rp033": a_whole_number_may_be_written_with_a_point,
    "rp035": a_value_that_fits_a_union_is_not_read_anew,
    "rp036": filler_for_an_optional_is_refused_with_the_advice_to_leave_it_out,
    "rp054": a_reference_to_elsewhere_is_the_authors_error_and_nothing_is_fetched,
    "rp057": no_default_of_any_branch_is_filled_in,
    "rp063": a_calls_fault_is_worded_as_a_calls,
    "rp067": a_refusal_is_bounded_whatever_was_sent,
    "rp068": a_refusal_can_be_kept_free_of_the_callers_data,
    "rp076": a_declared_output_that_is_missing_is_the_servers_fault,
}


@pytest.mark.parametrize("case", ASKED)
def test_a_case_gets_the_behaviour_that_is_right(case: str) -> None:
    ASKED[case]()
