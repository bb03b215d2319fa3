"""The factored belief of Settlers against the enumeration of all that can have happened."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facedown.games.settlers.hands import Hands, ImpossibleError, hand_of, key_of

Joint = dict[tuple[tuple[int, ...], ...], float]
"""The exact belief: all players' hands together, with their probability."""

SMALL = st.tuples(*[st.integers(0, 2)] * 5)


def minus(hand, resource):
    return tuple(n - (r == resource) for r, n in enumerate(hand))


def plus(hand, resource):
    return tuple(n + (r == resource) for r, n in enumerate(hand))


def robbed(joint: Joint, thief: int, victim: int) -> Joint:
    """The exact joint belief after an unseen theft."""
    after: Joint = {}
    for hands, share in joint.items():
        total = sum(hands[victim])
        for r, n in enumerate(hands[victim]):
            if n:
                new = list(hands)
                new[victim], new[thief] = minus(hands[victim], r), plus(hands[thief], r)
                key = tuple(new)
                after[key] = after.get(key, 0.0) + share * n / total
    return after


def marginal(joint: Joint, player: int) -> dict[tuple[int, ...], float]:
    found: dict[tuple[int, ...], float] = {}
    for hands, share in joint.items():
        found[hands[player]] = found.get(hands[player], 0.0) + share
    return found


def steal(beliefs: list[Hands], thief: int, victim: int) -> None:
    odds = beliefs[victim].stolen()
    beliefs[victim].lose_unseen()
    beliefs[thief].gain_unseen(odds)


@given(SMALL, SMALL)
def test_a_first_theft_is_exact_for_both(first, second):
    if not sum(first):
        return
    joint, beliefs = {(first, second): 1.0}, [Hands(first), Hands(second)]
    joint = robbed(joint, 1, 0)
    steal(beliefs, 1, 0)
    for player in range(2):
        assert beliefs[player].to_dict() == pytest.approx(marginal(joint, player))


@settings(max_examples=60)
@given(
    st.tuples(SMALL, SMALL, SMALL),
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=4),
)
def test_whatever_can_have_happened_is_held_for_possible(hands, thefts):
    joint, beliefs = {hands: 1.0}, [Hands(hand) for hand in hands]
    for thief, victim in thefts:
        if thief == victim or not beliefs[victim].total:
            continue
        joint = robbed(joint, thief, victim)
        steal(beliefs, thief, victim)
    for player in range(3):
        exact = marginal(joint, player)
        assert set(exact) <= set(beliefs[player].to_dict())
        assert beliefs[player].total == sum(next(iter(exact)))


@given(SMALL, st.integers(1, 4))
def test_discards_are_hypergeometric(hand, n):
    if sum(hand) < n:
        with pytest.raises(ImpossibleError):
            Hands(hand).lose_unseen(n)
        return
    at_once, one_by_one = Hands(hand), Hands(hand)
    at_once.lose_unseen(n)
    for _ in range(n):
        one_by_one.lose_unseen()
    assert at_once.to_dict() == pytest.approx(one_by_one.to_dict())
    for r in range(5):
        assert at_once.mean(r) == pytest.approx(hand[r] * (1 - n / sum(hand)))


@given(SMALL, st.integers(1, 4))
def test_discards_by_kind_are_those_of_a_random_player(hand, n):
    """Step by step any resource that is there, by listing all ways."""
    hands, ways = Hands(hand), {hand: 1.0}
    for _ in range(min(n, sum(hand))):
        left = {}
        for held, share in ways.items():
            kinds = [r for r in range(5) if held[r]]
            for r in kinds:
                after = tuple(k - (i == r) for i, k in enumerate(held))
                left[after] = left.get(after, 0.0) + share / len(kinds)
        ways = left
        hands.discard_unseen()
    assert hands.to_dict() == pytest.approx(ways)


def test_a_seen_card_weighs_hands_by_how_often_they_would_show_it():
    # one of (2,0), (1,1), (0,2) with 1/4, 1/2, 1/4: a brick is drawn from them with 1, 1/2, 0
    hands = Hands((2, 2, 0, 0, 0))
    hands.lose_unseen(2)
    assert hands.to_dict() == pytest.approx(
        {(2, 0, 0, 0, 0): 1 / 6, (1, 1, 0, 0, 0): 4 / 6, (0, 2, 0, 0, 0): 1 / 6}
    )
    hands.lose_seen(0)
    assert hands.to_dict() == pytest.approx({(1, 0, 0, 0, 0): 1 / 3, (0, 1, 0, 0, 0): 2 / 3})


def test_what_is_paid_and_what_a_monopoly_shows_rules_hands_out():
    hands = Hands((1, 1, 1, 0, 0))
    hands.lose_unseen()
    hands.gain((0, 0, 0, 2, 0))
    hands.pay((1, 0, 0, 1, 0))
    assert hands.to_dict() == pytest.approx({(0, 1, 0, 1, 0): 0.5, (0, 0, 1, 1, 0): 0.5})
    hands.hold_exactly(1, 1)
    assert hands.to_dict() == {(0, 1, 0, 1, 0): 1.0}
    assert hands.bounds(1) == (1, 1)
    assert len(hands) == 1
    with pytest.raises(ImpossibleError):
        hands.pay((1, 0, 0, 0, 0))
    assert hands.to_dict() == {(0, 1, 0, 1, 0): 1.0}  # as it was


def test_samples_come_as_often_as_they_are_likely():
    hands = Hands((3, 1, 0, 0, 0))
    hands.lose_unseen(2)
    points = (np.arange(2000) + 0.5) / 2000
    drawn = [tuple(hand) for hand in hands.samples(points).tolist()]
    for hand, share in hands.to_dict().items():
        assert drawn.count(hand) / 2000 == pytest.approx(share, abs=0.002)


@given(st.tuples(*[st.integers(0, 19)] * 5))
def test_keys_are_hands(hand):
    assert hand_of(key_of(hand)) == hand
