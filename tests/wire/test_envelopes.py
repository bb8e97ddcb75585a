"""Lists of tools: recognised in any envelope, written in any envelope, one bad tool sinking no other."""

from __future__ import annotations

import copy
from types import SimpleNamespace
from typing import Any

import pytest
from tests.shared_data import mcp_tools

from toolglot import Toolbox
from toolglot.errors import SchemaError
from toolglot.tables.envelopes import envelopes
from toolglot.wire.envelopes import Tool, read_tools, write_tools

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
MCP = {"name": "weather", "description": "The weather.", "inputSchema": SCHEMA}
OPENAI = {"type": "function", "function": {"name": "weather", "description": "The weather.", "parameters": SCHEMA}}
RESPONSES = {"type": "function", "name": "weather", "description": "The weather.", "parameters": SCHEMA}
ANTHROPIC = {"name": "weather", "description": "The weather.", "input_schema": SCHEMA}
DECLARATION = {"name": "weather", "description": "The weather.", "parametersJsonSchema": SCHEMA}
BEDROCK = {"toolSpec": {"name": "weather", "description": "The weather.", "inputSchema": {"json": SCHEMA}}}


@pytest.mark.parametrize(
    ("source", "envelope"),
    [
        ([MCP], "mcp"),
        ({"tools": [MCP]}, "mcp"),
        ({"jsonrpc": "2.0", "id": 1, "result": {"tools": [MCP], "nextCursor": "x"}}, "mcp"),
        (MCP, "mcp"),
        ([OPENAI], "openai-chat"),
        ({"model": "m", "messages": [], "tools": [OPENAI]}, "openai-chat"),
        ([RESPONSES], "openai-responses-plain"),
        ([ANTHROPIC], "anthropic-plain"),
        ([ANTHROPIC | {"type": "custom"}], "anthropic-plain"),
        ([{"functionDeclarations": [DECLARATION]}], "gemini"),
        ({"functionDeclarations": [DECLARATION]}, "gemini"),
        ({"tools": [{"function_declarations": [{"name": "weather", "parameters": SCHEMA}]}]}, "gemini"),
        ([BEDROCK], "bedrock"),
        ({"toolConfig": {"tools": [BEDROCK]}}, "bedrock"),
    ],
)
def test_each_list_is_recognised_by_its_own_form(source: Any, envelope: str) -> None:
    read = read_tools(source)
    assert read.envelope == envelope
    assert [(tool.name, tool.schema) for tool in read.tools] == [("weather", SCHEMA)]
    assert not read.broken


NAMED = [row.id for row in envelopes().values() if row.shapes]


@pytest.mark.parametrize("envelope", NAMED)
def test_what_is_written_in_an_envelope_is_read_back_from_it(envelope: str) -> None:
    tools = (Tool("weather", SCHEMA, "The weather."), Tool("news", {"type": "object"}))
    written = write_tools([(tool, tool.schema) for tool in tools], envelope)
    assert read_tools(written).tools == tools
    assert read_tools({"tools": written}, envelope=envelope).tools == tools


def test_the_schema_alone_can_be_written() -> None:
    assert write_tools([(Tool("weather", SCHEMA), SCHEMA)], "schema") == [SCHEMA]


def test_the_strict_flag_is_said_outright_where_the_envelope_has_it() -> None:
    tool = Tool("weather", SCHEMA)
    flags = {
        row: next(iter(write_tools([(tool, SCHEMA)], row)))
        for row in ("openai-responses-plain", "openai-responses-strict", "anthropic-strict")
    }
    assert [entry["strict"] for entry in flags.values()] == [False, True, True]
    assert "strict" not in write_tools([(tool, SCHEMA)], "openai-chat")[0]["function"]
    assert write_tools([(tool, SCHEMA)], "openai-chat-plain")[0]["function"]["strict"] is False


@pytest.mark.parametrize("flag", [True, False])
def test_a_list_that_says_the_flag_says_it_again_where_no_target_is_named(flag: bool) -> None:
    said = {"strict": flag}
    chat = {"type": "function", "function": OPENAI["function"] | said}
    for source in ([chat], [RESPONSES | said]):
        assert Toolbox(source).wire == source
    assert [entry.get("strict", False) for entry in Toolbox([ANTHROPIC | said]).wire] == [flag]
    assert Toolbox([OPENAI]).wire == [OPENAI]


