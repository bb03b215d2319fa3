"""Figure 3 (b to d) and section 5.1: the agents against people; the accuracy swept; equal time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from facedown.papers import plots
from facedown.papers.bitan2017.counting import (
    GAME,
    PAPER,
    PEOPLE,
    Columns,
    Estimate,
    estimate,
    one_way,
    told,
    worded,
)
from facedown.papers.cells import Cell, CellResult, Measure
from facedown.papers.paper import Found, Page, RunBudget
from facedown.papers.plots import Axes, Panel, Point, Series
from facedown.papers.tables import Effect, effects, interval, percent, table
from facedown.papers.verdict import Claim

_AGENTS = {"MGA": "mga", "PMGA": "pmga", "FPMGA": "fpmga"}
_PEEKS = "FPMGA peeks at whether a claim was true and is right with probability 0.85: it cheats."


def against_people(
    budget: RunBudget,
    name: str,
    spec: str,
    group: int = 0,
    measure: Measure = told,
    people: str = PEOPLE,
) -> Cell:
    """An agent against simulated people; no two games share a person or a deal."""
    agents = spec, people
    seed = budget.seed + group
    return Cell(name, GAME, agents, budget.games, seed, duplicate=False, measure=measure)


def ours(outcome: CellResult) -> Columns:
    """The columns of the agent that the cell names first."""
    columns: Columns = outcome.numbers["sides"][0]
    return columns


def theirs(outcome: CellResult) -> Columns:
    """Those of the other."""
    columns: Columns = outcome.numbers["sides"][1]
    return columns


def success(columns: Columns) -> Estimate | None:
    """Of the calls, those of false claims."""
    return estimate(columns["caught"], columns["calls"])


def people_of(run: Found) -> str:
    """Who the people were, and whether they are still those of the recorded digest."""
    from facedown.games.registry import load_game
    from facedown.learn.people import people_of

    frozen = people_of(load_game(GAME)).frozen
    found = {outcome.numbers["people"] for outcome in run.outcomes}
    same = f"frozen as {frozen}"
    if found != {frozen}:
        same = f"of digest {', '.join(map(str, found))}, NOT those frozen as {frozen}"
    return (
        f"The opponents are **simulated people**, not human players ({same}): `{PEOPLE}`, somebody "
        f"else in each of the {run.budget.games:,} games of a row, with a deal of their own."
    )


# --- Figure 3 -------------------------------------------------------------------------------------

_MORE = "cards more than the other"
_HEAD = ["agent", "won, %", "calls that were right, %", "rounds", _MORE, "the same at the end"]
_SWEPT_HEAD = ["wins", "share", "95 % interval", "calls that were right, %", _MORE]
_WORDS = (
    "Each agent meets people of its own, as the paper's three groups did. Win ratios count a "
    "shared win for half, with Wilson's interval; all other intervals are Student's over games."
)
_STATED = (
    "What the paper's text states of people: its best agent won 88.97 %; the mean difference of "
    "cards was -2.89 (MGA), -3.51 (PMGA) and -4.56 (FPMGA), F = 6.06, p = .002 (it does not say "
    "whether over the game or at its end); FPMGA called more often than the others and took more "
    "rounds than PMGA. The numbers of its pictures are not in the text."
)
_CARDS = {"MGA": -2.89, "PMGA": -3.51, "FPMGA": -4.56}  # section 5.1
_BEHAVIOUR = {  # section 5.1: false claims of claims, cards taken of moves
    "MGA": ("44.8", "23.9"), "PMGA": ("42.4", "20.8"), "FPMGA": ("40.4", "19.6"),
}  # fmt: skip


BECAUSE = (
    "because the opponents are simulated people, who lose more often than the paper's, to agents "
    "with a small part of its 25 s a move"
)


def _cells_3(budget: RunBudget) -> list[Cell]:
    n = budget.iterations
    return [
        against_people(budget, name, f"{agent}:iterations={n}", group)
        for group, (name, agent) in enumerate(_AGENTS.items())
    ]


@PAPER.exhibit(
    "figure-3", "MGA, PMGA and FPMGA against simulated people", _cells_3,
    games=300, iterations=300, full=(1000, 300), because=BECAUSE,
)  # fmt: skip
def figure_3(run: Found) -> Page:
    """Win ratio, call success, rounds, difference of cards; ANOVA over the three groups."""
    found = run.by(_AGENTS)
    draw = partial(plots.panels, panels=_panels(found), axes=Axes(
        "Cheat against simulated people (Figure 3)", run.budget.note(), even=False
    ))  # fmt: skip
    gains = _effects(found)
    return Page.of(
        people_of(run), f"{_WORDS} {_PEEKS}", _measured(found),
        "One-way ANOVA over the three agents, one sample a game:", _analysis(found),
        effects(gains), _STATED, "How the simulated people behaved (published, of "
        "people):", _behaviour(found), draw=draw,
        claims=[*(gain.claim for gain in gains), *_claims(found)],
    )  # fmt: skip


def _claims(found: dict[str, CellResult]) -> list[Claim]:
    """The difference of cards beside what the text has of people."""
    claims = []
    for name, stated in _CARDS.items():
        cards = estimate(ours(found[name])["difference"])
        if cards is not None:
            near = cards.low - 0.005 <= stated <= cards.high + 0.005
            claims.append(Claim.fact(f"cards of {name} less those of the other", near))
    return claims


def _measured(found: dict[str, CellResult]) -> str:
    """All measures of all agents, in the paper's order."""
    rows = []
    for name, outcome in found.items():
        first, own = outcome.first, ours(outcome)
        calls = f"{worded(success(own), 100)} of {sum(own['calls']):,.0f}"
        won = f"**{100 * first.win_rate:.1f}** ({interval(first)})"
        means = [worded(estimate(own[key])) for key in ("rounds", "difference", "end")]
        rows.append([name, won, calls, *means])
    return table(_HEAD, rows)


