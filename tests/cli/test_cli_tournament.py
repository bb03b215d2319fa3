"""`facedown tournament`."""

import json
from itertools import pairwise

import pytest

from facedown.arena import workers
from facedown.commands.pace import Pace
from support.running import run

AGENTS = ("so-ismcts:iterations=20", "random", "scripted")
CUP = ("tournament", "kuhn", *AGENTS, "--games", "10")


def test_it_shows_who_met_whom_and_how_strong_all_are():
    ran = run(*CUP, "--seed", "3")
    assert ran.status == 0
    assert "Elo (95 %)" in ran.out
    assert all(ran.out.count(agent) >= 3 for agent in AGENTS)
    assert "run 1: 30 games of kuhn, round-robin, seed 3" in ran.out
    assert ran.err.count(" in 10 games") == 3
    words = ran.out.split("again: facedown ")[1].split()
    again = run(*words)
    assert "finished" in again.out
    assert "--new plays another" in again.out
    assert again.err == ""
    assert run(*words, "--new", "--json").json["run"] == 2


def test_ctrl_c_says_how_to_go_on_and_the_same_command_does(monkeypatch):
    whole = run(*CUP, "--seed", "3", "--json", "--store", ":memory:").json
    once, count = workers.play_planned, iter(range(1000))

    def stopping(*given):
        if next(count) == 14:
            raise KeyboardInterrupt
        return once(*given)

    monkeypatch.setattr(workers, "play_planned", stopping)
    ran = run(*CUP, "--seed", "3")
    assert ran.status == 130
    assert "interrupted after 14 games of run 1; the same command goes on from there" in ran.err
    rest = run(*CUP, "--seed", "3", "--json")
    assert "run 1 goes on: 14 games are there" in rest.err
    drop = ("revisions",)
    assert {k: v for k, v in rest.json.items() if k not in drop} == {
        k: v for k, v in whole.items() if k not in drop
    }


def test_a_file_describes_it_and_the_command_line_has_the_last_word(tmp_path):
    file = tmp_path / "cup.toml"
    file.write_text(
        'game = "kuhn"\nagents = ["so-ismcts:iterations=9"]\nform = "elimination"\ngames = 8\n'
        "seed = 4\n[over]\nc = [0.3, 0.7, 1.5]\n"
    )
    result = run("tournament", str(file), "--games", "4", "--json").json
    assert (result["seed"], result["games"], result["form"]) == (4, 8, "elimination")
    assert len(result["order"]) == 3
    shown = run("tournament", str(file), "--games", "4")
    assert f"{result['order'][0]} wins" in shown.out


def test_an_elimination_over_a_grid_calibrates():
    """Section 4.6 of Bitan and Kraus: there is no second command for it."""
    words = ("--over", "iterations=1,60", "--over", "c=0.5,1", "--games", "8", "--seed", "4")
    grid = ("tournament", "kuhn", "smooth-uct:d=0.1", "--form", "elimination", *words)
    found = run(*grid, "--json").json
    assert sorted(found["order"]) == [
        f"smooth-uct:d=0.1,iterations={n},c={c}" for n in (1, 60) for c in ("0.5", "1")
    ]
    one = run("tournament", "kuhn", "smooth-uct", "--form", "elimination", "--over", "c=1")
    assert (one.status, one.err.count("\n")) == (2, 1)
    assert "1 agents are given; elimination wants at least 2" in one.err


def test_one_against_many_needs_no_form():
    result = run("tournament", "kuhn", "random", "--against", "scripted", "--games", "4", "--json")
    assert [one["agents"] for one in result.json["met"]] == [["random", "scripted"]]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("kuhn",), "a tournament wants agents"),
        (("kuhn", "random", "scripted", "--form", "cup"), "no form 'cup'"),
        (("kuhn", "random", "scripted", "--over", "c"), "'c' is not OPTION=VALUE,VALUE"),
        (("none.toml",), "cannot read none.toml"),
        (("kuhn", "random", "random"), "random is given twice"),
    ],
)
def test_what_cannot_be_meant_is_one_line(words, said):
    ran = run("tournament", *words)
    assert ran.status == 2
    assert ran.out == ""
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_results_show_and_verify_know_it():
    run(*CUP, "--seed", "3", "--margin", "0.2")
    assert "so-ismcts:iterations=20" in run("results", "show", "1").out
    assert run("results", "verify").status == 0
    listed = json.loads(run("results", "list", "--json").out)["runs"]
    assert [(one["kind"], one["matches"]) for one in listed] == [("tournament", 3)]


def test_in_a_pipe_lines_become_fewer():
    now = [0.0]
    pace, lines = Pace(lambda: now[0]), []
    for second in range(1, 2000):
        now[0] = float(second)
        pace.start(second)
        if pace.line_due():
            lines.append(second)
    assert lines[0] == 11
    gaps = [b - a for a, b in pairwise(lines)]
    assert gaps == sorted(gaps)
    assert len(lines) < 15
