"""What information is worth to HyperPlay and to HyperPlay-II, and what that costs (sections 6, 7).

States are the moves that an agent's bag tries and its simulations and random games make, counted
alike for both players over a whole game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from facedown.papers.cells import Cell, CellResult
from facedown.papers.paper import Found, Page, RunBudget
from facedown.papers.schofield2019.games import PAPER, game_text, players
from facedown.papers.tables import table
from facedown.papers.verdict import Claim

if TYPE_CHECKING:
    from facedown.store.records import GameRecord

_PLAYERS = {"hyperplay": "HyperPlay", "hyperplay-ii": "HyperPlay-II"}


def hp(resources: int, **options: Any) -> str:
    """HyperPlay with so many models, and as many random games for each and every move."""
    more = "".join(f",{key}={value}" for key, value in options.items())
    return f"hyperplay:models={resources},samples={resources}{more}"


def hp_ii(resources: int, **options: Any) -> str:
    """HyperPlay-II with so many models, one simulation for each; nested players are `hp`'s."""
    more = "".join(f",{key}={value}" for key, value in options.items())
    nested = f"nested={resources},nested_samples={resources}"
    return f"hyperplay-ii:models={resources},samples=1,{nested}{more}"


# --- what was played -----------------------------------------------------------------------------


def scored(records: Iterable[GameRecord]) -> Mapping[str, Any]:
    """For each agent the payoffs and the states of its games; moves to choose from, and moves."""
    found: dict[str, dict[str, list[float]]] = {}
    for record in records:
        for player, spec in enumerate(record.agents):
            seats = found.setdefault(spec, {"payoffs": [], "states": []})
            seats["payoffs"].append(record.payoffs[player])
            seats["states"].append(_states(record, player))
    return {"agents": found}


def _states(record: GameRecord, player: int) -> float:
    """States that a player visited in a game: its last decision tells the sum."""
    told = [move.summary["states"] for move in record.moves
            if move.player == player and move.summary and "states" in move.summary]  # fmt: skip
    return float(told[-1]) if told else 0.0


def told_of(agents: Mapping[str, Any], spec: str) -> Mapping[str, list[float]]:
    """Of what `scored` tells of agents, that of one; empty lists where it has no games."""
    return agents.get(spec) or {"payoffs": [], "states": []}


def mean_text(values: Sequence[float], together: int = 1) -> str:
    """A mean with its 95 % interval, where so many games in a row have the same deal."""
    from facedown.arena.statistics import clustered_mean, t_interval

    if not values:
        return ""
    deals = [values[k : k + together] for k in range(0, len(values), together)]
    mean = clustered_mean([sum(deal) for deal in deals], [len(deal) for deal in deals])
    text = f"{mean.value:,.1f}"
    if not mean.spread:
        return text
    low, high = t_interval(mean)
    return f"{text} ({low:,.1f} to {high:,.1f})"


