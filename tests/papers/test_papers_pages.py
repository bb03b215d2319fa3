"""Pages and pictures: measured beside published, with the budget."""

import builtins
from dataclasses import replace
from functools import cache
from math import sqrt
from pathlib import Path

import pytest

from facedown.agents.registry import check_agent
from facedown.arena.match import run_match
from facedown.arena.plan import seats_of
from facedown.arena.sides import given_side
from facedown.arena.statistics import wilson
from facedown.core import SpecError
from facedown.games.registry import load_game
from facedown.learn.people import Gathering
from facedown.papers import plots
from facedown.papers.cells import CellResult
from facedown.papers.paper import SCALES, Found
from facedown.papers.produce import page_text, produce
from facedown.papers.registry import PAPERS, load_paper
from facedown.papers.state import budget_of, state_of
from facedown.papers.tables import Published, against
from facedown.store.store import Store
from support.tiny_paper import PAPER, run_of

RESULTS = Path(__file__).parents[2] / "docs" / "results"
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def no_matplotlib(monkeypatch):
    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name.startswith("matplotlib"):
            raise ModuleNotFoundError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)


def test_the_page_of_a_tiny_run(tmp_path):
    run = run_of(tmp_path, games=20)
    produce(run)
    text = run.page.read_text()
    kuhn = run_match("kuhn", ["random", "random"], games=20, seed=1).agents[0]
    assert "# tiny2020, table-1: two tiny games" in text
    assert "**Verdict**: agrees (2 of 2)." in text
    assert "Budget: 20 games a cell; seed 1; measured on 20" in text
    assert f"by revision {', '.join(sorted({one.revision for one in run.outcomes}))} of" in text
    assert "`facedown paper tiny2020 table-1 --games 20 --seed 1`" in text
    assert "| game | share | 95 % interval | published | lies |\n|:--|--:|--:|--:|--:|" in text
    share, low, high = (f"{100 * x:.1f}" for x in (kuhn.win_rate, kuhn.low, kuhn.high))
    assert f"| kuhn | {share} % | {low} to {high} | 50 % | within |" in text
    assert "![two tiny games](table-1.png)" in text


def test_the_picture_is_a_png_with_something_on_it(tmp_path):
    run = run_of(tmp_path)
    produce(run)
    data = run.picture.read_bytes()
    assert data.startswith(PNG)
    assert len(data) > 3_000
    made = {"table-1.jsonl", "table-1.md", "table-1.png"}
    assert {file.name for file in run.folder.iterdir()} == made


def test_without_matplotlib_the_page_is_there_and_the_error_says_what_to_do(
    tmp_path, no_matplotlib
):
    run = run_of(tmp_path)
    with pytest.raises(plots.MissingPlotsError, match=r"pip install 'facedown\[plots\]'"):
        produce(run)
    assert run.page.exists()
    assert not run.picture.exists()


loaded = cache(load_game)


@cache
def checked(agent, game):
    check_agent(agent, loaded(game))


@cache
def random_result():
    return run_match("kuhn", ["random", "random"], games=2, seed=1)


def pretend(exhibit, paper="kelly2017", scale="standard", **asked):
    """A run whose cells are checked, and not played: paper, exhibit, cells, what was found."""
    found = load_paper(paper)
    one = found.exhibits[exhibit]
    budget = one.budget(asked.get("games"), asked.get("iterations"), 1, scale)
    wanted = one.cells(budget)
    for cell in wanted:
        for spec in cell.agents:
            side = given_side(spec)
            agent = seats_of(spec)[0] if side is None else side[1]
            checked(agent, cell.game)
    result = random_result()
    outcomes = [CellResult(cell, result, numbers(cell), "2020-01-01") for cell in wanted]
    return found, one, wanted, Found(budget, outcomes)


@cache
def games_of(game):
    """A few games of anybody, for those who measure."""
    if loaded(game).people is None:
        return []
    return list(Gathering(game, 4, 1, 1).play(loaded(game)))


def numbers(cell):
    return {} if cell.measure is None else measured(cell.measure, cell.game)


@cache
def measured(measure, game):
    return measure(games_of(game))


EXHIBITS = [(paper, name) for paper in PAPERS for name in load_paper(paper).exhibits]


@pytest.mark.parametrize(("paper", "exhibit"), EXHIBITS)
@pytest.mark.parametrize("scale", SCALES)
def test_every_table_and_figure_can_be_made(tmp_path, paper, exhibit, scale):
    made, one, wanted, found = pretend(exhibit, paper, scale)
    page = one.page(found)
    text = page_text(made, one, found, page)
    assert len(wanted) == len({cell.name for cell in wanted})
    assert all(cell.games == found.budget.games for cell in wanted)
    assert text.count("\n|") >= len(wanted)
    assert "**Verdict**: " in text
    assert one.scale(found.budget) in SCALES[SCALES.index(scale) :]
    if page.draw is not None and scale == "standard":
        page.draw(tmp_path / "it.png")
        assert (tmp_path / "it.png").read_bytes().startswith(PNG)


