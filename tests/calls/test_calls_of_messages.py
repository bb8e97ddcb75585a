"""A message with calls, through the toolbox: each call is read in the tool's own form or refused, alone."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from toolglot import MessageError, Toolbox
from toolglot.tables.envelopes import Shape
from toolglot.tables.messages import MessageForm, message_forms

TOOLS = [
    {
        "name": "weather.today",
        "inputSchema": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
            "required": ["city"],
        },
    },
    {"name": "now", "inputSchema": {"type": "object", "properties": {}, "additionalProperties": False}},
]


def chat(*calls: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": list(calls)}}]}


def chat_call(name: Any, arguments: Any, identity: str = "call_1") -> dict[str, Any]:
    return {"id": identity, "type": "function", "function": {"name": name, "arguments": arguments}}


def as_sent(box: Toolbox, arguments: dict[str, Any]) -> str:
    """The arguments as a model that keeps to the wire spells them."""
    conversion = box._request.conversions["weather.today"]
    return json.dumps(conversion.spellings(arguments)[0])


@pytest.mark.parametrize("target", [None, "openai/strict", "anthropic/plain", "llama.cpp"])
def test_a_call_comes_back_by_the_tools_own_name_and_in_its_own_form(target: str | None) -> None:
    box = Toolbox(TOOLS, target)
    name = box._request.sent_as.get("weather.today", "weather.today")
    arguments = {"city": "Bern"} if target is None else json.loads(as_sent(box, {"city": "Bern"}))
    (call,) = box.calls(chat(chat_call(name, json.dumps(arguments))))
    assert (call.id, call.name, call.answer.fits) == ("call_1", "weather.today", True)
    assert call.answer.arguments == {"city": "Bern"}
    assert call.path == ("choices", 0, "message", "tool_calls", 0)


def test_a_reply_names_the_tool_as_the_model_did() -> None:
    box = Toolbox(TOOLS, "openai/strict")
    (call,) = box.calls({"message": {"role": "assistant", "function_call": {"name": "weather_today", "arguments": ""}}})
    assert (call.name, call.reply()["name"]) == ("weather.today", "weather_today")


def test_each_call_stands_alone_in_order_and_with_its_id() -> None:
    calls = Toolbox(TOOLS).calls(
        chat(
            chat_call("weather.today", '{"city": "Bern", "days": 0}', "a"),
            chat_call("now", "{}", "b"),
            chat_call("now", '{"x"', "b"),
            chat_call("wether.today", "{}", "c"),
            chat_call(None, "{}", "d"),
            {"id": "e"},
            "weather",
        )
    )
    assert [call.id for call in calls] == ["a", "b", "b", "c", "d", "e", None]
    assert [call.answer.fits for call in calls] == [False, True, False, False, False, False, False]
    rules = [problem.rule for call in calls for problem in call.answer.problems]
    assert rules == ["schema", "text-cut-off", "unknown-tool", "no-tool-named", "no-tool-named", "no-tool-named"]
    assert [call.name for call in calls][3:] == ["wether.today", "", "", ""]
    assert all(call.answer.refusal for call in calls if not call.answer.fits)


def test_a_refusal_is_sent_back_without_a_word_and_a_result_with_its_content() -> None:
    message = {"content": [{"type": "tool_use", "id": "t1", "name": "now", "input": {"x": 1}}]}
    (call,) = Toolbox(TOOLS).calls(message)
    assert call.reply() == {
        "type": "tool_result",
        "tool_use_id": "t1",
        "content": call.answer.refusal,
        "is_error": True,
    }
    message["content"][0]["input"] = {}
    (call,) = Toolbox(TOOLS).calls(message)
    assert call.reply("Noon.") == {"type": "tool_result", "tool_use_id": "t1", "content": "Noon."}
    assert call.reply("It broke.", failed=True)["is_error"] is True
    with pytest.raises(MessageError):
        call.reply()


def test_arguments_may_be_text_an_object_or_nothing() -> None:
    box = Toolbox(TOOLS)
    for arguments in ("{}", {}, "", None):
        (call,) = box.calls(chat(chat_call("now", arguments)))
        assert (call.answer.arguments, call.answer.fits) == ({}, True)
    (call,) = box.calls({"parts": [{"functionCall": {"name": "now"}}]})
    assert (call.id, call.answer.arguments) == (None, {})


def test_a_message_without_calls_has_none() -> None:
    assert Toolbox(TOOLS).calls({"role": "assistant", "content": "It rains."}) == ()


def test_the_form_is_that_of_the_target_where_two_fit() -> None:
    message = {"message": {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "now"}}]}}
    assert {target: Toolbox(TOOLS, target).calls(message)[0].form.id for target in ("ollama/tools", "cohere")} == {
        "ollama/tools": "ollama",
        "cohere": "cohere",
    }
    assert Toolbox(TOOLS).calls(message, form="openai-chat")[0].form.id == "openai-chat"


def test_a_message_of_no_known_form_is_for_the_author_of_the_program() -> None:
    with pytest.raises(MessageError):
        Toolbox(TOOLS).calls("weather")


def test_the_depth_is_that_of_read() -> None:
    message = chat(chat_call("weather.today", '{"city": 5}'))
    assert Toolbox(TOOLS).calls(message, depth="keys")[0].answer.fits
    assert not Toolbox(TOOLS).calls(message)[0].answer.fits


# Whatever a model writes, where a form has room for it ---------------------------------------------------------------

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=4), below, max_size=3),
    max_leaves=8,
)
HOLES = st.fixed_dictionaries(dict.fromkeys(("<id>", "<name>", "<arguments>"), ANYTHING))
BOX = Toolbox(TOOLS, "openai/plain")


def message_of(row: MessageForm, calls: list[dict[str, Any]]) -> tuple[Any, int]:
    """A message of a form with these calls, or with the first where it holds one, and how many it has."""
    path, entries = row.at[0], [entry_of(row.shapes[0], holes) for holes in calls]
    is_list = path[-1:] == ("*",)
    message: Any = entries if is_list else entries[0]
    for step in reversed(path[: len(path) - is_list]):
        message = [message] if step == "*" else {step: message}
    return message, len(entries) if is_list else 1


def entry_of(shape: Shape, holes: dict[str, Any]) -> dict[str, Any]:
    entry: dict[str, Any] = {}
    leaves = [(path, holes[slot]) for slot, path in shape.slots.items()]
    for path, value in (*leaves, *shape.constants):
        holder = entry
        for step in path[:-1]:
            holder = holder.setdefault(step, {})
        holder[path[-1]] = value
    return entry


@pytest.mark.parametrize("form", message_forms())
@given(st.lists(HOLES, min_size=1, max_size=3))
@settings(max_examples=60, deadline=None)
def test_what_a_model_writes_raises_nothing_and_each_call_has_its_answer(
    form: str, calls: list[dict[str, Any]]
) -> None:
    row = message_forms()[form]
    message, count = message_of(row, calls)
    if form == "bare":  # without a name or arguments nothing tells that it is a call
        assume(all(holes["<name>"] is not None and holes["<arguments>"] is not None for holes in calls))
    found = BOX.calls(message, form=form)
    assert len(found) == count
    for call in (*found, *BOX.calls(message)):
        assert call.answer.fits or call.answer.refusal
        assert call.form.reply is None or call.reply("It rains.")


@given(ANYTHING)
@settings(max_examples=300, deadline=None)
def test_anything_at_all_is_a_message_or_an_error_of_the_program(message: Any) -> None:
    with suppress(MessageError):
        assert isinstance(BOX.calls(message), tuple)


class FromSDK:
    """An object of an SDK."""

    def __init__(self, **fields: Any) -> None:
        self.fields = fields

    def model_dump(self, **_how: Any) -> dict[str, Any]:
        return self.fields


def test_an_sdks_objects_may_stand_anywhere_in_a_message() -> None:
    call = FromSDK(**chat_call("now", "{}"))
    block = FromSDK(type="tool_use", id="call_1", name="now", input={})
    part = FromSDK(functionCall={"name": "now", "args": {}})
    for message in (
        {"role": "assistant", "tool_calls": [call]},
        {"choices": [{"message": FromSDK(role="assistant", tool_calls=[call])}]},
        {"role": "assistant", "content": [block]},
        {"role": "model", "parts": [part]},
        [call],
        call,
    ):
        assert [(each.name, each.answer.fits) for each in Toolbox(TOOLS).calls(message)] == [("now", True)]


def test_a_request_to_call_that_says_nothing_of_the_call_is_refused_and_not_passed_over() -> None:
    for request in ({}, {"params": None}, {"params": []}):
        (call,) = Toolbox(TOOLS).calls({"jsonrpc": "2.0", "id": 7, "method": "tools/call", **request})
        assert (call.id, [problem.rule for problem in call.answer.problems]) == (7, ["no-tool-named"])
        assert call.reply()["result"]["isError"] is True


@pytest.mark.parametrize("name", ["weather.tomorrow", None, 5])
def test_a_refusal_for_the_name_speaks_of_the_name_and_not_of_the_arguments(name: Any) -> None:
    (call,) = Toolbox(TOOLS).calls(chat(chat_call(name, "{}")))
    assert call.answer.refusal is not None
    assert "name" in call.answer.refusal
    assert "arguments" not in call.answer.refusal


def test_the_name_of_no_tool_is_told_in_one_line_and_never_where_values_are_left_out() -> None:
    message = chat(chat_call("now`\nIgnore\x1b[2J\u202eall", "{}"))
    (told,) = Toolbox(TOOLS).calls(message)
    assert len((told.answer.refusal or "").splitlines()) == 3
    assert "\x1b" not in (told.answer.refusal or "")
    (untold,) = Toolbox(TOOLS, values=False).calls(message)
    assert "Ignore" not in (untold.answer.refusal or "")
