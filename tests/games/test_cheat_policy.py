"""Cheat's playouts: the shares of figure 2 over what is applicable, and six reasons to call."""

from collections import Counter

import pytest

from facedown.core import Stream
from facedown.games.cheat.policy import FIGURE_2
from facedown.games.cheat.state import CALL
from support.cheat_table import dealt, names, play
from support.playing import game, random_moves

MINE, YOURS = "2 2 2 4 5 9 J K", "A 4 4 6 8 9 T Q"
N = 20_000


def playouts(position, n=N, seed=3):
    stream, rules = Stream(seed), position.game.rules
    found = Counter(
        rules.python["playout"](rules.ctx, position.address, stream.address) for _ in range(n)
    )
    assert set(found) <= set(position.legal())
    return found


def check_shares(position):
    """The frequencies are the figure's, renormalised over what is legal."""
    legal = position.legal()
    total = sum(FIGURE_2[move] for move in legal)
    found = playouts(position)
    for move in legal:
        share = FIGURE_2[move] / total
        assert found[move] / N == pytest.approx(share, abs=4.5 * (share / N) ** 0.5), move


def test_figure_2_sums_to_one():
    assert sum(FIGURE_2) == pytest.approx(1)
    assert len(FIGURE_2) == 18


def test_all_but_a_call_and_some_true_claims():
    check_shares(dealt(MINE, YOURS, "3"))


def test_all_eighteen():
    """Four cards of either rank, a true claim to call, a deck."""
    position = dealt("5 5 9 9 K K K 2", "4 4 4 4 6 6 6 6", "3")
    play(position, "lie higher 1", "lay 9", "take", "draw Q", "true higher 1")
    assert len(position.legal()) == 18
    check_shares(position)


def test_after_a_true_claim_with_a_doubtful_look():
    """True: none of the six cases counts, whatever is on the table."""
    position = play(dealt("4 4 4 5 9 9 J K", "2 2 6 6 8 9 T 4", "3"), "true higher 3")
    check_shares(position)


def test_a_hand_of_one():
    position = dealt("9", "K", "3", "cheat:cards=1")
    assert names(position) == ["lie higher 1", "lie lower 1", "take"]
    check_shares(position)


def test_a_hand_of_one_rank():
    position = dealt("4 4", "K K", "3", "cheat:cards=2")
    assert "lie higher 1" not in names(position)
    check_shares(position)


def test_no_deck():
    position = dealt("A 2", "A 3", "2", "cheat:ranks=3,copies=2,cards=2")
    check_shares(play(position, "take", "draw 3"))


def lied(mine, yours, turned="3", lays=("9",), **more):
    """After a lie of player 0's, one rank up."""
    position = dealt(mine, yours, turned, **more)
    return play(position, f"lie higher {len(lays)}", *(f"lay {rank}" for rank in lays))


def always_calls(position):
    return set(playouts(position, 300)) == {CALL}


def test_without_a_reason_a_lie_is_called_by_its_share():
    """Player 1 holds no 4, the table is small, nobody was caught."""
    check_shares(lied(MINE, "A 2 6 6 8 9 T Q"))


def test_a_liar_without_cards_is_called():
    position = lied("9", "K", spec="cheat:cards=1")
    assert position.record["size"][0] == 0
    assert always_calls(position)


def test_a_lie_on_a_large_pile_is_called():
    """Eight cards on the table are not enough, nine are."""
    for lays, calls in ((3, False), (4, True)):
        position = dealt("9 9 9 9 J J J J", "K K K K Q Q Q Q", "3", "cheat")
        play(position, "lie higher 1", "lay J", "lie higher 3", *["lay K"] * 3)
        play(position, f"lie higher {lays}", *["lay 9"] * lays)
        assert position.record["table"] == 5 + lays
        assert always_calls(position) == calls


def test_who_was_caught_nine_times_is_called():
    """A lie on each rank from the 4 to the king: player 1 holds none of them."""
    position = dealt("9 9 9 9 J J J J", "A 2 2 2 2 3 3 3", "3")
    for caught in range(10):
        play(position, "lie higher 1")
        play(position, names(position)[0])
        assert position.record["times"][0] == caught
        assert always_calls(position) == (caught > 8)
        play(position, "call")


def test_the_same_claim_twice_since_the_last_call_is_called():
    position = dealt("9 9 9 J J J J 9", "K K K K Q Q Q Q", "3")
    play(position, "lie higher 1", "lay 9", "lie higher 1", "lay K")  # a 4, a 5
    play(position, "lie lower 1", "lay 9")  # a 4 again
    assert always_calls(position)
    true = dealt("4 4 9 9 J J J 9", "K K K K Q Q Q Q", "3")
    play(true, "true higher 1", "lie higher 1", "lay K", "true lower 1")
    assert not always_calls(true)


def test_who_holds_the_rank_calls_a_lie():
    assert always_calls(lied(MINE, YOURS))  # YOURS has two 4s
    assert not always_calls(play(dealt(MINE, YOURS, "3"), "true higher 1"))


def test_who_was_caught_on_the_same_rank_is_called():
    position = dealt("9 9 9 J J J J 9", "K K K K Q Q Q Q", "3")
    play(position, "lie higher 1", "lay 9", "call", "take", "draw 7")  # caught on a 4
    play(position, "lie higher 1", "lay K", "lie lower 1", "lay J")  # a 5, a 4
    assert position.record["again"][0] == 0
    assert always_calls(position)
    other = dealt("9 9 9 J J J J 9", "K K K K Q Q Q Q", "3")
    play(other, "lie higher 1", "lay 9", "call", "take", "draw 7")
    play(other, "lie higher 1", "lay K", "lie higher 1", "lay J")  # a 5, a 6
    assert not always_calls(other)


@pytest.mark.parametrize("seed", range(5))
def test_playouts_are_legal(seed):
    for position, _ in random_moves(game("cheat"), seed):
        if position.turn() >= 0:
            playouts(position, 10, seed)
