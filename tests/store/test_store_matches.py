"""Matches in a store: found again, gone on with, and the same however often they were stopped."""

import json
import os
import random
import signal
import time
from dataclasses import replace

import pytest

from facedown.arena import match as matches
from facedown.arena import workers
from facedown.arena.apart.seat import Isolation
from facedown.arena.match import (
    MatchInterrupt,
    arrange,
    keep_match,
    play_match,
    recounted,
    run_match,
)
from facedown.arena.planned import play_planned
from facedown.core.files import NewFile
from facedown.games.registry import load_game
from facedown.store.codec import Batch, Packer
from facedown.store.errors import StoreError
from facedown.store.export import export, import_records
from facedown.store.kept import Writer
from facedown.store.records import RecordError, read_records
from facedown.store.store import MEMORY, Store
from support import SUPPORT
from support.running import started

TIMES = {"seconds", "started"}


@pytest.fixture
def file(tmp_path):
    return tmp_path / "store.db"


@pytest.fixture
def store(file):
    with Store(file) as opened:
        yield opened


def timeless(result):
    return {name: value for name, value in result.to_json().items() if name != "seconds"}


def untimed(record):
    """A record without what a clock says."""
    plain = {name: value for name, value in record.to_json().items() if name not in TIMES}
    for move in plain["moves"]:
        move.pop("seconds")
        move.get("summary", {}).pop("seconds", None)
    return plain


def stopped(fixture, kept, after, monkeypatch):
    """Play a match until Ctrl-C comes in the game of this number."""
    with monkeypatch.context() as patch:
        played = workers.play_planned

        def play(plan, game, number):
            if number >= after:
                raise KeyboardInterrupt
            return played(plan, game, number)

        patch.setattr(workers, "play_planned", play)
        with pytest.raises(MatchInterrupt) as stop:
            keep_match(fixture, kept)
    return stop.value.result


def test_a_match_goes_on_where_it_stopped_and_ends_as_if_it_had_not(store, monkeypatch):
    fixture = arrange("kuhn", ["random", "scripted"], 40)
    kept = store.match(fixture.ask(seed=None))
    for after in (7, 8, 31):
        result = stopped(fixture, kept, after, monkeypatch)
        assert result.games == after
        again = store.match(fixture.ask(seed=None))
        assert (again.id, again.seed, again.done) == (kept.id, kept.seed, after)
        kept = again
    result = keep_match(fixture, kept)
    assert timeless(result) == timeless(play_match(fixture, kept.seed))
    with Store(MEMORY) as other:
        whole = other.match(fixture.ask(kept.seed))
        keep_match(fixture, whole)
        assert list(map(untimed, whole.records())) == list(map(untimed, kept.records()))
    assert recounted(store.kept(kept.id), load_game("kuhn")) == []


def test_games_in_any_order_and_twice_are_one_match(store):
    fixture = arrange("kuhn", ["random", "scripted"], 30)
    kept, plan = store.match(fixture.ask(seed=3)), fixture.plan(3)
    order = random.Random(1).sample(range(30), 20)
    with Writer(kept) as writer:
        for number in order + order[:5]:
            writer.add(play_planned(plan, fixture.game, number))
        assert writer.done == 20
        writer.flush()
        assert sorted([*order, *writer.missing()]) == list(range(30))
    kept = store.kept(kept.id)
    assert (kept.done, kept.solid) == (20, min(set(range(30)) - set(order)))
    assert timeless(keep_match(fixture, kept)) == timeless(play_match(fixture, 3))
    assert [record.number for record in kept.records()] == list(range(30))


def written(kept, games):
    with Writer(kept) as writer:
        for record in games:
            writer.add(record)
        writer.finish(None)


def test_a_game_that_cannot_be_packed_costs_no_other(store):
    """Not one of those in the same batch; it is told, and still missing for whoever goes on."""
    fixture = arrange("kuhn", ["random", "random"], 6)
    plan, kept = fixture.plan(1), store.match(fixture.ask(seed=1))
    games = [play_planned(plan, fixture.game, number) for number in range(6)]
    games[2] = replace(games[2], deal_seed=1 << 64)
    with pytest.raises(RecordError, match="deal_seed is 18446744073709551616"):
        written(kept, games)
    kept = store.match(fixture.ask(seed=1))
    assert [record.number for record in kept.records()] == [0, 1, 3, 4, 5]
    assert (kept.done, kept.finished) == (5, None)
    with Writer(kept) as writer:
        assert list(writer.missing()) == [2]
        writer.add(replace(games[2], deal_seed=7))
        writer.finish(None)
    assert [record.number for record in kept.records()] == list(range(6))


