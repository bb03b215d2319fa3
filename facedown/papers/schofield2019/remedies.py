"""Whether the remedies for biased samples make a player stronger (section 5.6, appendix E.6)."""

from __future__ import annotations

from facedown.papers.cells import Cell, CellResult
from facedown.papers.paper import Found, Page, RunBudget
from facedown.papers.schofield2019.games import MIDDLES, PAPER, game_text, players
from facedown.papers.tables import table
from facedown.papers.verdict import Claim

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


_KEYS = [(name, remedy) for name in MIDDLES if players(name) == 2 for remedy in REMEDIES]


def _cells(budget: RunBudget) -> list[Cell]:
    return [
        Cell(f"{name}, {remedy}", name, (player(remedy), player("none")), budget.games, budget.seed)
        for name, remedy in _KEYS
    ]


@PAPER.exhibit(
    "remedies", "HyperPlay with a remedy against none", _cells, games=40, iterations=None, quick=10
)
def remedies(run: Found) -> Page:
    """What each remedy wins against none, in the games for two of section 5."""
    found = run.by(_KEYS)
    rows = [[game_text(name), remedy, *_won(found[name, remedy])] for name, remedy in _KEYS]
    words = (
        f"What `{player('none')}` wins against itself, the base case of evenly matched players, "
        "and what the same player wins against it with a remedy "
        f"({', '.join(f'`{options}`' for options in list(REMEDIES.values())[1:])}): shares of the "
        "games, a draw for half, with 95 % intervals over deals, each of which is played in both "
        "seats. The paper's table (appendix E.6) is not in print; its text says that in general "
        "the remedies do not improve the player."
    )
    head = ["game", "remedy", "wins", "95 % interval", "p"]
    claims = [
        Claim.fact(f"{remedy} improves no player of {game_text(name)}", one.first.low <= 0.5)
        for (name, remedy), one in found.items() if remedy != "none"
    ]  # fmt: skip
    return Page.of(words, table(head, rows, left=2), claims=claims)


def _won(outcome: CellResult) -> list[str]:
    """The share of the player that a cell names first, and how likely one so far from half is."""
    first = outcome.first
    interval = f"{100 * first.low:.1f} to {100 * first.high:.1f}"
    return [f"{100 * first.win_rate:.1f} %", interval, f"{first.p_value:.2f}"]
