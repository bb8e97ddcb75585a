"""Stories of whole journeys: a list of tools goes out to a target, and calls come back."""

from __future__ import annotations

import copy
import gc
import json
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.oracle.llama import TEMPLATE, Llama, call_text
from tests.shared_data import corpus, mcp_tools

from toolglot import SchemaError, Toolbox, convert
from toolglot.calls import checker as checker_module

TARGET = "llama.cpp"
SEARCH = {
    "name": "search",
    "description": "Finds issues.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "query": {"type": "string", "minLength": 1},
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "multipleOf": 5},
            "labels": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        },
        "required": ["query"],
        "additionalProperties": False,
    },
}


def distinct_tools() -> list[dict[str, Any]]:
    """Every real tool; two servers that use one name are told apart by a number."""
    return [tool | {"name": f"{tool['name']}_{number}"} for number, tool in enumerate(mcp_tools())]


def test_a_list_of_tools_goes_out_and_a_call_comes_back() -> None:
    box = Toolbox({"tools": [SEARCH]}, TARGET)
    (entry,) = box.wire
    assert entry["function"]["name"] == "search"
    lost = {keyword for edit in box.report.tools[0].edits if edit.outcome == "checked" for keyword in edit.keywords}
    assert {"multipleOf", "uniqueItems"} <= lost

    fits = {"query": "crash", "limit": 10, "labels": ["bug"]}
    assert box.read("search", json.dumps(fits)).arguments == fits
    answer = box.read("search", {"query": "crash", "limit": 7, "labels": ["bug", "bug"]})
    assert answer.arguments is None
    assert {(problem.path, problem.keyword) for problem in answer.problems} == {
        (("limit",), "multipleOf"),
        (("labels",), "uniqueItems"),
    }
    assert answer.refusal
    assert "limit" in answer.refusal


def test_a_call_that_fits_comes_back_equal_and_untouched() -> None:
    box = Toolbox([SEARCH], TARGET)
    call = {"query": "x", "labels": []}
    before = copy.deepcopy(call)
    answer = box.read("search", call)
    assert answer.fits
    assert answer.arguments == before == call
    assert list(answer.arguments) == ["query", "labels"]


