"""Matches: seats, deals, workers, interruptions."""

import json
import os
import signal
import time
from contextlib import contextmanager
from dataclasses import replace

import pytest

from facedown.arena.match import run_match
from facedown.core import CHANCE, FacedownError, RuleError, SpecError, derive
from facedown.store.records import read_records
from support import SUPPORT
from support.running import started

PLAYERS = SUPPORT / "players.py"
GAMES = SUPPORT / "arena_games.py"
FIRST, LAST = f"{PLAYERS}:First", f"{PLAYERS}:Last"


def played(tmp_path, game, agents, games, seed=3, jobs=1, **options):
    """The result and the records of a match."""
    file = tmp_path / f"games-{jobs}.jsonl"
    file.unlink(missing_ok=True)
    result = run_match(game, agents, games, seed, jobs, save=file, **options)
    return result, list(read_records(file))


def chance(record):
    return [move.text for move in record.moves if move.player == CHANCE]


def timeless(record):
    moves = tuple(replace(move, seconds=0.0) for move in record.moves)
    return replace(record, moves=moves, started="")


def test_seats_rotate_and_every_rotation_plays_the_same_deal(tmp_path):
    agents = [FIRST, LAST, "random"]
    _, records = played(tmp_path, f"{GAMES}:HighCard", agents, 18)
    for record in records:
        assert record.rotation == record.number % 3
        assert record.deal == record.number // 3
        turned = [agents[(player - record.rotation) % 3] for player in range(3)]
        assert list(record.agents) == turned
    for deal in range(6):
        three = [record for record in records if record.deal == deal]
        assert len({tuple(chance(record)) for record in three}) == 1
        assert {record.deal_seed for record in three} == {derive(3, "deal", deal)}
    assert len({tuple(chance(record)) for record in records}) > 1


def test_deals_are_fresh_without_duplicates_and_seats_still_rotate(tmp_path):
    _, records = played(tmp_path, "kuhn", [FIRST, LAST], 8, duplicate=False)
    assert len({record.deal_seed for record in records}) == 8
    assert [record.agents[0] for record in records] == [FIRST, LAST] * 4


def test_duplicate_deals_cancel_the_luck_of_equal_players():
    result = run_match("kuhn", [FIRST, f"{PLAYERS}:Peeker"], 40, 3)
    assert [agent.mean_payoff for agent in result.agents] == [0.0, 0.0]
    assert result.agents[0].standard_error == 0.0


def test_streams_of_agents_and_deals_never_meet(tmp_path):
    """Agents' seeds, deals' seeds and the seeds of chance's moves are all different."""
    _, records = played(tmp_path, "kuhn", ["random", "random"], 20)
    agents = {derive(3, "agent", number, player) for number in range(20) for player in range(2)}
    deals = {record.deal_seed for record in records}
    draws = {derive(seed, k) for seed in deals for k in range(2)}
    assert len(agents | deals | draws) == 40 + 10 + 20


def test_a_spec_with_a_star_fills_several_seats():
    result = run_match(f"{GAMES}:HighCard", [LAST, f"{FIRST}*2"], 6, 3)
    assert [(agent.spec, agent.games) for agent in result.agents] == [(LAST, 6), (FIRST, 12)]
    assert result.agents[0].wins == 6  # who stays alone
    assert result.agents[1].wins == 0


@pytest.mark.parametrize(
    ("agents", "said"),
    [
        (["random"], "kuhn has 2 seats; random would fill 1"),
        (["random*3"], "random\\*3 would fill 3"),
        ([], "no agents would fill 0"),
        (["random", "random*0"], "fills no seat"),
        (["random", "nobody"], "no agent 'nobody'; agents: "),
        (["random", "random:depth=3"], "no option 'depth'"),
    ],
)
def test_wrong_agents_are_refused_before_anything_is_played(agents, said, tmp_path):
    with pytest.raises(SpecError, match=said):
        run_match("kuhn", agents, 2, 1, save=tmp_path / "none.jsonl")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("wrong", [{"games": 0}, {"jobs": 0}, {"clock": 0.0}])
def test_wrong_numbers_are_refused(wrong):
    with pytest.raises(SpecError, match="is wanted"):
        run_match("kuhn", ["random*2"], **{"games": 2, "seed": 1, **wrong})


def test_a_cheat_is_named_in_every_result(tmp_path):
    cheat = f"{PLAYERS}:Cheat:strength=2"
    result, records = played(tmp_path, "kuhn", [cheat, FIRST], 2)
    assert [agent.cheats for agent in result.agents] == [True, False]
    assert [record.cheats for record in records] == [(True, False), (False, True)]
    assert result.notes == (f"{cheat} cheats: it is handed the true position",)
    assert result.to_json()["agents"][0]["cheats"] is True


