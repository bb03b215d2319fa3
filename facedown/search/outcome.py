"""A search by outcome sampling that can be run, stopped, aimed anew, resumed and read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from facedown.belief.pool import Pool
from facedown.core import Game, Position, SpecError
from facedown.core.buffers import Buffers
from facedown.core.jit import Kernel
from facedown.core.records import address_of
from facedown.core.streams import mixed, tagged
from facedown.search.oos import BUFFERS, Worth, sample_outcomes
from facedown.search.recipe import OutcomeSettings, Recipe
from facedown.search.report import Candidate, Report
from facedown.search.search import MEMORY, NOBODY, Search
from facedown.search.tables import Tables
from facedown.search.thread import Thread


class _Sampler:
    """What one thread of a search needs for outcome sampling, put into its state."""

    def __init__(self, game: Game, outcome: OutcomeSettings, thread: Thread) -> None:
        self.tables, self._own = thread.tables, thread.state["sampling"]
        thread.loop = sample_outcomes
        settings, (low, high) = thread.state["settings"], game.bounds
        settings["offset"], settings["scale"] = (low + high) / 2, 1.0  # it decides the variance
        self._own["epsilon"], self._own["delta"] = outcome.epsilon, outcome.delta
        self._buffers = Buffers(BUFFERS, game)
        self._buffers.seat(self._own)
        self.tables.reserve(0, 4 * game.most_moves, 0)  # a node comes with all its edges

    def aim(self, observed: Sequence[int]) -> None:
        """Aim at the information set of these observations; what its moves are worth is forgot."""
        self._target = np.array(observed, np.uint64)  # as long as the state refers to it
        self._own["target"], self._own["target_length"] = address_of(self._target), len(observed)
        self._buffers["worths"][:] = np.zeros((), Worth)

    def worth(self, key: int) -> dict[int, Any]:
        """What each move was worth at the node that is aimed at."""
        node = self.tables.node(key)
        edges = self.tables.edges_of(node)[::-1] if node is not None else []
        return {int(edge["move"]): self._buffers["worths"][k] for k, edge in enumerate(edges)}


class OutcomeSearch(Search):
    """Outcome sampling from the start of the game, aimed at what `player` has observed.

    `root` is the start of the game, `observed` are all tokens of the player's in order, its own
    moves' included: neither a view nor worlds are needed. The recipe has an `outcome` and the
    identity MULTI. With player NOBODY nothing is aimed at.

    The tree is of the whole game: `aim` goes on with it at the player's next decision.
    """

    loop: ClassVar[Kernel] = sample_outcomes

    def __init__(
        self,
        game: Game,
        recipe: Recipe,
        root: Position,
        player: int,
        legal: Sequence[int],
        seed: int,
        *,
        worlds: Pool | None = None,
        threads: int = 1,
        memory: int = MEMORY,
        observed: Sequence[int] = (),
    ) -> None:
        if recipe.outcome is None:
            raise SpecError("outcome sampling needs a recipe with an `outcome`")
        super().__init__(
            game, recipe, root, player, legal, seed, worlds=worlds, threads=threads, memory=memory
        )
        self._samplers = [_Sampler(game, recipe.outcome, thread) for thread in self.threads]
        self.aim(observed, legal)

    def aim(self, observed: Sequence[int], legal: Sequence[int]) -> OutcomeSearch:
        """Turn to another information set of the player's; nobody may be searching meanwhile."""
        self.legal, self.key = list(legal), self.player + 1
        for token in observed:
            self.key = mixed(self.key, token)
        self.key = tagged(self.key, self.player + 1)
        for sampler in self._samplers:
            sampler.aim(observed)
        self._before = self.iterations, self.seconds
        return self

    def report(self) -> Report:
        """What was found; iterations and seconds are those since it was aimed."""
        iterations, seconds = self._before
        whole = super().report()
        return replace(
            whole, iterations=whole.iterations - iterations, seconds=whole.seconds - seconds
        )

    def line(self, tables: Tables | None = None, most: int = 12) -> tuple[str, ...]:
        """Nothing: there is no world at hand in which to follow a line."""
        return ()

    def shares(self, tables: Tables) -> dict[int, float]:
        """The strategy at the information set: the average one.

        Where its sum is 0 (the player never meant to come here) the current one, by regret
        matching; uniform where the tree has nothing to say.
        """
        node = tables.node(self.key)
        edges = tables.edges_of(node) if node is not None else []
        sums = {int(edge["move"]): float(edge["squares"]) for edge in edges}
        if not sum(sums.values()) > 0:
            sums = {int(edge["move"]): max(float(edge["total"]), 0.0) for edge in edges}
        total = sum(sums.get(move, 0.0) for move in self.legal)
        if not total > 0:
            return dict.fromkeys(self.legal, 1 / max(len(self.legal), 1))
        return {move: sums.get(move, 0.0) / total for move in self.legal}

    def candidates(self, tables: Tables) -> tuple[Candidate, ...]:
        """The legal moves: visits of the node, shared by the strategy; payoffs by importance.

        The mean is an estimate of what the move wins at the information set, with the others'
        strategies as they were while it was searched; 0 where it was never tried.
        """
        if self.player == NOBODY:
            return ()
        node = tables.node(self.key)
        visits = int(node["visits"]) if node is not None else 0
        found = [sampler.worth(self.key) for sampler in self._samplers]
        return tuple(
            Candidate(
                move,
                self.game.move_text(move),
                visits * share,
                *_estimate([worth[move] for worth in found if move in worth]),
                visits,
            )
            for move, share in self.shares(tables).items()
        )


def _estimate(tallies: Sequence[Any]) -> tuple[float, float]:
    """Mean and standard error of weighted payoffs (self-normalised importance sampling)."""
    sums = {name: sum(float(tally[name]) for tally in tallies) for name in Worth.names or ()}
    weight = sums["weight"]
    if not weight > 0:
        return 0.0, 0.0
    mean = sums["payoff"] / weight
    spread = sums["square2"] - 2 * mean * sums["payoff2"] + mean * mean * sums["weight2"]
    return mean, max(spread, 0.0) ** 0.5 / weight
