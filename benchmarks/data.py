"""The shared data that benchmarks measure with; a benchmark without it says so and measures nothing."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

ROOT = Path(os.environ.get("TOOLGLOT_DATA") or Path(__file__).resolve().parent.parent.parent / "shared")
MISSING = f"no data at {ROOT} (set TOOLGLOT_DATA)"
# The request that is measured: the largest different tools of real MCP servers.
REQUEST_TOOLS = 23


def mcp_tools() -> list[dict[str, Any]]:
    """Every tool of the shared lists of real MCP servers; none where the data is not there."""
    files = sorted((ROOT / "data" / "mcp-tools").glob("*.json"))
    return [tool for file in files for tool in json.loads(file.read_text(encoding="utf-8"))["tools"]]


def request_tools() -> list[dict[str, Any]]:
    """The largest distinct tools, by the bytes of their schemas, with distinct names."""
    distinct = {json.dumps(tool["inputSchema"], sort_keys=True): tool for tool in mcp_tools()}
    by_size = sorted(distinct.items(), key=lambda item: (-len(item[0]), item[1]["name"]))
    named: dict[str, dict[str, Any]] = {}
    for _, tool in by_size:
        named.setdefault(tool["name"], tool)
    return list(named.values())[:REQUEST_TOOLS]


def mixed_tools() -> list[dict[str, Any]]:
    """The same, and five tools made of the first schemas of objects in the corpus that have 3 to 15 kB."""
    large = (schema for schema in corpus_schemas() if isinstance(schema, dict) and schema.get("type") == "object")
    fitting = [schema for schema in large if 3_000 <= len(json.dumps(schema)) <= 15_000][:5]
    made = [{"name": f"corpus_{number}", "inputSchema": schema} for number, schema in enumerate(fitting)]
    return [*request_tools(), *made]


def corpus_schemas() -> list[Any]:
    """Every schema of the corpus sample; none where the data is not there."""
    return [record["schema"] for record in corpus_records()]


def corpus_records() -> list[Any]:
    """Every schema of the corpus sample with its name and its legal and illegal values."""
    file = ROOT / "data" / "corpus" / "maskbench-sample.jsonl.gz"
    if not file.exists():
        return []
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
