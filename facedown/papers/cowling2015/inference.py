"""Figures 4 to 6 and the score: what the others believe (section VII-D)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from facedown.papers import plots
from facedown.papers.cells import Cell, CellResult
from facedown.papers.cowling2015.beliefs import OTHERS, SPIES, aligned, believed
from facedown.papers.cowling2015.sides import (
    BECAUSE,
    GAME,
    HEAD,
    PAPER,
    TWICE,
    cell_of,
    others_of,
    row_of,
    spies_of,
)
from facedown.papers.paper import Cells, Found, Page, RunBudget
from facedown.papers.plots import Axes
from facedown.papers.tables import table
from facedown.papers.verdict import Claim

# --- Figures 4 to 6: the belief over the game ----------------------------------------------------

_PRIOR = 1 / 6  # of 6 pairs of others, to one of five players who is no spy
_PANELS = {OTHERS: "games that the others won", SPIES: "games that the spies won"}

_LINES = (
    "A line is the belief of one who is no spy, at each of its decisions in a game: what its "
    "search began with. Whose it is goes round over the games."
)


def _believing(method: str, inference: str) -> Cells:
    """The cell of a figure of beliefs."""

    def cells(budget: RunBudget) -> list[Cell]:
        spies, others = spies_of(budget, method), others_of(budget, inference)
        return [cell_of(budget, method, spies, others, measure=believed)]

    return cells


def _belief_page(
    run: Found, method: str, inference: str, words: str, claims: Sequence[Claim]
) -> Page:
    """The belief in the true spies, of one who is none in each game."""
    (found,) = run.outcomes
    lines = found.numbers["lines"]
    title = f"The Resistance: belief in the truth, {method.upper()}, inference={inference}"
    below = "mission, from its first decision on"
    axes = Axes(title, run.budget.note(), below, "share of the true spies")
    panels = [
        (name, [aligned(line["missions"]) for line in lines if line["won"] == side])
        for side, name in _PANELS.items()
    ]
    draw = partial(
        plots.strands, panels=panels, axes=axes, level=_PRIOR, shaken=inference == "none"
    )
    result = table(HEAD, [row_of((method.upper(), f"inference={inference}"), found)], left=2)
    parts = [words, f"{_LINES} {TWICE}", result, _belief_table(lines), _belief_facts(lines)]
    return Page.of(*parts, draw=draw, claims=claims)


def _lines(run: Found) -> Sequence[Any]:
    """The lines of the only cell."""
    found: Sequence[Any] = run.outcomes[0].numbers["lines"]
    return found


def _doubted(lines: Sequence[Any]) -> float:
    """The share of decisions at which the truth is held less likely than at the beginning."""
    shares = [share for line in lines for mission in line["missions"] for share in mission]
    return float(sum(share < _PRIOR - 1e-4 for share in shares)) / max(1, len(shares))


def _won_late(lines: Sequence[Any]) -> int:
    """Games that the spies won in mission 5."""
    return sum(line["won"] == SPIES and len(line["missions"]) == 5 for line in lines)


def _sure_early(lines: Sequence[Any]) -> int:
    """Games in which the truth was certain when mission 2 began."""
    second = [line["missions"][1][0] for line in lines if len(line["missions"]) > 1]
    return sum(share >= 0.9995 for share in second)


def _belief_table(lines: Sequence[Any]) -> str:
    """The mean at the first decision of each mission, by who won."""
    rows = []
    for mission in range(5):
        row = [f"{mission + 1}"]
        for side in _PANELS:
            some = [line["missions"][mission][0] for line in lines
                    if line["won"] == side and len(line["missions"]) > mission]  # fmt: skip
            row += [f"{len(some):,}", f"{sum(some) / len(some):.3f}" if some else ""]
        rows.append(row)
    head = ["mission begins", "games won by the others", "mean", "games won by the spies", "mean"]
    return table(head, rows)


def _belief_facts(lines: Sequence[Any]) -> str:
    """Counts of what the text says of the figures (section VII-D)."""
    shares = [share for line in lines for mission in line["missions"] for share in mission]
    doubted = sum(share < _PRIOR - 1e-4 for share in shares)
    second = [line["missions"][1][0] for line in lines if len(line["missions"]) > 1]
    last = _won_late(lines)
    spies = sum(line["won"] == SPIES for line in lines)
    return "\n".join(
        [
            f"- below 1/6, a wrong inference: {doubted:,} of {len(shares):,} decisions",
            f"- at least 0.999 when mission 2 begins: {sum(share >= 0.999 for share in second):,} "
            f"of {len(second):,} games",
            f"- won by the spies in mission 5: {last:,} of the {spies:,} that they won",
        ]
    )


@PAPER.exhibit(
    "figure-4", "belief in the truth: inference, TRUEONLY", _believing("trueonly", "particle"),
    games=250, iterations=20_000, because=BECAUSE,
)  # fmt: skip
def figure_4(run: Found) -> Page:
    """Particle inference against spies that do not bluff (section VII-D)."""
    words = (
        "The text says that the belief starts at 1/6 and rises steeply, is very rarely lower than "
        "1/6, and is relatively low in many games that the spies won, none of them in mission 5."
    )
    lines = _lines(run)
    claims = [
        Claim.fact("belief very rarely below 1/6 (in under 5 % here)", _doubted(lines) < 0.05),
        Claim.fact("no game that the spies won in mission 5", not _won_late(lines)),
    ]
    return _belief_page(run, "trueonly", "particle", words, claims)


@PAPER.exhibit(
    "figure-5", "belief in the truth: hard evidence alone", _believing("trueonly", "none"),
    games=250, iterations=20_000,
)  # fmt: skip
def figure_5(run: Found) -> Page:
    """One by the number of pairs that could have failed the missions (section VII-D)."""
    words = (
        "The text says that it rises much less than with inference. As in the paper, the lines are "
        "set a little aside, so that they do not hide each other."
    )
    return _belief_page(run, "trueonly", "none", words, [])


@PAPER.exhibit(
    "figure-6", "belief in the truth: inference, BLUFF", _believing("bluff", "particle"),
    games=250, iterations=20_000, because=BECAUSE,
)  # fmt: skip
def figure_6(run: Found) -> Page:
    """Particle inference against spies that bluff (section VII-D)."""
    words = (
        "The text says that the belief is typically lower than against TRUEONLY, never 1 right "
        "after the first mission, and that the spies win many games in mission 5."
    )
    lines = _lines(run)
    claims = [
        Claim.fact("never certain right after mission 1", not _sure_early(lines)),
        Claim.fact("games that the spies win in mission 5", _won_late(lines) > 0),
    ]
    return _belief_page(run, "bluff", "particle", words, claims)


# --- of our own: how good the belief is ----------------------------------------------------------


def _scored_cells(budget: RunBudget) -> list[Cell]:
    """The others infer, the spies differ; and one alone infers, among players of another kind."""
    spies = {"TRUEONLY": spies_of(budget, "trueonly"), "BLUFF": spies_of(budget, "bluff")}
    spies |= {"logical": "logical", "random": "random"}
    games, seed = budget.games, budget.seed
    return [
        cell_of(budget, f"spies {name}", spec, others_of(budget), measure=believed)
        for name, spec in spies.items()
    ] + [
        Cell(f"one among four {name}", GAME, (others_of(budget), f"{name}*4"), games, seed,
             duplicate=False, measure=believed)
        for name in ("logical", "random")
    ]  # fmt: skip


@PAPER.exhibit(
    "belief-score", "of our own: the log score of beliefs", _scored_cells,
    games=200, iterations=20_000,
)  # fmt: skip
def belief_score(run: Found) -> Page:
    """Particle inference and hard evidence, scored on the same decisions."""
    rows = [row for outcome in run.outcomes for row in _score_rows(outcome)]
    words = (
        "The score is ln of the share that a belief gives to the true spies, at the decisions of "
        "those who are no spies and play `mt-ismcts` with inference=particle; 0 is the best, "
        "ln 1/6 = -1.792 is where the game begins. *Hard evidence*: the same player at the same "
        "decision, if it held all that its view does not rule out for equally likely. Means over "
        "decisions, with 95 % intervals over games; a positive gain is inference's."
    )
    head = ["who plays", "decisions", "games", "inference", "hard evidence", "gain"]
    return Page.of(words, TWICE, table(head, rows, left=2))


def _score_rows(outcome: CellResult) -> list[list[str]]:
    """A row for each part of the game; one where nobody who is no spy had a belief."""
    name = outcome.cell.name
    scores = outcome.numbers["scores"]
    if not scores:
        return [[name, "none", "0", "", "", ""]]
    return [
        [name, part, f"{means['believed']['clusters']:,}", *map(_score, means.values())]
        for part, means in scores.items()
    ]


def _score(mean: dict[str, Any]) -> str:
    """A mean with its 95 % interval over games, where it has one."""
    from facedown.arena.statistics import Mean, t_interval

    known = Mean(**mean)
    if not known.spread:
        return f"{known.value:+.3f}"
    low, high = t_interval(known)
    return f"**{known.value:+.3f}** ({low:+.3f} to {high:+.3f})"
