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
from facedown.core.stepping import open_moves
from facedown.core.streams import uniform
from facedown.search.state import (
    AWAITED,
    FORETOLD,
    OTHERWISE,
    SETTLED,
    UNASKED,
    open_state,
)
from facedown.search.steps import legal_here


@jit
def begin_reply(state: int) -> None:
    """At the root: the searcher's first move decides whether a reply is awaited at all."""
    reply = open_state(state)["reply"]
    reply["stage"] = UNASKED if reply["shares"] != 0 else SETTLED


@jit
def draw_reply(state: int, player: int) -> None:
    """Where another player decides, draw whether the reply comes that is awaited.

    Nothing is drawn where it is not legal, or nothing else is.
    """
    s = open_state(state)
    reply = s["reply"]
    if player == CHANCE or player == s["settings"]["me"]:
        return
    n = legal_here(state)
    moves, found = open_moves(state, n), False
    for j in range(n):
        found = found or moves[j] == reply["move"]
    if not found or n == 1:
        reply["stage"] = SETTLED
    elif uniform(s["play"]["rng"]) < reply["share"]:
        reply["stage"] = FORETOLD
    else:
        reply["stage"] = OTHERWISE


@jit
def note_reply(state: int, player: int, move: int) -> None:
    """After a move: await a reply to the searcher's first where one is foreseen; or it has come."""
    s = open_state(state)
    reply = s["reply"]
    if reply["stage"] > AWAITED:
        reply["stage"] = SETTLED
    elif reply["stage"] == UNASKED and player == s["settings"]["me"]:
        share = array(reply["shares"], s["play"]["all_moves"], np.float64)[move]
        reply["share"] = share
        reply["stage"] = AWAITED if share >= 0.0 else SETTLED
