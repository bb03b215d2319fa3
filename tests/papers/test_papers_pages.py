"""Pages and pictures: measured beside published, with the budget."""

import builtins
from dataclasses import replace
from functools import cache
from math import sqrt

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
from facedown.papers.paper import Run
from facedown.papers.produce import page_text, produce
from facedown.papers.registry import PAPERS, load_paper
from facedown.papers.tables import Published, against
from support.tiny_paper import run_of

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
    assert "Budget: 20 games a cell; seed 1; measured on 20" in text
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
    assert len(data) > 10_000
    assert {file.name for file in tmp_path.iterdir()} == {"table-1", "table-1.md", "table-1.png"}


def test_without_matplotlib_the_page_is_there_and_the_error_says_what_to_do(
    tmp_path, no_matplotlib
):
    run = run_of(tmp_path)
    with pytest.raises(plots.MissingPlotsError, match=r"pip install 'facedown\[plots\]'"):
        produce(run)
    assert run.page.exists()
    assert not run.picture.exists()


loaded = cache(load_game)


class Pretence(Run):
    """A run whose cells are checked, and not played."""

    def play(self, wanted):
        for cell in wanted:
            for spec in cell.agents:
                side = given_side(spec)
                agent = seats_of(spec)[0] if side is None else side[1]
                check_agent(agent, loaded(cell.game))
        self.cells, self.days = list(wanted), {"2020-01-01"}
        result = run_match("kuhn", ["random", "random"], games=2, seed=1)
        return [CellResult(cell, result, numbers(cell), "2020-01-01") for cell in wanted]


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


def pretend(exhibit, folder, paper="kelly2017", **asked):
    found = load_paper(paper)
    one = found.exhibits[exhibit]
    budget = one.budget(asked.get("games"), asked.get("iterations"), 1, asked.get("quick", False))
    return Pretence(folder, found, one, budget)


EXHIBITS = [(paper, name) for paper in PAPERS for name in load_paper(paper).exhibits]


@pytest.mark.parametrize(("paper", "exhibit"), EXHIBITS)
@pytest.mark.parametrize("quick", [True, False])
def test_every_table_and_figure_can_be_made(tmp_path, paper, exhibit, quick):
    run = pretend(exhibit, tmp_path, paper, quick=quick)
    page = run.exhibit.make(run)
    text = page_text(run, page)
    assert len(run.cells) == len({cell.file for cell in run.cells})
    assert all(cell.games == run.budget.games for cell in run.cells)
    assert text.count("\n|") >= len(run.cells)
    if page.draw is not None:
        page.draw(run.picture)
        assert run.picture.read_bytes().startswith(PNG)


def test_the_papers_constant_is_ours_divided_by_the_root_of_two(tmp_path):
    run = pretend("figure-4-1", tmp_path)
    run.exhibit.make(run)
    specs = {cell.name: cell.agents[0] for cell in run.cells}
    c = float(specs["c=2.0 against scripted"].rpartition("=")[2])
    assert c == pytest.approx(2 * sqrt(2), rel=1e-5)


def test_table_4_1_has_all_ten_pairs_and_what_was_published(tmp_path):
    run = pretend("table-4-1", tmp_path)
    body = run.exhibit.make(run).body
    assert len(run.cells) == 10
    assert {cell.game for cell in run.cells} == {"cribbage:kelly2017=true"}
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
    agent = run_match("kuhn", ["random", "random"], games=2, seed=1).agents[0]
    assert against(replace(agent, low=0.5, high=0.606), stated) == place


@pytest.mark.parametrize("share", [0.0, 1.0])
@pytest.mark.parametrize("games", [2, 400, 450, 1000])
def test_what_is_always_measured_and_always_published_agrees(share, games):
    agent = run_match("kuhn", ["random", "random"], games=2, seed=1).agents[0]
    low, high = wilson(share, games)
    assert share in (low, high)
    assert against(replace(agent, low=low, high=high), Published.point(share, "sure")) == "within"


def test_a_budget_of_seconds_is_told_as_such(tmp_path):
    run = pretend("best", tmp_path)
    assert "600 games a cell, 0.02 s a move;" in page_text(run, run.exhibit.make(run))
    with pytest.raises(SpecError, match=r"0\.02 s is what a move has in best"):
        pretend("best", tmp_path, iterations=5)
    with pytest.raises(SpecError, match="nobody searches in first-dealer"):
        pretend("first-dealer", tmp_path, iterations=5)
