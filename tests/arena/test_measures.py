"""The tree measures of Long et al. (2010): by hand, exact against sampled, and cribbage's."""

import pytest

from facedown.arena.leaves import sibling_leaves
from facedown.arena.measures import measure, ruled_out, walk
from facedown.core import SpecError, Stream, derive
from facedown.games.registry import load_game
from support import SUPPORT

PARITY = f"{SUPPORT / 'measured_games.py'}:Parity"


def values(found):
    names = ("same_payoff", "same_winner", "bias", "favoured", "disambiguation")
    return [getattr(found, name).value for name in names]


def test_kuhn_by_hand():
    """After a bet the ends are a fold for 1 and a call for 2: never equal.

    The same player wins both where the bettor has the higher card, in half of the deals. Player 0
    bets in 1/2 of random games, player 1 in 1/4: bias (1/4) / (1/4 + 1/8). Player 0 wins 1/4 by a
    fold, and half of the games that come to a showdown, 1/4 + 1/4 + 1/8. No card is shown before
    the end.
    """
    found = measure(load_game("kuhn"))
    assert found.exact
    assert values(found) == pytest.approx([0.0, 0.5, 2 / 3, 1 / 4 + 5 / 16, 0.0])
    assert [step.value for step in found.steps] == [0.0]


def test_a_toy_by_hand():
    found = measure(load_game(PARITY))
    assert found.exact
    assert values(found) == pytest.approx([0.5, 0.5, 1.0, 0.75, 0.5])
    assert [step.value for step in found.steps] == [0.5]


@pytest.mark.parametrize(("spec", "samples"), [(PARITY, 400), ("kuhn", 600), ("leduc", 400)])
def test_samples_agree_with_the_enumeration(spec, samples):
    game = load_game(spec)
    exact, sampled = measure(game), measure(game, samples, seed=3)
    assert (exact.exact, sampled.exact, sampled.samples) == (True, False, samples)
    for name in ("same_payoff", "same_winner", "bias", "favoured", "disambiguation"):
        true, found = getattr(exact, name), getattr(sampled, name)
        assert found.low - 0.03 <= true.value <= found.high + 0.03
        assert found.cases >= 50


def test_dice_stay_hidden_to_the_end():
    found = measure(load_game("liars-dice:dice=1,faces=3"))
    assert found.exact
    assert found.disambiguation.value == 0.0
    assert found.same_payoff.value == found.same_winner.value  # a game pays 1 or -1


def test_the_cut_rules_out_six_of_46_cards():
    """From the pone's throw to the lead only the cut is seen; the dealer's six cards lack it."""
    game, gone = load_game("cribbage"), []
    for k in range(60):
        found = walk(game, Stream(derive(1, "walk", k)))
        gone.append(next(ruled_out(found, 1, Stream(derive(1, "worlds", k)), 20)))
    assert sum(gone) / len(gone) == pytest.approx(6 / 46, abs=0.04)


def test_cribbages_tree_ends_with_the_hand():
    found = walk(load_game("cribbage"), Stream(5))
    assert 6 <= len(found.decisions[0]) + len(found.decisions[1]) <= 8  # throws and plays, once
    assert sum(found.payoffs) == 0.0  # the difference of points
    assert abs(found.payoffs[0]) > 1.0


def test_only_ends_that_no_choice_leads_away_from_are_siblings():
    kuhn = load_game("kuhn").start()
    for move in ("deal K", "deal Q"):
        kuhn.apply(kuhn.game.parse_move(move, kuhn.legal()))
    assert sibling_leaves(kuhn, kuhn.legal(), 2) is None
    kuhn.apply(kuhn.game.parse_move("pass", kuhn.legal()))
    assert sibling_leaves(kuhn, kuhn.legal(), 3) is None  # a bet would be answered
    kuhn.apply(kuhn.game.parse_move("bet", kuhn.legal()))
    ends = sibling_leaves(kuhn, kuhn.legal(), 4)
    assert sorted(ends.payoffs) == [[-1.0, 1.0], [2.0, -2.0]]


def test_one_sample_is_refused():
    with pytest.raises(SpecError, match="at least 2"):
        measure(load_game("kuhn"), samples=1)


def test_games_that_all_agree_leave_doubt():
    """In Kuhn sibling ends never pay the same: no sample of 20 games can be sure of that."""
    found = measure(load_game("kuhn"), 20, seed=3).same_payoff
    assert (found.value, found.low) == (0.0, 0.0)
    assert 0.05 < found.high < 0.5
