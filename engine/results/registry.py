"""The host's private records of references: opaque ids, a bound, and the mark that nothing clears.

A registry is an object that the host owns; nothing here is shared by a process. Records are frozen: what a caller holds
is how a record stood then, and `get` or `current` tells how it stands now. All methods may be called from any thread.
"""

from __future__ import annotations

import itertools
import logging
import secrets
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from toolglot.errors import CallError
from toolglot.results.blocks import Claims
from toolglot.results.labels import is_longer
from toolglot.results.masks import Memory
from toolglot.results.media import digest_of
from toolglot.results.nested import Span
from toolglot.results.table import references
from toolglot.results.uris import key


@dataclass(frozen=True, slots=True)
class Source:
    """Who said something. Only a server's own content can mark; a module's or a script's output is hearsay."""

    name: str
    kind: Literal["server", "module", "script"] = "server"

    @property
    def is_server(self) -> bool:
        """Whether this is a server speaking for itself."""
        return self.kind == "server"


@dataclass(frozen=True, slots=True)
class Record:
    """What the host knows of one address.

    Attributes:
        id: the name by which the model may speak of it.
        uri: the address; for the host alone.
        claims: what was said of it, by a server where one has spoken.
        servers: the servers that delivered it, in order.
        is_marked: whether a server said `never`.
        path, size, type, digest_verified: facts of a saved copy; None without one.
    """

    id: str
    uri: str = field(repr=False)
    key: str = field(repr=False)
    claims: Claims
    servers: tuple[str, ...] = ()
    is_marked: bool = False
    path: str | None = None
    size: int | None = None
    type: str | None = None
    digest_verified: bool | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """A line for the operator, never for the model: what happened to a record. It holds no address."""

    kind: Literal["bound", "marked", "forgotten", "evicted", "removed", "left", "unsaved"]
    id: str
    server: str | None = None
    path: str | None = None


class UnknownReferenceError(CallError):
    """No record has this id: it was never given, or its record is gone."""

    def __init__(self) -> None:
        super().__init__((), references().wording["unknown-reference"])


def log_event(event: Event) -> None:
    """Writes an event to the log `toolglot.results`."""
    level = logging.WARNING if event.path else logging.INFO
    said = ("%s %s server=%s path=%s", event.kind, event.id, event.server, event.path)
    logging.getLogger("toolglot.results").log(level, *said)


