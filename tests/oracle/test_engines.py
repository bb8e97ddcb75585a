"""Each engine answers: a schema that compiles, one that does not, texts, and random texts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.oracle.engines import MODULES, Engine

# The engines are installed after the quick tests have run, see `.ci/run`.
pytestmark = pytest.mark.heavy

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"enum": ["x", "y"]}},
    "required": ["a", "b"],
    "additionalProperties": False,
}


@pytest.fixture(params=MODULES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    engine = Engine(request.param)
    yield engine
    engine.close()


def test_a_schema_is_compiled_and_texts_are_matched(engine: Engine) -> None:
    answer = engine.ask(SCHEMA, texts=['{"a":1,"b":"x"}', '{"a":"x","b":"x"}', '{"a":1'], samples=3).answer
    assert answer["ok"] is True
    assert answer["texts"] == [True, False, False]
    assert all(json.loads(text)["b"] in {"x", "y"} for text in answer["samples"])
    assert answer["unfinished"] + len(answer["samples"]) == 3


def test_what_the_engine_refuses_comes_with_its_words(engine: Engine) -> None:
    wrong = {"type": "object", "properties": {"a": {"type": "colour"}}, "required": ["a"]}
    answer = engine.ask(wrong, texts=['{"a":1}']).answer
    assert answer["ok"] is False
    assert answer["error"]
    assert engine.ask(SCHEMA).answer["ok"] is True
