"""What a tool gave back, against the output schema that it declares."""

from __future__ import annotations

from typing import Any

import pytest

from toolglot.calls.output import check_output
from toolglot.errors import SchemaError

SCHEMA = {"type": "object", "properties": {"total": {"type": "integer"}}, "required": ["total"]}
TOOL = {"name": "sum", "inputSchema": {"type": "object"}, "outputSchema": SCHEMA}


@pytest.mark.parametrize("tool", [TOOL, SCHEMA])
def test_structured_content_is_checked_and_nothing_around_it(tool: Any) -> None:
    assert check_output(tool, {"content": [{"anything": 1}], "structuredContent": {"total": 1}, "more": 2}) == ()
    (problem,) = check_output(tool, {"structuredContent": {"total": "1"}})
    assert (problem.path, problem.keyword) == (("total",), "type")


def test_a_declared_output_that_is_missing_is_a_problem_and_no_pass() -> None:
    for result in ({"content": []}, {}, {"content": [{"type": "text", "text": '{"total": 1}'}], "isError": False}):
        (problem,) = check_output(TOOL, result)
        assert problem.rule == "output-missing"


def test_an_error_is_exempt() -> None:
    assert check_output(TOOL, {"isError": True, "content": []}) == ()
    assert check_output(TOOL, {"isError": True, "structuredContent": {"total": "x"}}) == ()
    assert check_output(TOOL, {"isError": "true"}) != ()


def test_a_tool_that_declares_nothing_may_give_anything() -> None:
    for tool in ({"name": "t", "inputSchema": {}}, {"name": "t", "inputSchema": {}, "outputSchema": None}):
        assert check_output(tool, {"content": []}) == ()
        assert check_output(tool, {"structuredContent": 5}) == ()


def test_content_of_any_shape_is_held_to_its_schema() -> None:
    assert check_output({"type": "array"}, {"structuredContent": [1]}) == ()
    assert check_output({"type": ["object", "null"]}, {"structuredContent": None}) == ()
    assert check_output(SCHEMA, {"structuredContent": None}) != ()


@pytest.mark.parametrize("result", [None, "text", [], 5])
def test_what_is_no_result_is_a_problem(result: Any) -> None:
    (problem,) = check_output(TOOL, result)
    assert problem.rule == "not-a-result"


def test_a_broken_output_schema_is_the_authors_fault() -> None:
    with pytest.raises(SchemaError):
        check_output({"type": 5}, {"structuredContent": {}})


def test_an_sdks_objects_are_taken_as_tool_and_as_result() -> None:
    class FromSDK:
        def __init__(self, **fields: Any) -> None:
            self.fields = fields

        def model_dump(self, **_how: Any) -> dict[str, Any]:
            return self.fields

    tool = FromSDK(name="a", inputSchema={}, outputSchema={"type": "object", "required": ["a"]})
    assert check_output(tool, FromSDK(content=[], structuredContent={"a": 1})) == ()
    (problem,) = check_output(tool, FromSDK(content=[], structuredContent={}))
    assert problem.path == ("a",)
    assert check_output(tool, FromSDK(content=[], isError=True)) == ()
