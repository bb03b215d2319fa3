"""The play: points of each kind, goes, and who begins anew."""

import pytest

from facedown.core import CHANCE
from support.cribbage_hands import at_play, dealt, play, scores
from support.naive_cribbage import hand_points
from support.playing import names


def after(pone, dealer, *moves, cut="Ah"):
    return play(at_play(pone, dealer, cut), *moves)


def test_fifteen():
    assert scores(after("7c 2c 2d 3c", "8h 3d 4d 4h", "7c", "8h")) == [2, 0]


def test_a_pair_three_and_four_of_a_kind():
    """2, 6 and 12 points."""
    position = at_play("7c 7d 2c 3d", "7h 7s 3c 2h", "Ah")
    assert scores(play(position, "7c", "7h")) == [2, 0]
    assert scores(play(position, "7d")) == [2, 6]
    assert scores(play(position, "7s")) == [14, 6]


def test_three_of_a_kind_that_makes_fifteen():
    assert scores(after("5c 5d 2c 2d", "5h 3c 4c 4d", "5c", "5h", "5d")) == [2, 8]


def test_a_pair_is_of_successive_cards_only():
    assert scores(after("7c 7d 2c 2d", "9h 3c 4c 4d", "7c", "9h", "7d")) == [0, 0]


def test_pairs_need_the_same_rank_not_the_same_worth():
    assert scores(after("Jc 2c 3d 4d", "Td 3c 4c 5c", "Jc", "Td")) == [0, 0]


@pytest.mark.parametrize("order", ["4c 5h 6c", "6c 5h 4c", "5c 6h 4c", "4c 6h 5c"])
def test_a_run_in_any_order(order):
    """4, 5 and 6 also make fifteen."""
    first, second, third = order.split()
    left = {"4c", "5c", "6c"} - {first, third}
    position = at_play(f"{first} {third} {left.pop()} Kh", f"{second} 9c 9d 9h", "Ah")
    assert scores(play(position, first, second, third)) == [0, 5]


def test_a_run_grows_card_by_card():
    """3, then 4, then 5, each for the whole run."""
    position = at_play("2c 4c 6c Ks", "3h 5h 9h 9s", "Ah")
    assert scores(play(position, "4c", "3h")) == [0, 0]
    assert scores(play(position, "2c")) == [0, 3]
    assert scores(play(position, "5h")) == [4, 3]
    assert scores(play(position, "6c")) == [4, 8]


def test_a_run_is_broken_by_a_pair_and_resumed_behind_it():
    """4 5 6 is a run, 6 pairs it; 5 then 4: 6 5 4 is a run again, for the last three cards."""
    position = at_play("4c 6c 4d Kh", "5h 6h 5d 9s", "Ah")
    assert scores(play(position, "4c", "5h", "6c")) == [0, 5]
    assert scores(play(position, "6h")) == [2, 5]
    play(position, "4d")
    assert scores(position) == [2, 5]  # 5 6 6 4 is no run
    assert scores(play(position, "5d")) == [5, 5]  # 6 4 5 is


def test_a_card_between_breaks_a_run_until_it_belongs():
    """2 3 7: no run; the 4 does not help; with 5 and 6 the six last cards are one."""
    position = at_play("2c 7c 5c Kh", "3h 4h 6h 9s", "Ah")
    assert scores(play(position, "2c", "3h", "7c", "4h")) == [0, 0]
    assert scores(play(position, "5c")) == [0, 0]  # 2 3 7 4 5: four in a row would need a six
    assert scores(play(position, "6h")) == [6, 0]


def test_queen_king_ace_is_no_run():
    assert scores(after("Kh Ac 2c 3d", "Qh 9c 9d 4h", "Kh", "Qh", "Ac", cut="8h")) == [0, 0]


def test_thirty_one_is_two_points_and_the_other_begins():
    position = after("Kh 9c 2c 3d", "Th 2h 8d 4h", "Kh", "Th", "9c", "2h")
    assert scores(position) == [2, 0]
    assert position.record["count"] == 0
    assert position.turn() == 1