def test_further_fields_stay_where_the_envelope_has_a_place_for_them() -> None:
    source = MCP | {"annotations": {"readOnlyHint": True}, "title": "Weather", "outputSchema": {"type": "object"}}
    tool = read_tools([source]).tools[0]
    assert tool.output_schema == {"type": "object"}
    assert write_tools([(tool, tool.schema)], "mcp") == [source]
    assert write_tools([(tool, tool.schema)], "anthropic-plain") == [ANTHROPIC]
    cached = ANTHROPIC | {"cache_control": {"type": "ephemeral"}}
    again = read_tools([cached]).tools[0]
    assert write_tools([(again, again.schema)], "anthropic-plain") == [cached]


def test_an_empty_description_is_left_out() -> None:
    tool = read_tools([{"name": "weather", "description": "", "inputSchema": SCHEMA}]).tools[0]
    assert "description" not in write_tools([(tool, SCHEMA)], "bedrock")[0]["toolSpec"]


def test_a_tool_without_parameters_takes_none_where_its_envelope_says_so() -> None:
    read = read_tools([{"functionDeclarations": [{"name": "now"}]}])
    assert read.tools[0].schema == {"type": "object", "properties": {}}
    assert read_tools([{"type": "function", "function": {"name": "now"}}]).tools[0].name == "now"


def test_one_bad_entry_sinks_no_other_and_is_named_with_its_place() -> None:
    read = read_tools({"tools": [MCP, None, {"name": "bare"}, {"what": 1}, MCP]})
    assert [tool.name for tool in read.tools] == ["weather"]
    assert list(read.broken) == ["tools.tools[1]", "bare", "tools.tools[3]", "weather (2)"]
    assert read.broken["bare"].path == ("tools", 2, "inputSchema")
    assert read.broken["weather (2)"].tool == "weather"


@pytest.mark.parametrize("source", [{}, [{}], [1], "text", None, {"tools": {"a": 1}}, [{"name": "weather"}]])
def test_what_is_no_list_of_tools_is_refused_with_the_envelopes_that_are_known(source: Any) -> None:
    with pytest.raises(SchemaError) as refused:
        read_tools(source)
    assert "mcp" in str(refused.value)


def test_an_envelope_that_is_named_decides() -> None:
    with pytest.raises(SchemaError):
        read_tools([ANTHROPIC], envelope="mcp")
    with pytest.raises(SchemaError):
        read_tools([ANTHROPIC], envelope="no-such")


def test_an_empty_list_has_no_tools_and_is_no_fault() -> None:
    assert read_tools([]).tools == ()
    assert read_tools({"tools": []}).tools == ()
    assert write_tools([], "gemini") == []


def test_objects_of_an_sdk_are_read_by_their_own_dump() -> None:
    def model_dump(**options: Any) -> Any:
        assert options == {"mode": "json", "by_alias": True, "exclude_none": True}
        return MCP

    assert read_tools([SimpleNamespace(model_dump=model_dump)]).tools[0].name == "weather"


def test_nothing_is_shared_between_what_came_in_and_what_goes_out() -> None:
    source = [MCP | {"annotations": {"hints": []}}]
    before = copy.deepcopy(source)
    tool = read_tools(source).tools[0]
    first = write_tools([(tool, {"type": "object"})], "mcp")
    first[0]["annotations"]["hints"].append(1)
    tool.schema["properties"].clear()
    assert source == before
    assert write_tools([(tool, {"type": "object"})], "mcp")[0]["annotations"] == {"hints": []}


def test_every_real_tool_goes_through_every_envelope_and_comes_back() -> None:
    tools = read_tools([tool | {"name": f"{number}"} for number, tool in enumerate(mcp_tools())]).tools
    assert len(tools) == 356
    for envelope in NAMED:
        written = write_tools([(tool, tool.schema) for tool in tools], envelope)
        assert [tool.schema for tool in read_tools(written).tools] == [tool.schema for tool in tools]
