"""Who would wait how long at a server of tables: measured clicks, worked through in a model.

    python benchmarks/web_queue.py [--clicks 60] [--people 50] [--every 5] [--places 2]

For machines that are not quiet. Each game is played by somebody who clicks at random, against
`best` of 1,000 iterations, and the CPU time of every decision of the opponents is taken. The model
has people, places to search at, a queue in which the longest wait comes first, and searches that
are cut short as `facedown.table.thinkers` says. It is told for decisions as dear as measured, and
twice as dear.
"""

from __future__ import annotations

import argparse
import heapq
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from typing import Any

from facedown.core import Game, Position
from facedown.games.registry import load_game
from facedown.store.records import HUMAN
from facedown.table.person import Person, QuitError
from facedown.table.sitting import Decision, Sitting
from facedown.table.thinkers import PATIENCE, fair

GAMES = ("leduc", "cribbage", "cheat", "resistance", "settlers")
PYTHON = 0.006  # seconds between two decisions of a table, of drawing and telling
LEAST = 0.003  # seconds of the iterations that a search makes before it is cut short
LOOK = 0.01


class Clicker(Person):
    """Somebody who plays any move, as often as the host likes."""

    host: Clocked

    def asked(self, view: Position, legal: Sequence[int]) -> int:
        if self.host.left == 0:
            raise QuitError
        self.host.left -= 1
        self.host.runs.append([])
        return self.host.draw.choice(list(legal))


class Clocked:
    """A host that takes the CPU time of the decisions that follow each click."""

    def __init__(self, clicks: int) -> None:
        self.left, self.draw, self.runs = clicks, random.Random(1), list[list[float]]()

    def person(self, game: Game, player: int, seed: int) -> Clicker:
        made = Clicker(game, player, seed)
        made.host = self
        return made

    @contextmanager
    def thinking(self, agent: Any, player: int) -> Iterator[None]:
        began = time.thread_time()
        yield
        if not isinstance(agent, Clicker) and self.runs:
            self.runs[-1].append(time.thread_time() - began)

    def shown(self, player: int, view: Position, turn: int) -> None:
        view.picture(player)

    def foreseen(self, ahead: Sequence[Any]) -> None: ...
    def decided(self, made: Decision) -> None: ...
    def taken_back(self, left: int) -> None: ...


def measured(name: str, clicks: int) -> list[list[float]]:
    """The decisions after each click, in CPU seconds."""
    game = load_game(name)
    specs = [HUMAN, *["best:iterations=1000"] * (game.players - 1)]
    for host, seeds in ((Clocked(2), (0,)), (Clocked(clicks), range(1, 1000))):  # loads code first
        for seed in seeds:
            try:
                Sitting(game, specs, host, seed=seed).play()
            except QuitError:
                break
    return host.runs


class Model:
    """Fifty people at two places, second by second."""

    def __init__(
        self, runs: Sequence[list[list[float]]], given: Any, dearer: float, cut: bool, seed: int
    ) -> None:
        self.runs, self.given, self.cut, self.draw = runs, given, cut, random.Random(seed)
        self.dearer, self.looking = dearer, False
        self.events: list[tuple[float, int, str, int]] = []
        self.count, self.free = 0, given.places
        self.turns: dict[int, tuple[float, list[float]]] = {}  # since when, and what is to come
        self.held: dict[int, tuple[float, int]] = {}  # since when, and the event of its end
        self.queue: list[tuple[float, int]] = []
        self.waits, self.decisions, self.short = list[float](), 0, 0

    def plan(self, when: float, what: str, who: int) -> int:
        self.count += 1
        heapq.heappush(self.events, (when, self.count, what, who))
        return self.count

    def run(self, seconds: float) -> Model:
        for who in range(self.given.people):
            self.plan(self.draw.random() * self.given.every, "click", who)
        while self.events and self.events[0][0] < seconds:
            now, number, what, who = heapq.heappop(self.events)
            if what == "click":
                run = self.draw.choice(self.runs[who % len(self.runs)])
                self.turns[who] = now, [self.dearer * one for one in run]
                self.plan(now + PYTHON, "wants", who)
            elif what == "wants":
                self.wants(now, who)
            elif what == "ends" and self.held.get(who, (0.0, 0))[1] == number:
                self.ends(now, who)
            self.looking = self.looking and what != "look"
            self.hurry(now)
        return self

    def wants(self, now: float, who: int) -> None:
        since, coming = self.turns[who]
        if not coming:
            self.waits.append(now - since)
            pause = self.given.every * (0.8 + 0.4 * self.draw.random())
            self.plan(now + pause, "click", who)
        elif self.free:
            self.free -= 1
            self.begin(now, who)
        else:
            heapq.heappush(self.queue, (since, who))

    def begin(self, now: float, who: int) -> None:
        self.held[who] = now, self.plan(now + self.turns[who][1].pop(0), "ends", who)

    def ends(self, now: float, who: int) -> None:
        del self.held[who]
        self.decisions += 1
        self.plan(now + PYTHON, "wants", who)
        if self.queue:
            self.begin(now, heapq.heappop(self.queue)[1])
        else:
            self.free += 1

    def hurry(self, now: float) -> None:
        if not self.cut or not self.queue:
            return
        longest = now - self.queue[0][0]
        for who, (began, _) in list(self.held.items()):
            waited = max(longest, began - self.turns[who][0])
            if self.queue and waited >= PATIENCE and now - began >= max(fair(waited), LEAST):
                self.short += 1
                self.ends(now, who)
        if self.queue and not self.looking:
            self.looking = True
            self.plan(now + LOOK, "look", -1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clicks", type=int, default=60)
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--every", type=float, default=5.0)
    parser.add_argument("--places", type=int, default=2)
    given = parser.parse_args()
    found = []
    for name in GAMES:
        runs = measured(name, given.clicks)
        found.append(runs)
        sums = [sum(run) for run in runs]
        print(f"{name:<12} a click {sum(sums) / len(sums):.3f} s, at most {max(sums):.3f} s, "
              f"{sum(map(len, runs)) / len(runs):.1f} decisions")  # fmt: skip
    for dearer, cut in product((1, 2), (False, True)):
        models = [Model(found, given, dearer, cut, seed).run(600.0) for seed in range(3)]
        waits = sorted(wait for model in models for wait in model.waits)
        short = sum(model.short for model in models) / sum(model.decisions for model in models)
        median, most = waits[len(waits) // 2], waits[-1]
        print(f"x{dearer}, {'cut short' if cut else 'never cut'}: waits median {median:.2f} s, "
              f"p99 {waits[int(0.99 * len(waits))]:.2f} s, max {most:.2f} s; "
              f"{short:.1%} of the searches cut")  # fmt: skip


if __name__ == "__main__":
    main()