def _analysis(found: dict[str, CellResult]) -> str:
    """ANOVA of every measure."""
    return table(["measure", "between the agents"], _variances(found))


def _variances(found: dict[str, CellResult]) -> list[list[str]]:
    """Every measure with its ANOVA; of calls the share that was right, in games that had any."""
    groups = {name: ours(outcome) for name, outcome in found.items()}
    shares: list[Sequence[float]] = [
        [right / calls for right, calls in zip(own["caught"], own["calls"], strict=True) if calls]
        for own in groups.values()
    ]
    samples: dict[str, list[Sequence[float]]] = {
        "games won": [own["score"] for own in groups.values()],
        "calls that were right": shares,
        "rounds": [own["rounds"] for own in groups.values()],
        "difference of cards": [own["difference"] for own in groups.values()],
        "difference at the end": [own["end"] for own in groups.values()],
    }
    rows = []
    for name, some in samples.items():
        result = one_way(some)
        rows.append([name, "–" if result is None else result.text])
    return rows


def _effects(found: dict[str, CellResult]) -> list[Effect]:
    """The ordering that the paper states: each predictive agent over the one before."""
    pairs = (("PMGA", "MGA"), ("FPMGA", "PMGA"), ("FPMGA", "MGA"))
    words = "significantly better (5.1)"
    return [
        Effect.between(f"{one} over {two}", found[one].first, found[two].first, words=words, sign=1)
        for one, two in pairs
    ]


def _behaviour(found: dict[str, CellResult]) -> str:
    """What people claimed and took against each agent."""
    rows = []
    for name, outcome in found.items():
        other, (lies, takes) = theirs(outcome), _BEHAVIOUR[name]
        false = worded(estimate(other["lies"], other["claims"]), 100)
        taken = worded(estimate(other["takes"], other["moves"]), 100)
        rows.append([name, f"{false} [{lies}]", f"{taken} [{takes}]"])
    return table(["against", "false, of claims, %", "cards taken, of moves, %"], rows)


