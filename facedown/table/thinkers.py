"""Who searches when more want to than there are processors: whoever has been waited for longest."""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Thinkers:
    """So many places to search at; who is handed the next one is decided when it comes free.

    >>> with Thinkers(1).place():
    ...     print("thinks")
    thinks
    """

    def __init__(self, places: int) -> None:
        self._free, self._count = places, 0
        self._lock = threading.Lock()
        self._queue: list[tuple[float, int, threading.Event]] = []

    @property
    def free(self) -> int:
        """Places at which nobody thinks."""
        return self._free

    @property
    def waiting(self) -> int:
        """How many wait for a place."""
        return len(self._queue)

    @contextmanager
    def place(self, since: float | None = None) -> Iterator[None]:
        """Wait for a place, and have it; people have waited `since` that monotonic time, or now."""
        self._take(time.monotonic() if since is None else since)
        try:
            yield
        finally:
            self._give()

    def _take(self, since: float) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            called = threading.Event()
            self._count += 1  # those who have waited equally long come in turn
            heapq.heappush(self._queue, (since, self._count, called))
        called.wait()

    def _give(self) -> None:
        """Hand the place on, so that nobody who has just come takes it before."""
        with self._lock:
            if self._queue:
                heapq.heappop(self._queue)[2].set()
            else:
                self._free += 1