@pytest.mark.parametrize(("paper", "exhibit"), EXHIBITS)
def test_scales_grow(paper, exhibit):
    one = load_paper(paper).exhibits[exhibit]
    quick, standard, full = (one.at(scale) for scale in SCALES)
    assert full.covers(standard)
    assert standard.covers(quick)
    assert one.scale(replace(quick, games=0)) is None


def test_the_papers_constant_is_ours_divided_by_the_root_of_two():
    _, _, wanted, _ = pretend("figure-4-1")
    specs = {cell.name: cell.agents[0] for cell in wanted}
    c = float(specs["c=2.0 against scripted"].rpartition("=")[2])
    assert c == pytest.approx(2 * sqrt(2), rel=1e-5)


def test_table_4_1_has_all_ten_pairs_and_what_was_published():
    _, one, wanted, found = pretend("table-4-1")
    body = one.page(found).body
    assert len(wanted) == 10
    assert {cell.game for cell in wanted} == {"cribbage:kelly2017=true"}
    assert "64.5 % (table 4-1)" in body
    assert "93.8 % (table 4-1)" in body


@pytest.mark.parametrize(
    ("stated", "place"),
    [
        (Published.point(0.604, "a tenth"), "within"),
        (Published.point(0.607, "a tenth"), "above"),
        (Published.point(0.61, "rounded", whole=True), "within"),
        (Published.point(0.62, "rounded", whole=True), "above"),
        (Published(0.3, 0.4, "a range"), "below"),
        (Published(0.3, 0.65, "a range"), "within"),
        (None, ""),
    ],
)
def test_a_published_number_is_as_exact_as_it_was_printed(stated, place):
    agent = random_result().agents[0]
    assert against(replace(agent, low=0.5, high=0.606), stated) == place


@pytest.mark.parametrize("share", [0.0, 1.0])
@pytest.mark.parametrize("games", [2, 400, 450, 1000])
def test_what_is_always_measured_and_always_published_agrees(share, games):
    agent = random_result().agents[0]
    low, high = wilson(share, games)
    assert share in (low, high)
    assert against(replace(agent, low=low, high=high), Published.point(share, "sure")) == "within"


def test_a_budget_of_seconds_is_told_as_such():
    made, one, _, found = pretend("best")
    assert "600 games a cell, 0.02 s a move;" in page_text(made, one, found, one.page(found))
    with pytest.raises(SpecError, match=r"0\.02 s is what a move has in best"):
        pretend("best", iterations=5)
    with pytest.raises(SpecError, match="nobody searches in first-dealer"):
        pretend("first-dealer", iterations=5)


# --- states --------------------------------------------------------------------------------------


def test_the_state_is_the_largest_scale_that_is_kept(tmp_path):
    exhibit = run_of(tmp_path).exhibit

    def state():
        with Store(tmp_path / "store.db") as store:
            return state_of(PAPER, exhibit, [tmp_path], store)

    assert state().name == "missing"
    produce(run_of(tmp_path, games=4))
    assert (state().name, state().verdict) == ("less", "agrees")
    produce(run_of(tmp_path, games=20))
    found = state()
    assert (found.name, found.budget.games, len(found.revisions)) == ("standard", 20, 2)
    produce(run_of(tmp_path, games=41))
    assert (state().name, state().budget.games) == ("full", 41)
    produce(run_of(tmp_path, games=4))  # its page shows less now, and the store has the rest
    assert (state().name, state().budget.games) == ("full", 41)
    assert state_of(PAPER, exhibit, [tmp_path], None).name == "less"


@pytest.mark.parametrize(
    "heading", [{}, {"games": "many"}, {"games": 0, "iterations": 0, "seed": 1}]
)
def test_a_heading_without_a_budget_is_nothing(heading):
    assert budget_of(heading) is None


def test_listing_plays_nothing_and_knows_what_lies_in_the_repository():
    """Every page of docs/results has its lines, and they are what it was made from."""
    for name in PAPERS:
        paper = load_paper(name)
        for one in paper.exhibits.values():
            page = RESULTS / name / f"{one.name}.md"
            state = state_of(paper, one, [RESULTS], None)
            assert page.exists() == (state.name != "missing"), page
            if page.exists():
                text = page_text(paper, one, state.found, one.page(state.found))
                assert page.read_text(encoding="utf-8") == text, page


def test_no_table_has_a_folder_of_cells_in_the_repository():
    assert [place for place in RESULTS.glob("*/*") if place.is_dir()] == []
