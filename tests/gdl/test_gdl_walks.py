"""Random games behind the lifted reasoner's machine are games by its rules."""

from __future__ import annotations

from itertools import product

import pytest

from facedown.gdl.library import find
from facedown.gdl.lifted import Lifted
from facedown.gdl.network import rule_network
from facedown.gdl.play import random_games
from facedown.gdl.reader import read, read_file
from support.interrupts import Clock, within

MANY = f"""(role a) (init (cell 1 1)) {" ".join(f"(n {k})" for k in range(70))} (legal a go)
  (<= (next (cell ?x ?y)) (n ?x) (n ?y)) (<= terminal (true (cell 2 2))) (goal a 50)"""
STUCK = """(role a) (role b) (init x) (legal a go) (legal c go) (<= (legal b go) (true x))
  (<= (next y) (does a go)) (<= terminal (true z)) (goal a 1) (goal b 2)"""


def everything(game):
    """The fluents, the moves and the percepts of each role in all positions, step by step."""
    waiting, fluents = [game.initial()], set()
    moves, percepts = ({role: set() for role in game.roles} for _ in range(2))
    known = set(waiting)
    while waiting:
        state = waiting.pop()
        fluents |= state
        if game.terminal(state):
            continue
        legal = [game.legal(state, role) for role in game.roles]
        for role, own in zip(game.roles, legal, strict=True):
            moves[role].update(own)
        for joint in product(*legal):
            for role in game.roles:
                percepts[role].update(game.sees(state, joint, role))
            after = game.next(state, joint)
            waiting += [after] if after not in known else []
            known.add(after)
    return fluents, moves, percepts


def met(game, games):
    walks = game.walks()
    assert all(walks.play(seed, 100).over for seed in range(games))
    found = walks.met()
    return found.fluents, found.moves, found.percepts


@pytest.mark.parametrize("name", ["monty-hall", "exploding-bomb", "cooperative-spies"])
def test_enough_walks_meet_all_that_there_is_and_nothing_else(name):
    game = Lifted(read_file(find(name)))
    assert met(game, 300) == everything(game)


@pytest.mark.parametrize("name", ["tic-tac-toe", "krieg-tic-tac-toe-3x3", "meier"])
def test_walks_are_as_long_and_end_as_random_games_in_the_network(name):
    description = read_file(find(name))
    game, number = Lifted(description), 3000
    walks = game.walks()
    played = [walks.play(seed, 1000) for seed in range(number)]
    rules = rule_network(description, None)
    expected = random_games(rules, 20 * number, seed=3)
    length = sum(walk.steps for walk in played) / number
    spread = (sum((walk.steps - length) ** 2 for walk in played) / number) ** 0.5
    assert abs(length - expected.mean_length) <= 5 * (spread + 0.01) / number**0.5
    for role, mean in zip(rules.roles, expected.mean_goals, strict=False):
        paid = sum(int(str(walk.goals[role][0])) for walk in played) / number
        assert abs(paid - mean) <= 5 * 50 / number**0.5


def test_a_seed_is_a_game_however_often_it_is_played_and_in_whatever_order():
    game = Lifted(read_file(find("connect-four")))
    one, other = game.walks(), game.walks()
    expected = [one.play(seed, 1000) for seed in range(20)]
    assert [other.play(seed, 1000) for seed in reversed(range(20))] == expected[::-1]
    assert len({walk.steps for walk in expected}) > 5
    assert [one.play(seed, 3).steps for seed in range(3)] == [3, 3, 3]
    assert not one.play(0, 3).over


def test_positions_and_terms_beyond_the_first_room():
    walks = Lifted(read(MANY)).walks()
    walk = walks.play(1, 10)
    assert (walk.steps, walk.over, walk.goals) == (1, True, {"a": ["50"]})
    assert len(walks.met().fluents) == 70 * 70


def test_a_role_without_a_move_is_named_and_moves_of_strangers_are_left_out():
    walks = Lifted(read(STUCK)).walks()
    walk = walks.play(1, 10)
    assert (walk.steps, walk.over, walk.lacking) == (1, False, ("b",))
    assert walks.met().moves == {"a": {"go"}, "b": {"go"}}
    assert walks.met().most_moves == 1


@pytest.mark.parametrize("name", ["tic-tac-toe", "meier"])
def test_a_strike_at_any_instruction_of_a_walk_spoils_no_other(name):
    game = Lifted(read_file(find(name)))

    def all_of_it():
        walks = game.walks()
        return [walks.play(seed, 12) for seed in range(2)], walks.met()

    expected = all_of_it()
    clock = Clock(within("gdl/lifted", "gdl/program", "gdl/memory", "gdl/walks"))
    length = clock.steps(all_of_it)
    for place in range(1, length, max(1, length // 150)):
        clock.strike(all_of_it, place)
        assert all_of_it() == expected
