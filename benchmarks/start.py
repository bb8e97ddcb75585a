"""What it costs to begin: importing the package, and the first conversion after that, in fresh interpreters."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.claims import Claim

ROUNDS = 7
MEASURE = """
import json, time
from pathlib import Path
start = time.perf_counter()
{code}
taken = time.perf_counter() - start
# The peak of this process alone: what getrusage says may be its parent's.
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(json.dumps([taken, int(peak.split()[1]) / 1024]))
"""
FIRST = (
    "toolglot.convert({'type': 'object', 'properties': {'a': {'type': 'string', 'maxLength': 9}}}, 'llama.cpp').wire"
)


def claims() -> Iterator[Claim]:
    """The claims about starting."""
    if not Path("/proc/self/status").exists():
        yield Claim("import toolglot", None, "ms", note="measured on Linux only")
        return
    bare, imported, first = (_fresh(code) for code in ("pass", "import toolglot", f"import toolglot\n{FIRST}"))
    yield Claim("import toolglot", imported[0] * 1000, "ms", 60.0, "fresh interpreter")
    yield Claim("import toolglot, memory", imported[1] - bare[1], "MB", 25.0, "over a bare interpreter")
    yield Claim("first conversion after import", (first[0] - imported[0]) * 1000, "ms", None, "tables included")
    yield Claim("first conversion, memory", first[1] - bare[1], "MB", None, "over a bare interpreter")


def _fresh(code: str) -> tuple[float, float]:
    """The median seconds and megabytes of some lines in interpreters of their own."""
    words = [sys.executable, "-c", MEASURE.format(code=code)]
    runs = [json.loads(subprocess.run(words, capture_output=True, check=True).stdout) for _ in range(ROUNDS)]
    return statistics.median(run[0] for run in runs), statistics.median(run[1] for run in runs)
