"""A call from the model's text to the tool: read, restored and checked, beside `json.loads` and a bare validator."""

from __future__ import annotations

import copy
import importlib
import json
import statistics
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.claims import Claim, medians
from benchmarks.data import MISSING, corpus_records
from benchmarks.models import readers

from toolglot import Toolbox, convert
from toolglot.errors import SchemaError

# Without one; one whose wire has nearly every call in the tool's own form; and two that encode half of them.
TARGETS = (None, "llama.cpp", "openai/strict", "gemini/parameters")
BUDGET = 1.5
RUNS = 50
STEP = 12
NAME = "read a call at depth schema, of json.loads and fastjsonschema"

Run = Callable[[], object]


def claims() -> Iterator[Claim]:
    """The claims about `read`."""
    compiled = _optional("fastjsonschema")
    records = [record for record in corpus_records() if record["name"].startswith("BFCL_")][::STEP]
    if compiled is None or not records:
        yield Claim(NAME, None, "x", BUDGET, MISSING if compiled else "fastjsonschema is not installed")
        return
    cases = [case for case in map(_case, records) if case is not None]
    for target in TARGETS:
        yield _beside_bare([_pair(*case, target) for case in cases], target)
    yield _ready_objects(cases)
    yield from _beside_others(cases)


def _optional(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        return None


def _case(record: dict[str, Any]) -> tuple[dict[str, Any], Any] | None:
    """A tool's schema and a legal call that fastjsonschema takes too."""
    schema = record["schema"]
    box = Toolbox([{"name": "tool", "inputSchema": schema}])
    for test in record["tests"]:
        try:
            if test["valid"] and box.read("tool", test["data"]).fits:
                _optional("fastjsonschema").compile(copy.deepcopy(schema))(copy.deepcopy(test["data"]))
                return schema, test["data"]
        except (SchemaError, ValueError):  # fastjsonschema's errors are ValueErrors
            return None
    return None


def _pair(schema: dict[str, Any], call: Any, target: str | None) -> dict[str, Run]:
    """Both ways to read a legal call; ours as the model says it to the target."""
    box = Toolbox([{"name": "tool", "inputSchema": schema}], target)
    said = convert(schema, target).spellings(call)[0] if target else call
    text, own = json.dumps(said), json.dumps(call)
    assert box.read("tool", text).arguments == call
    validate = _optional("fastjsonschema").compile(copy.deepcopy(schema))
    return {"ours": _often(lambda: box.read("tool", text)), "bare": _often(lambda: validate(json.loads(own)))}


def _often(run: Run) -> Run:
    def often() -> None:
        for _ in range(RUNS):
            run()

    return often


def _beside_bare(pairs: list[dict[str, Run]], target: str | None) -> Claim:
    found = [medians(pair, seconds=0, least=9) for pair in pairs]
    what = f"restored from {target}" if target else "no target"
    beside = {"read (µs)": _microseconds(found, "ours"), "bare (µs)": _microseconds(found, "bare")}
    note = f"median of {len(found)} legal calls of BFCL"
    return Claim(f"{NAME}, {what}", _ratio(found, "ours", "bare"), "x", BUDGET, note, beside)


def _ratio(found: list[dict[str, float]], ours: str, theirs: str) -> float:
    return statistics.median(times[ours] / times[theirs] for times in found)


def _microseconds(found: list[dict[str, float]], name: str) -> float:
    return statistics.median(times[name] for times in found) / RUNS * 1e6


def _ready_objects(cases: list[tuple[dict[str, Any], Any]]) -> Claim:
    """The same for arguments that are objects already."""
    found = []
    for schema, call in cases:
        box = Toolbox([{"name": "tool", "inputSchema": schema}])
        validate = _optional("fastjsonschema").compile(copy.deepcopy(schema))
        pair = {
            "ours": _often(lambda box=box, call=call: box.read("tool", call)),  # type: ignore[misc] # as the loop has it
            "bare": _often(lambda validate=validate, call=call: validate(call)),  # type: ignore[misc] # as above
        }
        found.append(medians(pair, seconds=0, least=9))
    beside = {"read (µs)": _microseconds(found, "ours"), "bare (µs)": _microseconds(found, "bare")}
    return Claim(
        "read a call that is an object, of fastjsonschema", _ratio(found, "ours", "bare"), "x", BUDGET, "", beside
    )


def _beside_others(cases: list[tuple[dict[str, Any], Any]]) -> Iterator[Claim]:
    """What other libraries take for the texts of those tools whose schemas they can say."""
    for name in ("pydantic", "msgspec", "jsonschema-rs", "jsonschema"):
        found = []
        for schema, call in cases:
            text = json.dumps(call)
            other = _reader(name, schema)
            if other is not None and _reads(other, text):
                box = Toolbox([{"name": "tool", "inputSchema": schema}])
                pair = {
                    "ours": _often(lambda box=box, text=text: box.read("tool", text)),  # type: ignore[misc] # as the loop has it
                    "theirs": _often(lambda other=other, text=text: other(text)),  # type: ignore[misc] # as above
                }
                found.append(medians(pair, seconds=0, least=5))
        if not found:
            yield Claim(f"read a call, of {name}", None, "x", note=f"{name} is not installed")
            continue
        beside = {"read (µs)": _microseconds(found, "ours"), f"{name} (µs)": _microseconds(found, "theirs")}
        note = f"median of the {len(found)} of {len(cases)} tools whose schemas it can say; {_SAYS[name]}"
        yield Claim(f"read a call, of {name}", _ratio(found, "ours", "theirs"), "x", None, note, beside)


_SAYS = {
    "pydantic": "undeclared keys are dropped",
    "msgspec": "undeclared keys are dropped",
    "jsonschema-rs": "with json.loads; yes or no",
    "jsonschema": "with json.loads; yes or no",
}


def _reader(name: str, schema: dict[str, Any]) -> Callable[[str], object] | None:
    if name in ("pydantic", "msgspec"):
        return readers(schema).get(name)
    library = _optional(name.replace("-", "_"))
    if library is None:
        return None
    is_valid = library.Draft202012Validator(schema).is_valid
    return lambda text: is_valid(json.loads(text))


def _reads(reader: Callable[[str], object], text: str) -> bool:
    try:
        return reader(text) is not False
    except Exception:  # noqa: BLE001 - whatever it raises, it did not read the call
        return False
