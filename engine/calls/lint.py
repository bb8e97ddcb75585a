"""The lint of a tool's schema: domains that are missing, and slips that no validator reports.

What is looked for stands in `rules/lints.toml`. Each finding has its place, its rule, why it matters, and the line
to add.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial

from toolglot.calls.checker import Checker, checker_of
from toolglot.calls.meant import snake
from toolglot.calls.rows import call_rows, holding
from toolglot.calls.slow_patterns import slow
from toolglot.errors import Path, pointer
from toolglot.json_values import Json, kind
from toolglot.schemas import declarations
from toolglot.schemas.detect import detect
from toolglot.schemas.forms import Normal, Schema
from toolglot.schemas.normal import normal_form
from toolglot.schemas.shown import cut, quoted, shown
from toolglot.schemas.walk import Node, walk
from toolglot.tables.keywords import Vocabulary, vocabulary
from toolglot.tables.rows import Rule
from toolglot.tables.ruleset import Ruleset

_FILLED = re.compile(r"\{([\w-]+)\}")
_NAMED = 5
_MEMBER_LENGTH = 40


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that the lint found.

    Attributes:
        path: where in the schema.
        rule: the id of the row.
        why: why it matters.
        line: the line to add.
    """

    path: Path
    rule: str
    why: str
    line: str

    @property
    def place(self) -> str:
        """The JSON pointer of `path`."""
        return pointer(self.path)

    def as_json(self) -> Json:
        """The finding for a program."""
        return {"place": self.place, "rule": self.rule, "why": self.why, "line": self.line}


def lint(
    schema: Json,
    *,
    dialect: str | None = None,
    resources: Mapping[str, Json] | None = None,
    rules: Ruleset | None = None,
) -> tuple[Finding, ...]:
    """Everything that is found in a tool's schema, in the order of the text.

    Args:
        schema: the tool's own schema.
        dialect: how it is written, where it is not to be detected.
        resources: other schemas by address, for references to them.
        rules: the tables; the shipped ones by default.

    Raises:
        SchemaError: the schema is broken.
    """
    normal = normal_form(schema, dialect=dialect, resources=resources)
    held = cache(partial(checker_of, normal))  # only a default asks for it
    places = {node.place: node for node in _schemas(normal)}
    rows = call_rows(rules).advise
    words = vocabulary(dialect or detect(schema).dialect)
    return tuple(finding for node in walk(schema, words) for finding in _findings(node, held, places, rows))


def _findings(
    node: Node[Vocabulary], held: Callable[[], Checker], places: Mapping[Path, Schema], rows: tuple[Rule, ...]
) -> Iterator[Finding]:
    if not isinstance(node.schema, dict):
        return
    found = declarations.facts(node.schema) | dict(_facts(node, held, places))
    for row in holding(rows, node.schema, found):
        yield Finding(node.path, row.id, row.why, _filled(row, found))


def _filled(row: Rule, found: Mapping[str, Json]) -> str:
    return _FILLED.sub(lambda name: str(found.get(name[1], name[0])), row.options)


# Facts ----------------------------------------------------------------------------------------------


def _facts(
    node: Node[Vocabulary], held: Callable[[], Checker], places: Mapping[Path, Schema]
) -> Iterator[tuple[str, Json]]:
    schema = node.schema
    if node.keyword == "properties":
        yield "parameter", snake(str(node.path[-1]))
    yield "required-undeclared", _listed([quoted(name, _MEMBER_LENGTH)[1:-1] for name in _undeclared(schema)])
    yield "members-of-another-type", _listed([shown(member, _MEMBER_LENGTH) for member in _misfits(schema)])
    if "default" in schema and node.path in places:
        yield "default-misfit", None if held().admits(places[node.path], schema["default"]) else True
    yield "slow-pattern", next(filter(None, map(slow, _patterns(schema))), None)


def _listed(words: list[str]) -> str | None:
    """Words as a list in a sentence, the first few; None for none."""
    more = len(words) - _NAMED
    return cut(", ".join(words[:_NAMED]) + (f" and {more} more" if more > 0 else ""), 200) or None


def _undeclared(schema: Mapping[str, Json]) -> list[str]:
    """The required names that a schema does not declare; none where it declares no property at all."""
    declared, required = schema.get("properties"), schema.get("required")
    if not isinstance(declared, dict) or not isinstance(required, (list, tuple)):
        return []
    return [name for name in dict.fromkeys(filter(_is_text, required)) if name not in declared]


def _misfits(schema: Mapping[str, Json]) -> list[Json]:
    types = declarations.own_types(schema)
    members = schema.get("enum")
    values = [
        *(members if isinstance(members, (list, tuple)) else ()),
        *(schema[key] for key in ("const",) if key in schema),
    ]
    if types.spelling != "readable":
        return []
    admitted = {*types.names, *(["integer"] if "number" in types.names else [])}
    if schema.get("nullable") is True:
        admitted.add("null")
    return [value for value in values if kind(value) not in admitted]


def _patterns(schema: Mapping[str, Json]) -> list[str]:
    named = schema.get("patternProperties")
    return [text for text in (schema.get("pattern"), *(named if isinstance(named, dict) else ())) if _is_text(text)]


def _is_text(value: Json) -> bool:
    return isinstance(value, str)


def _schemas(normal: Normal) -> Iterator[Schema]:
    """Every schema of the normal form, each once."""
    met: set[int] = set()
    waiting: list[Json] = [normal.root, *normal.definitions.values()]
    while waiting:
        item = waiting.pop()
        if not isinstance(item, (dict, list)) or id(item) in met:
            continue
        met.add(id(item))
        if isinstance(item, Schema):
            yield item
        waiting.extend(item.values() if isinstance(item, dict) else item)
