"""The games of a match, played here or in worker processes; the games are the same either way."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass

from facedown.arena.ledger import Ledger
from facedown.arena.plan import Plan
from facedown.arena.planned import play_planned
from facedown.core import FacedownError, Game
from facedown.games.registry import load_game
from facedown.store.codec import Batch, Heading, Packer
from facedown.store.records import version


@dataclass(frozen=True)
class Chunk:
    """What a worker gives back: games, the seconds that they took, the error that came next."""

    games: Batch
    seconds: float
    error: FacedownError | None


_CHUNK_SECONDS = 0.25  # what a worker is given at a time: news come often, at little cost
_MOST_GAMES = 1000
_LONG_SECONDS = 8.0  # still to come: then the start of more processes is worth its while
_LOOK_SECONDS = 1.0  # of play before anybody guesses how much is still to come


def play_here(ledger: Ledger, game: Game, *, while_short: bool = False) -> None:
    """Play the games that are left in this process.

    With `while_short` it leaves off where the others look as if they would take long.
    """
    began, played = time.perf_counter(), 0
    while numbers := ledger.hand_out(1):
        ledger.take(play_planned(ledger.plan, game, numbers[0]))
        ledger.report()
        if not played:  # it may have compiled or loaded something, once
            began = time.perf_counter()
        elif while_short:
            seconds = time.perf_counter() - began
            if seconds > _LOOK_SECONDS and seconds / played * ledger.left > _LONG_SECONDS:
                return
        played += 1


def play_in_workers(ledger: Ledger, jobs: int) -> None:
    """Play the games that are left in `jobs` processes.

    The ledger gets them as they are finished, in any order. On an error or Ctrl-C the workers are
    stopped at once.
    """
    before = set(multiprocessing.active_children())
    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=spawn, initializer=_open, initargs=(ledger.plan,))
    try:
        _Crew(jobs, pool, ledger).run()
    except BrokenProcessPool:
        raise FacedownError(
            "a worker process died: it was killed, ran out of memory or crashed in native code "
            "(a script that plays with jobs > 1 needs `if __name__ == '__main__':`)"
        ) from None
    except BaseException:
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class _Crew:
    """Hands out games in chunks whose size follows the time that a game takes."""

    def __init__(self, jobs: int, pool: ProcessPoolExecutor, ledger: Ledger) -> None:
        self._pool, self._ledger = pool, ledger
        self._most = 2 * jobs  # chunks handed out at a time: no worker waits for its next one
        self._size = 1  # games in a chunk
        self._running: set[Future[Chunk]] = set()

    def run(self) -> None:
        """Play all games."""
        with _no_interrupt():  # a worker is born with what its parent ignores
            for _ in range(self._most):
                self._submit()
        try:
            while self._running:
                for future in wait(self._running, return_when=FIRST_COMPLETED).done:
                    self._collect(future)
                    self._ledger.report()
                    self._submit()
        finally:  # what others had finished when the match was broken off
            for future in [future for future in self._running if _finished(future)]:
                self._keep(future)

    def _submit(self) -> None:
        size = max(1, min(self._size, self._ledger.left // self._most))
        numbers = self._ledger.hand_out(size)
        if numbers:
            self._running.add(self._pool.submit(_play, numbers))

    def _collect(self, future: Future[Chunk]) -> None:
        chunk = self._keep(future)
        if chunk.error is not None:
            raise chunk.error
        each = max(chunk.seconds / len(chunk.games.rows), 1e-6)
        self._size = max(1, min(_MOST_GAMES, 2 * self._size, int(_CHUNK_SECONDS / each)))

    def _keep(self, future: Future[Chunk]) -> Chunk:
        self._running.discard(future)
        chunk = future.result()
        self._ledger.adopt(chunk.games)
        return chunk


def _finished(future: Future[Chunk]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Ignore Ctrl-C for the moment, where this thread may say so."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# --- in a worker -----------------------------------------------------------------------------

_plan: Plan | None = None
_game: Game | None = None


def _open(plan: Plan) -> None:
    """Make a worker ready. The parent alone answers Ctrl-C and writes to stdout.

    No worker outlives it.
    """
    global _plan
    sys.stdout = sys.stderr
    _plan = plan
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _play(numbers: list[int]) -> Chunk:
    """The games of these numbers; the game is loaded once in each worker.

    They are packed here: records take longer on their way than a short game takes.
    """
    global _game
    assert _plan is not None
    if _game is None:
        _game = load_game(_plan.game)
    packer = Packer(Heading(_plan.game, _plan.seed, version()))
    rows = []
    began, error = time.perf_counter(), None
    try:
        for number in numbers:
            rows.append(packer.pack(play_planned(_plan, _game, number)))
    except FacedownError as raised:
        error = raised
    batch = Batch(packer.casts.items, packer.words.items, rows)
    return Chunk(batch, time.perf_counter() - began, error)
