"""The tables and figures of the thesis (chapter 4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from math import sqrt

from facedown.papers import plots
from facedown.papers.cells import Cell, CellResult
from facedown.papers.paper import Found, Page, Paper, RunBudget
from facedown.papers.plots import Axes, Point, Series
from facedown.papers.tables import Published, against, claim_of, interval, percent, table
from facedown.papers.verdict import Claim

PAPER = Paper(
    "kelly2017",
    "R. Kelly, Comparison of Monte Carlo Tree Search Methods in the Imperfect Information Card "
    "Game Cribbage, Memorial University of Newfoundland 2017",
)
GAME = "cribbage:kelly2017=true"
"""With the end of the game as in the paper's program."""
TRUE_RULES = "cribbage"

HEAD = ["player", "opponent", "wins", "share", "95 % interval", "published", "published lies"]
_RULES = (
    f"Played as `{GAME}`: a hand is counted to its end although somebody has 121 points, and if "
    "both have, the first dealer has won, as in the paper's program."
)


def cell_of(
    budget: RunBudget, player: str, opponent: str, *, name: str = "", game: str = GAME
) -> Cell:
    """A match of two agents with the budget of the run."""
    name = name or f"{player} against {opponent}"
    return Cell(name, game, (player, opponent), budget.games, budget.seed)


def searching(budget: RunBudget, agent: str, **options: float) -> str:
    """A spec of an agent that searches as long as the budget says."""
    more = "".join(f",{key}={value:.6g}" for key, value in options.items())
    return f"{agent}:iterations={budget.iterations}{more}"


def _ours(c: float) -> float:
    """The paper's exploration constant as an agent's option."""
    return c * sqrt(2)


def row_of(names: Sequence[str], outcome: CellResult, stated: Published | None) -> list[str]:
    """A row of a table: names, what was measured, what was published."""
    first = outcome.first
    published = "" if stated is None else f"{stated.text} ({stated.source})"
    wins = f"{first.wins:,} of {first.games:,}"
    measured = [wins, f"**{percent(first.win_rate)}**", interval(first)]
    return [*names, *measured, published, against(first, stated)]


# --- Table 4-1 -----------------------------------------------------------------------------------

_NAMES = {
    "random": "Random",
    "scripted": "Scripted",
    "cheating-uct": "Cheating UCT",
    "determinized-uct": "Determinized UCT",
    "so-ismcts": "SO-ISMCTS",
}
_PLAYERS = tuple(_NAMES)
_TABLE_4_1 = (  # Table 4-1: percents of 400 games won by the player of the row
    (None, 2.2, 0.0, 19.0, 1.2),
    (97.8, None, 24.0, 87.5, 35.5),
    (100.0, 76.0, None, 97.7, 64.0),
    (81.0, 12.5, 2.3, None, 6.2),
    (99.8, 64.5, 36.0, 93.8, None),
)
_ODD = (
    "The published table has 1.2 % for Random against SO-ISMCTS and 99.8 % the other way round: "
    "one of the two is a slip, and the text repeats the second."
)


def stated_of(player: str, opponent: str, x: float = 0.0) -> Published:
    """What Table 4-1 states of a pair."""
    percents = _TABLE_4_1[_PLAYERS.index(player)][_PLAYERS.index(opponent)]
    assert percents is not None
    return Published.point(percents / 100, "table 4-1", x)


def _player(budget: RunBudget, agent: str) -> str:
    return agent if agent in ("random", "scripted") else searching(budget, agent)


_PAIRS = [(second, first) for first, second in combinations(_PLAYERS, 2)]


def _cells_4_1(budget: RunBudget) -> list[Cell]:
    return [
        cell_of(budget, _player(budget, one), _player(budget, two), name=f"{one} against {two}")
        for one, two in _PAIRS
    ]


