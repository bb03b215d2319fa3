"""A robot at a server: logging in, sitting down, leaving, and whatever goes wrong."""

from __future__ import annotations

import logging
import threading
from time import sleep
from typing import Any

import pytest

from facedown.bridges.jsettlers import client, line
from facedown.bridges.jsettlers.client import Account, Robot
from facedown.bridges.jsettlers.recording import Said
from facedown.bridges.jsettlers.sitting import Decision, Result, SeatId
from facedown.core import SpecError
from support.jsettlers_robots import OVER, Thinker, asked, begun, play, shut
from support.jsettlers_servers import LET_IN, WELCOME, Guest, server
from support.jsettlers_talk import BOARD, PLACED, SEATED

# --- logging in -----------------------------------------------------------------------------------


def test_a_robot_says_who_it_is() -> None:
    def serve(guest: Guest) -> None:
        guest.let_in()
        shut(guest)

    _, [guest] = play(serve)
    assert guest.heard[0] == "9998|2700,2.7.00,facedown,\t"
    assert guest.heard[1] == "1022|me,secret,facedown.bridges.jsettlers"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ([*WELCOME, "1059|Cookie contents do not match, sorry."], "refuses us: Cookie contents"),
        (["9998|1100,1.1.00,X", LET_IN], "version 1.1.00, which is not known; 2.5.00 to"),
        (["9998|4000,4.0,X", LET_IN], "version 4.0, which is not known"),
        ([LET_IN], "says no version"),
        ([], "let us not in: the server closed the connection"),
    ],
)
def test_why_one_is_not_let_in_is_said(said: list[str], why: str) -> None:
    def refuse(guest: Guest) -> None:
        guest.hear_until("1022|")
        guest.say(*said)

    with pytest.raises(SpecError, match=why):
        play(refuse)


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(SpecError, match="port 1, cannot be reached: Connection refused"):
        Robot(Account("127.0.0.1", 1, "", "me"), Thinker()).run()


def test_a_server_that_stalls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "LOGGING_IN", 1.0)
    with pytest.raises(SpecError, match="says neither yes nor no in 1 s"):
        play(lambda guest: sleep(3))


def test_a_message_that_never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "BROKEN_OFF", 0.5)

    def stall(guest: Guest) -> None:
        guest.hear_until("1022|")
        guest.send(b"\xff\xff and then nothing")
        sleep(2)

    with pytest.raises(SpecError, match="a message broke off"):
        play(stall)


# --- coming and going -----------------------------------------------------------------------------


def test_several_games_at_once() -> None:
    def serve(guest: Guest) -> None:
        guest.let_in()
        for game in ("g", "h"):
            asked(guest, game)
        for game in ("g", "h"):
            texts = [BOARD, *SEATED, *PLACED, "1026|g,1,15", "1072|g,1"]
            guest.say(*[text.replace("|g", f"|{game}", 1) for text in texts])
        assert {guest.hear(), guest.hear()} == {"1031|g", "1031|h"}
        guest.say(*OVER, *[text.replace("|g", "|h", 1) for text in OVER])

    results, _ = play(serve, games=2)
    assert {result.game for result in results} == {"g", "h"}


def test_a_robot_that_is_dismissed_leaves_and_stays_connected() -> None:
    def serve(guest: Guest) -> None:
        begun(guest)
        guest.say("1056|g", "1056|another")
        assert guest.hear() == "1011|me,-,g"
        guest.say("9999|150000")
        assert guest.hear() == "9999|150000"
        shut(guest)

    results, _ = play(serve)
    assert results == [Result("g", 1, ())]


def test_a_robot_dismissed_in_mid_turn_says_nothing_more() -> None:
    thinking = threading.Event()

    class Slow(Thinker):
        def decide(self, *args: Any, offers: bool) -> Decision:
            thinking.set()
            sleep(0.5)
            return Decision("1031|g")

    def serve(guest: Guest) -> None:
        begun(guest, "1026|g,1,15", "1072|g,1")
        assert thinking.wait(10)
        guest.say("1056|g")
        assert guest.hear() == "1011|me,-,g"
        with pytest.raises(Exception, match="timed out"):
            guest.hear(1.0)
        shut(guest)

    assert play(serve, decider=Slow())[0] == [Result("g", 1, ())]


