"""A claim of four cards right after the deal: nearly always a lie, and yet it can be true."""

from __future__ import annotations

import pytest

from facedown.agents.registry import make_agent
from facedown.games.registry import load_game

TRUE, FALSE = 1, 2
MINE, YOURS = "222259JK", "A44689TQ"


def claimed(*moves):
    g = load_game("cheat")
    position = g.start()
    cards = [card for pair in zip(MINE, YOURS, strict=True) for card in pair]
    deal = ["player 0 begins", *(f"deal {card}" for card in cards), "turn up 3"]
    for move in (*deal, *moves):
        position.apply(g.parse_move(move, position.legal()))
    return position


TRUTH = ("true lower 4",)
LIE = ("lie lower 4", "lay 5", "lay 9", "lay J", "lay K")


def asked(spec, moves, seed=7):
    position = claimed(*moves)
    agent = make_agent(spec, position.game, 1, seed)
    seen = position if agent.cheats else position.view(1)
    return agent, position.game.move_text(agent.choose(seen, position.legal()))


@pytest.mark.parametrize("moves", [TRUTH, LIE])
def test_even_odds_are_even_over_both_labels(moves):
    agent, _ = asked("mga:iterations=200", moves)
    assert agent.predicted == {TRUE: 0.5, FALSE: 0.5}
    visits = agent.search.sums_by_label(agent.search.tables)
    assert {label: sum(sums[0] for sums in found.values()) for label, found in visits.items()} == {
        TRUE: 100,
        FALSE: 100,
    }


def test_nobody_peeks_at_what_is_supposed():
    """The truth and the lie look alike, so the search is the same to the last visit."""
    (one, said), (two, answered) = (asked("mga:iterations=500", moves) for moves in (TRUTH, LIE))
    assert said == answered
    assert one.search.dump() == two.search.dump()


@pytest.mark.parametrize(("moves", "label"), [(TRUTH, TRUE), (LIE, FALSE)])
def test_who_peeks_foresees_the_true_label(moves, label):
    agent, move = asked("fpmga:iterations=4000,accuracy=1", moves)
    assert agent.predicted == {TRUE: float(label == TRUE), FALSE: float(label == FALSE)}
    assert (move == "call") == (label == FALSE)


def test_a_wrong_guess_is_the_other_label():
    agent, _ = asked("fpmga:iterations=100,accuracy=0", TRUTH)
    assert agent.predicted == {TRUE: 1.0, FALSE: 0.0}  # wrong foreseen, with all odds on the rest
