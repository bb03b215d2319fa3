"""Counting cribbage hands in compiled code: `python benchmarks/counting.py`.

All 12,994,800 combinations of hand and cut are counted, as hands and as cribs, with the totals that
are known of them, and how many were counted a CPU second (the median of five rounds).
"""

from __future__ import annotations

import statistics
import sys
import time

import numpy as np

from facedown.games.cribbage.scoring import tables, tally_all

ROUNDS = 5
HANDS = 12_994_800
WANTED = 20_000_000
MEANS = {"hands": 4.769152, "cribs": 4.734819}
"""What the literature has for the mean of all hands, and of all cribs."""


def _timed(crib: bool) -> tuple[np.ndarray, float]:
    """The tally, and the median of hands counted a second; compiled before."""
    t = tables(False)[0]
    tally, speeds = tally_all(t, crib), []
    for _ in range(ROUNDS):
        began = time.thread_time()
        tally_all(t, crib)
        speeds.append(HANDS / (time.thread_time() - began))
    return tally, statistics.median(speeds)


def main() -> None:
    """Print a line for hands and one for cribs; status 1 where a mean is not what it must be."""
    right = True
    for what, wanted in MEANS.items():
        tally, speed = _timed(what == "cribs")
        mean = float(tally @ np.arange(len(tally)) / tally.sum())
        right &= round(mean, 6) == wanted
        print(f"{what}: {tally.sum():,} counted in {HANDS / speed:.3f} s, mean {mean:.6f}")
        print(f"  {speed / 1e6:.0f} million a second (wanted: {WANTED / 1e6:.0f})")
        print("  " + ", ".join(f"{points}: {n:,}" for points, n in enumerate(tally) if n))
    sys.exit(0 if right else 1)


if __name__ == "__main__":
    main()
