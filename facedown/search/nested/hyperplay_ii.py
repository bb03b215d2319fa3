"""HyperPlay-II: candidate moves valued by imperfect-information simulations.

Schofield and Thielscher 2019, sections 6.2 to 6.4. `NestedSearch` is the paper's, every move as
often as any other in every model; `SharedSearch` spends its simulations by a bandit.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.core import Game, Stream
from facedown.search.bandits import Statistics, ucb1
from facedown.search.budget import Budget
from facedown.search.nested.sharing import Shared
from facedown.search.nested.simulator import NestedPlayers, Simulator
from facedown.search.report import Candidate, Report

GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
"""Steps of this size around a circle visit all parts of it evenly, however many there are."""

LEAST = 4
"""Simulations that every move has before one of them can be clearly the best."""

Reals = np.ndarray[Any, np.dtype[np.float64]]

MEMORY = 512 << 20
"""Bytes that what nested players share may take."""


@dataclass(frozen=True)
class Believed:
    """The searcher's bag: the moves of each model from the start of the game, and its weight."""

    histories: Sequence[tuple[int, ...]]
    weights: Sequence[float]

    def merged(self) -> Believed:
        """Every history once, with the weight of all models that have it."""
        found: dict[tuple[int, ...], float] = {}
        for history, weight in zip(self.histories, self.weights, strict=True):
            found[history] = found.get(history, 0.0) + weight
        return Believed(list(found), list(found.values()))


