"""What the sequential test and the ratings promise, by simulation; no game is played.

`python benchmarks/tournaments.py [RUNS]` prints two tables: how often the test says what, and after
how many deals, for agents of known strength; and how often the intervals of ratings hold the truth.
"""

from __future__ import annotations

import sys

import numpy as np

from facedown.arena.ratings import ELO, rate, shares
from facedown.arena.sequential import SequentialTest, Stopping

DEALS = 2000  # of a match, at most
SEED = 1


def chances(mean: float, paired: float) -> np.ndarray:
    """Of the shares 0, 1/2 and 1 of a deal of two games, where so many deals are split evenly."""
    won = (mean - paired / 2) / (1 - paired)
    return np.array([(1 - won) * (1 - paired), paired, won * (1 - paired)])


def sequential(runs: int) -> None:
    rule = Stopping(error=0.05, margin=0.05)
    print(f"error 0.05, margin 0.05, at most {DEALS} deals of two games, {runs} matches each")
    print("| share | split deals | better | worse | even | open | deals, mean |")
    print("|---|---|---|---|---|---|---|")
    for paired in (0.0, 0.6):
        for mean in (0.5, 0.51, 0.53, 0.55, 0.6, 0.7):
            draw, found, deals = np.random.default_rng(SEED), dict[str, int](), 0
            for _ in range(runs):
                test = SequentialTest(rule, 0.5)
                for share in draw.choice([0.0, 0.5, 1.0], size=DEALS, p=chances(mean, paired)):
                    test.add(float(share))
                    if test.verdict != "open":
                        break
                found[test.verdict] = found.get(test.verdict, 0) + 1
                deals += test.deals
            said = [f"{found.get(v, 0) / runs:.3f}" for v in ("better", "worse", "even", "open")]
            print(
                f"| {mean} | {paired:.0%} | {' | '.join(said)} | {deals / runs:.0f} |", flush=True
            )


def ratings(runs: int) -> None:
    print(f"\n4 agents, all pairs, deals of two games, {runs} tournaments each")
    print("| Elo from best to worst | deals of a match | split deals | intervals that hold |")
    print("|---|---|---|---|")
    for gap in (0, 200, 800):
        for deals in (20, 200):
            for paired in (0.0, 0.6):
                held = sum(_held(np.random.default_rng([SEED, k]), gap, deals, paired)
                           for k in range(runs))  # fmt: skip
                print(f"| {gap} | {deals} | {paired:.0%} | {held / (4 * runs):.3f} |", flush=True)


def _held(draw: np.random.Generator, gap: float, deals: int, paired: float) -> int:
    """How many of four intervals hold the truth in a tournament by the model."""
    truth = dict(zip("abcd", np.linspace(gap / 2, -gap / 2, 4) / ELO, strict=True))
    matches = []
    for k, first in enumerate("abcd"):
        for second in "abcd"[k + 1 :]:
            mean = 1 / (1 + np.exp(truth[second] - truth[first]))
            split = paired * 2 * min(mean, 1 - mean)  # the rarer, the less equal they are
            kinds = draw.choice(3, size=deals, p=chances(mean, split))
            games = [[[(0, 1), (0, 1)], [(1, 0), (0, 1)], [(1, 0), (1, 0)]][kind] for kind in kinds]
            matches.append(shares([first, second], [1, 1], games))
    found = rate(matches)
    return sum(one.low <= ELO * truth[one.agent] <= one.high for one in found)


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    sequential(runs)
    ratings(runs)


if __name__ == "__main__":
    main()
