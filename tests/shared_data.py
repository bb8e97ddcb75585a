"""Where the tests find the shared data: read in place, never copied into the project."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent


def shared(*parts: str) -> Path:
    """The path of a shared file or folder; the test is skipped, saying why, where it isn't there."""
    root = Path(os.environ.get("TOOLGLOT_DATA") or REPOSITORY.parent / "shared")
    path = root.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"shared data missing: {path} (set TOOLGLOT_DATA to the folder that holds {'/'.join(parts)})")
    return path


def mcp_tools() -> list[dict[str, Any]]:
    """Every tool of the shared lists of real MCP servers, in the order of the files' names."""
    files = sorted(shared("data", "mcp-tools").glob("*.json"))
    return [tool for file in files for tool in json.loads(file.read_text(encoding="utf-8"))["tools"]]


def corpus() -> Iterator[dict[str, Any]]:
    """The records of the corpus sample of real schemas, each with its labelled instances."""
    with gzip.open(shared("data", "corpus", "maskbench-sample.jsonl.gz"), "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


DEEP = 16


def corpus_part(number: int, parts: int) -> Iterator[dict[str, Any]]:
    """Every so many-th record of the corpus, and each whose schema nests deep; all where TOOLGLOT_WHOLE_CORPUS is set.

    Which ones these are depends on the two numbers alone.
    """
    whole = "TOOLGLOT_WHOLE_CORPUS" in os.environ
    for at, row in enumerate(corpus()):
        if whole or at % parts == number % parts or at in _deep_ones():
            yield row


@cache
def _deep_ones() -> frozenset[int]:
    return frozenset(at for at, row in enumerate(corpus()) if levels(row["schema"]) >= DEEP)


def levels(value: Any) -> int:
    """How many lists and objects stand inside each other."""
    found, waiting = 0, [(value, 1)]
    while waiting:
        item, level = waiting.pop()
        if isinstance(item, (dict, list)):
            found = max(found, level)
            waiting += [(below, level + 1) for below in (item.values() if isinstance(item, dict) else item)]
    return found
