"""Hostile schemas and values, in a process that would show an exception, a file, a socket, a stall or a swelling."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from tests.shared_data import REPOSITORY

WORKER = "tests.calls.hostile_worker"
OURS = {"accepted", "refused", "refused schema"}
MEGABYTES = 200
# Lines of Python, a case being one schema read and compiled and two checks of one value: about a second's work.
STEPS = 20_000_000


def seen(seed: int, cases: int, step: int) -> dict[str, Any]:
    if sys.platform != "linux":
        pytest.skip("a process is held to its memory and watched in a way that only Linux has")
    command = [sys.executable, "-m", WORKER, str(seed), str(cases), str(step), str(MEGABYTES)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, cwd=REPOSITORY)
    assert run.returncode == 0, run.stderr[-2000:]
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def judged_calmly(found: dict[str, Any]) -> None:
    assert set(found["outcomes"]) <= OURS
    assert found["touched"] == []
    assert found["longest"][0] < STEPS
    assert set(found["outcomes"]) == OURS


def test_hostile_schemas_and_values_are_judged_calmly() -> None:
    judged_calmly(seen(1, 300, 7))


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(2, 6))
def test_thousands_of_hostile_schemas_and_values_are_judged_calmly(seed: int) -> None:
    found = seen(seed, 2_000, 1)
    assert found["cases"] >= 2_000
    judged_calmly(found)
