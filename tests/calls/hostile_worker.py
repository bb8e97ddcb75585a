"""Puts hostile schemas and values to the check in a process of its own, and prints what it saw as JSON.

The process can't grow by more than the memory limit, and its audit hook notes every file, socket, process and piece of
code that is touched once the check is warm. Run by `test_hostile.py` as
`python -m tests.calls.hostile_worker SEED CASES STEP MEGABYTES`, where STEP takes each so-many-th of the cases by hand.
"""

from __future__ import annotations

import json
import math
import random
import resource
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

from tests.work import steps_of

from toolglot.calls.checker import checker
from toolglot.errors import ToolglotError
from toolglot.schemas.normal import normal_form

KEYWORDS = [
    "type",
    "enum",
    "const",
    "multipleOf",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "contains",
    "maxContains",
    "minContains",
    "prefixItems",
    "items",
    "additionalItems",
    "unevaluatedItems",
    "properties",
    "patternProperties",
    "additionalProperties",
    "propertyNames",
    "unevaluatedProperties",
    "required",
    "dependentRequired",
    "dependencies",
    "dependentSchemas",
    "minProperties",
    "maxProperties",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "format",
    "$ref",
    "$dynamicRef",
    "$anchor",
    "$dynamicAnchor",
    "$recursiveRef",
    "$recursiveAnchor",
    "$id",
    "id",
    "$schema",
    "$defs",
    "definitions",
    "$vocabulary",
    "title",
    "default",
    "nullable",
    "extends",
    "disallow",
    "divisibleBy",
    "contentMediaType",
    "contentEncoding",
    "discriminator",
    "xml",
    "__proto__",
]
PATTERNS = ["(a+)+$", "(a|aa)+$", "(a|a)*b", "(.*a){12}", "^(([a-z])+.)+[A-Z]([a-z])+$", "(?=(a+))\\1b", "(?<!a+)b"]
PATTERNS += [
    "(",
    "[",
    "\\",
    "a{2,1}",
    "(?<n>a)\\k<n>",
    "\\p{L}",
    "\\p{Nope}",
    "[^]",
    "(x{1000}){1000}",
    "a{99999}",
    "\\u{110000}",
]
TEXTS = [
    "",
    "a" * 40,
    "a" * 5000 + "!",
    "\ud800",
    "\x00",
    "é" * 100,
    "\n",
    "{0.__class__}",
    "%s",
    "'; import os; '",
    "#",
    "#/",
]
REFERENCES = [
    "#",
    "#/$defs/a",
    "#/properties/a",
    "http://127.0.0.1:9/x",
    "file:///etc/passwd",
    "//host/x",
    "data:,1",
    "#missing",
]
REFERENCES += ["urn:x", "../../x", "http://[::1", "#/%ff", "#/~2", "http://json-schema.org/draft-07/schema#", "\ud800"]
NUMBERS = [0, 1, -1, 1.5, 1e308, 5e-324, math.inf, -math.inf, math.nan, 2**64, 10**5000, -(10**400), True, 1e400]
STRANGE = [b"x", {1, 2}, object(), Decimal("1.5"), 1j, (1, 2), range(3), Ellipsis]
NAMES = ["a", "b", "", "__class__", "$ref", "é", "\n", "a/b~c", "properties"]

EVENTS = ("open", "socket.", "subprocess.", "os.", "exec", "compile", "urllib.", "shutil.", "ctypes.", "import")


