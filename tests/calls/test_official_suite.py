"""The official JSON Schema test suite, drafts 3 to 2020-12: every required test; the optional ones by a ratchet."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.shared_data import shared

from toolglot.calls.checker import checker

DIALECTS = {
    "draft3": "draft-03",
    "draft4": "draft-04",
    "draft6": "draft-06",
    "draft7": "draft-07",
    "draft2019-09": "2019-09",
    "draft2020-12": "2020-12",
}
KINDS = ("required", "optional", "format")
RATCHET = Path(__file__).parent / "official_suite.toml"


@cache
def remotes() -> Mapping[str, Any]:
    folder = shared("data", "json-schema-test-suite", "remotes")
    return {
        f"http://localhost:1234/{file.relative_to(folder).as_posix()}": json.loads(file.read_text(encoding="utf-8"))
        for file in sorted(folder.rglob("*.json"))
    }


def kind_of(file: str) -> str:
    return "format" if "/format/" in file else "optional" if "/optional/" in file else "required"


def cases(draft: str, kind: str) -> Iterator[tuple[str, Any]]:
    folder = shared("data", "json-schema-test-suite", "tests")
    for path in sorted((folder / draft).rglob("*.json")):
        file = path.relative_to(folder).as_posix()
        if kind_of(file) == kind:
            yield from ((file, case) for case in json.loads(path.read_text(encoding="utf-8")))


def outcomes(draft: str, kind: str) -> dict[str, bool]:
    """Each test by file and name, and whether the check passes it, by both of its readings."""
    found = {}
    for file, case in cases(draft, kind):
        held = checker(
            case["schema"], dialect=DIALECTS[draft], resources=remotes(), formats=True if kind == "format" else None
        )
        for test in case["tests"]:
            answer = held.accepts(test["data"])
            assert answer is not bool(held.problems(test["data"]))
            assert answer is not bool(held._finder.exactly(test["data"]))
            found[f"{file} {case['description']}: {test['description']}"] = answer is test["valid"]
    return found


def known_failures(draft: str, kind: str) -> set[str]:
    rows = tomllib.loads(RATCHET.read_text(encoding="utf-8"))["failure"]
    assert all(row["reason"] for row in rows)
    named = {f"{row['file']} {test}" for row in rows for test in row["tests"]}
    return {name for name in named if name.startswith(f"{draft}/") and kind_of(name.split(" ")[0]) == kind}


@pytest.mark.parametrize("draft", DIALECTS)
def test_every_required_test_passes(draft: str) -> None:
    found = outcomes(draft, "required")
    assert found
    assert [name for name, passes in found.items() if not passes] == []


@pytest.mark.parametrize("draft", DIALECTS)
@pytest.mark.parametrize("kind", ["optional", "format"])
def test_of_the_optional_tests_those_fail_that_have_a_reason(draft: str, kind: str) -> None:
    failing = {name for name, passes in outcomes(draft, kind).items() if not passes}
    assert failing == known_failures(draft, kind)


def test_fewer_than_ten_optional_tests_fail_and_almost_no_format_tests() -> None:
    assert sum(len(known_failures(draft, "optional")) for draft in DIALECTS) < 10
    number = sum(len(case["tests"]) for draft in DIALECTS for _, case in cases(draft, "format"))
    assert sum(len(known_failures(draft, "format")) for draft in DIALECTS) <= number * 0.02
