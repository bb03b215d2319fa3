"""Families that have learnt to play: networks over the traits of moves, trained by their own wins.

Those to learn from (`apprentice`) began as the crowd and went on alone among strangers; those that
are kept out (`selftaught`) began with nothing and had only each other
(`facedown learn resistance --about minds --from lessons:ROUNDS`, or `themselves:ROUNDS`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from facedown.core import jit, pick
from facedown.games.resistance.crowd import load_crowd
from facedown.games.resistance.layout import (
    MASKS,
    MOST_CONFIGS,
    MOVE_TRAITS,
    POSITION_TRAITS,
    VOTING,
)
from facedown.games.resistance.model import list_moves, score_all, tell_traits, to_shares
from facedown.strangers.family import Family

Array = np.ndarray[Any, Any]
_RANGES = ((0, 1), (0.5, 1.6), (-0.8, 0.8))


def nets_of(name: str) -> Array:
    """The networks of a learnt family, a row each."""
    file = Path(__file__).with_name(f"{name}.json")
    return np.ascontiguousarray(list(load_crowd(file).nets.values()))


def family_of(name: str) -> Family:
    """A learnt family: a network, how firmly it plays, how ready it is to approve."""
    return Family(name, "a network that learnt by playing", _RANGES)


@jit
def taught(v: Any, s: Any, player: int, q: Any, rng: int, nets: Any) -> int:
    """By one of the networks, more or less firmly, readier to approve or less."""
    moves = np.empty(MASKS, np.int32)
    n = list_moves(v, s, moves)
    told, scores = np.empty(POSITION_TRAITS + n * MOVE_TRAITS), np.empty(MOST_CONFIGS + MASKS)
    tell_traits(v, s, player, moves[:n], told)
    score_all(nets[int(q[0] * len(nets))], told, n, scores)
    for j in range(n):
        scores[j] *= q[1]
    to_shares(scores, n, q[2] if s["phase"] == VOTING else 0.0, scores)
    return int(moves[pick(rng, scores, n)])
