"""Calls in a provider's answer: found in every form, told from their neighbours, and answered in the same form."""

from __future__ import annotations

import copy
import json
from types import SimpleNamespace
from typing import Any

import pytest

from toolglot.errors import MessageError
from toolglot.tables.messages import MessageExample, MessageForm, message_forms
from toolglot.wire.messages import read_message, reply_to

EXAMPLES = [
    pytest.param(row, example, id=f"{row.id}-{example.name.replace(' ', '-')}")
    for row in message_forms().values()
    for example in row.examples
]


def calls_of(message: Any, **options: Any) -> list[dict[str, Any]]:
    return [
        {"id": call.id, "name": call.name, "arguments": call.arguments}
        for call in read_message(message, **options).calls
    ]


@pytest.mark.parametrize(("row", "example"), EXAMPLES)
def test_what_an_example_says_is_read_with_and_without_the_name_of_its_form(
    row: MessageForm, example: MessageExample
) -> None:
    message, wanted = json.loads(example.given), json.loads(example.calls)
    before = copy.deepcopy(message)
    assert calls_of(message) == wanted
    assert calls_of(message, likely=row.id) == wanted
    assert calls_of(message, form=row.id) == wanted
    assert message == before


@pytest.mark.parametrize(("row", "example"), EXAMPLES)
def test_a_reply_has_the_form_and_the_id_of_its_call(row: MessageForm, example: MessageExample) -> None:
    read = read_message(json.loads(example.given), likely=row.id)
    if row.reply is None or not read.calls:
        assert example.replied is None
        return
    assert read.form is row
    replied = reply_to(row, read.calls[0], "It rains.", failed=False)
    refused = reply_to(row, read.calls[0], "It rains.", failed=True)
    assert replied == json.loads(example.replied or "null")
    assert refused == json.loads(example.refused or example.replied or "null")


def test_a_form_that_likely_came_is_taken_where_two_fit() -> None:
    message = {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "a", "arguments": {}}}]}
    assert read_message(message).form.id == "ollama"
    assert read_message(message, likely="openai-chat").form.id == "openai-chat"
    assert read_message(message, likely="anthropic").form.id == "ollama"


def test_calls_of_several_choices_are_all_read_each_with_its_place() -> None:
    choice = {"message": {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "a"}}]}}
    read = read_message({"choices": [choice, choice]})
    assert [call.path[:2] for call in read.calls] == [("choices", 0), ("choices", 1)]


@pytest.mark.parametrize("identity", [True, 1.5, ["x"], {"a": 1}])
def test_what_is_no_id_is_none(identity: Any) -> None:
    assert calls_of({"type": "tool_use", "id": identity, "name": "a", "input": {}})[0]["id"] is None


@pytest.mark.parametrize(
    "message",
    [
        *("a text", None, 7, {}, [1], {"a": 1}, [{"a": 1}], {"error": {"message": "no"}}),
        {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "function": {"arguments": "{"}}]}}]},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{"}},
        [{"role": "user", "content": "Hello."}],
        {"name": "weather"},
    ],
)
def test_what_is_no_message_is_an_error_that_says_what_came(message: Any) -> None:
    with pytest.raises(MessageError) as refused:
        read_message(message)
    assert refused.value.hint is not None
    assert "got" in refused.value.reason


def test_a_form_that_is_named_decides_and_one_that_nothing_is_called_is_an_error() -> None:
    message = {"content": [{"type": "tool_use", "id": "1", "name": "a", "input": {}}]}
    with pytest.raises(MessageError):
        read_message(message, form="openai-responses")
    with pytest.raises(MessageError):
        read_message(message, form="antropic")


def test_objects_of_an_sdk_are_read_by_their_own_dump() -> None:
    def model_dump(**options: Any) -> Any:
        assert options == {"mode": "json", "by_alias": True, "exclude_none": True}
        return {"type": "tool_use", "id": "1", "name": "a", "input": {"b": None}}

    block = SimpleNamespace(model_dump=model_dump)
    assert calls_of([block]) == calls_of(block) == [{"id": "1", "name": "a", "arguments": {"b": None}}]


def test_a_reply_takes_blocks_where_its_provider_does() -> None:
    block = {"type": "tool_use", "id": "1", "name": "a", "input": {}}
    call = read_message(block)
    image = {"type": "image", "source": {}}
    assert reply_to(call.form, call.calls[0], [image], failed=False)["content"] == [image]
    with pytest.raises(MessageError):
        reply_to(call.form, call.calls[0], {"a": 1}, failed=False)
    with pytest.raises(MessageError):
        reply_to(message_forms()["ollama"], call.calls[0], [image], failed=False)
    with pytest.raises(MessageError):
        reply_to(message_forms()["bare"], call.calls[0], "It rains.", failed=False)


def test_replies_share_nothing_with_the_table() -> None:
    call = read_message({"toolUse": {"toolUseId": "1", "name": "a", "input": {}}})
    first = reply_to(call.form, call.calls[0], "It rains.", failed=False)
    second = copy.deepcopy(first)
    first["toolResult"]["content"][0]["text"] = first["toolResult"]["status"] = ""
    assert reply_to(call.form, call.calls[0], "It rains.", failed=False) == second
