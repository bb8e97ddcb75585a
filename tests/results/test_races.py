"""A mark against a fetch, at every step of it. Each test stands at one step and marks there; none of them sleeps."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.results.steps import Kept, Script, resolver

from toolglot.results import fetcher
from toolglot.results.blocks import Claims
from toolglot.results.fetcher import Fetcher
from toolglot.results.lanes import render
from toolglot.results.message import Message
from toolglot.results.policy import Connection, FetchError, FetchPolicy
from toolglot.results.registry import Event, Record, Registry, Source, UnknownReferenceError

URI = "https://files.example/secret/abc"
SERVER = Source("s")


def received(registry: Registry, block: dict[str, Any], source: Source = SERVER) -> None:
    render(Message([block], source), registry, lane="model")


def evicted(registry: Registry) -> None:
    for turn in range(registry.bound):
        registry.register(f"u:{turn}", Claims(), SERVER)


def evicted_and_marked(registry: Registry) -> None:
    evicted(registry)
    received(registry, {"type": "resource", "uri": URI, "disposition": "never"})


MARKS: dict[str, Callable[[Registry], Any]] = {
    "by reference": lambda registry: received(registry, {"type": "resource", "uri": URI, "disposition": "never"}),
    "by inline data": lambda registry: received(
        registry,
        {
            "type": "image",
            "data": "AAAA",
            "mimeType": "image/png",
            "uri": "HTTPS://files.example:443/secret/abc",
            "disposition": "never",
        },
    ),
    "by embedded resource": lambda registry: received(
        registry, {"type": "resource", "resource": {"uri": URI, "text": "t"}, "disposition": "never"}
    ),
    "from another server": lambda registry: received(
        registry, {"type": "audio", "uri": URI, "disposition": "never"}, Source("other")
    ),
    "in a text": lambda registry: received(
        registry, {"type": "text", "text": json.dumps({"type": "resource", "uri": URI, "disposition": "never"})}
    ),
    "after eviction": evicted_and_marked,
}


class Bench:
    """A registry with one plain record, and a fetcher whose network and store the test steps through."""

    def __init__(self, mark: Callable[[Registry], Any], withhold: bool = True) -> None:
        self.events: list[Event] = []
        self.registry = Registry(log=self.events.append)
        self.record = self.registry.register(URI, Claims(), SERVER)
        self.script, self.store = Script([b"one", b"two", b"three"]), Kept()
        self.fetcher = Fetcher(
            self.registry,
            self.store,
            connections={"s": Connection("https://files.example", "Bearer t")},
            policy=FetchPolicy(withhold=withhold),
            transport=self.script,
            resolve=resolver(),
        )
        self.mark = lambda: mark(self.registry)

    def refused(self, reference: str | Record | None = None) -> None:
        """The fetch is refused for its mark, and nothing of it is left anywhere."""
        with pytest.raises(FetchError) as error:
            self.fetcher.fetch(reference or self.record.id)
        assert error.value.code == "marked"
        assert (error.value.__cause__, error.value.__context__) == (None, None)
        self.fetcher.close()
        assert self.store.saved == {}
        assert self.registry.current(URI).path is None


@pytest.fixture(params=MARKS, ids=lambda name: name.replace(" ", "-"))
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    bench = Bench(MARKS[request.param])
    yield bench
    bench.fetcher.close()


def test_a_mark_before_the_fetch_refuses_it_before_anything_else(bench: Bench) -> None:
    bench.mark()
    bench.refused(bench.record)
    assert bench.script.requests == []


def test_a_mark_while_the_name_is_resolved_refuses_the_dial(bench: Bench) -> None:
    async def resolve(host: str, port: int) -> tuple[str, ...]:
        del host, port
        bench.mark()
        return ("93.184.216.34",)

    bench.fetcher._resolve = resolve
    bench.refused()
    assert bench.script.requests == []


def test_a_mark_at_the_dial_reads_no_chunk(bench: Bench) -> None:
    seen: list[int] = []
    bench.script.before = bench.mark
    bench.script.at_chunk = seen.append
    bench.refused()
    assert len(seen) <= 1
    assert bench.store.calls == 0


@pytest.mark.parametrize("chunk", [0, 1, 2])
def test_a_mark_at_any_chunk_ends_the_transfer_there(bench: Bench, chunk: int) -> None:
    seen: list[int] = []

    def step(turn: int) -> None:
        seen.append(turn)
        if turn == chunk:
            bench.mark()

    bench.script.at_chunk = step
    bench.refused()
    assert seen == list(range(chunk + 1))
    assert bench.store.calls == 0


def test_a_mark_before_the_save_saves_nothing(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    real = fetcher._verified
    monkeypatch.setattr(fetcher, "_verified", lambda *found: (bench.mark(), real(*found))[1])
    bench.refused()
    assert bench.registry.current(URI).path is None


@pytest.mark.parametrize("step", ["before", "during"])
def test_a_copy_marked_during_its_own_save_is_removed(bench: Bench, step: str) -> None:
    setattr(bench.store, step, bench.mark)
    bench.refused()
    assert bench.store.removed == [f"/kept/{bench.record.id}.bin"]
    assert Event("removed", bench.record.id, path=f"/kept/{bench.record.id}.bin") in bench.events


def test_a_copy_that_cannot_be_removed_is_named_for_the_operator(bench: Bench) -> None:
    bench.store.during, bench.store.cannot_remove = bench.mark, True
    with pytest.raises(FetchError):
        bench.fetcher.fetch(bench.record.id)
    bench.fetcher.close()
    assert Event("left", bench.record.id, path=f"/kept/{bench.record.id}.bin") in bench.events
    assert bench.registry.current(URI).path is None


def test_a_mark_after_the_save_forgets_the_copy_and_names_it(bench: Bench) -> None:
    saved = bench.fetcher.fetch(bench.record.id)
    bench.mark()
    kinds = {event.kind for event in bench.events if event.path == saved.path}
    assert kinds & {"forgotten", "evicted"}
    with pytest.raises(FetchError):
        bench.fetcher.fetch(bench.record)
    assert bench.registry.current(URI).path is None


def test_a_mark_wakes_everyone_who_waits_at_once(bench: Bench) -> None:
    begun, never = threading.Event(), asyncio.Event()

    def step(turn: int) -> Any:
        begun.set()
        return never.wait() if turn == 1 else None

    bench.script.at_chunk = step
    waiters = [bench.fetcher.submit(bench.record.id) for _ in range(3)]
    assert begun.wait(5)
    bench.mark()
    # The stream is still held: no chunk and no deadline has come. All are done when `mark` returns.
    assert [waiter.done() for waiter in waiters] == [True] * 3
    assert {waiter.exception().code for waiter in waiters} == {"marked"}
    bench.fetcher.close()
    assert bench.script.closed == 1
    assert len(bench.script.requests) == 1


def test_without_withhold_the_host_may_keep_a_marked_payload_for_itself() -> None:
    bench = Bench(MARKS["by reference"], withhold=False)
    bench.script.at_chunk = lambda turn: bench.mark() if turn == 1 else None
    with bench.fetcher:
        saved = bench.fetcher.fetch(bench.record.id)
    assert bench.store.saved[saved.path][0] == b"onetwothree"
    text = render(Message([{"type": "resource", "uri": URI}], SERVER), bench.registry, lane="model")
    assert "/kept" not in text


def test_a_flight_whose_record_was_evicted_before_it_began_finds_no_record() -> None:
    bench = Bench(evicted)
    with bench.fetcher:
        bench.mark()
        with pytest.raises(UnknownReferenceError):
            bench.fetcher.fetch(bench.record)
        with pytest.raises(UnknownReferenceError):
            bench.fetcher.fetch(bench.record.id)
    assert bench.script.requests == []


def test_a_flight_that_was_queued_before_the_eviction_reads_the_mark_of_the_later_record() -> None:
    bench = Bench(evicted_and_marked)
    held, going = threading.Event(), threading.Event()

    def hold() -> None:
        going.set()
        held.wait(5)

    with bench.fetcher:
        other = bench.registry.register("https://files.example/other", Claims(), SERVER)
        bench.fetcher.fetch(other.id)
        bench.fetcher._loop.call(hold)  # the loop stands still: the flight is queued and has not begun
        assert going.wait(5)
        waiter = bench.fetcher.submit(bench.record.id)
        bench.mark()
        held.set()
        assert waiter.exception(5).code == "marked"
    assert len(bench.script.requests) == 1


@pytest.mark.parametrize("step", ["chunk", "save"])
def test_a_record_that_is_evicted_in_mid_flight_keeps_no_copy(step: str) -> None:
    bench = Bench(evicted)
    if step == "chunk":
        bench.script.at_chunk = lambda turn: bench.mark() if turn == 1 else None
    else:
        bench.store.during = bench.mark
    with bench.fetcher, pytest.raises(UnknownReferenceError):
        bench.fetcher.fetch(bench.record.id)
    assert bench.store.saved == {}


def test_a_plain_record_is_fetched_and_saved() -> None:
    bench = Bench(evicted)
    with bench.fetcher:
        saved = bench.fetcher.fetch(bench.record.id)
    assert bench.store.saved == {saved.path: (b"onetwothree", "application/octet-stream")}
    assert bench.registry.get(bench.record.id).path == saved.path
