"""Fetching what a reference points to: on request, within policy, never against a mark.

All flights run on a loop of the fetcher's own, in a thread of its own; callers wait for them, with or without a loop.
There is one flight for an address at a time, and later callers join it. The mark ends a flight from whichever thread it
comes: those who wait are woken at once, the transfer is cut off, and a copy that was being saved is removed.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

from toolglot.json_values import Json
from toolglot.results.blocks import Block, Claims
from toolglot.results.loops import BackgroundLoop
from toolglot.results.media import extension, observed_type
from toolglot.results.message import Item, Unit
from toolglot.results.policy import Connection, FetchError, FetchPolicy, is_expired, origin_of, origins_of, parsed
from toolglot.results.registry import Event, Record, Registry, Source, UnknownReferenceError
from toolglot.results.storage import Store
from toolglot.results.stubs import Labels, Showing, stub
from toolglot.results.table import references
from toolglot.results.transfer import Received, Resolve, Transfer, resolved

if TYPE_CHECKING:
    import httpx


@dataclass(frozen=True, slots=True)
class Fetched:
    """A saved copy and its facts.

    Attributes:
        id: the reference.
        path: where the store put it.
        size: bytes, with no content coding.
        type: the observed media type.
        digest_verified: True where a claimed digest matched; None where none was claimed.
    """

    id: str
    path: str
    size: int
    type: str
    digest_verified: bool | None


Failure = FetchError | UnknownReferenceError


class Fetcher:
    """Fetches references of a registry into a store; close it when done, or use it in a `with` block.

    Args:
        registry: the host's records.
        store: where payloads go.
        connections: the servers that the host is connected to, by the name they have as a source.
        policy: what may be fetched.
        transport, resolve, now: the network and the clock; the system's unless a host has its own.

    Raises:
        ImportError: httpx is not installed, which the extra `fetch` brings.
    """

    def __init__(  # noqa: PLR0913 - each is a seam of its own, with the system's as default
        self,
        registry: Registry,
        store: Store,
        *,
        connections: Mapping[str, Connection] | None = None,
        policy: FetchPolicy | None = None,
        transport: Callable[[], httpx.AsyncBaseTransport] | None = None,
        resolve: Resolve = resolved,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        if find_spec("httpx") is None:  # found out in a flight, it would look like a network that is down
            raise ImportError("a Fetcher needs httpx (pip install 'toolglot[fetch]')")
        self.registry, self.store, self.policy = registry, store, policy or FetchPolicy()
        self.connections = MappingProxyType(dict(connections or {}))
        self._transport, self._resolve, self._now = transport or _Transports(), resolve, now
        self._lock, self._loop = threading.Lock(), BackgroundLoop()
        self._flights: dict[str, _Flight] = {}

    def fetch(self, reference: str | Record, *, max_bytes: int | None = None) -> Fetched:
        """The saved copy of what a reference points to, fetched now where there is none yet.

        Raises:
            FetchError: it was refused, or failed; nothing is kept then.
            UnknownReferenceError: there is no such record.
        """
        return self.submit(reference, max_bytes=max_bytes).result()

    async def fetch_async(self, reference: str | Record, *, max_bytes: int | None = None) -> Fetched:
        """As `fetch`, for callers that run in a loop."""
        return await asyncio.wrap_future(self.submit(reference, max_bytes=max_bytes))

    def submit(
        self,
        reference: str | Record,
        *,
        max_bytes: int | None = None,
        seconds: float | None = None,
        claims: Claims | None = None,
    ) -> Future[Fetched]:
        """As `fetch`, without waiting. What stands against the fetch from the start is raised here.

        Args:
            reference: an id, or a record.
            max_bytes: a lower ceiling than the policy's.
            seconds: a time other than the policy's.
            claims: what the payload is held to, where it isn't what the record says.
        """
        record = reference if isinstance(reference, Record) else self.registry.get(reference)
        if self.policy.withhold and self.registry.is_marked(record):
            raise FetchError("marked")
        record = self.registry.get(record.id)
        limit = self.policy.max_bytes if max_bytes is None else min(max_bytes, self.policy.max_bytes)
        waiter: Future[Fetched] = Future()
        saved = _saved(record)
        if saved is not None:
            _deliver(waiter, limit, saved)
            return waiter
        with self._lock:
            flight = self._flights.get(record.key)
            if flight is None or not flight.join(waiter, limit):
                bounds = limit, self.policy.seconds if seconds is None else seconds
                flight = _Flight(self, record, claims or record.claims, *bounds)
                flight.join(waiter, limit)
                if not self._loop.start(flight.run()):
                    raise FetchError("closed")
                self._flights[record.key] = flight
        return waiter

    def prefetch(self, unit: Unit) -> Mapping[str, Future[Fetched] | Failure]:
        """Begins to fetch what policy's eager envelope admits of a message, by id; without an envelope, nothing.

        A message that a `never` governs, or that couldn't be read for one, has nothing fetched on receipt.
        """
        begun: dict[str, Future[Fetched] | Failure] = {}
        bounds = {"max_bytes": self.policy.eager_bytes, "seconds": references().limits["eager-seconds"]}
        for record, claims in self._eager(unit):
            try:
                begun[record.id] = self.submit(record, claims=claims, **bounds)
            except (FetchError, UnknownReferenceError) as failure:
                begun[record.id] = failure
        return MappingProxyType(begun)

    def answer(self, id: str, showing: Showing | None = None) -> dict[str, Json]:  # noqa: A002 - the model's own word
        """The result of the tool by which a model asks for a reference: a stub with the path, or the refusal."""
        try:
            self.fetch(id)
        except (FetchError, UnknownReferenceError) as failure:
            return _tool_result(str(failure), is_error=True)
        return self._told(id, showing)

    async def answer_async(self, id: str, showing: Showing | None = None) -> dict[str, Json]:  # noqa: A002 - as `answer`
        """As `answer`, for callers that run in a loop."""
        try:
            await self.fetch_async(id)
        except (FetchError, UnknownReferenceError) as failure:
            return _tool_result(str(failure), is_error=True)
        return self._told(id, showing)

    def close(self) -> None:
        """Ends every flight and the thread."""
        with self._lock:
            flights = tuple(self._flights.values())
        for flight in flights:
            flight.refuse("closed")
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _told(self, id: str, showing: Showing | None) -> dict[str, Json]:  # noqa: A002 - as `answer`
        """What the model is told of a record."""
        try:
            record = self.registry.get(id)
        except UnknownReferenceError as failure:
            return _tool_result(str(failure), is_error=True)
        block = Block("reference", "resource", record.claims, uri=record.uri)
        item = Item(block, "never" if record.is_marked else "shown", record)
        source = Source(record.servers[0]) if record.servers else Source("host", "module")
        labels = Labels.alone(self.registry)
        return _tool_result(stub(item, labels, source, showing or Showing()), is_error=False)

    def _eager(self, unit: Unit) -> Iterator[tuple[Record, Claims]]:
        """The records that the eager envelope admits, each with its own block's claims."""
        limit = self.policy.eager_bytes
        if limit is None or unit.is_governed or unit.findings.is_unreadable:
            return
        for item in unit.items:
            claims, record = item.block.claims, item.record
            if record is None or item.verdict != "shown" or item.block.kind != "reference" or record.path is not None:
                continue
            if claims.size is not None and claims.size <= limit and not is_expired(claims.expires, self._now()):
                yield record, claims


