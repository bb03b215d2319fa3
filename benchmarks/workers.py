"""Two worker processes against two separate runs side by side: Cribbage at 1,000 iterations.

`python benchmarks/workers.py [GAMES] [ROUNDS]`: games of each process and rounds, in turn; wants a
quiet machine of two cores. A rate begins when the first games are finished, so that no start of a
process is in it.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from facedown.arena.match import arrange, keep_match
from facedown.store.store import Store

AGENTS = ["so-ismcts:iterations=1000", "so-ismcts:iterations=1000"]


def rate(games: int, jobs: int, file: str) -> float:
    """Games a second of one run, from the first that every process has finished on."""
    moments: list[float] = []
    fixture = arrange("cribbage", AGENTS, games + jobs)
    with Store(file) as store:
        match = store.match(fixture.ask(seed=1))
        keep_match(fixture, match, jobs, progress=lambda *_: moments.append(time.perf_counter()))
    first, last = moments[jobs - 1], moments[-jobs]  # nobody waits for the last at the end
    return (len(moments) - 2 * jobs + 1) / (last - first)


def started(games: int, jobs: int, file: Path) -> subprocess.Popen[str]:
    words = [sys.executable, __file__, "--one", str(games), str(jobs), str(file)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def told(process: subprocess.Popen[str]) -> float:
    return float(process.communicate()[0])


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    ratios = []
    with tempfile.TemporaryDirectory() as scratch:
        for k in range(rounds):
            place = Path(scratch)
            apart = [started(games, 1, place / f"{k}-{one}.db") for one in range(2)]
            side_by_side = sum(map(told, apart))
            together = told(started(2 * games, 2, place / f"{k}-two.db"))
            ratios.append(together / side_by_side)
            line = f"{side_by_side:.2f} games a second side by side, {together:.2f} in two workers"
            print(f"{line}: {ratios[-1]:.3f}", flush=True)
    print(f"median of {rounds}: {statistics.median(ratios):.3f} (0.95 wanted)")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(rate(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
    else:
        main()
