"""The count of hands: against a naive oracle, known hands, and all 12,994,800 of them."""

import random

import numba
import numpy as np
import pytest

from facedown.games.cribbage.counting import count, count_text, play_points
from facedown.games.cribbage.scoring import count_hand, tables, tally_all
from support.naive_cribbage import PACK, hand_points
from support.naive_cribbage import play_points as naive

TABLES = tables(False)


@numba.njit
def compiled(t, hands, cuts, crib):
    points = np.zeros(len(cuts), np.int64)
    for k in range(len(cuts)):
        points[k] = count_hand(t[0], hands[k], cuts[k], crib)
    return points


def mask(cards):
    return sum(1 << PACK.index(card) for card in cards)


def points(hand, cut, crib=False):
    """By the compiled scorer."""
    found = compiled(TABLES, np.array([mask(hand.split())]), np.array([PACK.index(cut)]), crib)
    return int(found[0])


@pytest.mark.parametrize("crib", [False, True])
def test_random_hands_count_as_the_naive_oracle_says(crib):
    rng = random.Random(5)
    fives = [rng.sample(PACK, 5) for _ in range(4000)]
    hearts = [card for card in PACK if card[1] == "h"]
    fives += [[*rng.sample(hearts[2:], 4), rng.choice(("2h", "Ac"))] for _ in range(50)]
    hands = np.array([mask(five[:4]) for five in fives])
    cuts = np.array([PACK.index(five[4]) for five in fives])
    wanted = [hand_points(five[:4], five[4], crib=crib) for five in fives]
    assert compiled(TABLES, hands, cuts, crib).tolist() == wanted
    items = [
        count([PACK.index(c) for c in five[:4]], PACK.index(five[4]), crib=crib) for five in fives
    ]
    assert [sum(item.values()) for item in items] == wanted


@pytest.mark.parametrize(
    ("hand", "cut", "wanted", "said"),
    [
        ("5c 5d 5h Js", "5s", 29, "fifteens 16, pairs 12, nobs 1 = 29"),
        ("5c 5d 5h 5s", "Js", 28, "fifteens 16, pairs 12 = 28"),
        ("4c 4d 5h 5s", "6c", 24, "fifteens 8, pairs 4, runs 12 = 24"),
        ("7c 7d 8h 8s", "9c", 24, "fifteens 8, pairs 4, runs 12 = 24"),
        ("3c 3d 3h 3s", "9c", 24, "fifteens 12, pairs 12 = 24"),
        ("5c Jd Qh Ks", "5s", 17, "fifteens 12, pair 2, run 3 = 17"),
        ("Ac 2d 3h 4s", "5c", 7, "fifteen 2, run 5 = 7"),
        ("2c 4c 6c 8c", "Kc", 5, "flush 5 = 5"),
        ("2c 4c 6c 8c", "Kd", 4, "flush 4 = 4"),
        ("Jc Qd Kh As", "2c", 4, "run 3, nobs 1 = 4"),
        ("2c 4d 6h 8s", "Tc", 0, "nothing = 0"),
    ],
)
def test_known_hands(hand, cut, wanted, said):
    assert points(hand, cut) == hand_points(hand.split(), cut) == wanted
    items = count([PACK.index(card) for card in hand.split()], PACK.index(cut))
    assert count_text(items) == said


def test_a_flush_of_four_does_not_count_in_the_crib():
    assert points("2c 4c 6c 8c", "Kd", crib=True) == 0
    assert points("2c 4c 6c 8c", "Kc", crib=True) == 5
    assert points("2c 4c 6c 8d", "Kc") == 0


def test_a_jack_that_is_the_cut_is_not_his_nobs():
    assert points("2c 4d 6h 8s", "Jc") == 0


def test_all_hands():
    """The totals over all combinations of hand and cut."""
    tally = tally_all(TABLES[0], False)
    assert tally.sum() == 12_994_800
    assert tally @ np.arange(34) / tally.sum() == pytest.approx(4.769152, abs=1e-6)
    assert tally[0] == 1_009_008
    assert (tally[28], tally[29]) == (76, 4)
    assert not tally[[19, 25, 26, 27]].any()
    assert not tally[30:].any()


def test_all_cribs():
    tally = tally_all(TABLES[0], True)
    assert tally.sum() == 12_994_800
    assert tally @ np.arange(34) / tally.sum() == pytest.approx(4.734819, abs=1e-6)


def test_the_plain_count_of_a_play_agrees_with_the_naive_one():
    rng = random.Random(8)
    for _ in range(3000):
        pile = rng.sample(PACK[: rng.choice((16, 32, 52))], rng.randint(1, 7))
        assert play_points([PACK.index(card) for card in pile]) == naive(pile)
