"""Four tools end to end: what is out of domain never reaches the handler, what is legal reaches it unchanged."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from toolglot import RuleError, SchemaError, Toolbox, convert
from toolglot.calls.refusals import Wording
from toolglot.tables.ruleset import default_rules

TARGET = "llama.cpp"


def tool(name: str, required: list[str], **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {"name": name, "description": f"{name}.", "inputSchema": schema}


READ = tool(
    "read_file",
    ["path"],
    path={"type": "string", "minLength": 1},
    start_line={"type": "integer", "minimum": 1, "x-aliases": ["offset"], "description": "First line."},
    line_limit={"type": "integer", "minimum": 1, "maximum": 2000, "x-aliases": ["limit"], "description": "Lines."},
)
SEARCH = tool(
    "search",
    ["pattern"],
    pattern={"type": "string"},
    lines_before={"type": "integer", "minimum": 0, "maximum": 50},
    lines_after={"type": "integer", "minimum": 0, "maximum": 50},
    max_count={"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
)
SHELL = tool(
    "shell",
    ["command"],
    command={"type": "string"},
    timeout_ms={"type": "integer", "exclusiveMinimum": 0, "maximum": 600000},
)
EDIT = tool(
    "edit",
    ["path", "old_text", "new_text"],
    path={"type": "string"},
    old_text={"type": "string", "minLength": 1},
    new_text={"type": "string"},
    replace_all={"type": "boolean", "default": False},
)
TOOLS = [READ, SEARCH, SHELL, EDIT]


@dataclass
class Handlers:
    """Tools that only note what reached them."""

    box: Toolbox
    reached: list[Any] = field(default_factory=list)

    def call(self, name: str, arguments: Any) -> Any:
        answer = self.box.read(name, arguments)
        if answer.fits:
            self.reached.append(answer.arguments)
        return answer


@pytest.fixture(params=[None, TARGET])
def handlers(request: pytest.FixtureRequest) -> Handlers:
    return Handlers(Toolbox(copy.deepcopy(TOOLS), request.param))


LEGAL = [
    ("read_file", {"path": "a.txt"}),
    ("read_file", {"path": "a.txt", "start_line": 1, "line_limit": 2000}),
    ("search", {"pattern": ""}),
    ("search", {"pattern": "x", "lines_before": 0, "lines_after": 50, "max_count": None}),
    ("search", {"pattern": "x", "max_count": 1}),
    ("shell", {"command": "ls", "timeout_ms": 1}),
    ("edit", {"path": "a", "old_text": "x", "new_text": ""}),
    ("edit", {"path": "a", "old_text": "x", "new_text": "false", "replace_all": False}),
]
OUTSIDE = [
    ("read_file", {"path": "a", "line_limit": 0}, "line_limit"),
    ("read_file", {"path": "a", "line_limit": -1}, "line_limit"),
    ("read_file", {"path": "a", "line_limit": "10"}, "line_limit"),
    ("read_file", {"path": "a", "line_limit": 10.5}, "line_limit"),
    ("read_file", {"path": "a", "start_line": 0}, "start_line"),
    ("read_file", {"path": "a", "start_line": True}, "start_line"),
    ("read_file", {"path": "a", "line_limit": None}, "line_limit"),
    ("read_file", {"path": "a", "limit": 0}, "limit"),
    ("read_file", {"path": "a", "offset": -5}, "offset"),
    ("search", {"pattern": "x", "lines_before": -1}, "lines_before"),
    ("search", {"pattern": "x", "lines_after": 51}, "lines_after"),
    ("search", {"pattern": "x", "max_count": 0}, "max_count"),
    ("search", {"pattern": "x", "max_count": "all"}, "max_count"),
    ("shell", {"command": "ls", "timeout_ms": 0}, "timeout_ms"),
    ("shell", {"command": "ls", "timeout_ms": 600001}, "timeout_ms"),
    ("shell", {"command": "ls", "timeout_ms": "5s"}, "timeout_ms"),
    ("shell", {"command": None}, "command"),
    ("edit", {"path": "a", "old_text": "x", "new_text": "y", "replace_all": "false"}, "replace_all"),
    ("edit", {"path": "a", "old_text": "x", "new_text": "y", "replace_all": 0}, "replace_all"),
    ("edit", {"path": "a", "old_text": "", "new_text": "y"}, "old_text"),
]
SEEN_BY_VALUES = [case for case in OUTSIDE if case[2] != "old_text"]


@pytest.mark.parametrize(("name", "call"), LEGAL, ids=str)
def test_a_legal_call_reaches_the_handler_unchanged(handlers: Handlers, name: str, call: Any) -> None:
    before = copy.deepcopy(call)
    assert handlers.call(name, call).arguments == before == call
    assert handlers.call(name, json.dumps(call)).arguments == before
    assert handlers.reached == [before, before]


@pytest.mark.parametrize(("name", "call", "spelled"), OUTSIDE, ids=str)
def test_what_is_out_of_domain_never_reaches_the_handler(
    handlers: Handlers, name: str, call: Any, spelled: str
) -> None:
    answer = handlers.call(name, call)
    assert handlers.reached == []
    assert [problem.path for problem in answer.problems] == [(spelled,)]
    assert f"`{spelled}`" in answer.refusal


@pytest.mark.parametrize(("name", "call", "spelled"), SEEN_BY_VALUES, ids=str)
def test_the_shallow_depth_refuses_the_same(name: str, call: Any, spelled: str) -> None:
    answer = Toolbox(TOOLS, depth="values").read(name, call)
    assert [problem.path for problem in answer.problems] == [(spelled,)]


@pytest.mark.parametrize(("name", "call"), LEGAL, ids=str)
@pytest.mark.parametrize("depth", ["keys", "values"])
def test_the_shallow_depths_pass_what_is_legal(name: str, call: Any, depth: str) -> None:
    answer = Toolbox(TOOLS, depth=depth).read(name, call)
    assert answer.arguments is call


def test_depth_can_be_set_per_tool() -> None:
    box = Toolbox(TOOLS, depth={"shell": "keys", "search": "values"})
    assert box.read("shell", {"command": "ls", "timeout_ms": 0}).fits
    assert not box.read("search", {"pattern": "x", "max_count": 0}).fits
    assert not box.read("edit", {"path": "a", "old_text": "", "new_text": ""}).fits
    assert box.read("edit", {"path": "a", "old_text": "", "new_text": ""}, depth="keys").fits


def test_a_call_under_an_alias_is_checked_and_told_in_the_callers_words() -> None:
    box = Toolbox(TOOLS)
    call = {"path": "a", "limit": 5, "offset": 2}
    assert box.read("read_file", call).arguments == call
    refused = box.read("read_file", {"path": "a", "limit": 5000})
    assert (refused.problems[0].path, refused.problems[0].wanted) == (("limit",), "a whole number, from 1 to 2000")


def test_a_call_that_did_not_arrive_whole_is_not_run(handlers: Handlers) -> None:
    for text in ('{"command": "rm -r build', '{"command": "ls", "command": "rm"}', '{"command": "ls"} {}'):
        answer = handlers.call("shell", text)
        assert answer.refusal
        assert answer.problems[0].rule.startswith("text-")
    assert handlers.reached == []


DOMAINS = [
    (READ, "line_limit", "minimum", "1"),
    (READ, "line_limit", "maximum", "2000"),
    (READ, "start_line", "minimum", "1"),
    (SEARCH, "lines_after", "maximum", "50"),
    (SHELL, "timeout_ms", "exclusiveMinimum", "0"),
    (SHELL, "timeout_ms", "maximum", "600000"),
]


@pytest.mark.parametrize("target", sorted(default_rules().targets))
@pytest.mark.parametrize(("source", "parameter", "keyword", "number"), DOMAINS, ids=str)
def test_where_it_is_asked_for_the_domain_stands_in_a_description(
    source: Any, parameter: str, keyword: str, number: str, target: str
) -> None:
    wire = convert(source["inputSchema"], target, describe="domains").wire
    assert number in " ".join(_descriptions(wire)), (parameter, keyword)


def _descriptions(schema: Any) -> list[str]:
    found, waiting = [], [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            found += [node["description"]] if isinstance(node.get("description"), str) else []
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node
    return found


def test_a_refusal_through_the_toolbox_can_be_kept_free_of_the_callers_data_and_worded_anew() -> None:
    box = Toolbox(TOOLS, values=False)
    text = box.read("shell", {"command": "ls", "timeout_ms": "secret", "other": "secret"}).refusal or ""
    assert "`timeout_ms`" in text
    assert [word for word in ("secret", "other") if word in text] == []
    worded = Toolbox(TOOLS, wording=Wording(last="§")).read("shell", {}).refusal or ""
    assert worded.endswith("§")


def test_no_arguments_are_an_empty_object_for_the_handler() -> None:
    tools = [{"name": "now", "inputSchema": {"type": "object"}}]
    for depth in ("keys", "values"):
        for sent in (None, "", "null", "{}", {}):
            assert Toolbox(tools, depth=depth).read("now", sent).arguments == {}
    for sent in (None, "", "{}", {}):
        assert Toolbox(tools).read("now", sent).arguments == {}
    assert not Toolbox(tools).read("now", "null").fits


def test_a_broken_tool_is_told_at_its_call_and_sinks_no_other() -> None:
    broken = {"name": "bad", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/nowhere"}}}}
    for target in (None, TARGET):
        box = Toolbox([*TOOLS, broken], target)
        assert [problem.rule for problem in box.read("bad", {"a": 1}).problems] == ["broken-tool"]
        assert box.read("shell", {"command": "ls"}).fits


def test_where_values_are_left_out_a_broken_number_is_not_told_and_an_alias_is() -> None:
    box = Toolbox(TOOLS, values=False, aliases={"shell": {"command": ["cmd"], "timeout_ms": "wait"}})
    assert "-Infinity" not in (box.read("shell", '{"command": "ls", "timeout_ms": -Infinity}').refusal or "")
    assert "`cmd`" in (box.read("shell", {"cmd": 5}).refusal or "")
    assert "`wait`" in (box.read("shell", {"cmd": "ls", "wait": "x"}).refusal or "")


def test_what_was_handed_in_may_be_edited_afterwards() -> None:
    tools = [{"name": "now", "inputSchema": {"properties": {"a": {"$ref": "https://example.com/a"}}}}]
    resources: dict[str, Any] = {"https://example.com/a": {"type": "integer"}}
    aliases: dict[str, Any] = {"now": {"a": ["b"]}}
    box = Toolbox(tools, resources=resources, aliases=aliases)
    resources["https://example.com/a"]["type"] = "string"
    aliases["now"]["a"].append("c")
    assert box.read("now", {"b": 1}).fits
    assert not box.read("now", {"b": "1"}).fits
    assert box.read("now", {"c": "1"}).fits


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"depth": "deep"}, ValueError),
        ({"depth": {"shell": "deep"}}, ValueError),
        ({"integers": "loose"}, ValueError),
        ({"dialect": "draft-9"}, SchemaError),
        ({"readings": ["no-such-row"]}, ValueError),
        ({"target": "no-such-target"}, RuleError),
    ],
)
def test_an_option_that_there_is_not_is_refused_when_the_toolbox_is_made(
    options: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        Toolbox(TOOLS, **options)


@pytest.mark.parametrize("target", ["cerebras", "openai/strict", "fireworks"])
def test_of_a_call_that_could_be_read_in_several_ways_what_is_wrong_is_told_with_its_place(target: str) -> None:
    pair = {"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}], "items": False}
    ages = {"type": "object", "additionalProperties": {"type": "integer"}}
    box = Toolbox([tool("find", ["text"], text={"type": "string"}, pair=pair, ages=ages)], target)
    answer = box.read("find", {"text": "a", "pair": {"0": "a", "1": "b"}})
    assert [problem.path for problem in answer.problems] == [("pair", 1)]
    if target != "fireworks":  # which has no lists in the place of open objects
        answer = box.read("find", {"text": "a", "ages": [{"key": "x", "value": "old"}]})
        assert [problem.path for problem in answer.problems] == [("ages", "x")]


def test_where_values_are_left_out_no_key_of_the_call_is_told_for_the_property_of_other_keys() -> None:
    tools = [{"name": "set", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}}]
    for target, name, others in (("llama.cpp", "other_keys", {"secret": 1}), ("openai/strict", "etc", '{"secret": 1}')):
        for values in (True, False):
            answer = Toolbox(tools, target, values=values).read("set", {"a": "b", "secret": 1, name: others})
            assert not answer.fits
            assert ("secret" in (answer.refusal or "")) is values