def _panels(found: dict[str, CellResult]) -> list[Panel]:
    """The paper's pictures b, c and d, and the difference of cards."""
    won = [Point.of(outcome.first, label=name) for name, outcome in found.items()]
    columns = {name: ours(outcome) for name, outcome in found.items()}

    def points(values: dict[str, Estimate | None]) -> list[Point]:
        known = {name: one for name, one in values.items() if one is not None}
        return [Point(one.value, one.low, one.high, label=name) for name, one in known.items()]

    right = points({name: success(own) for name, own in columns.items()})
    rounds = points({name: estimate(own["rounds"]) for name, own in columns.items()})
    cards = points({name: estimate(own["difference"]) for name, own in columns.items()})
    stated = [(k, _CARDS[name]) for k, name in enumerate(found)]
    return [
        Panel("games won (%)", won, scale=100),
        Panel("calls that were right (%)", right, scale=100),
        Panel("rounds of a game", rounds),
        Panel("cards more than the other", cards, stated),
    ]


# --- over budgets ---------------------------------------------------------------------------------

_SHARES = (0.1, 0.3, 1.0)
_BUDGETS = (
    "The people of an agent are the same at every budget, and those of figure-3 where iterations "
    "and seed are the same."
)


def _swept_keys(budget: RunBudget) -> list[tuple[str, int]]:
    return [(name, n) for n in budget.sweep(_SHARES) for name in _AGENTS]


def _swept_cells(budget: RunBudget) -> list[Cell]:
    return [
        against_people(budget, f"{name}, {n} iterations", f"{_AGENTS[name]}:iterations={n}",
                       list(_AGENTS).index(name))
        for name, n in _swept_keys(budget)
    ]  # fmt: skip


@PAPER.exhibit(
    "budgets", "of our own: the same over iterations", _swept_cells, games=200, iterations=300
)
def budgets(run: Found) -> Page:
    """What the three agents gain by searching longer, before they win nearly everything."""
    swept, keys = run.budget.sweep(_SHARES), _swept_keys(run.budget)
    found = run.by(keys)
    rows = [_swept(f"{n:,}, {name}", found[name, n]) for name, n in keys]
    tested = []
    for n in swept:
        own = {name: found[name, n] for name in _AGENTS}
        tested += [[f"{n:,}", measure, words] for measure, words in _variances(own)]
    series = [Series(name, [Point.of(found[name, n].first, n) for n in swept]) for name in _AGENTS]
    axes = Axes("Cheat against simulated people", run.budget.note(searches=False),
                "iterations a move", log=True, even=False)  # fmt: skip
    parts = [people_of(run), f"{_PEEKS} {_BUDGETS}"]
    parts += [table(["iterations, agent", *_SWEPT_HEAD], rows)]
    parts += [table(["iterations", "measure", "between the agents (ANOVA)"], tested, left=2)]
    return Page.of(*parts, draw=partial(plots.lines, series=series, axes=axes))


# --- the accuracy of the predictor ----------------------------------------------------------------

_ACCURACIES = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 1.0)


_SWEPT = (
    "FPMGA peeks at whether a claim was true and is right with the probability of the row: it "
    "cheats. At 0.5 its odds are even, as MGA's are. Every accuracy meets the same people and "
    "deals."
)


def _accuracy_cells(budget: RunBudget) -> list[Cell]:
    spec = f"fpmga:iterations={budget.iterations}"
    return [
        against_people(budget, f"accuracy {share:g}", f"{spec},accuracy={share:g}")
        for share in _ACCURACIES
    ]


