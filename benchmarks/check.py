"""What checking costs: a valid call, the first call of a tool, and a hostile one; beside the raw libraries."""

from __future__ import annotations

import copy
import gzip
import json
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from benchmarks.claims import Claim, medians
from benchmarks.data import MISSING, ROOT

from toolglot.calls import accelerated
from toolglot.calls.checker import Checker, checker
from toolglot.schemas.normal import normal_form

# Every so-many-th tool of the function-calling part of the corpus.
STEP = 4
RUNS = 200


def claims() -> Iterator[Claim]:
    """The claims about checking."""
    records = _records()
    if not records:
        yield Claim("accepting a valid call", None, "x", 1.15, MISSING)
        return
    yield from _accepting(records)
    yield from _first_call(records)
    yield from _refusing()


def _records() -> list[dict[str, Any]]:
    file = ROOT / "data" / "corpus" / "maskbench-sample.jsonl.gz"
    if not file.exists():
        return []
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return [record for record in records if record["name"].startswith("BFCL_")][::STEP]


def _accepting(records: list[dict[str, Any]]) -> Iterator[Claim]:
    name = "accepting a valid call through a held checker"
    raw, rust = _fastjsonschema(), _jsonschema_rs()
    if raw is None:
        yield Claim(name, None, "x", 1.15, "fastjsonschema is not installed")
        return
    ours, theirs, quick, bare = [], [], [], []
    for record in records:
        tests = [test["data"] for test in record["tests"] if test["valid"]]
        own, held = _own_checker(record["schema"]), Checker(normal_form(record["schema"]))
        library = raw(copy.deepcopy(record["schema"]))
        valid = rust(record["schema"]) if rust else None
        for value in tests:
            candidates = {"ours": partial(own.accepts, value), "raw": partial(library, value)}
            if valid is not None:
                candidates |= {"quick": partial(held.accepts, value), "bare": partial(valid, value)}
            found = medians({key: _repeated(run) for key, run in candidates.items()}, seconds=0.02)
            ours.append(found["ours"])
            theirs.append(found["raw"])
            quick.append(found.get("quick", 0.0))
            bare.append(found.get("bare", 1.0))
    note = f"median of {len(ours)} BFCL calls, side by side"
    median = statistics.median(theirs) / RUNS * 1e6
    beside = {"ours (µs)": statistics.median(ours) / RUNS * 1e6, "fastjsonschema (µs)": median}
    yield Claim(name, _ratio(ours, theirs), "x", 1.15, note, beside)
    name = "the same with the accelerator, beside the raw library"
    if rust is None:
        yield Claim(name, None, "x", note="jsonschema-rs is not installed (extra fast)")
    else:
        yield Claim(name, _ratio(quick, bare), "x", 2.0, note)


def _first_call(records: list[dict[str, Any]]) -> Iterator[Claim]:
    name = "first call of a tool, beside fastjsonschema's compile"
    raw = _fastjsonschema()
    if raw is None:
        yield Claim(name, None, "x", 1.2, "fastjsonschema is not installed")
        return
    normal_form({"type": "object"})
    ours, theirs = [], []
    for number, record in enumerate(records):
        schema = {**record["schema"], "$comment": f"never seen {number}"}
        value = record["tests"][0]["data"]
        ours.append(_seconds(lambda schema=schema, value=value: checker(schema).accepts(value)))
        theirs.append(_seconds(lambda record=record: raw(copy.deepcopy(record["schema"]))))
    beside = {"ours (ms)": statistics.median(ours) * 1e3, "fastjsonschema (ms)": statistics.median(theirs) * 1e3}
    yield Claim(name, _ratio(ours, theirs), "x", 1.2, "read, compiled, checked", beside)


def _refusing() -> Iterator[Claim]:
    """A hostile value costs a bounded time: problems are gathered up to a number, passing parts are passed over."""
    item = {
        "type": "object",
        "properties": {"n": {"type": "integer"}},
        "required": ["n"],
        "additionalProperties": False,
    }
    held = checker({"type": "array", "items": item})
    cases = {
        "100,000 bad items": [{"n": "x"}] * 100_000,
        "one bad item among 100,000": [*([{"n": 1}] * 99_999), {"n": "x"}],
        "an object of 100,000 stray keys": [{f"k{number}": 1 for number in range(100_000)}],
    }
    for name, value in cases.items():
        found = medians({"problems": partial(held.problems, value)}, seconds=0.3, least=3)
        yield Claim(f"every problem of {name}", found["problems"] * 1e3, "ms", 500.0)


def _own_checker(schema: Any) -> Checker:
    """A checker by our own tests alone, also where the accelerator is installed."""
    installed = accelerated._library  # noqa: SLF001 - the seam that is measured
    accelerated._library = lambda: None  # type: ignore[assignment] # noqa: SLF001 - as above
    try:
        return Checker(normal_form(schema))
    finally:
        accelerated._library = installed  # noqa: SLF001 - as above


def _fastjsonschema() -> Callable[[Any], Callable[[Any], Any]] | None:
    try:
        import fastjsonschema  # noqa: PLC0415 - measured where it is installed
    except ImportError:
        return None
    made: Callable[[Any], Callable[[Any], Any]] = fastjsonschema.compile
    return made


def _jsonschema_rs() -> Callable[[Any], Callable[[Any], bool]] | None:
    try:
        import jsonschema_rs  # noqa: PLC0415 - measured where it is installed
    except ImportError:
        return None
    return lambda schema: jsonschema_rs.validator_for(schema).is_valid


def _repeated(run: Callable[[], object]) -> Callable[[], None]:
    def many() -> None:
        for _ in range(RUNS):
            run()

    return many


def _ratio(ours: list[float], theirs: list[float]) -> float:
    return statistics.median(own / other for own, other in zip(ours, theirs, strict=True))


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start
