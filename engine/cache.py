"""A bounded cache whose keys are content: equal schemas share an entry, different ones never do."""

from __future__ import annotations

import marshal
from collections import OrderedDict
from collections.abc import Callable
from io import BytesIO
from pickle import Pickler
from threading import Lock
from typing import Generic, NoReturn, TypeVar

from toolglot.json_values import Json

Held = TypeVar("Held")


def content_key(value: Json) -> bytes | None:
    """Bytes that are the same exactly for the same content, read afresh; None for a value that has no such bytes.

    `1`, `1.0` and `true` differ, and so do two orders of the same keys and two NaN of different bits. The bytes are
    the whole content and no hash of it, so that no two values can share them by accident or design. Types of a
    caller's own (a subclass of `dict`, a member of an `Enum`) have none, nor has what is nested thousands of
    levels deep.

    Of all that Python brings, pickle without its memo writes JSON fastest: a quarter less than marshal, a fifth of
    `json.dumps`. With the memo, and in marshal from version 3 on, the bytes tell which texts are one object.
    """
    written = BytesIO()
    pickler = _Plain(written, 4)
    pickler.fast = True
    try:
        pickler.dump(value)
    except RecursionError:
        return _deep_key(value)
    except (_NotPlainError, ValueError, RuntimeError):  # odd types, circles, and what is changed meanwhile
        return None
    return written.getvalue()


def _deep_key(value: Json) -> bytes | None:
    """The same for what is nested deeper than pickle goes; no such bytes begin as a pickle does."""
    try:
        return marshal.dumps(value, 2)
    except ValueError:
        return None


class _NotPlainError(Exception):
    """The value holds what is no JSON, or of a type of the caller's own."""


class _Plain(Pickler):
    """Writes JSON alone; asks nothing of a stranger's object."""

    def reducer_override(self, obj: object) -> NoReturn:  # noqa: ARG002 - pickle hands the object over
        """Called for everything that is of no built-in type."""
        raise _NotPlainError


class Cache(Generic[Held]):
    """Keeps what was made for a key; the least recently used goes when there are too many entries or bytes.

    Safe to share between threads. Two threads that ask for the same new key at once may both make it; one is kept.

    Here, and wherever many threads read one dict, it is asked by `dict[key]` and not by `dict.get`: in the first
    free-threaded Pythons the latter takes the dict's lock twice where another thread made the key, and waits for
    itself, some twenty microseconds each time.
    """

    def __init__(self, *, entries: int, size: int, entry_size: Callable[[bytes, Held], int]) -> None:
        """Makes an empty cache.

        Args:
            entries: how many entries are kept at most.
            size: how many bytes they may hold together, as `entry_size` estimates them.
            entry_size: an estimate of the bytes that an entry holds.
        """
        self._entries, self._size, self._entry_size = entries, size, entry_size
        self._kept: OrderedDict[bytes, tuple[bytes, Held]] = OrderedDict()
        self._latest: dict[int, bytes] = {}
        self._held = 0
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def size(self) -> int:
        """The bytes held, as estimated."""
        return self._held

    def get(self, key: bytes, make: Callable[[], Held]) -> Held:
        """What is kept for a key, made now if nothing is."""
        with self._lock:
            known = self._known(key)
            if known in self._kept:
                return self._used(known)
        made = make()
        with self._lock:
            return self._keep(key, made)

    def _known(self, key: bytes) -> bytes:
        """The equal key that is kept, where it was the last of its length: Python has its hash, a new key's costs more.

        Requests of one length to the byte are nearly always one request again, and comparing costs a fifth of hashing.
        """
        try:
            latest = self._latest[len(key)]
        except KeyError:
            return key
        return latest if latest == key else key

    def _used(self, key: bytes) -> Held:
        kept, held = self._kept[key]
        self._kept.move_to_end(key)
        self._latest[len(key)] = kept
        return held

    def _keep(self, key: bytes, made: Held) -> Held:
        if key in self._kept:
            return self._used(key)
        size = self._entry_size(key, made)
        if size > self._size:
            return made
        self._kept[key] = key, made
        self._latest[len(key)] = key
        self._held += size
        while len(self._kept) > self._entries or self._held > self._size:
            self._forget(*self._kept.popitem(last=False)[1])
        return made

    def _forget(self, key: bytes, held: Held) -> None:
        self._held -= self._entry_size(key, held)
        if self._latest.get(len(key)) is key:
            del self._latest[len(key)]

    def clear(self) -> None:
        """Forgets everything."""
        with self._lock:
            self._kept.clear()
            self._latest.clear()
            self._held = 0
