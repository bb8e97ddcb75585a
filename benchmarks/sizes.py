"""How large the wire is, beside the source: over every tool of the MCP lists, per target, median and 99th percentile.

A source has several sizes, so each is shown, in bytes of compact JSON:

* the tool: its name, its description and its schema, before and after. This is the fair one: it is what the author
  wrote and what the model reads. What envelopes add on one side or the other is on neither.
* the entry: the tool as the list has it (with its annotations and its output schema, which no provider takes)
  beside the entry of the request.
* the schema alone. The smallest have 33 bytes, fewer than the keywords that some targets force on every schema.

So the least is shown too: what the source says, without annotations but its descriptions, and with the keywords that
the target forces, which are found by asking it for the wire of the smallest object. Bounds count as they are: where a
target does not take them they are said in words, which are about as long.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from benchmarks.claims import Claim
from benchmarks.data import MISSING, mcp_tools

from toolglot import load_rules
from toolglot.schemas.forms import Normal
from toolglot.schemas.normal import normal_form
from toolglot.tables.target_rules import TargetRules
from toolglot.wire.convert import convert_normal
from toolglot.wire.envelopes import Tool, read_tools, write_tools

MEDIAN, PERCENTILE = 1.0, 1.5
RULES = load_rules(entry_points=False)
PROBE = {"type": "object", "properties": {"a": {"type": "string"}}}
TYPES = ("string", "number", "integer", "boolean")
READINGS = ("tool", "entry", "schema")


@dataclass(frozen=True)
class Forced:
    """What a target does to the smallest object: closed? its key required? and the bytes of null, and of each type."""

    closes: bool
    requires: bool
    null: int
    types: Mapping[str, int]


@dataclass(frozen=True)
class Sizes:
    """The ratios of one target, in the order of the tools: of the wire, and of the least that it could be."""

    wire: Mapping[str, list[float]]
    least: Mapping[str, list[float]]


def claims() -> Iterator[Claim]:
    """The claims about the size of the wire."""
    entries = mcp_tools()
    if not entries:
        yield Claim("size of the wire, of the source", None, "x", note=MISSING)
        return
    sources = [(entry, read_tools([entry]).tools[0], normal_form(entry["inputSchema"])) for entry in entries]
    sizes = {name: _sizes(RULES.target(name), sources) for name in sorted(RULES.targets)}
    for reading in READINGS:
        yield from _of_reading(reading, "median", statistics.median, MEDIAN, sizes)
        yield from _of_reading(reading, "99th percentile", _percentile, PERCENTILE, sizes)


def _of_reading(
    reading: str, what: str, measure: Callable[[list[float]], float], most: float, sizes: Mapping[str, Sizes]
) -> Iterator[Claim]:
    """The worst of the targets whose own keywords leave room for the budget, and of those where they alone pass it."""
    least = {name: measure(each.least[reading]) for name, each in sizes.items()}
    for where, budget in (("", most), (", the target's own keywords pass it", None)):
        found = {
            name: measure(each.wire[reading])
            for name, each in sizes.items()
            if (least[name] <= most) == (budget is not None)
        }
        if found:
            worst = max(found, key=lambda name: found[name])
            note = f"{worst}, the worst of {len(found)}; the least that it takes: {least[worst]:.3f}"
            yield Claim(f"{reading}, of the source: {what}{where}", found[worst], "x", budget, note, found)


def _percentile(ratios: list[float]) -> float:
    """The 99th percentile: the least that 99 of 100 tools do not pass."""
    return sorted(ratios)[ceil(len(ratios) * 0.99) - 1]


def _sizes(rules: TargetRules, sources: list[tuple[Any, Tool, Normal]]) -> Sizes:
    forced = _forced(rules)
    wire: dict[str, list[float]] = {reading: [] for reading in READINGS}
    least: dict[str, list[float]] = {reading: [] for reading in READINGS}
    for entry, tool, normal in sources:
        converted = convert_normal(normal, rules).wire
        sent = _size(converted)
        bare = min(sent, _least(entry["inputSchema"], forced, root=True))  # some force less on what declares no keys
        around = _size({"name": tool.name, "description": tool.description or "", "schema": 0}) - 1
        schema, listed = _size(entry["inputSchema"]), _size(entry)
        written = _size(write_tools([(tool, converted)], rules.target.envelope)[0])
        of = {"tool": around + schema, "entry": listed, "schema": schema}
        made = {"tool": around + sent, "entry": written, "schema": sent}
        for reading in READINGS:
            wire[reading].append(made[reading] / of[reading])
            least[reading].append((made[reading] - sent + bare) / of[reading])
    return Sizes(wire, least)


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def _forced(rules: TargetRules) -> Forced:
    wire = convert_normal(normal_form(PROBE), rules, describe=False).wire
    closes = wire.get("additionalProperties") is False
    types = {name: _more(rules, {"type": name}, required=True) for name in TYPES}
    return Forced(closes, "a" in wire.get("required", ()), _more(rules, PROBE["properties"]["a"]), types)


def _more(rules: TargetRules, node: Any, *, required: bool = False) -> int:
    """The bytes that the target adds to a property, with the word that says what a text stands for."""
    probe = {**PROBE, "properties": {"a": node}, "required": ["a"] if required else []}
    wire = convert_normal(normal_form(probe), rules).wire
    return _size(wire.get("properties", {}).get("a", node)) - _size(node)


# The least ----------------------------------------------------------------------------------------------

_SAID = (
    "type", "enum", "const", "$ref", "description", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "multipleOf", "minLength", "maxLength", "pattern", "minItems", "maxItems",
)  # fmt: skip
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_MAPS = ("$defs", "definitions")


def _least(schema: Any, forced: Forced, *, root: bool = False, described: str | None = None) -> int:
    """The bytes of the smallest schema for a target that we know of, which says what the source says.

    What the union around a branch is `described` by is not said again.
    """
    if described is not None and isinstance(schema, dict) and schema.get("description") == described:
        schema = {key: value for key, value in schema.items() if key != "description"}
    kept, below = _kept(schema, forced, root=root)
    said = kept.get("type") if isinstance(kept, dict) and "enum" not in kept else None
    return _size(kept) - len(below) + sum(below) + (forced.types.get(said, 0) if isinstance(said, str) else 0)


def _kept(schema: Any, forced: Forced, *, root: bool) -> tuple[Any, list[int]]:
    """A schema with 0 in the place of each subschema, and their sizes (the schemas of tools are a few levels deep)."""
    if not isinstance(schema, dict):
        return schema, []
    if not root and schema.get("type") == "object" and not schema.get("properties") and forced.closes:
        return {"type": "string", **{key: schema[key] for key in ("description",) if key in schema}}, []
    kept: dict[str, Any] = {key: schema[key] for key in _SAID if key in schema}
    below: list[int] = []
    for keyword in _LISTS:
        if keyword in schema:
            kept[keyword] = [0] * len(schema[keyword])
            below += [_least(part, forced, described=schema.get("description")) for part in schema[keyword]]
    for keyword in _MAPS:
        if keyword in schema:
            kept[keyword] = dict.fromkeys(schema[keyword], 0)
            below += [_least(part, forced) for part in schema[keyword].values()]
    if isinstance(schema.get("items"), dict):
        kept["items"] = 0
        below.append(_least(schema["items"], forced))
    if "properties" in schema:
        _keep_properties(schema, kept, below, forced)
    return kept, below


def _keep_properties(schema: Any, kept: dict[str, Any], below: list[int], forced: Forced) -> None:
    required = schema.get("required", [])
    properties = dict.fromkeys(schema["properties"], 0)
    for name, part in schema["properties"].items():
        below.append(_least(part, forced) + (forced.null if name not in required else 0))
    if forced.closes or schema.get("additionalProperties") is False:
        kept["additionalProperties"] = False
    if forced.closes and schema.get("additionalProperties") is not False:
        properties["_"] = 0  # a place for the keys that the object does not declare
        below.append(_size({"type": "string"}))
    kept["properties"] = properties
    kept["required"] = list(properties) if forced.requires else required
    if not kept["required"]:
        del kept["required"]