@PAPER.exhibit(
    "table-4-1",
    "win rates of the players against each other",
    _cells_4_1,
    games=400,
    iterations=2500,
    full=(400, 100_000),  # 1 s a move: 50,000 to 150,000 iterations
    because="perhaps because the paper's searches had some 100,000 iterations and fixed the order "
    "of the pack in each world, and its scripted player is described in words alone",
)
def table_4_1(run: Found) -> Page:
    """All ten pairs of five players, with the paper's constants."""
    pairs = _PAIRS
    found = run.by(pairs)
    rows = [row_of(pair, found[pair], stated_of(*pair)) for pair in pairs]
    parts = [_RULES, "Measured (published):", _matrix(found), _ODD]
    parts += ["Pair by pair:", table(HEAD, rows, left=2)]
    points = [Point.of(found[pair].first, label=_bar_label(*pair)) for pair in pairs]
    published = [stated_of(*pair, x=k) for k, pair in enumerate(pairs)]
    axes = Axes("Cribbage: games won by the first of each pair", run.budget.note())
    draw = partial(plots.bars, series=[Series("measured", points, published)], axes=axes)
    claims = [claim_of(versus(*pair), found[pair].first, stated_of(*pair)) for pair in pairs]
    return Page.of(*parts, draw=draw, claims=claims)


def versus(one: str, two: str) -> str:
    """A pair in words."""
    return f"{_NAMES[one]} against {_NAMES[two]}"


def _bar_label(*pair: str) -> str:
    """Two lines, short enough to stand under a bar."""
    short = [
        _NAMES[player].replace("Determinized", "Determ.").removesuffix(" UCT") for player in pair
    ]
    return f"{short[0]}\nv. {short[1]}"


def _matrix(found: dict[tuple[str, str], CellResult]) -> str:
    """The table in the paper's form, what it states in brackets."""
    rows = []
    for player, name in _NAMES.items():
        row = [f"**{name}**"]
        for opponent in _PLAYERS:
            if opponent == player:
                row.append("–")
                continue
            seen = (player, opponent) in found
            outcome = found[(player, opponent) if seen else (opponent, player)]
            share = outcome.result.agents[0 if seen else 1].win_rate
            row.append(f"{100 * share:.1f} ({100 * stated_of(player, opponent).low:.1f})")
        rows.append(row)
    return table(["games won by, in %", *_NAMES.values()], rows)


# --- the first dealer ----------------------------------------------------------------------------


_RULE_SETS = {"true rules": TRUE_RULES, "the paper's program": GAME}


def _dealers(budget: RunBudget) -> list[Cell]:
    return [
        Cell(f"first dealer, {name}", spec, (), budget.games, budget.seed, seats="fixed")
        for name, spec in _RULE_SETS.items()
    ]


@PAPER.exhibit(
    "first-dealer",
    "the first dealer's share of random games",
    _dealers,
    games=200_000,
    iterations=None,
    quick=2000,
    full=(1_000_000, 0),
    because="perhaps because the paper's program miscounted some runs of four",
)
def first_dealer(run: Found) -> Page:
    """Random play, compiled: under the true rules, and as in the paper's program."""
    stated = [None, Published.point(0.60, "chapter 4, a million games", whole=True)]
    head = ["rules", "game", *HEAD[2:]]
    rows = [
        row_of((name, f"`{spec}`"), outcome, published)
        for (name, spec), outcome, published in zip(
            _RULE_SETS.items(), run.outcomes, stated, strict=True
        )
    ]
    words = (
        "Both players play at random; every game has a deal of its own. The paper's number is "
        "rounded to whole percents, and its scorer miscounted some runs of four."
    )
    claim = claim_of("the first dealer's share", run.outcomes[-1].first, stated[-1])
    return Page.of(words, table(head, rows, left=2), claims=[claim])


# --- the figures: one number is swept ------------------------------------------------------------


Line = tuple[str, list[Cell], list[Published]]
"""Against whom, a cell for each value, what the paper states of it."""


def _cells(lines: Sequence[Line]) -> list[Cell]:
    return [cell for _, cells, _ in lines for cell in cells]


def _sweep(
    run: Found, unit: str, lines: Sequence[Line], values: Sequence[float], axes: Axes,
    words: str = "", more: Sequence[Claim | None] = (),
) -> Page:  # fmt: skip
    """A table and a picture with a line each, a cell for each value."""
    rows, series, claims = [], [], list(more)
    for k, (name, cells, stated) in enumerate(lines):
        outcomes = run.outcomes[k * len(values) : (k + 1) * len(cells)]
        points = [Point.of(outcome.first, x) for x, outcome in zip(values, outcomes, strict=True)]
        series.append(Series(f"against {name}", points, stated))
        for x, outcome in zip(values, outcomes, strict=True):
            there = [one for one in stated if one.x[0] <= x <= one.x[1]]
            here = there[0] if len(there) == 1 else None
            rows.append(row_of((f"{x:,g}", name), outcome, here))
            claims.append(claim_of(f"{unit} {x:,g} against {name}", outcome.first, here))
    head = [unit, *HEAD[1:]]
    told = [f"- against {name}, {_place(one)}: {one.text} ({one.source})"
            for name, _, stated in lines for one in stated]  # fmt: skip
    parts = [_RULES, words, table(head, rows, left=2)]
    parts += ["What the paper's text states:", "\n".join(told)] if told else []
    draw = partial(plots.lines, series=series, axes=axes)
    return Page.of(*(part for part in parts if part), draw=draw, claims=claims)


