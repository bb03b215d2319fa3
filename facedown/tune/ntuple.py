"""A model of how good places of a space are: the N-tuple system of NTBEA (Lucas, Liu and
Perez-Liebana 2018).

For every single dimension, every pair and all of them together there is a table: what was measured
at places that share these values, and how often. A place is worth the mean of what its tables say;
where they have seen little there is more to find (UCB).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from facedown.tune.space import Point

_SOME = 0.5  # added to counts, so that what was never seen has a bound


@dataclass
class Cell:
    """What was measured under some values: its mean, by weight."""

    weight: float = 0.0
    total: float = 0.0

    @property
    def mean(self) -> float:
        """The mean; 0 of nothing."""
        return self.total / self.weight if self.weight else 0.0


Key = tuple[tuple[int, int], ...]
"""Dimensions with their values."""


@dataclass
class Model:
    """The tables of all tuples of some lengths, in a space of so many dimensions."""

    dimensions: int
    cells: dict[Key, Cell] = field(default_factory=dict)
    weight: float = 0.0
    squares: float = 0.0
    total: float = 0.0

    def _keys(self, point: Point) -> Iterator[Key]:
        lengths = {1, 2, self.dimensions} & set(range(1, self.dimensions + 1))
        for length in sorted(lengths):
            for places in combinations(range(self.dimensions), length):
                yield tuple((k, point[k]) for k in places)

    def add(self, point: Point, score: float, weight: float) -> None:
        """A measurement at a place: a mean score, of so many games."""
        for key in self._keys(point):
            cell = self.cells.setdefault(key, Cell())
            cell.weight += weight
            cell.total += weight * score
        self.weight += weight
        self.total += weight * score
        self.squares += weight * score * score

    @property
    def spread(self) -> float:
        """The standard deviation of what was measured."""
        if not self.weight:
            return 1.0
        mean = self.total / self.weight
        return math.sqrt(max(self.squares / self.weight - mean * mean, 1e-12))

    def mean(self, point: Point) -> float:
        """What a place is worth: the mean of its tables that have seen anything."""
        seen = [one for key in self._keys(point) if (one := self.cells.get(key)) and one.weight]
        return sum(one.mean for one in seen) / len(seen) if seen else 0.0

    def bound(self, point: Point, explore: float) -> float:
        """The mean, and more where little was seen."""
        keys = list(self._keys(point))
        counts = [self.cells[key].weight if key in self.cells else 0.0 for key in keys]
        log = math.log(1.0 + self.weight)
        more = sum(math.sqrt(log / (count + _SOME)) for count in counts) / len(keys)
        return self.mean(point) + explore * self.spread * more

    def single(self, dimension: int, value: int) -> Cell:
        """What was measured under one value of one dimension."""
        return self.cells.get(((dimension, value),), Cell())
