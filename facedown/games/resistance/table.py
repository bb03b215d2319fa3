"""The numbers of The Resistance: who plays, how many spies, how large the teams."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from facedown.games.resistance import rules
from facedown.games.resistance.crowd import Crowd

FEWEST, MOST = 5, rules.MOST_PLAYERS
SPIES = {5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}
SIZES = {
    5: (2, 3, 2, 3, 3),
    6: (2, 3, 4, 3, 4),
    7: (2, 3, 3, 4, 4),
    8: (3, 4, 4, 5, 5),
    9: (3, 4, 4, 5, 5),
    10: (3, 4, 4, 5, 5),
}


def mask_of(players: tuple[int, ...]) -> int:
    """The players as bits."""
    return sum(1 << player for player in players)


def members(mask: int) -> list[int]:
    """The players of a mask, in order of their seats."""
    return [player for player in range(MOST) if mask >> player & 1]


@dataclass(frozen=True)
class Table:
    """A game for so many players."""

    players: int

    @property
    def spies(self) -> int:
        """How many spies there are."""
        return SPIES[self.players]

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many go on each mission."""
        return SIZES[self.players]

    @property
    def needed(self) -> tuple[int, ...]:
        """How many failures make each mission the spies'."""
        return tuple(2 if k == 3 and self.players >= 7 else 1 for k in range(rules.MISSIONS))

    @property
    def worlds(self) -> int:
        """How many ways there are to deal the roles."""
        return comb(self.players, self.spies)

    @property
    def deal(self) -> int:
        """The number of chance's first move; all teams come before it."""
        return rules.TEAM + (1 << self.players)

    @property
    def configs(self) -> list[int]:
        """The masks of spies, in the order of their seats."""
        return [mask_of(spies) for spies in combinations(range(self.players), self.spies)]

    def context(self, crowd: Crowd | None = None) -> np.ndarray[Any, Any]:
        """What the compiled rules look up, with a model of players if there is one."""
        context = np.zeros(1, rules.Variant)
        v = context[0]
        v["players"], v["everyone"], v["deal"] = self.players, (1 << self.players) - 1, self.deal
        v["worlds"], v["sizes"], v["needed"] = self.worlds, self.sizes, self.needed
        v["configs"][: self.worlds] = self.configs
        masks = sorted(range(1 << self.players), key=lambda mask: (mask.bit_count(), members(mask)))
        v["by_size"][: len(masks)] = masks
        for size in range(1, len(v["first"])):
            v["first"][size] = sum(mask.bit_count() < size for mask in masks)
        v["bits"] = [mask.bit_count() for mask in range(rules.MASKS)]
        v["lowest"][1:] = [members(mask)[0] for mask in range(1, rules.MASKS)]
        for sent in range(MOST + 1):
            v["likely"][sent, : sent + 1] = [comb(sent, f) / 2**sent for f in range(sent + 1)]
        if crowd is not None:
            crowd.put(v)
        return context