def test_one_broken_tool_sinks_no_other() -> None:
    broken = {"name": "bad", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/nowhere"}}}}
    box = Toolbox([SEARCH, broken, {"name": "none"}], TARGET)
    assert [tool.name for tool in box.tools] == ["search"]
    assert [entry["function"]["name"] for entry in box.wire] == ["search"]
    assert set(box.broken) == {"bad", "none"}
    assert box.broken["bad"].path[:2] == ("properties", "a")
    assert box.broken["bad"].tool == "bad"
    assert box.read("search", {"query": "x"}).fits
    refused = box.read("bad", {})
    assert (refused.fits, refused.problems[0].rule) == (False, "broken-tool")


def test_a_tool_that_is_not_there_is_refused_with_those_that_are() -> None:
    answer = Toolbox([SEARCH], TARGET).read("serch", {"query": "x"})
    assert answer.problems[0].rule == "unknown-tool"
    assert "search" in str(answer.problems[0].hint)
    assert answer.refusal
    assert "search" in answer.refusal


def test_text_that_did_not_arrive_whole_is_refused() -> None:
    box = Toolbox([SEARCH], TARGET)
    assert not box.read("search", '{"query": "cra').fits
    assert not box.read("search", '{"query": "a", "query": "b"}').fits
    assert not box.read("search").fits
    assert Toolbox([{"name": "now", "inputSchema": {"type": "object"}}], TARGET).read("now").arguments == {}


def test_the_depth_is_set_for_the_box_for_a_tool_or_for_one_call() -> None:
    wrong_inside = {"query": "x", "labels": [1]}
    assert not Toolbox([SEARCH], TARGET).read("search", wrong_inside).fits
    assert Toolbox([SEARCH], TARGET, depth="keys").read("search", wrong_inside).fits
    box = Toolbox([SEARCH], TARGET, depth={"search": "values"})
    assert box.read("search", wrong_inside).fits
    assert not box.read("search", wrong_inside, depth="schema").fits


def test_without_a_target_the_tools_stay_as_they_are_and_calls_are_checked() -> None:
    box = Toolbox([SEARCH])
    assert box.wire == [SEARCH]
    assert box.report.tools == ()
    assert not box.read("search", {}).fits


def test_nothing_is_shared_and_nothing_is_written_to() -> None:
    source = [copy.deepcopy(SEARCH)]
    box = Toolbox(source, TARGET)
    first = box.wire
    first[0]["function"]["parameters"]["properties"].clear()
    source[0]["inputSchema"]["properties"].clear()
    again = box.wire
    assert set(again[0]["function"]["parameters"]["properties"]) == {"query", "limit", "labels"}
    assert json.loads(box.wire_json) == again
    assert not box.read("search", {"query": "x", "limit": 0}).fits


def test_boxes_of_equal_tools_share_nothing_that_can_be_edited() -> None:
    one, other = (Toolbox(copy.deepcopy([SEARCH]), TARGET) for _ in range(2))
    one.tools[0].schema["properties"].clear()
    one.wire.clear()
    assert other.tools[0].schema == SEARCH["inputSchema"]
    assert len(other.wire) == 1
    assert not one.read("search", {"query": 1}).fits
    assert not other.read("search", {"query": 1}).fits


@pytest.mark.parametrize("target", [None, TARGET, "openai/strict", "gemini/parameters", "cerebras"])
def test_a_toolbox_that_nobody_holds_is_gone_at_once(target: str | None) -> None:
    gc.collect()
    gc.disable()  # what then stays would be a circle
    try:
        box = Toolbox([SEARCH], target)
        for call in ({"query": "crash", "limit": 10}, {"limit": 0}, '{"query": "x"}', "no call"):
            for depth in ("keys", "schema"):
                box.read("search", call, depth=depth)
        assert all([box.wire, box.wire_json, box.tools])
        assert box.report is not None
        last = weakref.ref(box)
        del box
        assert last() is None
    finally:
        gc.enable()


def test_a_tool_that_is_edited_in_place_is_seen_by_the_next_box() -> None:
    source = [copy.deepcopy(SEARCH)]
    before = Toolbox(source, TARGET).wire_json
    source[0]["inputSchema"]["properties"]["query"]["type"] = "integer"
    assert Toolbox(source, TARGET).wire_json != before
    assert Toolbox([copy.deepcopy(SEARCH)], TARGET).wire_json == before


def test_two_tools_with_the_same_id_change_nothing_for_each_other() -> None:
    schemas = [
        {"$id": "https://example.com/x", "type": "object", "properties": {"a": {"type": kind}}}
        for kind in ("integer", "string")
    ]
    tools = [{"name": f"t{number}", "inputSchema": schema} for number, schema in enumerate(schemas)]
    alone = [Toolbox([tool], TARGET).wire[0] for tool in tools]
    assert Toolbox(tools, TARGET).wire == alone
    assert Toolbox(tools[::-1], TARGET).wire == alone[::-1]
    box = Toolbox(tools, TARGET)
    assert [box.read(name, {"a": 1}).fits for name in ("t0", "t1")] == [True, False]


def test_nothing_is_compiled_before_the_first_call(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    original = checker_module.Checker.__init__

    def counted(self: Any, *words: Any, **named: Any) -> None:
        made.append(words)
        original(self, *words, **named)

    monkeypatch.setattr(checker_module.Checker, "__init__", counted)
    box = Toolbox([{"name": "new", "inputSchema": {"type": "object", "title": "nobody else has this schema"}}], TARGET)
    assert box.wire
    assert box.report
    assert made == []
    box.read("new", {})
    box.read("new", {})
    assert len(made) == 1


def test_every_real_tool_goes_out_twice_the_same_in_any_order() -> None:
    tools = distinct_tools()
    before = copy.deepcopy(tools)
    box = Toolbox(tools, TARGET)
    assert dict(box.broken) == {}
    assert len(box.wire) == 356
    assert tools == before
    assert Toolbox(copy.deepcopy(tools), TARGET).wire_json == box.wire_json
    assert Toolbox(tools[::-1], TARGET).wire == box.wire[::-1]


def test_threads_get_what_one_thread_gets() -> None:
    tools = distinct_tools()[:60]
    box = Toolbox(tools, TARGET)
    with ThreadPoolExecutor(4) as pool:
        texts = list(pool.map(lambda _: Toolbox(tools, TARGET).wire_json, range(4)))
        answers = list(pool.map(lambda tool: box.read(tool["name"], {}).problems, tools * 2))
    assert set(texts) == {box.wire_json}
    assert answers == [box.read(tool["name"], {}).problems for tool in tools * 2]


def real_schemas() -> Iterator[tuple[str, Any]]:
    yield from ((record["name"], record["schema"]) for record in corpus())


@pytest.mark.heavy
def test_every_schema_of_the_corpus_converts_twice_the_same_and_stays_as_it_was() -> None:
    refused = {}
    for name, schema in real_schemas():
        before = json.dumps(schema)
        try:
            first = convert(schema, TARGET)
        except SchemaError as error:
            refused[name] = str(error)
            continue
        assert json.dumps(first.wire) == json.dumps(convert(copy.deepcopy(schema), TARGET).wire), name
        assert json.dumps(schema) == before, name
    assert refused == {}


def test_two_tools_that_share_definition_names_each_keep_their_own(llama: Llama, tmp_path: Path) -> None:
    template = tmp_path / "chat.jinja"
    template.write_text(TEMPLATE, encoding="utf-8")
    box = Toolbox([_with_item("one", "integer"), _with_item("two", "string")], TARGET)
    grammar = llama.grammar_of_request(box.wire, template).answer["grammar"]
    calls = [("one", 1), ("two", "x"), ("one", "x"), ("two", 1)]
    texts = [call_text(name, {"item": {"a": value, "next": {"a": value}}}) for name, value in calls]
    assert llama.ask_grammar(grammar, texts=texts).answer["texts"] == [True, True, False, False]


def _with_item(name: str, kind: str) -> dict[str, Any]:
    item = {
        "type": "object",
        "properties": {"a": {"type": kind}, "next": {"$ref": "#/$defs/Item"}},
        "required": ["a"],
        "additionalProperties": False,
    }
    schema = {
        "type": "object",
        "properties": {"item": {"$ref": "#/$defs/Item"}},
        "required": ["item"],
        "additionalProperties": False,
        "$defs": {"Item": item},
    }
    return {"name": name, "description": "x", "inputSchema": schema}
