"""What a sample costs (sections 5.5 and 5.7): HyperPlay's updates beside random sampling.

A state is a joint move that was tried. HyperPlay's cost in a round is what the update of the whole
bag visits, models that go off line included, for each model that is on line after it; section 5.7
counts so: 166,000 states for 48.7 models of 100.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from facedown.papers import plots
from facedown.papers.cells import Cell
from facedown.papers.paper import Found, Page, RunBudget
from facedown.papers.plots import Axes, Point
from facedown.papers.schofield2019.games import (
    MIDDLES,
    PAPER,
    WEAK,
    Seen,
    game_text,
    players,
    seen,
)
from facedown.papers.tables import Published, table
from facedown.papers.verdict import Claim

if TYPE_CHECKING:
    from facedown.store.records import GameRecord

MODELS = 100
LIMIT = 200_000
"""Moves that a model may try in an update: 100,000 joint moves where one of two roles chooses."""

FULL_SIZE = "blind-breakthrough-8x8"
ROUNDS = (1, 2, 16, 17, 32, 33)
"""Of table 2."""


def _costs(one: Seen, last: int | None = None) -> list[dict[str, float | None]]:
    """Round by round, without the round that ends the game, what samples cost."""
    from facedown.belief.hyperplay import Bag
    from facedown.papers.schofield2019.sampling import RandomSampling

    bag = Bag(one.game, one.viewer, MODELS, one.seed, limit=LIMIT, weigh="distinct", resume=False)
    random, found, before = RandomSampling(one.game, one.viewer, one.seed), [], 0
    for tokens in one.rounds[:-1][:last]:
        for token in tokens:
            bag.observe(token)
        walked, started = bag.models["joint"].copy(), set(bag.online)
        bag.update()
        random.observe(tokens)
        moved = [int(bag.models["joint"][k] - walked[k]) for k in bag.online]
        found.append(
            {
                "states": bag.joint_states - before,
                "active": bag.active,
                "lost": len(started - set(bag.online)),
                "each": sum(moved) / len(moved) if moved else None,
                "valid": random.valid,
                "random": random.cost,
                "histories": random.log_histories,
            }
        )
        before = bag.joint_states
    return found


def sampled(records: Iterable[GameRecord]) -> Mapping[str, Any]:
    """For each game its number of rounds and the costs of its rounds."""
    return {"games": [{"rounds": len(one.rounds), "costs": _costs(one)} for one in seen(records)]}


def sampled_early(records: Iterable[GameRecord]) -> Mapping[str, Any]:
    """The same of the rounds that table 2 has."""
    games = [{"rounds": len(one.rounds), "costs": _costs(one, ROUNDS[-1])} for one in seen(records)]
    return {"games": games}


# --- rounds that random sampling does not come through -------------------------------------------

NONE = 3.0
"""Successes that none in many tries speaks against at 95 %: exp(-3) is 0.05."""


def bounded(costs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A game's costs with what random sampling costs at `least`, where it found no sample, too.

    In the first such round none of MOST joint moves came through, and the chance to is at most
    NONE / MOST. Later rounds cost at least as much.
    """
    from facedown.papers.schofield2019.sampling import MOST

    least, told = 0.0, list[dict[str, Any]]()
    for cost in costs:
        if cost["random"] is not None:
            least = cost["random"]
        elif not told or told[-1]["random"] is not None:  # what was visited, over the chance
            least = (least + 1.0) * MOST / NONE
        told.append({**cost, "least": least})
    return told


# --- figure 7 ------------------------------------------------------------------------------------


def ratio(cost: Mapping[str, Any]) -> float | None:
    """HyperPlay's states a sample over random sampling's; None where one of the two found none."""
    if not cost["active"] or cost["random"] is None:
        return None
    return float(cost["states"] / cost["active"] / cost["random"])


def in_part(
    games: Sequence[Mapping[str, Any]], part: int, parts: int
) -> tuple[list[float], list[float]]:
    """The logarithm of the ratio for each game that has rounds in a part, the mean of those.

    First of games in which both found samples in all of these rounds; then of the others what it is
    at most, by the bound of random sampling.
    """
    known, bounds = list[float](), list[float]()
    for game in games:
        told = enumerate(bounded(game["costs"]), 1)
        inside = [
            cost for k, cost in told if part < k / game["rounds"] * parts <= part + 1
            and cost["active"]
        ]  # fmt: skip
        if not inside:
            continue
        logs = [math.log(cost["states"] / cost["active"] / cost["least"]) for cost in inside]
        found = all(cost["random"] is not None for cost in inside)
        (known if found else bounds).append(sum(logs) / len(logs))
    return known, bounds


def at_progress(
    games: Sequence[Mapping[str, Any]], parts: int, least: int = 2
) -> list[tuple[Point, int]]:
    """Geometric means of the ratio over games, by how much of a game is over, in so many parts.

    With each the number of its games: a game counts once in a part, and not at all where random
    sampling found no sample in a round there; where fewer than `least` do, there is no point.
    Intervals are Student's, of the logarithms.
    """
    from facedown.arena.statistics import Mean, clustered_mean, t_interval

    points = []
    for part in range(parts):
        logs, _ = in_part(games, part, parts)
        if len(logs) < least:
            continue
        mean: Mean = clustered_mean(logs, [1] * len(logs))
        low, high = t_interval(mean) if mean.spread else (mean.value, mean.value)
        share, x = math.exp(mean.value), 100 * (part + 0.5) / parts
        points.append((Point(share, math.exp(low), math.exp(high), x), len(logs)))
    return points


