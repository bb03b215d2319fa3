"""One test of frequencies, strict enough never to accuse an honest game."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import TypeVar

K = TypeVar("K", bound=Hashable)

_LEAST_EXPECTED = 10.0  # smaller cells are put together: chi-squared is wrong for them


def chi_squared(counts: Mapping[K, int], expected: Mapping[K, float]) -> tuple[float, int]:
    """Pearson's statistic and its degrees of freedom, with small cells put together.

    `expected` are probabilities that sum to 1; what is counted but not expected is left out.
    """
    total = sum(counts.get(key, 0) for key in expected)
    cells: list[tuple[float, float]] = []
    rest_seen = rest_due = 0.0
    for key, chance in expected.items():
        seen, due = float(counts.get(key, 0)), chance * total
        if due >= _LEAST_EXPECTED:
            cells.append((seen, due))
        else:
            rest_seen, rest_due = rest_seen + seen, rest_due + due
    if rest_due >= _LEAST_EXPECTED or not cells:
        cells.append((rest_seen, rest_due))
    elif rest_due > 0:
        seen, due = cells.pop()
        cells.append((seen + rest_seen, due + rest_due))
    statistic = sum((seen - due) ** 2 / due for seen, due in cells if due > 0)
    return statistic, max(0, len(cells) - 1)


def tail(statistic: float, freedom: int) -> float:
    """The probability of a chi-squared statistic at least this large."""
    from scipy.special import gammaincc  # scipy.stats would take seconds to import

    return float(gammaincc(freedom / 2, statistic / 2)) if freedom > 0 else 1.0


def fits(counts: Mapping[K, int], expected: Mapping[K, float], threshold: float) -> bool:
    """Whether the counts could come from the expected probabilities."""
    return tail(*chi_squared(counts, expected)) >= threshold


def same_source(one: Mapping[K, int], two: Mapping[K, int]) -> tuple[float, int]:
    """The statistic of two samples that may have one distribution, and its degrees of freedom.

    Cells that both samples together hardly fill are put together.
    """
    n, m = sum(one.values()), sum(two.values())
    cells: list[tuple[int, int]] = []
    rest = [0, 0]
    for key in {**one, **two}:
        a, b = one.get(key, 0), two.get(key, 0)
        if a + b >= 2 * _LEAST_EXPECTED:
            cells.append((a, b))
        else:
            rest = [rest[0] + a, rest[1] + b]
    if sum(rest) >= 2 * _LEAST_EXPECTED:
        cells.append((rest[0], rest[1]))
    up, down = (m / n) ** 0.5, (n / m) ** 0.5
    statistic = sum((up * a - down * b) ** 2 / (a + b) for a, b in cells)
    return statistic, max(0, len(cells) - 1)


def surprise(share: float, expected: float, n: int) -> float:
    """An upper bound on the probability that `n` trials give a share so far from what is expected.

    Chernoff's, by the divergence of two coins; valid for every `n`, ends included.

    >>> surprise(0.5, 0.5, 100) == 1.0 and surprise(1.0, 0.5, 100) < 1e-29
    True
    """
    if not 0.0 <= expected <= 1.0 or n == 0:
        return 1.0
    divergence = 0.0
    for p, q in ((share, expected), (1.0 - share, 1.0 - expected)):
        if p > 0.0:
            if q <= 0.0:
                return 0.0
            divergence += p * math.log(p / q)
    return min(1.0, 2.0 * math.exp(-min(700.0, n * divergence)))
