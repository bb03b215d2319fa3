"""Players over real HTTP: matches of both kinds, aborts, garbage, minds that fail."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from facedown.cli import main
from facedown.gdl.library import find
from facedown.gdl.reader import read_file
from facedown.ggp.messages import MAX_BYTES
from facedown.ggp.player import Player
from facedown.ggp.referee import Referee, Setting, sheet
from facedown.ggp.server import PlayerServer
from support import SUPPORT
from support.stand_ins import post

PATIENT = f"{SUPPORT / 'ggp_tables.py'}:Patient"


def served(spec: str) -> Iterator[PlayerServer]:
    player = Player(spec, seed=1)
    player.ready()
    with PlayerServer("127.0.0.1", 0, player) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield server
        server.shutdown()
    player.close()


@pytest.fixture(scope="module")
def searcher() -> Iterator[PlayerServer]:
    yield from served("so-ismcts:iterations=40,models=5")


@pytest.fixture(scope="module")
def patient() -> Iterator[PlayerServer]:
    yield from served(PATIENT)


def rules(name: str) -> str:
    return sheet(find(name), read_file(find(name)))


def start(url: str, name: str, game: str, role: str, clocks: str = "120 25") -> str:
    return post(url, f"(START {name} {role} ({rules(game)}) {clocks})")


@pytest.mark.parametrize(
    ("game", "dialect"), [("tic-tac-toe", None), ("small-poker", None), ("tic-tac-toe", "gdl-ii")]
)
def test_matches_in_sequence_without_a_fault(searcher, patient, game, dialect) -> None:
    setting = Setting(120, 25, 3, dialect)
    report = Referee(find(game), [searcher.url, patient.url], setting).play()
    assert all(asked.answer == "ready" for asked in report.ready.values())
    assert [report.faults(role) for role in report.players] == [{}, {}]
    assert None not in report.goals.values()
    assert post(searcher.url, "(INFO)") == "available"


def test_rules_that_cannot_be_grounded_are_played_lifted(searcher, caplog) -> None:
    counting = """(role a) (init (n zero)) (legal a up) (legal a stop)
        (<= (next (n (s ?x))) (true (n ?x)) (does a up)) (<= (next done) (does a stop))
        (<= terminal (true done)) (<= (goal a 100) (true done))"""
    with caplog.at_level(logging.INFO, "facedown.ggp"):
        assert post(searcher.url, f"(START deep a ({counting}) 120 25)") == "ready"
        assert post(searcher.url, "(PLAY deep NIL)") in ("up", "stop")
        assert post(searcher.url, "(PLAY deep (up))") in ("up", "stop")
        assert post(searcher.url, "(STOP deep (stop))") == "done"
    assert "by the lifted reasoner" in caplog.text


def test_managers_that_shout_and_one_that_minds_case(patient) -> None:
    shouted = rules("monty-hall").upper()
    assert post(patient.url, f"(START LOUD CONTESTANT ({shouted}) 120 25)") == "ready"
    assert post(patient.url, "(PLAY LOUD 0 NIL NIL)").startswith("(PICK ")
    assert post(patient.url, "(PLAY LOUD 1 (PICK 2) ())") == "NOOP"
    assert post(patient.url, "(PLAY LOUD 1 (PICK 2) ())") == "NOOP"  # asked again
    assert post(patient.url, "(PLAY LOUD 2 NOOP ((OPENED 3)))") in ("NOOP", "SWITCH")
    assert post(patient.url, "(STOP LOUD 3 SWITCH ((CAR-BEHIND 1)))") == "done"
    mixed = rules("monty-hall").replace("pick", "Pick")
    assert post(patient.url, f"(START m contestant ({mixed}) 120 25)") == "ready"
    assert post(patient.url, "(PLAY m 0 NIL NIL)").startswith("(Pick ")
    assert post(patient.url, "(ABORT m)") == "aborted"


def test_the_first_move_may_be_asked_for_again(patient, caplog) -> None:
    """In GDL too, where messages have no numbers: nothing was done, so nothing can be told."""
    assert start(patient.url, "twice", "tic-tac-toe", "oplayer") == "ready"
    with caplog.at_level(logging.WARNING, "facedown.ggp"):
        assert post(patient.url, "(PLAY twice NIL)") == "noop"
        assert post(patient.url, "(PLAY twice NIL)") == "noop"
        assert post(patient.url, "(PLAY twice ((place 2 2) noop))").startswith("(place ")
        assert post(patient.url, "(PLAY twice (noop (place 1 1)))") == "noop"
    assert caplog.text == ""
    assert post(patient.url, "(STOP twice ((place 1 2) noop))") == "done"


def test_a_manager_that_does_not_say_how_long_its_message_is(patient) -> None:
    """The line stays open: the message is over when its parentheses are closed."""
    with socket.create_connection(patient.server_address[:2], timeout=60) as line:
        line.sendall(b"POST / HTTP/1.0\r\nSender: GAMEMASTER\r\nReceiver: PLAYER\r\n\r\n(ABORT ")
        time.sleep(0.05)
        line.sendall(b"nothing)")
        assert b"no match nothing" in line.makefile("rb").read()


def test_the_older_dialect_tells_percepts_alone(patient) -> None:
    assert start(patient.url, "old", "monty-hall", "contestant") == "ready"
    picked = post(patient.url, "(PLAY old NIL)")
    assert picked.startswith("(pick ")
    assert post(patient.url, "(PLAY old ())") == "noop"
    other = "2" if picked == "(pick 3)" else "3"
    assert post(patient.url, f"(PLAY old ((opened {other})))") in ("noop", "switch")
    assert post(patient.url, "(STOP old ((car-behind 1)))") == "done"


def test_what_cannot_be_is_played_on_with_a_guess(patient, caplog) -> None:
    """The manager opens the door that was picked: no history of the game has that."""
    assert start(patient.url, "odd", "monty-hall", "contestant", clocks="120 6") == "ready"
    post(patient.url, "(PLAY odd 0 NIL NIL)")
    post(patient.url, "(PLAY odd 1 (pick 1) ())")
    with caplog.at_level(logging.WARNING, "facedown.ggp"):
        guess = post(patient.url, "(PLAY odd 2 noop ((opened 1)))")
    assert guess in ("noop", "switch")  # the moves of that step, whatever has happened
    assert "no history of" in caplog.text
    assert post(patient.url, "(PLAY odd 3 noop ((goats 1)))") in ("noop", "switch")
    assert post(patient.url, "(STOP odd NIL)") == "done"


def test_one_match_at_a_time(patient) -> None:
    assert start(patient.url, "one", "monty-hall", "contestant") == "ready"
    assert post(patient.url, "( INFO )") == "busy"
    assert start(patient.url, "two", "monty-hall", "contestant") == "busy"
    assert post(patient.url, "(PLAY two 0 NIL NIL)") == "busy"
    assert post(patient.url, "(ABORT two)") == "busy"
    assert post(patient.url, "(ABORT one)") == "aborted"
    assert post(patient.url, "(INFO)") == "available"
    assert post(patient.url, "(PLAY one 0 NIL NIL)") == '(error "no match one is played here")'


UNREADABLE = {
    "((role a)": "no rule for legal",
    "((role a) (<= p (q ()))": "an empty pair of parentheses",
    "((init a))": "no roles",
    "((role a))": "no rule for legal",
    "(" * 300 + ")" * 300: "parentheses nest deeper than 100",
    "((role \ufffd\x00))": "a control character",
}


@pytest.mark.parametrize("text", UNREADABLE, ids=range(len(UNREADABLE)))
def test_rules_that_cannot_be_read(patient, text) -> None:
    for message in (f"(START bad a {text} 60 10)", f"(PREVIEW {text} 60)"):
        said = post(patient.url, message)
        assert said.startswith('(error "')
        assert UNREADABLE[text] in said
        assert post(patient.url, "(INFO)") == "available"


def test_a_role_that_nobody_plays_and_a_preview(patient) -> None:
    said = start(patient.url, "m", "monty-hall", "random")
    assert said == "(error \"nobody plays 'random' here, roles: contestant\")"
    assert post(patient.url, f"(PREVIEW ({rules('monty-hall')}) 60)") == "ready"
    assert post(patient.url, "(INFO)") == "available"


def test_an_abort_while_thinking_and_a_match_after_it(patient) -> None:
    assert start(patient.url, "long", "tic-tac-toe", "xplayer", "120 600") == "ready"
    replies: list[str] = []
    thinking = threading.Thread(
        target=lambda: replies.append(post(patient.url, "(PLAY long NIL)", 600))
    )
    thinking.start()
    time.sleep(0.5)
    assert (post(patient.url, "(INFO)"), replies) == ("busy", [])
    began = time.monotonic()
    assert post(patient.url, "(ABORT long)") == "aborted"
    thinking.join(60)
    assert replies == ["aborted"]
    assert time.monotonic() - began < 60
    assert post(patient.url, "(INFO)") == "available"
    assert start(patient.url, "next", "tic-tac-toe", "xplayer") == "ready"
    assert post(patient.url, "(PLAY next NIL)").startswith("(place ")
    assert post(patient.url, "(STOP next NIL)") == "done"


# --- garbage -------------------------------------------------------------------------------------


def exchange(server: PlayerServer, data: bytes) -> bytes:
    """Send bytes as they are; what comes back."""
    with socket.create_connection(server.server_address[:2], timeout=60) as line:
        line.sendall(data)
        line.shutdown(socket.SHUT_WR)
        parts = []
        while part := line.recv(1 << 16):
            parts.append(part)
    return b"".join(parts)


def request(body: bytes, length: str | None = None) -> bytes:
    size = str(len(body)) if length is None else length
    return b"POST / HTTP/1.0\r\nContent-length: " + size.encode() + b"\r\n\r\n" + body


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (request(b"(INFO)"), b"available"),
        (request(b""), b'(error "not a message'),
        (request(b"\xff\xfe\x00garbage("), b'(error "not a message'),
        (request(b"(" * 100_000), b'(error "not a message'),
        (request(b"(play m " + b"(" * 100_000), b"parentheses nest deeper than 100"),
        (request(b"(INFO)", "99999999999"), b"413"),
        (request(b"(INFO)", str(MAX_BYTES + 1)), b"more than 4,100,000 bytes"),
        (request(b"(INFO)", "-1"), b"Content-Length is wanted"),
        (b"POST / HTTP/1.0\r\n\r\n(INFO)", b"available"),  # it does not say how long it is
        (b"POST / HTTP/1.0\r\n\r\n(PLAY m (noop", b""),
        (b"POST / HTTP/1.0\r\n\r\n", b""),
        (b"GET / HTTP/1.0\r\n\r\n", b"a player of facedown: available"),
        (b"BREW / HTTP/1.0\r\n\r\n", b"501"),
        (b"\x16\x03\x01\x02\x00\x01", b""),
        (request(b"(INFO)", "100"), b""),  # the rest never comes
    ],
    ids=range(15),
)
def test_garbage_is_answered_and_the_player_stays(patient, data, said) -> None:
    assert said in exchange(patient, data)
    assert post(patient.url, "(INFO)") == "available"


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.binary(max_size=80), st.binary(max_size=80).map(request)))
def test_any_bytes_leave_the_player_there(patient, data) -> None:
    exchange(patient, data)
    assert post(patient.url, "(INFO)") == "available"


PIECES = ["(START m xplayer (RULES) 60 20)", "(PLAY m NIL)", "(PLAY m ((place 1 1) noop))"]
PIECES += ["(PLAY m 1 noop ())", "(PLAY x NIL)", "(STOP m NIL)", "(ABORT m)", "(PLAY m (a b c))"]
PIECES += ["(PREVIEW (RULES) 5)", "(START m oplayer ((role a)) 60 20)", "(INFO)", "(PLAY m (noop"]


@settings(max_examples=15)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=8))
def test_messages_in_any_order(patient, messages) -> None:
    sheet_sent = rules("tic-tac-toe")
    for message in messages:
        assert post(patient.url, message.replace("RULES", sheet_sent)).strip()
    assert post(patient.url, "(ABORT m)") in ("aborted", '(error "no match m is played here")')
    assert post(patient.url, "(INFO)") == "available"


# --- before anything is played -------------------------------------------------------------------


def test_a_player_that_cannot_be(capsys) -> None:
    assert main(["ggp", "player", "--port", "0", "--agent", "nobody"]) == 2
    assert "no agent 'nobody'; agents: random" in capsys.readouterr().err
