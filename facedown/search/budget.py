"""How long a search may think."""

from __future__ import annotations

import math
from dataclasses import dataclass

from facedown.core.clocks import now


@dataclass(frozen=True)
class Budget:
    """So many iterations, so many seconds, whichever comes first; neither: until stopped.

    >>> Budget(iterations=1000).split(2).iterations
    500
    """

    iterations: int | None = None
    seconds: float | None = None

    def part(self, share: float, *, last: bool = False) -> Budget:
        """A share of the budget; or, `last`, what that share leaves."""
        iterations, seconds = self.iterations, self.seconds
        if iterations is not None:
            first = round(share * iterations)
            iterations = iterations - first if last else first
        if seconds is not None:
            seconds *= 1 - share if last else share
        return Budget(iterations, seconds)

    def after(self, seconds: float) -> Budget:
        """What is left when so many seconds are gone; a tenth of the time at least."""
        if self.seconds is None:
            return self
        return Budget(self.iterations, max(self.seconds - seconds, self.seconds / 10))

    def split(self, threads: int, k: int = 0, done: int = 0) -> Budget:
        """The `k`-th thread's share: iterations are shared out, the time is the same for all.

        What `done` iterations have given it already is taken off, where the budget is the next part
        of a larger one: in whatever parts, threads come to the same shares.
        """
        if self.iterations is None:
            return self
        before, all_ = ((n + threads - 1 - k) // threads for n in (done, done + self.iterations))
        return Budget(all_ - before, self.seconds)


class Clock:
    """Hands out iterations in chunks of a few milliseconds until the budget is used up.

    So a search keeps its time, and Python gets to see an interrupt while compiled code runs.
    """

    _CHUNK_SECONDS = 0.004

    def __init__(self, budget: Budget) -> None:
        self._left = budget.iterations
        self._deadline = math.inf
        if budget.seconds is not None:
            self._deadline = now() + budget.seconds
        self._chunk, self._asked, self._ran = 1, 0.0, 0

    def chunk(self) -> int:
        """How many iterations to run next; 0 when the budget is used up."""
        moment = now()
        if moment >= self._deadline:
            return 0
        if self._ran:
            took = max(moment - self._asked, 1e-7)
            near = min(self._CHUNK_SECONDS, self._deadline - moment)
            self._chunk = max(1, min(4 * self._chunk, int(self._ran * near / took)))
        self._asked, self._ran = moment, 0
        return self._chunk if self._left is None else min(self._left, self._chunk)

    def ran(self, iterations: int) -> None:
        """Note that so many iterations were run, which may be fewer than were asked for."""
        self._ran = iterations
        if self._left is not None:
            self._left -= iterations
