"""What a match of Cheat tells beside who won, game by game, from its records.

| column | of one agent in one game |
|---|---|
| `score` | 1 for a win, 1/2 for a shared one |
| `rounds` | turns of both players |
| `calls`, `caught` | calls that the agent made; those of a false claim |
| `claims`, `lies`, `takes`, `moves` | what it did itself |
| `difference` | its cards less the other's, mean over all rounds |
| `end` | the same at the end |
| `seconds` | of an own move, on average |
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from facedown.papers.paper import Paper

if TYPE_CHECKING:
    from facedown.core import Game
    from facedown.store.records import GameRecord, MoveRecord

PAPER = Paper(
    "bitan2017",
    "M. Bitan, S. Kraus, Combining Prediction of Human Decisions with ISMCTS in Imperfect "
    "Information Games, arXiv:1709.09451, 2017",
)
GAME = "cheat"
PEOPLE = "person"
"""Simulated people, somebody else in every game."""

Columns = Mapping[str, Sequence[float]]


# --- from records ---------------------------------------------------------------------------------


def told(records: Iterable[GameRecord]) -> Mapping[str, Any]:
    """The columns of both agents, in the order in which the cell names them; the people's digest.

    The digest is of how the simulated people play now, wherever any of them play.
    """
    from facedown.agents.person import is_simulated
    from facedown.games.registry import load_game

    sides: tuple[dict[str, list[float]], ...] = ({}, {})
    game, people = None, None
    for record in records:
        game = game or load_game(record.game)
        if people is None and any(map(is_simulated, record.agents)):
            people = digest(record.game)
        for entry, side in enumerate(sides):
            row = row_of(record, game, (entry + record.rotation) % 2)
            for name, value in row.items():
                side.setdefault(name, []).append(value)
    return {"people": people, "sides": [dict(side) for side in sides]}


@cache
def digest(game: str) -> str:
    """How the simulated people of a game play now, to compare with the digest they have."""
    from facedown.games.registry import load_game
    from facedown.learn.people import fingerprint

    return fingerprint(load_game(game))


def row_of(record: GameRecord, game: Game, player: int) -> dict[str, float]:
    """The columns of one player in one game."""
    from facedown.arena.results import scores
    from facedown.games.cheat.state import CALL, FALSE_HIGHER, TAKE

    rounds = [move for move in record.moves if move.player >= 0]
    own = [move for move in rounds if move.player == player]
    claims = [move for move in own if move.move < CALL]
    called = _called(rounds, player)
    gaps = _gaps(record, game, player)
    return {
        "score": scores(record.payoffs)[player],
        "rounds": len(rounds),
        "calls": len(called),
        "caught": sum(claim >= FALSE_HIGHER for claim in called),
        "claims": len(claims),
        "lies": sum(move.move >= FALSE_HIGHER for move in claims),
        "takes": sum(move.move == TAKE for move in own),
        "moves": len(own),
        "difference": round(sum(gaps) / len(gaps), 6) if gaps else 0.0,
        "end": gaps[-1] if gaps else 0,
        "seconds": round(sum(move.seconds for move in own) / len(own), 6) if own else 0.0,
    }


def _called(rounds: Sequence[MoveRecord], player: int) -> list[int]:
    """The claims that a player called: each is the move before the call."""
    from facedown.games.cheat.state import CALL

    return [
        rounds[k - 1].move
        for k, move in enumerate(rounds)
        if move.player == player and move.move == CALL
    ]


def _gaps(record: GameRecord, game: Game, player: int) -> list[int]:
    """After every round, how many more cards the player holds than the other."""
    from facedown.arena.replay import plies

    gaps: list[int] = []
    for _, position in plies(record, game):
        here = position.record
        if int(here["n"]) > len(gaps):
            gaps.append(int(here["size"][player]) - int(here["size"][1 - player]))
    return gaps


# --- numbers with intervals -----------------------------------------------------------------------


@dataclass(frozen=True)
class Estimate:
    """A mean or a share over games with its 95 % interval (Student's t over games).

    Where games do not differ, or there is one alone, there is none: the bounds are the value.
    """

    value: float
    low: float
    high: float

    def text(self, scale: float = 1.0, places: int = 1) -> str:
        """The value in bold with its interval.

        >>> Estimate(0.5, 0.41, 0.59).text(100)
        '**50.0** (41.0 to 59.0)'
        >>> Estimate(1.0, 1.0, 1.0).text()
        '**1.0** (–)'
        """
        value, low, high = (f"{scale * x:.{places}f}" for x in (self.value, self.low, self.high))
        return f"**{value}** (–)" if self.low == self.high else f"**{value}** ({low} to {high})"


def estimate(sums: Sequence[float], counts: Sequence[float] | None = None) -> Estimate | None:
    """The mean of a column, or what share one is of another; None where there is nothing to count.

    The bounds of a share are within 0 and 1.

    >>> estimate([1.0, 2.0, 3.0]).value, estimate([0.0, 0.0], [0, 0])
    (2.0, None)
    """
    from facedown.arena.statistics import clustered_mean, t_interval

    of = [1] * len(sums) if counts is None else [round(count) for count in counts]
    if not sum(of):
        return None
    mean = clustered_mean(sums, of)
    low, high = t_interval(mean) if mean.spread else (mean.value, mean.value)
    if counts is not None:
        low, high = max(low, 0.0), min(high, 1.0)
    return Estimate(mean.value, low, high)


def worded(found: Estimate | None, scale: float = 1.0, places: int = 1) -> str:
    """An estimate as a cell of a table."""
    return "–" if found is None else found.text(scale, places)


@dataclass(frozen=True)
class Variance:
    """A one-way analysis of variance: F, its degrees of freedom, p."""

    f: float
    between: int
    within: int
    p: float

    @property
    def text(self) -> str:
        """As papers write it.

        >>> Variance(6.06, 2, 117, 0.0031).text
        'F(2, 117) = 6.06, p = 0.003'
        """
        p = "p < 0.001" if self.p < 0.001 else f"p = {self.p:.3f}"
        return f"F({self.between}, {self.within}) = {self.f:.2f}, {p}"


def one_way(groups: Sequence[Sequence[float]]) -> Variance | None:
    """One-way ANOVA over samples of groups, as in section 5.1; None where nothing varies within.

    >>> one_way([[1.0, 2.0], [2.0, 3.0], [5.0, 6.0]]).between
    2
    >>> one_way([[1.0, 1.0], [2.0, 2.0]]) is None
    True
    """
    from scipy.stats import f_oneway

    if any(len(group) < 2 for group in groups) or all(len(set(group)) == 1 for group in groups):
        return None
    found = f_oneway(*groups)
    total = sum(map(len, groups))
    f, p = float(found.statistic), float(found.pvalue)
    return Variance(f, len(groups) - 1, total - len(groups), p)
