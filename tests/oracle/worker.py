"""A worker process that answers JSON lines, held to a wall clock and a memory limit.

A hang, a crash and an exhausted memory are answers too: the next question goes to a new process.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

LIMITED = 'ulimit -c 0; ulimit -v "$1"; shift; exec "$@"'


@dataclass(frozen=True)
class Reply:
    """What came of a question: the worker's answer, or the fault that ended the worker.

    Attributes:
        answer: the worker's JSON object; empty after a fault.
        fault: `timeout`, `crash` (with the signal or exit code in `detail`), or None.
        detail: the fault in words.
    """

    answer: dict[str, Any] = field(default_factory=dict)
    fault: str | None = None
    detail: str = ""


class Worker:
    """Asks one command, which is started when it is needed and ended when it fails or the `with` is left."""

    def __init__(self, command: Sequence[str], *, seconds: float = 15.0, gigabytes: float = 4.0) -> None:
        kilobytes = str(int(gigabytes * 1024 * 1024))
        self.command = ["sh", "-c", LIMITED, "worker", kilobytes, *command]
        self.seconds = seconds
        self.process: subprocess.Popen[bytes] | None = None

    def ask(self, question: Any, *, seconds: float | None = None) -> Reply:
        """The answer to one question, or the fault that it caused."""
        process = self._running()
        assert process.stdin
        try:
            process.stdin.write(json.dumps(question).encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError:
            return self._ended(process)
        limit = seconds or self.seconds
        line = self._line(process, time.monotonic() + limit)
        if line is None:
            self.close()
            return Reply(fault="timeout", detail=f"no answer within {limit:g} s")
        return Reply(json.loads(line)) if line else self._ended(process)

    def close(self) -> None:
        """Ends the process, with everything it started."""
        process, self.process = self.process, None
        if process is None:
            return
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream:
                try:
                    stream.close()
                except BrokenPipeError:  # what was not yet written has no reader any more
                    continue

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _running(self) -> subprocess.Popen[bytes]:
        if self.process is None or self.process.poll() is not None:
            self.close()
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
            )
        return self.process

    def _line(self, process: subprocess.Popen[bytes], deadline: float) -> bytes | None:
        """One line of the worker: empty where it ended, None where it took too long."""
        assert process.stdout
        line = bytearray()
        with selectors.DefaultSelector() as ready:
            ready.register(process.stdout, selectors.EVENT_READ)
            while not line.endswith(b"\n"):
                if not ready.select(max(0.0, deadline - time.monotonic())):
                    return None
                part = os.read(process.stdout.fileno(), 1 << 20)
                if not part:
                    return b""
                line += part
        return bytes(line)

    def _ended(self, process: subprocess.Popen[bytes]) -> Reply:
        code = process.wait()
        self.close()
        return Reply(fault="crash", detail=signal.Signals(-code).name if code < 0 else f"exit code {code}")
