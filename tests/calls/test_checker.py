"""The checker as its users meet it: problems as fields, one checker per content, bounded memory, threads."""

from __future__ import annotations

import copy
import gc
import math
import sys
import threading
import tracemalloc
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from toolglot.cache import Cache, content_key
from toolglot.calls import checker as module
from toolglot.calls.checker import checker, checker_of
from toolglot.schemas.normal import normal_form

SEARCH = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 1},
        "limit": {"type": "integer", "minimum": 1, "maximum": 100},
        "mode": {"enum": ["fast", "deep"]},
        "filters": {"type": "array", "items": {"type": "object", "required": ["field"]}},
    },
    "required": ["query"],
    "additionalProperties": False,
}


def told(schema: Any, value: Any) -> list[tuple[tuple[str | int, ...], str]]:
    return [(problem.path, problem.keyword) for problem in checker(schema).problems(value)]


def test_all_problems_are_told_at_once_each_with_its_place() -> None:
    value = {"limit": 0, "mode": "slow", "filters": [{"field": 1}, {}, 3], "colour": "red"}
    assert told(SEARCH, value) == [
        (("query",), "required"),
        (("limit",), "minimum"),
        (("mode",), "enum"),
        (("filters", 1, "field"), "required"),
        (("filters", 2), "type"),
        (("colour",), "additionalProperties"),
    ]


def test_a_problem_carries_what_came_and_what_was_wanted() -> None:
    (problem,) = checker(SEARCH).problems({"query": "x", "limit": "ten"})
    assert (problem.path, problem.keyword, problem.got) == (("limit",), "type", "ten")
    assert problem.wanted
    assert problem.rule == "schema"
    (missing,) = checker(SEARCH).problems({})
    assert (missing.path, missing.got) == (("query",), None)


def test_a_value_that_fits_has_no_problem_and_is_left_alone() -> None:
    value = {"query": "x", "limit": 3, "filters": [{"field": "a"}]}
    before = copy.deepcopy(value)
    held = checker(SEARCH)
    assert held.accepts(value)
    assert held.problems(value) == ()
    assert value == before


SHAPES = {
    "oneOf": [
        {
            "type": "object",
            "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}},
            "required": ["kind", "r"],
        },
        {
            "type": "object",
            "properties": {"kind": {"const": "square"}, "side": {"type": "number"}},
            "required": ["kind", "side"],
        },
        {"type": "string"},
    ]
}


def test_the_nearest_branch_of_a_union_speaks() -> None:
    assert told(SHAPES, {"kind": "circle", "r": "big"}) == [(("r",), "type")]
    assert told(SHAPES, {"kind": "square"}) == [(("side",), "required")]
    assert told({"anyOf": [{"type": "integer", "minimum": 5}, {"type": "null"}]}, 3) == [((), "minimum")]


def test_where_no_branch_is_near_the_union_speaks_once() -> None:
    (problem,) = checker(SHAPES).problems(3)
    assert (problem.path, problem.keyword) == ((), "oneOf")
    assert told({"anyOf": [{"type": "string"}, {"type": "null"}]}, 3) == [((), "anyOf")]


def test_a_value_that_fits_two_alternatives_of_one_is_told_so() -> None:
    (problem,) = checker({"oneOf": [{"type": "integer"}, {"minimum": 2}]}).problems(3)
    assert problem.keyword == "oneOf"
    assert "2" in problem.wanted


def test_nothing_is_said_twice() -> None:
    text = {"type": "string"}
    schema = {"$defs": {"t": text}, "allOf": [{"$ref": "#/$defs/t"}, {"$ref": "#/$defs/t"}]}
    assert told(schema, 1) == [((), "type")]


def test_a_hundred_thousand_bad_items_give_a_bounded_answer() -> None:
    found = checker({"items": {"type": "string"}}).problems(list(range(100_000)))
    assert len(found) == 64
    assert found[0].path == (0,)


def test_one_bad_item_among_a_hundred_thousand_is_found() -> None:
    item = {
        "type": "object",
        "properties": {"n": {"type": "integer"}},
        "required": ["n"],
        "additionalProperties": False,
    }
    value = [{"n": index} for index in range(100_000)]
    value[99_000]["n"] = "x"  # type: ignore[call-overload] # the fault is the point
    assert told({"type": "array", "items": item}, value) == [((99_000, "n"), "type")]


