"""Records name games; a Python file that one names is not run unless somebody says so."""

import json
from textwrap import dedent

import pytest

from facedown.arena.replay import replay
from facedown.core import SpecError
from facedown.games.registry import load_game, load_recorded
from facedown.store.records import read_records
from support.running import run

RULES = """
    from pathlib import Path

    from facedown.games.kuhn import Kuhn

    Path(__file__).with_suffix(".ran").touch()

    class Mine(Kuhn):
        pass

    class Player:
        def __init__(self, game, player, seed):
            Path(__file__).with_suffix(".played").touch()

        def choose(self, view, legal):
            return legal[0]
"""


@pytest.fixture
def theirs(tmp_path):
    """Records of a game and of agents in a Python file that leaves a trace when it is run."""
    file = tmp_path / "theirs.py"
    file.write_text(dedent(RULES))
    records = tmp_path / "games.jsonl"
    assert (
        run("match", "kuhn", "random", "random", "--games", "2", "--save", str(records)).status == 0
    )
    lines = [json.loads(line) for line in records.read_text().splitlines()]
    for line in lines:
        line |= {"game": f"{file}:Mine", "agents": [f"{file}:Player"] * 2}
    records.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return records


def ran(records):
    return [path.suffix for path in records.parent.iterdir() if path.suffix in (".ran", ".played")]


def test_replay_asks_before_it_runs_what_a_record_names(theirs):
    refused = run("replay", str(theirs))
    assert refused.status == 2
    assert "loading it would run that Python file: --trust runs it, and --rules GAME" in refused.err
    assert ran(theirs) == []
    shown = run("replay", str(theirs), "--rules", "kuhn")
    assert (shown.status, ran(theirs)) == (0, [])
    assert "2 games replayed to the recorded end" in shown.out
    assert run("replay", str(theirs), "--trust").status == 0
    assert ran(theirs) == [".ran"]


def test_nothing_that_reads_records_runs_what_they_name(theirs):
    assert run("results", "import", str(theirs)).status == 0
    for command in (("show", "2"), ("list",), ("export", "2", "--out", str(theirs) + ".csv")):
        assert run("results", *command).status == 0
    assert run("replay", "2/0").status == 2
    verified = run("results", "verify", "2")
    assert verified.status == 1
    assert "loading it would run that Python file" in verified.out
    learnt = run("learn", "cheat", "--from", str(theirs), "--out", str(theirs) + ".skops")
    assert "among those of cheat" in learnt.err
    (record, _) = read_records(theirs)
    with pytest.raises(SpecError, match="--trust"):
        replay(record)
    assert ran(theirs) == []
    assert replay(record, load_game("kuhn")).over
    assert run("results", "verify", "2", "--rules", "kuhn").status == 0
    assert ran(theirs) == []


def test_verify_counts_a_match_without_making_its_agents(theirs):
    file = theirs.with_name("theirs.py")
    match = ("match", "kuhn", f"{file}:Player", "random", "--games", "2", "--no-isolate")
    assert run(*match).status == 0
    for path in theirs.parent.glob("theirs.*"):
        if path.suffix != ".py":
            path.unlink()
    verified = run("results", "verify")
    assert verified.status == 0
    assert ran(theirs) == []


def test_a_pipe_that_a_record_names_keeps_nobody_waiting(tmp_path):
    import os

    os.mkfifo(tmp_path / "rules.kif")
    with pytest.raises(SpecError, match="is no regular file"):
        load_recorded(f"gdl:{tmp_path / 'rules.kif'}")
