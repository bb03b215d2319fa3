"""Whether the remedies for biased samples make a player stronger (section 5.6, appendix E.6)."""

from __future__ import annotations

from facedown.papers.cells import Cell, Outcome
from facedown.papers.paper import Page, Run
from facedown.papers.schofield2019.games import MIDDLES, PAPER, game_text, players
from facedown.papers.tables import table

MODELS = 40
REMEDIES = {
    "none": "weight=false",
    "weight": "weight=true",
    "re-balance": "weight=false,rebalance=true",
}
"""The options of `hyperplay` for each; the first is the base case, which plays all of them."""


def player(remedy: str) -> str:
    """The HyperPlayer with a remedy.

    >>> player("weight")
    'hyperplay:models=40,samples=1,weight=true'
    """
    return f"hyperplay:models={MODELS},samples=1,{REMEDIES[remedy]}"


@PAPER.exhibit(
    "remedies", "HyperPlay with remedies against HyperPlay without", games=40, iterations=None
)
def remedies(run: Run) -> Page:
    """What each remedy wins against none, in the games for two of section 5."""
    budget, names = run.budget, [name for name in MIDDLES if players(name) == 2]
    wanted = [
        Cell(f"{name}, {remedy}", name, (player(remedy), player("none")), budget.games, budget.seed)
        for name in names
        for remedy in REMEDIES
    ]
    found = iter(run.play(wanted))
    rows = [[game_text(name), *(_won(next(found)) for _ in REMEDIES)] for name in names]
    words = (
        f"What `{player('none')}` wins against itself, the base case of evenly matched players, "
        "and what the same player wins against it with a remedy "
        f"({', '.join(f'`{options}`' for options in list(REMEDIES.values())[1:])}): shares of the "
        "games, a draw for half, with 95 % intervals; each deal in both seats. The paper's table "
        "(appendix E.6) is not in print; its text says that in general the remedies do not improve "
        "the player."
    )
    return Page.of(words, table(["game", *REMEDIES], rows))


def _won(outcome: Outcome) -> str:
    """The share of the player that a cell names first."""
    first = outcome.first
    shares = (100 * first.win_rate, 100 * first.low, 100 * first.high)
    return "{:.1f} % ({:.1f} to {:.1f})".format(*shares)
