"""Kuhn poker, Kuhn 1950: every line of play, and the value of the game."""

import itertools

import pytest

from facedown.core import OVER
from support.playing import PLAIN, game, histories, names, played
from support.sequence_form import value

BOTH = ["kuhn", PLAIN[0]]
LINES = {
    ("pass", "pass"): 1,
    ("pass", "bet", "pass"): "second",
    ("pass", "bet", "bet"): 2,
    ("bet", "pass"): "first",
    ("bet", "bet"): 2,
}


@pytest.mark.parametrize("spec", BOTH)
@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("deal", list(itertools.permutations("JQK", 2)))
def test_every_line_pays_as_kuhn_says(spec, line, deal):
    position = played(spec, f"deal {deal[0]}", f"deal {deal[1]}", *line)
    stake = LINES[line]
    if stake == "first":
        wanted = 1
    elif stake == "second":
        wanted = -1
    else:
        wanted = stake if "JQK".index(deal[0]) > "JQK".index(deal[1]) else -stake
    assert position.turn() == OVER
    assert position.payoff() == [wanted, -wanted]


@pytest.mark.parametrize("spec", BOTH)
def test_players_take_turns_and_no_card_is_dealt_twice(spec):
    assert names(game(spec).start()) == ["deal J", "deal Q", "deal K"]
    assert names(played(spec, "deal Q")) == ["deal J", "deal K"]
    turns = [played(spec, "deal Q", "deal K", *line).turn() for line in ([], ["pass"], ["bet"])]
    assert turns == [0, 1, 1]
    assert played(spec, "deal Q", "deal K", "pass", "bet").turn() == 0


@pytest.mark.parametrize("spec", BOTH)
def test_the_value_is_minus_one_eighteenth(spec):
    worth, infosets = value(game(spec))
    assert worth == pytest.approx(-1 / 18)
    assert infosets == 12


def test_there_are_thirty_ends():
    ends = [position for _, position, _ in histories(game("kuhn").start()) if position.over]
    assert len(ends) == 6 * len(LINES)
