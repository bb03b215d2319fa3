"""Matches under a manager with short clocks on a loaded machine: `python benchmarks/clocks.py`.

Our players over HTTP, our referee, rule files of the library in turn: is a move ever illegal, late
or unreadable, or drawn without thought? `--load` processes keep the machine busy meanwhile. Prints
a line a match as it ends, and at the end how often which fault and which note was met.

    python benchmarks/clocks.py --matches 50 --load 2 --agents general so-ismcts
"""

from __future__ import annotations

import argparse
import logging
import multiprocessing
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from facedown.gdl.library import find, names
from facedown.gdl.reader import read_file
from facedown.ggp.player import Player
from facedown.ggp.referee import Referee, Report, Setting
from facedown.ggp.server import PlayerServer


class Notes(logging.Handler):
    """Counts what players warn of, by its beginning."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.counts: Counter[str] = Counter()
        self.last: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        words = record.getMessage().partition(": ")[2] or record.getMessage()
        self.last.append(words)
        self.counts[words[:90]] += 1


def _burn() -> None:
    """Keep a processor busy."""
    while True:
        sum(range(100_000))


@contextmanager
def loaded(processes: int) -> Iterator[None]:
    """So many processes that do nothing but take time."""
    busy = [multiprocessing.Process(target=_burn, daemon=True) for _ in range(processes)]
    for process in busy:
        process.start()
    try:
        yield
    finally:
        for process in busy:
            process.kill()


@contextmanager
def served(spec: str, seed: int) -> Iterator[str]:
    """A player that is ready, over HTTP; where."""
    player = Player(spec, seed)
    try:
        player.ready()
        with PlayerServer("127.0.0.1", 0, player) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield server.url
            server.shutdown()
    finally:
        player.close()


def _urls(roles: int, agents: Sequence[str], k: int) -> list[str]:
    return [agents[(seat + k) % len(agents)] for seat in range(roles)]


def _line(report: Report, took: float, notes: Sequence[str]) -> str:
    faults = [f"{role}: {report.faults(role)}" for role in report.players if report.faults(role)]
    said = "; ".join(notes) if notes else "-"
    slowest = max(asked.seconds for step in report.steps for asked in step.asked.values())
    return (
        f"{report.match:36} {len(report.steps):3} steps {took:6.1f} s, slowest {slowest:.2f} s, "
        f"faults: {', '.join(faults) or '-'}, notes: {said}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--matches", type=int, default=50)
    parser.add_argument("--load", type=int, default=2)
    parser.add_argument("--agents", nargs="+", default=["general", "so-ismcts", "hyperplay"])
    parser.add_argument("--start-clock", type=int, default=5)
    parser.add_argument("--play-clock", type=int, default=2)
    parser.add_argument("--games", nargs="+", default=names())
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    notes, faults, moves = Notes(), Counter[str](), 0
    logging.getLogger("facedown.ggp").addHandler(notes)
    players = [served(spec, asked.seed + k) for k, spec in enumerate(asked.agents)]
    urls = [player.__enter__() for player in players]
    try:
        with loaded(asked.load):
            for k in range(asked.matches):
                path = find(asked.games[k % len(asked.games)])
                roles = [role for role in read_file(path).roles if role != "random"]
                if len(roles) > len(urls):
                    print(f"{path.stem}: {len(roles)} players are wanted")
                    continue
                notes.last, began = [], time.monotonic()
                setting = Setting(asked.start_clock, asked.play_clock, asked.seed + k)
                report = Referee(path, _urls(len(roles), urls, k), setting).play()
                print(_line(report, time.monotonic() - began, notes.last), flush=True)
                for role in roles:
                    faults.update(report.faults(role))
                    moves += len(report.steps)
    finally:
        for player in players:
            player.__exit__(None, None, None)
    print(f"{moves} moves asked for; faults: {dict(faults) or 'none'}")
    for words, count in notes.counts.most_common():
        print(f"{count:5} {words}")


if __name__ == "__main__":
    main()
