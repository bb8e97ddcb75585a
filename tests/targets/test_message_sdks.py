"""The official SDKs' own types as judges: each example of a message, and each reply, is one of theirs. Offline."""

from __future__ import annotations

import importlib
import json
from typing import Any

import pytest

from toolglot.tables.messages import message_forms
from toolglot.wire.messages import read_message, reply_to

pytestmark = pytest.mark.heavy

# The type of a whole answer and that of a reply, by form.
CHAT = "openai.types.chat:ChatCompletion"
ITEM = "openai.types.responses.response_input_item_param:FunctionCallOutput"
JUDGES = {
    "openai-chat": (CHAT, "openai.types.chat:ChatCompletionToolMessageParam"),
    "openai-chat-function": (CHAT, "openai.types.chat:ChatCompletionFunctionMessageParam"),
    "openai-responses": ("openai.types.responses:Response", ITEM),
    "anthropic": ("anthropic.types:Message", "anthropic.types:ToolResultBlockParam"),
    "gemini": ("google.genai.types:GenerateContentResponse", "google.genai.types:Part"),
    "ollama": ("ollama:ChatResponse", "ollama:Message"),
    "cohere": ("cohere.v2.types.v2chat_response:V2ChatResponse", "cohere.types.tool_message_v2:ToolMessageV2"),
}
WHOLE = ("choices", "output", "stop_reason", "candidates", "done", "finish_reason")


def judge(name: str) -> Any:
    """A type of an SDK, ready to judge."""
    from pydantic import TypeAdapter  # noqa: PLC0415 - as much a guest as the SDKs

    module, _, attribute = name.partition(":")
    reason = f"NOT TESTED: {module.partition('.')[0]} is not installed"
    return TypeAdapter(getattr(pytest.importorskip(module, reason=reason), attribute))


@pytest.mark.parametrize("form", JUDGES)
def test_each_example_is_a_message_of_the_sdk_and_each_reply_is_taken_by_it(form: str) -> None:
    pytest.importorskip("pydantic", reason="NOT TESTED: pydantic is not installed")
    answer, reply = (judge(name) for name in JUDGES[form])
    row = message_forms()[form]
    given = [json.loads(example.given) for example in row.examples]
    whole = [message for message in given if isinstance(message, dict) and any(key in message for key in WHOLE)]
    assert whole
    for message in whole:
        parsed = answer.validate_python(message)
        read = read_message(parsed, likely=form)
        assert [call.name for call in read.calls] == [call.name for call in read_message(message, likely=form).calls]
        assert [call.arguments for call in read.calls] == [call.arguments for call in read_message(message).calls]
        for call in read.calls:
            for failed in (False, True):
                reply.validate_python(reply_to(row, call, "It rains.", failed=failed))


def test_the_model_of_bedrock_knows_the_fields_of_calls_and_replies() -> None:
    session = pytest.importorskip("botocore.session", reason="NOT TESTED: botocore is not installed")
    shapes = session.get_session().get_service_model("bedrock-runtime").shape_for
    validator = importlib.import_module("botocore.validate").ParamValidator()
    row = message_forms()["bedrock"]
    for example in row.examples:
        message = json.loads(example.given)
        assert not validator.validate(message, shapes("ConverseResponse")).has_errors()
        for call in read_message(message).calls:
            block = reply_to(row, call, "It rains.", failed=True)
            assert not validator.validate(block, shapes("ContentBlock")).has_errors()
