"""The check of what a tool gave back, where it declares an output schema: for hosts and tests of servers.

MCP: a tool that declares `outputSchema` has to give `structuredContent` that fits it. Only that content is
looked at, never the envelope around it, and a result that says it is an error is exempt.
"""

from __future__ import annotations

from collections.abc import Mapping

from toolglot.calls.check import check
from toolglot.errors import Problem
from toolglot.json_values import Json, plain

_TOOL_FIELDS = frozenset({"inputSchema", "outputSchema"})


def check_output(
    tool: Json,
    result: Json,
    *,
    dialect: str | None = None,
    resources: Mapping[str, Json] | None = None,
    formats: bool | None = None,
) -> tuple[Problem, ...]:
    """Everything that is wrong with a result; empty where it fits, is an error, or where nothing is declared.

    Args:
        tool: the tool as MCP lists it, or its output schema alone.
        result: the result of `tools/call`, with `structuredContent`; an SDK's objects are taken as either, where they
            can be dumped as JSON (`model_dump`).
        dialect: how the schema is written, where it is not to be detected.
        resources: other schemas by address, for references to them.
        formats: whether `format` is checked; as the dialect says where it is not given.

    Raises:
        SchemaError: the output schema is broken.
    """
    tool, result = plain(tool), plain(result)
    is_tool = isinstance(tool, Mapping) and not _TOOL_FIELDS.isdisjoint(tool)
    schema = tool.get("outputSchema") if is_tool else tool
    if schema is None:
        return ()
    if not isinstance(result, Mapping):
        return (Problem((), "", "not-a-result", result, "a result object with structuredContent"),)
    if result.get("isError") is True:
        return ()
    if "structuredContent" not in result:
        hint = "a tool that declares an output schema has to give structuredContent with every success"
        return (Problem((), "outputSchema", "output-missing", None, "structuredContent", hint),)
    return check(schema, result["structuredContent"], dialect=dialect, resources=resources, formats=formats)
