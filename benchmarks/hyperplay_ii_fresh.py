"""How often `hyperplay-ii-shared` plays the move of `hyperplay-ii` where it was not tuned.

    python benchmarks/hyperplay_ii_fresh.py record     draws positions, has the plain player decide
    python benchmarks/hyperplay_ii_fresh.py            has the shared player decide there too

The positions are drawn like those of `hyperplay_ii.py`, from another seed: no two with the same
player and the same observations, and none that is there (but in Exploding Bomb, which has few). In
each the plain player decides RUNS times. Where all of these play the same move, its move is well
defined: these *unanimous* positions are the ones to be judged by, and the shared player has nothing
to do with which they are. Ties are not among them: of moves with the same value the first is
played, and all runs do that. Where all play the same the plain player decides AGAIN more times,
since a move that came out RUNS times may still come out otherwise. All that it did is on file.

*The same move*: how often the shared player plays the very move of the plain runs, in unanimous
positions, with Wilson's 95 % interval over positions; beside it how often the later plain runs do,
and in how many positions most runs of the shared player do. *Admitted*: over all positions that
were drawn, how often its move agrees by the rule of `hyperplay_ii.py`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from hyperplay_ii import FILE as TUNED
from hyperplay_ii import Place, Run, admitted, decide, decisions, majority, stand

from facedown.arena.statistics import wilson
from facedown.core import Stream, derive
from facedown.core.files import write_whole

FRESH = Path(__file__).with_name("hyperplay_ii_fresh.json")
DRAWN = {
    "exploding-bomb": 4,
    "banker-and-thief": 90,
    "battleships-in-fog": 12,
    "number-guessing": 24,
}
RUNS, AGAIN = 5, 3
TIE = 1e-3  # values are on file with four digits after the point
SEED = 2020


# --- recording -----------------------------------------------------------------------------------


def known(place: Place) -> tuple[str, int, tuple[int, ...]]:
    """What tells a position from others for its player: all that the player has seen."""
    return place["game"], place["player"], tuple(stand(place)[1])


def draw_positions(name: str, wanted: int) -> Iterator[Place]:
    """So many positions, each from a game of its own; fewer where a game has not as many."""
    met = {known(p) for p in json.loads(TUNED.read_text()) if name != "exploding-bomb"}
    found, tries = 0, 0
    while found < wanted and tries < 100 * wanted:
        tries += 1
        stream = Stream(derive(SEED, name, tries))
        place = stream.choice(decisions(name, derive(SEED, name, "game", tries)))
        if (key := known(place)) not in met:
            met.add(key)
            found += 1
            yield place


def plain_runs(place: Place, number: int, first: int, runs: int) -> list[dict[str, Any]]:
    """Decisions of the plain player in the `number`-th position of a game."""
    made = list[dict[str, Any]]()
    for k in range(first, first + runs):
        seed = derive(SEED, place["game"], "plain", number, k)
        move, values, states = decide("hyperplay-ii", place, seed)
        made.append({"move": move, "states": states, "values": [round(v, 4) for v in values]})
    return made


def record() -> None:
    """Have the plain player decide in all positions; what is on file already is kept."""
    places = json.loads(FRESH.read_text()) if FRESH.exists() else list[Place]()
    for name, wanted in DRAWN.items():
        done = sum(place["game"] == name for place in places)
        for number, place in enumerate(draw_positions(name, wanted)):
            if number < done:
                continue
            place["plain"] = plain_runs(place, number, 0, RUNS)
            if len({run["move"] for run in place["plain"]}) == 1:
                place["again"] = plain_runs(place, number, RUNS, AGAIN)
            places.append(place)
            lines = ",\n".join(json.dumps(place) for place in places)
            write_whole(FRESH, f"[\n{lines}\n]\n")


# --- judging -------------------------------------------------------------------------------------


def as_runs(recorded: list[dict[str, Any]]) -> list[Run]:
    """Runs as `hyperplay_ii` has them."""
    return [(run["move"], run["values"], run["states"]) for run in recorded]


def unanimous(place: Place) -> bool:
    """Whether all plain runs play the same move, and not for want of a better one."""
    means = np.sort(np.mean([run["values"] for run in place["plain"]], axis=0))
    alike = len({run["move"] for run in place["plain"]}) == 1
    return bool(alike and means[-1] - means[-2] > TIE)


def judge(place: Place, number: int, runs: int) -> dict[str, Any]:
    """What the shared player does in a position, beside what the plain one did."""
    spec = "hyperplay-ii-shared"
    shared = [
        decide(spec, place, derive(SEED, place["game"], "shared", number, k)) for k in range(runs)
    ]
    plain, moves = as_runs(place["plain"]), [move for move, *_ in shared]
    wanted, allowed = majority(plain), admitted(np.array([values for _, values, _ in plain]))
    return {
        "unanimous": unanimous(place),
        "same": [move == wanted for move in moves],
        "most": majority(shared) == wanted,
        "again": [run["move"] == wanted for run in place.get("again", ())],
        "admitted": [move in allowed for move in moves],
        "plain itself": [move in allowed for move, *_ in plain],
        "plain states": float(np.mean([states for *_, states in plain])),
        "shared states": float(np.mean([states for *_, states in shared])),
    }


def share(found: list[dict[str, Any]], what: str) -> str:
    """A share of all decisions, with an interval that counts positions."""
    if not found:
        return "-"
    rate = float(np.mean([np.mean(result[what]) for result in found]))
    low, high = wilson(rate, len(found))
    return f"{rate:.1%} ({low:.1%} to {high:.1%})"


def show(name: str, found: list[dict[str, Any]]) -> None:
    """A game's lines."""
    agreed = [result for result in found if result["unanimous"]]
    print(f"{name}: {len(found)} positions drawn, {len(agreed)} unanimous", flush=True)
    for what, results in (("unanimous", agreed), ("all", found)):
        plain = sum(result["plain states"] for result in results)
        states = sum(result["shared states"] for result in results)
        part = f"{states / plain:.4f} = {states:,.0f} / {plain:,.0f}" if results else "-"
        dear = sum(10 * result["shared states"] > result["plain states"] for result in results)
        print(f"  {what}: joint states {part}, more than a tenth in {dear} positions")
        print(f"    the same move {share(results, 'same')}, by most runs {share(results, 'most')}")
        print(f"    admitted {share(results, 'admitted')}, plain {share(results, 'plain itself')}")
    print(f"  plain again, where unanimous: {share(agreed, 'again')}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Judge hyperplay-ii-shared where it is not tuned.")
    parser.add_argument("what", nargs="?", choices=["judge", "record"], default="judge")
    parser.add_argument("--runs", type=int, default=RUNS, help="of the shared player in a position")
    given = parser.parse_args()
    if given.what == "record":
        record()
        return
    places, everything = json.loads(FRESH.read_text()), list[dict[str, Any]]()
    for name in DRAWN:
        here = [place for place in places if place["game"] == name]
        found = [judge(place, number, given.runs) for number, place in enumerate(here)]
        show(name, found)
        everything += found
    show("all", everything)


if __name__ == "__main__":
    main()
