"""Figures 1 to 3: who wins (sections VII-A to VII-C)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import product

from facedown.papers import plots
from facedown.papers.cells import Cell, CellResult
from facedown.papers.cowling2015.sides import (
    BECAUSE,
    HEAD,
    METHODS,
    PAPER,
    SPIES_WIN,
    TWICE,
    cell_of,
    mt,
    others_of,
    row_of,
    spies_of,
)
from facedown.papers.paper import Found, Page, RunBudget
from facedown.papers.plots import Axes, Point, Series
from facedown.papers.tables import Effect, Published, effects, table

# --- Figure 1 ------------------------------------------------------------------------------------


_PAIRS = list(product(METHODS, ("none", "particle")))


def _cells_1(budget: RunBudget) -> list[Cell]:
    return [
        cell_of(budget, f"{one} against {two}", spies_of(budget, one), others_of(budget, two))
        for one, two in _PAIRS
    ]


@PAPER.exhibit(
    "figure-1", "five kinds of spies, inference or none", _cells_1,
    games=200, iterations=20_000, full=(1000, 20_000), because=BECAUSE,
)  # fmt: skip
def figure_1(run: Found) -> Page:
    """Every method as spies against others that infer and that do not (section VII-A)."""
    pairs, found = _PAIRS, run.by(_PAIRS)
    rows = [row_of((one.upper(), f"inference={two}"), found[one, two]) for one, two in pairs]
    series = [
        Series(f"others with inference={inference}", [
            Point.of(found[method, inference].first, label=method.upper()) for method in METHODS
        ])
        for inference in ("none", "particle")
    ]  # fmt: skip
    axes = Axes("The Resistance: five kinds of spies", run.budget.note(), y=SPIES_WIN)
    words = "The text also says that PURE, SPLIT and TWOSTEP do not differ significantly."
    told = _effects_of_figure_1(found)
    draw = partial(plots.bars, series=series, axes=axes)
    claims = [effect.claim for effect in told]
    parts = [TWICE, table(HEAD, rows, left=2), effects(told), words]
    return Page.of(*parts, draw=draw, claims=claims)


def _effects_of_figure_1(found: dict[tuple[str, str], CellResult]) -> list[Effect]:
    """What section VII-A states."""
    against = {method: found[method, "particle"].first for method in METHODS}
    true, bluff = against["trueonly"], against["bluff"]
    inference = Effect.between(
        "inference of the others, on TRUEONLY", true, found["trueonly", "none"].first,
        Published.point(-0.664, "VII-A"),
    )  # fmt: skip
    twice = [
        Effect.between(
            f"{one.upper()} over TRUEONLY, against inference", against[one], true,
            words="about twice as often (VII-A)", sign=1,
        )
        for one in ("pure", "split", "twostep")
    ]  # fmt: skip
    stated = Published.point(0.317, "VII-A")
    bluffing = [Effect.between("BLUFF over TRUEONLY, against inference", bluff, true, stated)]
    bluffing += [
        Effect.between(
            f"BLUFF over {one.upper()}, against inference", bluff, against[one],
            words="the most effective counter (VII-A)", sign=1,
        )
        for one in ("pure", "split", "twostep")
    ]  # fmt: skip
    return [inference, *twice, *bluffing]


# --- Figures 2 and 3 -----------------------------------------------------------------------------

_EIGHTHS = range(9)


def _split_spies(budget: RunBudget, eighths: int) -> str:
    """SPLIT with so much of the budget for T1; half and all of it are spies of figure 1, too."""
    if eighths == 8:
        return spies_of(budget, "pure")
    return spies_of(budget, "split", **({} if eighths == 4 else {"split": eighths / 8}))


def _cells_2(budget: RunBudget) -> list[Cell]:
    return [
        cell_of(budget, f"T1 {k} of 8", _split_spies(budget, k), others_of(budget))
        for k in _EIGHTHS
    ]


@PAPER.exhibit(
    "figure-2", "SPLIT over the iterations of its first phase", _cells_2,
    games=200, iterations=20_000, full=(1000, 20_000), because=BECAUSE,
)  # fmt: skip
def figure_2(run: Found) -> Page:
    """T1 of 40,000 iterations from 0 to all, against inference (section VII-B)."""
    found = run.outcomes
    total = 2 * run.budget.iterations
    first = [round(k / 8 * total) for k in _EIGHTHS]
    rows = [
        row_of((f"{t1:,}", f"{total - t1:,}"), one) for t1, one in zip(first, found, strict=True)
    ]
    none, half, most = found[0].first, found[4].first, found[8].first
    told = [
        Effect.between(
            "half self-determinizing over none", half, none, words="more (VII-B)", sign=1
        ),
        Effect.between(
            "all self-determinizing over half", most, half, words="fewer (VII-B)", sign=-1
        ),
    ]
    points = [Point.of(one.first, t1) for t1, one in zip(first, found, strict=True)]
    axes = Axes("The Resistance: SPLIT spies against inference", run.budget.note(),
                f"self-determinizing iterations T1 of {total:,}", SPIES_WIN)  # fmt: skip
    words = (
        "The text names no number of this figure; it says that the win rate rises with T1, is flat "
        "from 3/8 to 7/8 of all iterations and drops at the end."
    )
    head = ["T1", "T2", *HEAD[2:]]
    draw = partial(plots.lines, series=[Series("SPLIT", points)], axes=axes)
    claims = [effect.claim for effect in told]
    return Page.of(words, table(head, rows), effects(told), draw=draw, claims=claims)


_SHARES = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Of the budget of figure 3: 250 iterations to 50,000."""
_SWEPT = (
    "Both sides have the iterations of the row. The text names no number of this figure; it says "
    "that TRUEONLY and SPLIT beat BLUFF where iterations are few, that BLUFF is much stronger from "
    "5,000 to 200,000, and that SPLIT overtakes it beyond."
)


