"""How often `hyperplay-ii-shared` plays the move of `hyperplay-ii`, and at what part of the cost.

    python benchmarks/hyperplay_ii.py positions     makes the positions anew, the same from one seed
    python benchmarks/hyperplay_ii.py               compares the two in all of them

The positions are decisions in games among random players of the paper's games that reward gathering
or hiding information. In each the plain player decides RUNS times, with its defaults and a seed of
its own each time, and so does the shared one. A *joint state* is visited by both alike when a joint
move is tried or made, in bags (`Bag.joint_states`), simulations and random games
(`Simulator.joint_states`); for that random games are played rule by rule, as a bag's moves are.

The plain player often does not care: its own runs play different moves whose values differ by less
than its runs do. So a move *agrees* where it is the one with the best mean over the plain runs, or
where the plain runs cannot tell the two apart: the means differ by at most twice the standard
deviation, over single runs, of their difference. Intervals (Wilson, 95 %) count positions, not
runs. Beside it stand how often single plain runs agree by the same rule; the *decided* positions,
in which no second move agrees, with the agreement there; and the strict agreement, by which only
the *majority* move will do, the one that most plain runs play (the first of them by mean value
where several have as many): how often the shared player plays it, and how often a plain run plays
the majority move of the other plain runs.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from facedown.agents.hyperplay import HyperPlayerII
from facedown.agents.registry import make_agent
from facedown.arena.statistics import wilson
from facedown.core import CHANCE, Position, Stream, derive
from facedown.core.files import write_whole
from facedown.games.registry import load_game
from facedown.search.nested.hyperplay_ii import NestedSearch

FILE = Path(__file__).with_name("hyperplay_ii_positions.json")
GAMES = {
    "exploding-bomb": 3,
    "number-guessing": 18,
    "banker-and-thief": 18,
    "battleships-in-fog": 18,
}
RUNS = 4
SEED = 2019
game_of = cache(load_game)

Place = dict[str, Any]
Run = tuple[int, list[float], int]
"""A decision: the move's place among the legal ones, all their values, the joint states."""


# --- positions -----------------------------------------------------------------------------------


def decisions(name: str, seed: int) -> list[Place]:
    """The decisions of a game among random players: who decides, after which moves."""
    game, stream = game_of(name), Stream(seed)
    truth, moves, found = game.start(), list[str](), list[Place]()
    while not truth.over:
        turn, legal = truth.turn(), truth.legal()
        if turn != CHANCE and len(legal) > 1:
            found.append({"game": name, "player": turn, "moves": list(moves)})
        move = truth.draw(stream) if turn == CHANCE else stream.choice(legal)
        moves.append(game.move_text(move))
        truth.apply(move)
    return found


def make_positions() -> list[Place]:
    """So many positions of each game, no two alike, each from a game of its own."""
    places = list[Place]()
    for name, wanted in GAMES.items():
        own, tries = list[Place](), 0
        while len(own) < wanted:
            tries += 1
            stream = Stream(derive(SEED, name, tries))
            place = stream.choice(decisions(name, derive(SEED, name, "game", tries)))
            if place not in own:
                own.append(place)
            if tries > 100 * wanted:
                break
        places += own
    return places


def stand(place: Place) -> tuple[Position, list[int]]:
    """The position, and what its player has seen on the way there."""
    truth, seen = game_of(place["game"]).start(), list[int]()
    for text in place["moves"]:
        move = truth.game.parse_move(text, truth.legal())
        if token := truth.sees(move, place["player"]):
            seen.append(token)
        truth.apply(move)
    return truth, seen


# --- comparison ----------------------------------------------------------------------------------


def decide(spec: str, place: Place, seed: int) -> Run:
    """A decision by an agent of this spec and seed."""
    truth, seen = stand(place)
    agent = make_agent(spec, truth.game, place["player"], seed)
    assert isinstance(agent, HyperPlayerII)
    for token in seen:
        agent.observe(token, "")
    legal = truth.legal()
    search = agent.start_search(truth.view(place["player"]), legal)
    assert isinstance(search, NestedSearch)
    assert agent.bag is not None
    search.simulator.count_joint()
    report = search.run(agent.budget).report()
    states = agent.bag.joint_states + search.simulator.joint_states
    return legal.index(agent.decide(report)), [c.mean for c in report.candidates], states


