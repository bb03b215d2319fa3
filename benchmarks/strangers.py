"""How agents do among four strangers in The Resistance, in both seats, and what they believe.

    python benchmarks/strangers.py best logical mt-ismcts:self=bluff --half kept --games 40 --seed 7
    python benchmarks/strangers.py --beliefs --half kept --games 60 --seed 7

Every agent sits in the same seats of the same deals among the same strangers, family by family. The
first agent's share of wins is held against each of the others', game by game. `--beliefs` has
strangers play among themselves and scores what the game's model believes of the true spies, at four
decisions of a game of those who are none, against hard evidence: what is not ruled out, as likely.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from facedown.agents.base import Agent
from facedown.agents.registry import make_agent
from facedown.core import OVER, PUBLIC, Game, Position, Stream, derive
from facedown.games.registry import load_game
from facedown.games.resistance.knowledge import Suspicion
from facedown.strangers.agent import HALVES
from facedown.strangers.halves import Half, seated

ROLES = ("resistance", "spy")
LOOKS = 4


def dealt(game: Game, seed: int, spy: bool) -> tuple[Position, int, int]:
    """A position after a deal in which a drawn seat has the wanted role; the seat; the deal."""
    stream, table = Stream(derive(seed, "deal")), game.definition.table
    seat = stream.below(game.players)
    fitting = [k for k, spies in enumerate(table.configs) if bool(spies >> seat & 1) == spy]
    deal = table.deal + stream.choice(fitting)
    position = game.start()
    position.apply(deal)
    return position, seat, deal


def won(game: Game, hero: str, family: str, seed: int, spy: bool) -> float:
    """Whether the agent wins a game among four strangers of a family."""
    position, seat, deal = dealt(game, seed, spy)
    agents: list[Agent] = []
    for p in range(game.players):
        number = derive(seed, "who", p) % (1 << 30)
        spec = hero if p == seat else f"stranger:family={family},number={number}"
        agents.append(make_agent(spec, game, p, derive(seed, "agent", p)))
    agents[seat].observe(game.start().sees(deal, seat), "")
    agents[seat].overhear(game.start().sees(deal, PUBLIC))
    while position.turn() != OVER:
        player, legal = position.turn(), position.choices()
        move = agents[player].choose(position.view(player), legal)
        token, public = position.sees(move, seat), position.sees(move, PUBLIC)
        position.apply(move)
        if token:
            agents[seat].observe(token, "")
        if public:
            agents[seat].overhear(public)
    return float(position.payoff()[seat])


def interval(values: Sequence[float]) -> tuple[float, float]:
    """A mean and half the width of its 95 % interval, by the values' spread."""
    return float(np.mean(values)), 1.96 * float(np.std(values)) / math.sqrt(len(values))


Played = dict[tuple[str, str, str], list[float]]
"""By agent, family and role whether each game was won."""


def read(file: Path | None, seed: int) -> Played:
    """What was played before with this seed, game by game."""
    found: Played = {}
    if file is not None and file.exists():
        for line in file.read_text().splitlines():
            row = json.loads(line)
            if row["seed"] == seed:
                found.setdefault((row["agent"], row["family"], row["role"]), []).extend(row["won"])
    return found


def play(
    game: Game, heroes: Sequence[str], families: Sequence[str], games: int, given: Any
) -> Played:
    """Play what is missing of so many games a cell; the agents take turns, family by family."""
    found = read(given.out, given.seed)
    for family, role, hero in product(families, given.roles, heroes):
        cell = found.setdefault((hero, family, role), [])
        seeds = [derive(given.seed, family, role, k) for k in range(len(cell), games)]
        rows = [won(game, hero, family, one, role == "spy") for one in seeds]
        cell += rows
        if given.out is not None and rows:
            told = {"agent": hero, "family": family, "role": role, "seed": given.seed, "won": rows}
            with given.out.open("a") as out:
                out.write(json.dumps(told) + "\n")
    return found


def show(
    found: Played, heroes: Sequence[str], families: Sequence[str], games: int, roles: Sequence[str]
) -> None:
    """A row for each family, then for each agent and role, the first agent against the others.

    Every family counts the same, and only games that both agents have played are compared.
    """
    for family in families:
        cells = [found.get((hero, family, role), []) for role in roles for hero in heroes]
        print(f"{family:10}", *(f"{np.mean(cell[:games]):.2f}" if cell else "-" for cell in cells))
    for role, hero in product(roles, heroes):
        cells = [found.get((hero, family, role), [])[:games] for family in families]
        firsts = [found.get((heroes[0], family, role), [])[:games] for family in families]
        share, wide = interval([x for cell in cells for x in cell])
        less = [
            one - other
            for first, cell in zip(firsts, cells, strict=True)
            for one, other in zip(first, cell, strict=False)
        ]
        gain, gain_wide = interval(less)
        told = "" if hero == heroes[0] else f"   {heroes[0]} {gain:+.3f} +- {gain_wide:.3f}"
        print(f"{role:10} {hero:40} {share:.3f} +- {wide:.3f} ({len(less)} games){told}")


def beliefs(game: Game, half: Half, families: Sequence[str], games: int, seed: int) -> None:
    """Print log scores of the true spies by family."""
    resistance, everything = game.definition, []
    for k, family in enumerate(half.families):
        if family.name not in families:
            continue
        stream = Stream(derive(seed, "beliefs", k))
        seats, numbers = seated([family], games, game.players, 1.0, stream)
        log, _ = half.games(resistance, seats + k, numbers, stream.bits(), games * 150)
        innocent = (log["mask"] >> log["player"] & 1) == 0
        rows = []
        for g in range(games):
            places = np.flatnonzero((log["game"] == g) & innocent).tolist()
            stream.shuffle(places)
            for place in places[:LOOKS]:
                one = log[place]
                held = Suspicion(resistance.table, resistance.looked_up, int(one["player"]))
                share = held.reckon(one["state"]).shares[
                    resistance.table.configs.index(int(one["mask"]))
                ]
                hard = -math.log(held.possible(one["state"]).sum())
                rows.append((math.log(share), hard))
        everything += rows
        told(family.name, rows)
    told("all", everything)


def told(name: str, rows: Sequence[tuple[float, float]]) -> None:
    """Print the mean log scores, and the gain with its interval."""
    model, hard = np.array(rows).T
    gain, wide = interval((model - hard).tolist())
    print(
        f"{name:10} model {model.mean():.3f}  hard evidence {hard.mean():.3f}  "
        f"gain {gain:+.3f} +- {wide:.3f}  ({len(rows)} decisions)",
        flush=True,
    )


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("agents", nargs="*", default=["best", "logical"])
    parser.add_argument("--half", choices=[half.name for half in HALVES], default="training")
    parser.add_argument("--games", type=int, default=20, help="of each family and role")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--beliefs", action="store_true")
    parser.add_argument("--families", nargs="*", help="of the half; all by default")
    parser.add_argument("--roles", nargs="*", choices=ROLES, default=ROLES, help="of the agents")
    parser.add_argument("--out", type=Path, help="keep games here, and go on from what is there")
    given = parser.parse_args()
    game, half = load_game("resistance"), next(one for one in HALVES if one.name == given.half)
    families = given.families or [one.name for one in half.families]
    if given.beliefs:
        beliefs(game, half, families, given.games, given.seed)
    else:
        found = play(game, given.agents, families, given.games, given)
        show(found, given.agents, families, given.games, given.roles)


if __name__ == "__main__":
    main()
