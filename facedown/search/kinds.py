"""Moves by their kinds: a policy over kinds beyond the tree, and the priors that it gives in it.

Any game that tells the kind of a move (the rule `kind`) can be searched so; where it has the rules
`kinds` and `of_kind` too, only the moves of the kind that was drawn are listed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core.jit import jit
from facedown.core.kinds import MOST_KINDS, fill_shares
from facedown.core.rules import call_kind, call_playout
from facedown.core.sets import lowest
from facedown.core.stepping import open_moves, open_numbers, policy_of, typed_move
from facedown.search.state import open_kind_counts, open_kind_shares, open_state


@jit
def by_policy(state: int) -> int:
    """A player's move by the game's own policy, or by the policy over kinds of moves."""
    play = open_state(state)["play"]
    if play["informed"]:
        return call_playout(state, play["ctx"], play["world"], play["rng"])
    return typed_move(state, play["world"], play["rng"])


@jit
def fill_kind_priors(state: int, n: int) -> None:
    """The prior of each legal move by its kind (Dobre and Lascarides 2018, equation 3).

    P(a) = P(kind) ** (1 / temperature) / N(kind), to be normalised, where N(kind) is the number of
    legal moves of that kind: the temperature is that of the distribution over kinds, as in the
    paper's program, so a kind with a hundred moves gets no more than its share.
    """
    s = open_state(state)
    play, settings = s["play"], s["settings"]
    moves, priors = open_moves(state, n), open_numbers(state, n)
    shares, counts = open_kind_shares(state, MOST_KINDS), open_kind_counts(state, MOST_KINDS)
    legal: Any = np.int64(0)
    for j in range(n):
        kind = call_kind(state, play["ctx"], play["world"], moves[j])
        priors[j] = kind
        member = np.int64(1) << np.int64(kind)
        counts[kind] = counts[kind] + 1 if legal & member else 1
        legal |= member
    fill_shares(policy_of(state, settings["kind_priors"], play["world"]), legal, shares)
    left: Any = legal
    while left != 0:
        kind = lowest(left)
        shares[kind] = shares[kind] ** (1.0 / settings["temperature"]) / counts[kind]
        left &= left - 1
    for j in range(n):
        priors[j] = shares[np.int64(priors[j])]
