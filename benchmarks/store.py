"""What the store costs: of a run, to go on with one of a million games, to list and export it.

`python benchmarks/store.py [GAMES] [FILE]`; a million games unless told otherwise. FILE keeps the
store of these games for the next time. Times are CPU times of this process and its children.
"""

from __future__ import annotations

import pickle
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from facedown.arena.ledger import Ledger
from facedown.arena.match import Fixture, arrange
from facedown.arena.plan import Plan
from facedown.arena.planned import play_planned
from facedown.arena.work import Chunk, Task
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


def overhead(folder: Path) -> None:
    """Scheduling, counting and storing: games that are played already go through the books.

    Taken by itself, since the difference of two runs drowns in what a busy machine does to both.
    """
    fixture, bare = arrange("kuhn", AGENTS, SHORT), cpu()
    plan = fixture.plan(1)
    records = [play_planned(plan, fixture.game, number) for number in range(SHORT)]
    bare = (cpu() - bare) / SHORT
    here, there = [], []
    for k in range(ROUNDS):
        here.append(_booked(folder / f"{k}.db", fixture, partial(_one_by_one, records)))
        chunks, packing = _packed(plan, records)
        taking = _booked(folder / f"{k}-chunks.db", fixture, partial(_in_chunks, chunks))
        there.append(packing + taking)
    print(f"a random game of Kuhn poker: {bare * 1e6:.0f} µs")
    for words, cost in (("one process", min(here)), ("worker processes", min(there))):
        share = f"{cost * 1000:.2%} of a processor at 1,000 games a second"
        print(f"scheduling, counting and storing in {words}: {cost * 1e6:.1f} µs a game, {share}")


def _booked(file: Path, fixture: Fixture, play: Callable[[Ledger], None]) -> float:
    """CPU seconds a game, storing and the result included."""
    with Store(file) as store, Writer(store.match(fixture.ask(seed=1))) as writer:
        began = cpu()
        ledger = fixture.ledger(1, writer=writer)
        play(ledger)
        ledger.close()
        return (cpu() - began) / SHORT


def _one_by_one(records: list[GameRecord], ledger: Ledger) -> None:
    for record in records:
        task = ledger.hand_out(0.0, 1)
        assert task is not None
        ledger.take(task, record)
        ledger.report()


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