def _place(stated: Published) -> str:
    low, high = stated.x
    return f"at {low:,g}" if low == high else f"from {low:,g} to {high:,g}"


_C_SO = (0.25, 0.5, 0.707, 1.0, 1.5, 2.0, 3.0, 4.0)
_C_DETERMINIZED = (0.1, 0.25, 0.5, 1.0, 1.5, 1.75, 2.0, 3.0)
_PAPER_C = "exploration constant c (the paper's)"


_HOST = "SO-ISMCTS with c = 0.707"


def _lines_4_1(budget: RunBudget) -> list[Line]:
    usual = searching(budget, "so-ismcts", c=_ours(0.707))
    opponents = {_HOST: usual, "scripted": "scripted"}
    stated = {"scripted": [stated_of("so-ismcts", "scripted", x=2.0)]}

    def cell(c: float, name: str) -> Cell:
        spec = searching(budget, "so-ismcts", c=_ours(c))
        return cell_of(budget, spec, opponents[name], name=f"c={c} against {name}")

    return [(name, [cell(c, name) for c in _C_SO], stated.get(name, [])) for name in opponents]


@PAPER.exhibit(
    "figure-4-1", "SO-ISMCTS over its exploration constant",
    lambda budget: _cells(_lines_4_1(budget)), games=450, iterations=2500, full=(450, 100_000),
    because="perhaps because the paper's searches had some 100,000 iterations a move",
)  # fmt: skip
def figure_4_1(run: Found) -> Page:
    """Against itself with c = 0.707 and against scripted (section 4.2)."""
    axes = Axes("SO-ISMCTS in Cribbage: how much it explores", run.budget.note(), _PAPER_C)
    words = "The text names no number of this figure; it says that c up to 2.0 improves the play."
    first = run.outcomes[_C_SO.index(2.0)].first
    more = Claim.order(f"c = 2.0 over {_HOST}", first.low - 0.5, first.high - 0.5, 1)
    return _sweep(run, "c", _lines_4_1(run.budget), _C_SO, axes, words, [more])


def _lines_4_2(budget: RunBudget) -> list[Line]:
    cells = [
        cell_of(
            budget, searching(budget, "determinized-uct", c=_ours(c)), "scripted", name=f"c={c}"
        )
        for c in _C_DETERMINIZED
    ]
    return [("scripted", cells, [stated_of("determinized-uct", "scripted", x=1.75)])]


@PAPER.exhibit(
    "figure-4-2", "determinized UCT over its exploration constant",
    lambda budget: _cells(_lines_4_2(budget)), games=450, iterations=2500, full=(450, 100_000),
    because="perhaps because the paper's searches had some 100,000 iterations a move, in worlds "
    "whose pack is in a fixed order",
)  # fmt: skip
def figure_4_2(run: Found) -> Page:
    """Against scripted; the text does not say against whom the paper played (section 4.2)."""
    axes = Axes("Determinized UCT in Cribbage: how much it explores", run.budget.note(), _PAPER_C)
    words = (
        "The text does not say against whom the figure was played, and names no number of it; it "
        "says that play is best from 1.5 to 2 and also good for very small c."
    )
    return _sweep(run, "c", _lines_4_2(run.budget), _C_DETERMINIZED, axes, words)


