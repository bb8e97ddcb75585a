"""A call from the model's text to the tool: parsed, restored and checked, beside `json.loads` and a bare validator."""

from __future__ import annotations

import copy
import json
import statistics
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.claims import Claim, medians
from benchmarks.data import MISSING, corpus_records

from toolglot import Toolbox
from toolglot.errors import SchemaError

TARGET = "llama.cpp"
RUNS = 50
STEP = 12


def claims() -> Iterator[Claim]:
    """The claim about `read`."""
    name = "read a call at depth schema, of json.loads and fastjsonschema"
    compiled = _fastjsonschema()
    records = [record for record in corpus_records() if record["name"].startswith("BFCL_")][::STEP]
    if compiled is None or not records:
        yield Claim(name, None, "x", note=MISSING if compiled else "fastjsonschema is not installed")
        return
    for target in (None, TARGET):
        ratios, ours, theirs = [], [], []
        for record in records:
            pair = _pair(record, target, compiled)
            if pair is not None:
                found = medians({"ours": pair[0], "theirs": pair[1]}, seconds=0, least=9)
                ratios.append(found["ours"] / found["theirs"])
                ours.append(found["ours"] / RUNS * 1e6)
                theirs.append(found["theirs"] / RUNS * 1e6)
        what = f"restored from {target}" if target else "no target"
        beside = {"read (µs)": statistics.median(ours), "bare (µs)": statistics.median(theirs)}
        note = f"{what}; median of {len(ratios)} legal calls of BFCL"
        yield Claim(f"{name}, {what}", statistics.median(ratios), "x", None, note, beside)


def _pair(
    record: dict[str, Any], target: str | None, compiled: Callable[[Any], Callable[[Any], Any]]
) -> tuple[Callable[[], None], Callable[[], None]] | None:
    """Both ways to read one legal call of a tool; None where one of them takes none."""
    calls = [test["data"] for test in record["tests"] if test["valid"]]
    try:
        box = Toolbox([{"name": "tool", "inputSchema": record["schema"]}], target)
        validate = compiled(copy.deepcopy(record["schema"]))
        texts = [json.dumps(call) for call in calls]
        legal = [text for text in texts if box.read("tool", text).fits and validate(json.loads(text)) is not None]
    except (SchemaError, ValueError):  # fastjsonschema's errors are ValueErrors
        return None
    if not legal:
        return None
    text = legal[0]

    def ours() -> None:
        for _ in range(RUNS):
            box.read("tool", text)

    def theirs() -> None:
        for _ in range(RUNS):
            validate(json.loads(text))

    return ours, theirs


def _fastjsonschema() -> Callable[[Any], Callable[[Any], Any]] | None:
    try:
        import fastjsonschema  # noqa: PLC0415 - measured where it is installed
    except ImportError:
        return None
    made: Callable[[Any], Callable[[Any], Any]] = fastjsonschema.compile
    return made
