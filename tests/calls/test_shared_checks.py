"""The check of a tool is kept by its content and by how it is to be checked: never for another, and within bounds."""

from __future__ import annotations

import copy
import gc
import json
import tracemalloc
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from toolglot import SchemaError, Toolbox, check
from toolglot.cache import Cache, content_key
from toolglot.calls import check as module
from toolglot.calls import checker as checkers
from toolglot.calls.check import DEPTHS, Asked, held_check, shared_check

SCHEMA: Any = {
    "type": "object",
    "properties": {"limit": {"type": "integer", "minimum": 1, "x-aliases": ["most"]}, "ip": {"format": "ipv4"}},
    "required": ["limit"],
}


@pytest.fixture(autouse=True)
def none_is_held(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(module, "_HELD", Cache(entries=50, size=2**24, entry_size=module.entry_size))
    yield
    assert len(module._HELD) <= 50


def held(schema: Any, asked: Asked) -> Any:
    return shared_check(lambda: copy.deepcopy(schema), content_key(schema), asked)


def test_equal_tools_of_several_toolboxes_share_one_check() -> None:
    boxes = [Toolbox([{"name": "t", "inputSchema": copy.deepcopy(SCHEMA)}], "llama.cpp") for _ in range(3)]
    assert len({id(box._checks.held("t", "schema")) for box in boxes}) == 1
    assert len(module._HELD) == 1


def test_how_it_is_checked_is_part_of_the_content() -> None:
    asked = [
        Asked(),
        Asked("values"),
        Asked("keys"),
        Asked(formats=True),
        Asked(dialect="draft-07"),
        Asked("values", integers="number"),
        Asked(aliases={"limit": ["lim"]}),
        Asked(resources={"x:y": True}),
    ]
    assert len({id(held(SCHEMA, each)) for each in asked}) == len(asked)
    assert check(SCHEMA, {"lim": 5})
    assert not check(SCHEMA, {"lim": 5}, aliases={"limit": "lim"})
    assert check(SCHEMA, {"lim": 5})
    assert not check(SCHEMA, {"limit": 0}, depth="keys")
    assert check(SCHEMA, {"limit": 0}, depth="values")


def test_an_edit_of_the_callers_schema_is_seen_and_changes_no_check_that_is_held() -> None:
    for depth in DEPTHS:
        schema: Any = copy.deepcopy(SCHEMA)
        wanted = check(schema, {}, depth=depth)
        schema["required"].append("ip")
        schema["properties"]["limit"]["minimum"] = 5
        assert len(check(schema, {}, depth=depth)) == 2
        assert check(SCHEMA, {}, depth=depth) == wanted


def test_what_has_no_content_key_is_checked_all_the_same() -> None:
    assert check(OrderedDict(SCHEMA), {})
    assert not check(SCHEMA, {"n": 1, "limit": 2}, aliases={"limit": OrderedDict(n=1)})  # type: ignore[dict-item] # no list
    assert len(module._HELD) == 0


def test_a_broken_schema_is_refused_each_time() -> None:
    for _ in range(2):
        with pytest.raises(SchemaError):
            check({"properties": 1}, {})
    assert len(module._HELD) == 0


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize(
    "schema",
    [
        SCHEMA,
        {},
        {"properties": {f"p{i}": {"type": "integer", "x-aliases": [f"a{i}"]} for i in range(300)}},
        {"properties": {f"p{i}": {"type": "integer"} for i in range(500)}, "required": [f"p{i}" for i in range(500)]},
        {"properties": {f"p{i}": {"properties": {"a": {"minLength": i}}} for i in range(200)}},
    ],
    ids=["tool", "nothing", "aliases", "keys", "properties"],
)
def test_the_size_that_is_counted_is_no_less_than_what_a_check_holds(
    depth: str, schema: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = (Asked(depth).key or b"") + (content_key(schema) or b"")
    held_check(schema, depth=depth).problems({})
    monkeypatch.setattr(checkers, "_CHECKERS", Cache(entries=1, size=0, entry_size=lambda *_: 1))
    tracemalloc.start()
    try:
        made = held_check(json.loads(json.dumps(schema)), depth=depth)
        made.problems({})
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] <= module.entry_size(key, made)
    finally:
        tracemalloc.stop()


def test_threads_share_checks_and_get_right_answers() -> None:
    def work(offset: int) -> int:
        wrong = 0
        for number in range(200):
            limit = (number * 7 + offset) % 90
            schema = {"properties": {"a": {"type": "integer", "maximum": limit}}, "title": "threads"}
            box = Toolbox([{"name": "t", "inputSchema": schema}])
            wrong += not box.read("t", {"a": limit}).fits or box.read("t", {"a": limit + 1}).fits
            wrong += bool(check(schema, {"a": limit})) or not check(schema, {"a": limit + 1})
        return wrong

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(work, range(4))) == 0
