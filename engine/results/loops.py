"""A loop in a thread of its own, begun at its first use."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine


class BackgroundLoop:
    """Runs coroutines in a daemon thread, for callers with and without a loop of their own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._is_closed = False
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[None, None, None]) -> bool:
        """Begins to run a coroutine; False, and it never runs, once the loop is closed."""
        with self._lock:
            if self._is_closed:
                work.close()
                return False
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="toolglot-fetch", daemon=True)
                self._thread.start()
            self._loop.call_soon_threadsafe(self._begin, work)
        return True

    def call(self, function: Callable[[], None]) -> None:
        """Calls a function in the loop, soon; not at all once the loop is closed."""
        with self._lock:
            if self._loop is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(function)

    def close(self) -> None:
        """Waits for the end of what runs, and ends the thread."""
        with self._lock:
            loop, thread, self._is_closed = self._loop, self._thread, True
        if loop is None or thread is None or loop.is_closed():
            return
        asyncio.run_coroutine_threadsafe(self._emptied(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _emptied(self) -> None:
        await asyncio.gather(*tuple(self._tasks), return_exceptions=True)
