"""Cells are matches of the store: played once, found again, never mixed up with other settings."""

import json
import math
from dataclasses import replace

import pytest

from facedown.arena.match import Fixture, MatchInterrupt
from facedown.arena.random_play import random_match
from facedown.core import SpecError
from facedown.papers import archive as module
from facedown.papers import plots
from facedown.papers.archive import Archive
from facedown.papers.cells import EARLIER, Cell, cell_revision, measured_by
from facedown.papers.lines import Lines, ResultFiles, entry_of
from facedown.papers.produce import produce
from facedown.store.store import MEMORY, Store
from support.tiny_paper import cells, plies, run_of


@pytest.fixture(autouse=True)
def _undrawn(monkeypatch):
    """The picture takes longer than all else, and nothing here is about it."""
    monkeypatch.setattr(plots, "lines", lambda file, **more: file.write_bytes(b"a picture"))


@pytest.fixture
def played(monkeypatch):
    """The specs of the games of matches that are played from now on, in their order."""
    games = []

    real = Fixture.ledger

    def counting(fixture, *args, **kwargs):
        games.append(fixture.game.spec)
        return real(fixture, *args, **kwargs)

    monkeypatch.setattr(Fixture, "ledger", counting)
    return games


@pytest.fixture
def store():
    with Store(MEMORY) as opened:
        yield opened


KUHN = Cell("one", "kuhn", ("random", "random"), 10, 1)


def play(cell, store, **more):
    archive = Archive(store, **more)
    run = store.begin_run("paper", "tiny", {}, cell.seed)
    return archive.play(cell, run, jobs=1)


def test_a_cell_that_was_played_is_not_played_again(tmp_path, played):
    first = run_of(tmp_path).play().outcomes
    assert played == ["kuhn", "leduc"]
    again = run_of(tmp_path).play().outcomes
    assert played == ["kuhn", "leduc"]
    assert [one.result for one in again] == [one.result for one in first]
    assert [one.finished for one in again] == [one.finished for one in first]


@pytest.mark.parametrize("changed", [{"games": 12}, {"seed": 2}])
def test_other_settings_are_played_anew_and_leave_the_old_result(tmp_path, played, changed):
    run_of(tmp_path).play()
    found = run_of(tmp_path, **changed).play().outcomes
    assert played == ["kuhn", "leduc"] * 2
    assert {(one.result.games, one.result.seed) for one in found} == {
        (changed.get("games", 10), changed.get("seed", 1))
    }
    run_of(tmp_path).play()
    assert len(played) == 4


def test_every_setting_but_the_measure_decides_the_match():
    others = [
        replace(KUHN, game="leduc"),
        replace(KUHN, agents=("random*2",)),
        replace(KUHN, games=11),
        replace(KUHN, seed=2),
        replace(KUHN, duplicate=False),
        replace(KUHN, clock=1.0),
        replace(KUHN, seats="fixed"),
    ]
    assert len({one.key for one in (KUHN, *others)}) == 8
    assert replace(KUHN, measure=plies).key == KUHN.key
    assert replace(KUHN, measure=plies).settings != KUHN.settings


def half_played(folder, monkeypatch):
    """A run of the tiny table that is interrupted in its second cell."""
    counting = module.play_match

    def interrupted(cell, *args):
        if cell.game == "leduc":
            raise MatchInterrupt(None)
        return counting(cell, *args)

    run = run_of(folder)
    with monkeypatch.context() as patch:
        patch.setattr(module, "play_match", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run.play()
    return run


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path, monkeypatch, played):
    run = half_played(tmp_path, monkeypatch)
    assert (run.done, run.total, played) == (1, 2, ["kuhn"])
    run_of(tmp_path).play()
    assert played == ["kuhn", "leduc"]
    (only,) = run.archive.store.runs()
    assert (only.kind, only.name, only.matches) == ("paper", "tiny2020 table-1", 2)
    assert only.finished


