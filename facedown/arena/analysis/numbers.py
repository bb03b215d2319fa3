"""A measured number with its interval, and how several games add up to one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from facedown.arena.statistics import bounded_interval, clustered_mean, t_interval


@dataclass(frozen=True)
class Measure:
    """A number, its 95 % interval (its own value where exact), and from how many cases.

    `cases` of an exact measure is 0. None where there was no case, or too few for an interval.
    """

    value: float | None
    low: float | None
    high: float | None
    cases: int

    @classmethod
    def exact(cls, value: float | None) -> Measure:
        """A number that was counted."""
        return cls(value, value, value, 0)


@dataclass
class Tally:
    """What a sampled number was in each random game: sums and counts, for errors over games."""

    bounds: tuple[float, float] | None = (0.0, 1.0)  # that it lies between, where there are any
    sums: list[float] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def add(self, values: Sequence[float]) -> None:
        """The cases of one more game."""
        if values:
            self.sums.append(float(sum(values)))
            self.counts.append(len(values))

    def measure(self) -> Measure:
        """The mean of all cases."""
        if not self.sums:
            return Measure(None, None, None, 0)
        mean, cases = clustered_mean(self.sums, self.counts), sum(self.counts)
        if mean.error is None:
            return Measure(mean.value, None, None, cases)
        if self.bounds is not None:
            interval = bounded_interval(self.sums, self.counts, *self.bounds)
            return Measure(mean.value, *interval, cases)
        if not mean.spread:
            return Measure(mean.value, mean.value, mean.value, cases)
        return Measure(mean.value, *t_interval(mean), cases)
