"""`facedown match` and `facedown replay`."""

import json
import re

import pytest

from facedown.arena import workers
from facedown.store.records import read_records
from support import SUPPORT
from support.running import program, run

PLAYERS = SUPPORT / "crooked_players.py"


def test_json_is_one_object_with_all_that_is_asked():
    ran = run("match", "kuhn", "so-ismcts:iterations=50", "random", "--games", "10", "--json")
    assert ran.status == 0
    assert ran.out.count("\n") == 1
    result = ran.json
    assert result["game"] == "kuhn"
    assert (result["games"], result["errors"]) == (10, 0)
    assert 0 <= result["seed"] < 2**64
    assert result["seconds"] > 0
    assert [agent["spec"] for agent in result["agents"]] == ["so-ismcts:iterations=50", "random"]
    for agent in result["agents"]:
        assert agent["games"] == 10
        assert 0 <= agent["low"] <= agent["win_rate"] <= agent["high"] <= 1
        assert agent["win_rate"] == (agent["wins"] + agent["draws"] / 2) / 10
        assert agent["cheats"] is False
    assert sum(agent["mean_payoff"] for agent in result["agents"]) == pytest.approx(0)


@pytest.mark.parametrize("jobs", [pytest.param("1", marks=pytest.mark.slow), "2"])
def test_what_an_agent_prints_is_no_part_of_the_json(jobs):
    match = ("match", "kuhn", f"{PLAYERS}:Talks", "random", "--games", "4", "--jobs", jobs)
    ran, apart = program(*match, "--no-isolate", "--json"), program(*match, "--json")
    assert ran.json["games"] == apart.json["games"] == 4
    assert "hm" in ran.err
    assert apart.err == ""


def timeless(result):
    return {key: value for key, value in result.items() if key not in ("seconds", "run")}


def test_a_seed_reproduces_and_jobs_change_nothing():
    match = ("match", "kuhn", "so-ismcts:iterations=50", "random", "--games", "12", "--json")
    first, again = (run(*match, "--seed", "7", "--new").json for _ in range(2))
    assert first["run"] != again["run"]
    assert timeless(first) == timeless(again)
    assert timeless(run(*match, "--seed", "7", "--jobs", "2", "--new").json) == timeless(first)
    seeds = {run(*match, "--new").json["seed"] for _ in range(2)}
    assert len(seeds) == 2


def test_the_table_says_how_to_get_it_again():
    ran = run("match", "kuhn", "random", "scripted", "--games", "20", "--no-duplicate")
    again = re.search(r"^again: facedown (.*)$", ran.out, re.MULTILINE)
    assert again is not None
    assert "--no-duplicate" in again[1]
    shown = run(*again[1].split())
    assert shown.out.splitlines()[:4] == ran.out.splitlines()[:4]
    for name in ("agent", "games", "wins", "draws", "win rate (95 %)", "payoff ± se", "p"):
        assert name in ran.out.splitlines()[0]


def test_an_agent_that_cheats_is_marked():
    match = ("match", "kuhn", "cheating-uct:iterations=20", "random", "--games", "4")
    shown = run(*match).out
    assert "CHEATS" in shown
    assert "cheating-uct:iterations=20 cheats: it is handed the true position" in shown
    assert [agent["cheats"] for agent in run(*match, "--json").json["agents"]] == [True, False]


def test_forfeits_are_counted_with_their_reasons():
    match = ("match", "kuhn", f"{PLAYERS}:Raises", "random", "--games", "4", "--seed", "1")
    result = run(*match, "--json").json
    assert result["errors"] == 4
    assert result["agents"][0]["win_rate"] == 0
    assert "forfeited 4 games: ValueError: no idea" in run(*match).out


def test_the_clock_forfeits():
    slow = run(
        "match", "kuhn", f"{PLAYERS}:Slow", "random", "--games", "2", "--clock", "0.05", "--json"
    )
    assert slow.json["errors"] == 2


def test_games_are_saved_and_replayed_to_the_same_end(tmp_path):
    file = tmp_path / "games.jsonl"
    match = ("match", "leduc", "so-ismcts:iterations=20", "scripted", "--games", "6")
    shown = run(*match, "--save", str(file))
    assert f"games recorded in {file}" in shown.out
    assert len(list(read_records(file))) == 6
    replayed = run("replay", str(file))
    assert replayed.status == 0
    assert replayed.out.count("\ngame ") + 1 == 6
    assert "6 games replayed to the recorded end" in replayed.out
    one = run("replay", str(file), "--game", "5")
    assert one.out.startswith("game 5: leduc")
    assert "Leduc hold'em: pot" in one.out
    assert "so-ismcts:iterations=20" in one.out


