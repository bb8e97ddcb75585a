"""Content on its way to the model: blocks rendered in a second on one core, and what hostile sizes cost."""

from __future__ import annotations

import json
import time
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.claims import Claim

from toolglot.results.lanes import render
from toolglot.results.message import Message
from toolglot.results.registry import Registry, Source

SERVER = Source("server")
BLOCKS_A_SECOND = 10_000
MEGA = 1_000_000


def claims() -> Iterator[Claim]:
    """The claims about results."""
    yield from _rates()
    yield from _hostile()


def registry(marks: int = 0) -> Registry:
    fresh = Registry(log=[].append)
    for turn in range(marks):
        show([{**never(turn), "uri": f"https://files.example/marked/{turn}/{turn * 7919:012d}"}], fresh)
    return fresh


def show(content: Any, known: Registry, lane: str = "model") -> Any:
    return render(Message(content, SERVER), known, lane=lane, parts="openai-responses" if lane == "content" else "")


def never(turn: int) -> Any:
    return {"type": "resource", "uri": f"https://files.example/{turn:09d}", "disposition": "never"}


def blocks(count: int) -> list[Any]:
    """A mix as tools send it: mostly text and links, some embedded text, an image now and then."""
    return [_block(turn) for turn in range(count)]


def _block(turn: int) -> Any:
    files, numbers = "https://files.example", json.dumps({"id": turn, "state": "done", "items": list(range(20))})
    line = f"Line {turn}: the report was written and can be found below, see https://docs.example/{turn}. "
    note = {"uri": f"demo://note/{turn}", "mimeType": "text/plain", "text": "a note " * 20}
    sound = {"uri": f"{files}/wav/{turn}", "mimeType": "audio/wav", "sizeBytes": 12345, "name": "a.wav"}
    report = {"uri": f"{files}/reports/{turn}.csv", "name": f"report-{turn}.csv", "mimeType": "text/csv", "size": 20480}
    return [
        {"type": "text", "text": line * 2},
        {"type": "resource_link", **report},
        {"type": "text", "text": numbers},
        {"type": "resource", "resource": note},
        {"type": "resource", **sound},
        {"type": "image", "data": "iVBORw0KGgo" + "A" * 2000, "mimeType": "image/png"},
    ][turn % 6]


def _rates() -> Iterator[Claim]:
    """Blocks rendered in a second of the processor's time, over whole messages: the best of three rounds."""
    mixed = [blocks(12) for _ in range(300)]
    plain = [[{**never(turn), "disposition": "ref", "name": "a.wav"} for turn in range(12)] for _ in range(300)]
    marked = [[*blocks(11), never(turn)] for turn in range(300)]
    for lane in ("model", "content", "wake", "script"):
        yield _rate(f"render mixed messages, lane {lane}", mixed, lane)
    yield _rate("render references", plain, "model")
    yield _rate("render messages with a `never` in each", marked, "model")
    yield _rate("render mixed messages after 200 marks", mixed, "model", 200)


def _rate(name: str, messages: list[list[Any]], lane: str, marks: int = 0) -> Claim:
    best, count = 0.0, sum(map(len, messages))
    for _round in range(3):
        known = registry(marks)
        begun = time.process_time()
        for message in messages:
            show(message, known, lane)
        best = max(best, count / (time.process_time() - begun))
    return Claim(name, best, "blocks/s", BLOCKS_A_SECOND, "messages of 12 blocks", least=True)


def _hostile() -> Iterator[Claim]:
    """The processor's time and the memory of one hostile message each, against a budget of both."""
    name = "n" * MEGA
    labels = [{**never(1), "name": name, "mimeType": name, "expiresAt": name}, {"type": name, "name": name}]
    payload = {"type": "image", "data": "QUJD" * (MEGA // 4), "mimeType": "x/y", "disposition": "never"}
    words = {"type": "text", "text": "words and more words " * 50_000}
    yield from _cost("a name of 1 MB", lambda: labels[:1], 0.1, 8)
    yield from _cost("five labels of 1 MB", lambda: labels, 0.3, 20)
    yield from _cost("a text of 1 MB beside a `never`", lambda: [words, never(1)], 1, 40)
    yield from _cost("a `never` payload of 1 MB beside a text of 1 MB", lambda: [words, payload], 2, 120)
    yield from _cost("100,000 blocks nested in one another", lambda: _nested(100_000), 1, 100)
    yield from _cost("100,000 blocks nested in a text", lambda: _nested_text(100_000), 6, 300)
    yield from _cost("100,000 blocks side by side", lambda: blocks(100_000), 6, 300)
    yield from _cost("100,000 `never` side by side", lambda: [never(turn) for turn in range(100_000)], 16, 400)
    yield from _cost("JSON quoted in JSON twelve times", lambda: _quoted(12), 1, 40)
    yield from _cost("a million braces", lambda: [{"type": "text", "text": "{" * MEGA + "disposition never"}], 2, 200)
    escapes = '{"disposition never' + '\\"' * (MEGA // 2)
    yield from _cost("half a million escaped quotes", lambda: [{"type": "text", "text": escapes}], 2, 100)


def _cost(name: str, make: Callable[[], Any], seconds: float, megabytes: float) -> Iterator[Claim]:
    content, known = make(), registry()
    begun = time.process_time()
    shown = show(content, known)
    took = time.process_time() - begun
    yield Claim(f"{name}: time", took, "s", seconds, f"{len(shown):,} characters shown")
    known = registry()
    tracemalloc.start()
    show(content, known)
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    yield Claim(f"{name}: memory", peak, "MB", megabytes)


def _nested(depth: int) -> Any:
    inner = never(1)
    for _turn in range(depth):
        inner = {"type": "tool_result", "content": [inner]}
    return [inner]


def _nested_text(count: int) -> Any:
    return [{"type": "text", "text": '{"type": "tool_result", "content": [' * count + json.dumps(never(1))}]


def _quoted(rounds: int) -> Any:
    text = json.dumps(never(1))
    for _turn in range(rounds):
        text = json.dumps({"a": text})
    return [{"type": "text", "text": text}]
