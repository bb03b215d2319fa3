"""Cheat's 32 bits: every attribute at its place in figure 1, and back into words."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facedown.core import PUBLIC
from facedown.games.cheat.key import Attributes, decode, encode, words
from facedown.games.cheat.text import attributes
from support.cheat_table import dealt, play
from support.playing import game, random_moves

MINE, YOURS = "2 2 2 4 5 9 J K", "A 4 4 6 8 9 T Q"

flags = st.tuples(st.booleans(), st.booleans())
counts = st.integers(0, 6)
situations = st.builds(
    Attributes,
    previous=st.sampled_from(
        ["true claim", "false claim", "card taken", "call", "none", "claim, its truth unseen"]
    ),
    can_claim=flags,
    hand=counts,
    opponent=counts,
    table=counts,
    round=st.integers(1, 100),
    known=st.tuples(st.integers(0, 3), st.integers(0, 3)),
    claimed=flags,
    opponent_claimed=flags,
    caught=flags,
    ever_caught=st.booleans(),
)


@given(situations)
def test_a_key_holds_all_attributes(found):
    key = encode(found)
    assert 0 <= key < 1 << 32
    assert decode(key) == found
    assert encode(decode(key)) == key


@pytest.mark.parametrize("spec", ["cheat", "cheat:ranks=4,copies=3,cards=3"])
@given(seed=st.integers(0, 2**63))
@settings(max_examples=25, deadline=None)
def test_the_compiled_key_is_that_of_the_attributes(spec, seed):
    """In truths and in views, for both players, at every decision of random games."""
    ranks = game(spec).definition.ranks
    for position, _ in random_moves(game(spec), seed):
        if position.turn() < 0:
            continue
        for player in range(2):
            for seen in (position, position.view(player)):
                key = seen.bucket(player)
                assert key == encode(attributes(seen.record, player, ranks))
                assert encode(decode(key)) == key


def test_the_key_at_the_start():
    found = decode(dealt(MINE, YOURS, "3").bucket(0))
    assert found == Attributes(
        previous="none",
        can_claim=(True, True),
        hand=5,
        opponent=5,
        table=1,
        round=1,
        known=(0, 0),
        claimed=(False, False),
        opponent_claimed=(False, False),
        caught=(False, False),
        ever_caught=False,
    )


def test_bits_lie_where_figure_1_has_them():
    base = encode(decode(0))
    places = {
        "can_claim": (2, 3),
        "claimed": (24, 25),
        "opponent_claimed": (26, 27),
        "caught": (28, 29),
    }
    for name, bits in places.items():
        for k, place in enumerate(bits):
            pair = (k == 0, k == 1)
            assert encode(replace(decode(0), **{name: pair})) - base == 1 << place
    assert encode(replace(decode(0), ever_caught=True)) == 1 << 30
    assert encode(replace(decode(0), known=(1, 0))) == 1 << 20
    assert encode(replace(decode(0), known=(0, 1))) == 1 << 22
    for name, place in (("hand", 4), ("opponent", 7), ("table", 10), ("round", 13)):
        assert encode(replace(decode(0), **{name: 1})) == 1 << place


@pytest.mark.parametrize(
    ("moves", "previous"),
    [
        (("true lower 1",), "true claim"),
        (("lie lower 1", "lay K"), "false claim"),
        (("take", "draw 7"), "card taken"),
        (("true lower 1", "call"), "call"),
    ],
)
def test_the_previous_action_with_its_truth(moves, previous):
    position = play(dealt(MINE, YOURS, "3"), *moves)
    player = position.turn()
    assert decode(position.bucket(player)).previous == previous
    seen = "claim, its truth unseen" if "claim" in previous else previous
    assert decode(position.view(player).bucket(player)).previous == seen


def test_claims_since_the_last_call_and_what_a_reveal_tells():
    """3, then player 0 claims a 4 (a lie), player 1 a 5, player 0 a 6, player 1 calls it."""
    position = play(dealt(MINE, YOURS, "3"), "lie higher 1", "lay 9", "lie higher 1", "lay A")
    mine = decode(position.bucket(0))
    assert (mine.claimed, mine.opponent_claimed) == ((False, True), (False, False))
    play(position, "lie higher 1", "lay K")
    yours = decode(position.bucket(1))
    assert (yours.claimed, yours.opponent_claimed) == ((False, True), (False, False))
    play(position, "call")  # player 0 takes 3 9 A K, the rank is 6
    mine = decode(position.bucket(0))
    assert (mine.previous, mine.ever_caught, mine.caught) == ("call", True, (False, False))
    assert mine.claimed == mine.opponent_claimed == (False, False)
    assert mine.table == 0
    play(position, "lie lower 1", "lay 2")  # a 5
    yours = decode(position.bucket(1))
    assert (yours.ever_caught, yours.known) == (False, (0, 0))
    play(position, "lie lower 1", "lay 8", "lie lower 1", "lay 2")  # a 4, a 3
    play(position, "lie lower 1", "lay Q", "lie lower 1", "lay 5")  # a 2, an ace
    assert decode(position.bucket(1)).known == (0, 1)  # the king, one lower than the ace


def test_being_caught_on_a_rank_is_remembered():
    position = play(dealt(MINE, YOURS, "3"), "lie higher 1", "lay 9", "call")  # caught on a 4
    play(position, "true higher 1", "call")  # a true 5; player 1 takes it
    assert decode(position.bucket(0)).caught == (False, True)
    assert decode(position.bucket(1)).caught == (False, False)
    assert decode(position.bucket(1)).previous == "call"


def test_the_public_has_no_key_and_nobody_has_before_the_deal():
    assert game("cheat").start().bucket(0) == 0
    assert dealt(MINE, YOURS, "3").bucket(PUBLIC) == 0


def test_a_key_in_words():
    position = play(dealt(MINE, YOURS, "3"), "lie higher 1", "lay 9")
    assert words(position.bucket(1)).splitlines() == [
        "previous action: false claim",
        "can claim truly: neither",
        "cards: 5 to 8, the opponent 5 to 8, on the table 2",
        "round: 2",
        "taken by the opponent in piles: 0 higher and 0 lower",
        "has claimed since the last call: neither",
        "the opponent has: neither",
        "was caught cheating on: neither",
        "was ever caught: no",
    ]
    view = position.view(1)
    assert words(view.bucket(1)).startswith("previous action: claim, its truth unseen\n")
    assert f"{view.bucket(1):#x}" not in view.text(1)  # people are shown no bits


@pytest.mark.parametrize("key", [-1, 1 << 32, (1 << 31) + 2])
def test_what_is_no_key_is_refused(key):
    with pytest.raises(ValueError, match="no key of a situation"):
        decode(key)
