"""Games that are ready to be played: loaded once, and compiled beside the tables."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import TypeVar

from facedown.agents.registry import make_agent
from facedown.arena.ahead import Ahead
from facedown.core import FacedownError, Game, SpecError
from facedown.core.jit import NotCompiledError, from_disk_only
from facedown.core.machine import cores
from facedown.core.shipped import Lineup
from facedown.games.registry import load_game

K = TypeVar("K")
V = TypeVar("V")

MOST_KEPT = 200
"""Games, and pairs of game and agent, that are kept: visitors may ask for any number."""


class Ready:
    """The games of a server, and what searches of them enter. From any thread.

    Who wants a game waits for nobody who wants another. Nothing is compiled in this process: that
    would hold up all tables for a minute. A process beside it does, and what it made is loaded.
    """

    def __init__(self) -> None:
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._agents: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._wanted: dict[object, threading.Lock] = {}
        self._lock, self._beside = threading.Lock(), threading.Semaphore(max(1, cores()))
        self._running: set[Ahead] = set()
        self._closed = False

    def load(self, spec: str, *, patient: bool = False) -> Game:
        """A game; `patient` where nobody waits for it. SpecError where it is none."""
        return self._once(self._games, spec, lambda: load_game(spec), (spec, ()), patient)

    def enter(self, game: str, agent: str, *, patient: bool = False) -> None:
        """Have what an agent's search of a game enters; SpecError where it cannot play it."""
        loaded = self.load(game, patient=patient)

        def make() -> None:
            make_agent(agent, loaded, 0, seed=0)

        self._once(self._agents, (game, agent), make, (game, (agent,)), patient)

    def warm_up(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Have games ready, and agents' searches of them, before anybody asks for them."""
        for game, agent in pairs:
            if self._closed:
                return
            try:
                self.enter(game, agent, patient=True)
            except FacedownError:
                continue  # whoever plays it is told

    def close(self) -> None:
        """End what is being compiled."""
        with self._lock:
            self._closed, running = True, list(self._running)
        for one in running:
            one.kill()

    def _once(
        self, kept: OrderedDict[K, V], key: K, make: Callable[[], V], step: Lineup, patient: bool
    ) -> V:
        """What was made of this key before, or is made now by whoever comes first."""
        with self._lock:
            if key in kept:
                kept.move_to_end(key)
                return kept[key]
            own = self._wanted.setdefault(key, threading.Lock())
        with own:
            with self._lock:
                if key in kept:
                    return kept[key]
            try:
                made = self._made(make, step, patient)
            finally:
                with self._lock:
                    self._wanted.pop(key, None)
            with self._lock:
                kept[key] = made
                while len(kept) > MOST_KEPT:
                    kept.popitem(last=False)
        return made

    def _made(self, make: Callable[[], V], step: Lineup, patient: bool) -> V:
        try:
            with from_disk_only():
                return make()
        except NotCompiledError:
            self._compile(step, patient)
        return make()  # what could not be compiled there says why here

    def _compile(self, step: Lineup, patient: bool) -> None:
        """Have a step readied by a process; SpecError where the server ends meanwhile."""
        with self._beside:
            with self._lock:
                ahead = None if self._closed else Ahead([step], wanted=True, patient=patient)
                if ahead is not None:
                    self._running.add(ahead)
            if ahead is not None:
                ahead.wait(step)
                with self._lock:
                    self._running.discard(ahead)
                ahead.close()
        if self._closed:
            raise SpecError("the server is being ended")