class _Flight:
    """One fetch under way, and those who wait for it."""

    def __init__(self, fetcher: Fetcher, record: Record, claims: Claims, limit: int, seconds: float) -> None:
        self.fetcher, self.record, self.claims, self.limit, self.seconds = fetcher, record, claims, limit, seconds
        self._lock = threading.Lock()
        self._waiters: list[tuple[Future[Fetched], int]] | None = []
        self._transfer: asyncio.Task[Received] | None = None

    def join(self, waiter: Future[Fetched], limit: int) -> bool:
        """Takes one more who waits; False where the flight has ended."""
        with self._lock:
            if self._waiters is None:
                return False
            self._waiters.append((waiter, limit))
        return True

    def refuse(self, code: str = "marked") -> None:
        """Wakes everyone who waits with a refusal and cuts the transfer off; called from any thread."""
        self._end(code)
        self.fetcher._loop.call(self._cut_off)  # noqa: SLF001 - a flight is a part of its fetcher

    async def run(self) -> None:
        """The whole flight; whatever happens, those who wait hear of it."""
        registry = self.fetcher.registry
        stop = registry.watch(self.record, self._on_mark)
        outcome: Fetched | str = "network"
        try:
            outcome = await self._fetched()
        except FetchError as error:
            outcome = error.code
        except UnknownReferenceError:
            outcome = ""
        except asyncio.CancelledError:
            outcome = "marked" if self._is_withheld() else "closed"
        finally:
            stop()
            self._land(outcome)

    def _land(self, outcome: Fetched | str) -> None:
        """Takes the flight off the list before its end is told, so that no one joins a flight that has ended."""
        fetcher = self.fetcher
        with fetcher._lock:  # noqa: SLF001 - a flight is a part of its fetcher
            if fetcher._flights.get(self.record.key) is self:  # noqa: SLF001 - as above
                del fetcher._flights[self.record.key]  # noqa: SLF001 - as above
        self._end(outcome)

    def _end(self, outcome: Fetched | str) -> None:
        with self._lock:
            waiters, self._waiters = self._waiters, None
        for waiter, limit in waiters or ():
            _deliver(waiter, limit, outcome)

    def _is_withheld(self) -> bool:
        return self.fetcher.policy.withhold and self.fetcher.registry.is_marked(self.record)

    def _allow(self) -> None:
        """Asked at every step: the mark first, then whether anyone still waits for the end."""
        if self._is_withheld():
            raise FetchError("marked")
        if self._waiters is None:
            raise FetchError("closed")

    def _on_mark(self) -> None:
        if self.fetcher.policy.withhold:
            self.refuse()

    def _cut_off(self) -> None:
        if self._transfer is not None:
            self._transfer.cancel()

    async def _fetched(self) -> Fetched:
        """Checks, transfer, digest, save: in this order, and the mark before each."""
        self._allow()
        record = self.fetcher.registry.get(self.record.id)
        transfer = self._prepared(record)
        self._transfer = asyncio.ensure_future(transfer.run())
        received, late = None, False
        try:
            async with asyncio.timeout(self.seconds):
                received = await self._transfer
        except TimeoutError:
            late = True
        if received is None:
            raise FetchError("time" if late else "network")
        self._allow()
        verified = _verified(received.content, self.claims.digest)
        return await self._saved(record, received, verified)

    def _prepared(self, record: Record) -> Transfer:
        """What can be refused without dialing is; then the transfer."""
        fetcher, policy = self.fetcher, self.fetcher.policy
        if is_expired(self.claims.expires, fetcher._now()):  # noqa: SLF001 - a flight is a part of its fetcher
            raise FetchError("expired")
        if self.claims.size is not None and self.claims.size > self.limit:
            raise FetchError("claim")
        delivered = [fetcher.connections[name] for name in record.servers if name in fetcher.connections]
        if not delivered and not policy.origins and not policy.any_origin:
            raise FetchError("unbound")
        credentials = {
            origin_of(parsed(connection.origin)): connection.authorization
            for connection in reversed(delivered)
            if connection.origin and connection.authorization
        }
        dialed = origins_of(connection.origin for connection in delivered)
        network = fetcher._transport, fetcher._resolve  # noqa: SLF001 - as above
        return Transfer(record.uri, self.limit, policy, credentials, dialed, *network, self._allow)

    async def _saved(self, record: Record, received: Received, verified: bool | None) -> Fetched:
        """Saves, then notes the facts in one step with a last look at the mark; else the copy is removed."""
        registry, store = self.fetcher.registry, self.fetcher.store
        media_type = observed_type(received.content, received.header_type)
        name, path = f"{record.id}.{extension(media_type)}", None
        try:
            path = await asyncio.to_thread(store.save, name, received.content, media_type)
        except Exception as error:  # noqa: BLE001 - a store is the host's own code and may fail in any way
            registry.note(Event("unsaved", record.id, path=type(error).__name__))
        if path is None:
            raise FetchError("storage")
        facts = Fetched(record.id, path, len(received.content), media_type, verified)
        noted = replace(record, path=path, size=facts.size, type=media_type, digest_verified=verified)
        is_kept = False
        try:
            is_kept = registry.settle(record, noted, withhold=self.fetcher.policy.withhold)
        finally:
            if not is_kept:
                await self._removed(record, path)
        if not is_kept:
            raise FetchError("marked")
        return facts

    async def _removed(self, record: Record, path: str) -> None:
        """Takes a copy away again; where the store can't, the log says what is left."""
        registry = self.fetcher.registry
        try:
            await asyncio.to_thread(self.fetcher.store.remove, path)
        except Exception:  # noqa: BLE001 - as for saving
            registry.note(Event("left", record.id, path=path))
        else:
            registry.note(Event("removed", record.id, path=path))


