"""What a call costs at the border: accepted at the shallow depths, and refused when it is hostile."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.claims import Claim
from benchmarks.data import MISSING, mcp_tools

from toolglot import Toolbox
from toolglot.calls.check import held_check
from toolglot.calls.refusals import LIMIT

# Calls in one measured round: enough that the clock's own cost is lost in it.
REPEATED = 200
ROUNDS = 15
BUDGETS = {"keys": 1.0, "values": 3.0, "schema": None}
HOSTILE_BUDGET = 50.0

TOOL = {
    "name": "read_file",
    "inputSchema": {
        "type": "object",
        "properties": {
            "path": {"type": "string"},
            "line_limit": {"type": "integer", "minimum": 1, "x-aliases": ["limit"]},
            "cells": {"type": "array", "items": {"type": "integer"}},
        },
        "required": ["path"],
        "additionalProperties": False,
    },
}


def claims() -> Iterator[Claim]:
    """The claims about calls."""
    yield from _accepting()
    yield from _refusing()


# Accepting ------------------------------------------------------------------------------------------


def _accepting() -> Iterator[Claim]:
    tools = mcp_tools()
    for depth, budget in BUDGETS.items():
        name = f"accept a call at depth {depth}"
        if not tools:
            yield Claim(name, None, "µs", budget, MISSING)
            continue
        costs = []
        for tool in tools:
            call = _legal(tool["inputSchema"])
            held = held_check(tool["inputSchema"], depth=depth)
            if held.accepts(call):
                costs.append(_microseconds(held.accepts, call))
        note = f"median of {len(costs)} of {len(tools)} tools, less an empty call; worst {max(costs):.2f}"
        yield Claim(name, statistics.median(costs), "µs", budget, note)


def _empty(_value: Any) -> bool:
    return True


def _microseconds(accepts: Callable[[Any], bool], call: Any) -> float:
    """What one call costs over an empty Python call: the least of some rounds, taken turn by turn."""
    rounds = [(_seconds(accepts, call), _seconds(_empty, call)) for _round in range(ROUNDS)]
    full, empty = (min(column) for column in zip(*rounds, strict=True))
    return (full - empty) / REPEATED * 1e6


def _seconds(function: Callable[[Any], bool], call: Any) -> float:
    start = time.perf_counter()
    for _turn in range(REPEATED):
        function(call)
    return time.perf_counter() - start


def _legal(schema: Any) -> Any:
    """A call that gives every parameter of a tool a value of its type; not every one fits the whole schema."""
    return {name: _value(declaration) for name, declaration in schema.get("properties", {}).items()}


def _value(schema: Any) -> Any:
    if "enum" in schema or "const" in schema:
        return schema["enum"][0] if "enum" in schema else schema["const"]
    if "anyOf" in schema:
        return _value(schema["anyOf"][0])
    named = schema.get("type")
    kind = named[0] if isinstance(named, list) else named
    if kind == "object":
        properties = schema.get("properties", {})
        return {name: _value(properties.get(name, {})) for name in schema.get("required", [])}
    if kind == "array":
        return [_value(schema.get("items", {}))] * max(schema.get("minItems", 0), 1)
    if kind in ("integer", "number"):
        return max(1, schema.get("minimum", 1), schema.get("exclusiveMinimum", 0) + 1)
    return {"boolean": True, "null": None}.get(kind, "x" * max(schema.get("minLength", 1), 1))


# Refusing -------------------------------------------------------------------------------------------


def _refusing() -> Iterator[Claim]:
    for depth in BUDGETS:
        box = Toolbox([TOOL], depth=depth)
        box.read("read_file", {"path": "a"})
        for kind, calls, budget in (("hostile", _hostile(), HOSTILE_BUDGET), ("odder", _odder(), None)):
            taken = {name: _milliseconds(box, call) for name, call in calls.items()}
            longest = max(len(_refusal(box, call)) for call in calls.values())
            worst = max(taken, key=lambda name: taken[name])
            note = f"{worst}; longest refusal {longest} of {LIMIT} characters"
            yield Claim(f"worst {kind} call at depth {depth}", taken[worst], "ms", budget, note, taken)


def _milliseconds(box: Toolbox, call: Any) -> float:
    """The processor's time, the least of some rounds: what else runs on the machine only ever adds."""
    least = float("inf")
    for _round in range(7):
        start = time.process_time()
        box.read("read_file", call)
        least = min(least, time.process_time() - start)
    return least * 1000


def _refusal(box: Toolbox, call: Any) -> str:
    return box.read("read_file", call).refusal or ""


def _hostile() -> dict[str, Any]:
    keys = {f"key{number:07}": number for number in range(55_000)}
    deep: Any = 1
    for _level in range(900):
        deep = [deep]
    return {
        "1 MB of keys": keys,
        "1 MB of keys as text": json.dumps(keys),
        "100,000 bad items": {"path": 1, "cells": ["x"] * 100_000},
        "100,000 bad items as text": json.dumps({"path": 1, "cells": ["x"] * 100_000}),
        "deep nesting": {"path": deep, "cells": deep},
        "deep nesting as text": '{"path": ' + "[" * 1_000_000,
        "half surrogates": {"path": ["\ud800" * 1000], "\udfff": "\ud800" * 300_000},
        "bytes that are no text": b'{"path": "' + b"x" * 1_000_000 + b"\xff",
    }


def _odder() -> dict[str, Any]:
    keys = {f"key{number:07}": number for number in range(55_000)}
    return {
        "1 MB of keys and a text like a key": json.dumps({**keys, "path": '"like": this'}),
        "a long text": {"path": 1, "cells": "x" * 1_000_000},
        "a long number": {"path": 10**200_000, "cells": "9" * 1_000_000},
        "a long number as text": '{"path": ' + "9" * 1_000_000 + "}",
        "a text cut off": '{"path": "' + "x" * 1_000_000,
        "a key twice in 1 MB": '{"path": [' + "0," * 500_000 + '{"a": 1, "a": 1}]}',
    }
