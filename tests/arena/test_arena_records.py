"""Recorded games: written whole, read back, played again to the same end."""

import json
import os
from dataclasses import replace

import pytest

from facedown.arena.match import run_match
from facedown.arena.replay import plies, replay
from facedown.core import CHANCE, SpecError
from facedown.games.registry import load_game
from facedown.store.records import (
    FORMAT,
    RecordError,
    RecordFile,
    from_json,
    read_records,
    version,
    write_records,
)
from support import SUPPORT

PLAYERS, GAMES = SUPPORT / "players.py", SUPPORT / "arena_games.py"
KINDS = ["kuhn", f"{GAMES}:HighCard:players=2", f"{GAMES}:Numbered:players=2"]


@pytest.fixture
def file(tmp_path):
    return tmp_path / "games.jsonl"


def saved(file, game="kuhn", agents=("random*2",), games=6):
    run_match(game, list(agents), games, 11, save=file)
    return list(read_records(file))


@pytest.mark.parametrize("game", KINDS)
def test_games_come_back_as_they_were_and_replay_to_the_same_end(file, game):
    records = saved(file, game)
    copy = file.with_name("copy.jsonl")
    write_records(copy, records)
    assert list(read_records(copy)) == records
    assert copy.read_text() == file.read_text()
    for record in records:
        end = replay(record, load_game(game))
        assert end.over
        assert tuple(end.payoff()) == record.payoffs


def test_a_record_has_all_that_the_form_promises(file):
    record = saved(file, agents=(f"{PLAYERS}:Summarising", f"{PLAYERS}:Cheat"), games=1)[0]
    plain = json.loads(file.read_text())
    assert (plain["format"], plain["facedown"]) == (FORMAT, version())
    assert (plain["game"], plain["seed"], plain["number"]) == ("kuhn", 11, 0)
    assert plain["cheats"] == [False, True]
    assert plain["moves"][0]["player"] == "chance"
    assert plain["moves"][2]["summary"] == {"visits": [3, 4], "mean": None, "5": [1, 2]}
    assert "summary" not in plain["moves"][3]
    assert plain["assisted"] is False
    assert plain["started"].endswith("+00:00")
    assert record.moves[0].player == CHANCE


def test_forfeited_games_replay_too(file):
    for record in saved(file, agents=(f"{PLAYERS}:Illegal", "random")):
        assert record.forfeits
        assert not replay(record).over


def test_every_ply_can_be_looked_at(file):
    record = saved(file)[0]
    seen = list(plies(record))
    assert [move for move, _ in seen] == list(record.moves)
    assert [position.over for _, position in seen] == [False] * (len(seen) - 1) + [True]
    assert len({position.digest() for _, position in seen}) == len(seen)


def test_moves_are_found_by_text_whatever_their_numbers(file):
    game = load_game(KINDS[1])
    for record in saved(file, KINDS[1]):
        renumbered = replace(
            record, moves=tuple(replace(move, move=move.move + 40) for move in record.moves)
        )
        assert tuple(replay(renumbered, game).payoff()) == record.payoffs


def changed(record, ply, **fields):
    moves = list(record.moves)
    moves[ply] = replace(moves[ply], **fields)
    return replace(record, moves=tuple(moves))


def test_a_record_that_differs_is_refused_with_game_and_ply(file):
    record = saved(file)[0]
    name = r"game 0 of kuhn \(seed 11\)"
    same_card = changed(record, 1, text=record.moves[0].text)
    with pytest.raises(RecordError, match=rf"{name}, ply 2: 'deal .' is not legal; legal: deal"):
        replay(same_card)
    with pytest.raises(RecordError, match=r"ply 3: player 1 played .* but it is player 0's turn"):
        replay(changed(record, 2, player=1))
    with pytest.raises(RecordError, match="but it is over"):
        replay(replace(record, moves=(*record.moves, record.moves[-1])))
    with pytest.raises(RecordError, match="no end, it is player"):
        replay(replace(record, moves=record.moves[:-1]))
    with pytest.raises(
        RecordError, match=rf"payoffs \[9.0, -9.0\] recorded, \[{record.payoffs[0]}"
    ):
        replay(replace(record, payoffs=(9.0, -9.0)))
    with pytest.raises(RecordError, match="not for 2 players"):
        replay(replace(record, payoffs=(1.0,)))


