"""Matches of spies against the others: specs, cells, rows."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.papers.cells import Cell, CellResult, Measure
from facedown.papers.cowling2015.beliefs import OTHERS, SPIES
from facedown.papers.paper import Paper, RunBudget
from facedown.papers.tables import interval, percent

PAPER = Paper(
    "cowling2015",
    "P. I. Cowling, D. Whitehouse, E. J. Powley, Emergent bluffing and inference with Monte Carlo "
    "Tree Search, IEEE Conference on Computational Intelligence and Games 2015",
)
GAME = "resistance"
METHODS = ("trueonly", "pure", "split", "twostep", "bluff")
SPIES_WIN = "games won by the spies (%)"
TWICE = (
    "The iterations are those of the others. TRUEONLY spies have as many, all other kinds of "
    "MT-ISMCTS spies twice as many, half in each phase."
)
BECAUSE = (
    "perhaps because the paper leaves details of its searches open, such as constants and ties"
)
HEAD = ["spies", "others", "won by the spies", "share", "95 % interval"]


def mt(iterations: int, **options: str | float) -> str:
    """A spec of MT-ISMCTS."""
    more = "".join(f",{key}={value}" for key, value in options.items())
    return f"mt-ismcts:iterations={iterations}{more}"


def spies_of(budget: RunBudget, method: str, **options: str | float) -> str:
    """Spies with the paper's share of the budget."""
    twice = 1 if method == "trueonly" else 2
    return mt(twice * budget.iterations, self=method, **options)


def others_of(budget: RunBudget, inference: str = "particle", **options: str | float) -> str:
    """Those who are no spies."""
    return mt(budget.iterations, inference=inference, **options)


def cell_of(
    budget: RunBudget,
    name: str,
    spies: str,
    others: str,
    *,
    game: str = GAME,
    measure: Measure | None = None,
) -> Cell:
    """A match of the two sides; every deal of the roles comes equally often."""
    agents = (f"{SPIES}={spies}", f"{OTHERS}={others}")
    return Cell(name, game, agents, budget.games, budget.seed, measure=measure)


def row_of(names: Sequence[str], outcome: CellResult, side: int = 0) -> list[str]:
    """What a cell is, and what a side won in it; the spies are the first."""
    won = outcome.result.agents[side]
    wins = f"{won.wins:,} of {won.games:,}"
    return [*names, wins, f"**{percent(won.win_rate)}**", interval(won)]
