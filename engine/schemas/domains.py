"""A parameter's domain in words, such as `a whole number, 1 or more`: from the rows of `rules/domains.toml`.

The same words stand in a refusal and in the description that a model reads before it calls.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolglot.json_values import Json
from toolglot.schemas import declarations
from toolglot.schemas.shown import cut, number_text, quoted, shown
from toolglot.tables.derived import made_once
from toolglot.tables.rows import Rule
from toolglot.tables.ruleset import Ruleset

_BRANCHES_SAID = 4
_MEMBERS_SAID = 8
_MEMBER_LENGTH = 40
_LONGEST = 300
_FILLED = re.compile(r"\{([$\w-]+)\}")


def domain(declaration: Json, rules: Ruleset | None = None) -> str:
    """What values a declaration admits, in a few words; `any value` where it says nothing readable.

    Args:
        declaration: one schema as it stands in the source, read leniently.
        rules: the tables; the shipped ones by default.
    """
    return cut(_words(declaration, _wording(rules), is_branch=False), _LONGEST)


@dataclass(frozen=True, slots=True)
class _Wording:
    """The rows that say something, by verb."""

    nouns: tuple[Rule, ...]
    sayings: tuple[Rule, ...]


@made_once
def _wording(rules: Ruleset) -> _Wording:
    rows = rules.at("value")
    return _Wording(tuple(row for row in rows if row.verb == "noun"), tuple(row for row in rows if row.verb == "say"))


def _words(declaration: Json, wording: _Wording, *, is_branch: bool) -> str:
    found = declarations.facts(declaration)
    node = declaration if isinstance(declaration, dict) else {}
    if not is_branch and declarations.own_types(node).spelling == "absent" and "enum" not in node:
        options = next(iter(declarations.unions(node)), [])
        if options:
            return _united(options, wording)
    nouns = {rule.options["type"]: rule.options["as"] for rule in wording.nouns if rule.when.test(node, found)}
    null = nouns.pop("null", None)
    said = [_filled(rule, node, found) for rule in wording.sayings if rule.when.test(node, found)]
    ordered = [nouns[name] for name in (*declarations.TYPES, "any") if name in nouns]
    parts = [" or ".join(ordered), *said] if ordered else said
    text = ", ".join(parts)
    if null is None:
        return text
    return f"{text}{', or ' if said else ' or '}{null}" if text else null


def _united(options: list[Json], wording: _Wording) -> str:
    """The words of each branch, once each, those for null last."""
    words = list(dict.fromkeys(_words(option, wording, is_branch=True) for option in options))
    words.sort(key=lambda each: each == "null")
    if len(words) > _BRANCHES_SAID:
        words = [*words[:_BRANCHES_SAID], f"one of {len(words) - _BRANCHES_SAID} more"]
    has_comma = any("," in each for each in words)
    return (", or " if has_comma else " or ").join(words)


def _filled(rule: Rule, node: Mapping[str, Any], found: Mapping[str, Json]) -> str:
    """The row's text with each {name} as the keyword's or the fact's value in words."""

    def value(name: re.Match[str]) -> str:
        known = found.get(name[1])
        return _said(node.get(name[1]) if known is None else known)

    return _FILLED.sub(value, rule.options)


def _said(value: Json) -> str:
    if isinstance(value, (list, tuple)):
        members = [shown(member, _MEMBER_LENGTH) for member in value[:_MEMBERS_SAID]]
        more = len(value) - len(members)
        return ", ".join(members) + (f" and {more:,} more" if more else "")
    if isinstance(value, str):
        return quoted(value, _MEMBER_LENGTH)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number_text(value)
    return shown(value, _MEMBER_LENGTH)
