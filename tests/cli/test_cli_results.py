"""`facedown results`, and `facedown replay` of games in the store."""

import csv
import sqlite3
from contextlib import closing

import pytest

from facedown.store.records import read_records
from facedown.store.store import default_place
from support.running import run


@pytest.fixture
def played():
    """A store of two runs."""
    for seed in ("1", "2"):
        match = ("match", "kuhn", "random", "scripted", "--games", "10", "--seed", seed)
        assert run(*match).status == 0


@pytest.mark.usefixtures("played")
def test_runs_are_listed_and_shown():
    listed = run("results", "list")
    assert listed.status == 0
    assert "kuhn random scripted" in listed.out
    assert f"2 runs in {default_place()}" in listed.out
    runs = run("results", "list", "--json").json["runs"]
    assert [(one["id"], one["seed"], one["done"]) for one in runs] == [(1, 1, 10), (2, 2, 10)]
    assert run("results", "list", "--kind", "play", "--json").json["runs"] == []
    shown = run("results", "show", "2")
    assert "win rate (95 %)" in shown.out
    assert "10 of 10 games of kuhn" in shown.out
    plain = run("results", "show", "2", "--json").json
    assert plain["matches"][0]["result"]["seed"] == 2
    assert plain["matches"][0]["revision"] in shown.out


@pytest.mark.usefixtures("played")
def test_games_are_exported_and_imported(tmp_path):
    lines, table = tmp_path / "games.jsonl", tmp_path / "table.csv"
    assert "20 games written" in run("results", "export", "1", "2", "--out", str(lines)).out
    assert len(list(read_records(lines))) == 20
    assert run("replay", str(lines)).status == 0
    again = run("results", "export", "1", "--out", str(lines))
    assert again.status == 2
    assert "--overwrite" in again.err
    assert run("results", "export", "1", "--out", str(lines), "--overwrite").status == 0
    assert run("results", "export", "1", "--out", str(table)).status == 0
    with table.open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 10
    assert "run 3: 10 games" in run("results", "import", str(lines)).out
    assert "run 3: 10 games" in run("results", "import", str(lines)).out
    assert run("results", "verify", "3").status == 0
    wrong = run("results", "export", "1", "--out", str(tmp_path / "games.xls"))
    assert wrong.status == 2
    assert "--as jsonl, csv or parquet" in wrong.err


@pytest.mark.usefixtures("played")
def test_games_of_the_store_are_replayed():
    one = run("replay", "1/3")
    assert one.status == 0
    assert one.out.startswith("game 3: kuhn, seed 1")
    assert "Kuhn poker: pot" in one.out
    assert "10 games replayed to the recorded end" in run("replay", "2").out
    assert run("replay", "1/0/3").out == one.out
    for address, said in (
        ("1/10", "no game 10 in run 1; it has 10 games"),
        ("7", "there is no run 7"),
        ("1/5/3", "no match 5 in run 1"),
    ):
        failed = run("replay", address)
        assert failed.status in (1, 2)
        assert said in failed.err


@pytest.mark.usefixtures("played")
def test_verify_finds_what_was_changed():
    assert "run 2: 10 games replayed to the recorded end" in run("results", "verify").out
    with closing(sqlite3.connect(default_place())) as db:
        db.execute("UPDATE games SET payoffs = '[5.0, -5.0]' WHERE match = 1 AND place = 4")
        db.commit()
    found = run("results", "verify")
    assert found.status == 1
    assert "game 4 of kuhn (seed 1), after ply" in found.out
    assert "agents is not what the games add up to" in found.out
    assert "run 2: 10 games replayed" in found.out


@pytest.mark.usefixtures("played")
def test_runs_are_deleted_after_a_question():
    assert run("results", "delete", "1", stdin="n\n").status == 0
    assert [one["id"] for one in run("results", "list", "--json").json["runs"]] == [1, 2]
    assert "deleted: run 1" in run("results", "delete", "1", "--yes").out
    assert [one["id"] for one in run("results", "list", "--json").json["runs"]] == [2]


def test_a_store_that_is_not_there_is_said_and_not_made(tmp_path):
    for words in (("list",), ("show", "1"), ("verify",), ("delete", "1", "--yes")):
        ran = run("results", *words, "--store", str(tmp_path / "none.db"))
        assert ran.status == 1
        assert "there is no store" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_store_is_said(tmp_path):
    file = tmp_path / "store.db"
    file.write_bytes(b"SQLite format 3\x00" + b"x" * 5000)
    ran = run("match", "kuhn", "random", "random", "--games", "2", "--store", str(file))
    assert ran.status == 1
    assert "it is left as it is" in ran.err
    assert "Traceback" not in ran.err
