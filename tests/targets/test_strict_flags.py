"""The flag `strict` of each tool: said outright wherever a server's default would decide, and by no one else."""

from __future__ import annotations

from typing import Any

import pytest

from toolglot import Toolbox
from toolglot.tables.envelopes import at, envelopes
from toolglot.tables.ruleset import load_rules

RULES = load_rules(entry_points=False)
TOOLS = [{"name": "now", "inputSchema": {"type": "object", "properties": {"zone": {"type": "string"}}}}]
# What each target says that says anything; every other target leaves the flag out.
SAID = {
    "anthropic/strict": True,
    "azure/plain": False,
    "azure/strict": True,
    "bedrock/strict": True,
    "cerebras": True,
    "deepseek/strict": True,
    "openai/plain": False,
    "openai/response-format": True,
    "openai/strict": True,
    "openai-responses/plain": False,
    "openai-responses/strict": True,
}


def flags(target: str) -> list[Any]:
    """What the request says of each tool, where its envelope has a place for that; and nowhere else."""
    row = envelopes()[RULES.targets[target].envelope]
    entries = Toolbox(TOOLS, target, rules=RULES).wire
    if row.group:
        entries = [entry for group in entries for entry in group[row.group[0]]]
    place = row.shapes[0].slots.get("<strict>") if row.shapes else None
    found = [at(entry, place) if place else None for entry in entries]
    assert str(entries).count("'strict'") == sum(flag is not None for flag in found)
    return found


@pytest.mark.parametrize("target", RULES.targets)
def test_each_tool_says_the_flag_as_its_target_has_it(target: str) -> None:
    assert flags(target) == [SAID.get(target)]


def test_a_target_that_is_called_strict_says_so() -> None:
    assert {target for target in RULES.targets if "strict" in target} == {
        target for target, flag in SAID.items() if flag and "strict" in target
    }
