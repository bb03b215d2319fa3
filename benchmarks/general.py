"""Is `general` the best of our players, or level with it? `python benchmarks/general.py`.

For each rule file a round robin of agents at equal processor time a decision, rated by Bradley and
Terry's model with 95 % intervals; files for one player, or for a team, by the mean payoff of each
agent. `general` is the best where nobody's rating lies above it, level where its interval reaches
the best one's rating.

    python benchmarks/general.py --cpu 0.05 --games 20 --files nim connect-four
"""

from __future__ import annotations

import argparse
import time

from facedown.agents.registry import make_agent
from facedown.arena.backends import Local
from facedown.arena.match import run_match
from facedown.arena.ratings import Rating
from facedown.arena.tournament import Description, Tournament
from facedown.games.registry import load_game
from facedown.gdl.library import find, names
from facedown.gdl.reader import read_file
from facedown.store.store import MEMORY, Store

OPEN = ("general", "so-ismcts", "hyperplay", "mo-ismcts", "flat-mc")
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


def rated(name: str, agents: list[str], games: int, seed: int) -> str:
    """A line on a file for several players."""
    played = Tournament(Description(name, tuple(agents), games=games))
    with Store(MEMORY) as store:
        result = played.play(store, played.begin(store, seed), Local(1))
    shown = ", ".join(
        f"{one.agent.partition(':cpu')[0]} {one.rating:+.0f} ({one.low:+.0f} to {one.high:+.0f})"
        for one in result.ratings
    )
    return f"{_standing(list(result.ratings), agents[0])}: {shown}"


def paid(name: str, agents: list[str], games: int, seed: int) -> str:
    """A line on a file whose players do not play against each other: mean payoffs, 95 %."""
    shown = []
    for agent in agents:
        result = run_match(name, [agent] * load_game(name).players, games=games, seed=seed)
        mean, error = result.agents[0].mean_payoff, result.agents[0].standard_error or 0.0
        shown.append(f"{agent.partition(':cpu')[0]} {mean:.1f} (+- {1.96 * error:.1f})")
    return ", ".join(shown)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cpu", type=float, default=0.05)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--files", nargs="+", default=names())
    parser.add_argument("--agents", nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for name in asked.files:
        perfect, began = read_file(find(name)).perfect, time.process_time()
        agents = [_spec(one, asked.cpu) for one in asked.agents or (OPEN if perfect else HIDDEN)]
        game = load_game(name)
        chosen = getattr(make_agent("general", game, 0, 1), "wanted", "")
        alone = game.players == 1 or name in ALONE
        line = (paid if alone else rated)(name, agents, asked.games, asked.seed)
        took = time.process_time() - began
        print(f"{name} (general plays {chosen}): {line} [{took:.0f} CPU s]", flush=True)


if __name__ == "__main__":
    main()
