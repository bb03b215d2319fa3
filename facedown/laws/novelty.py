"""What has been met together: a fault shows where a few things come together, so look there first.

A position holds atoms (`laws.probes`): this card in that hand, this many turns played. Of all pairs
of atoms, as tests by combinations go, every one should be looked at once; a position that has none
but known pairs is as a rule not worth another look. Where pairs run out, threes are looked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from facedown.core import Position
from facedown.laws.probes import Atom, atoms

_MOST_MET = 1_500_000
_MOST_ATOMS = 400  # of one position; of larger ones these are the first by number
_FEW_ATOMS = 40  # of a position that is looked at for threes
_SPAN = 200  # positions over which it is told whether what is new runs out,
_DRY = 0.1  # and the share of them that has something new then,
_ABUNDANT = 0.8  # or where most have

Held = frozenset[int]  # atoms by number


class Novelty:
    """Notes what atoms positions were met with, together."""

    def __init__(self) -> None:
        self.threes = self.abundant = False
        self._numbers: dict[Atom, int] = {}
        self._met: set[int] = set()
        self._noted = self._new = 0

    @property
    def met(self) -> int:
        """How many pairs or threes were met."""
        return len(self._met)

    def of(self, position: Position) -> Held:
        """What a position holds."""
        numbers = self._numbers
        held = [numbers.setdefault(atom, len(numbers)) for atom in atoms(position)]
        return frozenset(held if len(held) <= _MOST_ATOMS else sorted(held)[:_MOST_ATOMS])

    def note(self, here: Held, before: Held) -> bool:
        """Whether something comes together for the first time after a move; it is noted."""
        if len(self._met) >= _MOST_MET:
            self._met.clear()
        known = len(self._met)
        self._met.update(self._together(here, before))
        new = len(self._met) > known
        self._noted, self._new = self._noted + 1, self._new + new
        if self._noted == _SPAN:
            self.threes = self.threes or self._new < _DRY * _SPAN
            self.abundant = self._new > _ABUNDANT * _SPAN
            self._noted = self._new = 0
        return new

    def share(self, here: Held, before: Held) -> float:
        """The share of what comes together after a move that never did; it is not noted."""
        fresh = total = 0
        for key in self._together(here, before):
            total += 1
            fresh += key not in self._met
        return fresh / total if total else 0.0

    def _together(self, here: Held, before: Held) -> Iterator[int]:
        """A number for each pair, or three, of which one was not there before."""
        new = here - before
        if not self.threes or len(here) > _FEW_ATOMS:
            for one in new:
                for other in here:
                    yield (one << 32) | other if one > other else (other << 32) | one
            return
        for one in new:
            for two, three in combinations(sorted(here), 2):
                yield hash((one, two, three))
