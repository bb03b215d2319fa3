"""The commands: records of simulated people, a model from them, and what is refused."""

import json

import pytest
from learning_games import records

from facedown.arena.records import read_records, write_records
from facedown.cli import main


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    file = tmp_path_factory.mktemp("games") / "people.jsonl"
    write_records(file, records())
    return str(file)


def test_people_are_recorded_and_compared_with_what_was_published(tmp_path, capsys):
    file = tmp_path / "games.jsonl"
    words = ["people", "cheat", "--save", str(file), "--pairs", "2", "--matches", "1"]
    assert main([*words, "--seed", "4"]) == 0
    out = capsys.readouterr().out
    assert "simulated people, not human players; frozen as f87c25d63a1317d7" in out
    assert "40.4%–44.8%" in out
    assert len(list(read_records(file))) == 2
    assert main([*words, "--seed", "4", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["unchanged"] is True
    assert found["of"] == "simulated people"


def test_learning_compares_and_saves(games, tmp_path, capsys):
    out, plot = tmp_path / "model.skops", tmp_path / "roc.png"
    words = ["learn", "cheat", "--from", games, "--out", str(out), "--plot", str(plot)]
    assert main([*words, "--blocks", "1"]) == 0
    text = capsys.readouterr().out
    for name in ("random-forest", "svm", "decision-tree", "neural-network", "simulated people"):
        assert name in text
    assert plot.read_bytes().startswith(b"\x89PNG")
    spec = f"sdmcts:iterations=20,predictor={out}"
    assert main(["match", "cheat:rounds=6", spec, "person", "--games", "2", "--seed", "1"]) == 0
    quick = ["learn", "cheat", "--from", games, "--out", str(out), "--classifier", "svm"]
    assert main([*quick, "--blocks", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["classifier"] == "svm"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--classifier", "oracle"], "no classifier 'oracle'"),
        (["--blocks", "0"], "--classifier is wanted"),
        (["--blocks", "-1"], "at least 0 is wanted"),
        (["--from", "nowhere.jsonl"], "cannot read nowhere.jsonl"),
    ],
)
def test_what_cannot_be_meant_is_told_and_nothing_is_overwritten(
    words, told, games, tmp_path, capsys
):
    out = tmp_path / "model.skops"
    out.write_bytes(b"what was there")
    assert main(["learn", "cheat", "--from", games, "--out", str(out), *words]) == 2
    assert told in capsys.readouterr().err
    assert out.read_bytes() == b"what was there"


def test_mixed_and_empty_records(games, tmp_path, capsys):
    empty, out = tmp_path / "empty.jsonl", tmp_path / "model.skops"
    empty.touch()
    assert main(["learn", "cheat", "--from", str(empty), "--out", str(out)]) == 2
    assert "nothing to learn from in 0 games" in capsys.readouterr().err
    short = "cheat:rounds=40"
    assert main(["learn", short, "--from", games, "--out", str(out)]) == 2
    assert f"games of cheat among those of {short}" in capsys.readouterr().err
    assert not out.exists()
    assert main(["learn", "cheat", "--from", games, "--out", str(tmp_path)]) == 2
    assert main(["match", "cheat", f"sdmcts:predictor={games}", "random"]) == 2
    assert "is no model of `facedown learn`" in capsys.readouterr().err
