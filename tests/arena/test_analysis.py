"""What `facedown analyse` measures: by hand, exact against sampled, and cribbage's tree."""

import pytest

import facedown
from facedown.arena.analysis.advice import advise
from facedown.arena.analysis.analyse import analyse_game
from facedown.arena.analysis.decisions import measure_decisions
from facedown.arena.analysis.leaves import sibling_leaves
from facedown.arena.analysis.tree import looks, measure_tree, walk
from facedown.core import SpecError, Stream, derive
from facedown.games.registry import load_game
from support import SUPPORT
from support.measured_games import Parity, Signal
from support.seats import FUSION

PARITY = f"{SUPPORT / 'measured_games.py'}:Parity"


NAMES = ("same_payoff", "same_winner", "bias", "favoured", "disambiguation")


def values(found):
    return [getattr(found, name).value for name in NAMES]


def test_kuhn_by_hand():
    """After a bet the ends are a fold for 1 and a call for 2: never equal.

    The same player wins both where the bettor has the higher card, in half of the deals. Player 0
    bets in 1/2 of random games, player 1 in 1/4: bias (1/4) / (1/4 + 1/8). Player 0 wins 1/4 by a
    fold, and half of the games that come to a showdown, 1/4 + 1/4 + 1/8. No card is shown before
    the end.
    """
    found = measure_tree(load_game("kuhn"))
    assert found.exact
    assert values(found) == pytest.approx([0.0, 0.5, 2 / 3, 1 / 4 + 5 / 16, 0.0])
    assert [step.value for step in found.steps] == [0.0]
    assert (found.branching.value, found.decisions.value, found.plies.value) == (2.0, 2.25, 4.25)
    assert (found.hidden.value, found.worlds.value) == (1.0, 2.0)
    assert found.spread**2 == pytest.approx(5 / 8 * 1 + 3 / 8 * 4 - (1 / 8) ** 2)


def test_a_toy_by_hand():
    found = measure_tree(load_game(PARITY))
    assert found.exact
    assert values(found) == pytest.approx([0.5, 0.5, 1.0, 0.75, 0.5])
    assert [step.value for step in found.steps] == [0.5]
    assert (found.branching.value, found.decisions.value, found.worlds.value) == (2.0, 2.0, 2.0)


@pytest.mark.parametrize(("spec", "samples"), [(PARITY, 200), ("kuhn", 600), ("leduc", 200)])
def test_samples_agree_with_the_enumeration(spec, samples):
    game = load_game(spec)
    exact, sampled = measure_tree(game), measure_tree(game, samples, seed=3)
    assert (exact.exact, sampled.exact, sampled.samples) == (True, False, samples)
    for name in (*NAMES, "branching", "decisions", "plies", "hidden"):
        true, found = getattr(exact, name), getattr(sampled, name)
        assert found.low - 0.03 <= true.value <= found.high + 0.03
        assert found.cases >= 40
    if spec != PARITY:  # where the median lies between 2 and 4
        assert sampled.worlds.value == pytest.approx(exact.worlds.value, rel=0.15)
    assert sampled.spread == pytest.approx(exact.spread, rel=0.1)


def test_dice_stay_hidden_to_the_end():
    found = measure_tree(load_game("liars-dice:dice=1,faces=3"))
    assert found.exact
    assert found.disambiguation.value == 0.0
    assert found.same_payoff.value == found.same_winner.value  # a game pays 1 or -1


def test_the_cut_rules_out_six_of_46_cards():
    """From the pone's throw to the lead only the cut is seen; the dealer's six cards lack it."""
    game, gone = load_game("cribbage"), []
    for k in range(60):
        found = walk(game, Stream(derive(1, "walk", k)))
        gone.append(looks(found, 1, derive(1, "looks", k), worlds=20).gone[0])
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
        measure_tree(load_game("kuhn"), samples=1)


def test_games_that_all_agree_leave_doubt():
    """In Kuhn sibling ends never pay the same: no sample of 20 games can be sure of that."""
    found = measure_tree(load_game("kuhn"), 20, seed=3).same_payoff
    assert (found.value, found.low) == (0.0, 0.0)
    assert 0.05 < found.high < 0.5


def test_fusion_by_hand():
    """A random decision is, in a quarter of random games, the naming of an unseen coin.

    Who knew it would win 1 there instead of 1/2, and choosing gains nothing. At the first decision
    a guess is worth 1 where the coin is seen: 0.2 more than the mean of 1 and 0.6.
    """
    game = load_game(FUSION)
    spread = measure_tree(game).spread
    found = measure_decisions(game, spread, samples=80, seed=2)
    assert found.samples == 80
    assert found.fusion.low < 0.25 * 0.5 / spread < found.fusion.high
    assert found.stake.low < 0.75 * 0.2 / spread < found.stake.high
    assert found.matters.value == pytest.approx(0.75, abs=0.1)
    assert found.nonlocality.value is None  # there is nobody else


def test_moves_that_tell_by_hand():
    """Who knows the coin and must name it gives it away: best moves differ in every other pair."""
    told = measure_decisions(load_game(Signal()), 1.0, samples=30, seed=1)
    assert told.nonlocality.value == pytest.approx(0.5, abs=0.05)
    assert told.fusion.value == pytest.approx(0.0, abs=0.05)
    kept = measure_decisions(load_game(Signal(shown=False)), 1.0, samples=10, seed=1)
    assert kept.nonlocality.value == 0.0


def test_where_nothing_is_hidden_plain_uct_will_do():
    found = facedown.analyse("tic-tac-toe", samples=4, seed=1)
    assert (found.tree.hidden.value, found.tree.worlds.value) == (0.0, 1.0)
    assert found.decisions.fusion.value == pytest.approx(0.0, abs=0.1)
    assert (found.advice.recipe, "nothing is hidden" in found.advice.why) == ("so-ismcts", True)


def test_a_class_an_object_and_a_spec_are_the_same_game():
    by_spec = analyse_game(load_game(PARITY), samples=10, seed=5).to_json()
    for given in (Parity, Parity()):
        found = facedown.analyse(given, samples=10, seed=5).to_json()
        skipped = ("game", "seconds")
        assert all(found[k] == by_spec[k] for k in by_spec if k not in skipped)


def test_poker_is_to_be_mixed():
    kuhn = load_game("kuhn")
    tree = measure_tree(kuhn)
    decisions = measure_decisions(kuhn, tree.spread, samples=80, seed=1)
    assert advise(kuhn, tree, decisions).recipe == "smooth-uct"


def test_time_is_kept_and_told():
    told = []
    analyse_game(
        load_game("leduc"), seconds=1.0, tick=lambda done, total: told.append((done, total))
    )
    assert told[-1][1] == 1.0
    assert told[-1][0] > 0.9
    with pytest.raises(SpecError, match="more than 0"):
        analyse_game(load_game("kuhn"), seconds=0)
    with pytest.raises(SpecError, match="observed is for a position"):
        facedown.analyse("kuhn", observed=[])