@pytest.mark.parametrize(
    ("schema", "value", "keyword"),
    [
        ({"type": "string"}, 1, "type"),
        ({"const": {"a": 1}}, {"a": 2}, "const"),
        ({"enum": list(range(50))}, 77, "enum"),
        ({"multipleOf": 5}, 7, "multipleOf"),
        ({"exclusiveMaximum": 5}, 5, "exclusiveMaximum"),
        ({"maxLength": 1}, "ab", "maxLength"),
        ({"pattern": "^a"}, "b", "pattern"),
        ({"minItems": 1}, [], "minItems"),
        ({"uniqueItems": True}, [1, 1], "uniqueItems"),
        ({"contains": {"type": "null"}}, [1], "contains"),
        ({"contains": {}, "maxContains": 1}, [1, 1], "maxContains"),
        ({"prefixItems": [{}], "items": False}, [1, 2], "not"),
        ({"maxProperties": 0}, {"a": 1}, "maxProperties"),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, "propertyNames"),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "dependentRequired"),
        ({"not": {"type": "null"}}, None, "not"),
        ({"unevaluatedProperties": False}, {"a": 1}, "unevaluatedProperties"),
        ({"unevaluatedItems": False}, [1], "unevaluatedItems"),
        ({"if": {"type": "string"}, "then": {"minLength": 2}}, "a", "minLength"),
        ({"dependentSchemas": {"a": {"required": ["b"]}}}, {"a": 1}, "required"),
    ],
)
def test_each_keyword_names_itself_and_says_what_is_wanted(schema: Any, value: Any, keyword: str) -> None:
    (problem,) = checker(schema).problems(value)
    assert problem.keyword == keyword
    assert problem.wanted


# One checker per content ---------------------------------------------------------------------------------------------


def test_equal_schemas_share_one_checker() -> None:
    assert checker(copy.deepcopy(SEARCH)) is checker(copy.deepcopy(SEARCH))


def test_a_schema_edited_in_place_is_seen() -> None:
    schema = copy.deepcopy(SEARCH)
    assert not checker(schema).accepts({"query": ""})
    schema["properties"]["query"]["minLength"] = 0  # type: ignore[index] # a literal's type is narrower than JSON
    assert checker(schema).accepts({"query": ""})


def test_editing_a_schema_changes_no_checker_that_was_made_of_it() -> None:
    schema: Any = {"enum": ["a"], "properties": {"x": {"const": [1]}}}
    held = checker(schema)
    schema["enum"].append("b")
    schema["properties"]["x"]["const"].append(2)
    assert not held.accepts("b")
    assert held.problems("b")[0].wanted == '"a"'


def test_schemas_of_one_id_stay_apart() -> None:
    one = {"$id": "http://x.test/s", "$defs": {"a": {"type": "string"}}, "$ref": "#/$defs/a"}
    other = {"$id": "http://x.test/s", "$defs": {"a": {"type": "integer"}}, "$ref": "#/$defs/a"}
    assert checker(one).accepts("x")
    assert checker(other).accepts(1)
    assert not checker(other).accepts("x")


def test_contents_that_python_calls_equal_stay_apart() -> None:
    assert checker({"const": 1}) is not checker({"const": True})
    assert checker({"const": True}).accepts(True)
    assert not checker({"const": True}).accepts(1)
    keys = [content_key(value) for value in (1, 1.0, True, "1", [1], (1,), {"a": 1}, {"a": True}, 0.0, -0.0, None, "")]
    assert len(set(keys)) == len(keys)


def test_a_key_depends_on_content_alone() -> None:
    shared = ["a", "b"]
    assert content_key([shared, shared]) == content_key([["a", "b"], ["a", "b"]])
    assert content_key({"a": "".join(list("xy"))}) == content_key({"a": "xy"})
    assert content_key({"maximum": math.nan}) == content_key({"maximum": math.nan})
    assert content_key(OrderedDict(a=1)) is None


def test_dialect_resources_and_formats_are_part_of_the_content() -> None:
    schema = {"$ref": "http://x.test/a", "format": "ipv4"}
    texts, numbers = {"http://x.test/a": {"type": "string"}}, {"http://x.test/a": {"type": "integer"}}
    assert checker(schema, resources=texts).accepts("x")
    assert not checker(schema, resources=numbers).accepts("x")
    assert not checker(schema, resources=texts, formats=True, dialect="2020-12").accepts("x")
    assert checker({"type": "integer"}).accepts(1.0)
    assert not checker({"type": "integer"}, dialect="draft-04").accepts(1.0)


def test_formats_are_checked_as_the_dialect_says_unless_it_is_switched() -> None:
    assert checker({"format": "ipv4"}, dialect="2020-12").accepts("no address")
    assert not checker({"format": "ipv4"}, dialect="draft-07").accepts("no address")
    assert not checker({"format": "ipv4"}, dialect="2020-12", formats=True).accepts("no address")
    assert checker({"format": "ipv4"}, dialect="draft-07", formats=False).accepts("no address")
    assert not checker_of(normal_form({"format": "ipv4"}), formats=True).accepts("no address")


