"""The information leak of Kelly (2017), section 4.5.2 and figure 4-6, and its cure."""

from __future__ import annotations

from itertools import combinations

import pytest

from facedown.agents.registry import make_agent
from facedown.core.plain import adapt
from facedown.games.registry import load_game
from support.leading_pairs import CARDS, LeadingPairs


def value_of_leading_from_a_pair(spec: str) -> float:
    """What a search expects of leading a three with another in hand."""
    game = adapt(LeadingPairs(), "leading-pairs")
    truth = game.start()
    for card in ("3a", "3b", "3c", "Ja"):
        truth.apply(game.parse_move(card, truth.legal()))
    view = truth.view(0)
    agent = make_agent(spec, game, 0, seed=1)
    agent.choose(view, view.legal())
    return max(candidate.mean for candidate in agent.search.report().candidates)


def value_against_who_pairs() -> float:
    """The same against an opponent who pairs whenever possible: 4 if the third three is held."""
    hands = list(combinations([card for card in CARDS if card not in ("3a", "3b")], 2))
    return sum(4.0 for hand in hands if "3c" in hand) / len(hands)


def test_pairing_is_right_for_who_does_not_know_my_hand():
    """An answerer with the third three: 2 points, less 6 where the leader's other card is a three.

    The leader's other card is one of the nine that the answerer has not seen.
    """
    assert 2 - 6 * 1 / 9 > 0
    assert value_against_who_pairs() == pytest.approx(0.8)


@pytest.mark.parametrize("spec", ["so-ismcts", "mo-ismcts", "mt-ismcts:bandit=ucb1,c=0.7"])
def test_the_leak_undervalues_leading_from_a_pair(spec):
    """In every world the leader holds the second three, so the tree's opponent knows not to pair.

    Many trees alone do not help: the worlds are still the leader's own.
    """
    joint = "," if ":" in spec else ":"
    value = value_of_leading_from_a_pair(f"{spec}{joint}iterations=10000")
    assert value < 0.2 * value_against_who_pairs()


@pytest.mark.parametrize("mode", ["twostep", "pure"])
def test_self_determinized_worlds_stop_the_leak(mode):
    """With worlds drawn from what the public knows the opponent pairs, as it should."""
    spec = f"mt-ismcts:self={mode},split=0.9,bandit=ucb1,c=0.7,iterations=40000"
    value = value_of_leading_from_a_pair(spec)
    assert 0.6 * value_against_who_pairs() < value < 1.1 * value_against_who_pairs()


# --- in Cribbage itself -------------------------------------------------------------------------


def cribbage_lead():
    """The dealer's view with 3c 3d Ks left and the lead; the other holds two cards."""
    game = load_game("cribbage")
    truth = game.start()
    pone, dealer = ["Th", "Qc", "6d", "9s", "2h", "7c"], ["Jd", "3d", "3c", "Ks", "8h", "5c"]
    for first, second in zip(pone, dealer, strict=True):
        play(game, truth, f"deal {first}", f"deal {second}")
    play(game, truth, "2h 7c", "5c 8h", "cut 7s", "Th", "Jd", "Qc", "go", "go")
    assert (truth.turn(), len(truth.legal())) == (0, 3)
    return truth.view(0)


def play(game, truth, *moves):
    for move in moves:
        truth.apply(game.parse_move(move, truth.legal()))


def value_of_a_three(spec: str, view) -> float:
    """What the search expects of the three that it visits most, in points of this hand."""
    agent = make_agent(spec, view.game, 0, seed=5)
    agent.choose(view, view.legal())
    threes = [c for c in agent.search.report().candidates if c.text.startswith("3")]
    return max(threes, key=lambda candidate: candidate.visits).mean


def test_in_cribbage_the_leak_costs_half_a_point():
    """Everything but the lead is the same, so the difference is what the opponent is taken to know.

    Of the 43 cards that the dealer has not seen two are threes, so the other holds one with
    probability 1 - C(41, 2) / C(43, 2) = 0.09; who pairs then loses 4 points net, and who knows the
    dealer's hand does not. Other knowledge of it is worth something, too.
    """
    view = cribbage_lead()
    leaking = [
        value_of_a_three(f"{name}:iterations=50000", view) for name in ("so-ismcts", "mo-ismcts")
    ]
    cured = value_of_a_three("mt-ismcts:self=twostep,split=0.8,iterations=300000", view)
    assert all(cured > value + 0.3 for value in leaking)
