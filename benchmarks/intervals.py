"""Do 95 % intervals hold the true value 95 times in a hundred? By simulation, ends included.

`python benchmarks/intervals.py [--times N] [--deals N...] [--seed S]` draws true rates, plays so
many deals at each and counts how often the interval that a match would print holds the truth: over
all rates, and over those within 0.05 of 0 and 1. Then, for single games and by exact calculation:
what is held on average; for which share of the rates it is 94 to 96 %; and for which share that
is possible at all, whatever the interval: a count of wins comes in steps.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import stats

from facedown.arena.statistics import bounded_interval, clustered_mean, t_interval

Array = np.ndarray[Any, np.dtype[np.float64]]
Draw = Callable[[np.random.Generator, float, int], tuple[Array, float]]
"""Draws the means of so many deals at a rate, and says what the true mean is then."""


def single(rng: np.random.Generator, rate: float, deals: int) -> tuple[Array, float]:
    """Games that are won or lost."""
    return (rng.random(deals) < rate).astype(float), rate


def duplicate(alike: float) -> Draw:
    """Deals played twice; so often both games go one way."""

    def draw(rng: np.random.Generator, rate: float, deals: int) -> tuple[Array, float]:
        luck = rng.random((deals, 2))
        luck[:, 1] = np.where(rng.random(deals) < alike, luck[:, 0], luck[:, 1])
        return (luck < rate).mean(axis=1), rate

    return draw


def split(share: float) -> Draw:
    """Deals played twice; so often the good hand wins both, and each agent one of them."""

    def draw(rng: np.random.Generator, rate: float, deals: int) -> tuple[Array, float]:
        own = (rng.random((deals, 2)) < rate).mean(axis=1)
        return np.where(rng.random(deals) < share, 0.5, own), share / 2 + (1 - share) * rate

    return draw


def four(rng: np.random.Generator, rate: float, deals: int) -> tuple[Array, float]:
    """Deals played four times, each with a rate of its own around the true one."""
    luck = rng.beta(max(2 * rate, 1e-6), max(2 - 2 * rate, 1e-6), deals)
    return rng.binomial(4, luck) / 4, rate


def three_seats(rng: np.random.Generator, rate: float, deals: int) -> tuple[Array, float]:
    """One agent in three of four seats; one seat of a game wins, so its seats are not apart."""
    return (rng.random(deals) < rate) / 3, rate / 3


def draws(rng: np.random.Generator, rate: float, deals: int) -> tuple[Array, float]:
    """Won, drawn or lost, with the given mean; draws are likeliest in the middle."""
    drawn = rate * (1 - rate)
    luck = rng.random(deals)
    return np.where(luck < drawn, 0.5, np.where(luck < drawn / 2 + rate, 1.0, 0.0)), rate


def payoffs(rng: np.random.Generator, rate: float, deals: int) -> tuple[Array, float]:
    """Payoffs of deals played twice, on a scale of 21, with the given mean."""
    return rng.binomial(20, rate, (deals, 2)).mean(axis=1) / 20, rate


MODES: dict[str, tuple[Draw, int, float]] = {
    "single games": (single, 1, 1.0),
    "duplicates, apart": (duplicate(0.0), 2, 1.0),
    "duplicates, half alike": (duplicate(0.5), 2, 1.0),
    "duplicates, most alike": (duplicate(0.9), 2, 1.0),
    "duplicates, half split": (split(0.5), 2, 1.0),
    "deals of four": (four, 4, 1.0),
    "three seats of four": (three_seats, 1, 1 / 3),
    "draws": (draws, 1, 1.0),
    "payoffs, by t": (payoffs, 0, 1.0),
}
"""How deals are drawn, how many games each has, the highest mean. No games: no bounds, by t."""


def held(mode: str, rate: float, deals: int, rng: np.random.Generator) -> bool:
    """Whether the interval of one sample holds the truth."""
    draw, games, most = MODES[mode]
    means, truth = draw(rng, rate, deals)
    if games:
        sums, often = np.unique(means * games, return_counts=True)
        low, high = bounded_interval(
            list(sums), [games] * len(sums), 0.0, most, often=often.tolist()
        )
    else:
        mean = clustered_mean(means.tolist(), [1] * deals)
        low, high = t_interval(mean) if mean.spread else (0.0, 1.0)
    return low - 1e-12 <= truth <= high + 1e-12


def coverage(mode: str, times: int, deals: int, seed: int, ends: bool) -> float:
    """The share of samples whose interval holds the truth, over rates drawn at random."""
    rng = np.random.default_rng([seed, deals, ends, sorted(MODES).index(mode)])
    count = 0
    for _ in range(times):
        rate = rng.random()
        if ends:
            rate = rate * 0.05 if rng.random() < 0.5 else 1 - rate * 0.05
        count += held(mode, rate, deals, rng)
    return count / times


def exactly(games: int, most: float) -> tuple[float, float, float]:
    """Of rates up to `most`: what is held on average, how often 94 to 96 %, how often it could."""
    rates = (np.arange(1000) + 0.5) / 1000 * most
    wins = np.arange(games + 1)
    bounds = np.array([bounded_interval([1, 0], [1, 1], often=[k, games - k]) for k in wins])
    chance = stats.binom.pmf(wins, games, rates[:, None])
    holds = (bounds[:, 0] <= rates[:, None]) & (rates[:, None] <= bounds[:, 1])
    covered = (chance * holds).sum(axis=1)
    could = [possible(row) for row in chance]
    return float(covered.mean()), float((abs(covered - 0.95) <= 0.01).mean()), float(np.mean(could))


def possible(chance: Array) -> bool:
    """Whether any run of counts has a chance of 94 to 96 %."""
    total = np.concatenate([[0.0], np.cumsum(chance)])
    sums = total[None, :] - total[:, None]
    return bool((abs(sums - 0.95) <= 0.01).any())


def main() -> None:
    """A line for each mode and size, then the exact ones."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--times", type=int, default=10_000)
    options.add_argument("--deals", type=int, nargs="*", default=[20, 100, 400])
    options.add_argument("--seed", type=int, default=16)
    given = options.parse_args()
    for mode in MODES:
        told = []
        for deals in given.deals:
            parts = [coverage(mode, given.times, deals, given.seed, ends) for ends in (False, True)]
            told.append(f"{deals} deals {parts[0]:.1%}, ends {parts[1]:.1%}")
        print(f"{mode:23} {'; '.join(told)}", flush=True)
    for games in given.deals:
        for most, where in ((1.0, "all rates"), (0.05, "below 0.05")):
            mean, often, could = exactly(games, most)
            print(
                f"{games} single games, {where}, exactly: {mean:.1%} held; 94 to 96 % at "
                f"{often:.0%} of the rates, possible at {could:.0%}",
                flush=True,
            )


if __name__ == "__main__":
    main()