class _Transports:
    """Makes the lower half of a client for each hop; trust in certificates is set up once, without the environment."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._trust: object = None

    def __call__(self) -> httpx.AsyncBaseTransport:
        import ssl  # noqa: PLC0415 - only a fetch needs it

        import httpx  # noqa: PLC0415 - an extra

        with self._lock:
            if not isinstance(self._trust, ssl.SSLContext):
                self._trust = httpx.create_ssl_context(trust_env=False)
            trust = self._trust
        return httpx.AsyncHTTPTransport(verify=trust, trust_env=False)


def _deliver(waiter: Future[Fetched], limit: int, outcome: Fetched | str) -> None:
    """Tells one who waits how it ended. Each gets an error of its own, without a trace of the flight in it."""
    if not waiter.set_running_or_notify_cancel():
        return
    if isinstance(outcome, Fetched) and outcome.size <= limit:
        waiter.set_result(outcome)
    elif outcome == "":
        waiter.set_exception(UnknownReferenceError())
    else:
        waiter.set_exception(FetchError(outcome if isinstance(outcome, str) else "ceiling"))


def _saved(record: Record) -> Fetched | None:
    """A record's saved copy, where it has one."""
    if record.path is None or record.size is None or record.type is None:
        return None
    return Fetched(record.id, record.path, record.size, record.type, record.digest_verified)


def _verified(content: bytes, digest: str | None) -> bool | None:
    """Whether content is what a digest says, None without a digest; a mismatch is refused."""
    if digest is None:
        return None
    found = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode("ascii")
    if not hmac.compare_digest(f"sha256:{found}", digest):
        raise FetchError("digest")
    return True


def _tool_result(text: str, *, is_error: bool) -> dict[str, Json]:
    return {"content": [{"type": "text", "text": text}], "isError": is_error}
