"""What converting costs: a request that repeats, a schema never seen, and one ten times as large."""

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
from benchmarks.data import MISSING, corpus_schemas, mixed_tools, request_tools
from benchmarks.peers import answers, converters, llm_abi
from tests.schemas.growing import GROWING

from toolglot import Toolbox, convert, load_rules
from toolglot.calls.checker import Checker
from toolglot.schemas.normal import normal_form
from toolglot.wire.convert import convert_normal

TARGET = "llama.cpp"
PEER_TARGETS = ("openai/strict", "gemini/parameters")
# Tables of one's own are never answered from a cache: what is converted with these is converted anew.
UNCACHED = load_rules(entry_points=False)
COLD_ROUNDS = 40
# For each shape the two sizes, and the ten times that the second is of the first. Unions stay below what strict
# targets count of listed values: past a limit a schema is converted again, with more and more of it given up.
SHAPES = {"properties": (1_000, 10_000), "levels": (100, 1_000), "unions": (40, 400)}


def claims() -> Iterator[Claim]:
    """The claims about converting."""
    yield from _repeated_request()
    yield from _cold()
    yield from _corpus()
    yield from _growth()


# A request that repeats -------------------------------------------------------------------------------


def _repeated_request() -> Iterator[Claim]:
    name = "repeated request, tools rebuilt each time"
    if not request_tools():
        yield Claim(name, None, "x", 0.5, MISSING)
        return
    for label, tools in (("23 largest MCP tools", request_tools()), ("with five corpus schemas", mixed_tools())):
        found = {target: _repeated(tools, target) for target in sorted(UNCACHED.targets)}
        size = f"{len(json.dumps(tools)) / 1000:.0f} kB, envelopes read and written"
        # Objects have to be made anew for each caller, bytes do not: what of the two is wanted is the caller's choice.
        for what in ("bytes", "objects"):
            worst = _settled(found, tools, what)
            typical = statistics.median(_ratio(times, what) for times in found.values())
            note = f"{size}; {worst}, the worst of {len(found)} targets; median {typical:.2f}"
            yield Claim(f"{name}: {label}, {what}, of json.dumps", _ratio(found[worst], what), "x", 0.5, note)
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


# Never seen --------------------------------------------------------------------------------------------


def _cold() -> Iterator[Claim]:
    tools = request_tools()
    if not tools:
        yield Claim("never seen before, beside other libraries", None, "x", note=MISSING)
        return
    schemas = [tool["inputSchema"] for tool in tools]
    yield _normal_forms(schemas)
    for target in PEER_TARGETS:
        peers = converters(target)
        if not peers:
            yield Claim(f"never seen before, for {target}", None, "x", note="no library to compare with is installed")
        for name, peer in peers.items():
            both = [schema for schema in schemas if answers(peer, schema)]
            ours, theirs = never_seen(both), never_seen(both)
            found = medians(
                {
                    "toolglot": lambda ours=ours, target=target: [cold(schema, target) for schema in next(ours)],
                    name: lambda theirs=theirs, peer=peer: [peer(schema) for schema in next(theirs)],
                },
                seconds=0,
                least=COLD_ROUNDS,
            )
            ms = {key: value * 1000 for key, value in found.items()}
            note = f"{len(both)} of {len(schemas)} tools get an answer; the normal form and the report are ours alone"
            budget = 1.5 if name == "pydantic-ai" else None
            yield Claim(f"never seen before, for {target}, of {name}", ms["toolglot"] / ms[name], "x", budget, note, ms)
        yield from _cold_beside_llm_abi(schemas, target)


def never_seen(schemas: list[Any]) -> Iterator[list[Any]]:
    """The schemas with other names and texts each time, made ready beforehand; no two are alike in these."""
    ready = [[_renamed(schema, next(_NUMBERS)) for schema in schemas] for _ in range(COLD_ROUNDS + 1)]
    return iter(ready)


_NUMBERS = itertools.count(1)
_TEXTS = frozenset(("title", "description", "default", "const", "pattern"))


def _renamed(schema: Any, number: int) -> Any:
    """The same schema with a number at the end of what its author was free to call as they liked."""
    if isinstance(schema, list):
        return [_renamed(item, number) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made: dict[str, Any] = {}
    for keyword, value in schema.items():
        if keyword in ("properties", "$defs", "definitions") and isinstance(value, dict):
            is_named = keyword == "properties"
            made[keyword] = {
                f"{key}{number}" if is_named else key: _renamed(item, number) for key, item in value.items()
            }
        elif keyword in ("required", "enum") and isinstance(value, list):
            made[keyword] = [f"{item}{number}" if isinstance(item, str) else item for item in value]
        elif keyword in _TEXTS and isinstance(value, str):
            made[keyword] = f"{value}{number}" if keyword != "pattern" else f"(?:{value})|^{number}$"
        else:
            made[keyword] = _renamed(value, number)
    return made


def _cold_beside_llm_abi(schemas: list[Any], target: str) -> Iterator[Claim]:
    name = f"never seen before, for {target}, of llm-abi"
    theirs = llm_abi(target, schemas, rounds=100)
    if theirs is None:
        yield Claim(name, None, "x", note="no llm-abi (TOOLGLOT_LLM_ABI: where npm installed it)")
        return
    milliseconds, answered = theirs
    both = [schema for schema, has_answer in zip(schemas, answered, strict=True) if has_answer]
    seen = never_seen(both)
    found = medians({"toolglot": lambda: [cold(schema, target) for schema in next(seen)]}, seconds=0, least=COLD_ROUNDS)
    ours = found["toolglot"] * 1000
    note = f"{len(both)} of {len(schemas)} tools get an answer; warm, in a Node of its own"
    yield Claim(name, ours / milliseconds, "x", None, note, {"toolglot": ours, "llm-abi": milliseconds})


def _normal_forms(schemas: list[Any]) -> Claim:
    """What reading costs, before any target is asked: nothing here is ever answered from a cache."""
    found = medians(
        {
            "normal forms": lambda: [normal_form(schema) for schema in schemas],
            "json.dumps": lambda: [json.dumps(schema) for schema in schemas],
        },
        seconds=0.5,
    )
    ms = {key: value * 1000 for key, value in found.items()}
    size = f"{len(schemas)} schemas, {len(json.dumps(schemas)) / 1000:.0f} kB, the dialect detected"
    return Claim("normal forms, of json.dumps", ms["normal forms"] / ms["json.dumps"], "x", 2.0, size, ms)


def cold(schema: Any, target: str) -> Any:
    """The wire of a conversion that no cache answers, as objects: what other libraries give."""
    return convert_normal(normal_form(schema), UNCACHED.target(target)).wire


def _corpus() -> Iterator[Claim]:
    schemas = corpus_schemas()[::2]
    name = "one corpus schema, never seen before (median)"
    if not schemas:
        yield Claim(name, None, "ms", note=MISSING)
        return
    taken = [_seconds(lambda schema=schema: convert(schema, TARGET)) * 1000 for schema in schemas]
    taken.sort()
    yield Claim(name, statistics.median(taken), "ms", 1.0, note=f"{len(schemas)} schemas, once each")
    yield Claim("the same, 99th percentile", taken[len(taken) * 99 // 100], "ms")
    yield Claim("the same, the slowest", taken[-1], "ms")


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


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start
