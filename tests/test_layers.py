"""Imports run one way: a lower room never asks a higher one, and two rooms of one height never each other."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ENGINE = Path(__file__).resolve().parent.parent / "engine"
# The rooms by height; `toolglot` itself only hands out public names.
HEIGHTS = {
    "errors": 0,
    "cache": 1,
    "json_values": 0,
    "unwound": 0,
    "tables": 1,
    "schemas": 2,
    "wire": 3,
    "calls": 3,
    "results": 4,
    "answers": 4,
    "toolbox": 5,
    "mcp_client": 5,
    "cli_input": 6,
    "cli_output": 6,
    "cli_report": 7,
    "cli_tables": 7,
    "cli": 8,
    "": 9,
}
# results stands beside wire and calls, and may ask only calls, for the public check.
BESIDE = {
    ("results", "wire"),
    ("answers", "results"),
    ("results", "answers"),
    ("toolbox", "mcp_client"),
    ("mcp_client", "toolbox"),
    ("cli_input", "cli_output"),
    ("cli_output", "cli_input"),
}
# The third parties that start processes, reach out or cost much, and the one module that may import each.
HOMES = {
    "mcp": {"mcp_client"},
    "anyio": {"mcp_client"},
    "httpx": {"results"},
    "subprocess": set(),
    "socket": {"results"},
}


def _modules() -> list[Path]:
    return sorted(ENGINE.rglob("*.py"))


def _room(module: Path) -> str:
    first = module.relative_to(ENGINE).parts[0].removesuffix(".py")
    return "" if first == "__init__" else first


def _imports(module: Path) -> list[str]:
    names = []
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are written in full"
            inner = node.module == "toolglot"
            names += [f"toolglot.{alias.name}" for alias in node.names] if inner else [node.module or ""]
    return names


def _asked_rooms(module: Path) -> set[str]:
    rooms = [name.split(".")[1] for name in _imports(module) if name.startswith("toolglot.")]
    return {room for room in rooms if room in HEIGHTS}


@pytest.mark.parametrize("module", _modules(), ids=lambda path: str(path.relative_to(ENGINE)))
def test_a_module_asks_only_its_own_room_and_lower_ones(module: Path) -> None:
    room = _room(module)
    asked = _asked_rooms(module) - {room}
    assert {other for other in asked if HEIGHTS[other] >= HEIGHTS[room] or (room, other) in BESIDE} == set()


@pytest.mark.parametrize("module", _modules(), ids=lambda path: str(path.relative_to(ENGINE)))
def test_what_starts_processes_or_reaches_out_has_one_home(module: Path) -> None:
    roots = {name.split(".")[0] for name in _imports(module)}
    assert {name for name in roots & HOMES.keys() if _room(module) not in HOMES[name]} == set()


def test_every_room_has_its_height() -> None:
    assert {_room(module) for module in _modules()} <= HEIGHTS.keys()
