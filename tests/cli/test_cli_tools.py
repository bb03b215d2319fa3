"""`facedown bench`, `check`, `exploit`, `demo`."""

import io
import re
from contextlib import redirect_stderr

import pytest

from facedown.commands.screen import Notes
from facedown.core.jit import Kernel
from facedown.games.registry import GAMES
from support import EXAMPLES, SUPPORT
from support.running import run

PLAYERS = SUPPORT / "crooked_players.py"
FIELDS = {
    "game",
    "agent",
    "iterations_per_second",
    "playouts_per_second",
    "nodes",
    "bytes",
    "seconds",
}


def test_bench_of_one_game():
    ran = run("bench", "leduc", "mo-ismcts:iterations=2000", "--json")
    assert set(ran.json) >= FIELDS
    assert (ran.json["game"], ran.json["agent"]) == ("leduc", "mo-ismcts:iterations=2000")
    assert ran.json["iterations"] == 2000
    assert ran.json["playouts_per_second"] > 0
    shown = run("bench", "leduc", "mo-ismcts:iterations=2000").out
    assert f"{ran.json['nodes']:,}" in shown


def test_bench_counts_the_same_nodes_every_time():
    bench = ("bench", "liars-dice", "so-ismcts:iterations=1000", "--json")
    assert run(*bench).json["nodes"] == run(*bench).json["nodes"] > 10


def test_bench_of_a_small_and_of_a_large_tree(monkeypatch):
    """Without a budget: decisions of few iterations and one of many, with their memory."""
    monkeypatch.setattr("facedown.arena.bench.STEPS", (200, 4000))
    monkeypatch.setattr("facedown.arena.bench.SECONDS", 0.02)
    small, large = run("bench", "leduc", "mo-ismcts", "--json").json["all"]
    assert (small["iterations"], large["iterations"]) == (200, 4000)
    assert small["nodes"] < large["nodes"]
    assert small["iterations_per_second"] == pytest.approx(200 / small["seconds"])
    assert small["playouts_per_second"] == large["playouts_per_second"] > 0


def test_bench_of_every_game():
    ran = run("bench", "--seconds", "0.02", "--json")
    assert set(ran.json) >= FIELDS
    assert ran.json["game"] == "kuhn"
    assert [one["game"] for one in ran.json["all"]] == list(GAMES)
    assert ran.json["seconds"] < 0.5


def test_bench_of_plain_rules_and_of_an_agent_that_cheats():
    assert run("bench", f"{EXAMPLES / 'bluff.py'}:Bluff", "--seconds", "0.02").status == 0
    assert run("bench", "kuhn", "cheating-uct:iterations=50").status == 0


def test_check_of_a_sound_game():
    ran = run("check", "kuhn", "--games", "3", "--law", "payoffs")
    assert ran.status == 0
    assert "kuhn: no law is broken" in ran.out
    assert re.search(r"held +payoffs", ran.out)
    assert run("check", "kuhn", "--games", "3", "--law", "payoffs", "--json").json["ok"] is True


def test_check_of_a_broken_game_says_where():
    ran = run("check", f"{PLAYERS}:Broken", "--games", "3")
    assert ran.status == 1
    assert re.search(r"BROKEN +rules-run", ran.out)
    assert "KeyError: 'nowhere'" in ran.out
    assert "seed " in ran.out
    assert run("check", f"{PLAYERS}:Broken", "--games", "3", "--json").json["ok"] is False


def test_exploit():
    ran = run("exploit", "kuhn", "smooth-uct", "--mode", "average", "--iterations", "100,2_000")
    assert ran.status == 0
    assert "uniform play has 0.4583" in ran.out
    found = run("exploit", "kuhn", "scripted", "--seeds", "200", "--json").json
    assert found["points"][0]["exploitability"] < 0.2  # Kuhn's equilibrium, from few samples
    assert found["uniform"] == pytest.approx(11 / 24)


@pytest.fixture(scope="module")
def shown():
    return run("demo", "--quick")


def test_demo_shows_what_there_is(shown):
    assert shown.status == 0
    for words in (
        "the match holds the true position",
        "cheating-uct CHEATS",
        "determinized-uct",
        "iterations/s",
        "leduc in plain Python ",
        "mean ± error",
        "expects: raise",
        "player 0 holds J",
        "cribbage          so-ismcts – scripted",
        "Who are the spies?",
        "spies: 1 and 3",
        "facedown play leduc",
    ):
        assert words in shown.out
    assert max(map(len, shown.out.splitlines())) <= 80


