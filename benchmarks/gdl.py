"""How fast rule files of the library run: `python benchmarks/gdl.py [GAME or gdl:FILE ...]`.

For each game, as medians of five rounds, in joint states a CPU second: random play in the network
itself, without percepts and with all of them worked out at every step; jumps between states that
have nothing to do with each other; and playouts through the contract of a game, as a search plays
them. And the CPU seconds to read, to ground and to build the network, and from the file to the end
of a first random game, with compiled code in the cache.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable

from facedown.core import Game, Position, Stream
from facedown.games.registry import RULE_FILE, load_game
from facedown.gdl.library import find
from facedown.gdl.network import RuleNetwork
from facedown.gdl.play import jumps, random_games
from facedown.gdl.reader import read_file
from facedown.search.recipe import Recipe, Worlds
from facedown.search.search import Search

ROUNDS = 5
STATES = 400_000  # of a round, about
JUMPS = 100_000
WANTED = {
    "tic-tac-toe": ("plain", 3.0),
    "connect-four": ("plain", 2.0),
    "breakthrough": ("plain", 1.5),
    "blind-breakthrough-8x8": ("with percepts", 0.25),
}
"""Millions of states a second."""


def _median(speed: Callable[[], float]) -> float:
    speed()
    return statistics.median(speed() for _ in range(ROUNDS)) / 1e6


def _finished(position: Position, stream: Stream) -> None:
    while not position.over:
        position.apply(stream.choice(position.legal()))


def _first_game(spec: str) -> tuple[Game, float]:
    """The game, and the CPU seconds from its file to the end of a random game."""
    began = _cpu()
    game = load_game(spec)
    _finished(game.start(), Stream(1))
    return game, _cpu() - began


def _cpu() -> float:
    """CPU seconds of this process and of those that it has started and waited for."""
    return sum(os.times()[:4])


def _contract(game: Game, games: int, length: float) -> float:
    search = Search(game, Recipe(worlds=Worlds.TRUTH), game.start(), 0, [], 1)
    began = time.thread_time()
    search.play_out(games)
    return games * length / (time.thread_time() - began)


def _row(spec: str) -> str:
    game, first = _first_game(spec)
    began = _cpu()
    rules = RuleNetwork(read_file(find(spec.removeprefix(RULE_FILE))))
    built = _cpu() - began
    length = random_games(rules, 200).mean_length
    games = max(1, int(STATES / length))
    speeds = {
        "plain": _median(lambda: random_games(rules, games).states_per_second),
        "with percepts": _median(
            lambda: random_games(rules, games // 2 + 1, seeing=True).states_per_second
        ),
        "jumps": _median(lambda: jumps(rules, JUMPS).states_per_second),
        "contract": _median(lambda: _contract(game, games, length)),
    }
    told = ", ".join(f"{what} {speed:.2f} M" for what, speed in speeds.items())
    took = f"read, grounded and built in {built:.2f} s"
    wanted = ""
    if spec in WANTED:
        kind, least = WANTED[spec]
        wanted = f"; {kind} wanted: {least:g} M, {speeds[kind] / least:.1f} times that"
    return f"{spec}: {told}; {took}, first game after {first:.2f} s{wanted}"


def main(specs: list[str]) -> None:
    """Print a line for each game."""
    _first_game("tic-tac-toe")  # loads compiled code, or compiles it
    for spec in specs or list(WANTED):
        print(_row(spec), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
