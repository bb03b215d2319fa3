"""Games of random moves from the root to the end, counted in compiled code: no tree."""

from __future__ import annotations

import numpy as np
from numba import types

from facedown.core.jit import jit, kernel
from facedown.core.records import array
from facedown.search.desk import (
    ALARMED,
    CONTROL,
    DONE,
    ENDLESS,
    LEFT,
    PAYOFFS,
    PLAYERS,
    REPLYING,
    SETTLED,
    STOPPED,
    open_desk,
)
from facedown.search.kernel import alarmed, simulate
from facedown.search.steps import place_world

WINS, SHARED, PAID, SQUARES = range(4)
"""The rows of a tally [4, players]: sole wins, shared ones, payoffs, their squares."""

TIE = 1e-9
"""Payoffs that differ by less are equal."""


@jit
def count(desk: int, tally: int) -> None:
    """Add the payoffs of a finished game to the tally."""
    d = open_desk(desk)
    players = d[PLAYERS]
    paid = array(d[PAYOFFS], players, np.float64)
    rows = array(tally, 4 * players, np.float64)
    top, first = paid[0], 0
    for p in range(players):
        top = max(top, paid[p])
    for p in range(players):
        if paid[p] >= top - TIE:
            first += 1
    for p in range(players):
        if paid[p] >= top - TIE:
            rows[(WINS if first == 1 else SHARED) * players + p] += 1.0
        rows[PAID * players + p] += paid[p]
        rows[SQUARES * players + p] += paid[p] * paid[p]


@kernel(types.int64(types.intp, types.int64, types.intp), "search")
def play_out(desk: int, games: int, tally: int) -> int:
    """Play so many games from the root by the recipe's playout; says how it ended."""
    d = open_desk(desk)
    control = array(d[CONTROL], 1, np.int64)
    for _ in range(games):
        if control[0] != 0:
            return STOPPED
        label = place_world(desk)
        d[LEFT] = d[PLAYERS]  # everyone is out of the tree from the first move on
        d[REPLYING] = SETTLED
        if simulate(desk, label) < 0:
            return ENDLESS
        if alarmed(desk):
            return ALARMED
        count(desk, tally)
    return DONE