def test_a_batch_that_comes_twice_is_kept_once(store):
    fixture = arrange("kuhn", ["random", "random"], 4)
    plan, kept = fixture.plan(1), store.match(fixture.ask(seed=1))
    packer = Packer(kept.heading)
    rows = [packer.pack(play_planned(plan, fixture.game, number)) for number in range(4)]
    with Writer(kept) as writer:
        for some in (rows[1:3], rows, rows[:2]):
            writer.adopt(Batch(packer.casts.items, packer.words.items, some))
        assert writer.done == 4
    assert [record.number for record in kept.records()] == list(range(4))


def test_a_finished_match_is_not_played_again_unless_a_new_one_is_wanted(store, monkeypatch):
    fixture = arrange("kuhn", ["random*2"], 10)
    first = keep_match(fixture, store.match(fixture.ask(seed=None)))
    monkeypatch.setattr(matches, "play_match", None)
    assert keep_match(fixture, store.match(fixture.ask(seed=None))) == first
    assert keep_match(fixture, store.match(fixture.ask(first.seed))) == first
    assert [run.id for run in store.runs()] == [1]
    other = store.match(fixture.ask(seed=None), new=True)
    assert (other.run, other.done) == (2, 0)
    assert other.seed != first.seed
    assert store.match(fixture.ask(seed=5)).run == 3


@pytest.mark.parametrize(
    "other",
    [
        arrange("kuhn", ["random*2"], 11),
        arrange("kuhn", ["random", "random"], 10),
        arrange("kuhn", ["random*2"], 10, duplicate=False),
        arrange("kuhn", ["random*2"], 10, clock=3.0),
        arrange("leduc", ["random*2"], 10),
    ],
)
def test_other_settings_are_another_match(store, other):
    fixture = arrange("kuhn", ["random*2"], 10)
    assert store.match(fixture.ask(seed=1)).run == 1
    assert store.match(other.ask(seed=1)).run == 2


def test_another_revision_is_shown_as_such_but_never_gone_on_with(store, monkeypatch):
    fixture = arrange("kuhn", ["random*2"], 10)
    begun = store.match(fixture.ask(seed=1))
    stopped(fixture, begun, 4, monkeypatch)
    monkeypatch.setattr(matches, "revision", lambda game, agents: "another")
    fresh = store.match(fixture.ask(seed=1))
    assert (fresh.run, fresh.done, fresh.revision) == (2, 0, "another")
    monkeypatch.undo()
    assert store.match(fixture.ask(seed=1)).run == 1
    keep_match(fixture, store.match(fixture.ask(seed=1)))
    store.delete(2)
    monkeypatch.setattr(matches, "revision", lambda game, agents: "another")
    shown = store.match(fixture.ask(seed=1))
    assert shown.run == 1
    assert shown.finished
    assert shown.revision != "another"


def test_workers_and_this_process_keep_the_same_games(store):
    fixture = arrange("kuhn", ["random", "scripted"], 40)
    kept = [store.match(fixture.ask(seed=9), new=True) for _ in range(2)]
    results = [keep_match(fixture, one, jobs) for one, jobs in zip(kept, (1, 2), strict=True)]
    assert timeless(results[0]) == timeless(results[1])
    here, there = (list(map(untimed, one.records())) for one in kept)
    assert here == there


def test_statistics_are_those_of_a_match_that_nobody_keeps(store):
    for agents, options in (
        (["random", "scripted"], {}),
        (["random*2"], {"duplicate": False}),
        (["cheating-uct:iterations=5", "random"], {}),
    ):
        plain = run_match("kuhn", agents, 12, 5, **options)
        kept = run_match("kuhn", agents, 12, 5, store=store, **options)
        assert timeless(kept) == timeless(plain)
        again = run_match("kuhn", agents, 12, 5, store=store, **options)
        assert again == kept


def test_a_run_that_is_deleted_is_gone_and_the_others_stay(store):
    for seed in (1, 2):
        run_match("kuhn", ["random*2"], 200, seed, store=store)
    before = os.path.getsize(store.path)
    store.delete(1)
    assert [run.id for run in store.runs()] == [2]
    assert store.read("SELECT DISTINCT match FROM games") == [(2,)]
    assert store.damage() == []
    with pytest.raises(StoreError, match="there is no run 1"):
        store.delete(1)
    run_match("kuhn", ["random*2"], 10, 3, store=store)
    assert [run.id for run in store.runs()] == [2, 3]  # no number comes again
    assert os.path.getsize(store.path) <= before


def test_games_go_out_and_come_in_again_as_they_were(store, tmp_path):
    run_match("kuhn", ["so-ismcts:iterations=20", "random"], 10, 1, store=store)
    out = tmp_path / "games.jsonl"
    (match,) = store.matches(1)
    assert export([match], NewFile(out)) == (10, out)
    assert list(read_records(out)) == list(match.records())
    taken = import_records(store, out)
    assert list(taken.records()) == list(match.records())
    assert import_records(store, out).run == taken.run
    again = tmp_path / "again.jsonl"
    export([taken], NewFile(again))
    assert again.read_text() == out.read_text()


