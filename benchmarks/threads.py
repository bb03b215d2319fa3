"""Two threads against one on Leduc: `python benchmarks/threads.py`.

The ratio of iterations in the same wall-clock time, the median of five interleaved pairs.
"""

from __future__ import annotations

import statistics

from facedown.games.registry import load_game
from facedown.search.budget import Budget
from facedown.search.recipe import Recipe
from facedown.search.search import Search

SECONDS = 2.0
PAIRS = 5


def iterations(threads: int) -> int:
    """How many iterations so many threads make together in SECONDS, from the first decision."""
    game = load_game("leduc")
    position = game.start()
    while position.turn() < 0:
        position.apply(position.legal()[0])
    search = Search(game, Recipe(), position.view(0), 0, position.legal(), seed=7, threads=threads)
    return search.run(Budget(seconds=SECONDS)).iterations


def main() -> None:
    """Print each pair and the median ratio."""
    iterations(2)
    ratios = []
    for _ in range(PAIRS):
        one, two = iterations(1), iterations(2)
        ratios.append(two / one)
        print(f"one thread {one:>12,}   two threads {two:>12,}   ratio {two / one:.2f}")
    print(f"median ratio {statistics.median(ratios):.2f} (wanted: 1.70)")


if __name__ == "__main__":
    main()
