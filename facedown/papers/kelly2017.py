"""Kelly 2017: five players of Cribbage (chapter 4).

Published numbers are those that the thesis's text and its Table 4-1 state; of its figures only what
the text says about them. Its searches had a time (1 s a move, some 50,000 to 150,000 iterations on
its machine, chapter 4), ours have iterations, so that a run can be repeated.

Its UCB is mean + c sqrt(2 ln A / N) on points as they are (section 3.2.3); an agent's `c` here has
no 2 in it. All that is shown has the paper's c, all specs have ours: the paper's times sqrt(2).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from math import sqrt

from facedown.papers import plots
from facedown.papers.cells import Cell, CellResult
from facedown.papers.paper import Page, Paper, Run
from facedown.papers.plots import Axes, Point, Series
from facedown.papers.tables import Published, against, interval, percent, table

PAPER = Paper(
    "kelly2017",
    "R. Kelly, Comparison of Monte Carlo Tree Search Methods in the Imperfect Information Card "
    "Game Cribbage, Memorial University of Newfoundland 2017",
)
GAME = "cribbage:kelly2017=true"
"""With the end of the game as in the paper's program."""
TRUE_RULES = "cribbage"

_HEAD = ["player", "opponent", "wins", "share", "95 % interval", "published", "published lies"]
_RULES = (
    f"Played as `{GAME}`: a hand is counted to its end although somebody has 121 points, and if "
    "both have, the first dealer has won, as in the paper's program."
)


def _cell(run: Run, player: str, opponent: str, *, name: str = "", game: str = GAME) -> Cell:
    """A match of two agents with the budget of the run."""
    budget = run.budget
    name = name or f"{player} against {opponent}"
    return Cell(name, game, (player, opponent), budget.games, budget.seed)


def _searching(run: Run, agent: str, **options: float) -> str:
    """A spec of an agent that searches as long as the budget says."""
    more = "".join(f",{key}={value:.6g}" for key, value in options.items())
    return f"{agent}:iterations={run.budget.iterations}{more}"


def _ours(c: float) -> float:
    """The paper's exploration constant as an agent's option."""
    return c * sqrt(2)


def _row(names: Sequence[str], outcome: CellResult, stated: Published | None) -> list[str]:
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


def _stated(player: str, opponent: str, x: float = 0.0) -> Published:
    """What Table 4-1 states of a pair."""
    percents = _TABLE_4_1[_PLAYERS.index(player)][_PLAYERS.index(opponent)]
    assert percents is not None
    return Published.point(percents / 100, "table 4-1", x)


def _player(run: Run, agent: str) -> str:
    return agent if agent in ("random", "scripted") else _searching(run, agent)


@PAPER.exhibit(
    "table-4-1", "win rates of the players against each other", games=400, iterations=2500
)
def table_4_1(run: Run) -> Page:
    """All ten pairs of five players, with the paper's constants."""
    pairs = [(second, first) for first, second in combinations(_PLAYERS, 2)]
    wanted = [
        _cell(run, _player(run, one), _player(run, two), name=f"{one} against {two}")
        for one, two in pairs
    ]
    found = dict(zip(pairs, run.play(wanted), strict=True))
    rows = [_row(pair, found[pair], _stated(*pair)) for pair in pairs]
    parts = [_RULES, "Measured (published):", _matrix(found), _ODD]
    parts += ["Pair by pair:", table(_HEAD, rows, left=2)]
    points = [Point.of(found[pair].first, label=_bar_label(*pair)) for pair in pairs]
    published = [_stated(*pair, x=k) for k, pair in enumerate(pairs)]
    axes = Axes("Cribbage: games won by the first of each pair", run.budget.note())
    draw = partial(plots.bars, series=[Series("measured", points, published)], axes=axes)
    return Page("\n\n".join(parts), draw)


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
            row.append(f"{100 * share:.1f} ({100 * _stated(player, opponent).low:.1f})")
        rows.append(row)
    return table(["games won by, in %", *_NAMES.values()], rows)


# --- the first dealer ----------------------------------------------------------------------------


@PAPER.exhibit(
    "first-dealer",
    "the first dealer's share of random games",
    games=200_000,
    iterations=None,
    quick=2000,
)
def first_dealer(run: Run) -> Page:
    """Random play, compiled: under the true rules, and as in the paper's program."""
    budget = run.budget
    rules = {"true rules": TRUE_RULES, "the paper's program": GAME}
    wanted = [
        Cell(f"first dealer, {name}", spec, (), budget.games, budget.seed, seats="fixed")
        for name, spec in rules.items()
    ]
    stated = [None, Published.point(0.60, "chapter 4, a million games", whole=True)]
    head = ["rules", "game", *_HEAD[2:]]
    rows = [
        _row((name, f"`{spec}`"), outcome, published)
        for (name, spec), outcome, published in zip(
            rules.items(), run.play(wanted), stated, strict=True
        )
    ]
    words = (
        "Both players play at random; every game has a deal of its own. The paper's number is "
        "rounded to whole percents, and its scorer miscounted some runs of four."
    )
    return Page(f"{words}\n\n{table(head, rows, left=2)}")


