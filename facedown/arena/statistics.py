"""How sure a result is: intervals and tests, over games or over deals.

Several games of one deal are no independent trials: the luck of the cards is common to them. So
errors of means come from deals: with scores `x_d` summed over the `n_d` appearances in deal `d` and
the mean `m = sum x / sum n`, the squared error is `D / (D - 1) * sum (x_d - m n_d)^2 / (sum n)^2`.
Where all deals have the same number of games, that is the usual error of the mean of the deals'
means. Where every game has a deal of its own, it is the usual error over games.

Intervals of a win rate, which lies between bounds, come from `bounded_interval`: Student's t knows
no bounds, and near them, where most deals are alike, its intervals are far too narrow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

LEVEL = 0.95
_TINY = 1e-12  # an error below this is rounding
NEARER = 0.75  # of the cluster more in `bounded_interval` at the nearer bound: 94 % at worst
_FAR = 6.3  # standard deviations, beyond which lies less than 1 / (1 + 6.3 ** 2) < 0.025

Array = np.ndarray[Any, np.dtype[np.float64]]


def _quadrature(points: int) -> tuple[Array, Array]:
    """Points and weights of the integral from 0 to infinity of f(u) / u, with u = tan(phi)."""
    nodes, weights = special.roots_legendre(points)  # NumPy's takes a second on a busy machine
    u = np.tan((nodes + 1) * (math.pi / 4))
    return u, weights * (math.pi / 4) * (1 + u * u) / u


_POINTS, _WEIGHTS = _quadrature(300)


@dataclass(frozen=True)
class Mean:
    """A mean over `clusters` (deals), with its standard error; None where one alone has none."""

    value: float
    error: float | None
    clusters: int

    @property
    def spread(self) -> bool:
        """Whether the clusters differ at all, so that a t distribution applies."""
        return self.error is not None and self.error > _TINY


def clustered_mean(sums: Sequence[float], counts: Sequence[int]) -> Mean:
    """The mean of all items, with the error of the module's docstring; one entry a cluster.

    >>> clustered_mean([2.0, 0.0], [2, 2])
    Mean(value=0.5, error=0.5, clusters=2)
    """
    x, n = np.asarray(sums, float), np.asarray(counts, float)
    clusters, value = len(x), float(x.sum() / n.sum())
    if clusters < 2:
        return Mean(value, None, clusters)
    squares = float(np.square(x - value * n).sum())
    error = math.sqrt(clusters / (clusters - 1) * squares) / float(n.sum())
    return Mean(value, error if error > _TINY else 0.0, clusters)


def bounded_interval(
    sums: Sequence[float],
    counts: Sequence[float],
    low: float = 0.0,
    high: float = 1.0,
    *,
    often: Sequence[int] | None = None,
) -> tuple[float, float]:
    """The 95 % interval of a mean of items between `low` and `high`; one entry a cluster.

    Clusters that are alike may be one entry that came so `often`.

    Gaffke's bounds (2005; Phan, Thomas and Learned-Miller 2021): the mean under random weights, one
    exponential variable for each cluster and one for a cluster more, which lies at the bound below
    for the lower end of the interval and at the one above for the upper end. Of independent games
    that are won or lost they are those of Clopper and Pearson, and so too wide on average. So the
    cluster more counts, by `NEARER`, for the other bound: with one half that would be the mid-P
    interval, which covers 92 % at worst. `benchmarks/intervals.py` shows what this one covers.

    >>> [round(bound, 3) for bound in bounded_interval([1, 1, 0, 1], [1, 1, 1, 1])]
    [0.213, 0.992]
    >>> bounded_interval([1] * 50, [1] * 50)[1]
    1.0
    """
    if high <= low:
        return low, high
    n = np.asarray(counts, float)
    x = (np.asarray(sums, float) - low * n) / (high - low)
    each = np.ones(len(x)) if often is None else np.asarray(often, float)
    pairs, which = np.unique(np.stack([x, n], axis=1)[each > 0], axis=0, return_inverse=True)
    times: Array = np.bincount(which.ravel(), each[each > 0]).astype(float)
    below = _lower_bound(pairs[:, 0], pairs[:, 1], times)
    above = _lower_bound(pairs[:, 1] - pairs[:, 0], pairs[:, 1], times)
    return low + (high - low) * below, high - (high - low) * above


def _lower_bound(x: Array, n: Array, often: Array) -> float:
    """The lower end of the interval between 0 and 1, of sums and counts that came so often."""
    left, right = 0.0, float((x * often).sum() / (n * often).sum())
    if right <= _TINY:
        return 0.0
    most = float(n.max())
    for _ in range(48):
        mean = (left + right) / 2
        own, weights = x - mean * n, np.append(often, 1)
        chance = NEARER * _chance_below(np.append(own, -mean * most), weights)
        chance += (1 - NEARER) * _chance_below(np.append(own, (1 - mean) * most), weights)
        left, right = (mean, right) if chance < (1 - LEVEL) / 2 else (left, mean)
    return left


def _chance_below(values: Array, often: Array) -> float:
    """How likely a sum of exponential variables times `values`, each so `often`, is below 0.

    By Imhof's integral (1961) of its characteristic function. What Cantelli's inequality shows to
    be less than any level here is taken for 0.
    """
    scale = math.sqrt(float((often * values * values).sum()))
    if scale <= _TINY:
        return 1.0
    scaled = values / scale
    if float((often * scaled).sum()) > _FAR:
        return 0.0
    at = scaled[:, None] * _POINTS
    angle = (often[:, None] * np.arctan(at)).sum(axis=0)
    shrunk = (0.5 * often[:, None] * np.log1p(at * at)).sum(axis=0)
    integral = float((_WEIGHTS * np.sin(angle) * np.exp(-shrunk)).sum())
    return min(max(0.5 - integral / math.pi, 0.0), 1.0)


def wilson(rate: float, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a rate that was measured in `n` trials.

    >>> [round(bound, 4) for bound in wilson(0.5, 10)]
    [0.2366, 0.7634]
    >>> wilson(1.0, 400)[1], wilson(0.0, 400)[0]
    (1.0, 0.0)
    """
    z = float(special.ndtri(0.5 + LEVEL / 2))
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    # at 0 and at 1 the interval reaches the rate itself, which rounding would miss
    low = max(0.0, centre - half) if rate > 0.0 else 0.0
    return low, min(1.0, centre + half) if rate < 1.0 else 1.0


