"""Foreseen replies: how likely another player answers a move of the searcher's with a certain one.

A model may know better than the tree what another player does next: that a claim is called, say.
Then the first decision of another player after the searcher's first is that move with the
probability foreseen, in the tree and beyond it, and otherwise one of the others, chosen as the
search chooses among those. All that comes later is the search's own.
"""

from __future__ import annotations

import numpy as np

from facedown.core.constants import CHANCE
from facedown.core.jit import jit
from facedown.core.records import array
from facedown.core.streams import uniform
from facedown.search.desk import (
    ALL_MOVES,
    AWAITED,
    FORESEEN,
    FORETOLD,
    ME,
    MOVES,
    OTHERWISE,
    REPLY,
    REPLY_SHARES,
    REPLYING,
    RNG,
    SETTLED,
    UNASKED,
    open_desk,
    open_reals,
)
from facedown.search.steps import legal_here


@jit
def begin_reply(desk: int) -> None:
    """At the root: the searcher's first move decides whether a reply is awaited at all."""
    d = open_desk(desk)
    d[REPLYING] = UNASKED if d[REPLY_SHARES] != 0 else SETTLED


@jit
def draw_reply(desk: int, player: int) -> None:
    """Where another player decides, draw whether the reply comes that is awaited.

    Nothing is drawn where it is not legal, or nothing else is.
    """
    d = open_desk(desk)
    if player == CHANCE or player == d[ME]:
        return
    n = legal_here(desk)
    moves, found = array(d[MOVES], n, np.int32), False
    for j in range(n):
        found = found or moves[j] == d[REPLY]
    if not found or n == 1:
        d[REPLYING] = SETTLED
    elif uniform(d[RNG]) < open_reals(desk)[FORESEEN]:
        d[REPLYING] = FORETOLD
    else:
        d[REPLYING] = OTHERWISE


@jit
def note_reply(desk: int, player: int, move: int) -> None:
    """After a move: await a reply to the searcher's first where one is foreseen; or it has come."""
    d = open_desk(desk)
    if d[REPLYING] > AWAITED:
        d[REPLYING] = SETTLED
    elif d[REPLYING] == UNASKED and player == d[ME]:
        share = array(d[REPLY_SHARES], d[ALL_MOVES], np.float64)[move]
        open_reals(desk)[FORESEEN] = share
        d[REPLYING] = AWAITED if share >= 0.0 else SETTLED
