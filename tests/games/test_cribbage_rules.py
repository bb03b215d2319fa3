"""Cribbage against a naive program, game by game and move by move."""

import random

import pytest

from facedown.core import OVER
from support.naive_cribbage import Naive
from support.playing import game, names


def lead(spec, seed):
    """Lead the naive program and ours through one random game; both ends."""
    rng, position = random.Random(seed), game(spec).start()
    naive = Naive(lambda actor, options: "", kelly2017="kelly2017" in spec)
    prefix = {"DEAL": "deal ", "CUT": "cut "}

    def choose(actor, options):
        assert position.turn() == actor
        assert list(position.record["score"]) == naive.scores
        what = prefix["CUT" if position.record["stage"] == 2 else "DEAL"] if actor == -1 else ""
        assert sorted(names(position)) == sorted(what + option for option in options)
        choice = rng.choice(options)
        position.apply(position.game.parse_move(what + choice, position.legal()))
        return choice

    naive.choose = choose
    winner = naive.run()
    assert position.turn() == OVER
    assert list(position.record["score"]) == naive.scores
    return winner, position.payoff()


@pytest.mark.parametrize("spec", ["cribbage", "cribbage:kelly2017=true"])
def test_a_naive_program_agrees_on_every_turn_move_and_score(spec):
    for seed in range(60):
        winner, payoffs = lead(spec, seed)
        assert payoffs == ([1.0, -1.0] if winner == 0 else [-1.0, 1.0])
