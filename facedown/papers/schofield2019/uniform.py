"""Whether samples are uniform over the information set (sections 5.3 and 5.6, Table 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from facedown.papers.cells import Cell
from facedown.papers.paper import Found, Page, RunBudget
from facedown.papers.schofield2019.games import (
    MIDDLES,
    PAPER,
    WEAK,
    Seen,
    game_text,
    players,
    seen,
)
from facedown.papers.tables import table
from facedown.papers.verdict import Claim

if TYPE_CHECKING:
    from facedown.store.records import GameRecord

TIMES = 10
"""Models for each history of the set, so that Pearson's test applies (section 5.3)."""

LEAST_MODELS = 1000
MOST_HISTORIES = 1000
History = tuple[int, ...]
REMEDIES = ("none", "weight", "re-balance")

_TABLE_1 = {  # quartiles as printed; the paper's smallest number is 0.001
    "battleships-in-fog": (0.030, 0.158, 0.454),
    "blind-breakthrough-5x5": (0.006, 0.156, 0.663),
    "border-protection": (0.005, 0.040, 0.262),
    "guess-who": (0.001, 0.001, 0.094),
    "hidden-connect": (0.001, 0.001, 0.001),
    "krieg-tic-tac-toe-3x3": (0.001, 0.001, 0.001),
    "mastermind": (0.027, 0.211, 0.520),
    "transit": (0.001, 0.001, 0.116),
}


def p_value(times: Sequence[float], histories: int) -> float:
    """How likely counts so far from even are in an even sample (equations 18 and 19).

    `times` is how often each history came that came at all, of so many in the set.

    >>> round(p_value([60, 40], 2), 4), p_value([50, 50], 2), p_value([7], 1)
    (0.0455, 1.0, 1.0)
    """
    from facedown.laws.statistics import tail

    due = sum(times) / histories
    missed = histories - len(times)
    statistic = sum((n - due) ** 2 / due for n in times) + missed * due
    return tail(statistic, histories - 1)


def tested(one: Seen, last: int) -> dict[str, Any] | None:
    """p-values with and without the remedies after a round; None where there is no test."""
    from facedown.papers.schofield2019.sampling import InformationSet

    if len(one.rounds) <= last:
        return None
    members = InformationSet(one.game, one.viewer, MOST_HISTORIES)
    for tokens in one.rounds[:last]:
        members.observe(tokens)
    if members.members is None or len(members.members) < 2:
        return {"histories": 0 if members.members is None else 1}
    histories = len(members.members)
    models = max(LEAST_MODELS, TIMES * histories)
    (plain, weighed), (balanced, _) = (
        _counted(one, last, models, rebalance=r) for r in (False, True)
    )
    counts = zip(REMEDIES, (plain, weighed, balanced), strict=True)
    values = {name: p_value(times, histories) for name, times in counts}
    return {"histories": histories, "held": len(plain) / histories, **values}


def _counted(
    one: Seen, last: int, models: int, *, rebalance: bool
) -> tuple[list[float], list[float]]:
    """How often each history is in a bag that has followed the game to a round, and what it counts.

    The latter is by the bag's weights, each divided by the likelihood of the model's history, and
    they sum to the number of models: even where models that share a history share its weight.
    """
    import numpy as np

    from facedown.belief.hyperplay import Bag

    bag = Bag(one.game, one.viewer, models, one.seed, weigh="distinct", rebalance=rebalance)
    for tokens in one.rounds[:last]:
        for token in tokens:
            bag.observe(token)
        bag.update()
    chances, weighed, histories = bag.chances(), dict[History, float](), bag.histories()
    each = bag.shares() / np.exp(chances - chances.max())
    for history, share in zip(histories, (each / each.sum()).tolist(), strict=True):
        weighed[history] = weighed.get(history, 0.0) + share * len(histories)
    return [float(times) for times in Counter(histories).values()], list(weighed.values())


def evenness(records: Iterable[GameRecord]) -> Mapping[str, Any]:
    """For each game that has come so far, what was tested after the round of Table 1."""
    return {"games": list(_all_even(records))}


def _all_even(records: Iterable[GameRecord]) -> Iterator[dict[str, Any]]:
    for one in seen(records):
        found = tested(one, MIDDLES[one.game.name])
        if found is not None:
            yield found


def _cells(budget: RunBudget) -> list[Cell]:
    return [
        Cell(name, name, (WEAK,) * players(name), budget.games, budget.seed, measure=evenness)
        for name in MIDDLES
    ]


@PAPER.exhibit(
    "table-1", "uniform samples, with and without the remedies", _cells,
    games=30, iterations=None, quick=6,
    because="perhaps because the library's games are written after the paper's descriptions and "
    "the sizes of its bags are not told",
)  # fmt: skip
def table_1(run: Found) -> Page:
    """Quartiles of the p-values of Pearson's test in mid-game."""
    rows, claims = [], []
    for outcome in run.outcomes:
        name = outcome.cell.name
        games = [game for game in outcome.numbers["games"] if game["histories"] > 1]
        sizes = sorted(game["histories"] for game in games)
        size = f"{sizes[0]} to {sizes[-1]}" if sizes else ""
        published = ", ".join(map(p_text, _TABLE_1[name]))
        values = [quartiles([game[remedy] for game in games]) for remedy in REMEDIES]
        rows.append([game_text(name), str(MIDDLES[name]), str(len(games)), size,
                     values[0], published, *values[1:]])  # fmt: skip
        claims.append(_median(name, [game["none"] for game in games]))
    head = ["game", "round", "games", "histories", "no remedy", "published", "weight", "re-balance"]
    words = (
        "p-values of Pearson's test for a uniform sample of the information set after the paper's "
        "round: lower quartile, median, upper quartile over games. Bags have "
        f"{TIMES} models for each history of the set, which is enumerated, and at least "
        f"{LEAST_MODELS:,}; the paper does not say how many its bags had. Counted are games that "
        f"last longer and have sets of 2 to {MOST_HISTORIES:,} histories there. With *weight* "
        "every history in the bag counts alike, with *re-balance* every one has as many models: "
        "what is left is what the bag does not hold."
    )
    return Page.of(words, table(head, rows), claims=claims)


def _median(name: str, values: Sequence[float]) -> Claim | None:
    """The published median beside an interval of ours, of order statistics (binomial, 95 %)."""
    from scipy.stats import binom

    if not values:
        return None
    known, count = sorted(values), len(values)
    low = int(binom.ppf(0.025, count, 0.5))
    stated = _TABLE_1[name][1]
    bounds = known[max(0, low - 1)], known[min(count - 1, count - low)]
    least, most = (max(value, 0.001) for value in bounds)  # the paper's smallest number
    near = least - 0.0005 <= stated <= most + 0.0005
    return Claim.fact(f"median p of {game_text(name)}", near)


def p_text(value: float) -> str:
    """A p-value as the paper prints it, whose smallest is 0.001.

    >>> p_text(0.0001), p_text(0.5)
    ('0.001', '0.500')
    """
    return f"{max(value, 0.001):.3f}"


def quartiles(values: Sequence[float]) -> str:
    """Lower quartile, median and upper quartile."""
    import numpy as np

    if not values:
        return ""
    return ", ".join(p_text(float(q)) for q in np.quantile(np.asarray(values), (0.25, 0.5, 0.75)))
