"""Liar's dice as in OpenSpiel's `liars_dice`: bidding, calling, wild dice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facedown.core import CHANCE, OVER, SpecError
from facedown.games.registry import load_game
from support.playing import game, histories, names, played, random_moves


def test_all_roll_before_anyone_bids():
    spec = "liars-dice:dice=2,players=3"
    position = game(spec).start()
    for _ in range(6):
        assert position.turn() == CHANCE
        assert names(position) == [f"roll {face}" for face in range(1, 7)]
        position.apply(position.legal()[0])
    assert position.turn() == 0


def test_the_first_player_must_bid_and_every_bid_is_open():
    legal = names(played("liars-dice", "roll 1", "roll 1"))
    assert legal == [f"{quantity}x{face}" for quantity in (1, 2) for face in range(1, 7)]


@pytest.mark.parametrize(
    ("bid", "next_bids"),
    [("1x5", ["1x6", *(f"2x{k}" for k in range(1, 7))]), ("2x4", ["2x5", "2x6"]), ("2x6", [])],
)
def test_bids_rise_by_quantity_then_face_and_the_last_can_only_be_called(bid, next_bids):
    position = played("liars-dice", "roll 1", "roll 1", bid)
    assert position.turn() == 1
    assert names(position) == [*next_bids, "liar"]


@pytest.mark.parametrize(
    ("dice", "bid", "bidder_wins"),
    [
        ((3, 5), "1x3", True),
        ((3, 5), "1x5", True),
        ((3, 5), "1x4", False),
        ((3, 5), "2x3", False),
        ((3, 3), "2x3", True),
        ((3, 3), "1x3", True),  # more than bid is enough
        ((3, 6), "2x3", True),  # a six is wild
        ((6, 6), "2x1", True),
        ((6, 6), "2x6", True),
        ((5, 6), "2x6", False),  # only sixes are sixes
        ((5, 6), "1x6", True),
    ],
)
def test_the_dice_decide_who_has_lost(dice, bid, bidder_wins):
    position = played("liars-dice", *(f"roll {face}" for face in dice), bid, "liar")
    assert position.turn() == OVER
    assert position.payoff() == ([1, -1] if bidder_wins else [-1, 1])


def test_the_second_player_can_be_the_liar():
    position = played("liars-dice", "roll 1", "roll 2", "1x3", "2x2", "liar")
    assert position.payoff() == [1, -1]


def test_the_highest_face_is_wild_whatever_the_number_of_faces():
    rolls = ("roll 4", "roll 2")
    assert played("liars-dice:faces=4", *rolls, "2x2", "liar").payoff() == [1, -1]
    assert played("liars-dice:faces=5", *rolls, "2x2", "liar").payoff() == [-1, 1]


def test_among_three_the_loser_pays_and_the_others_share():
    rolls = ["roll 1", "roll 2", "roll 3"]
    spec = "liars-dice:players=3"
    assert played(spec, *rolls, "1x1", "2x1", "liar").payoff() == [0.5, -1, 0.5]
    assert played(spec, *rolls, "1x1", "1x2", "liar").payoff() == [0.5, 0.5, -1]
    assert played(spec, *rolls, "1x1", "1x2", "1x3", "liar").payoff() == [-1, 0.5, 0.5]


@given(st.integers(0, 2**32))
def test_payoffs_agree_with_a_count_of_the_text(seed):
    spec = "liars-dice:dice=2,faces=4,players=3"
    moves = [game(spec).move_text(m) for _, m in random_moves(game(spec), seed) if m >= 0]
    faces = [int(move[5:]) for move in moves if move.startswith("roll")]
    bids = [move for move in moves if "x" in move]
    quantity, face = (int(part) for part in bids[-1].split("x"))
    holds = sum(f in (face, 4) for f in faces) >= quantity
    loser = (len(bids) if holds else len(bids) - 1) % 3
    pay = played(spec, *moves).payoff()
    assert [k for k in range(3) if pay[k] == -1] == [loser]
    assert sum(pay) == pytest.approx(0)


@pytest.mark.parametrize("faces", [2, 3, 4])
def test_the_number_of_information_sets(faces):
    """Any set of the 2f bids is a history, and its actor holds one of f faces: 24,576 for f = 6."""
    seen = {
        (position.turn(), position.infoset(position.turn()))
        for _, position, _ in histories(game(f"liars-dice:faces={faces}").start())
        if position.turn() >= 0
    }
    assert len(seen) == faces * 2 ** (2 * faces)


@pytest.mark.parametrize(
    ("options", "wanted"),
    [("dice=4", "1 to 3"), ("faces=1", "2 to 6"), ("players=5", "2 to 4"), ("dice=0", "1 to 3")],
)
def test_what_the_table_cannot_hold_is_refused(options, wanted):
    with pytest.raises(SpecError, match=f"{options} in liars-dice: {wanted} is allowed"):
        load_game(f"liars-dice:{options}")