class NestedSearch:
    """Equations 20 to 22: every legal move in every model, with so many simulations each.

    Can be run, watched, stopped and resumed like any search. An iteration is one simulation; they
    take all moves in all models in turn, over and over. With `nested.cut` they finish one move
    before the next, and the search ends with a move that has won every simulation. `prune`: a
    simulation that goes deeper than the shortest that was won ends as lost (section 7.3).
    """

    def __init__(
        self,
        game: Game,
        player: int,
        legal: Sequence[int],
        believed: Believed,
        nested: NestedPlayers,
        seed: int,
        shared: Shared | None = None,
        *,
        prune: bool = False,
    ) -> None:
        self.game, self.player, self.legal, self.seed = game, player, list(legal), seed
        self.believed, self._prunes = believed, prune
        self.simulator = Simulator(game, player, nested, seed, shared)
        shape = (len(believed.histories), len(self.legal))
        self.visits, self._lost = np.zeros(shape), np.zeros(shape)  # of each move in each model
        self._total, self._squares = np.zeros(shape), np.zeros(shape)
        self.iterations, self.seconds = 0, 0.0
        self._order = self.order()

    # --- running ---------------------------------------------------------------------------------

    def order(self) -> Iterator[tuple[int, int]]:
        """Which model and which move come next, for as long as there is any use."""
        models, moves = self.visits.shape
        while not self.simulator.nested.cut:
            yield from ((k, a) for k in range(models) for a in range(moves))
        while True:
            for a in range(moves):
                yield from ((k, a) for k in range(models))
                if not self._lost[:, a].any():
                    return

    def run(self, budget: Budget) -> NestedSearch:
        """Simulate on within the budget; returns when it is used up or `stop` is called."""
        began = time.perf_counter()
        clock = None
        if budget.seconds is not None:
            clock = threading.Timer(budget.seconds, self.stop)
            clock.start()
        try:
            self._run(math.inf if budget.iterations is None else budget.iterations)
        finally:
            if clock is not None:
                clock.cancel()
                clock.join()  # it must not stop the next run
            self.simulator.control[0] = 0
            self.seconds += time.perf_counter() - began
        return self

    def _run(self, iterations: float) -> None:
        done = 0
        while done < iterations and not self.simulator.control[0]:
            k, a = next(self._order, (-1, -1))
            if k < 0 or not self._simulate(k, a):
                return
            done += 1

    def _simulate(self, k: int, a: int) -> bool:
        """One simulation of a move in a model; False where it was stopped."""
        simulator, history = self.simulator, self.believed.histories[k]
        if simulator.shared is not None:
            simulator.shared.make_room(MEMORY)
        if not simulator.simulate(history, self.legal[a], self.iterations):
            self._order = self._resumed(k, a, self._order)
            return False
        self.iterations += 1
        self.visits[k, a] += 1
        value = simulator.value
        self._total[k, a] += value
        self._squares[k, a] += value**2
        won = simulator.payoff >= simulator.win
        self._lost[k, a] += not won
        if won and self._prunes:
            simulator.prune(simulator.depth)
        return True

    @staticmethod
    def _resumed(k: int, a: int, order: Iterator[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        yield k, a
        yield from order

    def stop(self) -> None:
        """Have the search stop at once; any thread may call this.

        Where none is running, the next run stops as it begins: a stop is never lost.
        """
        self.simulator.control[0] = 1

    # --- reading ---------------------------------------------------------------------------------

    @property
    def states(self) -> int:
        """States visited by all simulations, by nested players' bags and in their random games."""
        return self.simulator.states

    def values(self) -> tuple[Reals, Reals]:
        """What each move is worth over the models by their weights (equation 21), and its error.

        A model in which a move was not tried yet says nothing, and its weight is left out. The
        variance within a model is taken together with one simulation that was as far off as they
        all are on average: few of them may agree by chance.
        """
        n = np.maximum(self.visits, 1)
        weights = np.asarray(self.believed.weights)[:, None] * (self.visits > 0)
        weights = weights / np.maximum(weights.sum(axis=0), 1e-300)
        within = self._total / n
        means = (weights * within).sum(axis=0)
        low, high = self.game.bounds
        spread = np.maximum((weights * self._squares / n).sum(axis=0) - means**2, 0.0)
        spread += ((high - low) / 2) ** 2 / (self.visits.sum(axis=0) + 1)
        apart = np.maximum(self._squares - n * within**2, 0.0) + spread
        errors = np.sqrt((weights**2 * apart / n**2).sum(axis=0))
        return means, errors

    def report(self) -> Report:
        """What the search has found so far; its plies are the states visited."""
        means, errors = (found.tolist() for found in self.values())
        visits = self.visits.sum(axis=0).tolist()
        candidates = tuple(
            Candidate(move, self.game.move_text(move), n, mean, error, float(self.iterations))
            for move, n, mean, error in zip(self.legal, visits, means, errors, strict=True)
        )
        best = max(candidates, key=lambda one: (one.visits > 0, one.mean))
        shared = self.simulator.shared
        return Report(
            candidates=candidates,
            line=(best.text,),
            iterations=self.iterations,
            seconds=self.seconds,
            nodes=0 if shared is None else shared.known,
            bytes=0 if shared is None else shared.bytes,
            plies=self.simulator.states,
            playout_plies=self.simulator.played,
        )


class SharedSearch(NestedSearch):
    """HyperPlay-II that can be afforded: nested players share, simulations go by a bandit.

    Every next simulation is of the move that UCB1 names, with constant `c` over payoffs scaled to
    [0, 1]. Each move goes through the models in the same order, evenly by their weights, so that
    two moves are compared in the same models. It ends when one move is `sure` standard errors
    ahead of every other. What nested players found is in `shared`, and serves the next decision of
    the game as well.
    """

    def __init__(
        self,
        game: Game,
        player: int,
        legal: Sequence[int],
        believed: Believed,
        nested: NestedPlayers,
        seed: int,
        shared: Shared,
        *,
        prune: bool = False,
        c: float = 0.35,
        sure: float = 3.0,
    ) -> None:
        self.c, self.sure = c, sure
        super().__init__(game, player, legal, believed.merged(), nested, seed, shared, prune=prune)

    def order(self) -> Iterator[tuple[int, int]]:
        cumulative, start = np.cumsum(self.believed.weights), Stream(self.seed).random()
        while not self._decided():
            a = self._named()
            point = (start + GOLDEN * self.visits[:, a].sum()) % 1.0 * cumulative[-1]
            k = int(np.searchsorted(cumulative, point, side="right"))
            yield min(k, len(cumulative) - 1), a

    def _named(self) -> int:
        """The move that the bandit names."""
        visits, (low, high) = self.visits.sum(axis=0), self.game.bounds
        if (visits == 0).any():
            return int(np.argmin(visits))
        means, times = (self.values()[0] - low) / (high - low), float(self.iterations)
        log = math.log(times)
        scores = [
            ucb1(Statistics(n, mean, 0.0, times, log, times, times, log, 0.0, self.c))
            for n, mean in zip(visits.tolist(), means.tolist(), strict=True)
        ]
        return int(np.argmax(scores))

    def _decided(self) -> bool:
        """Whether one move is clearly the best, or has won every simulation (cut on win)."""
        visits = self.visits.sum(axis=0)
        if len(self.legal) == 1 or visits.min() < LEAST:
            return len(self.legal) == 1
        if self.simulator.nested.cut and not self._lost.any(axis=0).all():
            return True
        means, errors = self.values()
        best = int(np.argmax(means))
        ahead = (means[best] - means) >= self.sure * np.hypot(errors, errors[best])
        return int(ahead.sum()) == len(means) - 1
