"""The official test suite, read in place: its cases, the documents that they refer to, and their dialects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.shared_data import shared

DIALECTS = {
    "draft3": "draft-03",
    "draft4": "draft-04",
    "draft6": "draft-06",
    "draft7": "draft-07",
    "draft2019-09": "2019-09",
    "draft2020-12": "2020-12",
}


@dataclass(frozen=True)
class Case:
    """One schema of the suite with its instances."""

    folder: str
    file: str
    description: str
    schema: Any
    tests: list[dict[str, Any]]

    @property
    def dialect(self) -> str:
        return DIALECTS[self.folder]

    @property
    def name(self) -> str:
        return f"{self.folder}/{self.file}: {self.description}"


def suite() -> Path:
    return shared("data", "json-schema-test-suite")


def cases(folder: str, below: str = "") -> Iterator[Case]:
    for file in sorted((suite() / "tests" / folder / below).glob("*.json")):
        for case in json.loads(file.read_text(encoding="utf-8")):
            yield Case(folder, file.stem, case["description"], case["schema"], case["tests"])


def documents(folder: str | None = None) -> dict[str, Any]:
    """What the cases refer to: of one draft and of no draft, or all."""
    root = suite() / "remotes"
    found = {}
    for file in sorted(root.rglob("*.json")):
        name = file.relative_to(root).as_posix()
        top = name.split("/")[0]
        if folder is None or top == folder or not top.startswith(("draft", "v1")):
            found[f"http://localhost:1234/{name}"] = json.loads(file.read_text(encoding="utf-8"))
    return found
