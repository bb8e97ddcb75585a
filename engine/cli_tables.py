"""The commands that show the tables: `toolglot explain | rules | targets`."""

from __future__ import annotations

import json

from toolglot.cli_input import InputError
from toolglot.cli_output import table
from toolglot.json_values import Json
from toolglot.tables.ruleset import Ruleset
from toolglot.tables.spelling import near
from toolglot.wire.causes import CAUSES


def row_of(rules: Ruleset, name: str) -> dict[str, Json]:
    """The row of a rule, of a target, or of what a report names in the place of a rule."""
    if name in CAUSES:
        return _cause(rules, name)
    found = rules.rules.get(name) or rules.targets.get(name)
    if found is None:
        hint = near(name, [*rules.rules, *rules.targets, *CAUSES])
        hint = hint or "`toolglot rules` and `toolglot targets` list them"
        raise InputError(f"no rule and no target is called {name!r} ({hint})")
    row: dict[str, Json] = found.as_json()
    return row


def _cause(rules: Ruleset, name: str) -> dict[str, Json]:
    """What asks for an edit without a row: why, and for a limit what each target sets."""
    limit = name.removeprefix("limits.")
    limits = {target.id: target.limits[limit] for target in rules.targets.values() if limit in target.limits}
    return {"id": name, "why": CAUSES[name], **({"limits": limits} if limits else {})}


def row_text(row: dict[str, Json]) -> str:
    """A row in full, with its examples."""
    said = {key: value for key, value in row.items() if value not in (None, [], {}) and key != "examples"}
    fields = [{"field": key, "value": _shown(value)} for key, value in said.items()]
    return "\n\n".join([table(fields), *map(_example_text, row.get("examples", []))])


def _example_text(example: dict[str, Json]) -> str:
    shown = {"given": [example["given"]], "gives": [example.get("gives") or "the same"]}
    shown |= {key: example[key] for key in ("accepts", "rejects") if key in example}
    return "\n".join([example["name"], *(f"  {key:8}{text}" for key, texts in shown.items() for text in texts)])


def _shown(value: Json) -> str:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "\n".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def rules_text(rows: list[dict[str, Json]]) -> str:
    """Rules, a line each."""
    return table([{**{key: row[key] for key in ("id", "at", "keep", "hazard")}, "why": row["why"]} for row in rows])


def targets_text(rows: list[dict[str, Json]]) -> str:
    """Targets, a line each."""
    return table([{key: row[key] or "" for key in ("id", "title", "envelope", "like")} for row in rows])
