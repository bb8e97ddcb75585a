"""The real grammar engines that Python has, asked what they make of a schema.

An engine is asked where the Python that runs the tests has it, or the one that the environment variable
TOOLGLOT_ENGINES_PYTHON names (xgrammar needs torch, which is large). Elsewhere every test that asks is skipped, and the
end of the test run says so.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.oracle.worker import Reply, Worker

VARIABLE = "TOOLGLOT_ENGINES_PYTHON"
WHOLE = "TOOLGLOT_ENGINES_CORPUS"  # set where the whole corpus is put to the engines: that takes an hour
PROGRAM = Path(__file__).with_name("grammar_program.py")
MODULES = {
    "llguidance": "llguidance",
    "outlines": "outlines_core",
    "xgrammar": "xgrammar",
    "lm-format-enforcer": "lmformatenforcer",
}


def python() -> str:
    """The Python that the engines run in."""
    return os.environ.get(VARIABLE) or sys.executable


@cache
def _has(interpreter: str, module: str) -> bool:
    look = "import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)"
    try:
        return subprocess.run([interpreter, "-c", look, module], check=False).returncode == 0
    except OSError:
        return False


def missing(name: str) -> str | None:
    """Why an engine can't be asked here, or None where it can."""
    if _has(python(), MODULES[name]):
        return None
    return f"{name} is not asked: {python()} has no module {MODULES[name]}"


class Engine:
    """One engine in a worker of its own."""

    def __init__(self, name: str, *, seconds: float = 15.0) -> None:
        reason = missing(name)
        if reason:
            pytest.skip(reason)
        threads = ["env", "OMP_NUM_THREADS=1", "RAYON_NUM_THREADS=1"]
        self.name = name
        self._worker = Worker([*threads, python(), "-I", str(PROGRAM), name], seconds=seconds, gigabytes=6)
        self._started = False

    def ask(self, schema: Any, *, texts: Sequence[str] = (), samples: int = 0, seed: int = 1) -> Reply:
        """What the engine makes of a schema.

        `ok` in the answer says whether it compiles (else `error`), `texts` whether each text matches, and
        `samples` are random texts drawn from the grammar.
        """
        self._start()
        written = schema if isinstance(schema, str) else json.dumps(schema, ensure_ascii=False)
        reply = self._worker.ask({"schema": written, "texts": list(texts), "n": samples, "seed": seed})
        self._started = reply.fault is None
        return reply

    def _start(self) -> None:
        """Waits for a new process to have loaded the engine, which can take longer than a question may."""
        if not self._started:
            self._worker.ask({"schema": '{"type": "boolean"}'}, seconds=120)
            self._started = True

    def close(self) -> None:
        """Ends the worker."""
        self._worker.close()
