"""Games of random moves from the root to the end, counted in compiled code: no tree."""

from __future__ import annotations

import numpy as np
from numba import types

from facedown.core.jit import jit, kernel
from facedown.core.records import array
from facedown.core.stepping import alarmed, open_payoffs
from facedown.search.kernel import simulate
from facedown.search.state import (
    ALARMED,
    DONE,
    ENDLESS,
    SETTLED,
    STOPPED,
    open_control,
    open_state,
)
from facedown.search.steps import place_world

WINS, SHARED, PAID, SQUARES = range(4)
"""The rows of a tally [4, players]: sole wins, shared ones, payoffs, their squares."""

TIE = 1e-9
"""Payoffs that differ by less are equal."""


@jit
def count(state: int, tally: int) -> None:
    """Add the payoffs of a finished game to the tally."""
    paid = open_payoffs(state)
    players = len(paid)
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


@kernel(types.int64(types.intp, types.int64, types.intp), "search", loop=True)
def play_out(state: int, games: int, tally: int) -> int:
    """Play so many games from the root by the recipe's playout; says how it ended."""
    s, control = open_state(state), open_control(state, 1)
    for _ in range(games):
        if control[0] != 0:
            return STOPPED
        label = place_world(state)
        s["now"]["left"] = s["play"]["players"]  # everyone is out of the tree from the first move
        s["reply"]["stage"] = SETTLED
        if simulate(state, label) < 0:
            return ENDLESS
        if alarmed(state):
            return ALARMED
        count(state, tally)
    return DONE
