"""A paper of one small table, for the machinery that all papers share."""

from functools import partial

from facedown.papers import plots
from facedown.papers.archive import Archive
from facedown.papers.cells import Cell
from facedown.papers.lines import ResultFiles
from facedown.papers.paper import Page, Paper, RunBudget
from facedown.papers.produce import Run
from facedown.papers.tables import Published, against, claim_of, interval, percent, table
from facedown.store.store import Store

PAPER = Paper("tiny2020", "A. Nobody, A Tiny Paper, 2020")


def plies(records):
    """The mean number of moves of a game."""
    lengths = [len(record.moves) for record in records]
    return {"plies": sum(lengths) / len(lengths)}


def cells(budget):
    return [
        Cell(f"random in {game}", game, ("random", "random"), budget.games, budget.seed)
        for game in ("kuhn", "leduc")
    ]


@PAPER.exhibit("table-1", "two tiny games", cells, games=20, iterations=None, full=(40, 0))
def table_1(run):
    stated = Published.point(0.5, "section 1", whole=True)
    outcomes = run.outcomes
    rows = [
        [
            outcome.cell.game,
            percent(outcome.first.win_rate),
            interval(outcome.first),
            stated.text,
            against(outcome.first, stated),
        ]
        for outcome in outcomes
    ]
    points = [
        plots.Point(one.first.win_rate, one.first.low, one.first.high, x=k + 1, label=one.cell.game)
        for k, one in enumerate(outcomes)
    ]
    axes = plots.Axes("Tiny", f"{run.budget.games} games", log=True)
    series = plots.Series("random", points, [Published(0.4, 0.6, "section 2", (1, 2))])
    head = ["game", "share", "95 % interval", "published", "lies"]
    claims = [claim_of(one.cell.game, one.first, stated) for one in outcomes]
    draw = partial(plots.lines, series=[series], axes=axes)
    return Page.of(table(head, rows), draw=draw, claims=claims)


def run_of(folder, *, games=10, seed=1, store=None, **more):
    """A run of the table; unless one is given the store is a file of its own in the folder."""
    budget, exhibit = RunBudget(games, 0, seed), PAPER.exhibits["table-1"]
    archive = Archive(store or Store(folder / "store.db"), ResultFiles(folder / PAPER.name))
    return Run(folder / PAPER.name, PAPER, exhibit, budget, archive, jobs=1, **more)
