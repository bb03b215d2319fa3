"""The books of a match: what is still to be played, what is finished, what it adds up to."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from facedown.arena.plan import Plan
from facedown.arena.results import MatchResult, Scoreboard
from facedown.arena.sequential import Stopping
from facedown.arena.work import CHUNK_SECONDS, Chunk, Task
from facedown.store.codec import Tally
from facedown.store.kept import Writer
from facedown.store.records import GameRecord

Progress = Callable[[int, int], None]
"""Called with the number of games done and the number of all."""

_MOST_GAMES = 1000  # in a batch
_AT_ONCE = 100  # games that are counted together: between games that takes twice as long


class Ledger:
    """Hands out the numbers of games, takes finished ones in any order, keeps and counts them.

    They are counted in the order of their numbers: results do not depend on who was faster. Where
    the store has had games before, all are counted at the end, as the store has them. With
    `stopping` they are read at once, for the match ends at the first game that decides it; what
    others have played beyond that does not count and is not kept.
    """

    def __init__(
        self,
        plan: Plan,
        sides: tuple[str, ...] = (),
        writer: Writer | None = None,
        progress: Progress | None = None,
        *,
        stopping: Stopping | None = None,
        match: int = 0,
    ) -> None:
        self.plan, self.match = plan, match
        self._writer, self._progress = writer, progress
        self._board, self._stopping = Scoreboard(plan, sides, stopping), stopping is not None
        self._early: dict[int, GameRecord | Tally] = {}  # finished, and not counted yet
        self.done = self._reported = 0 if writer is None else writer.done
        self._resumed = self.done > 0
        self._numbers = iter(range(plan.games)) if writer is None else writer.missing()
        self.left = plan.games - self.done
        self._returned: list[Sequence[int]] = []
        self._size, self._out = 1, 0  # games in a batch; games that somebody is at
        self._began = time.perf_counter()
        if stopping is not None and self._resumed:
            self._read()

    def _read(self) -> None:
        """Count what the store has, so that the test goes on where it was."""
        assert self._writer is not None
        self.done = self._reported = 0
        self._resumed = False
        for tally in self._writer.match.tallies():
            self._count(tally)
        self._reported = self.done

    @property
    def decided(self) -> bool:
        """Whether the test has ended the match."""
        return self._board.decided

    @property
    def over(self) -> bool:
        """Whether nothing of it is to be played any more, and nobody is at it."""
        return self.decided or (not self.left and not self._out)

    # --- handing out ---------------------------------------------------------------------------

    def hand_out(self, seconds: float, hands: int) -> Task | None:
        """The next games to be played, so many that they take so long, shared among the hands."""
        if self.decided:
            return None
        if self._returned:
            numbers = self._returned.pop()
        else:
            most = max(1, min(self._size, self.left // hands)) if seconds else 1
            numbers = list(islice(self._numbers, most))
        self.left -= len(numbers)
        self._out += len(numbers)
        return Task(self.plan, numbers, self.match) if numbers else None

    def give_back(self, task: Task) -> None:
        """Nobody has played these games: the same are handed out once more."""
        self._returned.append(task.numbers)
        self._out -= len(task.numbers)
        self.left += len(task.numbers)

    # --- taking in -----------------------------------------------------------------------------

    def take(self, task: Task, record: GameRecord) -> None:
        """A game is finished."""
        self._out -= 1
        if self._writer is not None:
            self._writer.add(record)
        self._count(record)

    def adopt(self, task: Task, chunk: Chunk) -> None:
        """Games are finished elsewhere."""
        self._out -= len(task.numbers)
        if not self.decided and chunk.games.rows:
            if self._writer is not None:
                self._writer.adopt(chunk.games)
            for tally in chunk.games.tallies():
                self._count(tally)
        each = max(chunk.seconds / max(1, len(chunk.games.rows)), 1e-6)
        self._size = max(1, min(_MOST_GAMES, 2 * self._size, int(CHUNK_SECONDS / each)))

    def report(self) -> None:
        """Call `progress` once for each game that was finished since the last report."""
        while self._reported < self.done:
            self._reported += 1
            if self._progress is not None:
                self._progress(self._reported, self.plan.games)

    def _count(self, game: GameRecord | Tally) -> None:
        if self.decided:
            return
        self.done += 1
        if self._resumed:
            return
        self._early[game.number] = game
        if self._stopping or len(self._early) >= _AT_ONCE:
            self._add_up()

    def _add_up(self) -> None:
        """Count those that are next in the order of their numbers."""
        while (following := self._early.pop(self._board.games, None)) is not None:
            self._board.add(following)
            if self._board.decided:
                self._early.clear()
                self.done = self._board.games
                self.left = 0
                return

    # --- the result ----------------------------------------------------------------------------

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

    def close(self, *, whole_run: bool = True) -> MatchResult:
        """All is played: the result, which a store keeps; what lies beyond the end it drops."""
        result = self.result()
        assert result is not None  # at least one game was wanted
        if self._writer is not None:
            if self.decided:
                self._writer.cut(self.done)
            self._writer.finish(result.to_json(), whole_run=whole_run)
        return result
