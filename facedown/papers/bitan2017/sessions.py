"""Several matches of the same people with an agent: do people who learn win more (section 5.1)?"""

from __future__ import annotations

from itertools import product

from facedown.papers.bitan2017.agents import BECAUSE, against_people, people_of
from facedown.papers.bitan2017.counting import PAPER, PEOPLE
from facedown.papers.cells import Cell
from facedown.papers.paper import Found, Page, RunBudget
from facedown.papers.tables import Effect, effects, percent, table

_MATCHES = (1, 2, 3, 4)
_KINDS = ("who learn", "who do not")
_KEYS = [
    (kind, match) for kind, match in product(_KINDS, _MATCHES) if kind == _KINDS[0] or match == 1
]
"""Who does not learn plays the first match again and again."""

_WORDS = (
    "What the same people win of their first match with `mga`, their second, and so on, with the "
    "same deals. People who learn (`person:played=N`) recall more and notice more after every "
    "match; how fast is an assumption of ours. The paper's people won 13 % at first and 28 % at "
    "the end."
)


def _cells(budget: RunBudget) -> list[Cell]:
    spec = f"mga:iterations={budget.iterations}"
    return [
        against_people(budget, f"match {match}, people {kind}", spec, people=_people(kind, match))
        for kind, match in _KEYS
    ]


def _people(kind: str, match: int) -> str:
    if kind == _KINDS[1]:
        return PEOPLE
    return f"{PEOPLE}:played={match - 1}"


@PAPER.exhibit(
    "sessions", "people who learn from match to match", _cells,
    games=300, iterations=300, because=BECAUSE,
)  # fmt: skip
def sessions(run: Found) -> Page:
    """People's share of wins over the matches of a session."""
    found = run.by(_KEYS)
    rows = []
    for (kind, match), outcome in found.items():
        theirs = outcome.result.agents[1]
        bounds = f"{100 * theirs.low:.1f} to {100 * theirs.high:.1f}"
        rows.append([str(match), f"people {kind}", percent(theirs.win_rate), bounds])
    last, first = (found[_KINDS[0], match].result.agents[1] for match in (_MATCHES[-1], 1))
    gain = Effect.between(
        "people, last match over first", last, first, words="28 % after 13 % (5.1)", sign=1
    )
    head = ["match", "who", "won by the people", "95 % interval"]
    parts = [people_of(run), _WORDS, table(head, rows, left=2), effects([gain])]
    return Page.of(*parts, claims=[gain.claim])