# --- the figures: one number is swept ------------------------------------------------------------


def _sweep(
    run: Run, unit: str, lines: Sequence[tuple[str, Sequence[Cell], Sequence[Published]]],
    values: Sequence[float], axes: Axes, words: str = "",
) -> Page:  # fmt: skip
    """Play the cells of each line, one for each value; a table and a picture with a line each."""
    every = run.play([cell for _, cells, _ in lines for cell in cells])
    rows, series = [], []
    for k, (name, cells, stated) in enumerate(lines):
        outcomes = every[k * len(values) : (k + 1) * len(cells)]
        points = [Point.of(outcome.first, x) for x, outcome in zip(values, outcomes, strict=True)]
        series.append(Series(f"against {name}", points, stated))
        for x, outcome in zip(values, outcomes, strict=True):
            there = [one for one in stated if one.x[0] <= x <= one.x[1]]
            rows.append(_row((f"{x:,g}", name), outcome, there[0] if len(there) == 1 else None))
    head = [unit, *_HEAD[1:]]
    told = [f"- against {name}, {_place(one)}: {one.text} ({one.source})"
            for name, _, stated in lines for one in stated]  # fmt: skip
    parts = [_RULES, words, table(head, rows, left=2)]
    parts += ["What the paper's text states:", "\n".join(told)] if told else []
    return Page(
        "\n\n".join(part for part in parts if part), partial(plots.lines, series=series, axes=axes)
    )


def _place(stated: Published) -> str:
    low, high = stated.x
    return f"at {low:,g}" if low == high else f"from {low:,g} to {high:,g}"


_C_SO = (0.25, 0.5, 0.707, 1.0, 1.5, 2.0, 3.0, 4.0)
_C_DETERMINIZED = (0.1, 0.25, 0.5, 1.0, 1.5, 1.75, 2.0, 3.0)
_PAPER_C = "exploration constant c (the paper's)"


@PAPER.exhibit("figure-4-1", "SO-ISMCTS over its exploration constant", games=450, iterations=2500)
def figure_4_1(run: Run) -> Page:
    """Against itself with c = 0.707 and against scripted (section 4.2)."""
    usual = _searching(run, "so-ismcts", c=_ours(0.707))
    opponents = {"SO-ISMCTS with c = 0.707": usual, "scripted": "scripted"}
    stated = {"scripted": [_stated("so-ismcts", "scripted", x=2.0)]}
    lines = [
        (
            name,
            [
                _cell(
                    run,
                    _searching(run, "so-ismcts", c=_ours(c)),
                    opponent,
                    name=f"c={c} against {name}",
                )
                for c in _C_SO
            ],
            stated.get(name, []),
        )
        for name, opponent in opponents.items()
    ]
    axes = Axes("SO-ISMCTS in Cribbage: how much it explores", run.budget.note(), _PAPER_C)
    words = "The text names no number of this figure; it says that c up to 2.0 improves the play."
    return _sweep(run, "c", lines, _C_SO, axes, words)


@PAPER.exhibit(
    "figure-4-2", "determinized UCT over its exploration constant", games=450, iterations=2500
)
def figure_4_2(run: Run) -> Page:
    """Against scripted; the text does not say against whom the paper played (section 4.2)."""
    cells = [
        _cell(run, _searching(run, "determinized-uct", c=_ours(c)), "scripted", name=f"c={c}")
        for c in _C_DETERMINIZED
    ]
    stated = [_stated("determinized-uct", "scripted", x=1.75)]
    axes = Axes("Determinized UCT in Cribbage: how much it explores", run.budget.note(), _PAPER_C)
    words = (
        "The text does not say against whom the figure was played, and names no number of it; it "
        "says that play is best from 1.5 to 2 and also good for very small c."
    )
    lines = [("scripted", cells, stated)]
    return _sweep(run, "c", lines, _C_DETERMINIZED, axes, words)


