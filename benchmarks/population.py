"""Tools made from their number, as many as are wanted, no two alike; and calls to each of them.

The number stands in bounds, names and listed values, so that a mix-up of two tools changes an answer.
"""

from __future__ import annotations

from typing import Any

TARGETS = ("llama.cpp", "openai/strict", "gemini/parameters", "anthropic/strict", "mcp")


def tool(number: int) -> dict[str, Any]:
    """One of the population; a fresh one each time."""
    properties: dict[str, Any] = {
        "query": {"type": "string", "minLength": 1, "description": f"what to look for, variant {number}"},
        "limit": {"type": "integer", "minimum": 0, "maximum": number},
        "mode": {"enum": ["fast", "deep", f"mode-{number}"]},
    }
    for extra in range(number % 7):
        properties[f"filter_{extra}"] = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "integer"}}]}
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": ["query"]}
    if number % 3:
        schema["additionalProperties"] = False
    if number % 11 == 0:
        properties["code"] = {"type": "string", "pattern": f"^[a-z]+-{number}$"}
    if number % 13 == 0:
        properties["labels"] = {"type": "object", "additionalProperties": {"type": "string", "maxLength": number + 1}}
    if number % 17 == 0:
        properties["within"] = {"$ref": "#/$defs/area"}
        point = {"type": "array", "prefixItems": [{"type": "number"}] * 2, "items": False, "minItems": 2}
        parts = {"at": point, "inner": {"$ref": "#/$defs/area"}}
        schema["$defs"] = {"area": {"type": "object", "properties": parts, "required": ["at"]}}
    return {"name": f"tool_{number % 50}", "inputSchema": schema}


def calls(number: int) -> tuple[tuple[bool, Any], ...]:
    """Some calls to a tool, each with whether it is legal; the first is."""
    small, whole = {"query": "x"}, _whole(number)
    return (
        (True, whole),
        (True, small),
        (False, {**whole, "limit": number + 1}),
        (False, {**small, "mode": f"mode-{number + 1}"}),
        (False, {"limit": number}),
    )


def _whole(number: int) -> dict[str, Any]:
    call: dict[str, Any] = {"query": f"x: {number}", "limit": number, "mode": f"mode-{number}"}
    if number % 7:
        call["filter_0"] = [number, 2]
    if number % 11 == 0:
        call["code"] = f"abc-{number}"
    if number % 13 == 0:
        call["labels"] = {"a": "b"}
    if number % 17 == 0:
        call["within"] = {"at": [1.5, number], "inner": {"at": [0, 0]}}
    return call
