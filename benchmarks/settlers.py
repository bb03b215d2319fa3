"""Iterations a second of POMCP in Settlers: `python benchmarks/settlers.py [RECORDS] [SPEC...]`.

From positions of games whose leader has just come to six points, at a decision among several kinds
of moves: those of the records (JSON lines), else of games by the preferences that come with the
game. One thread, CPU time, the best of three searches of so many iterations, after one that warms
up; and what a decision costs beside them: worlds of the belief, the search's own buffers.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator

from facedown.agents.registry import make_agent
from facedown.agents.thinking import Searcher
from facedown.core import CHANCE, PUBLIC, Game, Position, Stream, derive
from facedown.games.registry import load_game
from facedown.search.budget import Budget
from facedown.search.preferences import load_preferences
from facedown.store.records import read_records

SPECS = ("pomcp", "pomcp-ts", "pomcp-cr", "pomcp-ts-cr", "pomcp-nn", "pomcp-mo")
POSITIONS, POINTS, KINDS, ITERATIONS, ROUNDS = 12, 6, 3, 4000, 3
Ply = tuple[int, Position]


def preferred(game: Game, seed: int) -> Iterator[Ply]:
    """A game by the preferences that come with it: each move with the position before it."""
    known = load_preferences(game.preferences, game.kind_names)
    position, stream = game.start(), Stream(derive(seed, "preferred"))
    while not position.over:
        if position.turn() == CHANCE:
            move = position.draw(stream)
        else:
            kinds = position.kinds()
            shares = known.conditioned(sum(1 << kind for kind in kinds))
            kind = kinds[stream.pick([shares[k] for k in kinds])]
            move = stream.choice(position.of_kind(kind))
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
    files = [word for word in sys.argv[1:] if word.endswith(".jsonl")]
    specs = [word for word in sys.argv[1:] if word not in files] or list(SPECS)
    game = load_game("settlers")
    games = (
        (one for file in files for one in recorded(game, file))
        if files
        else (preferred(game, seed) for seed in range(1000))
    )
    found = (before(plies) for plies in games)
    roots = [one for _, one in zip(range(POSITIONS), filter(None, found), strict=False)]
    print(f"{len(roots)} positions, {ITERATIONS:,} iterations, best of {ROUNDS}, CPU time")
    for spec in specs:
        rows = [measure(*ready(game, spec, *root)) for root in roots]
        speeds = sorted(row[0] for row in rows)
        print(
            f"{spec:<14} {statistics.median(speeds):>9,.0f} iterations/s (median; "
            f"{speeds[0]:,.0f} to {speeds[-1]:,.0f}), "
            f"{statistics.mean(row[1] for row in rows):,.0f} plies an iteration, "
            f"{statistics.median(row[2] for row in rows):.1f} ms beside them",
            flush=True,
        )


if __name__ == "__main__":
    main()
