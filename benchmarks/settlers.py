"""How fast Settlers is played and searched: `python benchmarks/settlers.py [RECORDS] [SPEC...]`.

First whole games from the start in one compiled loop, four players: any move as likely; a kind of
move first, by preferences or without (typed playouts); the scripted player. With `--preferences
FILE` by that file's, else by those that come with the game.

Then searches, from positions whose leader has just come to six points, at a decision among several
kinds of moves: those of the records (JSON lines), else of games of four scripted players. One
thread, CPU time, the best of three searches of so many iterations, after one that warms up; what a
decision costs beside them, worlds of the belief and the search's own buffers; and the seconds of a
decision of the paper's 10,000 iterations.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator

from facedown.agents.registry import make_agent
from facedown.agents.thinking import Searcher
from facedown.core import CHANCE, PUBLIC, Game, Position, Stream, derive
from facedown.games.registry import load_game
from facedown.search.budget import Budget
from facedown.search.recipe import Playout, Recipe
from facedown.search.search import Search
from facedown.store.records import read_records

SPECS = ("pomcp", "pomcp-ts", "pomcp-cr", "pomcp-ts-cr", "pomcp-nn", "pomcp-mo")
POSITIONS, POINTS, KINDS, ITERATIONS, ROUNDS = 12, 6, 3, 3000, 3
GAMES = 300
PLAYOUTS = {
    "any move": Playout(),
    "kinds uniform": Playout(kinds="uniform"),
    "kinds unconditioned": Playout(kinds="unconditioned"),
    "kinds conditioned": Playout(kinds="conditioned"),
    "scripted": Playout(informed="scripted"),
}
Ply = tuple[int, Position]


def games_a_second(game: Game, playout: Playout, preferences: str | None) -> float:
    """Whole games that one loop plays in a CPU second, at the best of so many rounds."""
    recipe = Recipe(belief=("truth",), playout=playout, preferences=preferences)
    search = Search(game, recipe, game.start(), 0, [], 1)
    search.play_out(5)
    fastest = 0.0
    for _ in range(ROUNDS):
        began = time.process_time()
        search.play_out(GAMES)
        fastest = max(fastest, GAMES / (time.process_time() - began))
    return fastest


def scripted(game: Game, seed: int) -> Iterator[Ply]:
    """A game of four scripted players: each move with the position before it."""
    seats = [make_agent("scripted", game, p, derive(seed, "seat", p)) for p in range(game.players)]
    position, stream = game.start(), Stream(derive(seed, "chance"))
    while not position.over:
        player = position.turn()
        if player == CHANCE:
            move = position.draw(stream)
        else:
            move = seats[player].choose(position.view(player), position.legal())
        yield move, position
        position.apply(move)


def recorded(game: Game, file: str) -> Iterator[Iterator[Ply]]:
    for record in read_records(file):
        yield walked(game, [one.move for one in record.moves])


def walked(game: Game, moves: list[int]) -> Iterator[Ply]:
    position = game.start()
    for move in moves:
        yield move, position
        position.apply(move)


def before(plies: Iterator[Ply]) -> tuple[list[int], int] | None:
    """The moves up to the first decision among kinds with a leader of six points; whose it is."""
    moves: list[int] = []
    for move, position in plies:
        s, player = position.record, position.turn()
        if max(s["points"].tolist()) >= POINTS and player >= 0 and len(position.kinds()) >= KINDS:
            return moves, player
        moves.append(move)
    return None


def ready(game: Game, spec: str, moves: list[int], player: int) -> tuple[Searcher, Position]:
    """An agent that was told a game so far, and the position it has to decide."""
    agent = make_agent(spec, game, player, 1)
    assert isinstance(agent, Searcher)
    position = game.start()
    for move in moves:
        token, public = position.sees(move, player), position.sees(move, PUBLIC)
        position.apply(move)
        agent.observe(token, "")
        agent.overhear(public)
    return agent, position


def measure(agent: Searcher, position: Position) -> tuple[float, float, float]:
    """Iterations a second, plies of one, and milliseconds that a decision takes beside them."""
    fastest, beside, plies = 0.0, [], 0.0
    for _ in range(ROUNDS):
        began = time.process_time()
        search = agent.start_search(position.view(agent.player), position.legal())
        beside.append(time.process_time() - began)
        search.run(Budget(50))
        began = time.process_time()
        search.run(Budget(ITERATIONS))
        fastest = max(fastest, ITERATIONS / (time.process_time() - began))
        plies = search.report().plies / search.iterations
    return fastest, plies, 1000 * min(beside)


def main() -> None:
    words = argparse.ArgumentParser(description=(__doc__ or "").split(":", maxsplit=1)[0])
    words.add_argument("given", nargs="*", metavar="RECORDS|SPEC")
    words.add_argument("--preferences", metavar="FILE")
    asked = words.parse_args()
    game = load_game("settlers")
    print(f"whole games a CPU second, best of {ROUNDS} times {GAMES}")
    for name, playout in PLAYOUTS.items():
        print(f"{name:<20} {games_a_second(game, playout, asked.preferences):>9,.0f}", flush=True)
    search(game, asked.given, asked.preferences)


def search(game: Game, given: list[str], preferences: str | None) -> None:
    """Iterations a second of every spec, from the same positions."""
    files = [word for word in given if word.endswith(".jsonl")]
    specs = [word for word in given if word not in files] or list(SPECS)
    games = (
        (one for file in files for one in recorded(game, file))
        if files
        else (scripted(game, seed) for seed in range(1000))
    )
    found = (before(plies) for plies in games)
    roots = [one for _, one in zip(range(POSITIONS), filter(None, found), strict=False)]
    print(f"{len(roots)} positions, {ITERATIONS:,} iterations, best of {ROUNDS}, CPU time")
    for spec in specs:
        whole = spec if preferences is None else with_option(spec, f"preferences={preferences}")
        rows = [measure(*ready(game, whole, *root)) for root in roots]
        speeds = sorted(row[0] for row in rows)
        beside = statistics.median(row[2] for row in rows)
        print(
            f"{spec:<14} {statistics.median(speeds):>9,.0f} iterations/s (median; "
            f"{speeds[0]:,.0f} to {speeds[-1]:,.0f}), "
            f"{statistics.mean(row[1] for row in rows):,.0f} plies an iteration, "
            f"{beside:.1f} ms beside them; 10,000 take "
            f"{10_000 * statistics.mean(1 / row[0] for row in rows) + beside / 1000:.2f} s",
            flush=True,
        )


def with_option(spec: str, option: str) -> str:
    return f"{spec}{',' if ':' in spec else ':'}{option}"


if __name__ == "__main__":
    main()
