"""A bandit of your own: a score from a move's statistics; the search plays the highest."""

import math

from facedown.search.bandits import Statistics


def greedy(move: Statistics) -> float:
    """The best mean so far, with little left for exploration."""
    if move.visits == 0.0:
        return math.inf
    return move.mean + move.c / (1.0 + move.visits)
