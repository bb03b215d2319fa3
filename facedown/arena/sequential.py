"""A match that ends as soon as it is decided, by a test that may be looked at after every deal.

The test bets (Waudby-Smith and Ramdas 2024, section 4). Take the hypothesis that the first agent's
mean share of wins is at most `m`. Whoever doubts it stakes a part of a fortune of 1 on every deal:
with share `x` in [0, 1] the fortune is multiplied by `1 + b (x - m)`, `0 < b < 1 / m`. If the
hypothesis holds, no such bet gains on average, nor does a mixture over several `b`, which is what
is kept here: so the chance that the fortune ever reaches `1 / a` is at most `a` (Ville 1939),
however scores are spread and whenever one looks. Against "at least `m`" bets go the other way.

A *deal* is one round of the seats, so that position does not matter: the games of one deal where
deals are duplicates. Deals are read in the order of their numbers, whoever was faster.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from facedown.core.errors import SpecError

_STAKES = np.geomspace(0.005, 0.95, 16)  # parts of the highest stake, mixed evenly
_GRID = 1000  # shares that `interval` tries


@dataclass(frozen=True)
class Stopping:
    """When a match may end before all its games are played.

    `error` bounds the chance that agents of equal strength are told apart, and that the better one
    is called the worse. With a `margin` a match also ends where the first agent's share is shown to
    lie within it of an even one; of agents that are not, so many at most are called even.
    """

    error: float = 0.05
    margin: float | None = None

    def check(self, even: float) -> None:
        """SpecError where this cannot be meant for a match with this even share."""
        if not 0 < self.error <= 0.5:
            raise SpecError(f"stop is {self.error:g}; an error above 0 and up to 0.5 is wanted")
        most = min(even, 1 - even)
        if self.margin is not None and not 0 < self.margin < most:
            raise SpecError(f"margin is {self.margin:g}; above 0 and below {most:g} is wanted")

    def to_json(self) -> dict[str, Any]:
        """As plain JSON."""
        return asdict(self)


def stopping_of(error: float | None, margin: float | None) -> Stopping | None:
    """The rule that is asked for, if one is; an error of 5 % unless told otherwise.

    >>> stopping_of(None, 0.02)
    Stopping(error=0.05, margin=0.02)
    """
    if error is None and margin is None:
        return None
    return Stopping(0.05 if error is None else error, margin)


class Bets:
    """The fortune of whoever bets that a mean share is above `m`, or with `sign` -1 below it.

    >>> bets = Bets(0.5, 1)
    >>> for _ in range(20):
    ...     bets.add(1.0)
    >>> bets.fortune > 100
    True
    """

    def __init__(self, m: float, sign: int) -> None:
        self._m = m
        self._stakes = sign * _STAKES / (m if sign > 0 else 1 - m)
        self._logs = np.zeros(len(_STAKES))
        self._known: dict[float, np.ndarray[Any, np.dtype[np.float64]]] = {}

    def add(self, x: float, times: int = 1) -> None:
        """A deal of this share, or several."""
        gain = self._known.get(x)
        if gain is None:
            gain = self._known[x] = np.log1p(self._stakes * (x - self._m))
        self._logs += gain if times == 1 else times * gain

    @property
    def log(self) -> float:
        """The logarithm of the fortune: the mean over all stakes."""
        top = float(self._logs.max())
        return top + math.log(float(np.exp(self._logs - top).mean()))

    @property
    def fortune(self) -> float:
        """What 1 has become; infinite where that is no number any more."""
        return math.exp(min(self.log, 700.0))


@dataclass(frozen=True)
class Verdict:
    """What a test came to: "better", "worse", "even" or "open", of the first agent.

    `low` and `high` hold its mean share with a chance of 1 - error, whenever the match ended.
    """

    verdict: str
    deals: int
    share: float
    low: float
    high: float
    error: float
    margin: float | None

    def to_json(self) -> dict[str, Any]:
        """As plain JSON."""
        return asdict(self)


class SequentialTest:
    """Reads the deals of a match one after another until it is decided.

    >>> test = SequentialTest(Stopping(error=0.05), even=0.5)
    >>> while test.verdict == "open":
    ...     test.add(0.75)
    >>> test.verdict, test.deals
    ('better', 16)
    """

    def __init__(self, rule: Stopping, even: float) -> None:
        rule.check(even)
        self.rule, self._even = rule, even
        self._counts: dict[float, int] = {}
        self.deals, self.verdict = 0, "open"
        self._better, self._worse = Bets(even, 1), Bets(even, -1)
        margin = rule.margin or 0.0
        self._bounded = (Bets(even - margin, 1), Bets(even + margin, -1)) if margin else ()

    def add(self, share: float) -> None:
        """The first agent's share of the wins of a deal."""
        self.deals += 1
        self._counts[share] = self._counts.get(share, 0) + 1
        for bets in (self._better, self._worse, *self._bounded):
            bets.add(share)
        self.verdict = self._decided()

    def _decided(self) -> str:
        apart, within = math.log(2 / self.rule.error), math.log(1 / self.rule.error)
        if self._better.log >= apart:
            return "better"
        if self._worse.log >= apart:
            return "worse"
        if self._bounded and all(bets.log >= within for bets in self._bounded):
            return "even"
        return "open"

    def result(self) -> Verdict:
        """What it has come to so far."""
        total = sum(share * times for share, times in self._counts.items())
        mean = total / self.deals if self.deals else self._even
        low, high = self.interval()
        rule = self.rule
        return Verdict(self.verdict, self.deals, mean, low, high, rule.error, rule.margin)

    def interval(self) -> tuple[float, float]:
        """The means that the bets so far do not rule out, by a grid."""
        return self._bound(1), self._bound(-1)

    def _bound(self, sign: int) -> float:
        """The highest mean that is ruled out from below; with `sign` -1 the lowest from above."""
        level = math.log(2 / self.rule.error)
        inside, outside = (_GRID, 0) if sign > 0 else (0, _GRID)
        while abs(inside - outside) > 1:
            middle = (inside + outside) // 2
            bets = Bets(middle / _GRID, sign)
            for share, times in self._counts.items():
                bets.add(share, times)
            if bets.log >= level:
                outside = middle
            else:
                inside = middle
        return outside / _GRID


def even_share(seats: Sequence[int]) -> float:
    """The share of the first agent, with so many seats for each, if all were equally strong."""
    return seats[0] / sum(seats)