def test_a_table_half_played_goes_on_from_its_lines_alone(tmp_path, monkeypatch, played):
    """On another machine, say, which has no store: what was finished is not played again."""
    run = half_played(tmp_path, monkeypatch)
    run.archive.store.close()
    (tmp_path / "store.db").unlink()
    elsewhere = run_of(tmp_path)
    produce(elsewhere)
    assert (played, elsewhere.done) == (["kuhn", "leduc"], 2)
    lines = elsewhere.archive.files.lines("table-1")
    assert [entry["settings"]["game"] for entry in lines.entries] == ["kuhn", "leduc"]


def test_a_match_of_the_command_is_the_same_cell(store, played):
    """What `facedown match` has played need not be played for a paper."""
    from facedown.arena.match import run_match

    result = run_match("kuhn", ["random", "random"], 10, 1, store=store)
    found = Archive(store).find(KUHN)
    assert found is not None
    assert found.result == result


def test_numbers_are_read_from_the_kept_games_at_any_time(store, played):
    plain = play(KUHN, store)
    assert plain.numbers == {}
    found = Archive(store).find(replace(KUHN, measure=plies))
    assert played == ["kuhn"]
    assert 4 <= found.numbers["plies"] <= 5
    assert found.revision == cell_revision(plain.revision, measured_by(plies)) != plain.revision


def test_a_cell_of_another_revision_is_told_and_played_anew_on_request(store, played):
    old = play(KUHN, store)
    with store.writing() as db:
        db.execute("UPDATE matches SET revision = 'fedcba'")
    archive = Archive(store)
    found = archive.find(KUHN)
    assert (found.revision, archive.revision(KUHN)) == ("fedcba", old.revision)
    assert archive.find(KUHN, renew=True) is None
    again = play(KUHN, store)
    assert (again.result.agents, again.revision) == (old.result.agents, old.revision)
    assert len(played) == 2
    assert archive.find(KUHN, renew=True) == again


def test_an_unfinished_match_is_no_result(store):
    ask = Archive(store).ask(KUHN)
    store.match(ask)
    assert Archive(store).find(KUHN) is None
    play(KUHN, store)
    assert len([match for run in store.runs() for match in store.matches(run.id)]) == 1


def test_two_cells_of_one_name_are_refused(tmp_path, monkeypatch):
    run = run_of(tmp_path)
    run.exhibit = replace(run.exhibit, cells=lambda budget: [cells(budget)[0]] * 2)
    with pytest.raises(ValueError, match="share a name"):
        run.play()


def test_progress_tells_cells_time_and_outcomes(tmp_path):
    steps = []
    run_of(tmp_path, tell=steps.append).play()
    finished = [step for step in steps if step.outcome is not None]
    assert [(step.done, step.total) for step in finished] == [(1, 2), (2, 2)]
    assert finished[0].left > 0
    assert finished[1].left == pytest.approx(0)
    assert steps[0].left is None
    assert max(step.games for step in steps) == 10


# --- the revision of a measure -------------------------------------------------------------------


def longer(records):
    return {"plies": 1 + plies(records)["plies"]}


def test_a_measure_is_known_by_all_that_it_reaches(monkeypatch):
    from facedown.papers.schofield2019 import cost, sampling

    one = measured_by(cost.sampled)
    assert measured_by(cost.sampled) == one != measured_by(cost.sampled_early)
    assert measured_by(None) == ""
    monkeypatch.setattr(cost, "LIMIT", 7)
    changed = measured_by(cost.sampled)
    assert changed != one
    monkeypatch.setattr(sampling, "MOST", 7)  # which it reaches by a class that it imports
    assert measured_by(cost.sampled) != changed
    assert measured_by(longer) != measured_by(plies)


# --- lines ---------------------------------------------------------------------------------------


def test_one_file_keeps_settings_results_and_numbers(tmp_path):
    run = run_of(tmp_path)
    produce(run)
    first, *lines = [
        json.loads(line) for line in (run.folder / "table-1.jsonl").read_text().splitlines()
    ]
    assert first == run.heading
    assert [line["cell"] for line in lines] == ["random in kuhn", "random in leduc"]
    assert lines[0]["settings"] == run.outcomes[0].cell.settings
    assert lines[0]["result"] == run.outcomes[0].result.to_json()
    assert {line["revision"] for line in lines} == {one.revision for one in run.outcomes}


