"""Further readings of sections 5 and 7: configurations, end games, equal states, known maxima."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from facedown.papers.cells import Cell
from facedown.papers.paper import Found, Page, RunBudget
from facedown.papers.schofield2019.games import (
    MIDDLES,
    PAPER,
    WEAK,
    game_text,
    players,
    seen,
)
from facedown.papers.schofield2019.uniform import (
    LEAST_MODELS,
    MOST_HISTORIES,
    REMEDIES,
    TIMES,
    quartiles,
    tested,
)
from facedown.papers.schofield2019.value import average, hp, hp_ii, mean_text, scored, told_of
from facedown.papers.tables import interval, percent, table

if TYPE_CHECKING:
    from facedown.store.records import GameRecord

# --- HyperPlay by configuration -------------------------------------------------------------------

_BREAKTHROUGH = "blind-breakthrough-5x5"
_CONFIGURATIONS = ((1, 1), (1, 4), (4, 1), (4, 4), (16, 1), (16, 4))


def _configured(budget: RunBudget) -> list[Cell]:
    return [
        Cell(f"{models} models, {samples} samples", _BREAKTHROUGH,
             (f"hyperplay:models={models},samples={samples}", WEAK), budget.games, budget.seed)
        for models, samples in _CONFIGURATIONS
    ]  # fmt: skip


@PAPER.exhibit(
    "breakthrough", "HyperPlay by configuration in Blind Breakthrough", _configured,
    games=40, iterations=None, quick=10,
)  # fmt: skip
def breakthrough(run: Found) -> Page:
    """More models or more random games for each, against the same weak player."""
    rows = [
        [str(models), str(samples), percent(one.first.win_rate), interval(one.first)]
        for (models, samples), one in run.by(_CONFIGURATIONS).items()
    ]
    words = (
        f"What `hyperplay` wins against `{WEAK}` in {game_text(_BREAKTHROUGH)}, each deal in both "
        "seats, by its models and the random games for each of them and each move."
    )
    return Page.of(words, table(["models", "samples", "wins", "95 % interval"], rows, left=2))


# --- uniformity in the end game -------------------------------------------------------------------


def evenness_late(records: Iterable[GameRecord]) -> Mapping[str, Any]:
    """What Table 1 tests in mid-game, one round before the last of each game."""
    return {"games": list(_late(records))}


def _late(records: Iterable[GameRecord]) -> Iterator[dict[str, Any]]:
    for one in seen(records):
        found = tested(one, len(one.rounds) - 1)
        if found is not None:
            yield found


@PAPER.exhibit(
    "end-game", "uniform samples in the end game",
    lambda budget: [
        Cell(name, name, (WEAK,) * players(name), budget.games, budget.seed, measure=evenness_late)
        for name in MIDDLES
    ],
    games=30, iterations=None, quick=6,
)  # fmt: skip
def end_game(run: Found) -> Page:
    """Table 1 one round before the end, of which the paper speaks without numbers."""
    rows = []
    for name, outcome in run.by(MIDDLES).items():
        games = [game for game in outcome.numbers["games"] if game["histories"] > 1]
        sizes = sorted(game["histories"] for game in games)
        size = f"{sizes[0]} to {sizes[-1]}" if sizes else ""
        values = [quartiles([game[remedy] for game in games]) for remedy in REMEDIES]
        rows.append([game_text(name), str(len(games)), size, *values])
    words = (
        "p-values of Pearson's test for a uniform sample of the information set one round before "
        f"the last: quartiles over games, with bags of {TIMES} models for each history, at least "
        f"{LEAST_MODELS:,}. Counted are games with 2 to {MOST_HISTORIES:,} histories there."
    )
    head = ["game", "games", "histories", "no remedy", "weight", "re-balance"]
    return Page.of(words, table(head, rows))


# --- at equal states ------------------------------------------------------------------------------

_EQUAL = ("battleships-in-fog", "krieg-tic-tac-toe-3x3")
_RESOURCES, _TIMES = 2, (1, 10, 100, 1000)
_EQUAL_KEYS = [(game, times) for game in _EQUAL for times in _TIMES]


def _more_samples(times: int) -> str:
    return f"hyperplay:models={_RESOURCES},samples={_RESOURCES * times}"


def _equal_cells(budget: RunBudget) -> list[Cell]:
    return [
        Cell(f"{game}, {times} times", game, (_more_samples(times), hp_ii(_RESOURCES)),
             budget.games, budget.seed, measure=scored)
        for game, times in _EQUAL_KEYS
    ]  # fmt: skip


@PAPER.exhibit(
    "equal-states", "HyperPlay-II against HyperPlay at equal states visited", _equal_cells,
    games=20, iterations=None, quick=6,
)  # fmt: skip
def equal_states(run: Found) -> Page:
    """HyperPlay with up to 1,000 times its random games; where it visits as much, who wins?"""
    rows = []
    for (game, times), outcome in run.by(_EQUAL_KEYS).items():
        one, two = (told_of(outcome.numbers["agents"], spec) for spec in outcome.cell.agents)
        states = [average(side["states"]) for side in (one, two)]
        ratio = f"{states[0] / states[1]:.2f}" if states[1] else ""
        rows.append([game_text(game), f"{times:,}", *(f"{n:,.0f}" for n in states), ratio,
                     mean_text(one["payoffs"], 2), mean_text(two["payoffs"], 2)])  # fmt: skip
    words = (
        f"`{hp(_RESOURCES)}` with so many times its random games against `{hp_ii(_RESOURCES)}`, "
        "each deal in both seats: states visited in a game, HyperPlay's over HyperPlay-II's, and "
        "mean payoffs with 95 % intervals over deals. At a ratio near 1 both have visited as much."
    )
    head = ["game", "times", "HyperPlay visits", "HyperPlay-II visits", "ratio",
            "HyperPlay gets", "HyperPlay-II gets"]  # fmt: skip
    return Page.of(words, table(head, rows, left=2))


# --- cut on win, at the known maximum -------------------------------------------------------------

_BOMB, _MAXIMUM = "exploding-bomb", 90
_CUTS: dict[str, dict[str, Any]] = {
    "none": {},
    "cut on win": {"cut": "true"},
    "cut on the known maximum": {"cut": "true", "win": _MAXIMUM},
}


@PAPER.exhibit(
    "cut-maximum", "HyperPlay-II that cuts at the maximum that is known",
    lambda budget: [
        Cell(name, _BOMB, (hp_ii(4, **options),), budget.games, budget.seed, measure=scored)
        for name, options in _CUTS.items()
    ],
    games=40, iterations=None, quick=20,
)  # fmt: skip
def cut_maximum(run: Found) -> Page:
    """Who asks never gets 100; who knows that the most is 90 stops trying there (section 7.3)."""
    rows = []
    for name, outcome in run.by(_CUTS).items():
        ours = told_of(outcome.numbers["agents"], outcome.cell.agents[0])
        rows.append([name, mean_text(ours["payoffs"]), f"{average(ours['states']):,.0f}"])
    words = (
        f"`{hp_ii(4)}` in Exploding Bomb: mean payoffs with 95 % intervals, and states visited in "
        f"a game. The highest payoff of the rules is 100, the most that can be had for sure "
        f"{_MAXIMUM}."
    )
    return Page.of(words, table(["pruning", "gets", "visits"], rows))