def test_a_fault_of_the_game_in_a_replay_is_named(file):
    record = saved(file, KINDS[1])[0]
    broken = load_game(f"{GAMES}:Raises:players=2")
    with pytest.raises(RecordError, match="ply 4: rule 'apply' raised KeyError"):
        replay(record, broken)


def spoilt(**fields):
    return lambda plain: plain.update(fields)


def spoilt_move(**fields):
    return lambda plain: plain["moves"][1].update(fields)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (spoilt(format=99), "format is 99; this version of facedown reads 1"),
        (lambda plain: plain.pop("format"), "no format"),
        (lambda plain: plain.pop("payoffs"), "no payoffs"),
        (lambda plain: plain["moves"][1].pop("text"), "no text"),
        (spoilt(seed="x"), "seed is 'x'; a whole number is wanted"),
        (spoilt(seed=True), "seed is True; a whole number is wanted"),
        (spoilt(cheats=[False]), "cheats has 1 items, one for each agent is wanted"),
        (spoilt(agents=[1, 2]), "agents has 1; text is wanted"),
        (spoilt(moves=[3]), "moves has 3; an object is wanted"),
        (spoilt(payoffs=["a", "b"]), "payoffs has 'a'; a number is wanted"),
        (spoilt_move(player="dealer"), "player is 'dealer'; a whole number is wanted"),
        (spoilt_move(summary=3), "summary is 3; an object is wanted"),
        (spoilt(forfeits=[{"player": 0}]), "no reason"),
    ],
)
def test_a_spoilt_record_is_refused_with_its_line(file, spoil, said):
    saved(file, games=3)
    lines = file.read_text().splitlines()
    plain = json.loads(lines[1])
    spoil(plain)
    lines[1] = json.dumps(plain)
    file.write_text("\n".join(lines) + "\n")
    with pytest.raises(RecordError, match=f"games.jsonl, line 2: {said}"):
        list(read_records(file))


def test_a_file_that_is_no_record_file_is_refused(file):
    with pytest.raises(RecordError, match=r"cannot read .*No such file"):
        list(read_records(file))
    saved(file, games=2)
    whole = file.read_text()
    file.write_text(whole[:-20])
    with pytest.raises(RecordError, match="line 2: not JSON"):
        list(read_records(file))
    file.write_text(whole + "[1]\n")
    with pytest.raises(RecordError, match="line 3: a record is a JSON object"):
        list(read_records(file))
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RecordError, match="not text in UTF-8"):
        list(read_records(file))


def test_a_file_appears_whole_or_stays_as_it_was(file):
    records = saved(file, games=2)
    before = file.read_text()
    with RecordFile(file, overwrite=True) as growing:
        growing.add(replace(records[0], number=7))
        assert file.read_text() == before
    assert [record.number for record in read_records(file)] == [7]
    with pytest.raises(ZeroDivisionError), RecordFile(file, overwrite=True):
        raise ZeroDivisionError
    assert [record.number for record in read_records(file)] == [7]
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_place_that_cannot_be_written_is_refused_at_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    long = tmp_path / ("x" * 256)
    for place in (tmp_path, tmp_path / "nowhere" / "games.jsonl", pipe, long):
        for overwrite in (False, True):
            with pytest.raises(SpecError, match="cannot write"):
                RecordFile(place, overwrite=overwrite)
        with pytest.raises(SpecError, match="cannot write"):
            run_match("kuhn", ["random*2"], 2, 1, save=place)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]
    assert pipe.is_fifo()


def test_what_is_there_is_not_written_over(file):
    file.write_text("a letter")
    with pytest.raises(SpecError, match=r"games.jsonl is there already.* --overwrite replaces it"):
        run_match("kuhn", ["random*2"], 2, 1, save=file)
    assert file.read_text() == "a letter"


def test_of_two_who_write_one_file_none_replaces_the_other(file):
    records = saved(file.with_name("others.jsonl"), games=2)
    slow = RecordFile(file)
    slow.add(records[0])
    write_records(file, records[1:])
    slow.__exit__(None, None, None)
    assert list(read_records(file)) == records[1:]
    assert slow.path == file.with_name("games-2.jsonl")
    assert list(read_records(slow.path)) == records[:1]
    names = sorted(path.name for path in file.parent.iterdir())
    assert names == ["games-2.jsonl", "games.jsonl", "others.jsonl"]


def test_plain_json_goes_both_ways(file):
    record = saved(file)[0]
    assert from_json(json.loads(json.dumps(record.to_json()))) == record
