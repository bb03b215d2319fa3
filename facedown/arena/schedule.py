"""The matches of a tournament as one agenda: several at a time, each kept as it is played."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from facedown.arena.forms import Draw, Encounter, Points
from facedown.arena.ledger import Ledger
from facedown.arena.match import Fixture
from facedown.arena.plan import Plan
from facedown.arena.ratings import Shares, shares
from facedown.arena.results import scores, shares_of, side_payoffs
from facedown.arena.work import Chunk, Task
from facedown.core import derive
from facedown.store.errors import readable
from facedown.store.kept import Kept, Writer
from facedown.store.records import GameRecord
from facedown.store.store import Run, Store


@dataclass(frozen=True)
class Met:
    """An encounter that is over: the points of its agents, and what ended each match, if a test."""

    name: str
    agents: tuple[str, ...]
    points: tuple[float, ...]
    games: int
    verdicts: tuple[str, ...]
    matches: tuple[Shares, ...]


@dataclass(frozen=True)
class Reached:
    """How far a tournament has come, in games; `met` is an encounter that has just ended."""

    done: int
    met: Met | None = None


Telling = Callable[[Reached], None]


class Leg:
    """A match of an encounter: waiting, being played, or over."""

    def __init__(self, fixture: Fixture, encounter: Encounter, number: int, kept: Kept) -> None:
        self.fixture, self.encounter, self.number, self.kept = fixture, encounter, number, kept
        self.ledger: Ledger | None = None
        self.new = not self.over  # it is to be played, or was just now
        self._stack = ExitStack()

    @property
    def over(self) -> bool:
        """Whether its result is there."""
        return self.kept.result is not None

    def open(self) -> Ledger:
        """Claim it, and open its books."""
        writer = self._stack.enter_context(Writer(self.kept))
        self.ledger = self.fixture.ledger(self.kept.seed, writer=writer, match=self.number)
        return self.ledger

    def close(self) -> None:
        """All of it is played: keep the result."""
        assert self.ledger is not None
        self.ledger.close(whole_run=False)
        self.leave(None, None, None)

    def leave(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Keep what was played so far."""
        self.ledger = None
        self._stack.__exit__(kind, error, traceback)

    def shares(self) -> Shares:
        """What its games add up to; it is noted beside them."""
        with readable(self.kept.store.path):
            if "shares" in self.kept.numbers:
                return Shares.from_json(self.kept.numbers["shares"])
        found = counted(self.kept, self.fixture.plan(self.kept.seed), self.fixture.sides)
        self.kept.note(shares=found.to_json())
        return found


