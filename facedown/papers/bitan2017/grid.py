"""Section 4.6: the options of Smooth-UCT over the paper's ranges, against those that it chose."""

from __future__ import annotations

from itertools import product

from facedown.papers.bitan2017.counting import GAME, PAPER
from facedown.papers.cells import Cell
from facedown.papers.paper import Found, Page, RunBudget
from facedown.papers.tables import interval, percent, table
from facedown.papers.verdict import Claim

_CHOSEN = (0.0025, 0.995)
_GRID = list(product((0.001, 0.006, 0.026, 0.051), (0.97, 0.985, 1.0)))
"""A coarse grid over the paper's ranges: d up to 0.051, discount from 0.97 to none."""


def _spec(budget: RunBudget, options: tuple[float, float]) -> str:
    d, discount = options
    return f"mga:iterations={budget.iterations},d={d:g},discount={discount:g}"


def _cells(budget: RunBudget) -> list[Cell]:
    return [
        Cell(f"d={d:g}, discount={discount:g}", GAME,
             (_spec(budget, (d, discount)), _spec(budget, _CHOSEN)), budget.games, budget.seed)
        for d, discount in _GRID
    ]  # fmt: skip


@PAPER.exhibit(
    "grid", "calibration: a grid of options against the paper's choice", _cells,
    games=100, iterations=300, full=(1000, 300),
)  # fmt: skip
def grid(run: Found) -> Page:
    """Whether any options of the grid beat those that the paper's tournament chose."""
    rows, claims = [], []
    for (d, discount), one in run.by(_GRID).items():
        won = one.first
        rows.append([f"{d:g}", f"{discount:g}", f"{won.wins:,} of {won.games:,}",
                     f"**{percent(won.win_rate)}**", interval(won)])  # fmt: skip
        words = f"d={d:g}, discount={discount:g} wins less than the options chosen"
        claims.append(Claim.order(words, won.low - 0.5, won.high - 0.5, -1))
    d, discount = _CHOSEN
    words = (
        f"`mga` with these options against `mga` with d={d:g} and discount={discount:g}, which the "
        "paper's elimination tournament chose; c is that of the program in both. Each deal in "
        "both seats; a draw counts half. The tournament itself is "
        "`facedown tournament --form elimination` "
        "([the results](../cheat.md#calibration-section-46)): it names one winner of a hundred "
        "noisy rounds, a grid against one opponent says by how much. Of twelve 95 % intervals "
        "0.6 are off by chance."
    )
    head = ["d", "discount", "wins", "share", "95 % interval"]
    return Page.of(words, table(head, rows, left=2), claims=claims)
