"""The elimination tournament: who meets whom, who goes on, and what a stopped one keeps."""

import json

import pytest

from facedown.arena.match import Fixture
from facedown.arena.sweep import parse_grid
from facedown.cli import main
from facedown.core import SpecError
from facedown.papers import archive
from facedown.papers.calibration import Elimination, Pairing
from facedown.store.store import Store

GRID = {"iterations": ["1", "2", "60"], "c": ["0.5", "1"]}
TINY = ["calibrate", "kuhn", "smooth-uct:d=0.1", "--over", "iterations=1,2,60", "--over",
        "c=0.5,1", "--games", "10", "--seed", "4"]  # fmt: skip


@pytest.fixture
def played(monkeypatch):
    """The agents of the matches that are played from now on."""
    found = []

    real = Fixture.ledger

    def counting(fixture, *args, **kwargs):
        found.append(fixture.specs)
        return real(fixture, *args, **kwargs)

    monkeypatch.setattr(Fixture, "ledger", counting)
    return found


def tournament(grid=GRID, **more):
    return Elimination("kuhn", "smooth-uct", grid, 10, 4, jobs=1, **more)


def test_all_combinations_are_candidates():
    one = tournament()
    assert one.candidates[:2] == ["smooth-uct:iterations=1,c=0.5", "smooth-uct:iterations=1,c=1"]
    assert (len(one.candidates), one.total) == (6, 5)
    own = Elimination("kuhn", "a/b.py:Mine", {"c": ["1"]}, 1, 1)
    assert own.candidates == ["a/b.py:Mine:c=1"]
    own = Elimination("kuhn", "a/b.py:Mine:d=2", {"c": ["1"]}, 1, 1)
    assert own.candidates == ["a/b.py:Mine:d=2,c=1"]


def test_who_wins_goes_on_and_who_loses_is_out(played):
    one = tournament()
    winner = one.play()
    assert [pairing.round for pairing in one.pairings] == [1, 1, 1, 2, 3]
    assert played == [pairing.specs for pairing in one.pairings]
    first = [spec for pairing in one.pairings[:3] for spec in pairing.specs]
    assert sorted(first) == sorted(one.candidates)
    assert first != one.candidates  # the draw is by lot
    left = [pairing.winner for pairing in one.pairings[:3]]
    assert one.pairings[3].specs == tuple(left[:2])
    assert one.pairings[4].specs == (one.pairings[3].winner, left[2])  # left over in round 2
    assert winner == one.pairings[4].winner
    for pairing in one.pairings:
        assert sum(pairing.won) == 10
        assert max(pairing.won) == pairing.won[pairing.specs.index(pairing.winner)]


def test_a_shared_pairing_goes_to_who_was_drawn_first():
    assert Pairing(1, ("a", "b"), (5.0, 5.0), True).winner == "a"
    assert Pairing(1, ("a", "b"), (4.5, 5.5), True).winner == "b"


def test_no_two_pairings_share_their_deals_and_the_seed_decides_all():
    one = tournament()
    one.play()
    assert len({match.seed for match in one.store.matches(one.run)}) == 5
    again = tournament()
    again.play()
    assert again.pairings == one.pairings


def test_a_tournament_that_was_stopped_goes_on_where_it_was(tmp_path, monkeypatch, played, capsys):
    whole = json.loads(_json([*TINY, "--store", str(tmp_path / "whole.db")], capsys))
    real, count = archive.play_match, []

    def stopping(*args):
        count.append(args)
        if len(count) == 4:
            raise KeyboardInterrupt
        return real(*args)

    out = str(tmp_path / "part.db")
    with monkeypatch.context() as patch:
        patch.setattr(archive, "play_match", stopping)
        assert main([*TINY, "--store", out]) == 130
    told = capsys.readouterr().err
    assert "interrupted after 3 of 5 pairings; the same command goes on from there" in told
    played.clear()
    assert json.loads(_json([*TINY, "--store", out], capsys)) == whole
    assert len(played) == 2
    with Store(out) as store:
        (run,) = store.runs()
    assert (run.kind, run.matches, run.done) == ("calibrate", 5, 50)
    assert run.finished


def _json(words, capsys):
    assert main([*words, "--json"]) == 0
    return capsys.readouterr().out


def test_the_command_shows_pairings_and_winner(tmp_path, capsys):
    assert main([*TINY, "--store", str(tmp_path / "store.db")]) == 0
    shown = capsys.readouterr()
    assert "of 6 candidates the winner is smooth-uct:d=0.1,iterations=" in shown.out
    assert "--over iterations=1,2,60 --over c=0.5,1 --games 10 --seed 4" in shown.out
    assert "5 of 5 pairings, about 0 s to go; smooth-uct:d=0.1" in shown.err
    assert main([*TINY, "--store", str(tmp_path / "store.db")]) == 0
    again = capsys.readouterr()
    assert (again.out, again.err) == (shown.out, "")


BAD = {
    "kuhn smooth-uct --over c": "'c' is not OPTION=VALUE,VALUE",
    "kuhn smooth-uct --over c=1,,2": "'c=1,,2' is not OPTION=VALUE,VALUE",
    "kuhn smooth-uct --over c=1,d=2": "'c=1,d=2' is not OPTION=VALUE,VALUE",
    "kuhn smooth-uct --over c=1,1": "'c=1,1' has a value twice",
    "kuhn smooth-uct --over c=1,2 --over c=3": "c is given twice",
    "kuhn smooth-uct --over c=1": "one candidate alone has nobody to meet",
    "kuhn smooth-uct:c=1 --over c=2,3": "c is given twice in 'smooth-uct:c=1,c=2'",
    "kuhn smooth-uct --over speed=1,2": "smooth-uct has no option 'speed'; its options: iterations",
    "kuhn smooth-uct --over c=1,many": "c=many in smooth-uct: a number is wanted",
    "kuhn smooth-uct --over c=1,2 --games 0": "games is 0; at least 1 is wanted",
    "kuhn smooth-uct --over c=1,2 --jobs 0": "jobs is 0; at least 1 is wanted",
    "kuhn nobody --over c=1,2": "no agent 'nobody'",
    "nogame smooth-uct --over c=1,2": "no game 'nogame'",
    "resistance smooth-uct --over c=1,2": "resistance has 5 players; a game for two is wanted",
    "kuhn smooth-uct": "Missing option '--over'",
}


@pytest.mark.parametrize("line", BAD)
def test_what_cannot_be_meant_is_one_line(line, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["calibrate", *line.split()]) == 2
    told = capsys.readouterr()
    assert BAD[line] in told.err
    assert (told.err.startswith("facedown: "), told.err.count("\n"), told.out) == (True, 1, "")
    assert not list(tmp_path.iterdir())


def test_a_grid_keeps_values_as_they_are_written():
    assert parse_grid(["final=mean,visits"]) == {"final": ["mean", "visits"]}
    with pytest.raises(SpecError, match="is not OPTION=VALUE"):
        parse_grid(["=1"])
