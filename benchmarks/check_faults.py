"""How many planted faults does `facedown check` find, and does it accuse honest games?

`python benchmarks/check_faults.py [--set SET] [--seeds N] [--seconds S] [--jobs N] [--rare N]` runs
the check as it is by default on the honest games of `tests/support/checked`, or on the faults
planted in them, with so many seeds each. It counts the processor's seconds, so that a busy machine
finds as much as an idle one. `--rare N` counts instead in how many of N random games each fault
shows that is meant to be rare: any rule's answer differs from the honest game's, a world drawn with
the same stream included.
"""

from __future__ import annotations

import argparse
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from facedown.laws import check_game
from facedown.laws.check import SECONDS
from facedown.laws.clock import processor_time
from facedown.laws.trace import first_difference, trace
from support.checked.catalogue import FAULTS, HONEST, KEPT, LATE, TUNED, honest, loader, rare

SETS = {"tuned": TUNED, "kept": KEPT, "late": LATE, "all": FAULTS, "honest": HONEST}
KINDS = {kind.__name__: kind for kind in (*HONEST, *FAULTS)}


def tried(name: str, seed: int, seconds: float) -> tuple[str, str, float, list[str]]:
    """The verdict on one game with one seed, the time that it took, the laws that are broken."""
    random.seed(seed)
    with processor_time():
        found = check_game(loader(KINDS[name]), seed=seed, seconds=seconds)
    return name, found.verdict, found.seconds, [finding.law for finding in found.broken]


def met(name: str, games: int) -> float:
    """The share of random games in which a fault shows."""
    kind = KINDS[name]
    right, wrong = loader(honest(kind))(), loader(kind)()
    count = 0
    for seed in range(games):
        try:
            other = list(trace(wrong, seed, worlds=True))
        except Exception:
            count += 1
            continue
        count += first_difference(list(trace(right, seed, worlds=True)), other) is not None
    return count / games


def report(names: list[str], seeds: int, seconds: float, jobs: int) -> None:
    """Run the check on all and print a line for each, then the shares."""
    verdicts: dict[str, list[str]] = {name: [] for name in names}
    with ProcessPoolExecutor(jobs, max_tasks_per_child=1) as pool:
        work = [
            pool.submit(tried, n, 1_000_003 * s + 17, seconds) for s in range(seeds) for n in names
        ]
        for job in work:
            name, verdict, took, laws = job.result()
            verdicts[name].append(verdict)
            print(f"{name:28} {verdict:18} {took:5.1f} s  {', '.join(laws)}", flush=True)
    for name, told in verdicts.items():
        mark = "rare" if rare(KINDS[name]) else ""
        print(f"{name:28} {mark:5} broken {told.count('broken')} of {len(told)}")
    for label, some in (("rare", True), ("other", False)):
        told = [v for n, some_told in verdicts.items() if rare(KINDS[n]) == some for v in some_told]
        if told:
            print(f"{label}: broken {told.count('broken')} of {len(told)}")
    every = [v for told in verdicts.values() for v in told]
    print(f"all: broken {every.count('broken')} of {len(every)}")


def main() -> None:
    """Read the options and go."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seeds", type=int, default=20)
    options.add_argument("--seconds", type=float, default=SECONDS)
    options.add_argument("--set", choices=SETS, default="all")
    options.add_argument("--names", nargs="*", default=[])
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--rare", type=int, default=0)
    given = options.parse_args()
    names = given.names or [kind.__name__ for kind in SETS[given.set]]
    if given.rare:
        for name in names:
            if rare(KINDS[name]):
                print(f"{name:28} {met(name, given.rare):.2%} of {given.rare} games", flush=True)
        return
    report(names, given.seeds, given.seconds, given.jobs)


if __name__ == "__main__":
    main()
