"""A paper of one small table, for the machinery that all papers share."""

from functools import partial

from facedown.papers import plots
from facedown.papers.cells import Cell
from facedown.papers.paper import Page, Paper, Run, RunBudget
from facedown.papers.tables import Published, against, interval, percent, table

PAPER = Paper("tiny2020", "A. Nobody, A Tiny Paper, 2020")


def plies(records):
    """The mean number of moves of a game."""
    lengths = [len(record.moves) for record in records]
    return {"plies": sum(lengths) / len(lengths)}


def cells(run):
    budget = run.budget
    return [
        Cell(f"random in {game}", game, ("random", "random"), budget.games, budget.seed)
        for game in ("kuhn", "leduc")
    ]


@PAPER.exhibit("table-1", "two tiny games", games=20, iterations=None)
def table_1(run):
    stated = Published.point(0.5, "section 1", whole=True)
    outcomes = run.play(cells(run))
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
    return Page(table(head, rows), partial(plots.lines, series=[series], axes=axes))


def run_of(folder, *, games=10, seed=1, tell=lambda step: None):
    """A run of the table."""
    budget = RunBudget(games, 0, seed)
    return Run(folder, PAPER, PAPER.exhibits["table-1"], budget, jobs=1, tell=tell)
