"""A model of how people and programs play The Resistance: as informed playouts, and as evidence.

The model knows *kinds* of players, the crowd as a whole (number 0) and some families. Each is a
network of one hidden layer over the traits of moves, as seen by whoever chooses; a softmax over its
scores is how that kind plays. Beside it a player has a *temper*: so much readier to approve, or
less. A *mind* is a kind and a temper: 1 + kind * TEMPERS + temper, 0 for nobody in particular, and
OWN for one who plays by a network that has learnt to win among them (`learn.schooling`).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from facedown.core import below, jit, pick
from facedown.games.resistance.layout import (
    HIDDEN,
    MASKS,
    MOST_CONFIGS,
    MOVE_TRAITS,
    POSITION_TRAITS,
    TEMPERS,
    VOTING,
)
from facedown.games.resistance.listing import legal
from facedown.games.resistance.traits import traits

list_moves = jit(legal)
tell_traits = jit(traits)

_FIRST = (POSITION_TRAITS + MOVE_TRAITS) * HIDDEN  # offsets of the first layer
_SECOND = _FIRST + HIDDEN  # weights of the second


@jit
def _add(net: Any, start: int, n: int, source: Any, out: Any) -> None:
    """out += `n` numbers of the source times the weights from row `start` on."""
    for i in range(n):
        x = source[i]
        if x != 0.0:
            row = (start + i) * HIDDEN
            for h in range(HIDDEN):
                out[h] += x * net[row + h]


@jit
def score_all(net: Any, told: Any, n: int, scores: Any) -> None:
    """The scores of `n` moves by their traits, as `traits` tells them."""
    shared, here = np.empty(HIDDEN), np.empty(HIDDEN)
    for h in range(HIDDEN):
        shared[h] = net[_FIRST + h]
    _add(net, 0, POSITION_TRAITS, told, shared)
    for j in range(n):
        for h in range(HIDDEN):
            here[h] = shared[h]
        start = POSITION_TRAITS + j * MOVE_TRAITS
        _add(net, POSITION_TRAITS, MOVE_TRAITS, told[start : start + MOVE_TRAITS], here)
        score = 0.0
        for h in range(HIDDEN):
            score += max(here[h], 0.0) * net[_SECOND + h]
        scores[j] = score


@jit
def to_shares(scores: Any, n: int, shift: float, shares: Any) -> None:
    """How likely each of `n` moves is; `shift` is added to the score of the last."""
    highest = scores[n - 1] + shift
    for j in range(n - 1):
        highest = max(highest, scores[j])
    total = 0.0
    for j in range(n):
        shares[j] = math.exp(scores[j] + (shift if j == n - 1 else 0.0) - highest)
        total += shares[j]
    for j in range(n):
        shares[j] /= total


def playout(v: Any, s: Any, rng: int) -> int:
    """How a player of the supposed mind goes on; without a model any legal move."""
    moves = np.empty(MASKS, np.int32)
    n = list_moves(v, s, moves)
    if n == 1:
        return int(moves[0])
    if v["kinds"] == 0:
        return int(moves[below(rng, n)])
    actor = int(s["actor"])
    mind = max(int(s["minds"][actor]) - 1, 0)
    told, scores = np.empty(POSITION_TRAITS + n * MOVE_TRAITS), np.empty(MOST_CONFIGS + MASKS)
    tell_traits(v, s, actor, moves[:n], told)
    score_all(v["nets"][mind // TEMPERS], told, n, scores)
    shift = v["tempers"][mind % TEMPERS] if s["minds"][actor] and s["phase"] == VOTING else 0.0
    to_shares(scores, n, shift, scores)
    return int(moves[pick(rng, scores, n)])
