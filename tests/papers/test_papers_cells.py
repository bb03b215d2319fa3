"""Cells are played once, kept whole, and never mixed up with those of other settings."""

import json
import math
from dataclasses import replace

import pytest

from facedown.arena.match import MatchInterrupt, run_match
from facedown.arena.random_play import random_match
from facedown.core import SpecError
from facedown.papers import cells as module
from facedown.papers.cells import Cell
from support.tiny_paper import cells, plies, run_of


@pytest.fixture
def played(monkeypatch):
    """The specs of the matches that are played from now on, in their order."""
    games = []

    def counting(game, *args, **kwargs):
        games.append(game)
        return run_match(game, *args, **kwargs)

    monkeypatch.setattr("facedown.arena.match.run_match", counting)
    return games


def test_a_cell_that_was_played_is_not_played_again(tmp_path, played):
    first = run_of(tmp_path).play(cells(run_of(tmp_path)))
    assert played == ["kuhn", "leduc"]
    again = run_of(tmp_path).play(cells(run_of(tmp_path)))
    assert played == ["kuhn", "leduc"]
    assert [one.result for one in again] == [one.result for one in first]
    assert [one.finished for one in again] == [one.finished for one in first]


@pytest.mark.parametrize("changed", [{"games": 12}, {"seed": 2}])
def test_other_settings_are_played_anew_and_leave_the_old_result(tmp_path, played, changed):
    run_of(tmp_path).play(cells(run_of(tmp_path)))
    other = run_of(tmp_path, **changed)
    found = other.play(cells(other))
    assert played == ["kuhn", "leduc"] * 2
    assert {(one.result.games, one.result.seed) for one in found} == {
        (changed.get("games", 10), changed.get("seed", 1))
    }
    run_of(tmp_path).play(cells(run_of(tmp_path)))
    assert len(played) == 4


def test_every_setting_decides_the_file():
    cell = Cell("one", "kuhn", ("random", "random"), 10, 1)
    others = [
        replace(cell, game="leduc"),
        replace(cell, agents=("random*2",)),
        replace(cell, games=11),
        replace(cell, seed=2),
        replace(cell, duplicate=False),
        replace(cell, clock=1.0),
        replace(cell, seats="fixed"),
        replace(cell, measure=plies),
    ]
    assert len({one.file for one in (cell, *others)}) == 9


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path, monkeypatch, played):
    counting = module._played

    def interrupted(cell, *args):
        if cell.game == "leduc":
            raise MatchInterrupt(None)
        return counting(cell, *args)

    run = run_of(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(module, "_played", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run.play(cells(run))
    assert (run.done, run.total, played) == (1, 2, ["kuhn"])
    assert len(list((tmp_path / "table-1").iterdir())) == 1
    run_of(tmp_path).play(cells(run))
    assert played == ["kuhn", "leduc"]


def test_the_file_holds_settings_result_and_numbers(tmp_path):
    cell = Cell("with numbers", "kuhn", ("random*2",), 6, 3, duplicate=False, measure=plies)
    outcome = module.play(cell, tmp_path)
    (file,) = tmp_path.iterdir()  # the games' records are gone
    plain = json.loads(file.read_text())
    assert plain["settings"]["agents"] == ["random*2"]
    assert plain["settings"]["measure"] == "support.tiny_paper.plies"
    assert plain["result"] == outcome.result.to_json()
    assert 4 <= plain["numbers"]["plies"] <= 5
    assert module.load(cell, tmp_path).numbers == plain["numbers"]


def test_a_file_that_is_no_result_is_told_and_kept(tmp_path):
    cell = Cell("one", "kuhn", ("random*2",), 6, 3)
    (tmp_path / cell.file).write_text("{}")
    with pytest.raises(SpecError, match=r"is not a cell's result; remove it"):
        module.load(cell, tmp_path)
    assert (tmp_path / cell.file).read_text() == "{}"


def test_two_cells_of_one_name_are_refused(tmp_path):
    run = run_of(tmp_path)
    with pytest.raises(ValueError, match="share a name"):
        run.play([cells(run)[0]] * 2)


def test_progress_tells_cells_time_and_outcomes(tmp_path):
    steps = []
    run = run_of(tmp_path, tell=steps.append)
    run.play(cells(run))
    finished = [step for step in steps if step.outcome is not None]
    assert [(step.done, step.total) for step in finished] == [(1, 2), (2, 2)]
    assert finished[0].left > 0
    assert finished[1].left == pytest.approx(0)
    assert steps[0].left is None
    assert max(step.games for step in steps) == 10


def test_compiled_random_games_agree_with_a_match():
    """Kuhn: player 0's share of random games, exactly, by counting histories."""
    result = random_match("kuhn", 40_000, seed=5)
    first, second = result.agents
    # check-check and a called bet go to the higher card, which is anybody's; player 0 wins the
    # quarter bet-pass, player 1 the eighth pass-bet-pass; the other five eighths are even.
    assert first.low < 0.25 + 0.625 / 2 < first.high
    assert first.wins + second.wins == 40_000
    assert first.mean_payoff == pytest.approx(-second.mean_payoff)
    assert random_match("kuhn", 40_000, seed=5).agents == result.agents
    assert random_match("kuhn", 40_000, seed=6).agents != result.agents


def test_random_games_count_shared_wins():
    result = random_match("leduc", 2_000, seed=1)
    first, second = result.agents
    assert first.draws == second.draws > 0
    assert first.wins + first.draws + second.wins == 2_000


def test_shared_wins_count_in_the_test_against_an_even_result():
    """Leduc at random is close to even; that many games are drawn is no sign of the opposite."""
    first, second = random_match("leduc", 2_000, seed=1).agents
    z = (first.win_rate - 0.5) / (
        ((first.wins + first.draws / 4) / 2000 - first.win_rate**2) / 1999
    ) ** 0.5
    assert first.p_value == pytest.approx(second.p_value)
    assert first.p_value == pytest.approx(math.erfc(abs(z) / math.sqrt(2)), rel=0.05, abs=1e-3)


def test_a_match_that_another_table_has_played_is_not_played_again(tmp_path, played):
    """Whatever it was measured for, where the cell itself measures nothing."""
    cell = Cell("mine", "kuhn", ("random", "random"), 10, 1)
    beside, here = tmp_path / "table-0", tmp_path / "table-1"
    beside.mkdir()
    whole = module.play(replace(cell, name="theirs", measure=plies), beside, jobs=1)
    found = module.load(cell, here)
    assert found is not None
    assert (found.result, found.cell.name) == (whole.result, "mine")
    assert module.load(replace(cell, seed=2), here) is None
    assert module.load(replace(cell, measure=plies), here).numbers == whole.numbers


def test_what_was_not_measured_must_be_played(tmp_path):
    cell = Cell("mine", "kuhn", ("random", "random"), 10, 1)
    module.play(cell, tmp_path, jobs=1)
    assert module.load(replace(cell, measure=plies), tmp_path) is None