def test_a_file_without_its_store_is_enough(tmp_path, played):
    produce(run_of(tmp_path))
    with Store(MEMORY) as empty:
        again = run_of(tmp_path, store=empty)
        produce(again)
        assert (len(played), again.old, list(empty.runs())) == (2, 0, [])


def test_cells_of_other_budgets_stay_in_the_file(tmp_path):
    run = run_of(tmp_path)
    produce(run)
    produce(run_of(tmp_path, games=12))
    lines = Lines.read(run.folder / "table-1.jsonl")
    assert lines.heading["games"] == 12
    assert [entry["settings"]["games"] for entry in lines.entries] == [12, 12, 10, 10]


def test_what_was_kept_without_a_revision_is_shown_as_earlier(tmp_path, played):
    run = run_of(tmp_path)
    produce(run)
    file = run.folder / "table-1.jsonl"
    lines = Lines.read(file)
    for entry in lines.entries:
        del entry["revision"]
    lines.write()
    with Store(MEMORY) as empty:
        again = run_of(tmp_path, store=empty)
        produce(again)
        assert {one.revision for one in again.outcomes} == {EARLIER}
        assert (again.old, len(played)) == (2, 2)
        assert "by earlier code, whose revision was not kept" in again.page.read_text()
        renewed = run_of(tmp_path, store=empty, renew=True)
        produce(renewed)
        assert (renewed.old, len(played)) == (0, 4)
        assert "earlier" not in renewed.page.read_text()
        assert len(Lines.read(file).entries) == 2


def test_exhibits_lend_each_other_what_they_measured(tmp_path, store):
    whole = play(replace(KUHN, name="theirs", measure=plies), store)
    Lines(tmp_path / "table-0.jsonl").keep({"exhibit": "table-0"}, [whole])
    files = ResultFiles(tmp_path)
    (found,) = files.find(KUHN)
    assert (found.result, found.cell.name) == (whole.result, "one")
    assert files.find(replace(KUHN, seed=2)) == []
    (measured,) = files.find(replace(KUHN, measure=plies))
    assert measured.numbers == whole.numbers
    assert files.find(replace(KUHN, measure=longer)) == []


def test_cells_of_earlier_versions_are_read_from_files_of_their_own(tmp_path, store):
    entry = entry_of(play(KUHN, store))
    del entry["revision"]
    folder = tmp_path / "table-0"
    folder.mkdir()
    (folder / "one.1234.json").write_text(json.dumps(entry))
    (folder / "no-cell.json").write_text("{}")
    (found,) = ResultFiles(tmp_path).find(KUHN)
    assert found.revision == EARLIER


BAD = {
    "{": "line 2, is no cell",
    "[]": "line 2, is no cell",
    '{"cell": "one"}': "line 2, is no cell",
    '{"cell": 1, "settings": {}, "result": {}, "numbers": {}, "finished": ""}': "line 2, is no",
    '{"cell": "one", "settings": 7, "result": {}, "numbers": {}, "finished": ""}': "line 2, is no",
}


@pytest.mark.parametrize("line", BAD)
def test_a_line_that_is_none_is_told_and_kept(tmp_path, line):
    file = tmp_path / "table-1.jsonl"
    file.write_text(f'{{"exhibit": "table-1"}}\n{line}\n')
    before = file.read_bytes()
    with pytest.raises(SpecError, match=BAD[line]):
        ResultFiles(tmp_path).find(KUHN)
    assert file.read_bytes() == before


def test_a_result_that_is_none_is_told(tmp_path, store):
    entry = {**entry_of(play(KUHN, store)), "result": {"agents": 7}}
    Lines(tmp_path / "t.jsonl", {"exhibit": "t"}, [entry]).write()
    with pytest.raises(SpecError, match="the kept result of 'one' is none"):
        ResultFiles(tmp_path).find(KUHN)


# --- random games, compiled ----------------------------------------------------------------------


def test_random_games_are_kept_as_a_result_without_games(store):
    cell = Cell("dealer", "kuhn", (), 300, 1, seats="fixed")
    found = play(cell, store)
    assert found.result.games == 300
    (run,) = store.runs()
    assert (run.done, run.wanted) == (0, 0)
    assert Archive(store).find(cell).result == found.result


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
