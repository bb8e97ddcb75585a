"""A hang, a crash and an exhausted memory of a worker are answers; the next question finds a new worker."""

from __future__ import annotations

import sys

from tests.oracle.worker import Worker

PROGRAM = """
import json, os, sys, time
for line in sys.stdin:
    question = json.loads(line)
    if question == "hang": time.sleep(100)
    if question == "crash": os.abort()
    if question == "leave": sys.exit(3)
    if question == "fill": bytearray(1 << 33)
    print(json.dumps({"was": question}), flush=True)
"""


def test_every_end_of_a_worker_is_an_answer() -> None:
    with Worker([sys.executable, "-c", PROGRAM], seconds=10, gigabytes=2) as worker:
        assert worker.ask("hello").answer == {"was": "hello"}
        assert worker.ask("hang", seconds=0.2).fault == "timeout"
        assert worker.ask(["x" * 300_000]).answer == {"was": ["x" * 300_000]}
        crash = worker.ask("crash")
        assert (crash.fault, crash.detail) == ("crash", "SIGABRT")
        assert worker.ask("leave").detail == "exit code 3"
        assert worker.ask("fill").fault == "crash"
        assert worker.ask("again").answer == {"was": "again"}