def difference(
    one: tuple[float, float, float], other: tuple[float, float, float]
) -> tuple[float, float, float]:
    """How much larger one rate is than another, independent one, with its 95 % interval.

    Each is given with the bounds of its own 95 % interval, Wilson's say; from those of both comes
    that of the difference (Newcombe 1998, method 10).

    >>> rates = [(rate, *wilson(rate, n)) for rate, n in ((56 / 70, 70), (48 / 80, 80))]
    >>> [round(number, 4) for number in difference(*rates)]
    [0.2, 0.0524, 0.3339]
    """
    gain = one[0] - other[0]
    low = gain - math.hypot(one[0] - one[1], other[2] - other[0])
    high = gain + math.hypot(one[2] - one[0], other[0] - other[1])
    return gain, low, high


def t_interval(mean: Mean) -> tuple[float, float]:
    """The 95 % interval of a mean over clusters that differ, by Student's t."""
    assert mean.error is not None
    half = float(special.stdtrit(mean.clusters - 1, 0.5 + LEVEL / 2)) * mean.error
    return mean.value - half, mean.value + half


def t_test(mean: Mean) -> float:
    """The two-sided p-value of a mean against 0, by Student's t.

    Where the clusters do not differ, t says nothing, and the sign test stands in: that `n` of `n`
    come out on the same side has a chance of 2 / 2**n.
    """
    if mean.error is not None and mean.spread:
        t = abs(mean.value) / mean.error
        return float(2 * special.stdtr(mean.clusters - 1, -t))
    return 1.0 if abs(mean.value) <= _TINY else min(1.0, 2.0 * 0.5**mean.clusters)


def binomial_test(wins: int, trials: int, chance: float) -> float:
    """The exact two-sided p-value of `wins` in `trials`: all outcomes no likelier than this one.

    >>> round(binomial_test(9, 10, 0.5), 6)
    0.021484
    """
    if chance <= 0.0 or chance >= 1.0:
        return 1.0 if wins == trials * chance else 0.0
    k = np.arange(trials + 1)
    log = special.gammaln(trials + 1) - special.gammaln(k + 1) - special.gammaln(trials - k + 1)
    log += k * math.log(chance) + (trials - k) * math.log1p(-chance)
    likely = np.exp(log)
    return min(1.0, float(likely[likely <= likely[wins] * (1 + 1e-7)].sum()))
