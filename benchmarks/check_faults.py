"""How many planted faults does `facedown check` find, and does it accuse honest games?

`python benchmarks/check_faults.py [--set SET] [--seeds N] [--seconds S] [--rare N]` runs
the check as it is by default on the honest games of `tests/support/checked`, or on the faults
planted in them, with so many seeds each. It counts the processor's seconds, so that a busy machine
finds as much as an idle one. `--rare N` counts instead in how many of N random games each fault
shows that is meant to be rare: any rule's answer differs from the honest game's, a world drawn with
the same stream included.

`--keep FILE` writes every result into a file of JSON lines and tries nothing twice that is there,
so that a run goes on where it was stopped; with `--minutes M` no check begins later. Seed comes
after seed, so that all faults have been tried equally often, but for the last seed. `--set first`
is the tuned half and the kept half. Intervals are of 95 %, a fault's seeds taken as one cluster.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from facedown.arena.statistics import bounded_interval
from facedown.laws import check_game
from facedown.laws.check import SECONDS
from facedown.laws.clock import processor_time
from facedown.laws.trace import first_difference, trace
from support.checked.catalogue import FAULTS, FRESH, HONEST, KEPT, LATE, TUNED, honest, loader, rare

SETS = {
    "tuned": TUNED,
    "kept": KEPT,
    "first": (*TUNED, *KEPT),
    "late": LATE,
    "fresh": FRESH,
    "all": FAULTS,
    "honest": HONEST,
}
KINDS = {kind.__name__: kind for kind in (*HONEST, *FAULTS)}


Result = dict[str, Any]
"""One check: `name` of the game, `seed`, `limit` in seconds, `verdict`, what it `took`, `laws`."""


def tried(name: str, seed: int, seconds: float) -> Result:
    """The verdict on one game with one seed, the time that it took, the laws that are broken."""
    random.seed(seed)
    with processor_time():
        found = check_game(loader(KINDS[name]), seed=seed, seconds=seconds)
    laws = [finding.law for finding in found.broken]
    told = {"verdict": found.verdict, "took": round(found.seconds, 1), "laws": laws}
    return {"name": name, "seed": seed, "limit": seconds, **told}


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


def seeded(k: int) -> int:
    """The k-th seed."""
    return 1_000_003 * k + 17


def kept(file: Path | None, names: list[str], seconds: float) -> list[Result]:
    """The results that are there of these games, with this limit."""
    if file is None or not file.exists():
        return []
    every = [json.loads(line) for line in file.read_text().splitlines()]
    return [one for one in every if one["name"] in names and one["limit"] == seconds]


def checked(names: list[str], given: argparse.Namespace, results: list[Result]) -> None:
    """Run the checks that are missing, as long as there is time, and add what comes out."""
    there = {(one["name"], one["seed"]) for one in results}
    until = time.monotonic() + 60 * given.minutes
    wanted = [(name, seeded(k)) for k in range(given.seeds) for name in names]
    for name, seed in wanted:
        if (name, seed) in there or time.monotonic() > until:
            continue
        with ProcessPoolExecutor(1) as apart:  # a game's compiled code goes with its process
            one = apart.submit(tried, name, seed, given.seconds).result()
        results.append(one)
        if given.keep is not None:
            with given.keep.open("a") as file:
                file.write(json.dumps(one) + "\n")
        print(
            f"{name:28} {one['verdict']:18} {one['took']:5.1f} s  {', '.join(one['laws'])}",
            flush=True,
        )


def share(results: list[Result]) -> str:
    """How many were found broken, with an interval."""
    names = {one["name"] for one in results}
    told = [[one["verdict"] == "broken" for one in results if one["name"] == n] for n in names]
    found, count = sum(map(sum, told)), len(results)
    low, high = bounded_interval(
        [float(sum(one)) for one in told], [float(len(one)) for one in told]
    )
    rate = f"{found / count:.1%} ({low:.1%} to {high:.1%})"
    return f"broken {found} of {count}, {rate}, {len(names)} games"


def report(names: list[str], results: list[Result]) -> None:
    """A line for each game, then the shares by set and by rarity."""
    for name in names:
        told = [one["verdict"] for one in results if one["name"] == name]
        mark = "rare" if rare(KINDS[name]) else ""
        print(f"{name:28} {mark:5} broken {told.count('broken')} of {len(told)}")
    groups = {label: [kind.__name__ for kind in kinds] for label, kinds in SETS.items()}
    groups["rare"] = [name for name in names if rare(KINDS[name])]
    groups["not rare"] = [name for name in names if not rare(KINDS[name])]
    for label, group in groups.items():
        if some := [one for one in results if one["name"] in group]:
            print(f"{label}: {share(some)}")


def main() -> None:
    """Read the options and go."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seeds", type=int, default=20)
    options.add_argument("--seconds", type=float, default=SECONDS)
    options.add_argument("--set", choices=SETS, default="all")
    options.add_argument("--names", nargs="*", default=[])
    options.add_argument("--keep", type=Path)
    options.add_argument("--minutes", type=float, default=float("inf"))
    options.add_argument("--rare", type=int, default=0)
    given = options.parse_args()
    names = given.names or [kind.__name__ for kind in SETS[given.set]]
    if given.rare:
        for name in names:
            if rare(KINDS[name]):
                print(f"{name:28} {met(name, given.rare):.2%} of {given.rare} games", flush=True)
        return
    results = kept(given.keep, names, given.seconds)
    checked(names, given, results)
    report(names, results)


if __name__ == "__main__":
    main()
