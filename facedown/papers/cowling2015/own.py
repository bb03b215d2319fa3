"""Beside the figures: bandits (section IV), scripted players, more players, other searches."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from facedown.papers import plots
from facedown.papers.cells import CellResult
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
from facedown.papers.paper import Page, Run
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


@PAPER.exhibit("bandits", "UCB-Tuned against UCB1", games=200, iterations=20_000)
def bandits(run: Run) -> Page:
    """One side or the other plays by UCB1; BLUFF spies against inference (section IV)."""
    tuned, *plain = _BANDITS
    pairs = [(tuned, tuned), *((one, tuned) for one in plain), *((tuned, one) for one in plain)]
    wanted = [
        cell_of(
            run,
            f"spies {one}, others {two}",
            spies_of(run, "bluff", **_BANDITS[one]),
            others_of(run, **_BANDITS[two]),
        )
        for one, two in pairs
    ]
    found = dict(zip(pairs, run.play(wanted), strict=True))
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
    return Page.of(words, TWICE, table(HEAD, rows, left=2), effects(told))


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


@PAPER.exhibit("scripted", "of our own: against scripted players", games=200, iterations=20_000)
def scripted(run: Run) -> Page:
    """MT-ISMCTS and `logical` in the same seats against the same players."""
    seats = {"spies": (spies_of(run, "bluff"), 0), "others": (others_of(run), 1)}
    keys = list(product(seats, _SCRIPTS, ("MT-ISMCTS", "logical")))
    wanted = []
    for seat, opponent, player in keys:
        spec, side = seats[seat]
        both = (spec if player == "MT-ISMCTS" else "logical", opponent)
        sides = both if side == 0 else both[::-1]
        wanted.append(cell_of(run, f"{player} as {seat} against {opponent}", *sides))
    found = dict(zip(keys, run.play(wanted), strict=True))
    rows, told = [], []
    for seat, opponent in product(seats, _SCRIPTS):
        side = seats[seat][1]
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


@PAPER.exhibit("players", "of our own: 5 to 10 players", games=210, iterations=2000)
def players(run: Run) -> Page:
    """TRUEONLY and BLUFF spies against inference, where worlds grow to 210."""
    methods = ("trueonly", "bluff")
    keys = list(product(_PLAYERS, methods))
    wanted = [
        cell_of(
            run,
            f"{count} players, {method}",
            spies_of(run, method),
            others_of(run),
            game=f"{GAME}:players={count}",
        )
        for count, method in keys
    ]
    found = dict(zip(keys, run.play(wanted), strict=True))
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


@PAPER.exhibit("oos", "of our own: beside Smooth-UCT and OOS", games=200, iterations=20_000)
def oos(run: Run) -> Page:
    """What the paper leaves as future work (section VIII): each against each."""
    n = run.budget.iterations
    rest = {name: f"{name}:iterations={n}" for name in ("smooth-uct", "oos")}
    spies = {"mt-ismcts (BLUFF)": mt(n, self="bluff"), **rest}
    others = {"mt-ismcts (inference)": mt(n, inference="particle"), **rest}
    pairs = list(product(spies, others))
    wanted = [cell_of(run, f"{one} against {two}", spies[one], others[two]) for one, two in pairs]
    found = dict(zip(pairs, run.play(wanted), strict=True))
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