def test_a_record_that_was_tampered_with_fails(tmp_path):
    file = tmp_path / "games.jsonl"
    run("match", "kuhn", "random", "random", "--games", "2", "--save", str(file))
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    lines[1]["payoffs"] = [5.0, -5.0]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    ran = run("replay", str(file))
    assert ran.status == 1
    assert "payoffs [5.0, -5.0] recorded" in ran.out
    assert "1 of 2 games did not come to the recorded end" in ran.out


def test_a_match_that_looks_long_uses_every_core(monkeypatch):
    monkeypatch.setattr(workers, "LONG_SECONDS", 0.5)
    monkeypatch.setattr(workers, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr("facedown.arena.backends.cores", lambda: 2)
    used = []
    monkeypatch.setattr(
        "facedown.arena.backends.play_in_workers",
        lambda ledger, jobs: (
            used.append((jobs, ledger.left)) or workers.play_in_workers(ledger, jobs)
        ),
    )
    match = ("match", "kuhn", f"{PLAYERS}:Sleepy", "random", "--games", "60", "--seed", "3")
    result = run(*match, "--json").json
    assert [jobs for jobs, _ in used] == [2]
    assert 0 < used[0][1] <= 58
    assert timeless(result) == timeless(run(*match, "--json", "--jobs", "1", "--new").json)


def test_ctrl_c_shows_what_was_finished_and_the_same_command_goes_on(monkeypatch):
    match = ("match", "kuhn", "random", "random", "--games", "50")
    played = workers.play_planned

    def interrupted(plan, game, number):
        if number == 6:
            raise KeyboardInterrupt
        return played(plan, game, number)

    monkeypatch.setattr(workers, "play_planned", interrupted)
    ran = run(*match)
    assert ran.status == 130
    assert "6 games of kuhn" in ran.out
    assert "interrupted after 6 of 50 games; the same command goes on from there" in ran.err
    monkeypatch.setattr(workers, "play_planned", played)
    rest = run(*match)
    assert "run 1 goes on: 6 of 50 games are there" in rest.err
    assert re.search(r"seed \d+", rest.out)[0] == re.search(r"seed \d+", ran.out)[0]
    assert "50 games of kuhn" in rest.out


def test_a_finished_match_is_shown_and_a_new_one_is_played_on_request():
    match = ("match", "kuhn", "random", "random", "--games", "10")
    first = run(*match)
    assert "--new" not in first.out
    shown = run(*match)
    assert shown.out.startswith(first.out)
    assert re.search(r"run 1, finished \d{4}-.*; --new plays another", shown.out)
    new = run(*match, "--new", "--json").json
    assert new["run"] == 2
    assert new["revision"] == new["current"]


def test_another_revision_is_said(monkeypatch):
    match = ("match", "kuhn", "random", "random", "--games", "10", "--seed", "1")
    first = run(*match, "--json").json
    monkeypatch.setattr("facedown.arena.match.revision", lambda game, agents: "feed")
    shown = run(*match)
    assert f"played by revision {first['revision']} of the code, which is now feed" in shown.out
    assert run(*match, "--new", "--json").json["revision"] == "feed"
    assert "which is now" not in run(*match).out


def test_a_file_that_is_there_is_not_written_over_unless_asked(tmp_path):
    file = tmp_path / "games.jsonl"
    file.write_text("a letter")
    match = ("match", "kuhn", "random", "random", "--games", "4", "--save", str(file))
    refused = run(*match)
    assert refused.status == 2
    assert "is there already, and is left as it is; --overwrite replaces it" in refused.err
    assert file.read_text() == "a letter"
    assert run("results", "list").status == 1  # nothing was played
    assert run(*match, "--overwrite").status == 0
    assert len(list(read_records(file))) == 4


def test_a_match_of_sides_has_one_entry_for_each_side():
    match = ("match", "resistance", "resistance=naive", "spies=random", "--games", "10")
    shown = run(*match, "--seed", "3")
    assert "spies: random" in shown.out
    assert "resistance: naive" in shown.out
    agents = run(*match, "--seed", "3", "--json").json["agents"]
    assert [(agent["side"], agent["spec"], agent["games"]) for agent in agents] == [
        ("spies", "random", 10),
        ("resistance", "naive", 10),
    ]
    assert sum(agent["wins"] for agent in agents) == 10
