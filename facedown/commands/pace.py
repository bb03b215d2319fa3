"""How fast work goes, how long it will still take, and when to say so."""

from __future__ import annotations

import time
from collections.abc import Callable

_REDRAW = 0.1  # seconds between two looks of what moves
_FIRST, _GROWTH, _LONGEST = 10.0, 1.5, 300.0  # seconds until the next line, where nothing moves


def time_text(seconds: float) -> str:
    """A time as people say it.

    >>> time_text(41.6), time_text(200), time_text(8000)
    ('42 s', '3 min 20 s', '2 h 13 min')
    """
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 1:
        return f"{rest} s"
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


class Pace:
    """The pace of games since the first that it was told of: those before were there already.

    >>> now = iter([0.0, 1.0, 2.0])
    >>> pace = Pace(lambda: next(now))
    >>> pace.told(50, 200), pace.told(60, 200)
    ('50 of 200 games', '60 of 200 games, about 14 s to go')
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began: float | None = None
        self._first = 0
        self._drawn, self._line, self._wait = 0.0, 0.0, _FIRST

    def start(self, done: int) -> float:
        """So many were there when it began, if it begins only now; the time."""
        now = self._clock()
        if self._began is None:
            self._began, self._first = now, done
        return now

    def told(self, done: int, total: int, *, at_most: bool = False) -> str:
        """So many of so many, and the time that is left."""
        now = self.start(done)
        words = f"{done:,} of {'at most ' if at_most else ''}{total:,} games"
        new = done - self._first
        if new < 1 or done >= total:
            return words
        left = (now - (self._began or 0.0)) / new * (total - done)
        most = "at most" if at_most else "about"
        return f"{words}, {most} {time_text(left)} to go"

    def redraw(self) -> bool:
        """Whether what moves is to move again."""
        now = self._clock()
        if now - self._drawn < _REDRAW:
            return False
        self._drawn = now
        return True

    def line_due(self) -> bool:
        """Whether it is time for a line, where nothing moves; they become fewer and fewer."""
        now = self._clock()
        if not self._line:
            self._line = now
        if now - self._line < self._wait:
            return False
        self._line, self._wait = now, min(self._wait * _GROWTH, _LONGEST)
        return True