_SHARES = (0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
"""Of the reference budget of figure 4-3."""


def _milliseconds(share: float, ms: float, what: str) -> Published:
    """A number for a time, where a second was 50,000 to 150,000 iterations (chapter 4)."""
    return Published(share, share, f"section 4.3, {what}", (50 * ms, 150 * ms), whole=True)


def _lines_4_3(budget: RunBudget) -> list[Line]:
    budgets = budget.sweep(_SHARES)
    itself = f"SO-ISMCTS with {budget.iterations:,}"
    against_scripted = [
        _milliseconds(0.65, 100, "100 ms"),
        _milliseconds(0.65, 2000, "2,000 ms"),
    ]
    against_itself = [_milliseconds(0.54, 50, "50 ms against 1,000 ms")]
    return [
        (name, [_budgeted(budget, "so-ismcts", n, opponent) for n in budgets], stated)
        for name, opponent, stated in (
            ("scripted", "scripted", against_scripted),
            (itself, searching(budget, "so-ismcts"), against_itself),
        )
    ]


def _budgeted(budget: RunBudget, agent: str, iterations: int, opponent: str) -> Cell:
    name = f"{iterations} iterations against {opponent}"
    return cell_of(budget, f"{agent}:iterations={iterations}", opponent, name=name)


@PAPER.exhibit(
    "figure-4-3", "SO-ISMCTS over its search budget",
    lambda budget: _cells(_lines_4_3(budget)), games=450, iterations=5000, full=(450, 100_000),
    because="perhaps because the paper's milliseconds are not our iterations",
)  # fmt: skip
def figure_4_3(run: Found) -> Page:
    """Against scripted, and against itself with the budget of the run (section 4.3)."""
    title = "SO-ISMCTS in Cribbage: how long it searches"
    axes = Axes(title, run.budget.note(searches=False), "iterations a move", log=True)
    words = (
        "The paper's budgets are times; its second was 50,000 to 150,000 iterations, so what it "
        "states lies somewhere in that range. Its reference was 1,000 ms."
    )
    swept = run.budget.sweep(_SHARES)
    return _sweep(run, "iterations", _lines_4_3(run.budget), swept, axes, words)


_SHARES_4_4 = (0.1, 0.25, 0.5, 1.0, 2.0)


def _lines_4_4(budget: RunBudget) -> list[Line]:
    budgets = budget.sweep(_SHARES_4_4)
    stated = [
        Published.point(0.093, "section 4.3", x=1000),
        Published.point(0.147, "section 4.3", x=10_000),
    ]
    cells = [_budgeted(budget, "determinized-uct", n, "scripted") for n in budgets]
    return [("scripted", cells, stated)]


@PAPER.exhibit(
    "figure-4-4", "determinized UCT over its iterations",
    lambda budget: _cells(_lines_4_4(budget)), games=450, iterations=10_000,
    because="perhaps because worlds of the paper have the order of the pack fixed",
)  # fmt: skip
def figure_4_4(run: Found) -> Page:
    """Against scripted, from a tenth of the budget of the run to twice that (section 4.3)."""
    title = "Determinized UCT in Cribbage, 100 worlds: how long it searches"
    axes = Axes(title, run.budget.note(searches=False), "iterations a move", log=True)
    swept = run.budget.sweep(_SHARES_4_4)
    return _sweep(run, "iterations", _lines_4_4(run.budget), swept, axes)


_WORLDS = (10, 25, 50, 75, 100, 200, 400)


def _lines_4_5(budget: RunBudget) -> list[Line]:
    most = searching(budget, "determinized-uct", worlds=500)
    cells = [
        cell_of(budget, searching(budget, "determinized-uct", worlds=n), most, name=f"worlds={n}")
        for n in _WORLDS
    ]
    stated = [
        Published(0.36, 0.43, "section 4.4, fewer than 75", (_WORLDS[0], 74), whole=True),
        Published(
            0.50, 0.50, "section 4.4, 75 to 400: 50 % or very close to it", (75, 400), whole=True
        ),
    ]
    return [("500 determinizations", cells, stated)]


@PAPER.exhibit(
    "figure-4-5", "determinized UCT over its number of worlds",
    lambda budget: _cells(_lines_4_5(budget)), games=150, iterations=10_000, full=(450, 100_000),
    because="perhaps because the paper's searches had some 100,000 iterations a move, 200 for each "
    "of 500 worlds",
)  # fmt: skip
def figure_4_5(run: Found) -> Page:
    """Against 500 determinizations at the same budget (section 4.4)."""
    title = "Determinized UCT in Cribbage: how many worlds"
    axes = Axes(title, run.budget.note(), "determinizations", log=True)
    words = "The text does not say how few determinizations the figure begins with."
    return _sweep(run, "determinizations", _lines_4_5(run.budget), _WORLDS, axes, words)
