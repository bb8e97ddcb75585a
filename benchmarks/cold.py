"""What it costs to convert a schema that was never seen, beside other libraries and beside `json.dumps`.

The goal beside pydantic-ai is not reached. Its transformer makes a wire; a conversion has a normal form, a report and a
way back too. What was reached is held.
"""

from __future__ import annotations

import itertools
import json
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.claims import Claim, medians
from benchmarks.data import MISSING, corpus_schemas, request_tools
from benchmarks.peers import answers, converters, llm_abi

from toolglot import convert, load_rules
from toolglot.schemas.normal import normal_form
from toolglot.wire.convert import convert_normal

TARGET = "llama.cpp"
PEER_TARGETS = ("openai/strict", "gemini/parameters")
# Tables of one's own are never answered from a cache: what is converted with these is converted anew.
UNCACHED = load_rules(entry_points=False)
ROUNDS = 40
# Of pydantic-ai's transformer, and what is reached of it, with room for a busy machine.
GOAL, REACHED = 1.5, 5.5
# Of `json.dumps`, which every machine has, so that what is reached can be held everywhere.
BESIDE_JSON = {"openai/strict": 32.0, "gemini/parameters": 25.0, "llama.cpp": 18.0}


def claims() -> Iterator[Claim]:
    """The claims about what was never seen before."""
    yield from _beside_others()
    yield from _corpus()


def _beside_others() -> Iterator[Claim]:
    tools = request_tools()
    if not tools:
        yield Claim("never seen before, beside other libraries", None, "x", note=MISSING)
        return
    schemas = [tool["inputSchema"] for tool in tools]
    yield _normal_forms(schemas)
    for target in BESIDE_JSON:
        yield _beside_json(schemas, target)
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
                least=ROUNDS,
            )
            ms = {key: value * 1000 for key, value in found.items()}
            note = f"{len(both)} of {len(schemas)} tools get an answer; the normal form and the report are ours alone"
            budget, goal = (REACHED, GOAL) if name == "pydantic-ai" else (None, None)
            what, ratio = f"never seen before, for {target}, of {name}", ms["toolglot"] / ms[name]
            yield Claim(what, ratio, "x", budget, note, ms, goal=goal)
        yield from _beside_llm_abi(schemas, target)


def _beside_json(schemas: list[Any], target: str) -> Claim:
    """The same beside what every machine has, so that it can be held everywhere."""
    ours, theirs = never_seen(schemas), never_seen(schemas)
    found = medians(
        {
            "toolglot": lambda: [cold(schema, target) for schema in next(ours)],
            "json.dumps": lambda: [json.dumps(schema) for schema in next(theirs)],
        },
        seconds=0,
        least=ROUNDS,
    )
    ms = {key: value * 1000 for key, value in found.items()}
    ratio = ms["toolglot"] / ms["json.dumps"]
    return Claim(f"never seen before, for {target}, of json.dumps", ratio, "x", BESIDE_JSON[target], compared_with=ms)


def never_seen(schemas: list[Any]) -> Iterator[list[Any]]:
    """The schemas with other names and texts each time, made ready beforehand; no two are alike in these."""
    ready = [[_renamed(schema, next(_NUMBERS)) for schema in schemas] for _ in range(ROUNDS + 1)]
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


def _beside_llm_abi(schemas: list[Any], target: str) -> Iterator[Claim]:
    name = f"never seen before, for {target}, of llm-abi"
    theirs = llm_abi(target, schemas, rounds=100)
    if theirs is None:
        yield Claim(name, None, "x", note="no llm-abi (TOOLGLOT_LLM_ABI: where npm installed it)")
        return
    milliseconds, answered = theirs
    both = [schema for schema, has_answer in zip(schemas, answered, strict=True) if has_answer]
    seen = never_seen(both)
    found = medians({"toolglot": lambda: [cold(schema, target) for schema in next(seen)]}, seconds=0, least=ROUNDS)
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


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start