def _ratio_text(found: tuple[Point, int] | None) -> str:
    if found is None:
        return ""
    point, games = found
    interval = f"{_percents(point.low)} to {_percents(point.high)}"
    return f"{_percents(point.share)} ({interval}; {games})"


def _lacking(name: str, games: Sequence[Mapping[str, Any]]) -> list[str]:
    """Words on each part of a game in which random sampling found no sample somewhere."""
    words = []
    for part in range(_FIFTHS):
        known, bounds = in_part(games, part, _FIFTHS)
        if bounds:
            both = math.exp(sum(known + bounds) / len(known + bounds))
            words.append(
                f"{game_text(name)}, {20 * part} to {20 * (part + 1)} %: {len(bounds)} of "
                f"{len(known + bounds)} games are left out; with them at most {_percents(both)} %."
            )
    return words


def _percents(share: float) -> str:
    """Percent with two digits that count.

    >>> _percents(0.0216), _percents(12.3456), _percents(0.0000123)
    ('2.2', '1,235', '0.0012')
    """
    value = 100 * share
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.{max(0, 1 - math.floor(math.log10(value)))}f}" if value > 0 else "0"


OTHERS = (
    "banker-and-thief",
    "blind-breakthrough-6x6",
    "cooperative-spies",
    "exploding-bomb",
    "krieg-tic-tac-toe-4x4",
    "krieg-tic-tac-toe-5x5",
    "meier",
    "monty-hall",
    "number-guessing",
    "small-poker",
)
"""The library's other games of hidden information; the largest has a table of its own."""

_LARGER = ("blind-breakthrough-6x6", "krieg-tic-tac-toe-4x4", "krieg-tic-tac-toe-5x5")
"""Of these in the picture, which has room for no more lines."""

_FIFTHS = 5
_DRAWN = 4  # games that a point of the picture stands for at least


@PAPER.exhibit(
    "figure-7", "the cost of samples, HyperPlay over random sampling",
    lambda budget: [_played(budget, name, sampled) for name in (*MIDDLES, *OTHERS)],
    games=30, iterations=None, quick=3,
)  # fmt: skip
def figure_7(run: Found) -> Page:
    """By how much of a game is over, for the eight games of section 5 and others of the library."""
    rows, lines, lacking = [], [], list[str]()
    for name, outcome in run.by((*MIDDLES, *OTHERS)).items():
        games = outcome.numbers["games"]
        lengths = [game["rounds"] for game in games]
        length = f"{min(lengths)} to {max(lengths)}" if lengths else ""
        parts = {point.x: (point, n) for point, n in at_progress(games, _FIFTHS)}
        texts = [_ratio_text(parts.get(100 * (k + 0.5) / _FIFTHS)) for k in range(_FIFTHS)]
        rows.append([game_text(name), length, *texts])
        if name in (*MIDDLES, *_LARGER):
            points = at_progress(games, 2 * _FIFTHS, _DRAWN)
            lines.append((game_text(name), [point for point, _ in points]))
        lacking += _lacking(name, games)
    head = ["game", "rounds", *(f"{20 * k} to {20 * (k + 1)} %" for k in range(_FIFTHS))]
    axes = Axes(
        "HyperPlay: states visited a sample, in % of random sampling",
        f"{run.budget.games} games each, bags of {MODELS}, seed {run.budget.seed}",
        "how much of the game is over (%)",
        "states a sample (%)",
        even=False,
    )
    words = (
        f"States visited for a sample by HyperPlay (bags of {MODELS}) in percent of those by "
        "random sampling, by how much of the game is over: geometric means over games with 95 % "
        "intervals, and the number of games that have rounds there. All are played by "
        f"`{WEAK}`, and the last role samples. The paper's figure is a picture without numbers; "
        "its text has 2.2 % for Blind Breakthrough in the long run."
    )
    without = (
        "Where no joint move of 20,000 came through a round, random sampling found no sample; the "
        "game is left out of that part and of all later ones. The bound takes 3 in 20,000 for it "
        "(95 %). " + " ".join(lacking)
    )
    draw = partial(plots.ratios, lines=lines, axes=axes)
    return Page.of(words, table(head, rows), *([without] if lacking else []), draw=draw)


def _played(budget: RunBudget, game: str, measure: Any) -> Cell:
    """A match of weak players in one of the library's games."""
    return Cell(game, game, (WEAK,) * players(game), budget.games, budget.seed, measure=measure)


# --- table 2 -------------------------------------------------------------------------------------

_TABLE_2 = {  # P(valid), histories, active models, as printed
    1: ("100 %", "22", "100 %"),
    2: ("100 %", "22", "100 %"),
    16: ("1.19 %", "4.2e+11", "71.9 %"),
    17: ("0.73 %", "1.5e+13", "70.3 %"),
    32: ("< 0.01 %", "6.0e+23", "50.0 %"),
    33: ("< 0.01 %", "1.7e+25", "48.7 %"),
}


