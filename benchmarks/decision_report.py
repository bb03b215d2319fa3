"""What a decision costs beside its search: `python benchmarks/decision_report.py OLD [NEW]`.

OLD and NEW are checkouts of facedown (NEW is this one unless told otherwise). Each plays the same
match of Cribbage, `so-ismcts` with 1,000 iterations against itself, saved as `facedown match` saves
it, in processes of its own that take turns. Timed are the match and, within it, the searches; the
rest is what reporting, choosing, telling and saving cost. CPU time; the median over the rounds.
Both must have been run once before, so that nothing is compiled.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

AGENT, GAMES, ROUNDS = "so-ismcts:iterations=1000", 2, 7
HERE = Path(__file__).resolve().parents[1]

PLAYED = """
import json, sys, time
from facedown import match
from facedown.search.search import Search
game, agent, games, seed, file = sys.argv[1:]
run, searched = Search.run, []

def timed(search, budget):
    began = time.process_time()
    try:
        return run(search, budget)
    finally:
        searched.append(time.process_time() - began)

Search.run = timed
match(game, [agent] * 2, games=2, seed=99)  # all is loaded
searched.clear()
began = time.process_time()
match(game, [agent] * 2, games=int(games), seed=int(seed), save=file)
spent = time.process_time() - began
print(json.dumps([spent, len(searched), sum(searched)]))
"""


def played(checkout: Path, seed: int) -> tuple[float, float, int]:
    """Milliseconds of a decision: all of it, and its search; and how many there were."""
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "match.jsonl")
        words = [sys.executable, "-c", PLAYED, "cribbage", AGENT, str(GAMES), str(seed), file]
        ran = subprocess.run(
            words,
            env={**os.environ, "PYTHONPATH": str(checkout)},
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        )
    spent, decisions, searched = json.loads(ran.stdout.splitlines()[-1])
    return 1000 * spent / decisions, 1000 * searched / decisions, decisions


def main() -> None:
    """Let both take turns, and print what their decisions cost."""
    checkouts = [Path(path).resolve() for path in sys.argv[1:]] or [HERE]
    if len(checkouts) == 1:
        checkouts.append(HERE)
    found: dict[int, list[tuple[float, float, int]]] = {0: [], 1: []}
    for seed in range(ROUNDS):
        for k, checkout in enumerate(checkouts):
            found[k].append(played(checkout, seed))
    for k, name in enumerate(("before", "after")):
        whole, search = (statistics.median(one[j] for one in found[k]) for j in (0, 1))
        rest = statistics.median(one[0] - one[1] for one in found[k])
        decisions = sum(one[2] for one in found[k])
        print(
            f"{name}: {whole:.2f} ms a decision, {search:.2f} of them the search's, "
            f"{rest:.2f} the rest; {decisions} decisions in {ROUNDS} matches"
        )


if __name__ == "__main__":
    main()
