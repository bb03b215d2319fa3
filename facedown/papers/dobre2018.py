"""Dobre and Lascarides 2018: POMCP with preferences among kinds of moves, in Settlers.

Every cell is one player against three of another kind, seats rotated; 25 % is even. `scripted`
sits where the paper has its Stac agent. Preferences are those of a file `preferences.json` in the
folder of the results, where somebody has put one (`facedown learn` converts the published counts of
people's games); else those that come with the game, learnt from games of our own. So published
shares stand beside ours for the order of the players, not for their size.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import sqrt
from pathlib import Path

from facedown.papers import plots
from facedown.papers.cells import Cell, CellResult
from facedown.papers.paper import Found, Page, Paper, RunBudget
from facedown.papers.plots import Axes, Point, Series
from facedown.papers.tables import Effect, Published, effects, interval, percent, table
from facedown.papers.verdict import Claim

PAPER = Paper(
    "dobre2018",
    "M. Dobre, A. Lascarides, POMCP with Human Preferences in Settlers of Catan, AAAI Conference "
    "on Artificial Intelligence and Interactive Digital Entertainment 2018",
)
GAME = "settlers"
EVEN = 0.25
BASELINE = "scripted"
PREFERENCES = "preferences.json"
_UNINFORMED = ("pomcp", "pomcp-nn")  # which ask no preferences among kinds of moves
_CONSTANTS = {"pomcp": 0.5, "pomcp-cr": 0.5}  # the paper's C where no prior informs the tree
_INFORMED = 4.0  # and where one does
_TUNED_AT = 10_000  # iterations, at which the paper chose both
_NOTHING: Mapping[str, str] = {}
_HEAD = ["one", "against three", "won", "share", "95 % interval", "z", "published"]
_WORDS = (
    "One against three, each game a deal of its own, the seats rotated; z is that of the test "
    "against 25 % which the paper uses: beyond 1.96 either way a share differs from it (5 %). "
    "Below the paper's 10,000 iterations its constant C is scaled by the root of their share."
)


def _file(budget: RunBudget) -> Path | None:
    """The file of preferences in the folder of the results, where there is one."""
    file = None if budget.folder is None else budget.folder / PREFERENCES
    return file if file is not None and file.is_file() else None


def _constant(budget: RunBudget, name: str) -> str:
    """The paper's C, scaled by the root of the share of its iterations.

    Of N visits a move with prior P has some share of N, so that what PUCT adds to its mean goes
    as C P / sqrt(N). With the paper's C at a tenth of its iterations or less the prior alone
    decides, and four such players end their turns with full hands for thousands of moves. Where
    iterations are multiplied (Table 3), C stays that of the first column, as the paper's does.
    """
    share = min(1.0, budget.iterations / _TUNED_AT)
    return f"{_CONSTANTS.get(name, _INFORMED) * sqrt(share):.3g}"


def _spec(
    budget: RunBudget, name: str, options: Mapping[str, str] = _NOTHING, times: int = 1
) -> str:
    """An agent's spec with its iterations, and the run's own preferences where it asks for any.

    Searches stop early: the moves are the same.
    """
    if name == BASELINE:
        return name
    given = {"iterations": str(times * budget.iterations), "early": "true"}
    given |= {"c": _constant(budget, name), **options}
    file = _file(budget)
    if file is not None and (name not in _UNINFORMED or "kinds" in options):
        given["preferences"] = file.as_posix()
    return f"{name}:" + ",".join(f"{key}={value}" for key, value in given.items())


def _named(budget: RunBudget, agents: Mapping[str, tuple[str, dict[str, str]]]) -> dict[str, str]:
    """Specs by the names that a table has for them, the scripted player among them."""
    known = {key: _spec(budget, name, options) for key, (name, options) in agents.items()}
    return {**known, BASELINE: BASELINE}


def _whose(run: Found) -> str:
    """Whose preferences are played by, in words."""
    from facedown.search.preferences import load_preferences

    file = _file(run.budget)
    if file is not None:
        about = load_preferences(file).about
        return f"Preferences: {about.get('from', 'a file of the user')}."
    return "Preferences: those that come with the game, learnt from games of our own."


def _cell(budget: RunBudget, name: str, one: str, three: str) -> Cell:
    """One player against three of another kind."""
    return Cell(name, GAME, (one, f"{three}*3"), budget.games, budget.seed, duplicate=False)


def z_score(wins: float, games: int, even: float = EVEN) -> float:
    """How many standard errors a share of wins lies above an even one.

    >>> round(z_score(275, 1000), 2)
    1.83
    """
    return (wins / games - even) / sqrt(even * (1 - even) / games)


def _row(names: Sequence[str], outcome: CellResult, stated: float | None) -> list[str]:
    first = outcome.first
    won = f"{first.wins:,} of {first.games:,}"
    z = f"{z_score(first.wins, first.games):+.1f}"
    published = "" if stated is None else f"{stated:.2f} %"
    return [*names, won, f"**{percent(first.win_rate)}**", interval(first), z, published]


Pair = tuple[str, str]
BECAUSE = (
    "because the baseline is our scripted player and not Stac, and budgets are smaller; "
    "preferences may be of our own games"
)


def _cells(budget: RunBudget, players: Mapping[str, str], pairs: Iterable[Pair]) -> list[Cell]:
    """Every pair."""
    return [_cell(budget, f"{a} against 3 {b}", players[a], players[b]) for a, b in pairs]


def _rows(found: Mapping[Pair, CellResult], stated: Mapping[Pair, float]) -> str:
    """What came out, as a table."""
    return table(_HEAD, [_row(pair, one, stated.get(pair)) for pair, one in found.items()], left=2)


def _claims(found: Mapping[Pair, CellResult], stated: Mapping[Pair, float]) -> list[Claim]:
    """That a share lies on the published side of 25 %."""
    return [
        Claim.order(f"{a} against 3 {b} {'above' if stated[a, b] > 25 else 'below'} 25 %",
                    one.first.low - EVEN, one.first.high - EVEN, 1 if stated[a, b] > 25 else -1)
        for (a, b), one in found.items() if (a, b) in stated
    ]  # fmt: skip


def _drawn(
    run: Found,
    title: str,
    found: Mapping[tuple[str, str], CellResult],
    stated: Mapping[tuple[str, str], float],
) -> partial[None]:
    """Bars of all cells, what was published beside them."""
    pairs = list(found)
    points = [Point.of(found[p].first, label=f"{p[0]}\nv. 3 {p[1]}") for p in pairs]
    published = [
        Published.point(stated[pair] / 100, "", x) for x, pair in enumerate(pairs) if pair in stated
    ]
    axes = Axes(title, run.budget.note(), even=False)
    return partial(plots.bars, series=[Series("measured", points, published)], axes=axes)


def _over(
    found: Mapping[tuple[str, str], CellResult], one: str, other: str, against: str
) -> Effect:
    """How much more often one player wins than another against the same three."""
    results = (found[one, against].first, found[other, against].first)
    return Effect.between(f"{one} over {other}, against 3 {against}", *results)


# --- Table 2 -------------------------------------------------------------------------------------

_AGENTS = ("pomcp", "pomcp-nn", "pomcp-ts", "pomcp-ts-cr")
_TABLE_2 = {  # percents of 2,000 games at 10,000 iterations
    ("pomcp", BASELINE): 33.45,
    ("pomcp", "pomcp-nn"): 19.65,
    ("pomcp", "pomcp-ts"): 22.05,
    ("pomcp", "pomcp-ts-cr"): 31.50,
    ("pomcp-nn", BASELINE): 34.89,
    ("pomcp-nn", "pomcp"): 30.69,
    ("pomcp-nn", "pomcp-ts"): 24.80,
    ("pomcp-nn", "pomcp-ts-cr"): 24.70,
    ("pomcp-ts", BASELINE): 40.56,
    ("pomcp-ts", "pomcp"): 29.53,
    ("pomcp-ts", "pomcp-nn"): 24.82,
    ("pomcp-ts", "pomcp-ts-cr"): 24.71,
    ("pomcp-ts-cr", BASELINE): 40.70,
    ("pomcp-ts-cr", "pomcp"): 47.50,
    ("pomcp-ts-cr", "pomcp-nn"): 33.30,
    ("pomcp-ts-cr", "pomcp-ts"): 30.73,
}


def _cells_2(budget: RunBudget) -> list[Cell]:
    players = {name: _spec(budget, name) for name in (*_AGENTS, BASELINE)}
    return _cells(budget, players, _TABLE_2)


@PAPER.exhibit(
    "table-2", "the agents against each other", _cells_2, games=400, iterations=1000,
    full=(2000, 10_000), because=BECAUSE,
)  # fmt: skip
def table_2(run: Found) -> Page:
    """Every agent against three of every other, and of the scripted player."""
    found = run.by(_TABLE_2)
    told = [_over(found, "pomcp-ts-cr", other, BASELINE) for other in ("pomcp", "pomcp-ts")]
    draw = _drawn(run, "Settlers: one against three", found, _TABLE_2)
    parts = [_WORDS, _whose(run), _rows(found, _TABLE_2), effects(told)]
    return Page.of(*parts, draw=draw, claims=_claims(found, _TABLE_2))


# --- Table 3 -------------------------------------------------------------------------------------

_TABLE_3 = {
    "pomcp": (33.45, 42.23, 44.5, 47.94),
    "pomcp-ts-cr": (40.70, 49.00, 52.65, 53.65),
}
_TIMES = (1, 2, 3, 4)


_LONGER = [(name, times) for name in _TABLE_3 for times in _TIMES]


def _cells_3(budget: RunBudget) -> list[Cell]:
    return [
        _cell(budget, f"{name}, {n} times", _spec(budget, name, times=n), BASELINE)
        for name, n in _LONGER
    ]


@PAPER.exhibit(
    "table-3", "more iterations against the baseline", _cells_3, games=400, iterations=1000,
    full=(2000, 10_000), because=BECAUSE,
)  # fmt: skip
def table_3(run: Found) -> Page:
    """Both agents against three scripted ones, with one to four times the iterations."""
    keys, found = _LONGER, run.by(_LONGER)
    rows = [
        _row((name, f"{n * run.budget.iterations:,}"), found[name, n], _TABLE_3[name][n - 1])
        for name, n in keys
    ]
    head = ["agent", "iterations", *_HEAD[2:]]
    told = [
        Effect.between(
            f"{name}: 4 times over once",
            found[name, 4].first,
            found[name, 1].first,
            words="more",
            sign=1,
        )
        for name in _TABLE_3
    ]
    series = [
        Series(name, [Point.of(found[name, n].first, n * run.budget.iterations) for n in _TIMES])
        for name in _TABLE_3
    ]
    note = run.budget.note(searches=False)
    axes = Axes("Settlers: one against three scripted", note, x="iterations", even=False)
    stated = "Published at 10,000, 20,000, 30,000 and 40,000 iterations against Stac."
    draw = partial(plots.lines, series=series, axes=axes)
    shown = table(head, rows, left=2)
    parts = [_WORDS, _whose(run), stated, shown, effects(told)]
    return Page.of(*parts, draw=draw, claims=[effect.claim for effect in told])


# --- Table 4 -------------------------------------------------------------------------------------

_READINGS: dict[str, tuple[str, dict[str, str]]] = {
    "uniform": ("pomcp", {}),
    "unconditioned": ("pomcp", {"kinds": "unconditioned"}),
    "conditioned": ("pomcp-cr", {}),
}
_TABLE_4 = {
    ("uniform", BASELINE): 33.45,
    ("uniform", "unconditioned"): 22.25,
    ("uniform", "conditioned"): 27.19,
    ("unconditioned", BASELINE): 25.63,
    ("unconditioned", "uniform"): 23.55,
    ("unconditioned", "conditioned"): 17.25,
    ("conditioned", BASELINE): 34.75,
    ("conditioned", "uniform"): 32.10,
    ("conditioned", "unconditioned"): 34.80,
}


@PAPER.exhibit(
    "table-4", "the kinds of moves in playouts",
    lambda budget: _cells(budget, _named(budget, _READINGS), _TABLE_4),
    games=400, iterations=1000, full=(2000, 10_000), because=BECAUSE,
)  # fmt: skip
def table_4(run: Found) -> Page:
    """Playouts that draw kinds uniformly, by equation 1 and by equation 2."""
    found = run.by(_TABLE_4)
    told = [_over(found, "conditioned", other, BASELINE) for other in ("uniform", "unconditioned")]
    draw = _drawn(run, "Settlers: kinds in playouts", found, _TABLE_4)
    parts = [_WORDS, _whose(run), _rows(found, _TABLE_4), effects(told)]
    return Page.of(*parts, draw=draw, claims=_claims(found, _TABLE_4))


# --- the tree phase ------------------------------------------------------------------------------

_SELECTION: dict[str, tuple[str, dict[str, str]]] = {
    "uniform": ("pomcp", {}),
    "unconditioned": ("pomcp-ts", {"kind_priors": "unconditioned"}),
    "conditioned": ("pomcp-ts", {}),
    "ucb1": ("pomcp", {"bandit": "ucb1", "c": "0.7"}),
}
_STATED = {
    ("unconditioned", BASELINE): 40.0,
    ("conditioned", BASELINE): 40.0,
    ("unconditioned", "uniform"): 29.0,
    ("conditioned", "uniform"): 29.0,
}


_TREE_PAIRS = [
    *((one, BASELINE) for one in _SELECTION),
    ("unconditioned", "uniform"), ("conditioned", "uniform"),
    ("conditioned", "unconditioned"), ("unconditioned", "conditioned"),
    ("uniform", "ucb1"), ("ucb1", "uniform"),
]  # fmt: skip


@PAPER.exhibit(
    "tree-phase", "priors in the tree",
    lambda budget: _cells(budget, _named(budget, _SELECTION), _TREE_PAIRS),
    games=400, iterations=1000, full=(2000, 10_000), because=BECAUSE,
)  # fmt: skip
def tree_phase(run: Found) -> Page:
    """Priors by kinds in the tree alone, and PUCT with uniform ones against UCB1."""
    found = run.by(_TREE_PAIRS)
    words = (
        "Playouts draw kinds uniformly in all. `uniform` is PUCT with equal priors, `ucb1` the "
        "same search with UCB1. The text has only about 40 % and 29 % for both preferences."
    )
    draw = _drawn(run, "Settlers: priors in the tree", found, _STATED)
    parts = [_WORDS, _whose(run), words, _rows(found, _STATED)]
    return Page.of(*parts, draw=draw, claims=_claims(found, _STATED))
