"""Luck and skill: what part of the payoffs' variance comes from where, by duplicate deals.

Every deal is played with the seats turned all ways. With Y the payoff of player p in a game of a
deal, s whether a strong agent plays p there (else a weak one), the parts of Y's variance are

- *seat*: the variance of the players' means over all games: what a place is worth;
- *skill*: q (1 - q) (mean of Y where s, less that where not s)^2, with q the share of strong seats:
  what it is worth to be the better one;
- *deal*: the covariance of two games of the same deal at the same seat, seat and skill taken off:
  what chance has dealt, whoever plays;
- *play*: the rest: how chance and choices meet, and the agents' own dice.

Squares of means are less by their squared errors, which chance alone would make. What is estimated
below 0 is 0, and the rest is larger.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.arena.statistics import clustered_mean

Rows = np.ndarray[Any, np.dtype[np.float64]]
"""[games, players]."""


@dataclass(frozen=True)
class Variance:
    """The parts of the variance, as shares that sum to 1; `deal` is None without duplicates.

    `total` is the variance itself; where it is 0 every game pays the same, and all parts are 0.
    """

    total: float
    seat: float
    skill: float
    deal: float | None
    play: float

    @property
    def luck(self) -> float:
        """All that is neither seat nor skill."""
        return (self.deal or 0.0) + self.play


@dataclass(frozen=True)
class Played:
    """A game: its deal, what it paid, and which players were the strong ones."""

    deal: int
    payoffs: Sequence[float]
    strong: Sequence[bool]


def variance(games: Iterable[Played], duplicate: bool = True) -> Variance:
    """The parts of the variance of payoffs.

    >>> flips = [Played(d, (v, -v), (r == 0, r == 1)) for d, v in enumerate((1, -1, 1, -1))
    ...          for r in range(2)]
    >>> found = variance(flips)
    >>> found.deal, found.skill, found.luck
    (1.0, 0.0, 1.0)
    """
    played = list(games)
    paid = np.array([one.payoffs for one in played], float)
    strong = np.array([one.strong for one in played], bool)
    total = float(paid.var())
    if total <= 1e-12:
        return Variance(0.0, 0.0, 0.0, 0.0 if duplicate else None, 0.0)
    seats, q = paid.mean(axis=0), float(strong.mean())
    centred, deals = paid - seats, [one.deal for one in played]
    effect = float(centred[strong].mean() - centred[~strong].mean()) if 0 < q < 1 else 0.0
    gains = centred * (strong / q - ~strong / (1 - q)) if 0 < q < 1 else centred * 0.0
    skill = q * (1 - q) * max(0.0, effect**2 - _error(gains.mean(axis=1), deals) ** 2)
    noise = sum(_error(column, deals) ** 2 for column in centred.T) / len(seats)
    seat = max(0.0, float(seats.var()) - noise)
    deal = _covariance(centred - effect * (strong - q), deals) if duplicate else None
    parts = [seat, skill, max(0.0, deal or 0.0)]
    scale = max(total, sum(parts))
    seated, skilled, dealt = (part / scale for part in parts)
    left = max(0.0, 1.0 - seated - skilled - dealt)
    return Variance(total, seated, skilled, None if deal is None else dealt, left)


def _error(values: Rows, deals: Sequence[int]) -> float:
    """The standard error of a mean over games, those of one deal together."""
    sums: dict[int, float] = defaultdict(float)
    counts: dict[int, int] = defaultdict(int)
    for value, deal in zip(values.tolist(), deals, strict=True):
        sums[deal] += value
        counts[deal] += 1
    return clustered_mean(list(sums.values()), list(counts.values())).error or 0.0


def _covariance(rest: Rows, deals: Sequence[int]) -> float:
    """The mean product of two games of a deal at the same seat; 0 where no deal came twice."""
    by_deal = defaultdict(list)
    for row, deal in zip(rest, deals, strict=True):
        by_deal[deal].append(row)
    total, pairs = 0.0, 0
    for rows in by_deal.values():
        block = np.array(rows)
        total += float((block.sum(axis=0) ** 2 - (block**2).sum(axis=0)).sum())
        pairs += len(rows) * (len(rows) - 1) * block.shape[1]
    return total / pairs if pairs else 0.0
