"""Beside the figures: bandits (section IV), scripted players, more players, other searches."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from facedown.papers import plots
from facedown.papers.cells import Cell, CellResult
from facedown.papers.cowling2015.sides import (
    GAME,
    HEAD,
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

if TYPE_CHECKING:
    from facedown.arena.results import AgentResult

# --- UCB-Tuned and UCB1 --------------------------------------------------------------------------

_BANDITS: dict[str, dict[str, Any]] = {
    "UCB-Tuned": {},
    "UCB1, c = 0.7": {"bandit": "ucb1", "c": 0.7},
    "UCB1, c = 1.414": {"bandit": "ucb1", "c": 1.414},  # sqrt(2), as Auer et al. (2002) have it
}


_TUNED, *_PLAIN = _BANDITS
_BANDIT_PAIRS = [
    (_TUNED, _TUNED), *((one, _TUNED) for one in _PLAIN), *((_TUNED, one) for one in _PLAIN)
]  # fmt: skip


def _bandit_cells(budget: RunBudget) -> list[Cell]:
    return [
        cell_of(
            budget,
            f"spies {one}, others {two}",
            spies_of(budget, "bluff", **_BANDITS[one]),
            others_of(budget, **_BANDITS[two]),
        )
        for one, two in _BANDIT_PAIRS
    ]


@PAPER.exhibit(
    "bandits", "UCB-Tuned against UCB1", _bandit_cells, games=200, iterations=20_000,
    full=(1000, 20_000), because="the text says neither which constant UCB1 had nor which side",
)  # fmt: skip
def bandits(run: Found) -> Page:
    """One side or the other plays by UCB1; BLUFF spies against inference (section IV)."""
    tuned, plain, pairs = _TUNED, _PLAIN, _BANDIT_PAIRS
    found = run.by(pairs)
    stated = Published(0.03, 0.04, "IV, of whom it does not say", whole=True)
    told = [
        Effect.between(
            f"spies: UCB-Tuned over {one}", *_wins(found, 0, (tuned, tuned), (one, tuned)), stated
        )
        for one in plain
    ] + [
        Effect.between(
            f"others: UCB-Tuned over {one}", *_wins(found, 1, (tuned, tuned), (tuned, one)), stated
        )
        for one in plain
    ]
    rows = [row_of(pair, found[pair]) for pair in pairs]
    words = (
        "BLUFF spies against others with inference. The text does not say with which constant, "
        "against whom and on which side UCB-Tuned gained in its preliminary experiments."
    )
    claims = [effect.claim for effect in told]
    return Page.of(words, TWICE, table(HEAD, rows, left=2), effects(told), claims=claims)


def _wins(
    found: dict[tuple[str, str], CellResult],
    side: int,
    one: tuple[str, str],
    other: tuple[str, str],
) -> tuple[AgentResult, AgentResult]:
    """What a side won in one cell and in another."""
    return found[one].result.agents[side], found[other].result.agents[side]


# --- scripted players ----------------------------------------------------------------------------

_SCRIPTS = ("random", "naive", "logical", "bluffer")


_SEATS = {"spies": 0, "others": 1}
_SCRIPTED = list(product(_SEATS, _SCRIPTS, ("MT-ISMCTS", "logical")))


def _scripted_cells(budget: RunBudget) -> list[Cell]:
    specs = {"spies": spies_of(budget, "bluff"), "others": others_of(budget)}
    wanted = []
    for seat, opponent, player in _SCRIPTED:
        both = (specs[seat] if player == "MT-ISMCTS" else "logical", opponent)
        sides = both if _SEATS[seat] == 0 else both[::-1]
        wanted.append(cell_of(budget, f"{player} as {seat} against {opponent}", *sides))
    return wanted


@PAPER.exhibit(
    "scripted", "of our own: against scripted players", _scripted_cells,
    games=200, iterations=20_000,
)  # fmt: skip
def scripted(run: Found) -> Page:
    """MT-ISMCTS and `logical` in the same seats against the same players."""
    found = run.by(_SCRIPTED)
    rows, told = [], []
    for seat, opponent in product(_SEATS, _SCRIPTS):
        side = _SEATS[seat]
        ours, theirs = (found[seat, opponent, player] for player in ("MT-ISMCTS", "logical"))
        rows += [row_of((seat, opponent, "MT-ISMCTS"), ours, side)]
        rows += [row_of((seat, opponent, "logical"), theirs, side)]
        results = ours.result.agents[side], theirs.result.agents[side]
        told.append(Effect.between(f"as {seat}, against {opponent}", *results))
    head = ["as", "against", "who plays", "won", "share", "95 % interval"]
    words = (
        "Wins are those of who plays: MT-ISMCTS as BLUFF spies or with inference as the others, "
        "and `logical` in the same seats. The effects are MT-ISMCTS's wins over those of `logical`."
    )
    return Page.of(words, TWICE, table(head, rows, left=3), effects(told))


# --- more players --------------------------------------------------------------------------------

_PLAYERS = range(5, 11)


_FEW_METHODS = ("trueonly", "bluff")
_CROWDS = list(product(_PLAYERS, _FEW_METHODS))


def _crowd_cells(budget: RunBudget) -> list[Cell]:
    return [
        cell_of(
            budget,
            f"{count} players, {method}",
            spies_of(budget, method),
            others_of(budget),
            game=f"{GAME}:players={count}",
        )
        for count, method in _CROWDS
    ]


@PAPER.exhibit("players", "of our own: 5 to 10 players", _crowd_cells, games=210, iterations=2000)
def players(run: Found) -> Page:
    """TRUEONLY and BLUFF spies against inference, where worlds grow to 210."""
    methods, keys = _FEW_METHODS, _CROWDS
    found = run.by(keys)
    rows = [row_of((str(count), one.upper()), found[count, one]) for count, one in keys]
    told = [
        Effect.between(
            f"{count} players: BLUFF over TRUEONLY",
            found[count, "bluff"].first,
            found[count, "trueonly"].first,
        )
        for count in _PLAYERS
    ]
    series = [
        Series(one.upper(), [Point.of(found[count, one].first, count) for count in _PLAYERS])
        for one in methods
    ]
    axes = Axes("The Resistance: spies against inference", run.budget.note(), "players", SPIES_WIN)
    head = ["players", *HEAD[:1], *HEAD[2:]]
    draw = partial(plots.lines, series=series, axes=axes)
    return Page.of(TWICE, table(head, rows, left=2), effects(told), draw=draw)


# --- other searches ------------------------------------------------------------------------------


_REST = ("smooth-uct", "oos")


def _searchers(n: int) -> tuple[dict[str, str], dict[str, str]]:
    """Spies and others by their names, all with n iterations."""
    rest = {name: f"{name}:iterations={n}" for name in _REST}
    spies = {"mt-ismcts (BLUFF)": mt(n, self="bluff"), **rest}
    return spies, {"mt-ismcts (inference)": mt(n, inference="particle"), **rest}


def _oos_cells(budget: RunBudget) -> list[Cell]:
    spies, others = _searchers(budget.iterations)
    return [
        cell_of(budget, f"{one} against {two}", spies[one], others[two])
        for one, two in product(spies, others)
    ]


@PAPER.exhibit(
    "oos", "of our own: beside Smooth-UCT and OOS", _oos_cells, games=200, iterations=20_000
)
def oos(run: Found) -> Page:
    """What the paper leaves as future work (section VIII): each against each."""
    spies, others = _searchers(run.budget.iterations)
    rest, pairs = _REST, list(product(spies, others))
    found = run.by(pairs)
    rows = [row_of(pair, found[pair]) for pair in pairs]
    ours = next(iter(spies)), next(iter(others))
    told = [
        Effect.between(f"spies: {one} over mt-ismcts", *_wins(found, 0, (one, ours[1]), ours))
        for one in rest
    ] + [
        Effect.between(f"others: {one} over mt-ismcts", *_wins(found, 1, (ours[0], one), ours))
        for one in rest
    ]
    words = (
        "Everybody has the same iterations a move, BLUFF in both phases together. The effects are "
        "against `mt-ismcts` on the other side."
    )
    return Page.of(words, table(HEAD, rows, left=2), effects(told))
