"""Preferences among kinds of moves: counted in recorded games, converted from a table."""

import json

import pytest

from facedown import match
from facedown.core import SpecError
from facedown.games.registry import load_game
from facedown.learn.preferences import counted, learnt
from facedown.search.preferences import load_preferences
from facedown.store.records import Forfeit, GameRecord, MoveRecord
from support import EXAMPLES, ROOT
from support.running import run

PEEK = f"{EXAMPLES / 'peek.py'}:Peek"
HUMAN_TABLE = ROOT.parent / "shared/data/settlers_human_type_counts.json"
TABLE = {
    "chosenTypeCount": {"1": 6, "5": 9},
    "typeCount": {"1": 8, "5": 20, "18": 19},
    "chosenTypeCountConditioned": {"1,5": {"1": 6, "5": 1}, "5,18": {"5": 8}},
}


def record(*moves, agents=("a", "b"), **more):
    """A game of Peek: chance deals, then the players in turn."""
    peek, played = load_game(PEEK), []
    position = peek.start()
    for text in moves:
        move = peek.parse_move(text, position.legal())
        played.append(MoveRecord(position.turn(), move, text))
        position.apply(move)
    return GameRecord(
        PEEK, 1, 0, 0, 1, 0, agents, (False, False), tuple(played), (0.0, 0.0), **more
    )


def test_decisions_are_counted_by_hand():
    games = [
        record("deal 2", "above 1?", "guess 3"),
        record("deal 1", "guess 1"),
        record("deal 1", "above 0?", "above 0?", forfeits=(Forfeit(0, "late"),)),
    ]
    found = counted(load_game(PEEK), games, "games")
    assert found.sets == {0b011: (3, 2, 0)}
    assert found.unconditioned() == [3 / 5, 2 / 5, None]
    assert found.about["games"] == 3
    assert found.about["agents"] == {"a": 3, "b": 3}


def test_what_one_agent_chose_is_counted_alone():
    """By its name or its whole spec, wherever it sat."""
    games = [
        record("deal 2", "above 1?", "guess 3", agents=("a:x=1", "b")),
        record("deal 1", "above 0?", "guess 1", agents=("b", "a:x=2")),
    ]
    peek = load_game(PEEK)
    assert counted(peek, games, "games", "a").sets == {0b011: (1, 1, 0)}
    assert counted(peek, games, "games", "a:x=1").sets == {0b011: (1, 0, 0)}
    assert counted(peek, games, "games", "b").about["of"] == "b"
    with pytest.raises(SpecError, match="no decisions by c to learn from"):
        counted(peek, games, "games", "c")


def test_people_who_did_not_agree_are_left_out():
    asked = record("deal 2", "guess 2", agents=("human", "b"), consent=True)
    not_asked = record("deal 2", "above 1?", "guess 2", agents=("human", "b"))
    found = counted(load_game(PEEK), [asked, not_asked], "games")
    assert found.decisions == 1
    assert found.about["left out"] == {"without consent": 1}
    with pytest.raises(SpecError, match="no decisions to learn from, 1 left out without consent"):
        counted(load_game(PEEK), [not_asked], "games")


def test_a_record_that_does_not_fit_is_told():
    wrong = record("deal 2", "guess 2")
    moves = (wrong.moves[0], MoveRecord(0, 9, "guess 9"))
    with pytest.raises(SpecError, match="ply 2: 'guess 9' is not legal"):
        counted(
            load_game(PEEK),
            [GameRecord(**{**vars(wrong), "moves": moves})],
            "games",
        )
    other = GameRecord(**{**vars(wrong), "game": "leduc"})
    with pytest.raises(SpecError, match="games of leduc among those of settlers"):
        counted(load_game("settlers"), [other], "games")