_SWEPT_METHODS = ("trueonly", "pure", "split", "bluff")


def _cells_3(budget: RunBudget) -> list[Cell]:
    return _swept_cells(budget, product(_SWEPT_METHODS, budget.sweep(_SHARES)))


def _swept_cells(budget: RunBudget, pairs: Iterable[tuple[str, int]]) -> list[Cell]:
    """Spies and others with the same number of iterations."""
    return [
        cell_of(
            budget, f"{method}, {n} iterations", mt(n, self=method), mt(n, inference="particle")
        )
        for method, n in pairs
    ]


@PAPER.exhibit(
    "figure-3", "four kinds of spies over iterations", _cells_3,
    games=200, iterations=50_000, full=(1000, 50_000), because=BECAUSE,
)  # fmt: skip
def figure_3(run: Found) -> Page:
    """Spies and others with the same number of iterations (section VII-C)."""
    methods, budgets = _SWEPT_METHODS, run.budget.sweep(_SHARES)
    pairs = list(product(methods, budgets))
    found = run.by(pairs)
    rows = [row_of((f"{n:,}", method.upper()), found[method, n]) for method, n in pairs]
    told = [
        Effect.between(
            f"BLUFF over {other.upper()}, {n:,} iterations", found["bluff", n].first,
            found[other, n].first, words="much stronger (VII-C)" if n >= 5000 else "",
            sign=int(n >= 5000),
        )
        for other in ("trueonly", "split") for n in budgets
    ]  # fmt: skip
    series = [
        Series(method.upper(), [Point.of(found[method, n].first, n) for n in budgets])
        for method in methods
    ]
    note, title = run.budget.note(searches=False), "The Resistance: spies against inference"
    axes = Axes(title, note, "iterations a move", SPIES_WIN, log=True)
    head = ["iterations", *HEAD[:1], *HEAD[2:]]
    draw = partial(plots.lines, series=series, axes=axes)
    claims = [effect.claim for effect in told]
    return Page.of(_SWEPT, table(head, rows, left=2), effects(told), draw=draw, claims=claims)


# --- Figure 3 further on --------------------------------------------------------------------------

_LONG, _LONG_METHODS = (0.25, 0.5, 1.0, 2.5), ("split", "bluff")
_OVERTAKEN = 200_000  # iterations beyond which SPLIT is said to overtake BLUFF


def _long_keys(budget: RunBudget) -> list[tuple[str, int]]:
    return list(product(_LONG_METHODS, budget.sweep(_LONG)))


@PAPER.exhibit(
    "figure-3-long", "SPLIT and BLUFF beyond 200,000 iterations",
    lambda budget: _swept_cells(budget, _long_keys(budget)),
    games=40, iterations=400_000, full=(1000, 400_000), quick=10, because=BECAUSE,
)  # fmt: skip
def figure_3_long(run: Found) -> Page:
    """Where SPLIT is said to overtake BLUFF (section VII-C); few games, for they take long."""
    keys = _long_keys(run.budget)
    found, budgets = run.by(keys), run.budget.sweep(_LONG)
    rows = [row_of((f"{n:,}", method.upper()), found[method, n]) for method, n in keys]
    told = []
    for n in budgets:
        one, two = ("split", "bluff") if n > _OVERTAKEN else ("bluff", "split")
        words = "overtakes (VII-C)" if n > _OVERTAKEN else "much stronger (VII-C)"
        name = f"{one.upper()} over {two.upper()}, {n:,} iterations"
        both = found[one, n].first, found[two, n].first
        told.append(Effect.between(name, *both, words=words, sign=int(n >= 5000)))
    claims = [effect.claim for effect in told]
    head = ["iterations", *HEAD[:1], *HEAD[2:]]
    return Page.of(_SWEPT, table(head, rows, left=2), effects(told), claims=claims)
