"""A conversion is kept by its content: never for another schema, never shared, and within bounds."""

from __future__ import annotations

import copy
import enum
import gc
import math
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from toolglot import convert, load_rules
from toolglot.cache import content_key
from toolglot.errors import SchemaError
from toolglot.schemas.normal import normal_form
from toolglot.wire import convert as module
from toolglot.wire.convert import convert_normal

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"a": {"$ref": "#/$defs/a"}, "b": {"enum": [1, "x"]}},
    "$defs": {"a": {"type": "string", "pattern": "^a+$"}},
}
UNCACHED = load_rules(entry_points=False)


def bounded(value: Any) -> Any:
    return {"type": "object", "properties": {"a": {"type": "number", "maximum": value}}}


def test_an_equal_schema_in_new_objects_is_converted_once() -> None:
    before = len(module._CONVERSIONS)
    first = convert(copy.deepcopy(SCHEMA), "llama.cpp")
    assert convert(copy.deepcopy(SCHEMA), "llama.cpp") is first
    assert len(module._CONVERSIONS) <= before + 1


def test_a_schema_that_is_edited_in_place_is_converted_again() -> None:
    schema = copy.deepcopy(SCHEMA)
    convert(schema, "llama.cpp")
    schema["properties"]["c"] = {"type": "integer"}
    assert "c" in convert(schema, "llama.cpp").wire["properties"]


@pytest.mark.parametrize("values", [(1, 1.0), (0.0, -0.0), (10**30, 1e30)])
def test_numbers_that_python_calls_equal_keep_their_own_spelling(values: tuple[float, ...]) -> None:
    for value in values:
        assert convert(bounded(value), "mcp").wire_json == convert(bounded(value), "mcp", rules=UNCACHED).wire_json


def test_true_and_one_are_not_mistaken_for_each_other() -> None:
    texts = [convert({"enum": [value]}, "mcp").wire_json for value in (True, 1, 1.0)]
    assert [text.partition('"enum":')[2].partition("}")[0] for text in texts] == ["[true]", "[1]", "[1.0]"]


def test_the_order_of_keys_is_the_schemas_own() -> None:
    one, other = {"type": "object", "title": "t"}, {"title": "t", "type": "object"}
    assert list(convert(one, "mcp").wire) != list(convert(other, "mcp").wire)


def test_what_says_no_json_is_refused_before_and_after_its_twin_was_seen() -> None:
    class Kind(enum.StrEnum):
        A = "string"

    assert content_key({"type": Kind.A}) is None
    assert content_key({"maximum": math.nan}) == content_key({"maximum": math.nan})
    with pytest.raises(SchemaError):
        convert({"type": "object", "properties": 1}, "mcp")
    with pytest.raises(SchemaError):
        convert({"type": "object", "properties": 1}, "mcp")


def test_options_are_part_of_the_content() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": "(?=a)b"}}}
    texts = {
        (name, said): convert(schema, name, describe=said).wire_json
        for name in ("mcp", "llama.cpp")
        for said in (True, False)
    }
    for (name, said), text in texts.items():
        assert convert(schema, name, describe=said, rules=UNCACHED).wire_json == text
    assert convert({"$ref": "x:y"}, "mcp", resources={"x:y": {"type": "string"}}).wire_json != (
        convert({"$ref": "x:y"}, "mcp", resources={"x:y": {"type": "null"}}).wire_json
    )


def test_nothing_that_is_handed_out_is_shared() -> None:
    schema = {**SCHEMA, "title": "handed out"}
    first = convert(schema, "llama.cpp")
    wire, normal = first.wire, first.normal
    for _ in range(4):
        spoilt = first.wire
        spoilt["properties"].clear()
        first.normal.root["properties"].clear()
    assert convert(schema, "llama.cpp").wire == wire
    assert convert(schema, "llama.cpp").normal == normal
    assert first.wire_json == convert(schema, "llama.cpp", rules=UNCACHED).wire_json


def test_a_fresh_normal_form_is_equal_and_keeps_its_places() -> None:
    schema = {"properties": {"a": {"$ref": "#"}, "b": {"enum": [{"c": [1]}]}}}
    normal, held = convert(schema, "mcp").normal, normal_form(schema)
    assert normal == held
    assert normal.root is next(iter(normal.definitions.values()))
    assert normal.root["properties"]["b"].place == ("properties", "b")


def test_the_cache_holds_no_more_than_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    held = module.Cache[Any](entries=50, size=2**20, entry_size=module.entry_size)
    monkeypatch.setattr(module, "_CONVERSIONS", held)
    for number in range(200):
        convert({**SCHEMA, "title": f"t{number}"}, "llama.cpp")
        assert len(held) <= 50
        assert held.size <= 2**20


@pytest.mark.parametrize("target", ["llama.cpp", "openai/strict", "gemini/parameters"])
@pytest.mark.parametrize("count", [1, 100])
def test_an_entry_is_no_larger_than_estimated(target: str, count: int) -> None:
    leaf = {"type": "object", "properties": {"x": {"type": ["string", "null"], "maxLength": 9}, "y": {"enum": ["a"]}}}
    schema = {"type": "object", "properties": {f"p{number}": copy.deepcopy(leaf) for number in range(count)}}
    key = content_key((schema, (target, None, True, None)))
    assert key is not None
    rules = UNCACHED.target(target)
    convert_normal(normal_form(schema), rules)
    gc.collect()
    tracemalloc.start()
    try:
        made = convert_normal(normal_form(schema), rules)
        made.spellings({})
        assert made.wire == made.wire
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] <= module.entry_size(key, made)
    finally:
        tracemalloc.stop()


def test_threads_share_conversions_and_get_right_answers() -> None:
    wanted = [convert(bounded(number), "llama.cpp", rules=UNCACHED).wire_json for number in range(20)]

    def work(offset: int) -> int:
        return sum(
            convert(bounded((turn + offset) % 20), "llama.cpp").wire_json != wanted[(turn + offset) % 20]
            for turn in range(200)
        )

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(work, range(4))) == 0


def test_a_value_of_one_node_is_never_said_of_another_that_is_like_it() -> None:
    def schema(default: Any) -> Any:
        branches = [{"type": "array", "items": {"type": "string"}, "title": ""}, {"type": "null", "title": ""}]
        return {"type": "object", "properties": {"a": {"title": "", "default": default, "anyOf": branches}}}

    for values in (([], ["x"]), (["x"], []), ("", "x"), ({}, {"x": 1})):
        for target in ("mcp", "llama.cpp", "lm-format-enforcer", "openai/strict"):
            rules = load_rules(entry_points=False)
            for value in values:
                alone = convert(schema(value), target, rules=load_rules(entry_points=False)).wire_json
                assert {convert(schema(value), target, rules=rules).wire_json for _ in range(3)} == {alone}
