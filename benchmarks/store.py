"""What the store costs: of a run, to go on with one of a million games, to list and export it.

`python benchmarks/store.py [GAMES] [FILE]`; a million games unless told otherwise. FILE keeps the
store of these games for the next time. Times are CPU times of this process and its children.
"""

from __future__ import annotations

import gc
import pickle
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from facedown.arena.ledger import Ledger
from facedown.arena.match import Fixture, arrange
from facedown.arena.plan import Plan
from facedown.arena.planned import play_planned
from facedown.arena.work import Chunk, Task
from facedown.arena.workers import play_here
from facedown.core import SpecError
from facedown.core.files import NewFile
from facedown.store.codec import Batch, Heading, Packer
from facedown.store.export import export
from facedown.store.kept import Writer
from facedown.store.records import GameRecord, version
from facedown.store.store import Store

ROUNDS, SHORT = 5, 10_000
AGENTS = ["random*2"]


def cpu() -> float:
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


class Clocked:
    """The processor time of a thread that passes through some of its calls, the clock's taken off.

    Calls inside of calls count once.
    """

    def __init__(self) -> None:
        self.seconds, self._inside = 0.0, threading.local()
        began = time.thread_time_ns()
        for _ in range(10_000):
            time.thread_time_ns()
        self._clock = (time.thread_time_ns() - began) / 10_000

    def watch(self, thing: Any, *names: str) -> None:
        """Count these methods of an object from now on."""
        for name in names:
            setattr(thing, name, self._watched(getattr(thing, name)))

    def _watched(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*given: Any) -> Any:
            if getattr(self._inside, "yes", False):
                return call(*given)
            self._inside.yes, began = True, time.thread_time_ns()
            try:
                return call(*given)
            finally:
                used = time.thread_time_ns() - began - self._clock
                self.seconds += used / 1e9
                self._inside.yes = False

        return timed


def overhead(folder: Path) -> None:
    """Scheduling, counting and storing, of games that are played: what the books take among them.

    By the clock of each thread, in one and the same run as the games, so that it is the share of
    these that a busy machine slows down no more than those.
    """
    fixture = arrange("kuhn", AGENTS, SHORT)
    gc.collect()
    gc.freeze()  # a full collection walks over all that is loaded: rare, and not of these games
    here = [_share(folder / f"{k}.db", fixture) for k in range(ROUNDS)]
    plan = fixture.plan(1)
    records = [play_planned(plan, fixture.game, number) for number in range(SHORT)]
    there = []
    for k in range(ROUNDS):
        chunks, packing = _packed(plan, records)
        there.append(packing + _booked(folder / f"{k}-chunks.db", fixture, chunks))
    books, games = (sorted(each)[ROUNDS // 2] for each in zip(*here, strict=True))
    print(f"a random game of Kuhn poker: {games * 1e6:.0f} µs")
    words = "scheduling, counting and storing"
    for where, cost in (("one process, among games", books), ("worker processes", min(there))):
        share = f"{cost * 1000:.2%} of a processor at 1,000 games a second"
        print(f"{words} in {where}: {cost * 1e6:.1f} µs a game, {share}")
    print(f"in one process that is {books / games:.1%} of what a game takes")


def _share(file: Path, fixture: Fixture) -> tuple[float, float]:
    """CPU seconds a game of the books, and of all else, while games are played."""
    clock = Clocked()
    with Store(file) as store, Writer(store.match(fixture.ask(seed=1))) as writer:
        clock.watch(writer, "flush")  # which the thread of the writer calls
        ledger = fixture.ledger(1, writer=writer)
        clock.watch(ledger, "hand_out", "take", "report", "close")
        began = time.process_time()
        play_here(ledger, {fixture.game.spec: fixture.game})
        ledger.close()
        writer.flush()
        used = time.process_time() - began
    return clock.seconds / SHORT, (used - clock.seconds) / SHORT


def _booked(file: Path, fixture: Fixture, chunks: list[tuple[Task, bytes]]) -> float:
    """CPU seconds a game where workers played, storing and the result included."""
    with Store(file) as store, Writer(store.match(fixture.ask(seed=1))) as writer:
        began = cpu()
        ledger = fixture.ledger(1, writer=writer)
        _in_chunks(chunks, ledger)
        ledger.close()
        return (cpu() - began) / SHORT


def _in_chunks(chunks: list[tuple[Task, bytes]], ledger: Ledger) -> None:
    for task, chunk in chunks:
        ledger.adopt(task, pickle.loads(chunk))
        ledger.report()


def _packed(plan: Plan, records: list[GameRecord]) -> tuple[list[tuple[Task, bytes]], float]:
    """What workers send back, in batches of 200, and the CPU seconds a game that packing takes."""
    made, began = [], cpu()
    for first in range(0, SHORT, 200):
        packer = Packer(Heading(plan.game, plan.seed, version()))
        rows = [packer.pack(record) for record in records[first : first + 200]]
        chunk = Chunk(Batch(packer.casts.items, packer.words.items, rows), 1.0)
        task = Task(plan, list(range(first, first + 200)))
        pickle.loads(pickle.dumps(task))
        made.append((task, pickle.dumps(chunk)))
    return made, (cpu() - began) / SHORT


def fill(file: Path, games: int) -> None:
    """A match of so many games, all but the last ten of them there."""
    fixture = arrange("kuhn", AGENTS, games)
    plan = fixture.plan(1)
    few = [play_planned(plan, fixture.game, number) for number in range(200)]
    with Store(file) as store, Writer(store.match(fixture.ask(seed=1))) as writer:
        began = cpu()
        for number in range(games - 10):
            writer.add(replace(few[number % 200], number=number, deal=number // 2))
        writer.flush()
        each = (cpu() - began) / games
    size = file.stat().st_size / games
    print(f"{games:,} games: {each * 1e6:.1f} µs and {size:.0f} bytes each")


def resume(file: Path, games: int) -> None:
    fixture = arrange("kuhn", AGENTS, games)
    began, wall = cpu(), time.perf_counter()
    with Store(file) as store:
        match = store.match(fixture.ask(seed=1))
        with Writer(match) as writer:
            first = next(writer.missing())
            used, waited = cpu() - began, time.perf_counter() - wall
    print(f"going on at game {first:,}: {used:.3f} s CPU, {waited:.3f} s")


def command(*words: str) -> None:
    began, wall = cpu(), time.perf_counter()
    subprocess.run([sys.executable, "-m", "facedown", *words], check=True, capture_output=True)
    used, waited = cpu() - began, time.perf_counter() - wall
    print(f"facedown {words[0]} {words[1]}: {used:.2f} s CPU, {waited:.2f} s")


def exports(file: Path, folder: Path) -> None:
    with Store(file) as store:
        matches = store.matches(1)
        for form in ("jsonl", "csv", "parquet"):
            began, wall = cpu(), time.perf_counter()
            try:
                count, _ = export(matches, NewFile(folder / f"games.{form}"))
            except SpecError as error:
                print(f"{form}: {error}")
                continue
            used, waited = cpu() - began, time.perf_counter() - wall
            print(f"export of {count:,} games as {form}: {used:.1f} s CPU, {waited:.1f} s")


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        overhead(folder)
        file = Path(sys.argv[2]) if len(sys.argv) > 2 else folder / "store.db"
        if not file.exists():
            fill(file, games)
        resume(file, games)
        command("results", "list", "--store", str(file))
        exports(file, folder)


if __name__ == "__main__":
    main()
