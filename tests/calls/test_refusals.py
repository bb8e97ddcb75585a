"""The refusal: one bounded text that a model can act on, and nothing in it that should not be there."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from toolglot.calls.arguments import parse_arguments
from toolglot.calls.check import check
from toolglot.calls.refusals import LIMIT, Wording, declared_names, refusal
from toolglot.errors import Problem

SCHEMA = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "lines": {"type": "integer", "minimum": 1, "x-aliases": ["limit"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "map": {"type": "object", "additionalProperties": {"type": "integer"}},
    },
    "required": ["path"],
}


def told(call: Any, schema: Any = SCHEMA, depth: str = "schema", **options: Any) -> str:
    text = refusal(check(schema, call, depth=depth), tool="read", **options)
    text.encode("utf-8")
    return text


def test_no_problems_are_no_refusal() -> None:
    assert refusal(()) == ""


def test_a_refusal_names_tool_key_domain_and_what_came() -> None:
    text = told({"path": "a", "limit": 0})
    assert [word in text for word in ("read", "limit", "a whole number, 1 or more", "got 0", "Nothing was done")] == [
        True
    ] * 5
    assert "lines" not in text
    assert "output" not in text


@pytest.mark.parametrize("depth", ["keys", "values", "schema"])
def test_each_missing_key_is_told_with_its_domain(depth: str) -> None:
    schema = {"properties": {"a": {"type": "integer"}, "b": {"type": "boolean"}}, "required": ["a", "b"]}
    text = told({}, schema, depth)
    assert [word in text for word in ("`a`", "a whole number", "`b`", "true or false")] == [True] * 4


@pytest.mark.parametrize("sent", ["text", 5, [1], True])
def test_an_input_that_is_no_object_is_told_with_what_it_was(sent: Any) -> None:
    kinds = {"text": "text", 5: "a number", True: "a boolean"}
    assert (kinds.get(sent, "a") if not isinstance(sent, list) else "a list") in told(sent, depth="keys")


def test_stray_keys_and_the_likely_one_are_told_once() -> None:
    schema = {"properties": {"path": {}, "text": {}}, "required": ["path", "text"]}
    text = told({"pth": 1, "colour": 2}, schema)
    assert text.count('"colour"') == 1
    assert text.count('"pth"') == 1
    assert "its name is `path`" in text


def test_an_empty_or_null_optional_is_told_to_be_left_out() -> None:
    schema = {"properties": {"sel": {"type": "string", "pattern": "^[a-z]+$"}}}
    for depth, value in (("schema", ""), ("schema", None), ("values", None)):
        (problem,) = check(schema, {"sel": value}, depth=depth)
        assert "leave it out" in (problem.hint or "")
    (problem,) = check({**schema, "required": ["sel"]}, {"sel": ""})
    assert problem.hint is None


def test_a_quoted_value_is_told_to_be_sent_without_quotes() -> None:
    schema = {"properties": {"o": {"type": "object"}, "n": {"type": "integer"}, "s": {"type": ["object", "string"]}}}
    for depth in ("values", "schema"):
        hints = [problem.hint for problem in check(schema, {"o": '{"a": 1}', "n": "5", "s": "{}"}, depth=depth)]
        assert len(hints) == 2
        assert all(hint and "itself" in hint for hint in hints)
        (problem,) = check(schema, {"o": "plain"}, depth=depth)
        assert problem.hint is None


def test_many_alike_problems_are_told_once_and_counted() -> None:
    text = told({"path": "a", "tags": [1] * 2000})
    assert text.count("/tags/") == 1
    assert "at least 63 more" in text
    assert "and 2 more" in told({"path": "a", "tags": [1, 2, 3]})


@pytest.mark.parametrize(
    "call",
    [
        {f"key{number}": number for number in range(90_000)},
        {"path": 5, "tags": list(range(100_000))},
        {"path": "a", "map": {"k" * 5000 + str(number): "x" for number in range(200)}},
        {"path": ["x" * 1_000_000]},
        {"path": {"\ud800" * 500: "\udfff" * 500}},
        {"\ud800": "\ud800", "path": 1, "lines": "\udc00\u0000\u202e" * 1000},
        {"path": 10**5000, "lines": -(10**100_000)},
        {"path": json.loads("[" * 400 + "]" * 400)},
        {"path": 1, "lines": float("inf"), "tags": [float("nan")] * 100},
        {f"p{number}": 1 for number in range(50)},
        "x" * 1_000_000,
        list(range(100_000)),
    ],
    ids=range(12),
)
@pytest.mark.parametrize("depth", ["keys", "values", "schema"])
def test_whatever_is_sent_the_refusal_keeps_its_limit(call: Any, depth: str) -> None:
    for values in (True, False):
        text = told(call, depth=depth, values=values)
        assert len(text) <= LIMIT
        assert text or not check(SCHEMA, call, depth=depth)
        assert len(told(call, depth=depth, values=values, limit=120)) <= 120


def test_many_different_problems_are_counted() -> None:
    schema = {"properties": {f"parameter_{number}": {"type": "integer"} for number in range(60)}}
    text = told({f"parameter_{number}": "x" for number in range(60)}, schema)
    assert len(text) <= LIMIT
    shown = text.count("wanted")
    assert f"{60 - shown} more problems" in text


def test_a_long_value_is_cut_between_characters_with_its_length() -> None:
    text = told({"path": "a", "lines": "e\u0301" * 500})
    assert "1,000 characters" in text
    cut = text[text.index('got "') + 5 : text.index("…")]
    assert set(cut[1::2]) == {"\u0301"}
    assert len(cut) % 2 == 0


def test_the_nearest_branch_of_a_union_speaks_alone() -> None:
    branch = {"type": "object", "required": ["kind", "n"]}
    shapes = [
        {**branch, "properties": {"kind": {"const": name}, "n": {"type": "integer"}}} for name in ("a", "b", "c", "d")
    ]
    text = told({"x": {"kind": "c", "n": "many"}}, {"properties": {"x": {"anyOf": shapes}}})
    assert text.count("wanted") == 1
    assert "/x/n" in text


def test_a_key_that_a_closed_object_refuses_is_told_with_the_parameter_it_was_likely_meant_for() -> None:
    schema = {"properties": {"limit": {}, "path": {}}, "additionalProperties": False}
    hints = {problem.path[0]: problem.hint for problem in check(schema, {"limt": 1, "max_results": 1, "colour": 1})}
    assert "`limit`" in (hints["limt"] or "")
    assert "`limit`" in (hints["max_results"] or "")
    assert hints["colour"] is None


# Privacy --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", ["keys", "values", "schema"])
def test_without_values_nothing_of_the_caller_is_told(depth: str) -> None:
    call = {"pth": "secret-1", "lines": "secret-2", "map": {"secret-3": "secret-4"}, "tags": ["ok", 77345]}
    text = told(call, depth=depth, values=False, names=declared_names(SCHEMA))
    assert [word for word in ("secret", "pth", "77345") if word in text] == []
    assert "`path`" in text
    assert depth == "keys" or "`lines`" in text


def test_names_that_a_schema_declares_are_the_authors() -> None:
    schema = {"properties": {"a": {"properties": {"b": {"x-aliases": ["c"]}}}}, "$defs": {"D": {"required": ["e"]}}}
    assert declared_names(schema) == {"a", "b", "c", "e"}


def test_without_values_a_text_that_did_not_arrive_is_told_without_its_words() -> None:
    text = refusal(parse_arguments('{"secret-1": 1, "secret-1": 2}').problems, tool="t", values=False)
    assert "secret" not in text


# Wording --------------------------------------------------------------------------------------------


def test_a_text_that_did_not_arrive_whole_is_told_so() -> None:
    text = refusal(parse_arguments('{"a": [1, 2').problems, tool="read")
    assert "did not arrive whole" in text
    assert "11 characters" in text


def test_a_results_fault_is_worded_as_the_tools_and_a_calls_never_is() -> None:
    problem = Problem(("n",), "type", "schema", "x", "a whole number")
    of_result = refusal([problem], tool="t", of="result")
    of_call = refusal([problem], tool="t")
    assert "output schema" in of_result
    assert "Send" not in of_result
    assert "output" not in of_call


def test_every_sentence_can_be_replaced() -> None:
    plain = {field.name: getattr(Wording(), field.name) for field in dataclasses.fields(Wording)}
    other = Wording(
        **{
            name: f"§{text}" if isinstance(text, str) else {key: f"§{word}" for key, word in text.items()}
            for name, text in plain.items()
        }
    )
    for call in ({}, {"path": None}, {"pth": 1}, [], {"path": "a", "tags": [1, 2]}, {"path": "a", "lines": 0}):
        lines = told(call, wording=other).splitlines()
        assert all(line.removeprefix("- ").startswith("§") for line in lines)
    text = refusal(parse_arguments("{").problems, wording=other)
    assert all(line.removeprefix("- ").startswith("§") for line in text.splitlines())


def test_a_problem_carries_everything_as_fields() -> None:
    problem = check(SCHEMA, {"path": "a", "lines": 0})[0]
    fields = dataclasses.asdict(problem)
    assert {"path", "keyword", "rule", "got", "wanted", "hint"} <= fields.keys()
    assert json.loads(json.dumps(fields))["wanted"] == "a whole number, 1 or more"


@pytest.mark.parametrize(
    "wrong",
    [{"problem": "{nope}"}, {"problem": "{"}, {"tool": "{name.__class__}"}, {"missing": "{got}"}, {"hint": "{0}"}],
)
def test_a_sentence_that_cannot_be_filled_in_is_refused_when_it_is_given(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Wording(**wrong)  # type: ignore[arg-type] # each is a text


def test_a_sentence_may_say_less_and_one_without_slots_may_have_braces() -> None:
    wording = Wording(problem="{place} is wrong", last='Send {"path": ...} again.', unnamed="{place} is {got}")
    assert told({"path": 5}, wording=wording).splitlines()[1:] == ["- `path` is wrong.", 'Send {"path": ...} again.']
