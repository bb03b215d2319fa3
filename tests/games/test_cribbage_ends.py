"""Every way in which a game can end, and what a hand is worth to a search."""

import numpy as np
import pytest

from facedown.agents.registry import make_agent
from facedown.core import CHANCE, OVER, PUBLIC
from facedown.core.records import address_of
from facedown.search.budget import Budget
from support.cribbage_hands import at_play, dealt, play, scores
from support.naive_cribbage import hand_points
from support.playing import game

KELLY = "cribbage:kelly2017=true"
PONE, DEALER, CUT = "5c 5d 5h Js", "6c 7d 8h 8s", "9c"
COUNTS = (
    hand_points(PONE.split(), CUT),
    hand_points(DEALER.split(), CUT),
    hand_points(["Kc", "Kd", "Qc", "Qd"], CUT, crib=True),
)
WON, LOST = [1.0, -1.0], [-1.0, 1.0]


def hand_played(start, spec="cribbage"):
    """The hand above from these scores to its end, always the lowest card."""
    position = at_play(PONE, DEALER, CUT, scores=start, spec=spec)
    while not position.over and position.record["stage"] != 0:
        position.apply(position.legal()[0])
    return position


def pegged():
    """What dealer and pone make in the play of that hand."""
    dealer, pone = scores(hand_played((0, 0)))
    return dealer - COUNTS[1] - COUNTS[2], pone - COUNTS[0]


def before(dealer, pone):
    """The scores at the start that leave them so many short of 121 when the show begins."""
    in_play = pegged()
    return 121 - in_play[0] - dealer, 121 - in_play[1] - pone


def test_his_heels():
    position = play(dealt(scores=(119, 120)), "2c 2d", "3c 3d", "cut Jh")
    assert position.turn() == OVER
    assert position.payoff() == WON
    assert scores(position) == [121, 120]


@pytest.mark.parametrize("spec", ["cribbage", KELLY])
def test_the_play(spec):
    position = at_play("7c 2c 3c 4c", "7d 2d 3d 4d", "Ah", scores=(119, 119), spec=spec)
    play(position, "7c", "7d")
    assert position.turn() == OVER
    assert position.payoff() == WON
    assert position.view(PUBLIC).record["left"].tolist() == [3, 3]


def test_one_for_the_last_card_after_a_go():
    position = at_play("Kh 4c 2c 9s", "Qh Th 9d 8h", "Ah", scores=(0, 120))
    play(position, "Kh", "Qh", "4c", "go", "2c", "go")
    assert position.turn() == OVER
    assert position.payoff() == LOST


def test_nobody_pegs_beyond_the_goal():
    position = at_play("7c 7s 3c 4c", "7d 2d 3d 4d", "Ah", scores=(0, 117))
    assert scores(play(position, "7c", "7d", "7s")) == [2, 121]


def test_the_pone_counts_first():
    """The dealer would have 121 with his hand too."""
    position = hand_played(before(1, COUNTS[0]))
    assert position.payoff() == LOST
    assert scores(position) == [120, 121]
    assert position.record["shown"].tolist()[1:] == [0, 0]


def test_the_dealers_hand_before_the_crib():
    position = hand_played(before(COUNTS[1], COUNTS[0] + 1))
    assert position.payoff() == WON
    assert scores(position) == [121, 120]
    assert position.record["shown"][2] == 0
    assert position.view(1).record["thrown"][0] == 0  # the crib was never turned up
    assert position.view(0).record["thrown"][0] != 0


def test_the_crib():
    position = hand_played(before(COUNTS[1] + COUNTS[2], COUNTS[0] + 1))
    assert position.payoff() == WON
    assert scores(position) == [121, 120]
    assert position.view(1).record["shown"][2] == position.record["shown"][2] != 0


def test_nobody_wins_and_the_other_deals():
    position = hand_played(before(COUNTS[1] + COUNTS[2] + 1, COUNTS[0] + 1))
    assert scores(position) == [120, 120]
    assert position.turn() == CHANCE
    assert position.record["dealer"] == 1


def test_kelly2017_counts_on_and_gives_the_game_to_the_first_dealer():
    """Both have 121 at the end of the count; by the true rules the pone has won."""
    start = before(1, COUNTS[0])
    assert hand_played(start).payoff() == LOST
    position = hand_played(start, KELLY)
    assert position.payoff() == WON
    assert scores(position) == [120 + COUNTS[1] + COUNTS[2], 121]
    assert position.record["shown"].all()


def test_kelly2017_without_a_tie():
    assert hand_played(before(COUNTS[1] + COUNTS[2] + 1, COUNTS[0]), KELLY).payoff() == LOST
    assert hand_played(before(COUNTS[1] + COUNTS[2], COUNTS[0] + 1), KELLY).payoff() == WON


def horizon(position):
    """The values at the horizon; None where a search goes on."""
    out = np.zeros(2)
    rules = game("cribbage").rules
    stops = rules.python["horizon"](rules.ctx, position.address, address_of(out))
    return out.tolist() if stops else None


def test_the_horizon_is_the_end_of_the_hand():
    """The difference of the points made in it, whatever the scores before."""
    assert horizon(game("cribbage").start()) is None
    assert horizon(at_play(PONE, DEALER, CUT)) is None
    position = hand_played((0, 40))
    dealer, pone = scores(position)[0], scores(position)[1] - 40
    assert horizon(position) == [dealer - pone, pone - dealer]
    play(position, "deal Kc")
    assert horizon(position) is None


def test_the_horizon_at_the_end_of_the_game_is_the_difference_as_of_then():
    start = before(1, COUNTS[0])
    position = hand_played(start)
    gained = [now - then for now, then in zip(scores(position), start, strict=True)]
    assert horizon(position) == [gained[0] - gained[1], gained[1] - gained[0]]


def test_a_search_values_the_end_of_a_game_by_points_too():
    """The last card of the hand: the pone goes out with his count, and no world differs."""
    position = at_play(PONE, DEALER, CUT, scores=before(1, COUNTS[0]))
    while sum(position.record["left"]) > 1:
        position.apply(position.legal()[0])
    player = position.turn()
    agent = make_agent("so-ismcts:iterations=50", position.game, player, seed=1)
    search = agent.start_search(position.view(player), position.legal()).run(Budget(50))
    wanted = horizon(play(position, position.game.move_text(position.legal()[0])))
    assert search.report().best().mean == pytest.approx(wanted[player])


def test_the_papers_constants():
    """c sqrt(2 ln A / N) on points: our bandit has no 2 under the root."""
    for spec, c in (("so-ismcts", 2.0), ("cheating-uct", 1.75), ("determinized-uct", 1.75)):
        agent = make_agent(spec, game("cribbage"), 0, seed=1)
        assert agent.recipe.c == pytest.approx(c * 2**0.5)
        assert not agent.recipe.scaled
        assert agent.recipe.playout.horizon
    assert agent.recipe.samples == 100