def test_schemas_that_have_no_key_are_compiled_all_the_same() -> None:
    schema = OrderedDict(type="object", required=["a"])
    assert checker(schema).accepts({"a": 1})
    assert not checker(schema).accepts({})


# Bounded and shared --------------------------------------------------------------------------------------------------


def test_the_cache_keeps_to_its_number_of_entries() -> None:
    cache: Cache[int] = Cache(entries=3, size=10_000, entry_size=lambda key, _: len(key))
    for number in range(10):
        assert cache.get(b"%d" % number, lambda number=number: number) == number  # type: ignore[misc] # bound on purpose
    assert len(cache) == 3


def test_the_cache_keeps_to_its_bytes_and_drops_what_was_not_asked_for_longest() -> None:
    made: list[bytes] = []

    def make(key: bytes) -> bytes:
        made.append(key)
        return key

    cache: Cache[bytes] = Cache(entries=100, size=10, entry_size=lambda key, _: len(key))
    for key in (b"aaaa", b"bbbb", b"aaaa", b"cccc", b"aaaa", b"x" * 50, b"bbbb"):
        assert cache.get(key, lambda key=key: make(key)) == key  # type: ignore[misc] # bound on purpose
    assert made == [b"aaaa", b"bbbb", b"cccc", b"x" * 50, b"bbbb"]
    assert cache.size <= 10


def test_keys_of_one_length_are_told_apart_and_none_outlives_its_entry() -> None:
    cache: Cache[str] = Cache(entries=2, size=10_000, entry_size=lambda key, _: len(key))
    made: list[str] = []

    def asked(name: str) -> str:
        return cache.get(name.encode(), lambda: made.append(name) or name)  # type: ignore[func-returns-value] # notes it

    for name in ("aa", "bb", "aa", "bb", "bb", "aa", "longer", "aa", "bb", "longer"):
        assert asked(name) == name
    assert made == ["aa", "bb", "longer", "bb", "longer"]
    kept = bytes.fromhex("ff" * 9)
    known = sys.getrefcount(kept)
    cache.get(kept, lambda: "kept")
    asked("cc")
    asked("dd")
    assert sys.getrefcount(kept) == known


def filled(start: int, number: int) -> None:
    for index in range(start, start + number):
        schema = {
            "type": "object",
            "properties": {f"p{index}": {"type": "integer", "minimum": index}},
            "title": str(index),
        }
        assert checker(schema).accepts({f"p{index}": index})


def test_distinct_schemas_leave_memory_flat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CHECKERS", Cache(entries=100, size=2**24, entry_size=module.entry_size))
    filled(0, 200)
    tracemalloc.start()
    try:
        filled(200, 200)
        gc.collect()
        first = tracemalloc.get_traced_memory()[0]
        filled(400, 400)
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < first * 1.1 + 50_000
    finally:
        tracemalloc.stop()


@pytest.mark.heavy
def test_fifty_thousand_distinct_schemas_leave_memory_flat() -> None:
    tracemalloc.start()  # before the first: a block that is used again later is counted only if it was when it was new
    try:
        filled(100_000, 10_000)
        gc.collect()
        first = tracemalloc.get_traced_memory()[0]
        filled(110_000, 40_000)
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < first * 1.05 + 500_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "schema",
    [
        SEARCH,
        {"properties": {f"p{i}": {"type": "object", "properties": {"a": {"minLength": i}}} for i in range(200)}},
        {"oneOf": [{"properties": {"k": {"const": i}}, "required": ["k"]} for i in range(200)]},
        {"enum": [f"member {i}" for i in range(2_000)]},
        {"allOf": [{"unevaluatedItems": {"minimum": i}} for i in range(100)]},
    ],
    ids=["tool", "properties", "branches", "enum", "unevaluated"],
)
def test_the_size_that_the_cache_counts_is_no_less_than_what_a_checker_holds(schema: Any) -> None:
    checker_of(normal_form(schema))
    key = content_key([schema, None, None, None])
    assert key is not None
    tracemalloc.start()
    try:
        held = checker_of(normal_form(schema))
        held.problems(object())
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] <= module.entry_size(key, held)
    finally:
        tracemalloc.stop()


def test_threads_share_checkers_and_get_right_answers() -> None:
    start = threading.Barrier(8)

    def work(offset: int) -> int:
        start.wait()
        wrong = 0
        for number in range(300):
            limit = (number * 7 + offset) % 50
            held = checker({"type": "array", "items": {"type": "integer", "maximum": limit}, "title": "threads"})
            wrong += not held.accepts([limit]) or held.accepts([limit, limit + 1])
            wrong += held.problems([limit, limit + 1])[0].path != (1,)
        return wrong

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(work, range(8))) == 0
