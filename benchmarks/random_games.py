"""Random games of cribbage in one compiled loop: `python benchmarks/random_games.py`.

Every choice is uniform over the legal moves, chance draws by the game's own rule. Prints how many
games a second that gives on one core, and the first dealer's share of the wins, with Wilson's 95 %
interval, under the true rules and under those of Kelly (2017).
"""

from __future__ import annotations

import time

import numba
import numpy as np

from facedown.arena.statistics import wilson
from facedown.core import CHANCE, OVER, Game, Stream, below, derive
from facedown.core.records import address_of
from facedown.core.rules import call_apply, call_draw, call_legal, call_payoff, call_turn
from facedown.games.registry import load_game

GAMES = 200_000
SEED = 1
SPECS = ("cribbage", "cribbage:kelly2017=true")


@numba.njit(nogil=True, error_model="numpy")
def _play(rules, ctx, blank, state, moves, payoffs, at, rng, games):
    """Games that player 0 has won, of so many; `blank` is the start, `at` addresses of buffers."""
    won = 0
    for _ in range(games):
        state[:] = blank
        player = call_turn(rules, ctx, at[0])
        while player != OVER:
            if player == CHANCE:
                move = np.int64(call_draw(rules, ctx, at[0], rng))
            else:
                move = np.int64(moves[below(rng, call_legal(rules, ctx, at[0], at[1]))])
            call_apply(rules, ctx, at[0], move)
            player = call_turn(rules, ctx, at[0])
        call_payoff(rules, ctx, at[0], at[2])
        won += payoffs[0] > payoffs[1]
    return won


def play(game: Game, games: int, seed: int = SEED) -> tuple[int, float]:
    """Play random games: how many player 0 has won, and the CPU seconds that they took.

    For compiled games of two players that have the rule `draw`.
    """
    start, position = game.start(), game.start()
    moves, payoffs = np.zeros(game.most_moves, np.int32), np.zeros(game.players)
    at = np.array([position.address, address_of(moves), address_of(payoffs)])
    stream = Stream(derive(seed, "random games", game.spec))
    table, ctx = address_of(game.rules.table), game.rules.ctx
    blocks = start.block[0], position.block[0]
    began = time.thread_time()
    won = _play(table, ctx, *blocks, moves, payoffs, at, stream.address, games)
    return int(won), time.thread_time() - began


def main() -> None:
    """Print a line for each rule of the end."""
    for spec in SPECS:
        game = load_game(spec)
        play(game, 10)
        won, seconds = play(game, GAMES)
        low, high = wilson(won / GAMES, GAMES)
        share = f"first dealer wins {won / GAMES:.2%} ({low:.2%} to {high:.2%})"
        print(f"{spec}: {share}, {GAMES:,} games, seed {SEED}, {GAMES / seconds:,.0f} games/s")


if __name__ == "__main__":
    main()