class Maker:
    """Makes schemas and values that nobody should trust."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def schema(self, depth: int = 3) -> Any:
        pick = self.random.random()
        if depth <= 0 or pick < 0.05:
            return self.random.choice([True, False, {}, None, [], "x", 1, {"type": "object"}, {"$ref": "#"}])
        chosen = self.random.sample(KEYWORDS, self.random.randint(1, 5))
        return {keyword: self.keyword(keyword, depth) for keyword in chosen}

    def keyword(self, keyword: str, depth: int) -> Any:
        if self.random.random() < 0.15:
            return self.value(depth - 1)
        if keyword in ("allOf", "anyOf", "oneOf", "prefixItems", "extends"):
            return [self.schema(depth - 1) for _ in range(self.random.randint(0, 3))]
        if keyword in ("properties", "$defs", "definitions", "dependentSchemas", "patternProperties", "dependencies"):
            names = PATTERNS if keyword == "patternProperties" else NAMES
            return {self.random.choice(names): self.schema(depth - 1) for _ in range(self.random.randint(0, 3))}
        return self.random.choice(
            {
                "type": ["object", "array", "string", "number", "integer", ["null", "string"], "any", "STRING"],
                "pattern": PATTERNS,
                "format": ["email", "uri", "regex", "date-time", "idn-hostname", "nope", "\x00"],
                "$schema": [
                    "http://json-schema.org/draft-03/schema#",
                    "http://json-schema.org/draft-04/schema#",
                    "x",
                    "",
                ],
                "required": [["a"], ["a", "a"], [], True, ["\ud800"]],
                "enum": [[1, True, 1.0], [], [None], [[[]], {"a": [1]}], NUMBERS, TEXTS],
            }.get(keyword)
            or (REFERENCES if "Ref" in keyword or keyword in ("$ref", "$id", "id", "$anchor") else None)
            or (NUMBERS if keyword.startswith(("min", "max", "multiple", "exclusive", "divisible")) else None)
            or [self.schema(depth - 1)]
        )

    def value(self, depth: int = 3) -> Any:
        pick = self.random.random()
        if depth > 0 and pick < 0.3:
            return [self.value(depth - 1) for _ in range(self.random.randint(0, 5))]
        if depth > 0 and pick < 0.6:
            keys = [*NAMES, 1, None, (1,)] if pick < 0.35 else NAMES
            return {self.random.choice(keys): self.value(depth - 1) for _ in range(self.random.randint(0, 5))}
        return self.random.choice([*NUMBERS, *TEXTS, *STRANGE, None, [], {}])


def nested(levels: int, wrap: Callable[[Any], Any], inner: Any) -> Any:
    for _ in range(levels):
        inner = wrap(inner)
    return inner


def by_hand() -> list[tuple[Any, Any]]:
    """The cases that once broke some validator, and those that ask for unbounded work."""
    deep_list = nested(50_000, lambda inner: [inner], 1)
    deep_object = nested(50_000, lambda inner: {"a": inner}, 1)
    cyclic: list[Any] = []
    cyclic.append(cyclic)
    recursive = {"anyOf": [{"type": "integer"}, {"items": {"$ref": "#"}}, {"properties": {"a": {"$ref": "#"}}}]}
    twice = {"allOf": [{"properties": {"a": {"$ref": "#"}}}, {"properties": {"a": {"$ref": "#"}}, "required": ["a"]}]}
    doubling = {f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}] * 2} for i in range(60)} | {"d60": {"type": "null"}}
    marks = {
        "allOf": [nested(200, lambda inner: {"allOf": [inner], "unevaluatedProperties": {}}, {"properties": {"a": {}}})]
    }
    wide = {f"k{i}": "x" for i in range(100_000)}
    many = list(range(100_000))
    schemas = [
        recursive,
        twice,
        {"$defs": doubling, "$ref": "#/$defs/d0"},
        marks,
        {"uniqueItems": True},
        {"const": deep_list},
    ]
    schemas += [{"enum": [[1], {"a": 1}]}, {"items": {"$ref": "#"}}, {"additionalProperties": {"$ref": "#"}}]
    schemas += [{"items": {"type": "string"}}, {"additionalProperties": False}, {"unevaluatedProperties": False}]
    schemas += [{"contains": {"const": -1}}, {"propertyNames": {"pattern": "(a|aa)+$"}}]
    schemas += [{"allOf": [{"items": {"anyOf": [{"const": -1}, {"type": "string"}]}}] * 300}]
    schemas += [nested(1_900, lambda inner: {"items": inner}, {}), nested(5_000, lambda inner: {"not": inner}, {})]
    schemas += [{"pattern": pattern} for pattern in PATTERNS]
    schemas += [{"patternProperties": {pattern: {"pattern": pattern} for pattern in PATTERNS[:6]}}]
    values = [
        deep_list,
        deep_object,
        cyclic,
        wide,
        many,
        [many, many, many],
        "a" * 65_536 + "!",
        10**6000,
        [math.nan, math.nan],
    ]
    return [(schema, value) for schema in schemas for value in values]


class Watch:
    """Notes what the process touches while the check is at work."""

    def __init__(self) -> None:
        self.on = False
        self.seen: list[str] = []
        sys.addaudithook(self.note)

    def note(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.on and event.startswith(EVENTS):
            self.seen.append(f"{event} {str(arguments)[:100]}")


def judge(schema: Any, value: Any) -> str:
    """What came of one case: its outcome, or the exception that is none of ours."""
    try:
        held = checker(schema, formats=True)
    except ToolglotError:
        return "refused schema"
    except Exception as error:  # noqa: BLE001 - any other exception is what this looks for
        return f"schema: {error!r:.200}"
    try:
        accepted = held.accepts(value)
        if accepted is bool(held.problems(value)):
            return "accepts and problems disagree"
    except Exception as error:  # noqa: BLE001 - as above
        return f"value: {error!r:.200}"
    return "accepted" if accepted else "refused"


def warm() -> None:
    """Loads what loads lazily."""
    judge({"format": "date-time", "pattern": "a", "$ref": "http://json-schema.org/draft-07/schema#"}, "a")
    for name in ("regex", "idn-hostname", "uri", "email"):
        judge({"format": name}, "a")
    for dialect in ("draft-03", "draft-04", "draft-06", "draft-07", "2019-09", "2020-12"):
        normal_form({"type": "object"}, dialect=dialect)
    for pattern in PATTERNS:
        judge({"pattern": pattern}, "a")
    judge({"properties": {"a": {"type": "text"}}, "minimum": "1"}, 1)
    judge({"minimum": 1}, 0)


def main() -> None:
    seed, cases, step, megabytes = map(int, sys.argv[1:])
    warm()
    maker = Maker(seed)
    prepared = [*by_hand()[::step], *((maker.schema(), maker.value()) for _ in range(cases))]
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    limit = pages * resource.getpagesize() + megabytes * 2**20
    watch = Watch()
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    outcomes: dict[str, int] = {}
    longest = (0, "")
    watch.on = True
    for number, (schema, value) in enumerate(prepared):
        came: list[str] = []
        steps = steps_of(lambda: came.append(judge(schema, value)))  # noqa: B023 - called at once
        outcomes[came[0]] = outcomes.get(came[0], 0) + 1
        longest = max(longest, (steps, f"case {number}"))
    watch.on = False
    seen = {"outcomes": outcomes, "longest": longest, "touched": watch.seen[:20], "cases": len(prepared)}
    sys.stdout.write(json.dumps(seen))


if __name__ == "__main__":
    main()
