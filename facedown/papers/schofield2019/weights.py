"""What models weigh, in Monty Hall (section 3.5): exact values, and whether the player switches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from facedown.papers.cells import Cell
from facedown.papers.paper import Found, Page, RunBudget
from facedown.papers.schofield2019.games import PAPER, Seen, seen
from facedown.papers.tables import table
from facedown.papers.verdict import Claim

if TYPE_CHECKING:
    from facedown.store.records import GameRecord

GAME = "monty-hall"
MODELS = (4, 20, 100)
_WEIGHTS = {
    "all models alike": "choices=false",
    "equation 4": "weight=false",
    "equation 4, each history once": "weight=true",
}
_WEIGHINGS = {"all models alike": "even", "equation 4": "choices",
              "equation 4, each history once": "distinct"}  # fmt: skip
_BAG = 100


def switched(records: Iterable[GameRecord]) -> Mapping[str, Any]:
    """How many games were played, in how many the player switched, and in how many it won."""
    known = list(records)
    played = [move.text for record in known for move in record.moves if move.player >= 0]
    won = sum(record.payoffs[0] > 0 for record in known)
    return {"games": len(known), "switched": played.count("switch"), "won": won}


def weighed(records: Iterable[GameRecord]) -> Mapping[str, Any]:
    """For each weighing, and each game, what the door that was picked first weighs in a bag."""
    games = list(seen(records))
    return {name: [_stay(one, weigh) for one in games] for name, weigh in _WEIGHINGS.items()}


def _stay(one: Seen, weigh: Any) -> float:
    """The weight of the models in which the car is behind the door picked, before the choice."""
    from facedown.belief.hyperplay import Bag

    bag = Bag(one.game, one.viewer, _BAG, one.seed, weigh=weigh)
    for tokens in one.rounds[:2]:
        for token in tokens:
            bag.observe(token)
    bag.update()
    total = Counter[bool]()
    for history, share in zip(bag.histories(), bag.shares(), strict=True):
        texts = [bag.game.move_text(move) for move in history]
        hidden, picked = (next(t for t in texts if t.startswith(w)) for w in ("(hide", "(pick"))
        total[hidden.split()[1] == picked.split()[1]] += float(share)  # type: ignore[assignment]
    return float(total[True])


_KEYS = [(name, models) for name in _WEIGHTS for models in MODELS]


def _cells(budget: RunBudget) -> list[Cell]:
    players = [
        Cell(f"{name}, {models} models", GAME, (f"hyperplay:models={models},{_WEIGHTS[name]}",),
             budget.games, budget.seed, measure=switched)
        for name, models in _KEYS
    ]  # fmt: skip
    bags = Cell("weights", GAME, ("random",), budget.games, budget.seed, measure=weighed)
    return [*players, bags]


@PAPER.exhibit(
    "monty-hall", "Monty Hall: weights of models, switching", _cells, games=300, iterations=None
)
def monty_hall(run: Found) -> Page:
    """With the weights of equation 4 and without, for bags of several sizes."""
    *found, weights = run.outcomes
    rows = [[name, str(models), *_rates(outcome.numbers)]
            for (name, models), outcome in zip(_KEYS, found, strict=True)]  # fmt: skip
    stated = {name: "0.33, 0.67" if name != "all models alike" else "0.5, 0.5" for name in _WEIGHTS}
    held = [[name, *_spread(weights.numbers[name]), stated[name]] for name in _WEIGHTS]
    head = ["weights", "models", "switched", "95 % interval", "won", "95 % interval"]
    words = (
        f"The weight of the models in which the car is behind the door picked, in bags of {_BAG} "
        "after the host has opened a door; the others weigh the rest. Least, mean and largest over "
        "games. Exact: 1/3 and 2/3 (section 3.5)."
    )
    more = (
        f"`hyperplay` with {' and '.join(f'`{option}`' for option in _WEIGHTS.values())}, for each "
        "number of models: how often it switches and wins. Who always switches wins 2/3; an "
        "independent HyperPlay won 66.5 % +- 2.9."
    )
    tops = ["weights", "least", "mean", "largest", "published"]
    claims = [_weighs(name, weights.numbers[name], 1 / 3) for name in list(_WEIGHTS)[1:]]
    claims.append(_weighs("all models alike", weights.numbers["all models alike"], 0.5))
    return Page.of(words, table(tops, held), more, table(head, rows, left=1), claims=claims)


def _weighs(name: str, values: list[float], stated: float) -> Claim | None:
    """That the door picked weighs what the paper says, on average and within 0.02."""
    if not values:
        return None
    near = abs(sum(values) / len(values) - stated) < 0.02
    return Claim.fact(f"the weight of the door picked, {name}", near)


def _rates(numbers: Mapping[str, Any]) -> list[str]:
    from facedown.arena.statistics import wilson

    texts, games = [], numbers["games"]
    for what in ("switched", "won"):
        if not games:
            return [""] * 4
        rate = numbers[what] / games
        low, high = wilson(rate, games)
        texts += [f"{100 * rate:.1f} %", f"{100 * low:.1f} to {100 * high:.1f}"]
    return texts


def _spread(values: list[float]) -> list[str]:
    if not values:
        return [""] * 3
    return [f"{x:.4f}" for x in (min(values), sum(values) / len(values), max(values))]