def average(values: Sequence[float]) -> float:
    """The mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


# --- exploding bomb ------------------------------------------------------------------------------

_BOMB = {"hyperplay": ("45", "50"), "hyperplay-ii": ("90", "50")}
_MOVES = ("ask", "wait")


def valued(records: Iterable[GameRecord]) -> Mapping[str, Any]:
    """What the agent thought that its two first moves are worth, game by game, and what it got."""
    found: dict[str, list[float]] = {name: [] for name in (*_MOVES, "asked", "payoffs")}
    for record in records:
        first = next(move for move in record.moves if move.player == 0)
        candidates = (first.summary or {}).get("candidates", [])
        means = {candidate["move"]: candidate["mean"] for candidate in candidates}
        for move in _MOVES:
            found[move].append(means[move])
        found["asked"].append(float(first.text == "ask"))
        found["payoffs"].append(record.payoffs[0])
    return found


_BOMB_KEYS = [(name, resources) for name in _PLAYERS for resources in (4, 16)]


def _bomb_cells(budget: RunBudget) -> list[Cell]:
    made = {"hyperplay": hp, "hyperplay-ii": hp_ii}
    return [
        Cell(f"{_PLAYERS[name]}, {n} models", "exploding-bomb", (made[name](n),), budget.games,
             budget.seed, measure=valued)
        for name, n in _BOMB_KEYS
    ]  # fmt: skip


@PAPER.exhibit(
    "bomb", "Exploding Bomb: what asking is worth", _bomb_cells, games=40, iterations=None,
    because="because few models and random games leave nested players wrong at times",
)  # fmt: skip
def bomb(run: Found) -> Page:
    """Values of the two moves under both players (example 2 of section 6)."""
    rows, claims = [], list[Claim | None]()
    for (name, n), outcome in run.by(_BOMB_KEYS).items():
        numbers = outcome.numbers
        for move, stated in zip(_MOVES, _BOMB[name], strict=True):
            words = f"{move}, {_PLAYERS[name]} with {n} models"
            claims.append(_worth(words, numbers[move], float(stated)))
        values = [text for move, stated in zip(_MOVES, _BOMB[name], strict=True)
                  for text in (mean_text(numbers[move]), stated)]  # fmt: skip
        asked = f"{100 * average(numbers['asked']):.0f} %"
        rows.append([_PLAYERS[name], str(n), *values, asked, mean_text(numbers["payoffs"])])
    head = ["player", "models", "ask", "published", "wait", "published", "asks", "gets"]
    words = "Means over games with 95 % intervals."
    return Page.of(words, table(head, rows), claims=claims)


def _worth(words: str, values: Sequence[float], stated: float) -> Claim | None:
    """A published value, in whole numbers, beside a mean with its interval."""
    from facedown.arena.statistics import clustered_mean, t_interval

    if not values:
        return None
    mean = clustered_mean(values, [1] * len(values))
    low, high = t_interval(mean) if mean.spread else (mean.value, mean.value)
    return Claim.fact(words, low - 0.5 <= stated <= high + 0.5)


# --- one against the other -----------------------------------------------------------------------

_ALONE = ("exploding-bomb", "number-guessing", "monty-hall")
_TOGETHER = ("banker-and-thief", "battleships-in-fog", "krieg-tic-tac-toe-3x3")
_RESOURCES = (1, 2, 4)


_MATCHES = [
    *((game, n, (spec,)) for game in _ALONE for n in _RESOURCES for spec in (hp(n), hp_ii(n))),
    *((game, n, (hp(n), hp_ii(n))) for game in _TOGETHER for n in _RESOURCES),
]
"""Game, resources, agents."""


def _value_cells(budget: RunBudget) -> list[Cell]:
    return [
        Cell(f"{game}, {' and '.join(agents)}", game, agents, budget.games, budget.seed,
             measure=scored)
        for game, _, agents in _MATCHES
    ]  # fmt: skip


@PAPER.exhibit(
    "hp-ii", "HyperPlay and HyperPlay-II by game and resources", _value_cells,
    games=20, iterations=None, quick=6,
)  # fmt: skip
def hp_against_hp_ii(run: Found) -> Page:
    """What both get and visit: alone, or against each other, for several resources (section 7)."""
    found: dict[tuple[str, int], list[CellResult]] = {}
    for (game, n, _), outcome in zip(_MATCHES, run.outcomes, strict=True):
        found.setdefault((game, n), []).append(outcome)
    rows = []
    for game, n in [(game, n) for game in (*_ALONE, *_TOGETHER) for n in _RESOURCES]:
        agents: dict[str, Any] = {}
        for outcome in found[game, n]:
            agents |= outcome.numbers["agents"]
        for player, texts in zip(
            _PLAYERS.values(), _compared(agents, players(game), hp(n), hp_ii(n)), strict=True
        ):
            rows.append([game_text(game), str(n), player, *texts])
    head = ["game", "resources", "player", "gets", "visits", "times HyperPlay's"]
    words = (
        "Mean payoffs with 95 % intervals, and the mean of states visited in a game. The first "
        "three games are played alone, the others by one against the other, each deal in both "
        "seats; intervals are over deals. "
        f"Resources n: HyperPlay has n models and n random games for each of them and each move "
        f"(`{hp(4)}`); HyperPlay-II has n models, one simulation for each and each move, in which "
        f"all are played by such a HyperPlay (`{hp_ii(4)}`)."
    )
    return Page.of(words, table(head, rows, left=3))


def _compared(agents: Mapping[str, Any], together: int, *specs: str) -> list[list[str]]:
    """What each agent got, what it visited, and how many times as much as the first of them.

    `together`: so many games of one deal.
    """
    texts, first = [], 0.0
    for spec in specs:
        ours = told_of(agents, spec)
        states = average(ours["states"])
        times = f"{states / first:,.0f}" if first else ""
        first = first or states
        texts.append([mean_text(ours["payoffs"], together), f"{states:,.0f}", times])
    return texts


# --- larger games --------------------------------------------------------------------------------

_SIZES = ("krieg-tic-tac-toe-3x3", "krieg-tic-tac-toe-4x4", "krieg-tic-tac-toe-5x5")


def widths(records: Iterable[GameRecord]) -> Mapping[str, Any]:
    """As `scored`, with the moves that players had to choose from, and the decisions of a game."""
    from facedown.games.registry import load_game

    known, choices, lengths = list(records), list[int](), list[int]()
    for record in known:
        position = load_game(record.game).start()
        for move in record.moves:
            choices += [len(position.legal())] * (move.player >= 0)
            position.play(move.move)
        lengths.append(sum(move.player == 0 for move in record.moves))
    return {**scored(known), "choices": choices, "lengths": lengths}


_SIZED = hp(2), hp_ii(2)


def _size_cells(budget: RunBudget) -> list[Cell]:
    return [Cell(game, game, _SIZED, budget.games, budget.seed, measure=widths) for game in _SIZES]


@PAPER.exhibit(
    "up-sizing", "larger games: states that both visit", _size_cells,
    games=4, iterations=None, quick=2,
)  # fmt: skip
def up_sizing(run: Found) -> Page:
    """The same resources in the same game on larger boards (section 7.5)."""
    agents, rows, before = _SIZED, [], None
    for outcome in run.outcomes:
        numbers = outcome.numbers
        b, d = average(numbers["choices"]), average(numbers["lengths"])
        states = [average(told_of(numbers["agents"], spec)["states"]) for spec in agents]
        now = (b * d * d, b * b * d**4, *states)
        grown = [""] * 4
        if before is not None and all(before):
            grown = [f"{x / y:,.1f}" for x, y in zip(now, before, strict=True)]
        rows.append([game_text(outcome.cell.name), f"{b:.1f}", f"{d:.1f}",
                     f"{states[0]:,.0f}", grown[2], grown[0],
                     f"{states[1]:,.0f}", grown[3], grown[1]])  # fmt: skip
        before = now
    head = ["game", "b", "d", "HyperPlay visits", "times as many", "b d^2 grows",
            "HyperPlay-II visits", "times as many", "b^2 d^4 grows"]  # fmt: skip
    words = (
        f"`{agents[0]}` against `{agents[1]}`: states visited in a game, with b moves to choose "
        "from and d decisions of a player, and how many times as many as on the board before, "
        "beside what the paper's orders say."
    )
    return Page.of(words, table(head, rows))


# --- pruning -------------------------------------------------------------------------------------

_PRUNING: dict[str, dict[str, Any]] = {
    "none": {},
    "discounting": {"discount": 0.99},
    "cut on win": {"cut": "true"},
    "pruning on depth": {"discount": 0.99, "prune": "true"},
}
_PRUNED = ("exploding-bomb", "number-guessing", "banker-and-thief", "battleships-in-fog",
           "krieg-tic-tac-toe-3x3")  # fmt: skip


_PRUNING_KEYS = [(game, name) for game in _PRUNED for name in _PRUNING]
_PRUNING_MODELS = 4


def _pruning_cells(budget: RunBudget) -> list[Cell]:
    n = _PRUNING_MODELS
    return [
        Cell(f"{game}, {name}", game,
             (hp_ii(n, **_PRUNING[name]), hp(n))[: players(game)],
             budget.games, budget.seed, measure=scored)
        for game, name in _PRUNING_KEYS
    ]  # fmt: skip


@PAPER.exhibit(
    "pruning", "HyperPlay-II with discounting and pruning", _pruning_cells,
    games=20, iterations=None, quick=6,
)  # fmt: skip
def pruning(run: Found) -> Page:
    """What it gets and visits, alone or against HyperPlay (section 7.3)."""
    n, rows = _PRUNING_MODELS, []
    for (game, name), outcome in run.by(_PRUNING_KEYS).items():
        ours = told_of(outcome.numbers["agents"], outcome.cell.agents[0])
        states = f"{average(ours['states']):,.0f}"
        rows.append([game_text(game), name, mean_text(ours["payoffs"], players(game)), states])
    head = ["game", "pruning", "gets", "visits"]
    words = (
        f"`{hp_ii(n)}`, alone or against `{hp(n)}`, each deal in both seats: mean payoffs "
        "with 95 % intervals over deals, and states visited in a game."
    )
    return Page.of(words, table(head, rows, left=2))
