"""Worlds that are at hand before a search begins, with weights and labels."""

from __future__ import annotations

import weakref
from collections.abc import Sequence

import numpy as np

from facedown.core import Position
from facedown.core.game import Game
from facedown.core.records import Record, address_of, aligned


class Pool:
    """Copies of positions in one block of memory, as the kernel wants them.

    `weights` decide how often a world is drawn, `labels` which root it belongs to; by default all
    weigh the same and each world is its own label. `views`: they are no worlds yet, but views, from
    which the search draws a new world for every iteration (`determinize`).
    """

    def __init__(
        self,
        positions: Sequence[Position],
        weights: Sequence[float] | None = None,
        labels: Sequence[int] | None = None,
        *,
        views: bool = False,
    ) -> None:
        self.views = views
        self.game: Game = positions[0].game
        self.block = aligned(len(positions), self.game.rules.size)
        self._start, self._stride = address_of(self.block), int(self.block.shape[1])
        for k, position in enumerate(positions):
            self.game.rules.copy(self.address(k), position.address)
            if not self.game.compiled:  # whose objects would stay
                weakref.finalize(self, self.game.rules.release, self.address(k))
        self.weights = np.array(weights if weights is not None else [1.0] * len(positions))
        if (self.weights < 0).any() or not self.weights.sum() > 0:
            raise ValueError("weights of worlds are not negative, and not all 0")
        self.cumulative = np.cumsum(self.weights)
        self.labels = np.array(labels if labels is not None else range(len(positions)), np.uint64)

    def __len__(self) -> int:
        return len(self.block)

    def address(self, k: int) -> int:
        """Where the k-th world lies."""
        return self._start + k * self._stride

    @property
    def records(self) -> Record:
        """All worlds as one array of records, of a game with compiled rules, as they lie here."""
        kind = self.game.definition.State
        found: Record = self.block[:, : kind.itemsize].view(kind)[:, 0]
        return found

    def position(self, k: int) -> Position:
        """A copy of the k-th world."""
        world = Position(self.game)
        self.game.rules.copy(world.address, self.address(k))
        return world
