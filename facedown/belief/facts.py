"""Inference over facts, for games whose worlds are too many to list: equation 2, fact by fact.

The paper that has the equation (Cowling, Whitehouse and Powley 2015) needs a list of all worlds,
and leaves "bucketing" for later. Here worlds that share a fact are a bucket: that another holds the
king, say. Worlds are drawn for a decision, the search counts in which of them a move was made, and
what it comes to for each fact is carried to the worlds of the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from facedown.belief.belief import Belief, Counts, Shares, Wanted
from facedown.belief.dealt import Dealt
from facedown.belief.pool import Pool
from facedown.core import PUBLIC, Game, Position

MOST_DRAWS = 200
"""Worlds that are drawn for a decision: the facts of each are read, and every observation is looked
up for each of them."""

_PUBLIC_LABELS = 1 << 32  # where those of the public begin: a search counts both viewers' worlds


class FactBelief(Belief):
    """Worlds of the game's own rule, weighed by how likely their hidden facts were found to be.

    `odds_of` has by fact (`Position.hidden_facts`, text) how many times as likely it is as the rule
    alone says, by the moves that were seen; a world weighs the product over its facts, as if they
    were independent. A fact is to mean the same at every decision. Where a world has one fact, as
    in Leduc poker, this is what a list of all worlds would learn, but for which worlds are drawn.
    Where a game has no words for what is hidden nothing is learnt.
    """

    learns = True

    def __init__(
        self,
        game: Game,
        viewer: int,
        seed: int = 0,
        variant: str | None = None,
        draws: int = MOST_DRAWS,
    ) -> None:
        super().__init__(game, viewer, seed)
        self.draws = min(draws, MOST_DRAWS)
        self.odds_of: dict[str, float] = {}
        self._dealt = Dealt(game, viewer, seed, variant)
        self._facts: list[str] = []
        self._holds = np.zeros((0, 0))  # [worlds, facts]: 1 where a fact holds in a world
        self._before = self._shares = np.zeros(0)
        self._counts: Counts | None = None

    @property
    def labels(self) -> Sequence[int]:
        first = _PUBLIC_LABELS if self.viewer == PUBLIC else 0
        return range(first, first + len(self._holds))

    def observe(self, token: int) -> None:
        """Learn from what the last search had counted for this observation."""
        if self._counts is not None:
            self.update(self._counts.see(token), float(self._counts.root.sum()))

    def expect(self, counts: Counts) -> None:
        self._counts = counts

    def update(self, counts: Shares, iterations: float) -> None:
        """Equation 2, summed over the worlds in which a fact holds (see `ListedBelief.update`)."""
        n = float(counts.sum())
        if not 0 < n < iterations:
            return
        weight = n / iterations
        self._shares = (1 - weight) * self._shares + weight * (counts @ self._holds) / n

    def pool(self, view: Position, wanted: Wanted) -> Pool:
        """Worlds drawn anew, by what was learnt of their facts until now."""
        self._settle()
        draws = self.draws if wanted.samples is None else wanted.samples
        worlds = list(self._dealt.draws(view, wanted, draws))
        told = [world.hidden_facts(self.viewer) for world in worlds]
        self._facts = sorted({fact for facts in told for fact in facts})
        place = {fact: k for k, fact in enumerate(self._facts)}
        self._holds = np.zeros((len(worlds), len(self._facts)))
        for row, facts in zip(self._holds, told, strict=True):
            row[[place[fact] for fact in facts]] = 1.0
        weights = self._weights()
        self._before = self._shares = weights @ self._holds
        return Pool(worlds, weights.tolist(), list(self.labels))

    def _weights(self) -> Shares:
        """The shares of worlds by the odds of their facts."""
        odds = np.array([self.odds_of.get(fact, 1.0) for fact in self._facts])
        logs = self._holds @ np.log(odds)
        weights: Shares = np.exp(logs - logs.max(initial=-np.inf))
        weights /= weights.sum()
        return weights

    def _settle(self) -> None:
        """Carry what was learnt since the last worlds were drawn over to the next."""
        for k in np.flatnonzero(self._shares != self._before):
            fact, ratio = self._facts[k], self._shares[k] / self._before[k]
            self.odds_of[fact] = self.odds_of.get(fact, 1.0) * max(float(ratio), _LEAST)
        self._before, self._counts = self._shares, None

    def summary(self) -> dict[str, Any]:
        """The odds of facts by which the last worlds were weighed, to four digits."""
        return {"facts": {fact: float(f"{odds:.4g}") for fact, odds in self.odds_of.items()}}


_LEAST = 1e-6
"""What one decision may at least leave of a fact's odds: none that is possible is ruled out."""
