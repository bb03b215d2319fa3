"""Do 95 % intervals hold the true value 95 times in a hundred? By simulation, ends included.

`python benchmarks/intervals.py [--times N] [--deals N] [--seed S]` draws true rates, plays so many
deals at each and counts how often the interval that a match would print holds the truth: over all
rates, and over those near 0 and 1. Modes: single games; deals played twice with the seats changed;
one agent in three of four seats of a game; draws; payoffs between bounds.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import cache

import numpy as np

from facedown.arena.statistics import bounded_interval, clustered_mean, t_interval

Draw = Callable[[np.random.Generator, float, int], tuple[list[float], list[int]]]


def single(rng: np.random.Generator, rate: float, deals: int) -> tuple[list[float], list[int]]:
    """Games that are won or lost."""
    return (rng.random(deals) < rate).astype(float).tolist(), [1] * deals


def duplicate(rng: np.random.Generator, rate: float, deals: int) -> tuple[list[float], list[int]]:
    """Deals played twice; half of the time the deal alone decides, so that both go one way."""
    luck, alike = rng.random((deals, 2)), rng.random(deals) < 0.5
    luck[alike, 1] = luck[alike, 0]
    return (luck < rate).sum(axis=1).astype(float).tolist(), [2] * deals


def three_seats(rng: np.random.Generator, rate: float, deals: int) -> tuple[list[float], list[int]]:
    """One agent in three of four seats; one seat of a game wins, so its seats are not apart."""
    won = rng.random(deals) < min(1.0, 3 * rate)
    return won.astype(float).tolist(), [3] * deals


def draws(rng: np.random.Generator, rate: float, deals: int) -> tuple[list[float], list[int]]:
    """Won, drawn or lost, with the given mean; draws are likeliest in the middle."""
    drawn = rate * (1 - rate)
    luck = rng.random(deals)
    points = np.where(luck < drawn, 0.5, np.where(luck < drawn / 2 + rate, 1.0, 0.0))
    return points.tolist(), [1] * deals


def payoffs(rng: np.random.Generator, rate: float, deals: int) -> tuple[list[float], list[int]]:
    """Payoffs of deals played twice, on a scale of 21, with the given mean."""
    made = rng.binomial(20, rate, (deals, 2)) / 20
    return made.sum(axis=1).tolist(), [2] * deals


MODES: dict[str, Draw] = {
    "single games": single,
    "duplicate deals": duplicate,
    "three seats of four": three_seats,
    "draws": draws,
    "payoffs": payoffs,
}


@cache
def interval(pairs: tuple[tuple[float, int, int], ...], high: float) -> tuple[float, float]:
    """The interval of these sums and counts, each so often; alike samples are alike."""
    sums, counts, often = zip(*pairs, strict=True)
    return bounded_interval(sums, counts, 0.0, high, often=often)


def held(mode: Draw, rate: float, deals: int, rng: np.random.Generator) -> bool:
    """Whether the interval of one sample holds the truth."""
    sums, counts = mode(rng, rate, deals)
    values, often = np.unique(np.round(sums, 9), return_counts=True)
    pairs = tuple((float(value), counts[0], int(n)) for value, n in zip(values, often, strict=True))
    if mode is payoffs:
        mean = clustered_mean(sums, counts)
        low, high = t_interval(mean) if mean.spread else (0.0, 1.0)
    else:
        low, high = interval(pairs, 0.5 if mode is three_seats else 1.0)
    return low <= rate <= high


def coverage(mode: str, times: int, deals: int, seed: int, ends: bool) -> float:
    """The share of samples whose interval holds the truth, over rates drawn at random."""
    rng = np.random.default_rng([seed, deals, ends, sorted(MODES).index(mode)])
    most = 1 / 3 if mode == "three seats of four" else 1.0
    count = 0
    for _ in range(times):
        rate = rng.random()
        if ends:
            rate = rate * 0.05 if rng.random() < 0.5 else 1 - rate * 0.05
        count += held(MODES[mode], most * rate, deals, rng)
    return count / times


def main() -> None:
    """A line for each mode and size."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--times", type=int, default=10_000)
    options.add_argument("--deals", type=int, nargs="*", default=[20, 100])
    options.add_argument("--seed", type=int, default=16)
    given = options.parse_args()
    for mode in MODES:
        for deals in given.deals:
            parts = [coverage(mode, given.times, deals, given.seed, ends) for ends in (False, True)]
            print(
                f"{mode:20} {deals:4} deals: {parts[0]:.1%}, near the ends {parts[1]:.1%}",
                flush=True,
            )


if __name__ == "__main__":
    main()
