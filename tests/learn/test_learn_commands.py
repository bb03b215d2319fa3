"""The commands: records of simulated people, a model from them, and what is refused."""

import json
import math
import pickle
import shutil
from pathlib import Path

import pytest
import skops.io

from facedown.cli import main
from facedown.store.records import read_records, write_records
from support.learning_games import records


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
    assert main([*words, "--seed", "4", "--json"]) == 2
    assert "--overwrite replaces it" in capsys.readouterr().err
    words.append("--overwrite")
    assert main([*words, "--seed", "4", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["unchanged"] is True
    assert found["of"] == "simulated people"
    words[1] = "cheat:rounds=6"
    assert main([*words, "--seed", "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["unchanged"] is None  # nothing was compared


def test_what_is_told_apart_has_the_games_own_words(tmp_path, capsys):
    file, out = str(tmp_path / "bets.jsonl"), str(tmp_path / "model.skops")
    players = ["match", "leduc", "scripted", "random", "--games", "30", "--seed", "1"]
    assert main([*players, "--save", file]) == 0
    words = ["learn", "leduc", "--from", file, "--out", out, "--blocks", "0"]
    assert main([*words, "--classifier", "decision-tree"]) == 0
    told = capsys.readouterr().out
    assert " hands ahead, " in told
    assert " hands not ahead\n" in told


def test_runs_of_the_store_are_learnt_from_and_what_is_learnt_is_kept(tmp_path, capsys):
    out, again = tmp_path / "model.skops", tmp_path / "again.skops"
    players = ["match", "leduc", "scripted", "random", "--games", "30", "--seed", "1"]
    assert main(players) == 0
    words = ["learn", "leduc", "--from", "1", "--out", str(out), "--blocks", "0"]
    assert main([*words, "--classifier", "decision-tree"]) == 0
    capsys.readouterr()
    assert main(["results", "show", "2", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["kind"], shown["name"]) == ("learn", "leduc, secrets from 1")
    assert shown["finished"]
    assert shown["model"]["file"] == "model.skops"
    assert "facedown learn leduc --from 1" in shown["model"]["about"]["command"]
    assert main(["results", "export", "2", "--out", str(again)]) == 0
    assert again.read_bytes() == out.read_bytes()
    assert main(["results", "delete", "2", "--yes"]) == 0
    assert main(["results", "show", "2"]) == 1
    assert "there is no run 2" in capsys.readouterr().err
    words[5] = str(tmp_path / "third.skops")
    assert main([*words, "--classifier", "decision-tree", "--store", "/dev/null"]) == 1
    assert "is no store" in capsys.readouterr().err
    assert not (tmp_path / "third.skops").exists()


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
    assert main([*quick, "--blocks", "0", "--json"]) == 2
    assert "is there already" in capsys.readouterr().err
    assert main([*quick, "--blocks", "0", "--json", "--overwrite"]) == 0
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
    learn = ["learn", "cheat", "--from", games, "--out", str(out), "--overwrite"]
    assert main([*learn, *words]) == 2
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


def test_records_are_not_overwritten_by_a_model_or_a_picture(games, tmp_path, capsys):
    before, out = Path(games).read_bytes(), tmp_path / "model.skops"
    words = ["learn", "cheat", "--from", games]
    assert main([*words, "--out", games]) == 2
    assert "would get the model, but has the records to learn from" in capsys.readouterr().err
    assert main([*words, "--out", str(out), "--plot", games]) == 2
    assert "would get the ROC curves, but has the records" in capsys.readouterr().err
    assert main([*words, "--out", str(out), "--plot", str(out)]) == 2
    assert "would get the ROC curves, but has the model" in capsys.readouterr().err
    assert Path(games).read_bytes() == before
    assert not out.exists()


@pytest.fixture(scope="module")
def model(games, tmp_path_factory):
    """What a good model's file holds."""
    file = tmp_path_factory.mktemp("model") / "good.skops"
    words = ["learn", "cheat", "--from", games, "--out", str(file), "--blocks", "0"]
    assert main([*words, "--classifier", "decision-tree"]) == 0
    return file.read_bytes()


def changed(content, **changes):
    plain = skops.io.loads(content, trusted=skops.io.get_untrusted_types(data=content))
    return skops.io.dumps({**plain, **changes})


BAD_MODELS = {
    "other features": (
        lambda good: changed(good, digest="0", features=["luck"] * 21),
        "was trained on other features than cheat has now (lacks response, ",
    ),
    "no names": (lambda good: changed(good, features=["a"]), "its samples are not of 1 features"),
    "another game": (lambda good: changed(good, game="leduc"), "is a model of leduc"),
    "cut short": (lambda good: good[: len(good) // 2], "is no model of `facedown learn`"),
    "empty": (lambda good: b"", "is no model of `facedown learn`: it is empty"),
    "unsafe": (
        lambda good: changed(good, about={"x": shutil.rmtree}),
        "is not safe to load: it asks for shutil.rmtree",
    ),
    "a pickle": (lambda good: pickle.dumps(shutil.rmtree), "is no model of `facedown learn`"),
}


@pytest.mark.parametrize("kind", BAD_MODELS)
@pytest.mark.parametrize("command", ["match", "play", "bench"])
def test_a_bad_model_is_one_line_wherever_it_is_named(kind, command, model, tmp_path, capsys):
    make, told = BAD_MODELS[kind]
    file, games = tmp_path / "bad.skops", tmp_path / "games.jsonl"
    file.write_bytes(make(model))
    before, spec = file.read_bytes(), f"sdmcts:iterations=5,predictor={file}"
    games.write_text("what was there")
    words = {
        "match": ["match", "cheat", spec, "random", "--save", str(games), "--overwrite"],
        "play": ["play", "cheat", "--against", spec, "--save", str(games), "--no-quiz"],
        "bench": ["bench", "cheat", spec],
    }[command]
    assert main(words) == 2
    err = capsys.readouterr().err
    lines = [line for line in err.splitlines() if not line.startswith("compil")]
    assert len(lines) == 1
    assert told in lines[0]
    assert (file.read_bytes(), games.read_text()) == (before, "what was there")


def test_records_that_are_mixed_or_broken(games, tmp_path, capsys):
    lines, out = Path(games).read_text().splitlines(), tmp_path / "model.skops"
    out.write_bytes(b"what was there")
    other = tmp_path / "agents.jsonl"
    assert main(["match", "cheat", "scripted", "random", "--games", "2", "--save", str(other)]) == 0
    agents = other.read_text().splitlines()
    person, late = json.loads(lines[0]), json.loads(lines[0])
    person["agents"] = ["human", "mga"]
    late["moves"][30]["seconds"] = math.inf
    moon = json.loads(lines[0])
    moon["moves"][20]["text"] = "claim the moon"
    bad = {
        "games of agents and simulated people are mixed": [lines[0], *agents],
        "games of people and simulated people are mixed": [lines[0], json.dumps(person)],
        "1 of them without consent": [json.dumps(person)],
        "line 2: not JSON": [lines[0], lines[1][:-50]],
        "line 1: seconds is inf; a number is wanted": [json.dumps(late)],
        "ply 21: 'claim the moon' is not legal": [json.dumps(moon)],
    }
    for told, content in bad.items():
        file = tmp_path / "bad.jsonl"
        file.write_text("\n".join(content).strip() + "\n")
        learn = ["learn", "cheat", "--from", str(file), "--out", str(out), "--overwrite"]
        assert main(learn) == 2
        assert told in capsys.readouterr().err
    assert main(["learn", "cheat", "--from", str(out), "--out", str(tmp_path / "new")]) == 2
    assert out.read_bytes() == b"what was there"
