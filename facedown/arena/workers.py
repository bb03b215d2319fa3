"""The games of an agenda, played here or in worker processes; the games are the same either way."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, MutableMapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

from facedown.arena.crew import Crew
from facedown.arena.planned import play_planned
from facedown.arena.work import Agenda, Chunk, Task, play_task
from facedown.core import Game
from facedown.games.registry import load_game

LONG_SECONDS = 8.0  # still to come: then the start of more processes is worth its while
LOOK_SECONDS = 1.0  # of play before anybody guesses how much is still to come


def play_here(
    agenda: Agenda, games: MutableMapping[str, Game] | None = None, *, while_short: bool = False
) -> None:
    """Play the games that are left in this process; `games` are those that are loaded already.

    With `while_short` it leaves off where the others look as if they would take long.
    """
    known = {} if games is None else games
    began, played = time.perf_counter(), 0
    while task := agenda.hand_out(0.0, 1):
        plan = task.plan
        if plan.game not in known:
            known[plan.game] = load_game(plan.game)
        for number in task.numbers:
            agenda.take(task, play_planned(plan, known[plan.game], number))
        agenda.report()
        if not played:  # it may have compiled or loaded something, once
            began = time.perf_counter()
        elif while_short:
            seconds = time.perf_counter() - began
            if seconds > LOOK_SECONDS and seconds / played * agenda.left > LONG_SECONDS:
                return
        played += 1


def play_in_workers(agenda: Agenda, jobs: int) -> None:
    """Play the games that are left in `jobs` processes.

    The agenda gets them as they are finished, in any order. On an error or Ctrl-C the workers are
    stopped at once. One that dies is replaced, and its games are played again.
    """
    pool = Processes(jobs)
    try:
        crew = Crew(pool, agenda)
        with _no_interrupt():  # a worker is born with what its parent ignores
            crew.hand_out()
        crew.run()
    except BaseException:
        pool.stop()
        raise
    finally:
        pool.close()


class Processes:
    """A pool of processes of this machine."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._before = set(multiprocessing.active_children())
        self._running: dict[Future[Chunk], Task] = {}
        self._pool = self._made()

    def _made(self) -> ProcessPoolExecutor:
        spawn = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._jobs, mp_context=spawn, initializer=_open)

    def size(self) -> int:
        """How many there are."""
        return self._jobs

    def submit(self, task: Task) -> None:
        """Give games to one of them."""
        try:
            future = self._pool.submit(play_task, task)
        except BrokenProcessPool:  # one has died a moment ago: all have
            future = Future()
            future.set_exception(BrokenProcessPool())
        self._running[future] = task

    def collect(self) -> list[tuple[Task, Chunk | None]]:
        """Wait until something is finished. Where one dies its pool is of no more use."""
        done = wait(self._running, return_when=FIRST_COMPLETED).done
        found: list[tuple[Task, Chunk | None]] = []
        broken = False
        for future in done:
            task = self._running.pop(future)
            try:
                found.append((task, future.result()))
            except BrokenProcessPool:
                broken = True
                found.append((task, None))
        if broken:
            found += self._replaced()
        return found

    def _replaced(self) -> list[tuple[Task, Chunk | None]]:
        """Start a new pool; what the old one had not finished comes back."""
        self._pool.shutdown(wait=True, cancel_futures=True)
        found: list[tuple[Task, Chunk | None]] = [*self.finished()]
        found += [(task, None) for task in self._running.values()]
        self._running.clear()
        with _no_interrupt():
            self._pool = self._made()
        return found

    def finished(self) -> list[tuple[Task, Chunk]]:
        """What is finished already."""
        ended = [future for future in self._running if _finished(future)]
        return [(self._running.pop(future), future.result()) for future in ended]

    def stop(self) -> None:
        """End them all, in the middle of whatever they do."""
        for process in set(multiprocessing.active_children()) - self._before:
            process.terminate()

    def close(self) -> None:
        """Have them end."""
        self._pool.shutdown(wait=True, cancel_futures=True)


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


def _open() -> None:
    """Make a worker ready. The parent alone answers Ctrl-C and writes to stdout.

    No worker outlives it.
    """
    sys.stdout = sys.stderr
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
