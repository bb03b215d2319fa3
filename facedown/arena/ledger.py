"""The books of a match: what is still to be played, what is finished, what it adds up to."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import islice

from facedown.arena.plan import Plan
from facedown.arena.results import MatchResult, Scoreboard
from facedown.store.codec import Batch, Tally
from facedown.store.kept import Writer
from facedown.store.records import GameRecord

Progress = Callable[[int, int], None]
"""Called with the number of games done and the number of all."""


class Ledger:
    """Hands out the numbers of games, takes finished ones in any order, keeps and counts them.

    They are counted in the order of their numbers: results do not depend on who was faster. Where
    the store has had games before, all are counted at the end, as the store has them.
    """

    def __init__(
        self,
        plan: Plan,
        sides: tuple[str, ...] = (),
        writer: Writer | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.plan = plan
        self._writer, self._progress, self._sides = writer, progress, sides
        self._board = Scoreboard(plan, self._sides)
        self._early: dict[int, GameRecord | Tally] = {}  # finished before one of a lower number
        self._done = self._reported = 0 if writer is None else writer.done
        self._resumed = self._done > 0
        self._numbers = iter(range(plan.games)) if writer is None else writer.missing()
        self.left = plan.games - self._done
        self._began = time.perf_counter()

    def hand_out(self, most: int) -> list[int]:
        """The next games to be played, at most so many."""
        numbers = list(islice(self._numbers, most))
        self.left -= len(numbers)
        return numbers

    def take(self, record: GameRecord) -> None:
        """A game is finished."""
        if self._writer is not None:
            self._writer.add(record)
        self._count(record)

    def adopt(self, batch: Batch) -> None:
        """Games are finished elsewhere."""
        if self._writer is not None:
            self._writer.adopt(batch)
        for tally in batch.tallies():
            self._count(tally)

    def report(self) -> None:
        """Call `progress` once for each game that was finished since the last report."""
        while self._reported < self._done:
            self._reported += 1
            if self._progress is not None:
                self._progress(self._reported, self.plan.games)

    def _count(self, game: GameRecord | Tally) -> None:
        self._done += 1
        if self._resumed:
            return
        self._early[game.number] = game
        while (following := self._early.pop(self._board.games, None)) is not None:
            self._board.add(following)

    def result(self) -> MatchResult | None:
        """The result of all games so far; None if there are none."""
        for game in self._stragglers():
            self._board.add(game)
        if not self._board.games:
            return None
        used = time.perf_counter() - self._began
        return self._board.result(used if self._writer is None else self._writer.seconds)

    def _stragglers(self) -> Iterator[GameRecord | Tally]:
        """What is still to be counted: games that waited for others, or all."""
        if self._writer is not None and self._resumed:
            self._writer.flush()
            yield from self._writer.match.tallies()
        for number in sorted(self._early):
            yield self._early[number]
