"""Real HTTP servers on the loopback for tests: each answers as it is told and notes what it was asked."""

from __future__ import annotations

import contextlib
import gzip
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self


@dataclass
class Answer:
    """What a server answers: a body, or a stream of chunks, or a redirect."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    chunks: int = 0
    chunk: bytes = b""
    interval: float = 0.0
    before_chunk: Callable[[int], None] | None = None

    @classmethod
    def packed(cls, body: bytes, **headers: str) -> Answer:
        return cls(body=gzip.compress(body), headers={"Content-Encoding": "gzip", **headers})


class Server:
    """A server on a port of its own; `requests` has (path, Authorization) in order."""

    def __init__(self, answer: Answer | None = None) -> None:
        self.answer = answer or Answer()
        self.requests: list[tuple[str, str | None]] = []
        self.sent = 0
        self.was_cut_off = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.origin = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._open: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._listen, daemon=True)]
        self._threads[0].start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(connection)
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            head = b""
            while b"\r\n\r\n" not in head:
                part = connection.recv(65536)
                if not part:
                    return
                head += part
            lines = head.decode("latin-1").split("\r\n")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
            self.requests.append((lines[0].split(" ")[1], headers.get("authorization")))
            try:
                self._respond(connection)
            except OSError:
                self.was_cut_off = True

    def _respond(self, connection: socket.socket) -> None:
        answer = self.answer
        headers = {"Connection": "close", **answer.headers}
        if not answer.chunks:
            headers.setdefault("Content-Length", str(len(answer.body)))
        else:
            headers["Transfer-Encoding"] = "chunked"
        lines = [f"HTTP/1.1 {answer.status} x", *(f"{name}: {value}" for name, value in headers.items())]
        connection.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + answer.body)
        if not answer.chunks:
            return
        for turn in range(answer.chunks):
            if answer.before_chunk is not None:
                answer.before_chunk(turn)
            connection.setblocking(False)
            try:
                gone = connection.recv(1) == b""
            except BlockingIOError:
                gone = False
            connection.setblocking(True)
            if gone:
                raise ConnectionResetError
            connection.sendall(b"%x\r\n%s\r\n" % (len(answer.chunk), answer.chunk))
            self.sent += 1
            time.sleep(answer.interval)
        connection.sendall(b"0\r\n\r\n")
