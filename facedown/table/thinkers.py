"""Who searches when more want to than there are processors: whoever has been waited for longest."""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE = 1.0
"""Seconds that people may have waited before searches are cut short for their sake."""
FAIR, LEAST_FAIR = 0.2, 0.02
"""Seconds that a search then has, cut short or not: after PATIENCE, and after twice PATIENCE."""
LEAST_ITERATIONS = 50
"""That a search has made before it is cut short: with none at all any move is as good."""
_LOOK = 0.01  # seconds between looks at who is to be cut short


def fair(waited: float) -> float:
    """How long a search may hold up people who have waited so long.

    >>> [round(fair(waited), 2) for waited in (1.0, 1.5, 2.0, 9.0)]
    [0.2, 0.11, 0.02, 0.02]
    """
    late = min(max(waited / PATIENCE - 1.0, 0.0), 1.0)
    return FAIR + late * (LEAST_FAIR - FAIR)


class Brake:
    """Cuts the search of an agent short: it plays what it has found.

    `agent` tells whose search it is: asked again and again, for a search may be about to begin.
    """

    def __init__(self, agent: Callable[[], Any]) -> None:
        self._agent = agent
        self._search, self._before = self._standing()
        self._seen = self._before

    def _standing(self) -> tuple[Any, int]:
        """The search, and its iterations."""
        search = getattr(self._agent(), "search", None)
        done = getattr(search, "iterations", None)
        return (search, done) if isinstance(done, int) and hasattr(search, "stop") else (None, 0)

    def __call__(self) -> bool:
        """Have it end, where it runs and has found something; whether it was told to.

        One that has just ended is left alone: it would end the next decision's as that begins.
        """
        search, done = self._standing()
        if search is not self._search:
            self._search, self._before, self._seen = search, 0, 0
        runs, self._seen = done > self._seen, done
        if search is None or not runs or done - self._before < LEAST_ITERATIONS:
            return False
        search.stop()
        return True


class Place:
    """A place that somebody has; `hurried`: their search was cut short for those who waited."""

    def __init__(self, since: float, brake: Brake | None) -> None:
        self.since, self.brake = since, brake
        self.began = time.monotonic()
        self.hurried = False


class Thinkers:
    """So many places to search at; who is handed the next one is decided when it comes free.

    While somebody waits for one, searches are cut short for people who have waited too long,
    unless `hurries` is False. From any thread.

    >>> with Thinkers(1).place():
    ...     print("thinks")
    thinks
    """

    def __init__(self, places: int, *, hurries: bool = True) -> None:
        self._free, self._count, self.hurries = places, 0, hurries
        self._lock = threading.Lock()
        self._queue: list[tuple[float, int, threading.Event]] = []
        self._held: set[Place] = set()
        self._watched = False

    @property
    def free(self) -> int:
        """Places at which nobody thinks."""
        return self._free

    @property
    def waiting(self) -> int:
        """How many wait for a place."""
        return len(self._queue)

    @contextmanager
    def place(self, since: float | None = None, brake: Brake | None = None) -> Iterator[Place]:
        """Wait for a place, and have it; people have waited `since` that monotonic time, or now.

        What is done there is cut short by the `brake`; without one it is not.
        """
        since = time.monotonic() if since is None else since
        self._take(since)
        held = Place(since, brake)
        with self._lock:
            self._held.add(held)
        try:
            yield held
        finally:
            self._give(held)

    def breathe(self, held: Place) -> None:
        """Have those who wait come first; then the place again. For work of many pieces."""
        if self._queue:
            self._give(held)
            self._take(time.monotonic())
            held.began = time.monotonic()
            with self._lock:
                self._held.add(held)

    def _take(self, since: float) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            called = threading.Event()
            self._count += 1  # those who have waited equally long come in turn
            heapq.heappush(self._queue, (since, self._count, called))
            watch = self.hurries and not self._watched
            self._watched = self._watched or watch
        if watch:
            threading.Thread(target=self._watch, name="hurry", daemon=True).start()
        called.wait()

    def _give(self, held: Place) -> None:
        """Hand the place on, so that nobody who has just come takes it before."""
        with self._lock:
            self._held.discard(held)
            if self._queue:
                heapq.heappop(self._queue)[2].set()
            else:
                self._free += 1

    # --- cutting short -----------------------------------------------------------------------

    def _watch(self) -> None:
        """Cut short what is to be, as long as anybody waits."""
        while True:
            with self._lock:
                if not self._queue:
                    self._watched = False
                    return
                late = self._late()
            for held in late:
                if held.brake is not None and held.brake():
                    held.hurried = True
            time.sleep(_LOOK)

    def _late(self) -> list[Place]:
        """The places whose time is over.

        The people who have waited for a place longest count, and those of the search itself: what
        they had waited before it began.
        """
        now = time.monotonic()
        longest = now - self._queue[0][0]
        found = []
        for held in self._held:
            waited = max(longest, held.began - held.since)
            if waited >= PATIENCE and now - held.began >= fair(waited):
                found.append(held)
        return found
