"""What converting costs: a request that repeats, and a schema ten times as large."""

from __future__ import annotations

import copy
import gc
import itertools
import json
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.claims import Claim, medians
from benchmarks.cold import TARGET, UNCACHED
from benchmarks.data import MISSING, mixed_tools, request_tools
from tests.schemas.growing import GROWING

from toolglot import Toolbox
from toolglot.calls.checker import Checker
from toolglot.schemas.normal import normal_form
from toolglot.wire.convert import convert_normal

# What was reached of a goal that was not, with room for a busy machine: objects of large schemas cost the memory that
# they are made of.
REACHED = 0.8
# For each shape the two sizes, and the ten times that the second is of the first. Unions stay below what strict
# targets count of listed values: past a limit a schema is converted again, with more and more of it given up.
SHAPES = {"properties": (1_000, 10_000), "levels": (100, 1_000), "unions": (40, 400)}


def claims() -> Iterator[Claim]:
    """The claims about converting."""
    yield from _repeated_request()
    yield from _growth()


# A request that repeats -------------------------------------------------------------------------------


def _repeated_request() -> Iterator[Claim]:
    name = "repeated request, tools rebuilt each time"
    if not request_tools():
        yield Claim(name, None, "x", 0.5, MISSING)
        return
    mixed = mixed_tools()
    for label, tools in (("23 largest MCP tools", request_tools()), ("with five corpus schemas", mixed)):
        found = {target: _repeated(tools, target) for target in sorted(UNCACHED.targets)}
        size = f"{len(json.dumps(tools)) / 1000:.0f} kB, envelopes read and written"
        # Objects have to be made anew for each caller, bytes do not: what of the two is wanted is the caller's choice.
        for what in ("bytes", "objects"):
            worst = _settled(found, tools, what)
            typical = statistics.median(_ratio(times, what) for times in found.values())
            note = f"{size}; {worst}, the worst of {len(found)} targets; median {typical:.2f}"
            budget, goal = (REACHED, 0.5) if what == "objects" and tools is mixed else (0.5, None)
            ratio = _ratio(found[worst], what)
            yield Claim(f"{name}: {label}, {what}, of json.dumps", ratio, "x", budget, note, goal=goal)
        slowest = max(found, key=lambda target: found[target]["objects"])
        beside = {f"{key} (ms)": times * 1000 for key, times in found[slowest].items()}
        yield Claim(f"{name}: {label}", found[slowest]["objects"] * 1000, "ms", 1.0, f"the slowest, {slowest}", beside)
    held = Toolbox(request_tools(), TARGET)
    found_held = medians({"held": lambda: [held.wire_json for _ in range(100)]}, seconds=0.1)
    yield Claim("a held Toolbox", found_held["held"] * 1e4, "µs", 2.0, "ready bytes")


def _settled(found: dict[str, dict[str, float]], tools: Any, what: str) -> str:
    """The worst target. The worst of many is mostly the unluckiest: what looks worst is measured again, and longer."""
    again: set[str] = set()
    while (worst := max(found, key=lambda target: _ratio(found[target], what))) not in again:
        again.add(worst)
        found[worst] = _repeated(tools, worst, rounds=150)
    return worst


def _ratio(times: dict[str, float], what: str) -> float:
    return times[what] / times["json.dumps"]


def _repeated(tools: Any, target: str, *, rounds: int = 25) -> dict[str, float]:
    """The seconds of a request, and of the work that nobody gets around."""
    # Equal tools in new objects each time, as a framework that rebuilds its tools hands them over.
    rebuilt = itertools.cycle([copy.deepcopy(tools) for _ in range(4)])
    Toolbox(tools, target).wire  # noqa: B018 - what is asked for twice is kept ready
    return medians(
        {
            "bytes": lambda: Toolbox(next(rebuilt), target).wire_json,
            "objects": lambda: Toolbox(next(rebuilt), target).wire,
            "json.dumps": lambda: json.dumps(next(rebuilt)),
        },
        seconds=0,
        least=rounds,
    )


# Growth ------------------------------------------------------------------------------------------------


def _growth() -> Iterator[Claim]:
    for target in (TARGET, "openai/strict"):
        for shape, (small, large) in SHAPES.items():
            seconds = growth(shape, (small, large), target)
            ratio = seconds[large] / seconds[small]
            note = f"{seconds[large] * 1000:.1f} ms at {large:,}"
            yield Claim(f"{large:,} {shape} beside {small:,}, for {target}", ratio, "x", 12.0, note)
    for name, work in {"read": normal_form, "compiled": lambda schema: Checker(normal_form(schema))}.items():
        ratios = {shape: _ten_times(build, work) for shape, build in GROWING.items()}
        worst = max(ratios, key=lambda shape: ratios[shape])
        # What looks worst is mostly the unluckiest, and is measured again.
        ratios[worst] = min(ratios[worst], _ten_times(GROWING[worst], work))
        # The steps are ten times as many, which tests count; memory past a processor's caches costs some more.
        note = f"{worst}, the worst of {len(ratios)} shapes"
        yield Claim(f"ten times as large a schema, {name}", ratios[worst], "x", 15.0, note)


def _ten_times(build: Callable[[int], Any], work: Callable[[Any], object]) -> float:
    """What the work costs for a schema of 3,000 parts, beside what it costs for one of 300."""
    schemas = {size: build(size) for size in (300, 3_000)}
    found = _least({size: lambda schema=schema: work(schema) for size, schema in schemas.items()})
    return found[3_000] / found[300]


def growth(shape: str, sizes: tuple[int, ...], target: str) -> dict[int, float]:
    """The processor's least seconds to convert a schema of each size, so that what else runs is left out.

    The wire is not written as text: past a few hundred levels that goes another and slower way, at one step.
    """
    rules = UNCACHED.target(target)
    schemas = {size: _BUILDERS[shape](size, 0) for size in sizes}
    return _least(
        {size: lambda schema=schema: convert_normal(normal_form(schema), rules) for size, schema in schemas.items()}
    )


def _least(work: dict[int, Callable[[], object]]) -> dict[int, float]:
    """The processor's least seconds of the work for each size."""
    found = dict.fromkeys(work, float("inf"))
    for _round in range(4):
        for size, act in work.items():
            # As many of the small ones as the large ones' size asks for, so that each is measurable.
            turns = max(work) // size
            gc.collect()
            gc.disable()
            start = time.process_time()
            for _turn in range(turns):
                act()
            found[size] = min(found[size], (time.process_time() - start) / turns)
            gc.enable()
    return found


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


_BUILDERS: dict[str, Callable[[int, int], Any]] = {"properties": _wide, "levels": _deep, "unions": _unions}