def test_thirty_one_with_the_last_card_is_two_points_not_three():
    position = after("Kh 9c Js 8s", "Th 2h 9d 4h", "Kh", "Th", "9c", "2h", "Js", "9d", "8s")
    assert scores(position) == [2, 0]
    said = position.game.text.observation_text(position.sees(position.legal()[0], 0), 0)
    assert said.startswith("you play 4h for 31, 2 points (thirty-one 2); your opponent counts 0;")
    pone, dealer = (hand_points(h.split(), "Ah") for h in ("Kh 9c Js 8s", "Th 2h 9d 4h"))
    crib = hand_points(["Kc", "Kd", "Qc", "Qd"], "Ah", crib=True)
    assert scores(play(position, "4h")) == [4 + dealer + crib, pone]


def test_after_a_go_the_other_plays_on_and_takes_the_last_card():
    """The dealer cannot play on 24; the pone pairs and runs out of cards: 2 points and 1."""
    position = after("Kh 4c 2c 2d", "Qh Th 9d 8h", "Kh", "Qh", "4c")
    assert names(position) == ["go"]
    assert play(position, "go").turn() == 1
    assert scores(play(position, "2c")) == [0, 0]
    assert scores(play(position, "2d")) == [0, 3]
    assert position.turn() == 0
    assert names(position) == ["8h", "9d", "Th"]


def test_after_two_goes_the_last_to_play_takes_one_and_the_other_begins():
    position = after("Kh 4c 2c 9s", "Qh Th 9d 8h", "Kh", "Qh", "4c", "go", "2c")
    assert names(position) == ["go"]
    assert scores(play(position, "go")) == [0, 1]
    assert position.turn() == 0
    assert position.record["count"] == 0


def test_after_a_go_thirty_one_is_two_points_and_no_more():
    position = after("Kh 4c 7c 9s", "Qh Th 9d 8h", "Kh", "Qh", "4c", "go", "7c")
    assert scores(position) == [0, 2]
    assert position.turn() == 0


def test_the_count_begins_anew_without_the_cards_before():
    """The 9 after 31 pairs nothing, though the card before it was a 9."""
    position = after("Kh 2h 9s 3c", "Th 9c 9d 4h", "Kh", "Th", "2h", "9c")
    assert scores(position) == [2, 0]
    assert scores(play(position, "9s")) == [2, 0]
    assert scores(play(position, "9d")) == [4, 0]


def test_who_has_no_cards_left_is_passed_over():
    """The pone has played all four; the dealer goes on alone, and says go when nothing fits."""
    position = after("Ac 2c 3c 3s", "Qh Th 9d 8h", "Ac", "8h", "2c", "9d", "3c", cut="4h")
    assert scores(position) == [0, 0]
    assert names(play(position, "go")) == ["3s"]
    assert scores(play(position, "3s")) == [0, 3]  # a pair, and the last card before 31
    assert position.turn() == 0
    assert scores(play(position, "Qh")) == [0, 3]
    assert position.turn() == 0


def test_a_go_to_a_player_without_cards_gives_the_last_one_his_point():
    position = after("Ac Kh 2c Js", "Qh Th 9d 8h", "Ac", "8h", "2c", "9d", "Kh")
    assert position.record["count"] == 30
    assert names(position) == ["go"]
    play(position, "go")
    assert names(position) == ["go"]
    assert scores(play(position, "go")) == [0, 1]
    play(position, "Qh", "Js", "Th")
    assert position.record["count"] == 0


def test_the_pone_begins_and_the_deal_alternates():
    position = dealt()
    assert position.turn() == 1
    play(position, "2c 2d", "3c 3d", "cut Kh")
    assert position.turn() == 1
    while position.record["dealer"] == 0:
        position.apply(position.legal()[0])
    assert position.turn() == CHANCE
    play(position, "deal Kc")
    assert position.record["left"].tolist() == [1, 0]


def test_his_heels_are_two_for_the_dealer():
    assert scores(play(dealt(), "2c 2d", "3c 3d", "cut Jh")) == [2, 0]
