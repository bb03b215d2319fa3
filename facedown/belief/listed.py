"""A belief over worlds that a game can list (the rule `world`)."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

from facedown.belief.belief import Belief, Counts, Marginals, Shares, Wanted, ranked
from facedown.belief.pool import Pool
from facedown.core import Game, Position, RuleError, SpecError


class ListedBelief(Belief):
    """How likely a viewer, a player or PUBLIC, holds each of the game's worlds.

    `shares` [worlds] are never negative, never all 0, and sum to 1. Before the first `meet` nothing
    is known, and every world is as likely. `infers`: it learns from what the last search counted
    for each observation; else every world that is possible stays as likely as any other.
    """

    def __init__(self, game: Game, viewer: int, *, infers: bool = True) -> None:
        if not game.worlds:
            raise SpecError(f"{game.name} has no rule 'world', so nobody can list its worlds")
        super().__init__(game, viewer)
        self.learns = infers
        self.shares: Shares = np.full(game.worlds, 1.0 / game.worlds)
        self._met = False
        self._counts: Counts | None = None

    def observe(self, token: int) -> None:
        """Learn from what the last search had counted for this observation."""
        if self._counts is not None:
            self.update(self._counts.see(token), float(self._counts.root.sum()))

    def expect(self, counts: Counts) -> None:
        self._counts = counts

    def pool(self, view: Position, wanted: Wanted) -> Pool:
        """The worlds that are left, by their shares; a label is the number in the list."""
        if not self.learns:
            self.forget()
        return self.meet(view)

    def marginals(self, view: Position, wanted: Wanted) -> Marginals:
        """What the worlds hold, by their shares as they are; nothing is ruled out by asking."""
        found: dict[str, float] = defaultdict(float)
        total = 0.0
        for k in self.shares.nonzero()[0].tolist():
            world = view.copy()
            if world.world(self.viewer, k) > 0:
                total += float(self.shares[k])
                for fact in world.hidden_facts(self.viewer):
                    found[fact] += float(self.shares[k])
        return ranked(found, total) if total else []

    def summary(self) -> dict[str, Any]:
        """The shares in the order of the list, to four digits each: none that was not 0 is."""
        return {"belief": [float(f"{share:.4g}") for share in self.shares]}

    def meet(self, view: Position) -> Pool:
        """Rule out what the viewer's view makes impossible; the worlds that are left, by weight.

        At the first view the prior is the game's own. If nothing were left of the belief, it begins
        anew. A world's label is its number in the list.
        """
        worlds = [view.copy() for _ in range(self.game.worlds)]
        weights = np.array([world.world(self.viewer, k) for k, world in enumerate(worlds)])
        if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.any()):
            what = f"world gave the weights {weights.tolist()}; none below 0, not all 0 are wanted"
            raise RuleError(what, rule="world")
        left = np.where(weights > 0, self.shares, 0.0) if self._met else weights
        self._met = True
        if not left.sum() > 0:
            left = weights
        self.shares = left / left.sum()
        possible = np.flatnonzero(self.shares).tolist()
        return Pool([worlds[k] for k in possible], self.shares[possible].tolist(), possible)

    def forget(self) -> None:
        """Hold every world as likely as any other, but for what a later view rules out."""
        self.shares = np.full(self.game.worlds, 1.0 / self.game.worlds)
        self._met = True

    def update(self, counts: Shares, iterations: float) -> None:
        """Learn from a move: equation 2 of Cowling, Whitehouse and Powley (2015).

        phi(d) := (1 - n / N) phi(d) + (n / N) (c(d) / n), where c(d) = `counts` are the iterations
        in world d that came to what was observed, n their sum, and N = `iterations` all those that
        the observer's tree had. A move that was never searched teaches nothing, and neither does
        one that all iterations came to, a forced one of the observer's own, say: whatever the
        world, it would be seen. So n / N < 1, and what was not impossible does not become so.
        """
        n = float(counts.sum())
        if not 0 < n < iterations:
            return
        weight = n / iterations
        learnt = (1 - weight) * self.shares + weight * counts / n
        self.shares = learnt / learnt.sum()
