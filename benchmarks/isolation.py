"""What isolation costs: the start of an agent's process, and a decision of it.

python benchmarks/isolation.py [--rounds N] [--json]

An agent that plays its first move at once, in games of ours and in plain Python. A start is from
the request until the agent is ready; a decision is from the view in the match's hand until the move
is back and checked, as `GuardedAgent` measures it, once apart and once in the same process. The
server is warm: it is started, once in a match, before.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path

from facedown.agents.registry import make_agent
from facedown.arena.apart.seat import ApartAgent, Cells
from facedown.arena.game import play_game
from facedown.games.registry import load_game

ROOT = Path(__file__).resolve().parent.parent
GAMES = ("kuhn", "leduc", "cribbage", "settlers", f"{ROOT / 'examples' / 'leduc.py'}:Leduc")
FIRST = """
from facedown import Agent

class First(Agent):
    def choose(self, view, legal):
        return legal[0]
"""


def measured(spec: str, agent: str, rounds: int) -> dict[str, float]:
    """Medians and bests of one game, in milliseconds."""
    game = load_game(spec)
    seats = {
        "apart": lambda own, player: ApartAgent(own, player, 1, agent, Cells()),
        "here": lambda own, player: make_agent(agent, own, player, 1),
    }
    began = time.perf_counter()
    ApartAgent(game, 0, 1, agent, Cells()).close()
    found = {"server_ms": (time.perf_counter() - began) * 1e3}
    starts, decisions = list[float](), {name: list[float]() for name in seats}
    for k in range(rounds):
        began = time.perf_counter()
        seated = ApartAgent(game, 0, 1, agent, Cells())
        starts.append(time.perf_counter() - began)
        seated.close()
        for name, seat in seats.items():
            record = play_game(game, [seat] * game.players, deal_seed=k)
            assert not record.forfeits, record.forfeits
            decisions[name] += [m.seconds for m in record.moves if m.player >= 0][1:200]
    found |= {"start_ms": statistics.median(starts) * 1e3, "best_start_ms": min(starts) * 1e3}
    for name, seconds in decisions.items():
        found[f"{name}_us"] = statistics.median(seconds) * 1e6
        found[f"{name}_best_us"] = min(seconds) * 1e6
    return {name: round(value, 1) for name, value in found.items()}


def main() -> None:
    """Print a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "first.py")
        file.write_text(FIRST)
        found = {game: measured(game, f"{file}:First", given.rounds) for game in GAMES}
    if given.json:
        print(json.dumps(found, indent=2))
        return
    for game, numbers in found.items():
        told = ", ".join(f"{name} {value:g}" for name, value in numbers.items())
        print(f"{Path(game).name}: {told}")


if __name__ == "__main__":
    main()
