"""HyperPlay's update late in a large game: `python benchmarks/hyperplay.py [GAMES]`.

Random games of Blind Breakthrough 8x8, as the second player sees them, followed by a bag of 100
models of which each may visit 100,000 joint states in an update (Schofield and Thielscher 2019,
section 5.7). Joint states and CPU seconds of round 32, in which the paper's update visited 166,000
states, of the update that visited most, and of all; and how long 166,000 states take at that pace.
"""

from __future__ import annotations

import statistics
import sys
import time
from dataclasses import dataclass

from facedown.belief.hyperplay import Bag
from facedown.core import CHANCE, OVER, Game, Stream
from facedown.games.registry import load_game

GAME = "blind-breakthrough-8x8"
VIEWER, MODELS, ROUND = 1, 100, 32
LIMIT = 200_000  # moves tried, of which there are two to a joint move here
PAPERS_STATES = 166_000
WANTED = 2.0  # seconds
GAMES = 20


@dataclass
class Update:
    number: int
    states: int
    seconds: float
    active: int


def _updates(game: Game, seed: int) -> list[Update]:
    """A random game, and what every round's update took, as far as round 32."""
    bag = Bag(game, VIEWER, MODELS, seed, limit=LIMIT, weigh="distinct", resume=False)
    position, stream, found = game.start(), Stream(seed), list[Update]()
    while (turn := position.turn()) != OVER and len(found) < ROUND:
        move = position.draw(stream) if turn == CHANCE else stream.choice(position.legal())
        if token := position.sees(move, VIEWER):
            bag.observe(token)
        position.apply(move)
        if turn == CHANCE:
            before, began = bag.joint_states, time.thread_time()
            bag.update()
            took = time.thread_time() - began
            found.append(Update(len(found) + 1, bag.joint_states - before, took, bag.active))
    return found


def main(games: int) -> None:
    """Print what round 32 took, and the pace; status 1 where the paper's states take too long."""
    game = load_game(GAME)
    _updates(game, 0)  # loads compiled code, or compiles it
    every = [update for seed in range(1, games + 1) for update in _updates(game, seed)]
    last = [update for update in every if update.number == ROUND]
    states, seconds = (
        statistics.median(getattr(u, x) for u in last) for x in ("states", "seconds")
    )
    print(f"round {ROUND} of {len(last)} games, medians: {states:,.0f} states, {seconds:.3f} s")
    most = max(every, key=lambda u: u.states)
    print(f"most, in round {most.number}: {most.states:,} states, {most.seconds:.3f} s")
    pace = sum(u.states for u in every) / sum(u.seconds for u in every)
    due = PAPERS_STATES / pace
    print(f"active models in round {ROUND}: {statistics.mean(u.active for u in last):.1f}")
    print(f"all updates: {sum(u.states for u in every):,} states, {pace:,.0f} a second")
    print(f"{PAPERS_STATES:,} states: {due:.2f} s (wanted: {WANTED:g})")
    sys.exit(0 if due < WANTED else 1)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES)
