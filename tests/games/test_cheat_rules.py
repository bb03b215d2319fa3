"""Cheat by hand: what may be claimed, called and taken, what a call does, who wins when."""

import pytest

from facedown.core import CHANCE, OVER, SpecError
from facedown.games.registry import load_game
from support.cheat_table import dealt, hand, names, pile, play
from support.playing import game, random_moves

MINE, YOURS = "2 2 2 4 5 9 J K", "A 4 4 6 8 9 T Q"


def table(turned="3", **more):
    return dealt(MINE, YOURS, turned, **more)


def test_the_first_claim_goes_by_the_card_turned_up_which_nobody_can_call():
    position = table()
    assert pile(position) == "3"
    assert position.record["table"] == 1
    assert position.record["deck"] == 52 - 17
    assert names(position) == [
        *("true higher 1", "true lower 1", "true lower 2", "true lower 3"),
        *("lie higher 1", "lie higher 2", "lie higher 3", "lie higher 4"),
        *("lie lower 1", "lie lower 2", "lie lower 3", "lie lower 4"),
        "take",
    ]


def test_whoever_begins_is_drawn_and_dealt_to_first():
    position = table(begins=1)
    assert position.turn() == 1
    assert hand(position, 1) == MINE
    assert hand(position, 0) == YOURS


def test_a_true_claim_lays_down_cards_of_its_rank():
    position = play(table(), "true lower 2")
    assert position.turn() == 1
    assert hand(position, 0) == "2 4 5 9 J K"
    assert pile(position) == "2 2 3"
    assert "call" in names(position)
    assert {"true higher 1", "true lower 1"} & set(names(position)) == {"true lower 1"}  # the ace


def test_a_lie_lays_down_what_chance_draws_of_other_ranks():
    position = play(table(), "lie higher 2")
    assert position.turn() == CHANCE
    assert names(position) == ["lay 2", "lay 5", "lay 9", "lay J", "lay K"]  # no 4
    assert position.weights() == pytest.approx([3 / 7, 1 / 7, 1 / 7, 1 / 7, 1 / 7])
    play(position, "lay 2")
    assert position.weights() == pytest.approx([2 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6])
    play(position, "lay K")
    assert position.turn() == 1
    assert pile(position) == "2 3 K"
    assert position.record["rank"] == 3  # the 4 that was claimed


@pytest.mark.parametrize(
    ("turned", "move", "after"),
    [("K", "lie higher 1", 0), ("A", "lie lower 1", 12), ("Q", "true higher 1", 12)],
    ids=["an ace follows the king", "a king precedes the ace", "a king"],
)
def test_claims_go_round_by_king_and_ace(turned, move, after):
    position = play(table(turned), move)
    if position.turn() == CHANCE:
        play(position, "lay 5")
    assert position.record["rank"] == after


def test_a_chain_of_claims_over_king_and_ace_and_back():
    position = play(table("Q"), "true higher 1", "true higher 1", "true higher 3")  # K, A, 2 2 2
    assert pile(position) == "A 2 2 2 Q K"
    play(position, "lie lower 1", "lay 4", "lie lower 1", "lay 4")  # A, K
    assert position.record["rank"] == 12


def test_a_liar_who_is_called_takes_the_pile_and_the_rank_stands():
    position = play(table(), "true lower 1", "lie higher 2", "lay 8", "lay T", "call")
    assert hand(position, 1) == "A 2 3 4 4 6 8 9 T Q"
    assert position.turn() == 1  # the accused moves next
    assert position.record["table"] == 0
    assert position.record["rank"] == 2  # a 3 was claimed
    assert "call" not in names(position)
    assert position.record["caught"].tolist() == [0, 1 << 2]
    assert position.record["times"].tolist() == [0, 1]
    assert position.record["size"].tolist() == [7, 10]


def test_who_calls_a_true_claim_takes_the_pile():
    position = play(table(), "true lower 2", "call")
    assert hand(position, 1) == "A 2 2 3 4 4 6 8 9 T Q"
    assert position.turn() == 0
    assert position.record["times"].tolist() == [0, 0]


def test_a_take_is_one_card_and_cannot_be_called():
    position = play(table(), "true lower 1", "take")
    assert position.turn() == CHANCE
    assert names(position)[-1] == "draw K"
    play(position, "draw Q")
    assert hand(position, 1) == "A 4 4 6 8 9 T Q Q"
    assert position.record["deck"] == 34
    assert "call" not in names(position)