def counted(kept: Kept, plan: Plan, sides: Sequence[str]) -> Shares:
    """The shares of wins in all games of a match, deal by deal; a deal is a round of the seats."""
    entries, rounds = len(plan.entries), dict[int, list[list[float]]]()
    for tally in kept.tallies():
        players, payoffs = plan.who(tally.number), tally.payoffs
        if sides:
            players, payoffs = tuple(range(len(sides))), side_payoffs(payoffs, players, len(sides))
        parts = shares_of(players, scores(payoffs), entries)
        rounds.setdefault(tally.number // plan.cycle, []).append(parts)
    agents, seats = zip(*plan.entries, strict=True)
    return shares(agents, [1] * entries if sides else seats, rounds.values(), sides)


class Schedule:
    """Hands out the games of a run, match by match; whoever waits for a result waits.

    `legs` has the matches of an encounter, `draw` the encounters that results so far decide. What
    the run has already is not played again. Leaving it keeps what was played, however that ends.
    """

    def __init__(
        self,
        legs: Callable[[Sequence[str]], list[Fixture]],
        draw: Callable[[Points], Draw],
        store: Store,
        run: Run,
        code: str,
        tell: Telling | None = None,
    ) -> None:
        self._legs, self._draw, self._store, self._run = legs, draw, store, run
        self._code, self._tell = code, tell
        self._kept = {(one.name, one.seed): one for one in store.matches(run.id)}
        self._known: dict[Encounter, list[Leg]] = {}
        self._points: dict[Encounter, Sequence[float]] = {}
        self._waiting: deque[Leg] = deque()
        self._open: dict[int, Leg] = {}
        self._count = self._done = self._reported = 0
        self._over: dict[Encounter, Met] = {}
        self.met: list[Met] = []
        self.order: list[str] = []

    def __enter__(self) -> Schedule:
        self._advance()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for leg in list(self._open.values()):
            leg.leave(kind, error, traceback)
        self._open.clear()

    # --- who meets whom ------------------------------------------------------------------------

    def _advance(self) -> None:
        """Take in what is over, and set down what can be played by now."""
        going = True
        while going:
            drawn = self._draw(self._points)
            for encounter in drawn.encounters:
                if encounter not in self._known:
                    self._set_down(encounter)
            going = self._settle(drawn.encounters)
        self.met = [self._over[one] for one in drawn.encounters if one in self._over]
        self.order = drawn.order if drawn.complete else []

    def _set_down(self, encounter: Encounter) -> None:
        legs = self._known[encounter] = []
        for k, fixture in enumerate(self._legs(encounter.agents)):
            seed = derive(self._run.seed, encounter.name, *encounter.agents, k)
            ask = fixture.ask(seed, code=self._code)
            kept = self._kept.get((ask.name, seed))
            if kept is None:
                kept = self._store.match(ask, new=True, run=self._run.id)
            leg = Leg(fixture, encounter, self._count, kept)
            self._count += 1
            self._done += kept.done
            legs.append(leg)
            if not leg.over:
                self._waiting.append(leg)

    def _settle(self, encounters: Sequence[Encounter]) -> bool:
        """Count the encounters whose matches are over; whether any was new."""
        fresh = False
        for encounter in encounters:
            legs = self._known[encounter]
            if encounter in self._points or not all(leg.over for leg in legs):
                continue
            fresh = True
            met = _met(encounter, legs)
            self._points[encounter] = met.points
            self._over[encounter] = met
            if self._tell is not None and any(leg.new for leg in legs):
                self._tell(Reached(self._done, met))
        return fresh

    # --- the agenda ----------------------------------------------------------------------------

    @property
    def left(self) -> int:
        """How many games nobody has been given yet, as far as is known."""
        begun = sum(leg.ledger.left for leg in self._open.values() if leg.ledger is not None)
        return begun + sum(int(leg.kept.wanted - leg.kept.done) for leg in self._waiting)

    def hand_out(self, seconds: float, hands: int) -> Task | None:
        """Games of the first match that has any; None where all that is left waits for results."""
        for leg in list(self._open.values()):
            if leg.ledger is not None and (task := leg.ledger.hand_out(seconds, hands)):
                return task
        while self._waiting:
            leg = self._waiting.popleft()
            ledger = leg.open()
            self._open[leg.number] = leg
            if task := ledger.hand_out(seconds, hands):
                return task
            self._look(leg)  # all its games were there, its result was not
        return None

    def take(self, task: Task, record: GameRecord) -> None:
        """Keep a game that was played here."""
        self._book(task, lambda ledger: ledger.take(task, record))

    def adopt(self, task: Task, chunk: Chunk) -> None:
        """Keep games that were played elsewhere."""
        self._book(task, lambda ledger: ledger.adopt(task, chunk))

    def give_back(self, task: Task) -> None:
        """Nobody has played these games."""
        self._book(task, lambda ledger: ledger.give_back(task))

    def _book(self, task: Task, entry: Callable[[Ledger], Any]) -> None:
        """Let a match have what belongs to it; one that is over wants nothing any more."""
        leg = self._open.get(task.match)
        if leg is None or leg.ledger is None:
            return
        before = leg.ledger.done
        entry(leg.ledger)
        self._done += leg.ledger.done - before
        self._look(leg)

    def _look(self, leg: Leg) -> None:
        """Close a match that is over."""
        if leg.ledger is not None and leg.ledger.over:
            leg.close()
            del self._open[leg.number]
            self._advance()

    def report(self) -> None:
        """Tell of the games that were kept since the last report."""
        if self._tell is not None and self._done != self._reported:
            self._reported = self._done
            self._tell(Reached(self._done))


def _met(encounter: Encounter, legs: Sequence[Leg]) -> Met:
    found = [leg.shares() for leg in legs]
    points = dict.fromkeys(encounter.agents, 0.0)
    for one in found:
        for agent, part in zip(one.agents, one.won, strict=True):
            points[agent] += part
    tests = [(leg.kept.result or {}).get("test") for leg in legs]
    verdicts = tuple(test["verdict"] for test in tests if test is not None)
    games = sum(one.games for one in found)
    won = tuple(points[agent] for agent in encounter.agents)
    return Met(encounter.name, encounter.agents, won, games, verdicts, tuple(found))