class Registry:
    """The records of one host, at most `bound` of them by order of registration.

    What is not marked goes first, so that no list of links, however long, makes a mark forgotten; marks have half of
    the room for themselves.

    Raises:
        ValueError: the bound, or the run that is remembered, is no number of one or more.
    """

    def __init__(
        self,
        *,
        bound: int | None = None,
        remembered_run: int | None = None,
        log: Callable[[Event], None] = log_event,
    ) -> None:
        limits = references().limits
        if any(given is not None and given < 1 for given in (bound, remembered_run)):
            raise ValueError(f"wanted 1 or more, got bound={bound!r}, remembered_run={remembered_run!r}")
        self.bound = bound or limits["records"]
        self._log = log
        self._lock = threading.RLock()
        self._numbers = itertools.count(1)
        self._records: dict[str, Record] = {}
        self._ids: dict[str, str] = {}
        # The ids of records without and with a mark, each in the order in which they go.
        self._open: dict[str, None] = {}
        self._marked: dict[str, None] = {}
        self._watchers: dict[str, list[Callable[[], None]]] = {}
        self._memory = Memory(
            remembered_run or limits["remembered-run"],
            limits["masked-run"],
            limits["remembered-windows"],
            limits["remembered-room"],
        )

    def __len__(self) -> int:
        return len(self._records)

    def register(self, uri: str, claims: Claims, source: Source) -> Record:
        """The record of an address, new or known, with what this source adds to it."""
        name = key(uri)
        with self._lock:
            known = self._records.get(self._ids.get(name, ""))
            return self._add(uri, name, claims, source) if known is None else self._heard(known, uri, claims, source)

    def mark(
        self,
        uri: str,
        claims: Claims,
        source: Source,
        payloads: Iterable[str] = (),
        digests: Iterable[bytes] = (),
    ) -> Record | None:
        """The record of an address that a server marked as never for the model.

        None, and nothing marked, where the source is no server or the address is past the limit.
        """
        if not source.is_server or not uri or is_longer(uri, references().limits["uri-units"]):
            return None
        with self._lock:
            record = self.register(uri, claims, source)
            self._memory.keep(record.key, uri, payloads, digests)
            if record.is_marked:
                return record
            left = record.path
            record = replace(record, is_marked=True, path=None, size=None, type=None, digest_verified=None)
            self._records[record.id] = record
            del self._open[record.id]
            self._marked[record.id] = None
            watchers = tuple(self._watchers.get(record.key, ()))
        self._log(Event("marked", record.id, source.name))
        if left is not None:
            self._log(Event("forgotten", record.id, source.name, left))
        for wake in watchers:
            wake()
        return record

    def get(self, id: str) -> Record:  # noqa: A002 - the model's own word for it
        """The record of an id.

        Raises:
            UnknownReferenceError: no record has it, now or any more.
        """
        with self._lock:
            record = self._records.get(id) if isinstance(id, str) else None  # a model may say anything
        if record is None:
            raise UnknownReferenceError
        return record

    def current(self, uri: str) -> Record | None:
        """The record that an address has now."""
        with self._lock:
            return self._records.get(self._ids.get(key(uri), ""))

    def is_marked(self, record: Record) -> bool:
        """Whether the record is marked: as it was held, as it is now, or as its address's record is now."""
        with self._lock:
            by_id = self._records.get(record.id)
            by_key = self._records.get(self._ids.get(record.key, ""))
        return any(known is not None and known.is_marked for known in (record, by_id, by_key))

    def settle(self, record: Record, saved: Record, *, withhold: bool) -> bool:
        """Notes the facts of a saved copy; False, and nothing noted, where the mark has come in between.

        Raises:
            UnknownReferenceError: the record is gone, so that nothing is left to note them on.
        """
        with self._lock:
            current = self.get(record.id)
            if withhold and self.is_marked(current):
                return False
            self._records[current.id] = replace(
                current, path=saved.path, size=saved.size, type=saved.type, digest_verified=saved.digest_verified
            )
        return True

    def watch(self, record: Record, wake: Callable[[], None]) -> Callable[[], None]:
        """Calls `wake` when the record's address is marked, under this record or a later one; returns how to stop."""
        with self._lock:
            self._watchers.setdefault(record.key, []).append(wake)

        def stop() -> None:
            with self._lock:
                watchers = self._watchers[record.key]
                watchers.remove(wake)
                if not watchers:
                    del self._watchers[record.key]

        return stop

    @property
    def has_secrets(self) -> bool:
        """Whether anything is remembered that must not be shown."""
        return bool(self._memory)

    def remembered(self, text: str) -> list[Span]:
        """The runs of a text that spell a marked address, or what is remembered of its payload."""
        if not self._memory:
            return []
        with self._lock:
            return self._memory.spans(text)

    def remembers(self, body: str) -> bool:
        """Whether inline content came before as the payload of a marked address."""
        if not self._memory:
            return False
        digest = digest_of(body)
        with self._lock:
            return self._memory.knows(digest)

    def note(self, event: Event) -> None:
        """Writes an event to this registry's log."""
        self._log(event)

    def _add(self, uri: str, name: str, claims: Claims, source: Source) -> Record:
        number = next(self._numbers)
        servers = (source.name,) if source.is_server else ()
        record = Record(f"ref_{secrets.token_hex(4)}{number:x}", uri, name, claims, servers)
        while len(self._records) >= self.bound:
            self._evict()
        self._records[record.id] = record
        self._ids[record.key] = record.id
        self._open[record.id] = None
        return record

    def _evict(self) -> None:
        """Gives up the record that goes first; its mark and what is remembered of it go with it."""
        leaving = self._open if self._open and len(self._marked) <= self.bound // 2 else self._marked
        name = next(iter(leaving))
        del leaving[name]
        record = self._records.pop(name)
        del self._ids[record.key]
        self._memory.drop(record.key)
        if record.is_marked or record.path:
            self._log(Event("evicted", record.id, path=record.path))

    def _heard(self, known: Record, uri: str, claims: Claims, source: Source) -> Record:
        """A record after a further delivery. A server's first word replaces hearsay; words of others add nothing."""
        record = known
        if source.is_server:
            if source.name not in known.servers:
                record = replace(record, servers=(*known.servers, source.name))
                self._log(Event("bound", known.id, source.name))
            if not known.servers:
                record = replace(record, uri=uri, claims=claims)
            elif known.servers[0] == source.name and known.path is None:
                record = replace(record, claims=claims)
        elif not known.servers and known.path is None:
            record = replace(record, claims=claims)
        if record is not known:
            self._records[record.id] = record
        return record
