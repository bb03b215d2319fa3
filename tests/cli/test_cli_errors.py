"""What cannot be meant gets one line that says what is allowed, and exit status 2."""

import pytest

from support import SUPPORT
from support.running import run

PLAYERS = SUPPORT / "crooked_players.py"

BAD = {
    "match nogame random random": "no game 'nogame'; games: kuhn, leduc, liars-dice",
    "match kuhn noagent random": "no agent 'noagent'; agents: random, scripted",
    "match kuhn so-ismcts:speed=3 random": "no option 'speed'; its options: iterations, seconds",
    "match kuhn so-ismcts:iterations=many random": "iterations=many in so-ismcts: a whole number",
    "match kuhn so-ismcts:iterations=0 random": "iterations=0: at least 1 is wanted",
    "match kuhn so-ismcts:growth=up random": "growth=up in so-ismcts: one of edge, node, player",
    "match kuhn so-ismcts:bandit=none random": "no bandit 'none'; one of ucb1",
    "match kuhn so-ismcts:iterations random": "'iterations' in 'so-ismcts:iterations' is not",
    "match liars-dice:dice=9 random random": "dice=9 in liars-dice: 1 to 3 is allowed",
    "match liars-dice:cups=2 random random": "no option 'cups'; its options: dice, faces, players",
    "match resistance spies=random": "no agent for resistance; SIDE=AGENT is wanted",
    "match resistance spy=random resistance=random": "no side 'spy' in resistance; sides: spies",
    "match resistance spies=random random": "'random' has no side, others have",
    "match kuhn spies=random resistance=random": "kuhn has no sides",
    "match resistance nobody random*4": "bluffer, watchful, reckoner, adept, or path",
    "match resistance:players=4 random*4": "players=4 in resistance: 5 to 10 is allowed",
    "match kuhn random": "kuhn has 2 seats; random would fill 1",
    "match kuhn random*3": "kuhn has 2 seats; random*3 would fill 3",
    "match nofile.py:Game random random": "there is no file nofile.py",
    f"match {PLAYERS}:Nothing random random": "has no class 'Nothing'",
    "match kuhn random random --games 0": "games is 0; at least 1 is wanted",
    "match kuhn random random --jobs 0": "jobs is 0; at least 1 is wanted",
    "match kuhn random random --clock 0": "clock is 0.0; more than 0 seconds is wanted",
    "match kuhn random random --games many": "Invalid value for '--games'",
    "match kuhn random random --save /nowhere/at/all": "cannot write /nowhere/at/all",
    "match kuhn random random --loud": "No such option: --loud",
    "match": "Missing argument 'GAME'",
    "matches": "No such command 'matches'",
    "agents nogame": "no game 'nogame'",
    "bench kuhn random": "random does not search",
    "bench kuhn so-ismcts --seconds 0": "more than 0 is wanted",
    "check nogame": "no game 'nogame'",
    "check kuhn --law none": "no law 'none'; laws:",
    "check kuhn --games 0": "games 0, seconds 60: 1 game at least",
    "exploit kuhn cheating-uct": "cheats",
    "exploit kuhn so-ismcts --iterations few": "whole numbers are wanted",
    "exploit kuhn so-ismcts --mode average": "so its search has no average strategy",
    "replay nofile.jsonl": "cannot read nofile.jsonl",
    "paper nobody2020": "no paper 'nobody2020'; papers: kelly2017",
    "paper nobody2020 table-1": "no paper 'nobody2020'; papers: kelly2017",
    "paper kelly2017 table-9": "kelly2017 has no 'table-9'; it has table-4-1, first-dealer",
    "paper kelly2017 table-4-1 --games 0": "games is 0; at least 1 is wanted",
    "paper kelly2017 table-4-1 --iterations 0": "iterations is 0; at least 1 is wanted",
    "paper kelly2017 table-4-1 --jobs 0": "jobs is 0; at least 1 is wanted",
    "paper kelly2017 first-dealer --iterations 9": "nobody searches in first-dealer: iterations",
    "paper kelly2017 first-dealer --out /dev/null": "cannot write to /dev/null/kelly2017",
    "play kuhn --seat 2": "seat 2 in kuhn: 0 to 1 is allowed",
    "play kuhn --seat -1": "seat -1 in kuhn: 0 to 1 is allowed",
    "play kuhn --against random,random": "kuhn has 2 seats; you, random, random would fill 3",
    "play kuhn --against nobody": "no agent 'nobody'",
    "play kuhn --hint nobody": "no agent 'nobody'",
    "play kuhn --save /nowhere/at/all": "cannot write /nowhere/at/all",
}


@pytest.mark.parametrize("line", BAD)
def test_one_line_says_what_is_allowed(line):
    ran = run(*line.split())
    assert BAD[line] in ran.err
    assert ran.err.startswith("facedown: ")
    assert ran.err.count("\n") == 1
    assert ran.status == 2
    assert ran.out == ""


def test_a_file_that_is_no_record(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("hello\n")
    ran = run("replay", str(file))
    assert ran.status == 2
    assert ran.err == f"facedown: {file}, line 1: not JSON: Expecting value\n"
    file.write_text("")
    assert run("replay", str(file)).err == f"facedown: {file} holds no games\n"


def test_replay_of_a_game_that_is_not_there(tmp_path):
    file = tmp_path / "games.jsonl"
    run("match", "kuhn", "random", "random", "--games", "2", "--save", str(file))
    ran = run("replay", str(file), "--game", "2")
    assert (ran.status, ran.err) == (2, f"facedown: no game 2 in {file}; it holds 0 to 1\n")


def test_a_rule_that_raises_is_told_with_seed_and_moves():
    ran = run("match", f"{PLAYERS}:Broken", "random", "random", "--seed", "5")
    assert ran.status == 1
    assert ran.err.count("\n") == 1
    assert "rule 'apply' raised KeyError: 'nowhere'" in ran.err
    assert "seed 5; moves: " in ran.err


def test_what_nobody_expected_is_one_line_too(monkeypatch):
    monkeypatch.setattr("facedown.arena.match.keep_match", lambda *a, **k: {}["key"])
    ran = run("match", "kuhn", "random", "random")
    assert ran.status == 1
    assert ran.err == "facedown: unexpected KeyError: 'key' (FACEDOWN_DEBUG=1 shows where)\n"
    monkeypatch.setenv("FACEDOWN_DEBUG", "1")
    with pytest.raises(KeyError):
        run("match", "kuhn", "random", "random")


def test_ctrl_c_anywhere_is_130(monkeypatch):
    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("facedown.arena.bench.load_game", interrupted)
    ran = run("bench", "kuhn")
    assert (ran.status, ran.out, ran.err) == (130, "", "facedown: interrupted\n")


@pytest.mark.parametrize(
    "words",
    [
        ("new", "mine", "--in", "{}"),
        ("report", "--from", "{}"),
        ("report", "--from={}"),
        ("paper", "kelly2017", "first-dealer", "--games", "2", "--out", "{}"),
        ("gdl", "check", "{}"),
        ("replay", "{}"),
        ("results", "import", "{}"),
        ("tournament", "{}.toml", "random"),
    ],
)
def test_a_name_that_is_too_long_for_a_file_gets_one_line(words):
    ran = run(*(word.format("b" * 5000) for word in words))
    assert ran.status in (1, 2)
    assert ran.err.startswith("facedown: ")
    assert ran.err.count("\n") == 1
    assert "unexpected" not in ran.err
    assert len(ran.err) < 2500
