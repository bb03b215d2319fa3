"""Workers, wherever they are: games are handed out in batches, and again where a worker died."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from facedown.arena.work import CHUNK_SECONDS, Agenda, Chunk, Task
from facedown.core import FacedownError

MOST_DEATHS = 3
"""How often the same games may cost a worker its life before it is taken for their fault."""


class Pool(Protocol):
    """Workers. What they are given is played in any order."""

    def size(self) -> int:
        """How many there are now."""

    def submit(self, task: Task) -> None:
        """Give games to one of them."""

    def collect(self) -> list[tuple[Task, Chunk | None]]:
        """Wait until something is finished, or a little; None for games whose worker died."""

    def finished(self) -> list[tuple[Task, Chunk]]:
        """What is finished already, nothing waited for."""


class Crew:
    """Has a pool of workers play an agenda.

    The size of a batch follows the time that a game takes. No worker waits for its next batch: each
    has one in hand and one in store.
    """

    def __init__(self, pool: Pool, agenda: Agenda) -> None:
        self._pool, self._agenda = pool, agenda
        self._out = 0
        self._deaths: Counter[tuple[int, int]] = Counter()

    def run(self) -> None:
        """Play all games; on an error, or Ctrl-C, what others had finished is kept."""
        try:
            self.hand_out()
            while self._out:
                for task, chunk in self._pool.collect():
                    self._out -= 1
                    self._take(task, chunk)
                self._agenda.report()
                self.hand_out()
        finally:
            for task, chunk in self._pool.finished():
                self._agenda.adopt(task, chunk)

    def hand_out(self) -> None:
        """Give every worker enough to do."""
        hands = 2 * self._pool.size()
        while self._out < hands:
            task = self._agenda.hand_out(CHUNK_SECONDS, hands)
            if task is None:
                return
            self._pool.submit(task)
            self._out += 1

    def _take(self, task: Task, chunk: Chunk | None) -> None:
        if chunk is None:
            self._again(task)
            return
        self._agenda.adopt(task, chunk)
        if chunk.error is not None:
            raise chunk.error

    def _again(self, task: Task) -> None:
        """A worker has died over these games."""
        first = task.match, task.numbers[0]
        self._deaths[first] += 1
        if self._deaths[first] > MOST_DEATHS:
            raise FacedownError(
                f"a worker process died {MOST_DEATHS + 1} times over the same games of "
                f"{task.plan.game} (from number {task.numbers[0]}): it was killed, ran out of "
                "memory or crashed in native code (a script that plays with jobs > 1 needs "
                "`if __name__ == '__main__':`)"
            )
        self._agenda.give_back(task)