def test_the_command_learns_from_records_and_from_runs(tmp_path):
    records, out, store = tmp_path / "g.jsonl", tmp_path / "p.json", tmp_path / "store.db"
    match(PEEK, ["random", "random"], games=6, seed=3, save=str(records))
    line = ("learn", PEEK, "--about", "preferences", "--out", str(out))
    done = run(*line, "--from", str(records), "--json")
    assert done.status == 0, done.err
    found = load_preferences(out, load_game(PEEK).kind_names)
    assert done.json["decisions"] == found.decisions > 6
    assert "--about preferences" in found.about["command"]
    run("match", PEEK, "random", "random", "--games", "6", "--seed", "3", "--store", str(store))
    again = run(*line, "--overwrite", "--from", "1", "--store", str(store))
    assert again.status == 0, again.err
    assert "sets of legal kinds" in again.out + again.err
    assert load_preferences(out, load_game(PEEK).kind_names).sets == found.sets


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--classifier", "svm"), "--classifier is for models"),
        (("--blocks", "2"), "--blocks is for models"),
        (("--about", "secrets", "--of", "a"), "--of is for preferences and moves"),
    ],
)
def test_what_has_no_meaning_there_is_refused(tmp_path, more, said):
    line = ("learn", PEEK, "--about", "preferences", "--out", str(tmp_path / "p.json"))
    done = run(*line, "--from", "none.jsonl", *more)
    assert (done.status, said in done.err) == (2, True)
    assert not (tmp_path / "p.json").exists()


@pytest.mark.parametrize(
    ("spec", "source", "status", "said"),
    [
        (PEEK, "none.jsonl", 2, "cannot read none.jsonl"),
        ("kuhn", "none.jsonl", 2, "kuhn has no kinds of moves"),
        (PEEK, "77", 1, "there is no run 77"),
    ],
)
def test_nothing_to_learn_from_is_one_line(tmp_path, spec, source, status, said):
    out = tmp_path / "p.json"
    line = ("learn", spec, "--about", "preferences", "--from", source, "--out", str(out))
    store = ("--store", str(tmp_path / "store.db"))
    run("match", "kuhn", "random", "random", "--games", "2", *store)
    done = run(*line, *store)
    assert done.status == status
    assert said in done.err
    assert len(done.err.strip().splitlines()) == 1
    assert not out.exists()


def test_a_table_of_counts_is_converted(tmp_path):
    file = tmp_path / "counts.json"
    file.write_text(json.dumps(TABLE))
    settlers = load_game("settlers")
    found = learnt(settlers, [str(file)])
    kinds = settlers.kind_names
    settle, end, trade = (kinds.index(name) for name in ("settlement", "end turn", "trade"))
    assert found.unconditioned()[settle] == 6 / 8
    assert found.unconditioned()[end] == 9 / 20
    assert found.unconditioned()[trade] == 0
    assert found.conditioned(1 << settle | 1 << end) == pytest.approx({settle: 6 / 7, end: 1 / 7})
    with pytest.raises(SpecError, match="Peek does not say what the types"):
        learnt(load_game(PEEK), [str(file)])
    with pytest.raises(SpecError, match="learnt from alone"):
        learnt(settlers, [str(file), str(file)])
    file.write_text(json.dumps({**TABLE, "typeCount": {"4": 1}}))
    with pytest.raises(SpecError, match="type '4' is none of the game's"):
        learnt(settlers, [str(file)])


@pytest.mark.skipif(not HUMAN_TABLE.exists(), reason="the table is not part of the project")
def test_equation_1_of_the_human_table_is_no_distribution():
    found = learnt(load_game("settlers"), [str(HUMAN_TABLE)])
    assert found.decisions == 7458
    assert len(found.sets) == 105
    assert sum(rate or 0 for rate in found.unconditioned()) == pytest.approx(4.27, abs=0.005)
    unchosen = sum(
        any(bits >> k & 1 and not n for k, n in enumerate(counts))
        for bits, counts in found.sets.items()
    )
    assert unchosen == 78
