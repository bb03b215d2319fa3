"""facedown against OpenSpiel and catanatron in one run: `python benchmarks/peers.py`.

They are in the extra `peers`; one that is not installed is left out. Times are CPU seconds of the
searching thread, calls are interleaved, and a ratio is the median over the rounds, so that a noisy
machine disturbs both alike. Searches begin at the same kind of root: the first decision after a
deal. OpenSpiel's Leduc treats suits as alike here, as ours does.

Cribbage has no resampler in OpenSpiel, so random games are compared: two players, from the first
deal to 121, every choice uniform over the legal moves. Ours are played by one compiled loop over
the rules; OpenSpiel's once by its own loop in C++ (`evaluate_bots` with its uniform random bots;
its rollout evaluator cannot be called from Python, and its MCTS refuses the game), once by a loop
in Python. OpenSpiel looks for 121 only after all counts, as our option `kelly2017` does, which is
played here.

catanatron has the base game of Settlers without trades between players, in Python, and random
players: whole games for four from placement to ten points, a new island for each, against ours with
`offers=none`. Its rules are not quite ours (docs/settlers.md).
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from rich.console import Console
from rich.table import Table

from facedown.arena.random_play import random_match
from facedown.games.registry import load_game
from facedown.search.budget import Budget
from facedown.search.recipe import Recipe
from facedown.search.search import Search

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
ROUNDS = 5
C = 0.7
PEERS = {"kuhn": "kuhn_poker", "leduc": "leduc_poker(suit_isomorphism=true)"}


def ours(spec: str, iterations: int) -> Callable[[], float]:
    """Iterations a CPU second of SO-ISMCTS, the growth of its tables included."""
    game = load_game(spec)
    position = game.start()
    while position.turn() < 0:
        position.apply(position.legal()[0])
    view, legal = position.view(0), position.legal()

    def measure() -> float:
        search = Search(game, Recipe(c=C), view, 0, legal, seed=7)
        began = time.thread_time()
        search.run(Budget(iterations))
        return iterations / (time.thread_time() - began)

    measure()
    return measure


def theirs(name: str, simulations: int, *, python: bool) -> Callable[[], float]:
    """Simulations a CPU second of OpenSpiel's ISMCTS, in C++ or in Python, on its C++ game."""
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import ismcts, mcts

    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    if python:
        rollout = mcts.RandomRolloutEvaluator(1, np.random.RandomState(7))
        bot = ismcts.ISMCTSBot(game, rollout, C, simulations, -1)
    else:
        final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
        evaluator = pyspiel.RandomRolloutEvaluator(1, 7)
        bot = pyspiel.ISMCTSBot(7, evaluator, C, simulations, -1, final, False, False)

    def measure() -> float:
        began = time.thread_time()
        bot.step(state)
        return simulations / (time.thread_time() - began)

    measure()
    return measure


def our_games(spec: str, games: int) -> Callable[[], float]:
    """Random games a CPU second, in one compiled loop."""

    def measure() -> float:
        began = time.thread_time()
        random_match(spec, games, seed=7)
        return games / (time.thread_time() - began)

    random_match(spec, 10)
    return measure


def their_games(games: int, *, python: bool) -> Callable[[], float]:
    """Random games of OpenSpiel's cribbage a CPU second, in its C++ loop or in one in Python."""
    import pyspiel

    game, rng = pyspiel.load_game("cribbage"), random.Random(7)
    bots = [pyspiel.make_uniform_random_bot(player, 7 + player) for player in range(2)]

    def one() -> None:
        state = game.new_initial_state()
        if not python:
            pyspiel.evaluate_bots(state, bots, rng.getrandbits(31))
            return
        while not state.is_terminal():  # chance's outcomes are equally likely
            state.apply_action(rng.choice(state.legal_actions()))

    def measure() -> float:
        began = time.thread_time()
        for _ in range(games):
            one()
        return games / (time.thread_time() - began)

    measure()
    return measure


def catanatron_games(games: int) -> Callable[[], float]:
    """Random games of catanatron's, for four, a CPU second."""
    from catanatron import Game
    from catanatron.models.player import Color, RandomPlayer

    random.seed(7)  # it draws from the module's own stream; a game draws its seed from it

    def measure() -> float:
        began = time.thread_time()
        for _ in range(games):
            Game([RandomPlayer(colour) for colour in Color]).play()
        return games / (time.thread_time() - began)

    measure()
    return measure


def compare(one: Callable[[], float], other: Callable[[], float]) -> tuple[float, float, float]:
    """Our speed, theirs, and the ratio, each the median over interleaved rounds."""
    pairs = [(one(), other()) for _ in range(ROUNDS)]
    mine, peer = zip(*pairs, strict=True)
    ratio = statistics.median(a / b for a, b in pairs)
    return statistics.median(mine), statistics.median(peer), ratio


def main() -> None:
    """Print the table."""
    table = Table("what", "facedown /s", "peer /s", "ratio", "wanted")
    if find_spec("pyspiel") is not None:
        _open_spiel(table)
    if find_spec("catanatron") is not None:
        measured = compare(our_games("settlers:offers=none", 4_000), catanatron_games(20))
        _row(table, "settlers: random games against catanatron's", *measured, wanted="200.0")
    if not table.row_count:
        sys.exit("neither OpenSpiel nor catanatron is installed: pip install 'facedown[peers]'")
    Console().print(table)


def _open_spiel(table: Table) -> None:
    for name, peer in PEERS.items():
        measured = compare(ours(name, 1_000_000), theirs(peer, 100_000, python=False))
        _row(table, f"{name}: compiled against OpenSpiel's C++", *measured)
    for name, peer in PEERS.items():
        spec = f"{EXAMPLES / name}.py:{name.title()}"
        measured = compare(ours(spec, 1_000_000), theirs(peer, 100_000, python=True))
        _row(table, f"{name}: Python class against OpenSpiel's Python", *measured)
    for python, what in ((False, "C++ loop"), (True, "Python loop")):
        peers = their_games(200 if python else 2_000, python=python)
        measured = compare(our_games("cribbage:kelly2017=true", 200_000), peers)
        _row(table, f"cribbage: random games against OpenSpiel's {what}", *measured, wanted="20.0")


def _row(
    table: Table, what: str, mine: float, peer: float, ratio: float, wanted: str = "3.0"
) -> None:
    table.add_row(what, f"{mine:,.0f}", f"{peer:,.0f}", f"{ratio:.1f}", wanted)


if __name__ == "__main__":
    main()
