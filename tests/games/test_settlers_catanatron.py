"""Settlers against catanatron's engine: the same games in both, compared after every move."""

import pytest

pytest.importorskip("catanatron", reason="the extra `peers` is not installed")

from facedown.games.settlers import moves as m
from support.catanatron_games import FAULTS, Both, Departure, play_both, rightful
from support.settlers_table import game


@pytest.mark.parametrize("seed", range(3))
def test_the_same_game_in_both_engines(seed):
    both = play_both(seed)
    assert both.seen["wins"] == 1
    assert both.seen["compared"] > 200
    assert set(both.faults) <= set(FAULTS)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(3, 63, 10))
def test_many_of_them(first):
    games = [play_both(seed) for seed in range(first, first + 10)]
    assert sum(both.seen["wins"] for both in games) == 10


def started():
    both = Both(game("settlers:offers=none,board=1").start())
    both.compare()
    return both


def rob_the_bank(state):
    state.resource_freqdeck[2] -= 1


def forget_a_place(state):
    state.playable_actions = state.playable_actions[1:]


def lengthen_a_road(state):
    state.board.road_lengths[state.colors[0]] += 1


def give_a_point(state):
    state.player_state["P1_VICTORY_POINTS"] += 1


@pytest.mark.parametrize(
    ("meddle", "what"),
    [
        (rob_the_bank, "bank"),
        (forget_a_place, "legal: ours alone"),
        (lengthen_a_road, "road of player 0"),
        (give_a_point, "points of player 1"),
    ],
)
def test_what_differs_without_a_known_fault_is_an_error(meddle, what):
    both = started()
    meddle(both.state)
    with pytest.raises(Departure, match=what):
        both.compare()


def test_a_move_that_is_none_of_theirs_is_an_error():
    with pytest.raises(Departure, match="no move of theirs"):
        started().play(m.COMPOSE)


@pytest.mark.parametrize(
    ("before", "lengths", "who"),
    [
        (-1, [4, 4, 0, 0], -1),
        (-1, [5, 4, 0, 0], 0),
        (-1, [5, 5, 0, 0], -1),
        (1, [5, 5, 0, 0], 1),
        (1, [6, 5, 0, 0], 0),
        (2, [6, 6, 5, 0], -1),
        (2, [4, 4, 4, 0], -1),
    ],
)
def test_who_holds_the_longest_road(before, lengths, who):
    assert rightful(before, lengths) == who