@PAPER.exhibit(
    "table-2", "Blind Breakthrough 8x8: samples round by round",
    lambda budget: [_played(budget, FULL_SIZE, sampled_early)],
    games=20, iterations=None, quick=2,
    because="perhaps because the paper does not say who played its games",
)  # fmt: skip
def table_2(run: Found) -> Page:
    """P(valid), histories, active models; and what the updates cost (section 5.7)."""
    (outcome,) = run.outcomes
    games = [bounded(game["costs"]) for game in outcome.numbers["games"]]
    rows, costs = [], []
    for number in ROUNDS:
        there = [game[number - 1] for game in games if len(game) >= number]
        valid, histories, active = case_texts(there)
        stated = _TABLE_2[number]
        rows.append([str(number), str(len(there)), valid, stated[0], histories, stated[1],
                     active, stated[2]])  # fmt: skip
        costs.append([str(number), *update_texts(there)])
    head = ["round", "games", "P(valid)", "published", "histories at most", "published",
            "active models", "published"]  # fmt: skip
    more = ["round", "states of the update", "a model that came through", "models lost", "sampled",
            "random, a sample", "HyperPlay, a sample", "ratio", "random, all games",
            "ratio, all games"]  # fmt: skip
    words = (
        f"As the second player sees it, a bag of {MODELS}, of which a model goes off line for good "
        "after 100,000 states in one update (the paper's limit). Means over games; of histories "
        "and of costs geometric means. *Sampled* are the games in which random sampling still "
        "found a sample, in 20,000 tries of a round. Histories, the costs of a sample and their "
        "ratio are of these alone; P(valid) counts 0 for the others. *All games*: with what "
        "random sampling costs at least in the others (3 in 20,000 come through, 95 %)."
    )
    told = (
        "The text on round 32: 1.3 models of 100 lost, 745 states for a model that came through, "
        "166,000 in all, 160,000 for a random sample; 2.2 %."
    )
    claims = [_active_claim(number, games) for number in ROUNDS]
    return Page.of(words, table(head, rows), told, table(more, costs), claims=claims)


def _active_claim(number: int, games: Sequence[Sequence[Mapping[str, Any]]]) -> Claim | None:
    """The published share of active models beside ours, with its interval over games."""
    from facedown.arena.statistics import clustered_mean, t_interval

    there = [game[number - 1] for game in games if len(game) >= number]
    if not there:
        return None
    active = clustered_mean([cost["active"] / MODELS for cost in there], [1] * len(there))
    low, high = t_interval(active) if active.spread else (active.value, active.value)
    stated = Published.point(float(_TABLE_2[number][2].split()[0]) / 100, "table 2")
    return Claim.number(f"active models in round {number}", low, high, stated)


def case_texts(there: Sequence[Mapping[str, Any]]) -> tuple[str, str, str]:
    """P(valid), the bound on histories and the active models of a round, as text."""
    if not there:
        return "", "", ""
    valid = sum(cost["valid"] for cost in there) / len(there)
    known = [cost["histories"] for cost in there if cost["random"] is not None]
    histories = f"{math.exp(sum(known) / len(known)):.2g} ({len(known)})" if known else ""
    from facedown.arena.statistics import clustered_mean, t_interval

    active = clustered_mean([cost["active"] / MODELS for cost in there], [1] * len(there))
    text = f"{100 * active.value:.1f} %"
    if active.spread:
        low, high = t_interval(active)
        text += f" ({100 * max(low, 0):.1f} to {100 * min(high, 1):.1f})"
    small = "< 0.01 %" if valid < 1e-4 else f"{100 * valid:.2f} %"
    return small, histories, text


def update_texts(there: Sequence[Mapping[str, Any]]) -> list[str]:
    """What an update in a round costs: in all, for a model, and beside random sampling."""
    known = [cost for cost in there if ratio(cost) is not None]
    if not known:
        return [""] * 9
    states = sum(cost["states"] for cost in there) / len(there)
    each = [cost["each"] for cost in there if cost["each"] is not None]
    lost = sum(cost["lost"] for cost in there) / len(there)
    random = _geometric([cost["random"] for cost in known])
    ours = _geometric([cost["states"] / cost["active"] for cost in known])
    active = [cost for cost in there if cost["active"]]
    least = _geometric([cost["least"] for cost in active])
    most = _geometric([cost["states"] / cost["active"] for cost in active]) / least
    sure = len(known) == len(active)
    return [f"{states:,.0f}", f"{sum(each) / len(each):,.1f}", f"{lost:.2f}", str(len(known)),
            f"{random:,.0f}", f"{ours:,.1f}", f"{_percents(ours / random)} %",
            f"{'' if sure else '> '}{least:,.0f}",
            f"{'' if sure else '< '}{_percents(most)} %"]  # fmt: skip


def _geometric(numbers: Sequence[float]) -> float:
    return math.exp(sum(math.log(number) for number in numbers) / len(numbers))
