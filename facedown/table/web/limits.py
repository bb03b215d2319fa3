"""How much one address may ask for: connections, requests, and how long it may take to ask."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Any

MOST_CONNECTIONS = 1_000
"""Of one address at once, sockets of pages apart: a class of fifty behind one has some 300."""
MOST_SOCKETS = 500
"""Sockets of pages of one address at once."""
SLOW = 30.0
"""Seconds within which a request has to have come, headers, body and all."""
REQUESTS, PAGES, OPENED = (6_000, 60.0), (300, 60.0), (120, 60.0)
"""Requests of one address, pages of games and new tables among them, within so many seconds."""

ADDRESSES = 10_000
"""That are remembered."""


class Rates:
    """Counts what addresses do within a time; nothing is kept of an address for longer.

    >>> rates = Rates(2, 60.0, clock=lambda: 0.0)
    >>> [rates.allow("a"), rates.allow("a"), rates.allow("a"), rates.allow("b")]
    [True, True, False, True]
    """

    def __init__(
        self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._seconds, self._clock = most, seconds, clock
        self._counts: OrderedDict[str, tuple[float, int]] = OrderedDict()

    @property
    def remembered(self) -> int:
        """How many addresses there are counts of."""
        return len(self._counts)

    def allow(self, address: str) -> bool:
        """Count one more; whether it is not one too many."""
        now = self._clock()
        began, count = self._counts.pop(address, (now, 0))
        if now - began >= self._seconds:
            began, count = now, 0
        self._counts[address] = began, count + 1
        while len(self._counts) > ADDRESSES:
            self._counts.popitem(last=False)
        return count < self._most


def watched(base: type[Any], told: Callable[[str], None]) -> type[Any]:
    """A protocol of uvicorn's that ends connections which are too many, or too slow to ask."""
    connections: Counter[str] = Counter()

    class Watched(base):  # type: ignore[misc]  # whichever uvicorn chooses
        """Counts its connection, and looks at it now and then."""

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._address, self._seen = self.client[0] if self.client else "", self.cycle
            connections[self._address] += 1
            self._counted = True
            self.next_look = self.loop.call_later(SLOW, self.look_again)
            if connections[self._address] > MOST_CONNECTIONS:
                told("too many connections of one address")
                transport.abort()

        def look_again(self) -> None:
            """End it where it has been at the same request, not all here yet, since the last look.

            One that has asked for nothing further is ended by uvicorn before.
            """
            cycle = self.cycle
            if cycle is self._seen and (
                cycle is None or cycle.response_complete or cycle.more_body
            ):
                told("a request that did not come to its end")
                self.transport.abort()
                return
            self._seen = cycle
            self.next_look = self.loop.call_later(SLOW, self.look_again)

        def handle_websocket_upgrade(self, *args: Any) -> None:
            self._leave()
            super().handle_websocket_upgrade(*args)

        def connection_lost(self, exc: Exception | None) -> None:
            self._leave()
            super().connection_lost(exc)

        def _leave(self) -> None:
            """It is counted and looked at no more."""
            self.next_look.cancel()
            if self._counted:
                self._counted = False
                connections[self._address] -= 1
                if not connections[self._address]:
                    del connections[self._address]

    return Watched
