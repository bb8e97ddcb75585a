"""The public names: all there, all listed, none of them paid for before its first use."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import toolglot
from toolglot import CallError, MessageError, RuleError, SchemaError, ToolglotError
from toolglot.results.policy import FetchError
from toolglot.results.registry import UnknownReferenceError


def test_every_public_name_is_there_and_listed() -> None:
    assert sorted(toolglot.__all__) == toolglot.__all__
    assert {name for name in toolglot.__all__ if getattr(toolglot, name, None) is None} == set()
    assert set(toolglot.__all__) <= set(dir(toolglot))


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError):
        _ = toolglot.no_such_name


def test_importing_the_package_loads_nothing_that_is_not_used() -> None:
    code = "import sys, toolglot; print(sorted(m for m in sys.modules if m.startswith('toolglot.') or m == 'lark'))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_first_conversion_builds_no_parser_and_loads_what_it_needs_only() -> None:
    code = """if True:
        import sys, toolglot
        schema = {"properties": {"a": {"type": "string", "pattern": "^[a-z]+$"}}}
        toolglot.convert(schema, "llama.cpp").wire
        slow = {"lark", "importlib.resources", "importlib.metadata", "referencing", "hashlib", "fractions"}
        print(sorted(slow & sys.modules.keys()))"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - reads only what the same line wrote


in_every_way = pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled])


@in_every_way
@pytest.mark.parametrize(
    "error",
    [
        ToolglotError("plain"),
        RuleError("a.toml", "rule.x", "why", line=3, hint="so"),
        SchemaError(("properties", 0), "type", "why", tool="t", hint="so"),
        CallError(("a",), "why", hint="so"),
        MessageError("why", hint="so"),
        FetchError("marked"),
        UnknownReferenceError(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_is_the_same_once_it_is_copied_or_comes_from_another_process(
    error: ToolglotError, copied: Callable[[Any], Any]
) -> None:
    made = copied(error)
    assert (type(made), str(made), vars(made)) == (type(error), str(error), vars(error))


@in_every_way
def test_a_call_and_a_list_of_tools_can_be_copied_and_sent_to_another_process(copied: Callable[[Any], Any]) -> None:
    tools = toolglot.read_tools([{"name": "now", "inputSchema": {"type": "object"}}, {"no": "tool"}])
    made = copied(tools)
    assert made.tools == tools.tools
    assert tools.broken
    assert {name: str(error) for name, error in made.broken.items()} == {
        name: str(error) for name, error in tools.broken.items()
    }
    message = {"content": [{"type": "tool_use", "id": "t1", "name": "now", "input": {"a": 1}}]}
    (call,) = toolglot.Toolbox(made).calls(message)
    again = copied(call)
    assert (again, again.reply("Noon.")) == (call, call.reply("Noon."))