@PAPER.exhibit(
    "accuracy", "FPMGA over the accuracy of its predictions", _accuracy_cells,
    games=200, iterations=300, because=BECAUSE,
)  # fmt: skip
def accuracy(run: Found) -> Page:
    """From guessing to knowing (section 5.1)."""
    outcomes = run.outcomes
    rows = [_swept(f"{x:g}", one) for x, one in zip(_ACCURACIES, outcomes, strict=True)]
    head = ["accuracy", *_SWEPT_HEAD]
    knows, guesses = outcomes[-1].first, outcomes[0].first
    gained = Effect.between("accuracy 1 over 0.5", knows, guesses, words="improves (5.1)", sign=1)
    won = [Point.of(one.first, x) for x, one in zip(_ACCURACIES, outcomes, strict=True)]
    series = [Series("games won", won), Series("calls that were right", _right(outcomes))]
    axes = Axes("FPMGA in Cheat against simulated people", run.budget.note(),
                "accuracy of the predictions", "share (%)", even=False)  # fmt: skip
    draw = partial(plots.lines, series=series, axes=axes)
    parts = [people_of(run), _SWEPT, table(head, rows), effects([gained])]
    return Page.of(*parts, draw=draw, claims=[gained.claim])


def _swept(name: str, outcome: CellResult) -> list[str]:
    """The row of one point of a sweep."""
    first, own = outcome.first, ours(outcome)
    won = [f"{first.wins:,} of {first.games:,}", f"**{percent(first.win_rate)}**", interval(first)]
    return [name, *won, worded(success(own), 100), worded(estimate(own["difference"]))]


def _right(outcomes: Sequence[CellResult]) -> list[Point]:
    """The share of calls that were right over the accuracy, where there were any."""
    found = [success(ours(outcome)) for outcome in outcomes]
    return [
        Point(one.value, one.low, one.high, x)
        for x, one in zip(_ACCURACIES, found, strict=True)
        if one is not None
    ]


# --- at equal time --------------------------------------------------------------------------------

_SECONDS = 0.02  # a move
_RIVALS = ("so-ismcts", "so-ismcts:growth=node")


def _timed_cells(budget: RunBudget) -> list[Cell]:
    pairs = [
        (_clocked(ours), _clocked(rival))
        for rival in _RIVALS
        for ours in ("pmga:adapt=true", "pmga", "mga")
    ]
    return [
        Cell(
            f"{ours} against {rival}", GAME, (ours, rival), budget.games, budget.seed, measure=told
        )
        for ours, rival in pairs
    ]


@PAPER.exhibit(
    "adapt", "of our own: the adapting predictor against SO-ISMCTS at equal time",
    _timed_cells, games=200, iterations=None, seconds=_SECONDS,
)  # fmt: skip
def adapt(run: Found) -> Page:
    """PMGA with a predictor that adapts within the game, PMGA without, MGA: each with a clock."""
    rows = [_timed(one) for one in run.outcomes]
    head = ["player", "against", "wins", "share", "95 % interval", "calls that were right, %",
            "ms a move", "ms of the other"]  # fmt: skip
    words = (
        f"Everybody has {_SECONDS:g} s a move, by the clock and with the predictor's time in it; "
        "every deal is played from both seats. SO-ISMCTS adds one edge an iteration, as its paper "
        "has it, or a node with all its moves (`growth=node`), which suits this game better. The "
        "last two columns are what a move took in all. Nobody here is a person: the model was "
        "learnt from simulated people and meets a program."
    )
    return Page.of(words, table(head, rows))


def _clocked(spec: str) -> str:
    """The spec with its time for a move."""
    return f"{spec}{',' if ':' in spec else ':'}seconds={_SECONDS}"


def _timed(outcome: CellResult) -> list[str]:
    """The row of a player, with what its moves and the rival's took."""
    spec, rival = outcome.cell.agents
    first, own, other = outcome.first, ours(outcome), theirs(outcome)
    times = [f"{1000 * _mean(side['seconds'], side['moves']):.1f}" for side in (own, other)]
    won = [f"{first.wins:,} of {first.games:,}", f"**{percent(first.win_rate)}**", interval(first)]
    return [f"`{spec}`", f"`{rival}`", *won, worded(success(own), 100), *times]


def _mean(means: Sequence[float], counts: Sequence[float]) -> float:
    """The mean over all moves of games' means."""
    return sum(one * n for one, n in zip(means, counts, strict=True)) / max(1, sum(counts))
