"""The same work by other libraries, where they are installed (`pip install toolglot[bench]`)."""

from __future__ import annotations

import copy
import importlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Converter = Callable[[dict[str, Any]], Any]

# A folder where `npm install llm-abi` was run; it is measured in a Node of its own.
LLM_ABI = os.environ.get("TOOLGLOT_LLM_ABI", "")
_LLM_ABI_TARGETS = {
    "openai/strict": "openai",
    "anthropic/strict": "anthropic",
    "gemini/parameters": "gemini",
    "gemini/json-schema": "gemini",
    "deepseek/strict": "deepseek/chat/strict-tools",
    "xai": "xai/grok/structured",
    "mistral": "mistral/chat/structured",
    "qwen": "alibaba/qwen/tools",
    "openrouter": "openrouter/structured",
}

# Which of pydantic-ai's transformers speaks to the provider that a target is of: module, class, strict.
_PYDANTIC_AI = {
    "openai/strict": ("openai", "OpenAIJsonSchemaTransformer", True),
    "gemini/parameters": ("google", "GoogleJsonSchemaTransformer", None),
    "gemini/json-schema": ("google", "GoogleJsonSchemaTransformer", None),
}
TARGETS_OF_PEERS = sorted({*_PYDANTIC_AI, *_LLM_ABI_TARGETS})


def converters(target: str) -> Mapping[str, Converter]:
    """What turns a schema into one for the provider of a target, by the name of the library."""
    found: dict[str, Converter] = {}
    for name, make in (("pydantic-ai", _pydantic_ai), ("openai", _openai), ("LiteLLM", _litellm)):
        try:
            converter = make(target)
        except (ImportError, AttributeError):  # not installed, or of a version that is arranged in another way
            converter = None
        if converter is not None:
            found[name] = converter
    return found


def answers(convert: Converter, schema: dict[str, Any]) -> bool:
    """Whether a library gives an answer for a schema at all."""
    try:
        convert(schema)
    except Exception:  # noqa: BLE001 - whatever it raises, it gave none
        return False
    return True


def _pydantic_ai(target: str) -> Converter | None:
    if target not in _PYDANTIC_AI:
        return None
    module, name, strict = _PYDANTIC_AI[target]
    transformer = getattr(importlib.import_module(f"pydantic_ai.profiles.{module}"), name)
    return lambda schema: transformer(schema, strict=strict).walk()


def _openai(target: str) -> Converter | None:
    if target != "openai/strict":
        return None
    helper = importlib.import_module("openai.lib._pydantic")._ensure_strict_json_schema  # noqa: SLF001 - its only name

    def convert(schema: dict[str, Any]) -> Any:
        own = copy.deepcopy(schema)  # it writes into what it is given
        return helper(own, path=(), root=own)

    return convert


def _litellm(target: str) -> Converter | None:
    if target != "gemini/parameters":
        return None
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else it asks the network while it is imported
    build = importlib.import_module("litellm.llms.vertex_ai.common_utils")._build_vertex_schema  # noqa: SLF001 - as above
    return lambda schema: build(copy.deepcopy(schema))


def llm_abi(target: str, schemas: list[Any], *, rounds: int) -> tuple[float, list[bool]] | None:
    """The median milliseconds of llm-abi for the schemas that it answers, and which those are; None without it."""
    found = _asked_llm_abi(target, schemas, rounds)
    return None if found is None else (found["milliseconds"], found["answered"])


def answers_of_llm_abi(target: str, schemas: list[Any]) -> list[Any] | None:
    """What llm-abi makes of each schema, None where it gives no answer; None instead of a list without it."""
    found: list[Any] | None = _asked_llm_abi(target, schemas, 0)
    return found


def _asked_llm_abi(target: str, schemas: list[Any], rounds: int) -> Any:
    node = shutil.which("node")
    if not LLM_ABI or node is None or target not in _LLM_ABI_TARGETS:
        return None
    words = [node, str(Path(__file__).with_name("llm_abi.mjs")), LLM_ABI, _LLM_ABI_TARGETS[target], str(rounds)]
    ran = subprocess.run(words, input=json.dumps(schemas), capture_output=True, check=True, text=True)
    return json.loads(ran.stdout)
