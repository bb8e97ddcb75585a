"""The quick way in for a call's text: it answers as the careful one does, or not at all."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolglot import Toolbox
from toolglot.calls.arguments import DEEPEST, parse_arguments
from toolglot.calls.quick import LONGEST, quick_object

PLAIN = [
    "{}",
    '{"a": 1}',
    '{"a":-0.0,"b":[1,2.5,{"c":[]}],"d":{"e":null,"f":"x"}}',
    '{"at": "12:30", "url": "https://a.example/?q=1"}',
    '{"a" : 1, "b"\n:\t{"c" :2}}',
    '{"\\u00e4": "\\ud83d\\ude00", "half": "\\ud800"}',
    '{"id": 123456789012345678901234567890}',
]
LOOK_AGAIN = [
    '{"quoted": "\\"b\\":1"}',
    '{"a": 1, "a": 1}',
    '{"a": 1, "\\u0061": 2}',
    '{"a" : 1, "a":2}',
    '{"a":":", "a" :1}',
    '{"a": {"b": 1, "b": 2}, "c": "x: y"}',
    '{"a": [{"b": 1, "b": 2}]}',
    '{"n": NaN}',
    '{"n": [-Infinity]}',
    '{"n": 1e400}',
    '{"n": 1e-400}',
    '{"n": 0.1000000000000000055}',
    '{"n": 1e3}',
    '{"a": 1',
    '{"a": 1} x',
    '{"a": 1} ',
    ' {"a": 1}',
    '\ufeff{"a": 1}',
    "",
    "null",
    "[1]",
    '"text"',
    '{"a": "\t"}',
    '{"n": ' + "9" * LONGEST + "}",
    '{"a": ' + "[" * DEEPEST + "]" * DEEPEST + "}",
    "[" * 100_000,
    None,
    b'{"a": 1}',
    {"a": 1},
]


@pytest.mark.parametrize("text", PLAIN)
def test_a_plain_object_is_read_the_quick_way(text: str) -> None:
    assert same(quick_object(text), parse_arguments(text).value)


@pytest.mark.parametrize("text", LOOK_AGAIN, ids=lambda text: repr(text)[:40])
def test_what_wants_a_second_look_has_no_quick_answer(text: Any) -> None:
    assert quick_object(text) is None


def test_a_text_as_deep_as_may_be_is_read_the_quick_way() -> None:
    inner = DEEPEST - 1
    text = '{"a": ' + "[" * inner + "1" + "]" * inner + "}"
    assert same(quick_object(text), parse_arguments(text).value)


PIECES = [
    '{"a"',
    '"a"',
    '"b":',
    ":",
    " :",
    "{",
    "}",
    "[",
    "]",
    ",",
    "1",
    "-",
    ".5",
    "e9",
    "1e400",
    "NaN",
    '":"',
    " ",
    "\n",
]


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_the_quick_answer_is_the_careful_one_for_any_text(text: str) -> None:
    agrees(text)


def test_the_quick_answer_is_the_careful_one_for_damaged_calls() -> None:
    chance = random.Random(7)
    for _ in range(4_000):
        text = json.dumps(some_object(chance, 3), separators=chance.choice([(",", ":"), (", ", ": "), (",", " :")]))
        agrees(text)
        at = chance.randrange(len(text))
        agrees(text[:at] + chance.choice([*PIECES, ""]) + text[at + chance.randrange(3) :])


def agrees(text: str) -> None:
    quick = quick_object(text)
    if quick is not None:
        careful = parse_arguments(text)
        assert careful.problems == ()
        assert same(quick, careful.value)


def some_object(chance: random.Random, levels: int) -> dict[str, Any]:
    kinds = [1, -7, 2.5, "x", "a: b", '":', None, True, [], {}, [1, [2]]]
    some = {chance.choice("abcde:"): chance.choice(kinds) for _ in range(chance.randrange(5))}
    if levels:
        some["in"] = chance.choice([some_object(chance, levels - 1), [some_object(chance, levels - 1)]])
    return some


def same(left: Any, right: Any) -> bool:
    return repr(left) == repr(right)


def test_a_tool_s_second_call_is_answered_as_its_first() -> None:
    tool = {
        "name": "find",
        "inputSchema": {
            "type": "object",
            "properties": {"at": {"type": "string"}, "n": {"type": "number"}, "in": {"type": "array"}},
            "required": ["at"],
            "additionalProperties": False,
        },
    }
    calls = [
        *PLAIN,
        *LOOK_AGAIN,
        '{"at": "12:30", "n": 1.5}',
        '{"at": 1}',
        {"at": "x"},
        {"at": 1},
        '{"at": "x", "at": "y"}',
    ]
    for depth in (None, "keys", "values", "schema"):
        held = Toolbox([tool])
        held.read("find", {"at": "x"}, depth=depth)
        for call in calls:
            first = Toolbox([tool]).read("find", call, depth=depth)
            assert repr(held.read("find", call, depth=depth)) == repr(first)