def test_the_result_as_json_has_what_is_promised():
    told = run_match("kuhn", ["random", f"{PLAYERS}:Raising"], 3, 9).to_json()
    assert json.loads(json.dumps(told)) == told
    assert (told["game"], told["seed"], told["games"]) == ("kuhn", 9, 3)
    assert told["errors"] > 0
    assert told["seconds"] > 0
    promised = [
        "spec",
        "wins",
        "draws",
        "games",
        "win_rate",
        "low",
        "high",
        "mean_payoff",
        "cheats",
    ]
    assert all(set(promised) <= set(agent) for agent in told["agents"])


@pytest.mark.parametrize("game", ["kuhn", f"{GAMES}:HighCard:players=2"])
def test_the_number_of_workers_changes_nothing(tmp_path, game):
    agents = ["random", f"{PLAYERS}:Summarising"]
    done = []
    alone, one = played(tmp_path, game, agents, 61)
    shared, two = played(tmp_path, game, agents, 61, jobs=2, progress=lambda *at: done.append(at))
    assert [timeless(record) for record in one] == [timeless(record) for record in two]
    assert alone.agents == shared.agents
    assert alone.notes == shared.notes
    assert done == [(k, 61) for k in range(1, 62)]


def test_the_same_seed_gives_the_same_games_and_another_seed_others(tmp_path):
    runs = [played(tmp_path, "kuhn", ["random*2"], 20, seed)[1] for seed in (1, 1, 2)]
    first, again, other = ([timeless(record) for record in run] for run in runs)
    assert first == again
    assert [record.payoffs for record in first] != [record.payoffs for record in other]


def test_a_worker_that_dies_gives_a_clear_error():
    with pytest.raises(FacedownError, match="a worker process died"):
        run_match("kuhn", [f"{PLAYERS}:Dying", FIRST], 4, 1, 2, isolate=False)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_fault_of_the_game_stops_the_run_and_keeps_the_games_before_it(tmp_path, jobs):
    file, game = tmp_path / "games.jsonl", f"{GAMES}:Unlucky:players=2"
    said = r"rule 'apply' raised KeyError: 'lost the cards'.*; seed 1; moves: \('deal', 5\), "
    with pytest.raises(RuleError, match=said):
        run_match(game, [FIRST, LAST], 400, 1, jobs, save=file)
    kept = list(read_records(file))
    assert kept
    assert all(chance(record)[0] != "('deal', 5)" for record in kept)


class Stop:
    """A progress callback that breaks the match off."""

    def __init__(self, after, error):
        self.after, self.error = after, error

    def __call__(self, done, total):
        if done >= self.after:
            raise self.error


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_run_keeps_what_was_finished(tmp_path, jobs):
    file = tmp_path / "games.jsonl"
    with pytest.raises(KeyboardInterrupt):
        run_match(
            "kuhn", ["random*2"], 5000, 1, jobs, save=file, progress=Stop(5, KeyboardInterrupt())
        )
    kept = list(read_records(file))
    assert 5 <= len(kept) < 5000
    assert [path.name for path in tmp_path.iterdir()] == ["games.jsonl"]
    numbers = [record.number for record in kept]
    assert numbers == sorted(numbers)


def test_games_that_were_finished_before_an_earlier_one_are_kept_too(tmp_path):
    file = tmp_path / "games.jsonl"
    stop = Stop(3, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        run_match("kuhn", [f"{PLAYERS}:StuckInGameZero*2"], 100, 1, 2, save=file, progress=stop)
    kept = [record.number for record in read_records(file)]
    assert len(kept) >= 3
    assert kept == sorted(kept)
    assert 0 not in kept


SCRIPT = """
import sys
from facedown.arena.match import run_match
if __name__ == "__main__":
    tell = lambda done, total: print(done, flush=True)
    run_match("kuhn", [sys.argv[1] + "*2"], 10000, 1, 2, save=sys.argv[2], progress=tell)
"""


@contextmanager
def under_way(tmp_path):
    """A run of two workers that has finished some games, and the file that it will save."""
    script, file = tmp_path / "script.py", tmp_path / "games.jsonl"
    script.write_text(SCRIPT)
    with started(str(script), f"{PLAYERS}:Patient", str(file)) as process:
        for _ in range(4):
            process.stdout.readline()
        yield process, file


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_stops_the_workers_at_once_and_saves_the_games(tmp_path):
    with under_way(tmp_path) as (process, file):
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=120)
        assert errors.count("KeyboardInterrupt") == 1
        assert 4 <= len(list(read_records(file))) < 10000
        assert gone(process.pid, seconds=60)


def gone(group, seconds):
    """Whether the last process of the group ends in time."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_workers_do_not_outlive_a_run_that_is_killed(tmp_path):
    with under_way(tmp_path) as (process, file):
        os.kill(process.pid, signal.SIGKILL)
        process.communicate(timeout=120)
        assert gone(process.pid, seconds=60)
    assert not file.exists()
