"""A bandit of your own: a score from a move's statistics; the search plays the highest."""

import math


def greedy(
    visits: float,
    mean: float,
    variance: float,
    available: float,
    log_available: float,
    total: float,
    prior: float,
    c: float,
) -> float:
    """The best mean so far, with little left for exploration."""
    if visits == 0.0:
        return math.inf
    return mean + c / (1.0 + visits)