def test_a_seat_taken_again_is_another_one() -> None:
    """Dismissed while it thinks and asked back at once: what is heard then is another game."""
    seats, begun_anew = list[SeatId](), threading.Event()

    class Slow(Thinker):
        def decide(self, seat_id: SeatId, *args: Any, offers: bool) -> Decision:
            if seat_id not in seats:
                seats.append(seat_id)
            if len(seats) == 1:
                begun_anew.wait(10)
            return Decision("1031|g")

    def serve(guest: Guest) -> None:
        begun(guest, "1026|g,1,15", "1072|g,1")
        while not seats:
            sleep(0.01)
        guest.say("1056|g")
        assert guest.hear() == "1011|me,-,g"
        asked(guest)
        begun_anew.set()
        guest.say(BOARD, *SEATED, *PLACED, "1026|g,1,15", "1072|g,1")
        assert guest.hear() == "1031|g"
        guest.say(*OVER)

    thinker = Slow()
    assert len(play(serve, decider=thinker, games=1)[0]) == 2
    assert thinker.forgotten == ["g", "g"]
    assert len(set(seats)) == 2


def test_a_seat_in_a_running_game_is_taken_over() -> None:
    snapshot = [
        *["1012|g,other,1,true", BOARD, "1096|g|4|0", "1009|g,0,1,184", "1009|g,0,0,184"],
        *["1086|g|0|100|18|184|6|3|15|0|10|14|11|4|12|4", "1096|g|2|25|1|0|3|3|6|-1|5|-1"],
        *["1025|g,20", "1012|g,me,0,true", "1086|g|0|100|1|1|2|1|3|1|4|0|5|0|6|0", "1025|g,20"],
    ]

    def serve(guest: Guest) -> None:
        guest.let_in()
        asked(guest, seat=0)
        guest.say(*snapshot)
        assert guest.hear() == "1032|g"
        guest.say("1015|g")
        shut(guest)

    assert play(serve)[0] == [Result("g", 0, ())]


def test_a_seat_is_asked_for_only_once() -> None:
    def serve(guest: Guest) -> None:
        guest.let_in()
        asked(guest)
        guest.say("1021|g", "1021|unknown", "9999|1")
        assert guest.hear() == "9999|1"
        shut(guest)

    play(serve)


@pytest.mark.parametrize("option", ["PL=6", "SBL=t", "PLB=t", "SC=SC_FOG", "PL=x"])
def test_a_game_that_is_not_ours_is_not_joined(option: str) -> None:
    def serve(guest: Guest) -> None:
        guest.let_in()
        guest.say(f"1023|g,1,{option}", "9999|1")
        assert guest.hear() == "9999|1"
        shut(guest)

    play(serve)


