"""Policies over the kinds of moves, as compiled code asks them.

A policy says how likely each kind is to be chosen where just these kinds are legal. It knows some
sets of legal kinds, each with a row of shares, and has one more row for all other sets, to be taken
over the kinds that are legal. The sets lie in a hash table under their bits; `search.preferences`
makes the tables.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core.jit import jit
from facedown.core.records import array, view
from facedown.core.sets import lowest
from facedown.core.streams import mix, uniform

MOST_KINDS = 63
"""Kinds are numbered from 0; a set of them is a word whose sign bit stays clear."""

Policy = np.dtype(
    [("kinds", np.int64), ("slots", np.int64), ("sets", np.int64), ("shares", np.int64)]
)
"""How many kinds; slots of the hash table, a power of 2; addresses of its sets, uint64 [slots], 0
where a slot is free, and of the shares, float64 [slots + 1, kinds], the last row for other sets."""


@jit
def place_of(legal: int, slots: int) -> int:
    """Where the search for a set of kinds begins in a hash table of so many slots."""
    return np.int64(mix(np.uint64(legal), np.uint64(0)) >> np.uint64(20)) & (slots - 1)  # type: ignore[return-value]


@jit
def row_of(policy: int, legal: int) -> int:
    """The row of shares for the set `legal` of kinds: its own, or that of all other sets."""
    p = view(policy, Policy)
    sets, wanted = array(p["sets"], p["slots"], np.uint64), np.uint64(legal)
    place = place_of(legal, p["slots"])
    while sets[place] != np.uint64(0):
        if sets[place] == wanted:
            return place
        place = (place + 1) & (p["slots"] - 1)
    return p["slots"]  # type: ignore[no-any-return]


@jit
def fill_shares(policy: int, legal: int, out: Any) -> None:
    """Fill `out` [kinds] with how likely each kind is where `legal` are; the others are 0."""
    p = view(policy, Policy)
    kinds = p["kinds"]
    row = array(p["shares"] + 8 * kinds * row_of(policy, legal), kinds, np.float64)
    total: float = 0.0
    left: Any = np.int64(legal)
    for k in range(kinds):
        out[k] = 0.0
    while left != 0:
        k = lowest(left)
        out[k] = row[k]
        total += row[k]
        left &= left - 1
    left = np.int64(legal)
    while left != 0:
        k = lowest(left)
        out[k] /= total
        left &= left - 1


@jit
def draw_kind(policy: int, legal: int, rng: int) -> int:
    """A kind of the set `legal`, which is not empty, drawn as the policy has it.

    Nothing is drawn where one kind alone is legal.
    """
    left: Any = np.int64(legal)
    k = lowest(left)
    if left & (left - 1) == 0:
        return k
    p = view(policy, Policy)
    kinds = p["kinds"]
    row = array(p["shares"] + 8 * kinds * row_of(policy, legal), kinds, np.float64)
    total = 0.0
    while left != 0:
        total += row[lowest(left)]
        left &= left - 1
    point, left = uniform(rng) * total, np.int64(legal)
    while left != 0:
        k = lowest(left)
        point -= row[k]
        if point < 0.0:
            return k
        left &= left - 1
    return k  # rounding ate the last of it; every share is more than 0
