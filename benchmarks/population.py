"""Tools made from their number, as many as are wanted, no two alike; and calls to each of them.

The number stands in bounds, names and listed values, so that a mix-up of two tools changes an answer.
"""

from __future__ import annotations

from typing import Any

TARGETS = ("llama.cpp", "openai/strict", "gemini/parameters", "anthropic/strict", "mcp")


FITTING = ("small", "whole")
REFUSED = ("past a bound", "of another tool")


def tool(number: int) -> dict[str, Any]:
    """One of the population; a fresh one each time."""
    properties: dict[str, Any] = {
        "query": {"type": "string", "minLength": 1, "description": f"variant {number}"},
        "limit": {"type": "integer", "minimum": 0, "maximum": number},
    }
    if number % 2:
        properties["mode"] = {"enum": ["fast", "deep", f"mode-{number}"]}
    if number % 3 == 0:
        properties["filter"] = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "integer"}}]}
    if number % 11 == 0:
        properties["code"] = {"type": "string", "pattern": f"^[a-z]+-{number}$"}
    if number % 13 == 0:
        properties["labels"] = {"type": "object", "additionalProperties": {"type": "string", "maxLength": number + 1}}
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": ["query"]}
    if number % 5:
        schema["additionalProperties"] = False
    if number % 17 == 0:
        properties["within"] = {"$ref": "#/$defs/area"}
        point = {"type": "array", "prefixItems": [{"type": "number"}] * 2, "items": False, "minItems": 2}
        parts = {"at": point, "inner": {"$ref": "#/$defs/area"}}
        schema["$defs"] = {"area": {"type": "object", "properties": parts, "required": ["at"]}}
    return {"name": name_of(number), "inputSchema": schema}


def name_of(number: int) -> str:
    """The tool's name, which others have too."""
    return f"tool_{number % 50}"


def call_of(number: int, kind: str) -> dict[str, Any]:
    """A call to the tool that fits, or one that does not."""
    if kind == "small":
        return {"query": "x", "limit": number}
    if kind == "past a bound":
        return {"query": "x", "limit": number + 1}
    if kind == "of another tool":
        return {"query": "", "limit": number, "filter": 1.5, "mode": f"mode-{number + 1}"}
    call: dict[str, Any] = {"query": f"x: {number}", "limit": number}
    if number % 2:
        call["mode"] = f"mode-{number}"
    if number % 3 == 0:
        call["filter"] = [number, 2]
    if number % 11 == 0:
        call["code"] = f"abc-{number}"
    if number % 13 == 0:
        call["labels"] = {"a": "b"}
    if number % 17 == 0:
        call["within"] = {"at": [1.5, number], "inner": {"at": [0, 0]}}
    return call