def test_a_server_that_asks_without_end_is_not_followed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Each game takes a thread: beyond so many none is joined, and that is told once."""
    monkeypatch.setattr(client, "MOST_GAMES", 3)

    def serve(guest: Guest) -> None:
        guest.let_in()
        guest.say(*(f"1023|g{k},1,PL=4" for k in range(40)), "9999|1")
        heard = [guest.hear() for _ in range(4)]
        assert [text.rpartition(",")[2] for text in heard[:3]] == ["g0", "g1", "g2"]
        assert heard[3] == "9999|1"
        guest.say("1015|g1", "1023|g9,1,PL=4")
        assert guest.hear().endswith(",g9")
        shut(guest)

    with caplog.at_level(logging.WARNING):
        play(serve)
    assert caplog.text.count("3 games are played already") == 1


def test_garbage_is_logged_once_a_kind_and_survived(caplog: pytest.LogCaptureFixture) -> None:
    garbage = [
        "",
        "\0",
        "x" * 3000,
        "1026",
        "1026|g,9,9",
        "1014|g,1,2",
        "99999999999|",
        "1091|\x01",
    ]

    def serve(guest: Guest) -> None:
        begun(guest)
        guest.say(*garbage, *garbage, "1077|g,1", "1077|g,2", "1026|g,1,15")
        guest.send(b"\x00\x04\xff\xfe\x00\xc0")
        assert guest.hear() == "1031|g"
        guest.say(*OVER)

    with caplog.at_level(logging.WARNING):
        play(serve, games=1)
    assert caplog.text.count("'1077|g") == 1
    assert caplog.text.count("no number stands before it") == 1


def test_a_flood_of_garbage_is_not_all_told(caplog: pytest.LogCaptureFixture) -> None:
    def serve(guest: Guest) -> None:
        begun(guest, "1026|g,1,15")
        guest.say(*(f"1026|g,x{k},1" for k in range(3000)))
        assert guest.hear() == "1031|g"
        guest.say(*OVER)

    with caplog.at_level(logging.WARNING):
        play(serve, games=1)
    assert caplog.text.count("not understood (") == client.MOST_ODDITIES
    assert caplog.text.count("no more of it is told") == 1


def test_a_line_that_ends_within_a_message_is_had_again() -> None:
    def breaks(guest: Guest) -> None:
        begun(guest, "1026|g,1,15")
        assert guest.hear() == "1031|g"
        guest.send(b"\x00\x20" + b"1028|g,")

    def again(guest: Guest) -> None:
        guest.let_in()
        shut(guest)

    results, guests = play(breaks, again)
    assert results == [Result("g", 1, ())]
    assert len(guests) == 2


def test_a_line_that_breaks_is_had_again() -> None:
    def breaks(guest: Guest) -> None:
        begun(guest, "1026|g,1,15")
        guest.hear()

    def again(guest: Guest) -> None:
        begun(guest, "1026|g,1,15", game="h")
        assert guest.hear() == "1031|h"
        guest.say(*[text.replace("|g", "|h", 1) for text in OVER])

    results, guests = play(breaks, again, games=1)
    assert results == [Result("g", 1, ()), Result("h", 1, (2, 10, 2, 2))]
    assert len(guests) == 2


def test_a_line_that_cannot_be_had_again_is_the_end() -> None:
    with pytest.raises(SpecError, match=r"is gone .*calling again 2 times did not help"):
        play(lambda guest: guest.let_in())


def test_silence_is_a_dead_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "SILENCE", 0.5)

    def silent(guest: Guest) -> None:
        guest.let_in()
        sleep(2)

    def again(guest: Guest) -> None:
        guest.let_in()
        shut(guest)

    _, guests = play(silent, again)
    assert len(guests) == 2


def test_all_that_is_said_can_be_kept() -> None:
    kept: list[Said] = []

    def serve(guest: Guest) -> None:
        guest.let_in()
        shut(guest)

    with server(serve) as (port, _):
        Robot(Account("127.0.0.1", port, "", "me"), Thinker(), keep=kept.append).run()
    assert [said.side for said in kept[:2]] == ["C", "C"]
    assert kept[-1].text.startswith("1069|23")


def test_no_more_games_are_begun_than_are_wanted(caplog: pytest.LogCaptureFixture) -> None:
    """A game that runs when enough are played would have to be left: it is not joined."""

    def serve(guest: Guest) -> None:
        guest.let_in()
        asked(guest)
        guest.say("1023|h,1,PL=4", "9999|1")
        assert guest.hear() == "9999|1"
        guest.say("1056|g")  # dismissed, and so there is room again
        assert guest.hear() == "1011|me,-,g"
        asked(guest, "h")
        guest.say(*[text.replace("|g", "|h", 1) for text in OVER])

    with caplog.at_level(logging.WARNING):
        results, _ = play(serve, games=1)
    assert [bool(result.points) for result in results] == [False, True]
    assert "h: not joined: as many games as are wanted are played or running" in caplog.text


def test_a_game_that_its_server_keeps_is_told_at_its_end() -> None:
    """People may stay at a table that is over: its result waits for nobody, and is told once."""
    told = list[Result]()
    ended = threading.Event()

    def serve(guest: Guest) -> None:
        begun(guest)
        guest.say(*OVER[:2])
        assert ended.wait(10)
        guest.say("1056|g")
        assert guest.hear() == "1011|me,-,g"
        shut(guest)

    def done(result: Result) -> None:
        told.append(result)
        ended.set()

    with server(serve) as (port, _):
        robot = Robot(Account("127.0.0.1", port, "", "me"), Thinker(), done=done)
        results = list(robot.run())
    assert results == told == [Result("g", 1, (2, 10, 2, 2))]


def test_games_are_left_when_enough_is_played() -> None:
    left = threading.Event()

    def serve(guest: Guest) -> None:
        begun(guest)
        guest.say(*OVER[:2])
        assert guest.hear_until("1011|") == "1011|me,-,g"
        left.set()

    play(serve, games=1)
    assert left.is_set()
