"""Families of players: names, and the ranges that their parameters are drawn from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.core import Stream, derive
from facedown.strangers.craft import PARAMETERS

Numbers = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Family:
    """A way of playing: what it is called, what it does, the lowest and highest of each parameter.

    A parameter that chooses among n ways is drawn below n and rounded down.
    """

    name: str
    summary: str
    ranges: tuple[tuple[float, float], ...]

    def player(self, number: int) -> Numbers:
        """The parameters of a player: the same number is always the same player.

        >>> family = Family("bold", "fails at once", ((0.5, 1.0),))
        >>> bool(family.player(3)[0] == family.player(3)[0] != family.player(4)[0])
        True
        """
        stream = Stream(derive(number, "stranger", self.name))
        drawn = np.zeros(PARAMETERS)
        for k, (low, high) in enumerate(self.ranges):
            drawn[k] = low + (high - low) * stream.random()
        return drawn
