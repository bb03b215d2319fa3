"""The referee: what players are told, what stands in for them, what is kept."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import threading
import time

import pytest

from facedown.cli import main
from facedown.core import FacedownError, SpecError
from facedown.gdl.library import find
from facedown.ggp.referee import Referee, Setting
from facedown.ggp.remote import address_of, ask_all
from support.stand_ins import ready_or, stand_in

SETTING = Setting(start_clock=20, play_clock=20, seed=3)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def first_free(message: str) -> str:
    """Where nobody has marked yet, as far as this message tells."""
    return "(place 1 1)" if "nil" in message else "noop"


def test_a_game_of_gdl_and_what_players_are_told() -> None:
    moves = {0: "(place 1 1)", 2: "(PLACE 1 2)", 4: " ( place 1 3 ) \n"}
    others = {1: "(place 2 1)", 3: "(place 2 2)"}
    turns = {"x": 0, "o": 0}

    def by(table: dict[int, str], name: str):
        def move(message: str) -> str:
            turns[name] += 1
            return table.get(turns[name] - 1, "noop")

        return ready_or(move)

    with stand_in(by(moves, "x")) as (x, told), stand_in(by(others, "o")) as (o, _):
        report = Referee(find("tic-tac-toe"), [x, o], SETTING).play()
    assert report.goals == {"xplayer": 100, "oplayer": 0}
    assert (report.faults("xplayer"), report.faults("oplayer")) == ({}, {})
    assert re.fullmatch(
        r"\(START tic-tac-toe\.\w+ xplayer \(\(role xplayer\) .*\) 20 20\)", told[0]
    )
    name = report.match
    assert told[1:] == [
        f"(PLAY {name} nil)",
        f"(PLAY {name} ((place 1 1) noop))",
        f"(PLAY {name} (noop (place 2 1)))",
        f"(PLAY {name} ((place 1 2) noop))",
        f"(PLAY {name} (noop (place 2 2)))",
        f"(STOP {name} ((place 1 3) noop))",
    ]


def test_a_game_of_gdl_ii_and_what_players_are_told() -> None:
    def move(message: str) -> str:
        turn = message.split()[2]
        return {"0": "(pick 1)", "1": "noop", "2": "switch"}[turn]

    with stand_in(ready_or(move)) as (url, told):
        report = Referee(find("monty-hall"), [url], SETTING).play()
    (hidden, opened, _) = report.steps
    assert hidden.percepts == {"contestant": []}
    (door,) = opened.percepts["contestant"]
    assert opened.moves["random"] == door.replace("opened", "open")
    car = hidden.moves["random"].replace("hide", "car-behind")
    name = report.match
    assert told[1:] == [
        f"(PLAY {name} 0 nil nil)",
        f"(PLAY {name} 1 (pick 1) ())",
        f"(PLAY {name} 2 noop ({door}))",
        f"(STOP {name} 3 switch ({car}))",
    ]
    assert report.goals == {"contestant": 0 if car == "(car-behind 1)" else 100}


def test_rules_in_gdl_can_be_told_as_gdl_ii() -> None:
    with (
        stand_in(ready_or(first_free)) as (x, told),
        stand_in(ready_or(lambda message: "noop")) as (o, _),
    ):
        setting = Setting(20, 20, 3, "gdl-ii")
        report = Referee(find("tic-tac-toe"), [x, o], setting).play()
    assert "(sees ?r1 (did ?r2 ?m))" in told[0]
    assert re.search(r" 1 \(place 1 1\) \(\(did oplayer noop\) \(did xplayer \(", told[2])
    assert len(report.steps) >= 5


def test_a_player_that_is_late_gets_moves_drawn_for_it() -> None:
    def late(message: str) -> str:
        time.sleep(1.5)
        return "noop"

    with stand_in(ready_or(late)) as (url, told):
        report = Referee(find("monty-hall"), [url], Setting(20, 1, 3)).play()
    assert report.faults("contestant") == {"late": 3}
    assert report.steps[0].moves["contestant"].startswith("(pick ")
    assert f" 1 {report.steps[0].moves['contestant']} ()" in told[2]
    assert report.goals["contestant"] in (0, 100)


def test_a_player_that_answers_nonsense_gets_moves_drawn_for_it() -> None:
    answers = iter(["(place 9 9)", ")(", '(error "x")', "?x", "", "(place 1 1)"] * 3)
    with (
        stand_in(ready_or(lambda message: next(answers))) as (x, _),
        stand_in(ready_or(lambda message: "noop")) as (o, _),
    ):
        report = Referee(find("tic-tac-toe"), [x, o], Setting(20, 20, 3)).play()
    faults = [step.asked["xplayer"].fault for step in report.steps[:5]]
    assert faults == ["illegal", "unreadable", "illegal", "unreadable", "unreadable"]
    assert set(report.faults("oplayer")) == {"illegal"}


def test_the_stand_in_moves_come_from_the_seed() -> None:
    played = []
    for seed in (1, 1, 2):
        with stand_in(ready_or(lambda message: "nonsense")) as (url, _):
            report = Referee(find("mastermind"), [url], Setting(20, 20, seed)).play()
        played.append([step.moves for step in report.steps])
    assert played[0] == played[1] != played[2]


def test_nobody_there_and_a_busy_player() -> None:
    with stand_in(ready_or(first_free)) as (x, told):
        nobody = f"http://127.0.0.1:{free_port()}"
        with pytest.raises(FacedownError, match=f"no player answers at {nobody}, which is to play"):
            Referee(find("tic-tac-toe"), [x, nobody], SETTING).play()
        assert told[-1].startswith("(ABORT tic-tac-toe.")
    with (
        stand_in(lambda message: "busy") as (url, _),
        pytest.raises(FacedownError, match="is busy"),
    ):
        Referee(find("monty-hall"), [url], SETTING).play()


def test_mistakes() -> None:
    for urls in ([], ["http://a:1"] * 3):
        with pytest.raises(SpecError, match="one for each role is wanted: xplayer, oplayer"):
            Referee(find("tic-tac-toe"), urls, SETTING)
    for url in ("", "ftp://here", "http://", "http://a:b"):
        with pytest.raises(SpecError, match="is no player's address; http://host:port is wanted"):
            Referee(find("monty-hall"), [url], SETTING)
    with pytest.raises(SpecError, match="would tell players what they cannot see"):
        Referee(find("monty-hall"), ["http://a:1"], Setting(dialect="gdl"))
    with pytest.raises(SpecError, match="at least 1 second is wanted of both"):
        Setting(start_clock=0)


def test_the_command_and_its_log(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "logs" / "match.json"
    with stand_in(ready_or(lambda message: "noop")) as (url, _):
        words = ["ggp", "referee", "monty-hall", "--players", url, "--seed", "3"]
        assert main([*words, "--log", str(log), "--start-clock", "20"]) == 0
        shown, said = capsys.readouterr()
        assert main([*words, "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
    kept = json.loads(log.read_text())
    assert [step["moves"] for step in kept["steps"]] == [step["moves"] for step in told["steps"]]
    assert kept["players"] == {"contestant": url}
    assert kept["steps"][0]["asked"]["contestant"]["fault"] == "illegal"
    assert f"{kept['goals']['contestant']}  1 illegal" in shown
    assert f"logged in {log}" in said
    assert list(log.parent.iterdir()) == [log]


@pytest.mark.parametrize("where", ["", ".", "file/match.json"])
def test_a_log_that_cannot_be_written_is_found_before_the_match(where, tmp_path, capsys) -> None:
    (tmp_path / "file").write_text("here")
    with stand_in(ready_or(lambda message: "noop")) as (url, told):
        path = str(tmp_path / where) if where else ""
        assert main(["ggp", "referee", "monty-hall", "--players", url, "--log", path]) == 2
    reasons = {"": "OUT.json is wanted", ".": "it is a folder"}
    assert reasons.get(where, "cannot write to") in capsys.readouterr().err
    assert told == []


def test_a_log_whose_place_is_taken_meanwhile_goes_beside_it(tmp_path, capsys) -> None:
    log = tmp_path / "match.json"

    def spoil(message: str) -> str:
        log.mkdir(exist_ok=True)
        return "noop"

    with stand_in(ready_or(spoil)) as (url, _):
        words = ["ggp", "referee", "monty-hall", "--players", url, "--seed", "3"]
        assert main([*words, "--log", str(log), "--json"]) == 0
    shown, said = capsys.readouterr()
    beside = tmp_path / "match-2.json"
    assert json.loads(beside.read_text())["goals"] == json.loads(shown)["goals"]
    assert f"logged in {beside}" in said


def test_a_match_that_breaks_off_is_logged_as_far_as_it_came(tmp_path, capsys) -> None:
    rules, log = tmp_path / "stuck.kif", tmp_path / "match.json"
    rules.write_text(
        "(role a) (init (n 0)) (<= (legal a go) (true (n 0))) (<= (next (n 1)) (true (n 0)))"
        "(<= terminal (true (n 2))) (goal a 100)"
    )
    with stand_in(ready_or(lambda message: "go")) as (url, told):
        assert main(["ggp", "referee", str(rules), "--players", url, "--log", str(log)]) == 1
    assert "a has no legal move after 1 steps" in capsys.readouterr().err
    assert told[-1].startswith("(ABORT ")
    kept = json.loads(log.read_text())
    assert [step["moves"] for step in kept["steps"]] == [{"a": "go"}]
    assert kept["goals"] == {}


def test_of_several_goals_the_highest_counts_with_a_warning(tmp_path, capsys) -> None:
    rules = tmp_path / "both.kif"
    rules.write_text(
        "(role a) (init new) (legal a go) (<= (next old) (true new)) (<= terminal (true old))"
        "(goal a 30) (goal a 70)"
    )
    with stand_in(ready_or(lambda message: "go")) as (url, _):
        assert main(["ggp", "referee", str(rules), "--players", url, "--json"]) == 0
    shown, said = capsys.readouterr()
    warning = "a has several goals at the end, of which the highest counts: 30, 70"
    assert json.loads(shown)["goals"] == {"a": 70}
    assert json.loads(shown)["warnings"] == [warning]
    assert f"warning: {warning}" in said


def test_a_player_that_drips_does_not_keep_a_thread() -> None:
    """Each byte comes in time, the answer never does."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        done = threading.Event()

        def drip() -> None:
            line, _ = door.accept()
            with line, contextlib.suppress(OSError):
                line.sendall(b"HTTP/1.0 200 OK\r\n\r\n")
                while not done.wait(0.05):
                    line.sendall(b"n")

        threading.Thread(target=drip, daemon=True).start()
        address = address_of(f"http://127.0.0.1:{door.getsockname()[1]}")
        before = set(threading.enumerate())
        assert ask_all([address], ["(INFO)"], 0.4)[0].fault == "late"
        for call in set(threading.enumerate()) - before:
            call.join(10)
            assert not call.is_alive()
        done.set()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tic-tac-toe"], "0 given; one for each role is wanted: xplayer, oplayer"),
        (["tic-tac-toe", "--players", "a", "b", "c"], "3 given; one for each role"),
        (["tic-tac-toe", "--players", "a", "b", "--dialect", "x"], "gdl or gdl-ii is wanted"),
        (["tic-tac-toe", "--players", "a", "b", "--play-clock", "0"], "at least 1 second"),
        (["no-such-game", "--players", "a"], "no rule file 'no-such-game'"),
    ],
)
def test_what_cannot_be_meant_is_status_2(words, said, capsys) -> None:
    assert main(["ggp", "referee", *words]) == 2
    assert said in capsys.readouterr().err
