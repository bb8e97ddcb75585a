"""The arguments as they arrive: told apart, read whole or refused with the place, numbers kept as written."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest

from toolglot.calls.arguments import DEEPEST, LONGEST_INTEGER, WrittenNumber, parse_arguments
from toolglot.calls.checker import checker


def test_nothing_an_empty_text_an_empty_object_and_null_are_told_apart() -> None:
    forms = {sent: parse_arguments(sent).form for sent in (None, "", " \n", b"", "{}", "null")}
    assert forms == {None: "absent", "": "empty", " \n": "empty", b"": "empty", "{}": "given", "null": "null"}
    assert [parse_arguments(sent).value for sent in (None, "", "{}", "null")] == [{}, {}, {}, None]
    assert [parse_arguments(sent).came for sent in (None, "", "{}", "null", "{")] == [False, False, True, True, False]


def test_a_ready_object_is_passed_on_and_not_copied() -> None:
    sent = {"a": [1]}
    assert parse_arguments(sent).value is sent


@pytest.mark.parametrize("value", [[1], 5, True, 2.5])
def test_a_ready_value_of_another_kind_is_passed_on_for_the_check_to_refuse(value: Any) -> None:
    assert parse_arguments(value).value == value
    assert parse_arguments(value).problems == ()


@pytest.mark.parametrize(
    "text",
    [
        '{"a":',
        '{"a": "x',
        '{"a": 1',
        '{"a": tr',
        '{"a": 1.',
        '{"a": 1e',
        '{"a": -',
        '{"a": "\\',
        '{"a": "\\u12',
        '{"a": "\\u12ab',
        "[1,",
        '{"a',
    ],
)
def test_a_text_that_is_cut_off_did_not_arrive_whole(text: str) -> None:
    (problem,) = parse_arguments(text).problems
    assert problem.rule == "text-cut-off"
    assert str(len(text)) in (problem.hint or "")


def test_every_beginning_of_a_call_did_not_arrive_whole() -> None:
    text = '{"a\\"b": [1, -2.5e+10, true, false, null, {"c": "\\\\ \\u00e4 x: 1"}], "d": {}, "e": "é\\n"}'
    assert parse_arguments(text).problems == ()
    for end in range(1, len(text)):
        assert [problem.rule for problem in parse_arguments(text[:end]).problems] == ["text-cut-off"], text[:end]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a" 1}', "line 1, column 6"),
        ('{"a" 1', "line 1, column 6"),
        ('{"a": "\\u12", "b": 1}', "line 1, column 9"),
        ('{"a": 1,\n "b": tru}', "line 2, column 7"),
        ('{"a": 1} {"b": 2}', "line 1, column 10"),
        ("{'a': 1}", "line 1, column 2"),
        ('{"a": 1,}', "line 1, column 9"),
        ('{"a": "\t"}', "line 1, column 8"),
        ("fine", "line 1, column 1"),
    ],
)
def test_a_text_that_is_no_json_is_refused_with_its_line_and_column(text: str, place: str) -> None:
    (problem,) = parse_arguments(text).problems
    assert problem.rule == "text-not-json"
    assert (problem.hint or "").startswith(place)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('{"a": 1, "a": 1}', ("a",)),
        ('{"b": [{}, {"c": 1, "d": 2, "c": 3}]}', ("b", 1, "c")),
        ('{"a": 1, "\\u0061": 2}', ("a",)),
        ('{"a" : 1, "a"\n: 2}', ("a",)),
        ('{"text": "\\"a\\": 1", "a": 1, "a": 1}', ("a",)),
    ],
)
def test_a_key_that_stands_twice_is_refused_with_its_path(text: str, path: Any) -> None:
    (problem,) = parse_arguments(text).problems
    assert (problem.rule, problem.path) == ("text-duplicate-key", path)


def test_the_same_key_in_two_objects_is_no_duplicate() -> None:
    assert parse_arguments('{"a": {"b": 1}, "c": {"b": 1}}').problems == ()


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_what_json_has_no_number_for_is_refused_with_its_path(word: str) -> None:
    (problem,) = parse_arguments(f'{{"a": [1, {word}]}}').problems
    assert (problem.rule, problem.path) == ("text-not-a-number", ("a", 1))


def test_integers_are_exact_as_long_as_they_can_be_read() -> None:
    digits = "9" * LONGEST_INTEGER
    assert parse_arguments('{"n": 123456789012345678901234567890}').value == {"n": 123456789012345678901234567890}
    assert parse_arguments(f'{{"n": {digits}}}').value["n"] % 1000 == 999
    (problem,) = parse_arguments(f'{{"n": {digits}0}}').problems
    assert (problem.rule, problem.path) == ("text-number-out-of-range", ("n",))


@pytest.mark.parametrize("before", range(0, 3 * LONGEST_INTEGER, 1433))
def test_a_long_integer_is_found_wherever_it_stands(before: int) -> None:
    for length, rules in ((LONGEST_INTEGER, []), (LONGEST_INTEGER + 1, ["text-number-out-of-range"])):
        text = f'["{"x" * before}", {"1" * length}, "{"x" * 5000}"]'
        assert [problem.rule for problem in parse_arguments(text).problems] == rules


@pytest.mark.parametrize("text", ["1e400", "-1e400", "1e-400"])
def test_a_number_that_no_double_holds_is_refused_and_not_read_as_another(text: str) -> None:
    (problem,) = parse_arguments(f'{{"n": {text}}}').problems
    assert (problem.rule, problem.path) == ("text-number-out-of-range", ("n",))


@pytest.mark.parametrize("text", ["0.1", "1e22", "1E5", "-0.0", "1.0", "0.30000000000000004", "5e-324", "0e999"])
def test_a_number_that_a_double_holds_is_a_plain_float(text: str) -> None:
    number = parse_arguments(f"[{text}]").value[0]
    assert type(number) is float
    assert number == float(text)


def test_a_number_with_more_digits_than_a_double_keeps_its_text() -> None:
    written = "0.1234567890123456789"
    number = parse_arguments(f'{{"n": {written}}}').value["n"]
    assert isinstance(number, WrittenNumber)
    assert isinstance(number, float)
    assert (number.text, repr(number), number == float(written)) == (written, written, True)
    assert copy.deepcopy(number).text == pickle.loads(pickle.dumps(number)).text == written  # noqa: S301 - our own bytes
    assert json.loads(json.dumps(number)) == float(written)
    assert checker({"type": "number", "maximum": 1}).accepts(number)
    assert not checker({"type": "number", "maximum": 0.1}).accepts(number)


def test_text_that_is_no_unicode_is_refused_with_the_byte() -> None:
    (problem,) = parse_arguments(b'{"a": "\xff"}').problems
    assert problem.rule == "text-not-unicode"
    assert "byte 7" in (problem.hint or "")


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert parse_arguments(b'\xef\xbb\xbf{"a": 1}').value == {"a": 1}


def test_half_a_surrogate_pair_is_a_text_like_any_other() -> None:
    assert parse_arguments('{"a": "\\ud800"}').value == {"a": "\ud800"}


def test_nesting_is_read_to_the_limit_and_refused_beyond() -> None:
    assert parse_arguments("[" * DEEPEST + "1" + "]" * DEEPEST).problems == ()
    for text in ("[" * (DEEPEST + 1) + "1" + "]" * (DEEPEST + 1), "[" * 1_000_000, '{"a":' * 200_000):
        (problem,) = parse_arguments(text).problems
        assert problem.rule == "text-too-deep"


def test_many_containers_that_are_not_deep_are_read() -> None:
    assert len(parse_arguments("[" + ",".join(["[]"] * 2000) + "]").value) == 2000


def test_a_fault_deep_in_a_broad_text_is_found() -> None:
    text = "[" * 400 + ",".join(["[1]"] * 3000) + ',{"a":NaN}' + "]" * 400
    (problem,) = parse_arguments(text).problems
    assert problem.path == (*(0,) * 399, 3000, "a")


@pytest.mark.parametrize("other", ["\u00a0", "\u2028", "\x0c", "\x1f", "\u3000"])
def test_white_space_that_is_none_in_json_is_no_json(other: str) -> None:
    for text in (other, '{"a": 1}' + other, other + '{"a": 1}'):
        (problem,) = parse_arguments(text).problems
        assert problem.rule == "text-not-json"
