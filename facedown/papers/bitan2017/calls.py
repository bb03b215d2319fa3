"""Section 6, "future work": a predictor of calls, and PMGA whose search replies by it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from facedown.papers import plots
from facedown.papers.bitan2017.agents import against_people, ours, people_of, success, theirs
from facedown.papers.bitan2017.counting import PAPER, estimate, told, worded
from facedown.papers.bitan2017.lies import HEAD, judged, lines_of, note, pairs_with, row_of
from facedown.papers.cells import PAIR_MATCHES, Cell, CellResult
from facedown.papers.paper import Found, Page, RunBudget
from facedown.papers.plots import Axes
from facedown.papers.tables import interval, table

if TYPE_CHECKING:
    from facedown.store.records import GameRecord

_STATED = (
    'The paper leaves this for later (section 6): "we will develop a predictive model that '
    'estimates the probability that the opponent will Call Cheat at a claim". Nothing is published '
    "to compare with."
)


# --- the predictor --------------------------------------------------------------------------------


def random_forest(records: Iterable[GameRecord]) -> Mapping[str, Any]:
    """The random forest's curve and rates at calls."""
    return _told("random-forest", records)


def svm(records: Iterable[GameRecord]) -> Mapping[str, Any]:
    """The support vector machine's."""
    return _told("svm", records)


def decision_tree(records: Iterable[GameRecord]) -> Mapping[str, Any]:
    """The decision tree's."""
    return _told("decision-tree", records)


def neural_network(records: Iterable[GameRecord]) -> Mapping[str, Any]:
    """The neural network's."""
    return _told("neural-network", records)


def _told(name: str, records: Iterable[GameRecord]) -> dict[str, Any]:
    """How well a classifier tells, before a claim, whether it is called."""
    corpus, found = judged(name, records, "replies")
    return {**found, "called": int(corpus.positive.sum())}


@PAPER.exhibit(
    "calls-roc", "of our own: ROC curves of a predictor of calls",
    pairs_with((random_forest, svm, decision_tree, neural_network)),
    games=60, iterations=None, quick=8,
)  # fmt: skip
def calls_roc(run: Found) -> Page:
    """The games of `roc`; predicted is whether a claim is called, from what the claimer knows."""
    found = run.outcomes
    one = found[0].numbers
    words = (
        f"{one['claims']:,} claims of **simulated people**, not human players (digest "
        f"{one['people']}), {one['called']:,} of them called, in {one['pairs']} pairs that play "
        f"{PAIR_MATCHES} games each, by the cross-validation of `roc`. TPR is of claims called, at "
        "a share of 1/2 after those had been drawn again until both kinds were as many."
    )
    axes = Axes("Telling which claims will be called in Cheat", note(run),
                "claims let pass taken for called", "claims called recognised")  # fmt: skip
    draw = partial(plots.curves, lines=lines_of(found), axes=axes)
    return Page.of(words, table(HEAD, [row_of(outcome) for outcome in found]), _STATED, draw=draw)


# --- playing with it ------------------------------------------------------------------------------


def foretold(records: Iterable[GameRecord]) -> Mapping[str, Any]:
    """What `told` has, and game by game the sum of the chances of a call that were foreseen."""
    games = list(records)
    sums = [
        sum(float((move.summary or {}).get("reply", 0.0)) for move in record.moves)
        for record in games
    ]
    return {**told(games), "foreseen": sums, "number": [record.number for record in games]}


_AGENTS = {"PMGA": "pmga", "PMGA with replies": "pmga:replies=game"}
_WORDS = (
    "With `replies=game` the search has its own claims called as often as the model of calls says "
    "that comes with the game; otherwise its tree decides that, too. Both agents meet the same "
    "people and deals."
)
_COLUMNS = ["agent", "won, %", "false, of own claims, %", "own claims called, %",
            "own lies caught, %", "own calls right, %", "cards more than the other"]  # fmt: skip


def _cells(budget: RunBudget) -> list[Cell]:
    n = budget.iterations
    return [
        against_people(budget, name, f"{spec}{',' if ':' in spec else ':'}iterations={n}",
                       measure=foretold)
        for name, spec in _AGENTS.items()
    ]  # fmt: skip


@PAPER.exhibit(
    "calls", "of our own: PMGA with a predictor of calls", _cells, games=200, iterations=300
)
def calls(run: Found) -> Page:
    """PMGA with and without the second model against the same simulated people."""
    outcomes = run.outcomes
    rows = [_row(name, one) for name, one in zip(_AGENTS, outcomes, strict=True)]
    parts = [people_of(run), _WORDS, table(_COLUMNS, rows)]
    return Page.of(*parts, _paired(*outcomes), _calibration(outcomes[1]), _STATED)


def _row(name: str, outcome: CellResult) -> list[str]:
    """What an agent did, and what was done to it."""
    first, own, other = outcome.first, ours(outcome), theirs(outcome)
    shares = [
        estimate(own["lies"], own["claims"]),
        estimate(other["calls"], own["claims"]),
        estimate(other["caught"], own["lies"]),
        success(own),
    ]
    won = f"**{100 * first.win_rate:.1f}** ({interval(first)})"
    return [name, won, *(worded(share, 100) for share in shares),
            worded(estimate(own["difference"]))]  # fmt: skip


def _paired(without: CellResult, having: CellResult) -> str:
    """The difference in the same games."""
    scores = [
        dict(zip(one.numbers["number"], ours(one)["score"], strict=True))
        for one in (without, having)
    ]
    gains = [scores[1][number] - score for number, score in scores[0].items()]
    gained = worded(estimate(gains), 100)
    return f"Games won more with the second model, of the same games, %: {gained}."


def _calibration(outcome: CellResult) -> str:
    """What the model said of the agent's claims beside what became of them."""
    own, other = ours(outcome), theirs(outcome)
    said = worded(estimate(outcome.numbers["foreseen"], own["claims"]), 100)
    came = worded(estimate(other["calls"], own["claims"]), 100)
    return (
        f"Of its claims, the model said, {said} % would be called; {came} % were. It was learnt "
        "from games of simulated people with each other, who are called less often."
    )
