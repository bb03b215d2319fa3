"""Cribbage in words and pictures, and its scripted player."""

import pytest

from facedown.core import CHANCE, PUBLIC, Stream
from support.cribbage_hands import at_play, dealt, play
from support.playing import game, names


def test_a_throw_as_the_dealer_sees_it():
    """The pone has thrown already; the dealer's view does not show it, and asks for his own."""
    position = play(dealt(), "2c 2d")
    assert position.view(0).text(0).splitlines() == [
        "Cribbage to 121: your move, two cards into the crib; player 0 (you) deals",
        "  player 0 (you)  0 (pegs 0 and 0)  3c 3d 5h 5s 7c 7d",
        "  player 1        0 (pegs 0 and 0)  ?? ?? ?? ?? ?? ??",
    ]


def test_the_play_as_a_player_sees_it():
    position = at_play("Kh 4c 2c 9s", "Qh Th 9d 8h", "Ah", scores=(7, 12))
    play(position, "Kh", "Qh", "4c", "go", "2c", "go", "8h")
    assert position.view(1).text(1).splitlines() == [
        "Cribbage to 121: your move; player 0 deals",
        "  player 0        7 (pegs 7 and 7)     ?? ??",
        "  player 1 (you)  13 (pegs 13 and 12)  9s, in the crib: Kc Kd",
        "  cut: Ah",
        "  play: you Kh (10), player 0 Qh (20), you 4c (24), player 0 go, you 2c (26), you go",
        "  then: player 0 8h (8)",
        "  count: 8",
    ]


def test_the_show_as_a_player_sees_it():
    position = at_play("5c 5d 5h Js", "6c 7d 8h 8s", "9c")
    while position.record["stage"] != 0:
        position.apply(position.legal()[0])
    assert position.view(1).text(1).splitlines()[3:] == [
        "  last show, with the cut 9c:",
        "    player 1 (you)  hand  5c 5d 5h Js  fifteens 8, pairs 6 = 14",
        "    player 0        hand  6c 7d 8h 8s  fifteens 6, pair 2, runs 8 = 16",
        "    player 0        crib  Qc Qd Kc Kd  pairs 4 = 4",
    ]


def said(position, move, viewer):
    number = position.game.parse_move(move, position.legal())
    return position.game.text.observation_text(position.sees(number, viewer), viewer)


def test_observations_read_like_talk_at_the_table():
    position = game("cribbage").start()
    assert said(position, "deal 5h", 1) == "you are dealt 5h"
    assert said(position, "deal 5h", 0) == "your opponent is dealt a card"
    assert said(position, "deal 5h", PUBLIC) == "player 1 is dealt a card"
    position = play(dealt(), "2c 2d")
    assert said(position, "3c 3d", 0) == "you put 3c 3d into the crib"
    assert said(position, "3c 3d", 1) == "both have put two cards into the crib"
    play(position, "3c 3d")
    assert said(position, "cut Jh", 1) == "the cut is Jh: his heels, 2 points for your opponent"
    assert said(position, "cut Kh", 1) == "the cut is Kh (your opponent deals)"
    position = at_play("Kh 4c 2c 9s", "5h Th 9d 8h", "Ah")
    play(position, "Kh")
    assert said(position, "5h", 0) == "you play 5h for 15, 2 points (fifteen 2)"
    assert said(position, "5h", PUBLIC) == "player 0 plays 5h for 15, 2 points (fifteen 2)"


def test_nobody_is_told_of_a_pending_throw():
    position = dealt()
    throw = position.legal()[0]
    assert [position.sees(throw, viewer) for viewer in (0, PUBLIC)] == [0, 0]
    assert position.sees(throw, 1) != 0


def test_a_go_tells_who_takes_the_point():
    position = play(at_play("Kh 4c 2c 9s", "Qh Th 9d 8h", "Ah"), "Kh", "Qh", "4c")
    assert said(position, "go", 1) == "your opponent says go at 24"
    play(position, "go", "2c")
    assert said(position, "go", 1) == "you say go at 26; you take 1 for the last card"


@pytest.mark.parametrize(("viewer", "backs"), [(PUBLIC, 14), (0, 8), (1, 8)])
def test_cards_of_others_lie_face_down(viewer, backs):
    """Six hidden cards a player, and the pack, which is drawn as two."""
    picture = dealt().view(viewer).picture(viewer)
    assert picture.count("url(#back)") == backs


def test_pegs_stand_on_the_board():
    """Two pegs a player: the score and the score before."""
    picture = at_play("Kh 4c 2c 9s", "Qh Th 9d 8h", "Jh", scores=(30, 0)).picture(0)
    for colour in ("#d8534e", "#3d6fb6"):
        assert picture.count(f'fill="{colour}" stroke') == 2


def scripted(position):
    player = position.turn()
    view = position.view(player).record
    g = position.game
    return g.move_text(g.definition.scripted(view, player, position.legal(), Stream(1)))


def test_the_scripted_player_keeps_what_counts_most_without_the_cut():
    """Kelly 2017, section 3.2."""
    nines = "9c 9d 9h 9s 8d 8h"
    position = dealt("5c 5d 5h Js Kd 2h", nines)
    assert scripted(position) == "2h Js"  # 5 5 5 and a ten-card: 14; of equals the first scanned
    position = dealt("2c 4c 6c 8c Kd Qh", nines)
    assert scripted(position) == "Qh Kd"  # a flush of four beats fifteens worth 2


def test_the_scripted_player_plays_what_makes_most_now():
    position = play(at_play("7c 2c 3c Kh", "8h 7d 2d 3d", "Ah"), "7c")
    assert scripted(position) == "7d"  # a pair and a fifteen are worth the same: the lower card
    position = play(at_play("7c 7s 3c Kh", "7d 8h 2d 3d", "Ah"), "7c", "7d")
    assert scripted(position) == "7s"
    assert names(play(position, "7s")) == ["2d", "3d", "8h"]


def test_the_scripted_player_beats_a_random_one_as_in_the_paper():
    """97.8 % in table 4-1."""
    wins, games = 0, 60
    for seed in range(games):
        stream, position, seat = Stream(seed), game("cribbage").start(), seed % 2
        while not position.over:
            if position.turn() == CHANCE:
                position.apply(position.draw(stream))
            elif position.turn() == seat:
                play(position, scripted(position))
            else:
                position.apply(stream.choice(position.legal()))
        wins += position.payoff()[seat] > 0
    assert wins >= 54