def admitted(values: np.ndarray[Any, Any]) -> set[int]:
    """The moves that agree with plain runs of these values [runs, moves]."""
    means = values.mean(axis=0)
    best = int(means.argmax())
    apart = (values[:, [best]] - values).std(axis=0, ddof=1)
    return {a for a in range(len(means)) if means[best] - means[a] <= 2 * apart[a] + 1e-9}


def majority(runs: Sequence[Run]) -> int:
    """The move that most runs play; of several the one with the best mean value."""
    times = Counter(move for move, *_ in runs)
    means = np.mean([values for _, values, _ in runs], axis=0)
    return max(times, key=lambda move: (times[move], means[move]))


def strictly(plain: Sequence[Run], moves: Sequence[int]) -> dict[str, float]:
    """How often moves are the majority's of the plain runs, and a plain run that of the others."""
    wanted = majority(plain)
    own = [
        plain[k][0] == majority([*plain[:k], *plain[k + 1 :]])
        for k in range(len(plain))
        if len(plain) > 1
    ]
    return {
        "strict": float(np.mean([move == wanted for move in moves])),
        "self strict": float(np.mean(own)) if own else math.nan,
    }


def compare(place: Place, runs: int) -> dict[str, Any]:
    """What both players do in a position."""
    plain, shared = (
        [decide(spec, place, derive(SEED, spec, k)) for k in range(runs)]
        for spec in ("hyperplay-ii", "hyperplay-ii-shared")
    )
    allowed = admitted(np.array([values for _, values, _ in plain]))
    moves, others = [move for move, *_ in plain], [move for move, *_ in shared]
    return {
        "game": place["game"],
        "decided": len(allowed) == 1,
        "agree": [move in allowed for move in others],
        "self": [move in allowed for move in moves],
        **strictly(plain, others),
        "plain states": float(np.mean([states for *_, states in plain])),
        "shared states": float(np.mean([states for *_, states in shared])),
    }


def show(name: str, found: list[dict[str, Any]]) -> None:
    """A line for a game."""
    agree = [one for result in found for one in result["agree"]]
    own = [one for result in found for one in result["self"]]
    decided = [result for result in found if result["decided"]]
    there = [one for result in decided for one in result["agree"]]
    low, high = wilson(float(np.mean(agree)), len(found))
    plain = sum(result["plain states"] for result in found)
    shared = sum(result["shared states"] for result in found)
    words = f"{sum(there)}/{len(there)}" if there else "-"
    print(
        f"{name:20s} {len(found):3d} positions"
        f"  agree {np.mean(agree):6.1%} ({low:.1%} to {high:.1%})"
        f"  plain itself {np.mean(own):6.1%}  decided {len(decided):2d}: {words:>7s}"
        f"  majority's move {np.mean([r['strict'] for r in found]):5.1%}"
        f" (plain {np.mean([r['self strict'] for r in found]):5.1%})"
        f"  joint states {shared / plain:.4f} = {shared:,.0f} / {plain:,.0f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the two players of HyperPlay-II.")
    parser.add_argument("what", nargs="?", choices=["compare", "positions"], default="compare")
    parser.add_argument("--runs", type=int, default=RUNS, help="of each player in a position")
    parser.add_argument("--positions", type=int, help="so many of each game, the first")
    parser.add_argument("--game", help="compare in this game only")
    given = parser.parse_args()
    if given.what == "positions":
        write_whole(FILE, json.dumps(make_positions(), indent=1) + "\n")
        return
    places = [p for p in json.loads(FILE.read_text()) if given.game in (None, p["game"])]
    everything = list[dict[str, Any]]()
    for name in dict.fromkeys(place["game"] for place in places):
        here = [place for place in places if place["game"] == name][: given.positions]
        found = [compare(place, given.runs) for place in here]
        show(name, found)
        everything += found
    show("all", everything)


if __name__ == "__main__":
    main()
