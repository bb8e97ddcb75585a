"""A network that a test steps through: what the client asks, and each chunk of the answer."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

Hook = Callable[[], None]


@dataclass
class Script(httpx.AsyncBaseTransport):
    """Answers every request in memory; `before` and `at_chunk` are called at their step, in the fetcher's thread."""

    chunks: Sequence[bytes] = (b"payload",)
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    before: Hook = lambda: None
    at_chunk: Callable[[int], Any] = lambda _turn: None
    requests: list[httpx.Request] = field(default_factory=list)
    closed: int = 0

    def __call__(self) -> Script:
        return self

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        self.before()
        return httpx.Response(self.status, headers=self.headers, stream=Stream(self))

    async def aclose(self) -> None:
        self.closed += 1


class Stream(httpx.AsyncByteStream):
    def __init__(self, script: Script) -> None:
        self.script = script

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for turn, chunk in enumerate(self.script.chunks):
            step = self.script.at_chunk(turn)
            if isinstance(step, Awaitable):
                await step
            yield chunk


@dataclass
class Kept:
    """A store in memory with a hook at each step of a save."""

    saved: dict[str, tuple[bytes, str]] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)
    before: Hook = lambda: None
    during: Hook = lambda: None
    fails: bool = False
    cannot_remove: bool = False
    calls: int = 0
    lock: Any = field(default_factory=threading.Lock)

    def save(self, name: str, content: bytes, media_type: str) -> str:
        self.calls += 1
        self.before()
        if self.fails:
            raise OSError("no space left")
        with self.lock:
            self.saved[f"/kept/{name}"] = (content, media_type)
        self.during()
        return f"/kept/{name}"

    def remove(self, path: str) -> None:
        if self.cannot_remove:
            raise OSError("read-only")
        self.removed.append(path)
        del self.saved[path]


def resolver(*addresses: str) -> Callable[[str, int], Awaitable[Sequence[str]]]:
    async def resolve(host: str, port: int) -> Sequence[str]:
        del host, port
        return addresses or ("93.184.216.34",)

    return resolve
