"""Games of people at the terminal: recorded with their times and their consent, learnt from."""

import json
import random
import time

import pytest

from facedown.learn.corpus import PEOPLE, read_corpus
from facedown.store.records import read_records
from facedown.table.terminal import Terminal
from support.running import run

PAUSE = 0.004


@pytest.fixture
def slow(monkeypatch):
    """People who take their time over every answer."""
    ask = Terminal.ask

    def thoughtful(self, *args):
        time.sleep(PAUSE)
        return ask(self, *args)

    monkeypatch.setattr(Terminal, "ask", thoughtful)


def sit(file, seed, *words):
    """A sitting of one game: any answers, of which those that are no move are asked again."""
    some = ["true higher 1", "true lower 1", "true higher 1", "lie higher 1", "take", "1"]
    answers = random.Random(seed).choices(some, k=600)
    stdin = "\n".join(answers)
    line = ["play", "cheat", "--against", "scripted", "--no-quiz", "--once", "--seed", str(seed)]
    ran = run(*line, "--save", str(file), *words, stdin=stdin)
    assert (ran.status, ran.err) == (0, "")


def test_games_of_people_are_learnt_from_as_they_are(tmp_path, slow):
    file, out = tmp_path / "mine.jsonl", tmp_path / "mine.skops"
    for seed in range(4):
        sit(file, seed, "--consent")
    records = list(read_records(file))
    assert [record.seed for record in records] == [0, 1, 2, 3]
    assert all(record.consent and not record.assisted for record in records)
    corpus = read_corpus("cheat", [file])
    assert (corpus.kind, len(corpus.pairs), dict(corpus.left_out)) == (PEOPLE, 1, {})
    claims = [
        move.seconds for record in records for move in record.moves
        if move.player == 0 and move.move < 16
    ]  # fmt: skip
    times = corpus.values[:, corpus.features.names.index("response")].tolist()
    assert set(times) <= set(claims)
    assert min(times) >= PAUSE
    words = ["learn", "cheat", "--from", str(file), "--out", str(out), "--json"]
    ran = run(*words, "--classifier", "decision-tree", "--blocks", "0")
    assert ran.status == 0
    assert ran.json["of"] == "people"
    assert ran.json["samples"] == len(corpus)
    spec = f"sdmcts:iterations=5,adapt=true,predictor={out}"
    assert run("match", "cheat:rounds=8", spec, "random", "--games", "1").status == 0


def test_records_of_people_hold_no_name(tmp_path):
    file = tmp_path / "mine.jsonl"
    sit(file, 7, "--consent")
    plain = json.loads(file.read_text())
    assert plain["agents"] == ["human", "scripted"]
    assert set(plain) == {
        "format", "facedown", "game", "seed", "number", "deal", "deal_seed", "rotation", "agents",
        "cheats", "moves", "payoffs", "forfeits", "assisted", "consent", "started",
    }  # fmt: skip
    own = [move for move in plain["moves"] if move["player"] == 0]
    assert all(set(move) == {"player", "move", "text", "seconds"} for move in own)


def test_who_did_not_agree_is_not_learnt_from(tmp_path):
    file, out = tmp_path / "mine.jsonl", tmp_path / "mine.skops"
    sit(file, 8)
    assert [record.consent for record in read_records(file)] == [False]
    ran = run("learn", "cheat", "--from", str(file), "--out", str(out))
    assert ran.status == 2
    assert "nothing to learn from in 1 games, 1 of them without consent" in ran.err
    sit(file, 9, "--consent")  # appended: what was agreed to holds for its own game
    assert [record.consent for record in read_records(file)] == [False, True]
    assert dict(read_corpus("cheat", [file]).left_out) == {"without consent": 1}
