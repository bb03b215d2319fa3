"""Beside the thesis: true rules, equal time, worlds of 100 iterations, parts of `best` alone."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.papers.cells import Cell
from facedown.papers.kelly2017.thesis import (
    HEAD,
    PAPER,
    TRUE_RULES,
    cell_of,
    row_of,
    searching,
    stated_of,
    versus,
)
from facedown.papers.paper import Found, Page, RunBudget
from facedown.papers.tables import claim_of, table

_SECONDS = 0.02  # a move, where players are compared at equal time


def _own_cells(budget: RunBudget, pairs: Sequence[tuple[str, str]]) -> list[Cell]:
    """Matches under the true rules, of which the paper has none."""
    return [cell_of(budget, one, two, game=TRUE_RULES) for one, two in pairs]


@PAPER.exhibit(
    "strength", "of our own: SO-ISMCTS, true rules",
    lambda budget: _own_cells(budget, [(searching(budget, "so-ismcts"), "scripted")]),
    games=1000, iterations=5000,
)  # fmt: skip
def strength(run: Found) -> Page:
    """SO-ISMCTS under the true rules, where the game ends the moment 121 is reached."""
    return _own_table(run)


_TIMED = [f"{agent}:seconds={_SECONDS}" for agent in ("best", "so-ismcts")]


@PAPER.exhibit(
    "best", "of our own: `best` at equal time, true rules",
    lambda budget: _own_cells(
        budget, [(_TIMED[1], "scripted"), (_TIMED[0], "scripted"), (_TIMED[0], _TIMED[1])]
    ),
    games=600, iterations=None, seconds=_SECONDS,
)  # fmt: skip
def best(run: Found) -> Page:
    """The strongest recipe against SO-ISMCTS, and both against scripted, in the same time."""
    return _own_table(run)


def _own_table(run: Found, more: str = "") -> Page:
    rows = [
        row_of([f"`{spec}`" for spec in outcome.cell.agents], outcome, None)[:-2]
        for outcome in run.outcomes
    ]
    words = f"Played as `{TRUE_RULES}`: the game ends the moment somebody has 121 points."
    return Page.of(f"{words} {more}".strip(), table(HEAD[:-2], rows, left=2))


# --- parts of `best`, each by itself --------------------------------------------------------------

_PARTS = {"endgame": "horizon=winning", "playouts": "playout=true"}


def _part_cells(budget: RunBudget, part: str) -> list[Cell]:
    plain = searching(budget, "so-ismcts")
    with_it = f"{plain},{_PARTS[part]}"
    return _own_cells(budget, [(with_it, plain), (with_it, "scripted"), (plain, "scripted")])


@PAPER.exhibit(
    "endgame", "of our own: what playing for the win adds by itself",
    lambda budget: _part_cells(budget, "endgame"), games=400, iterations=2500,
)  # fmt: skip
def endgame(run: Found) -> Page:
    """SO-ISMCTS that values a hand's end by the chance to win, and nothing else of `best`."""
    words = (
        "`horizon=winning` values the end of a hand by the chance to win the game, in place of the "
        "points made in it."
    )
    return _own_table(run, words)


@PAPER.exhibit(
    "playouts", "of our own: what informed playouts add by themselves",
    lambda budget: _part_cells(budget, "playouts"), games=400, iterations=2500,
)  # fmt: skip
def playouts(run: Found) -> Page:
    """SO-ISMCTS whose playouts follow the game's rules of thumb, and nothing else of `best`."""
    words = (
        "`playout=true` draws moves beyond the tree by the game's own policy, what a throw or a "
        "card is worth with some noise; else they are drawn at random."
    )
    return _own_table(run, words)


# --- worlds of 100 iterations ---------------------------------------------------------------------

_OPPONENTS = ("random", "scripted", "cheating-uct", "so-ismcts")
_DETERMINIZED = "determinized-uct"


def _world_cells(budget: RunBudget) -> list[Cell]:
    def spec(agent: str) -> str:
        return agent if agent in ("random", "scripted") else searching(budget, agent)

    return [
        cell_of(budget, spec(_DETERMINIZED), spec(other), name=f"{_DETERMINIZED} against {other}")
        for other in _OPPONENTS
    ]


@PAPER.exhibit(
    "worlds-100", "determinized UCT with 100 iterations a world (Table 4-1)", _world_cells,
    games=400, iterations=10_000, full=(400, 100_000),
    because="perhaps because worlds of the paper have the order of the pack fixed",
)  # fmt: skip
def worlds_100(run: Found) -> Page:
    """The row of Table 4-1 at a budget at which each of 100 worlds is searched for a while."""
    found = run.by(_OPPONENTS)
    rows = [
        row_of((_DETERMINIZED, other), one, stated_of(_DETERMINIZED, other))
        for other, one in found.items()
    ]
    claims = [
        claim_of(versus(_DETERMINIZED, other), one.first, stated_of(_DETERMINIZED, other))
        for other, one in found.items()
    ]
    each = run.budget.iterations // 100
    words = f"100 worlds share the iterations of a move: {each:,} for each of them."
    return Page.of(words, table(HEAD, rows, left=2), claims=claims)


# --- the order of the pack ------------------------------------------------------------------------

_PACKED = ("cheating-uct", "determinized-uct")


def _pack_cells(budget: RunBudget) -> list[Cell]:
    def packed(agent: str) -> str:
        return f"{searching(budget, agent)},chance=fixed"

    against = [(packed(agent), other) for agent in _PACKED for other in ("random", "scripted")]
    themselves = [(packed(agent), searching(budget, agent)) for agent in _PACKED]
    return [cell_of(budget, one, other) for one, other in against + themselves]


@PAPER.exhibit(
    "pack", "UCT with the order of the pack fixed in each world", _pack_cells,
    games=400, iterations=2500,
)  # fmt: skip
def pack(run: Found) -> Page:
    """The thesis deals a whole pack into a world, so the cut is known to a search of that world."""
    rows = [
        row_of([f"`{spec}`" for spec in outcome.cell.agents], outcome, None)[:-2]
        for outcome in run.outcomes
    ]
    words = (
        "`chance=fixed` has chance draw the same in every iteration of a world, as from a pack in "
        "one order: the starter is then known to the search of that world. Else it is drawn anew "
        "in every iteration."
    )
    return Page.of(words, table(HEAD[:-2], rows, left=2))


# --- Algorithm 1 ----------------------------------------------------------------------------------

_UCT = ("cheating-uct", "determinized-uct")


def _visit_cells(budget: RunBudget) -> list[Cell]:
    return [
        cell_of(budget, searching(budget, agent), f"{searching(budget, agent)},bandit=ucb1",
                name=f"{agent}, visits of the node")
        for agent in _UCT
    ]  # fmt: skip


@PAPER.exhibit(
    "algorithm-1", "of our own: UCT with the visits of the node, or of the edge", _visit_cells,
    games=400, iterations=2500,
)  # fmt: skip
def algorithm_1(run: Found) -> Page:
    """UCB1 as Algorithm 1 prints it against UCB1 by how often a move was available."""
    rows = [row_of([agent], one, None)[:-2] for agent, one in run.by(_UCT).items()]
    words = (
        "Algorithm 1 has the visits of the node under the logarithm (`bandit=uct`), and so have "
        "these players; information set searches have how often the move was available since its "
        "edge was made (`ucb1`), which is less by the visits before. Each player against itself "
        "with `bandit=ucb1`."
    )
    head = ["player", *HEAD[2:-2]]
    return Page.of(words, table(head, rows))