def test_demo_is_the_same_again_where_another_process_compiles_ahead(shown, monkeypatch):
    def lasting(text):
        return re.sub(r"(?s)How fast.*?One position", "", text).rpartition("That took")[0]

    monkeypatch.setattr(Kernel, "known", False)
    ran = run("demo", "--quick")
    assert ran.status == 0
    assert lasting(ran.out) == lasting(shown.out)
    assert "Rules of thumb against moves at random." in ran.out


def test_compiling_is_told_in_few_lines():
    err = io.StringIO()
    with redirect_stderr(err):
        notes = Notes()
        notes.games(1, 2)
        for rule in ("start", "turn"):
            notes.compiling(f"kuhn: {rule}", None)
            notes.compiling(f"kuhn: {rule}", 1.25)
        notes.compiling("search: search", None)
        notes.compiling("search: search", 10.0)
        notes.games(1, 2)
        notes.games(2, 2)
        notes.clear()
    assert err.getvalue().splitlines() == [
        "compiling kuhn (once; it is kept for the next time) ...",
        "compiling search (once; it is kept for the next time) ...",
        "compiled 3 functions in 12.5 s",
    ]


def test_winning_writes_what_it_learns(tmp_path, monkeypatch):
    monkeypatch.setattr("facedown.arena.winning.DEALS", 2000)
    file = tmp_path / "learnt.npz"
    command = ("winning", "--hands", "8", "--seed", "3", "--agent", "random", "--out", str(file))
    found = run(*command, "--json").json
    assert found["hands"] == 8
    assert 0 < found["first_dealer"] < 1
    assert file.is_file()
    assert run(*command, "--overwrite").out.endswith(
        f"wins {found['first_dealer']:.1%} of games (8 hands)\n"
    )


def test_winning_says_what_is_wrong_before_it_begins(tmp_path):
    nowhere = run("winning", "--out", str(tmp_path / "no" / "file.npz"))
    assert nowhere.status == 2
    assert "cannot write" in nowhere.err
    none = run("winning", "--hands", "0", "--out", str(tmp_path / "file.npz"))
    assert (none.status, "at least 1 is wanted" in none.err) == (2, True)
    unknown = run("winning", "--agent", "nobody", "--out", str(tmp_path / "file.npz"))
    assert (unknown.status, "no agent 'nobody'" in unknown.err) == (2, True)


def test_analyse():
    ran = run("analyse", "kuhn", "--seconds", "1")
    assert ran.status == 0
    assert re.search(r"of winners +0\.500 +exact", ran.out)
    assert re.search(r"try first: \S+ \(", ran.out)
    command = ("analyse", "leduc", "--samples", "20", "--seed", "3", "--json")
    found, again = run(*command).json, run(*command).json
    assert (found["exact"], found["samples"], found["searched"]) == (False, 20, 2)
    assert 0.0 <= found["disambiguation"]["value"] <= 0.2
    assert {**found, "seconds": 0} == {**again, "seconds": 0}
    assert run("analyse", "kuhn", "--samples", "0").status == 2
    assert "more than 0 is wanted" in run("analyse", "kuhn", "--seconds", "-1").err


@pytest.mark.parametrize(
    "words",
    [
        ("analyse", "kuhn", "--samples", "2"),
        ("exploit", "kuhn", "random", "--seeds", "2"),
        ("people", "cheat", "--pairs", "1", "--matches", "1", "--overwrite", "--save", "p.jsonl"),
    ],
)
def test_a_seed_is_drawn_told_and_can_be_given(words, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    first, second = (run(*words, "--json").json["seed"] for _ in range(2))
    assert first != second
    assert run(*words, "--seed", str(first), "--json").json["seed"] == first


def test_a_calibration_goes_on_with_the_seed_that_was_drawn(tmp_path):
    words = ("tournament", "kuhn", "so-ismcts:iterations=5", "--form", "elimination")
    words += ("--over", "c=0.5,1", "--games", "2")
    first, again = (run(*words, "--store", f"{tmp_path}/s.db", "--json").json for _ in range(2))
    assert first["seed"] == again["seed"]
    assert first["met"] == again["met"]
    other = run(*words, "--store", f"{tmp_path}/other.db", "--json").json
    assert other["seed"] != first["seed"]
