"""The result of a match: who won how often, how sure that is, what went wrong."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any

from facedown.agents.person import is_simulated
from facedown.arena import statistics
from facedown.arena.plan import Plan
from facedown.arena.sequential import SequentialTest, Stopping, even_share
from facedown.arena.statistics import Mean
from facedown.core.specs import parse
from facedown.shown import html_table
from facedown.store.codec import Tally
from facedown.store.records import GameRecord

_TIE = 1e-9  # payoffs that differ by rounding are equal


@dataclass(frozen=True)
class AgentResult:
    """What one agent of a match achieved, over all the seats that it filled.

    `games` counts appearances; in a match of sides it counts games, and `side` names the agent's.
    `win_rate` takes a draw for half a win; `low` and `high` bound it at 95 %. `p_value` is of the
    two-sided test against an even result. `standard_error` is of `mean_payoff`, None where there
    was one deal only. `forfeits` counts each reason. `isolated` says that it played apart, each
    game in a process of its own.
    """

    spec: str
    wins: int
    draws: int
    games: int
    win_rate: float
    low: float
    high: float
    mean_payoff: float
    standard_error: float | None
    p_value: float
    cheats: bool
    forfeits: dict[str, int]
    side: str | None = None
    isolated: bool = False


@dataclass(frozen=True)
class MatchResult:
    """The result of a match: one AgentResult for each agent argument, in the order given.

    `isolation` says what kept agents in that played apart, and what did not; None where none did.
    `test` is the verdict of a sequential test (`arena/sequential.py`), where one could end it.
    """

    game: str
    seed: int
    games: int
    duplicate: bool
    seconds: float
    agents: tuple[AgentResult, ...]
    notes: tuple[str, ...] = ()
    isolation: dict[str, Any] | None = None
    test: dict[str, Any] | None = None

    @property
    def errors(self) -> int:
        """How many games were forfeited."""
        return sum(sum(agent.forfeits.values()) for agent in self.agents)

    def _repr_html_(self) -> str:
        """The agents as a table, as notebooks show it."""
        rows = [
            (
                one.spec,
                f"{one.games:,}",
                f"{one.win_rate:.1%}",
                f"{one.low:.1%} to {one.high:.1%}",
                f"{one.mean_payoff:+.3f}",
            )
            for one in self.agents
        ]
        return html_table(("agent", "games", "wins", "95 % interval", "mean payoff"), rows)

    def to_json(self) -> dict[str, Any]:
        """The result as plain JSON."""
        return {
            "game": self.game,
            "seed": self.seed,
            "games": self.games,
            "errors": self.errors,
            "seconds": self.seconds,
            "duplicate": self.duplicate,
            "agents": [asdict(agent) for agent in self.agents],
            "notes": list(self.notes),
            "isolation": self.isolation,
            "test": self.test,
        }

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> MatchResult:
        """The result that `to_json` gave; TypeError or KeyError where it is none."""
        given = {name: value for name, value in plain.items() if name != "errors"}
        given["agents"] = tuple(AgentResult(**agent) for agent in plain["agents"])
        given["notes"] = tuple(plain["notes"])
        return cls(**given)


def scores(payoffs: Sequence[float]) -> list[float]:
    """1 for the sole highest payoff, a half to all who share it, 0 for the others.

    >>> scores([3.0, 1.0, 3.0])
    [0.5, 0.0, 0.5]
    """
    top = max(payoffs)
    first = [math.isclose(pay, top, rel_tol=_TIE, abs_tol=_TIE) for pay in payoffs]
    share = 1.0 if sum(first) == 1 else 0.5
    return [share if is_first else 0.0 for is_first in first]


@lru_cache(4096)
def _gained(payoffs: tuple[float, ...]) -> tuple[tuple[float, ...], float]:
    """The scores of a game, and their mean; most games end in one of a few ways."""
    gained = tuple(scores(payoffs))
    return gained, sum(gained) / len(gained)


def shares_of(entries: Sequence[int], gained: Sequence[float], count: int) -> list[float]:
    """Each entry's part of a game that was won, or shared, as `scores` says.

    >>> shares_of([0, 1, 1], [0.0, 0.5, 0.5], 2)
    [0.0, 1.0]
    """
    total, parts = sum(gained), [0.0] * count
    for entry, score in zip(entries, gained, strict=True):
        parts[entry] += score / total
    return parts


@dataclass
class _Deal:
    """What one agent got from one deal: sums over its appearances."""

    score: float = 0.0
    edge: float = 0.0  # score beyond the mean of all seats of the same game
    payoff: float = 0.0
    count: int = 0


@dataclass
class _Tally:
    """What one agent of a match got so far."""

    wins: int = 0
    draws: int = 0
    cheats: bool = False
    deals: dict[int, _Deal] = field(default_factory=dict)
    forfeits: Counter[str] = field(default_factory=Counter)

    def add(self, deal: int, score: float, even: float, payoff: float) -> None:
        """One appearance."""
        self.wins += score == 1.0
        self.draws += score == 0.5
        sums = self.deals.get(deal)
        if sums is None:
            sums = self.deals[deal] = _Deal()
        sums.score += score
        sums.edge += score - even
        sums.payoff += payoff
        sums.count += 1

    def mean(self, what: str) -> Mean:
        """The mean of score, edge or payoff, with its error over deals."""
        deals = self.deals.values()
        counts = [deal.count for deal in deals]
        return statistics.clustered_mean([getattr(deal, what) for deal in deals], counts)


def side_payoffs(payoffs: Sequence[float], players: Sequence[int], sides: int) -> tuple[float, ...]:
    """What each side got: the mean over its players."""
    own = [
        [pay for pay, its in zip(payoffs, players, strict=True) if its == k] for k in range(sides)
    ]
    return tuple(sum(pays) / len(pays) for pays in own)


class Scoreboard:
    """Adds up the games of a match, in whatever order they come.

    With `stopping` a test reads those that come in the order of their numbers.
    """

    def __init__(
        self, plan: Plan, sides: tuple[str, ...] = (), stopping: Stopping | None = None
    ) -> None:
        self._plan, self._sides = plan, sides
        self._seated = [plan.who(number) for number in range(plan.cycle)]
        self._test: SequentialTest | None = None
        if stopping is not None:
            seats = [count for _, count in plan.entries]
            self._test = SequentialTest(stopping, even_share(seats))
        self._round = 0.0  # the first agent's shares since all seats were taken in turn
        self._tallies = [_Tally() for _ in plan.entries]
        self._drawn = False  # whether any game was
        self._crowded = False  # whether more than two have shared a win
        self.games = 0

    def add(self, record: GameRecord | Tally) -> None:
        """One more game."""
        self.games += 1
        players = self._seated[record.number % len(self._seated)]
        entries, payoffs = players, record.payoffs
        if self._sides:  # a side wins or loses as one
            entries = tuple(range(len(self._sides)))
            payoffs = side_payoffs(record.payoffs, players, len(entries))
        gained, even = _gained(tuple(payoffs))
        self._drawn = self._drawn or 1.0 not in gained
        self._crowded = self._crowded or sum(gained) > 1.0
        for entry, score, payoff in zip(entries, gained, payoffs, strict=True):
            self._tallies[entry].add(record.deal, score, even, payoff)
        for entry, cheats in zip(players, record.cheats, strict=True):
            self._tallies[entry].cheats |= cheats
        for forfeit in record.forfeits:
            self._tallies[players[forfeit.player]].forfeits[forfeit.reason] += 1
        if self._test is not None and record.number == self.games - 1:
            self._round += shares_of(entries, gained, len(self._tallies))[0]
            if self.games % self._plan.cycle == 0:
                self._test.add(self._round / self._plan.cycle)
                self._round = 0.0

    @property
    def decided(self) -> bool:
        """Whether the test has ended the match."""
        return self._test is not None and self._test.verdict != "open"

    def result(self, seconds: float) -> MatchResult:
        """The result of the games so far."""
        plan = self._plan
        agents = tuple(self._agent(entry) for entry in range(len(plan.entries)))
        return MatchResult(
            game=plan.game,
            seed=plan.seed,
            games=self.games,
            duplicate=plan.duplicate,
            seconds=seconds,
            agents=agents,
            notes=tuple(self._notes(agents)),
            isolation=plan.isolation.to_json() if any(a.isolated for a in agents) else None,
            test=None if self._test is None else self._test.result().to_json(),
        )

    def _agent(self, entry: int) -> AgentResult:
        tally, (spec, _) = self._tallies[entry], self._plan.entries[entry]
        rate, payoff = tally.mean("score"), tally.mean("payoff")
        games = sum(deal.count for deal in tally.deals.values())
        low, high = self._interval(entry)
        return AgentResult(
            spec=spec,
            wins=tally.wins,
            draws=tally.draws,
            games=games,
            win_rate=rate.value,
            low=low,
            high=high,
            mean_payoff=payoff.value,
            standard_error=payoff.error,
            p_value=self._p_value(entry),
            cheats=tally.cheats,
            forfeits=dict(sorted(tally.forfeits.items())),
            side=self._sides[entry] if self._sides else None,
            isolated=self._plan.isolation.apart(spec),
        )

    def _interval(self, entry: int) -> tuple[float, float]:
        """Of the win rate, over deals: games of one deal, and seats of one game, go together.

        An agent of several seats wins with one of them at most; where more than two share a win
        its part may be larger. One of all seats has a share in every win.
        """
        deals, seats = self._tallies[entry].deals.values(), self._plan.entries[entry][1]
        if self._sides:
            seats = 1
        low = 1 / seats if seats == len(self._plan.seats) else 0.0
        high = 0.5 if self._crowded and seats > 2 else 1 / seats
        sums = [deal.score / seats for deal in deals]  # a game is one trial, whatever its seats
        return statistics.bounded_interval(sums, [deal.count / seats for deal in deals], low, high)

    def _p_value(self, entry: int) -> float:
        """Against an even result: exact where games are independent and won or lost, else t.

        An agent of several seats can win a game once only: its chance of that is its share of them.
        """
        tally, share = self._tallies[entry], self._plan.entries[entry][1] / len(self._plan.seats)
        if self._sides:
            share = 1 / len(self._sides)
        if self._plan.duplicate or self._drawn:
            return statistics.t_test(tally.mean("edge"))
        return statistics.binomial_test(tally.wins, self.games, share)

    def _notes(self, agents: Iterable[AgentResult]) -> list[str]:
        turns = self._plan.cycle
        notes = []
        if self.games % turns:
            what = "ways to deal the sides" if self._sides else "rotations"
            notes.append(
                f"{self.games} games are no multiple of the {turns} {what}: "
                "the luck of position does not cancel"
            )
        cheats = [agent.spec for agent in agents if agent.cheats]
        notes.extend(f"{spec} cheats: it is handed the true position" for spec in cheats)
        here = [agent.spec for agent in agents if not agent.isolated and parse(agent.spec).file]
        notes.extend(f"{spec} was not isolated: it could have peeked" for spec in here)
        if missing := self._plan.isolation.missing:
            notes.append(f"not enforced for isolated agents on this system: {', '.join(missing)}")
        if any(is_simulated(agent.spec) for agent in agents):
            notes.append("simulated people, not human players")
        return notes
