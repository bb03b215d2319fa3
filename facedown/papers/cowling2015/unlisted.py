"""What the paper leaves for later (sections V and VIII): buckets, and games that list no worlds."""

from __future__ import annotations

from itertools import product

from facedown.papers.cells import Cell
from facedown.papers.cowling2015.sides import PAPER
from facedown.papers.paper import Found, Page, RunBudget
from facedown.papers.tables import interval, percent, table

_HEAD = ["game", "player", "against", "wins", "share", "95 % interval"]

# --- inference over facts -------------------------------------------------------------------------

_UNLISTED = ("leduc", "liars-dice", "liars-dice:dice=2")
_MODES = ("trueonly", "bluff")
_INFERRED = list(product(_UNLISTED, _MODES))


def _inferring(budget: RunBudget, mode: str, inference: str) -> str:
    return f"mt-ismcts:iterations={budget.iterations},self={mode},inference={inference}"


def _fact_cells(budget: RunBudget) -> list[Cell]:
    return [
        Cell(f"{game}, {mode}", game,
             (_inferring(budget, mode, "facts"), _inferring(budget, mode, "none")),
             budget.games, budget.seed)
        for game, mode in _INFERRED
    ]  # fmt: skip


@PAPER.exhibit(
    "facts", "of our own: inference over hidden facts", _fact_cells,
    games=400, iterations=1000,
)  # fmt: skip
def facts(run: Found) -> Page:
    """MT-ISMCTS that infers hidden facts against the same without inference."""
    rows = []
    for (game, mode), one in run.by(_INFERRED).items():
        won, words = one.first, f"{one.first.wins:,} of {one.first.games:,}"
        rows.append([game, f"facts, {mode.upper()}", "no inference", words,
                     f"**{percent(won.win_rate)}**", interval(won)])  # fmt: skip
    words = (
        'The paper infers over a list of all worlds, and leaves games without one to "bucketing". '
        "`inference=facts` draws worlds and carries from decision to decision how likely each "
        "hidden fact is (a card that the other holds, a die), by equation 2 summed over the worlds "
        "in which it holds; a world weighs the product over its facts. Against the same player "
        "with `inference=none`, each deal in both seats; a draw counts half."
    )
    return Page.of(words, table(_HEAD, rows, left=3))


# --- bucketed information sets --------------------------------------------------------------------

_BUCKETED, _SEARCHES = "cheat", ("so-ismcts", "mo-ismcts", "smooth-uct")


def _bucket_cells(budget: RunBudget) -> list[Cell]:
    return [
        Cell(f"{agent} with buckets", _BUCKETED,
             (f"{agent}:iterations={budget.iterations},bucket=true",
              f"{agent}:iterations={budget.iterations}"), budget.games, budget.seed)
        for agent in _SEARCHES
    ]  # fmt: skip


@PAPER.exhibit(
    "buckets", "of our own: bucketed information sets", _bucket_cells, games=200, iterations=1000
)
def buckets(run: Found) -> Page:
    """Searches whose nodes are a game's abstraction against the same with exact information."""
    rows = []
    for agent, one in run.by(_SEARCHES).items():
        won, words = one.first, f"{one.first.wins:,} of {one.first.games:,}"
        rows.append([_BUCKETED, f"{agent}, buckets", f"{agent}, exact", words,
                     f"**{percent(won.win_rate)}**", interval(won)])  # fmt: skip
    words = (
        "`bucket=true` has nodes be the game's abstraction of what their player knows, in Cheat "
        "that of Bitan and Kraus (2017), so that positions alike share what was learnt. Against "
        "the same search with a node for every exact history of observations, each deal in both "
        "seats; a draw counts half."
    )
    return Page.of(words, table(_HEAD, rows, left=3))
