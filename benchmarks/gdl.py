"""How fast rule files run: `python benchmarks/gdl.py [GAME or gdl:FILE ...]`, or `--library`.

For each game, as medians of five rounds, in joint states a CPU second: random play in the network
itself, without percepts and with all of them worked out at every step; jumps between states that
have nothing to do with each other; and playouts through the contract of a game, as a search plays
them. And the CPU seconds to read, to ground and to build the network, and from then to the end of a
first random game, with compiled code in the cache. `--library` has these two for every rule file
that comes with facedown, and jumps.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from facedown.core import Game, Position, Stream
from facedown.games.registry import RULE_FILE
from facedown.gdl.checks import checked
from facedown.gdl.library import find, names
from facedown.gdl.load import game_of
from facedown.gdl.network import RuleNetwork, rule_network
from facedown.gdl.play import jumps, random_games
from facedown.gdl.reader import read_file
from facedown.search.recipe import Recipe
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

BUILT, FIRST = 3.0, 1.0
"""CPU seconds that a rule file of the library may take, to be built and then to be played."""


def _median(speed: Callable[[], float]) -> float:
    speed()
    return statistics.median(speed() for _ in range(ROUNDS)) / 1e6


def _finished(position: Position, stream: Stream) -> None:
    while not position.over:
        position.apply(stream.choice(position.legal()))


@dataclass(frozen=True)
class Loaded:
    """A game with its network, and the CPU seconds that it took.

    `built`: to read, to ground and to build the network; `first`: from there to the end of a first
    random game, as any game is played.
    """

    game: Game
    rules: RuleNetwork
    built: float
    first: float


def _loaded(spec: str) -> Loaded:
    began = _cpu()
    description = checked(read_file(find(spec.removeprefix(RULE_FILE))))
    rules = rule_network(description, None)  # as `game_of` asks for it, which finds it again
    built = _cpu()
    game = game_of(description, spec)
    _finished(game.start(), Stream(1))
    return Loaded(game, rules, built - began, _cpu() - built)


def _cpu() -> float:
    """CPU seconds of this process and of those that it has started and waited for."""
    return sum(os.times()[:4])


def _contract(game: Game, games: int, length: float) -> float:
    search = Search(game, Recipe(belief=("truth",)), game.start(), 0, [], 1)
    began = time.thread_time()
    search.play_out(games)
    return games * length / (time.thread_time() - began)


def _row(spec: str) -> str:
    loaded = _loaded(spec)
    game, rules = loaded.game, loaded.rules
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
    took = f"read, grounded and built in {loaded.built:.2f} s"
    wanted = ""
    if spec in WANTED:
        kind, least = WANTED[spec]
        wanted = f"; {kind} wanted: {least:g} M, {speeds[kind] / least:.1f} times that"
    return f"{spec}: {told}; {took}, first game {loaded.first:.2f} s later{wanted}"


def _jumps_a_second(loaded: Loaded) -> float:
    return jumps(loaded.rules, JUMPS // 4).states_per_second


def _library() -> None:
    """A line for each rule file of the library, then the slowest."""
    met: dict[str, Loaded] = {}
    for name in names():
        loaded = met[name] = _loaded(name)
        speed = _median(partial(_jumps_a_second, loaded))
        took = f"read, grounded and built in {loaded.built:.2f} s"
        print(f"{name}: {took}, first game {loaded.first:.3f} s later, jumps {speed:.2f} M")
    for what, most in (("built", BUILT), ("first", FIRST)):
        slowest = max(met, key=lambda name: getattr(met[name], what))
        print(f"slowest, {what}: {slowest} {getattr(met[slowest], what):.2f} s; wanted: {most:g} s")


def main(specs: list[str]) -> None:
    """Print a line for each game."""
    for name in ("tic-tac-toe", "monty-hall"):  # loads compiled code, or compiles it
        _loaded(name)
    rule_network.cache_clear()
    if specs == ["--library"]:
        _library()
        return
    for spec in specs or list(WANTED):
        print(_row(spec), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
