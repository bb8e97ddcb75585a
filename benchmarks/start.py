"""What it costs to begin: importing the package, and the first conversion after that, in fresh interpreters."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.claims import Claim

ROUNDS = 7
FIRST_BUDGET = 150.0
MEASURE = """
import json, time
from pathlib import Path
{before}
start, clock = time.process_time(), time.perf_counter()
{code}
taken, waited = time.process_time() - start, time.perf_counter() - clock
# The peak of this process alone: what getrusage says may be its parent's.
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(json.dumps([taken * 1000, waited * 1000, int(peak.split()[1]) / 1024]))
"""
SMALL = "{'type': 'object', 'properties': {'a': {'type': 'string', 'maxLength': 9}}}"
PATTERN = "{'type': 'object', 'properties': {'a': {'type': 'string', 'pattern': '^[a-z]+$', 'maxLength': 9}}}"
FIRST = "toolglot.convert(%s, '%s').wire"


def claims() -> Iterator[Claim]:
    """The claims about starting. The processor's time is what counts: it stays the same on a busy machine."""
    if not Path("/proc/self/status").exists():
        yield Claim("import toolglot", None, "ms", note="measured on Linux only")
        return
    codes = {"bare": ("", "pass"), "import": ("", "import toolglot")}
    for target in ("llama.cpp", "openai/strict", "gemini/parameters"):
        codes[target] = ("import toolglot", FIRST % (SMALL, target))
    codes["pattern"] = ("import toolglot", FIRST % (PATTERN, "llama.cpp"))
    found = _medians(codes)
    bare = found["bare"][2]
    yield Claim("import toolglot", found["import"][0], "ms", 60.0, _waited(found["import"]))
    yield Claim("import toolglot, memory", found["import"][2] - bare, "MB", 25.0, "over a bare interpreter")
    for target in list(codes)[2:]:
        name = "llama.cpp, with a pattern" if target == "pattern" else target
        note = f"tables included; {_waited(found[target])}"
        yield Claim(f"first conversion after import, {name}", found[target][0], "ms", FIRST_BUDGET, note)
    yield Claim("first conversion, memory", found["llama.cpp"][2] - bare, "MB", None, "over a bare interpreter")


def _waited(found: list[float]) -> str:
    return f"{found[1]:.0f} ms by the clock on the wall"


def _medians(codes: dict[str, tuple[str, str]]) -> dict[str, list[float]]:
    """The median milliseconds (of the processor, of the clock) and megabytes of each, turn by turn."""
    runs: dict[str, list[list[float]]] = {name: [] for name in codes}
    with tempfile.TemporaryDirectory() as folder:
        # As for a user, the modules are compiled already.
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = folder
        for turn in range(ROUNDS + 1):
            for name, (before, code) in codes.items():
                words = [sys.executable, "-c", MEASURE.format(before=before, code=code)]
                out = subprocess.run(words, capture_output=True, check=True, env=environment).stdout
                if turn:
                    runs[name].append(json.loads(out))
    return {name: [statistics.median(column) for column in zip(*rows, strict=True)] for name, rows in runs.items()}
