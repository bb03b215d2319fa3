"""What the store costs: of a run, to go on with one of a million games, to list and export it.

`python benchmarks/store.py [GAMES]`; a million games unless told otherwise. Times are CPU times of
this process and its children, the least of several, games and storing taken in turn.
"""

from __future__ import annotations

import pickle
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from facedown.arena.match import arrange, keep_match
from facedown.arena.planned import play_planned
from facedown.arena.work import Task, play_task
from facedown.core import SpecError
from facedown.core.files import NewFile
from facedown.store.export import export
from facedown.store.kept import Writer
from facedown.store.store import Store

ROUNDS, SHORT = 5, 10_000
AGENTS = ["random*2"]


def cpu() -> float:
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def overhead(folder: Path) -> None:
    """Scheduling and storing: a kept match against the bare games, in turn."""
    fixture, bare, kept = arrange("kuhn", AGENTS, SHORT), [], []
    plan = fixture.plan(1)
    for k in range(ROUNDS):
        began = cpu()
        for number in range(SHORT):
            play_planned(plan, fixture.game, number)
        bare.append((cpu() - began) / SHORT)
        with Store(folder / f"{k}.db") as store:
            match = store.match(fixture.ask(seed=1))
            began = cpu()
            keep_match(fixture, match)
            kept.append((cpu() - began) / SHORT)
    least, all_ = min(bare), min(kept)
    cost = all_ - least
    print(f"a random game of Kuhn poker: {least * 1e6:.0f} µs bare, {all_ * 1e6:.0f} µs kept")
    print(f"scheduling, counting and storing: {cost * 1e6:.1f} µs a game, {cost / all_:.1%} of it")
    print(f"at 1,000 games a second: {cost * 1000:.1%} of a processor")


def scheduling(folder: Path) -> None:
    """The same where workers play: what they add to a game, and what taking it in costs here."""
    fixture, bare, packed, taken = arrange("kuhn", AGENTS, SHORT), [], [], []
    plan = fixture.plan(1)
    tasks = [Task(plan, range(k, k + 1000)) for k in range(0, SHORT, 1000)]
    for k in range(ROUNDS):
        began = cpu()
        for number in range(SHORT):
            play_planned(plan, fixture.game, number)
        bare.append((cpu() - began) / SHORT)
        began = cpu()
        chunks = [pickle.loads(pickle.dumps(play_task(task))) for task in tasks]
        packed.append((cpu() - began) / SHORT)
        with (
            Store(folder / f"worked-{k}.db") as store,
            Writer(store.match(fixture.ask(seed=1))) as writer,
        ):
            began = cpu()
            ledger = fixture.ledger(1, writer=writer)
            for task, chunk in zip(tasks, chunks, strict=True):
                ledger.adopt(task, chunk)
            ledger.result()
            writer.flush()
            taken.append((cpu() - began) / SHORT)
    cost = min(packed) - min(bare) + min(taken)
    print(
        f"in workers: packing {(min(packed) - min(bare)) * 1e6:.1f} µs a game, taking in "
        f"{min(taken) * 1e6:.1f} µs; at 1,000 games a second {cost * 1000:.1%} of a processor"
    )


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
        scheduling(folder)
        file = folder / "store.db"
        fill(file, games)
        resume(file, games)
        command("results", "list", "--store", str(file))
        exports(file, folder)


if __name__ == "__main__":
    main()