_SHARES = (0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
"""Of the reference budget of figure 4-3."""


def _milliseconds(share: float, ms: float, what: str) -> Published:
    """A number for a time, where a second was 50,000 to 150,000 iterations (chapter 4)."""
    return Published(share, share, f"section 4.3, {what}", (50 * ms, 150 * ms), whole=True)


@PAPER.exhibit("figure-4-3", "SO-ISMCTS over its search budget", games=450, iterations=5000)
def figure_4_3(run: Run) -> Page:
    """Against scripted, and against itself with the budget of the run (section 4.3)."""
    reference = run.budget.iterations
    budgets = run.budget.sweep(_SHARES)
    itself = f"SO-ISMCTS with {reference:,}"
    against_scripted = [
        _milliseconds(0.65, 100, "100 ms"),
        _milliseconds(0.65, 2000, "2,000 ms"),
    ]
    against_itself = [_milliseconds(0.54, 50, "50 ms against 1,000 ms")]
    lines = [
        (name, [_budgeted(run, "so-ismcts", n, opponent) for n in budgets], stated)
        for name, opponent, stated in (
            ("scripted", "scripted", against_scripted),
            (itself, _searching(run, "so-ismcts"), against_itself),
        )
    ]
    title = "SO-ISMCTS in Cribbage: how long it searches"
    axes = Axes(title, run.budget.note(searches=False), "iterations a move", log=True)
    words = (
        "The paper's budgets are times; its second was 50,000 to 150,000 iterations, so what it "
        "states lies somewhere in that range. Its reference was 1,000 ms."
    )
    return _sweep(run, "iterations", lines, budgets, axes, words)


def _budgeted(run: Run, agent: str, iterations: int, opponent: str) -> Cell:
    name = f"{iterations} iterations against {opponent}"
    return _cell(run, f"{agent}:iterations={iterations}", opponent, name=name)


@PAPER.exhibit("figure-4-4", "determinized UCT over its iterations", games=450, iterations=10_000)
def figure_4_4(run: Run) -> Page:
    """Against scripted, from a tenth of the budget of the run to twice that (section 4.3)."""
    budgets = run.budget.sweep((0.1, 0.25, 0.5, 1.0, 2.0))
    cells = [_budgeted(run, "determinized-uct", n, "scripted") for n in budgets]
    stated = [
        Published.point(0.093, "section 4.3", x=1000),
        Published.point(0.147, "section 4.3", x=10_000),
    ]
    title = "Determinized UCT in Cribbage, 100 worlds: how long it searches"
    axes = Axes(title, run.budget.note(searches=False), "iterations a move", log=True)
    return _sweep(run, "iterations", [("scripted", cells, stated)], budgets, axes)


_WORLDS = (10, 25, 50, 75, 100, 200, 400)


@PAPER.exhibit(
    "figure-4-5", "determinized UCT over its number of worlds", games=150, iterations=10_000
)
def figure_4_5(run: Run) -> Page:
    """Against 500 determinizations at the same budget (section 4.4)."""
    most = _searching(run, "determinized-uct", worlds=500)
    cells = [
        _cell(run, _searching(run, "determinized-uct", worlds=n), most, name=f"worlds={n}")
        for n in _WORLDS
    ]
    stated = [
        Published(0.36, 0.43, "section 4.4, fewer than 75", (_WORLDS[0], 74), whole=True),
        Published(
            0.50, 0.50, "section 4.4, 75 to 400: 50 % or very close to it", (75, 400), whole=True
        ),
    ]
    title = "Determinized UCT in Cribbage: how many worlds"
    axes = Axes(title, run.budget.note(), "determinizations", log=True)
    words = "The text does not say how few determinizations the figure begins with."
    lines = [("500 determinizations", cells, stated)]
    return _sweep(run, "determinizations", lines, _WORLDS, axes, words)


# --- of our own ----------------------------------------------------------------------------------

_SECONDS = 0.02  # a move, where players are compared at equal time


@PAPER.exhibit("strength", "of our own: SO-ISMCTS, true rules", games=1000, iterations=5000)
def strength(run: Run) -> Page:
    """SO-ISMCTS under the true rules, where the game ends the moment 121 is reached."""
    return _own_table(run, [(_searching(run, "so-ismcts"), "scripted")])


@PAPER.exhibit(
    "best",
    "of our own: `best` at equal time, true rules",
    games=600,
    iterations=None,
    seconds=_SECONDS,
)
def best(run: Run) -> Page:
    """The strongest recipe against SO-ISMCTS, and both against scripted, in the same time."""
    ours, theirs = (f"{agent}:seconds={_SECONDS}" for agent in ("best", "so-ismcts"))
    return _own_table(run, [(theirs, "scripted"), (ours, "scripted"), (ours, theirs)])


def _own_table(run: Run, pairs: Sequence[tuple[str, str]]) -> Page:
    """Matches under the true rules, of which the paper has none."""
    found = run.play([_cell(run, one, two, game=TRUE_RULES) for one, two in pairs])
    rows = [
        _row([f"`{spec}`" for spec in pair], outcome, None)[:-2]
        for pair, outcome in zip(pairs, found, strict=True)
    ]
    words = f"Played as `{TRUE_RULES}`: the game ends the moment somebody has 121 points."
    return Page(f"{words}\n\n{table(_HEAD[:-2], rows, left=2)}")
