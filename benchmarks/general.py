"""Is `general` the best of our players, or level with it? `python benchmarks/general.py`.

For each rule file a round robin of agents at equal processor time a decision, rated by Bradley and
Terry's model with 95 % intervals; files for one player, or for a team, by the mean payoff of each
agent. `general` is the best where nobody's rating lies above it, level where its interval reaches
the best one's rating. Rounds go over all files, one after another, and are rated together. With
`--store FILE` what was played is kept there: the same command goes on.

    python benchmarks/general.py --cpu 0.05 --games 20 --files nim connect-four
"""

from __future__ import annotations

import argparse
import time
from functools import cache

from facedown.agents.registry import make_agent
from facedown.arena.backends import Local
from facedown.arena.match import run_match
from facedown.arena.ratings import Rating, rate
from facedown.arena.tournament import Description, Tournament
from facedown.games.registry import load_game
from facedown.gdl.library import find, names
from facedown.gdl.reader import read_file
from facedown.store.store import MEMORY, Store

OPEN = ("general", "so-ismcts", "hyperplay", "flat-mc")
HIDDEN = ("general", "so-ismcts", "hyperplay", "hyperplay-ii-shared", "mo-ismcts")
ALONE = ("cooperative-spies",)  # whose players win and lose together


def _spec(agent: str, cpu: float) -> str:
    return f"{agent}{',' if ':' in agent else ':'}cpu={cpu:g}"


def _standing(ratings: list[Rating], first: str) -> str:
    own = next(one for one in ratings if one.agent == first)
    best = ratings[0]
    if own is best:
        return "best"
    return "level" if own.high >= best.rating else "behind"


_loaded = cache(load_game)


@cache
def _tournament(name: str, agents: tuple[str, ...], games: int) -> Tournament:
    """One for all rounds, so that `general` probes its game once."""
    return Tournament(Description(name, agents, games=games))


def rated(name: str, agents: list[str], games: int, seeds: list[int], store: Store) -> str:
    """A line on a file for several players, by the games of all these seeds."""
    played, met = _tournament(name, tuple(agents), games), []
    for seed in seeds:
        met += played.play(store, played.begin(store, seed), Local(1)).met
    matches = [shares for one in met for shares in one.matches]
    ratings = rate(matches)
    shown = ", ".join(
        f"{one.agent.partition(':cpu')[0]} {one.rating:+.0f} ({one.low:+.0f} to {one.high:+.0f})"
        for one in ratings
    )
    total = sum(one.games for one in matches)
    return f"{_standing(list(ratings), agents[0])} after {total} games: {shown}"


def paid(name: str, agents: list[str], games: int, seeds: list[int], store: Store) -> str:
    """A line on a file whose players do not play against each other: mean payoffs, 95 %."""
    shown = []
    for agent in agents:
        seats = [agent] * _loaded(name).players
        result = run_match(name, seats, games=games * len(seeds), seed=seeds[0], store=store)
        mean, error = result.agents[0].mean_payoff, result.agents[0].standard_error or 0.0
        shown.append(f"{agent.partition(':cpu')[0]} {mean:.1f} (+- {1.96 * error:.1f})")
    return ", ".join(shown)


def _line(name: str, asked: argparse.Namespace, round_: int, store: Store) -> str:
    perfect, began = read_file(find(name)).perfect, time.process_time()
    agents = [_spec(one, asked.cpu) for one in asked.agents or (OPEN if perfect else HIDDEN)]
    seeds = list(range(asked.seed, asked.seed + round_ + 1))
    alone = _loaded(name).players == 1 or name in ALONE
    line = (paid if alone else rated)(name, agents, asked.games, seeds, store)
    game = _loaded(name) if alone else _tournament(name, tuple(agents), asked.games).game
    chosen = getattr(make_agent(_spec("general", asked.cpu), game, 0, 1), "wanted", "")
    took = time.process_time() - began
    return f"{name} (general plays {chosen}): {line} [{took:.0f} CPU s]"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cpu", type=float, default=0.05)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--files", nargs="+", default=names())
    parser.add_argument("--agents", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store", default=MEMORY)
    asked = parser.parse_args()
    with Store(asked.store) as store:
        for round_ in range(asked.rounds):
            for name in asked.files:
                print(_line(name, asked, round_, store), flush=True)


if __name__ == "__main__":
    main()
