"""The oracle answers: a schema that compiles, one that does not, texts, random texts, and a server's grammar."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.oracle.llama import TEMPLATE, Llama, call_text

pytestmark = pytest.mark.heavy  # the engine is there for the heavy run

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"a": {"type": "integer"}},
    "required": ["a"],
    "additionalProperties": False,
}


def test_a_schema_is_compiled_and_texts_are_matched(llama: Llama) -> None:
    answer = llama.ask(SCHEMA, texts=['{"a":1}', '{"a":"x"}'], samples=3).answer
    assert answer["ok"] is True
    assert answer["texts"] == [True, False]
    assert all(isinstance(json.loads(text)["a"], int) for text in answer["samples"])


def test_what_the_engine_refuses_comes_with_its_words(llama: Llama) -> None:
    answer = llama.ask({"$ref": "#"}).answer
    assert answer["ok"] is False
    assert "$ref" in answer["error"]


def test_a_server_gives_the_grammar_of_a_whole_request(llama: Llama, tmp_path: Path) -> None:
    template = tmp_path / "chat.jinja"
    template.write_text(TEMPLATE, encoding="utf-8")
    tools = [{"type": "function", "function": {"name": "one", "description": "x", "parameters": SCHEMA}}]
    reply = llama.grammar_of_request(tools, template)
    assert reply.answer["ok"] is True
    texts = [call_text("one", {"a": 1}), call_text("one", {"a": "x"})]
    assert llama.ask_grammar(reply.answer["grammar"], texts=texts).answer["texts"] == [True, False]


def test_many_tools_share_one_grammar(llama: Llama) -> None:
    answer = llama.ask_tools([("one", SCHEMA)], texts=['{"name":"one","arguments":{"a":1}}']).answer
    assert answer["texts"] == [True]