def test_tables_have_a_row_for_every_game(store, tmp_path):
    import csv

    run_match("kuhn", ["random", "scripted"], 10, 1, store=store)
    (match,) = store.matches(1)
    out = tmp_path / "games.csv"
    assert export([match], NewFile(out)) == (10, out)
    with out.open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row, record in zip(rows, match.records(), strict=True):
        assert [float(row[f"payoff_{p}"]) for p in range(2)] == list(record.payoffs)
        assert [row[f"agent_{p}"] for p in range(2)] == list(record.agents)
        assert (int(row["plies"]), int(row["deal_seed"])) == (len(record.moves), record.deal_seed)
        assert row["started"] == record.started


def test_parquet_has_the_moves_too(store, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    run_match("kuhn", ["random", "scripted"], 10, 1, store=store)
    (match,) = store.matches(1)
    out = tmp_path / "games.parquet"
    assert export([match], NewFile(out)) == (10, out)
    for row, record in zip(parquet.read_table(out).to_pylist(), match.records(), strict=True):
        assert [row[f"payoff_{p}"] for p in range(2)] == list(record.payoffs)
        assert row["moves"] == [move.text for move in record.moves]
        assert row["players"] == [move.player for move in record.moves]


def test_finished_games_are_there_within_a_second(store):
    """The thread commits them, however long the next game takes."""
    fixture = arrange("kuhn", ["random*2"], 10)
    kept, plan = store.match(fixture.ask(seed=1)), fixture.plan(1)
    with Store(store.path) as onlooker, Writer(kept) as writer:
        writer.add(play_planned(plan, fixture.game, 0))
        deadline = time.monotonic() + 20  # for a machine that has much else to do
        while not onlooker.kept(kept.id).done and time.monotonic() < deadline:
            time.sleep(0.05)
        assert onlooker.kept(kept.id).done == 1


# --- kill -9 -----------------------------------------------------------------------------------

SLEEPY = f"{SUPPORT / 'crooked_players.py'}:Sleepy"


def killed_and_resumed(file, agents, games, seed, kills, jobs, isolate):
    """How often a match was killed at random moments, and its result in the end."""
    draw, deaths = random.Random(seed), 0
    apart = "--isolate" if isolate else "--no-isolate"
    words = (*agents, "--games", str(games), "--seed", str(seed), "--jobs", jobs, apart)
    command = ("match", "kuhn", *words, "--store", str(file), "--json")
    while deaths < kills:
        before = _done(file)
        with started("-m", "facedown", *command) as process:
            while _done(file) == before and process.poll() is None:
                time.sleep(0.02)
            time.sleep(draw.uniform(0, 0.7))
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
        if process.returncode != -signal.SIGKILL:
            break  # it was finished before
        deaths += 1
        with Store(file) as store:
            assert store.damage() == []
        assert _done(file) > before
    with started("-m", "facedown", *command) as last:
        out, err = last.communicate(timeout=600)
    assert last.returncode == 0, err
    return deaths, json.loads(out)


def _done(file):
    """The games that a store has, read as another process does."""
    if not file.exists():
        return 0
    with Store(file, create=False) as store:
        return sum(run.done for run in store.runs())


def check_kills(file, agents, games, seed, kills, jobs, isolate=False):
    """Kill a match now and then; it must end as if it had not been. How often it was killed."""
    deaths, result = killed_and_resumed(file, agents, games, seed, kills, jobs, isolate)
    fixture = arrange("kuhn", agents, games, isolation=Isolation(isolate))
    plan = fixture.plan(seed)
    with Store(file) as store, Store(MEMORY) as other:
        (match,) = store.matches(1)
        whole = other.match(fixture.ask(seed))
        expected = timeless(keep_match(fixture, whole))
        assert {name: result[name] for name in expected} == json.loads(json.dumps(expected))
        assert list(map(untimed, match.records())) == list(map(untimed, whole.records()))
        assert [record.number for record in match.records()] == list(range(plan.games))
        assert recounted(match, load_game(match.game)) == []
    return deaths


def test_a_match_that_is_killed_now_and_then_ends_as_if_it_had_not_been(file):
    assert check_kills(file, [SLEEPY, "random"], 60, seed=5, kills=2, jobs="1") >= 1


@pytest.mark.slow
def test_so_does_one_of_isolated_agents(file):
    agents = [SLEEPY, "random"]
    assert check_kills(file, agents, 30, seed=6, kills=1, jobs="1", isolate=True) >= 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_a_hundred_kills_change_nothing(file, seed):
    """Short games, of which a batch has hundreds, and long ones; in one process and in workers.

    There are five kills each, 120 in all, but for matches that are finished before the fifth.
    """
    agents, games = ([SLEEPY, "random"], 250) if seed % 4 < 2 else (["random", "scripted"], 15_000)
    assert check_kills(file, agents, games, seed, kills=5, jobs="12"[seed % 2]) >= 1