def test_without_a_deck_no_card_can_be_taken_and_a_claim_is_forced():
    spec = "cheat:ranks=3,copies=2,cards=2"
    position = dealt("A 2", "A 3", "2", spec)
    assert position.record["deck"] == 1
    play(position, "take", "draw 3")
    assert names(position) == ["true higher 1", "true lower 1", *_lies(1, 1)]
    assert "take" not in names(position)


def _lies(higher, lower):
    return [
        *(f"lie higher {k}" for k in range(1, higher + 1)),
        *(f"lie lower {k}" for k in range(1, lower + 1)),
    ]


SHORT = "cheat:cards=2"


def test_an_empty_hand_wins_when_the_turn_comes_back():
    position = dealt("4 4", "K K", "3", SHORT)
    play(position, "true higher 2")
    assert not position.over
    play(position, "take", "draw 9")
    assert position.over
    assert position.payoff() == [1, -1]


def test_an_empty_hand_called_a_liar_takes_the_pile():
    position = dealt("4 9", "K K", "3", SHORT)
    play(position, "true higher 1", "lie higher 1", "lay K", "lie higher 1", "lay 9", "call")
    assert not position.over
    assert position.turn() == 0
    assert hand(position, 0) == "3 4 9 K"


def test_an_empty_hand_called_in_vain_has_won():
    position = dealt("4 9", "K K", "3", SHORT)
    play(position, "true higher 1", "take", "draw 2", "lie lower 1", "lay 9")
    assert position.turn() == 1
    after = play(position.copy(), "call")
    assert not after.over  # a lie
    position = play(dealt("4 4", "K K", "3", SHORT), "true higher 2", "call")
    assert position.over
    assert position.payoff() == [1, -1]


def test_who_empties_the_hand_first_wins_though_the_other_does_too():
    position = dealt("4 4", "5 5", "3", SHORT)
    play(position, "true higher 2", "true higher 2")
    assert position.over
    assert position.payoff() == [1, -1]


@pytest.mark.parametrize(
    ("moves", "payoff"),
    [
        (("true higher 1", "take", "draw 9"), [1, -1]),
        (("take", "draw 9", "lie higher 1", "lay K"), [-1, 1]),
        (("take", "draw 9", "take", "draw 8"), [0, 0]),
    ],
)
def test_after_the_last_round_fewer_cards_win_and_equal_hands_share(moves, payoff):
    position = dealt("4 4 7", "K K 8", "3", "cheat:cards=3,rounds=2")
    play(position, *moves)
    assert position.turn() == OVER
    assert position.payoff() == payoff


def test_a_game_has_a_hundred_rounds_at_most():
    """Lie, call, lie, call: the liar gets rid of nothing."""
    position, rounds = table(), 0
    while not position.over:
        legal = names(position)
        if position.turn() == CHANCE:
            play(position, legal[0])
            continue
        play(position, "call" if "call" in legal else "lie higher 1")
        rounds += 1
    assert rounds == 100
    assert position.record["size"].tolist() == [9, 8]  # with the card turned up
    assert position.payoff() == [-1, 1]


def test_what_was_taken_in_piles_is_known_until_it_is_shown_again():
    position = play(table(), "true lower 2", "call")  # player 1 takes 2 2 3
    assert position.record["known"].tolist() == [0, 0x120]
    play(position, "lie higher 1", "lay 9", "true lower 1")  # player 1 lays a 2
    assert position.record["known"].tolist() == [0, 0x120]
    play(position, "call")  # player 0 takes 2 9
    assert position.record["known"].tolist() == [0x100000010, 0x110]


@pytest.mark.parametrize("seed", range(20))
def test_no_card_is_lost(seed):
    for position, _ in random_moves(game("cheat"), seed):
        record = position.record
        assert sum(int(cards) for cards in record["cards"]) == int("4" * 13, 16)
        count = [sum(int(c) >> 4 * k & 15 for k in range(13)) for c in record["cards"]]
        pending = position.turn() == CHANCE and record["doing"] >= 0 and record["doing"] != 17
        if not pending:
            assert count[:2] == record["size"].tolist()
            assert count[2] == record["table"]
        assert count[3] == record["deck"]


@pytest.mark.parametrize(
    "options", ["rounds=0", "rounds=101", "ranks=2", "copies=5", "cards=26", "ranks=3,cards=8"]
)
def test_bad_options_are_refused(options):
    with pytest.raises(SpecError, match=r" in cheat: \d+ to \d+ is allowed"):
        load_game(f"cheat:{options}")
