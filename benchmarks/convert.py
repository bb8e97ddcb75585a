"""What converting costs: a request that repeats, a schema never seen, and one ten times as large."""

from __future__ import annotations

import copy
import itertools
import json
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.claims import Claim, medians
from benchmarks.data import MISSING, corpus_schemas, request_tools

from toolglot import Toolbox, convert

TARGET = "llama.cpp"
SIZES = (100, 1000)


def claims() -> Iterator[Claim]:
    """The claims about converting for llama.cpp."""
    yield from _repeated_request()
    yield from _corpus()
    yield from _growth()


def _repeated_request() -> Iterator[Claim]:
    tools = request_tools()
    name = "repeated request of the 23 largest MCP tools, rebuilt each time"
    if not tools:
        yield Claim(name, None, "ms", 1.0, MISSING)
        return
    # Equal tools in new objects each time, as a framework that rebuilds its tools hands them over.
    rebuilt = itertools.cycle([copy.deepcopy(tools) for _ in range(8)])
    held = Toolbox(tools, TARGET)
    found = medians(
        {
            "request": lambda: Toolbox(next(rebuilt), TARGET).wire,
            "schemas": lambda: [convert(tool["inputSchema"], TARGET).wire for tool in next(rebuilt)],
            "held": lambda: [held.wire_json for _ in range(100)],
            "json.dumps": lambda: json.dumps(next(rebuilt)),
        }
    )
    ms = {key: value * 1000 for key, value in found.items()}
    beside = {"json.dumps (ms)": ms["json.dumps"]}
    size = f"{len(json.dumps(tools)) / 1000:.1f} kB"
    yield Claim(name, ms["request"], "ms", 1.0, f"{size}, envelopes read and written", beside)
    yield Claim("the same, schemas alone", ms["schemas"], "ms", 1.0, "convert(…).wire of each", beside)
    yield Claim("the same, a held Toolbox", ms["held"] * 10, "µs", 2.0, "ready bytes")


def _corpus() -> Iterator[Claim]:
    schemas = corpus_schemas()
    name = "one corpus schema, never seen before (median)"
    if not schemas:
        yield Claim(name, None, "ms", note=MISSING)
        return
    taken = [_seconds(lambda schema=schema: convert(schema, TARGET)) * 1000 for schema in schemas]
    taken.sort()
    yield Claim(name, statistics.median(taken), "ms", note=f"{len(schemas)} schemas, once each")
    yield Claim("the same, 99th percentile", taken[len(taken) * 99 // 100], "ms")
    yield Claim("the same, the slowest", taken[-1], "ms")


def _growth() -> Iterator[Claim]:
    for shape, build in (("properties", _wide), ("levels", _deep), ("unions", _unions)):
        small, large = SIZES if shape != "levels" else (20, 200)
        # Never the same schema twice, so that no cache answers.
        numbers = itertools.count()
        found = medians(
            {
                "small": _converter(build, small, numbers),
                "large": _converter(build, large, numbers),
            },
            seconds=0.5,
        )
        ratio = found["large"] / found["small"]
        yield Claim(
            f"{large:,} {shape} beside {small:,}", ratio, "x", 12.0, f"{found['large'] * 1000:.2f} ms at {large:,}"
        )


def _converter(build: Callable[[int, int], Any], size: int, numbers: Iterator[int]) -> Callable[[], object]:
    # Building is linear too, and costs little beside the conversion.
    return lambda: convert(build(size, next(numbers)), TARGET)


def _wide(size: int, salt: int) -> Any:
    leaf = {"type": "string", "minLength": 1, "pattern": "^[a-z]+$", "description": "one of many"}
    properties = {f"p{number}": leaf.copy() for number in range(size)}
    return {"type": "object", "title": f"{salt}", "properties": properties, "required": list(properties)}


def _deep(size: int, salt: int) -> Any:
    schema: Any = {"type": "integer", "minimum": 0, "title": f"{salt}"}
    for level in range(size):
        schema = {"type": "object", "properties": {f"p{level}": schema}, "required": [f"p{level}"]}
    return schema


def _unions(size: int, salt: int) -> Any:
    branches = [{"type": "object", "properties": {"kind": {"const": f"k{number}"}}} for number in range(size)]
    return {"type": "object", "title": f"{salt}", "properties": {"one": {"oneOf": branches}}}


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start
