"""Priors by a network over the traits of moves (Dobre and Lascarides 2018, equation 4).

A move is scored once at a node, when it is first met there; its weight e^(score / temperature) is
kept in a table beside the tree. What is legal in the sampled world is a part of what was met: with
mu the weights are divided by the sum over that part, without it by the sum over all that was met at
the node so far, so that the priors of a world sum to less than 1, as the paper has them.
"""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np
from numba import types

from facedown.core.jit import jit, kernel
from facedown.core.records import address_of, array, lined_up, view
from facedown.core.rules import call_infoset, call_traits, call_turn
from facedown.core.stepping import open_moves, open_numbers
from facedown.core.streams import mix
from facedown.search.recipe import Identity
from facedown.search.sight import NOBODYS, memo_of
from facedown.search.state import Net, Weight, open_nodes, open_state
from facedown.search.tables import find

FULL, SINGLE, MULTI = int(Identity.FULL), int(Identity.SINGLE), int(Identity.MULTI)
OWN_BUCKET = int(Identity.OWN_BUCKET)
UNMET = -1.0
HIGHEST = 50.0
"""Scores are kept within this of 0, so that no weight overflows."""


@jit
def _layer(weights: Any, start: int, n: int, width: int, source: Any, out: Any) -> None:
    """out += source [n] times the weights [n, width] that begin at `start`."""
    for i in range(n):
        x = source[i]
        if x != 0.0:
            row = start + i * width
            for h in range(width):
                out[h] += x * weights[row + h]


@jit
def _rest(net: Any, weights: Any, start: int, here: Any, there: Any) -> float:
    """The score of a move whose first layer is in `here`, before the rectifier."""
    widths = array(net["widths"], net["layers"] + 1, np.int64)
    for k in range(1, net["layers"]):
        n, width = widths[k], widths[k + 1]
        for h in range(width):
            there[h] = weights[start + n * width + h]
        for h in range(n):
            here[h] = max(here[h], 0.0)
        _layer(weights, start, n, width, here, there)
        start += (n + 1) * width
        here, there = there, here
    return here[0]  # type: ignore[no-any-return]


@jit
def score_moves(network: int, n: int) -> None:
    """Put the scores of `n` moves, whose traits were told, into the first places of the traits."""
    net = view(network, Net)
    position, move, widest = net["position"], net["move"], net["widest"]
    width = array(net["widths"], 2, np.int64)[1]
    traits = array(net["traits"], position + n * move, np.float64)
    first = (position + move) * width
    size = array(net["widths"], net["layers"] + 1, np.int64)
    total = 0
    for k in range(net["layers"]):
        total += (size[k] + 1) * size[k + 1]
    weights = array(net["weights"], total, np.float64)
    shared = array(net["work"], widest, np.float64)
    here = array(net["work"] + 8 * widest, widest, np.float64)
    there = array(net["work"] + 16 * widest, widest, np.float64)
    for h in range(width):
        shared[h] = weights[first + h]
    _layer(weights, 0, position, width, traits, shared)  # once for all moves
    for j in range(n):
        for h in range(width):
            here[h] = shared[h]
        own = array(net["traits"] + 8 * (position + j * move), move, np.float64)
        _layer(weights, position * width, move, width, own, here)
        traits[j] = _rest(net, weights, first + width, here, there)


@kernel(types.void(types.intp, types.int64), "search")
def score_all(network: int, n: int) -> None:
    """`score_moves`, for Python."""
    score_moves(network, n)


@jit
def _met_at(state: int, i: int, player: int) -> Any:
    """What tells the moves of node `i` from others', as far as scores go.

    Where a node is not what the viewer of the traits knows, that comes in too.
    """
    s = open_state(state)
    play, identity = s["play"], s["settings"]["identity"]
    key = np.uint64(open_nodes(state)[i]["number"])
    if identity in (FULL, MULTI):
        key = mix(key, call_infoset(state, play["ctx"], play["world"], player))
    return key


@jit
def _score(state: int, asked: int, player: int) -> None:
    """Have the first `asked` of the moves to ask about scored, as the viewer of the node knows."""
    s = open_state(state)
    play, settings, net = s["play"], s["settings"], view(s["scored"]["network"], Net)
    own = settings["identity"] in (SINGLE, OWN_BUCKET)
    viewer = settings["me"] if own else player
    memo = memo_of(state, player) if s["memory"]["kept"] != NOBODYS else 0
    size = net["position"] + asked * net["move"]
    ctx, world = play["ctx"], play["world"]
    call_traits(state, ctx, world, memo, viewer, net["asked"], asked, net["traits"], size)
    score_moves(s["scored"]["network"], asked)


@jit
def _put(state: int, key: Any, weight: float) -> bool:
    """Add to a weight, if there is room for it; whether there was."""
    scored = open_state(state)["scored"]
    table = array(scored["table"], scored["slots"], Weight)
    k = find(table, key)
    if table[k]["key"] == np.uint64(0):
        if (scored["weights"] + 1) * 4 > scored["slots"] * 3:
            return False
        table[k]["key"], table[k]["weight"] = key, 0.0
        scored["weights"] += 1
    table[k]["weight"] += weight
    return True


@jit
def _look_up(state: int, node: Any, n: int) -> int:
    """The weights of the legal moves that were met at a node; how many are to be asked about."""
    s = open_state(state)
    scored, net = s["scored"], view(s["scored"]["network"], Net)
    table = array(scored["table"], scored["slots"], Weight)
    moves, priors = open_moves(state, n), open_numbers(state, n)
    asked, unmet = array(net["asked"], n, np.int32), 0
    for j in range(n):
        entry = table[find(table, mix(node, np.uint64(moves[j] + 1)))]
        priors[j] = UNMET if entry["key"] == np.uint64(0) else entry["weight"]
        if priors[j] == UNMET:
            asked[unmet] = moves[j]
            unmet += 1
    return unmet


@jit
def _by_all_met(state: int, whole: Any, n: int) -> None:
    """Divide the weights by the sum over all that was met at the node, or at least by their own."""
    scored, priors, total = open_state(state)["scored"], open_numbers(state, n), 0.0
    table = array(scored["table"], scored["slots"], Weight)
    for j in range(n):
        total += priors[j]
    total = max(total, table[find(table, whole)]["weight"])
    for j in range(n):
        priors[j] /= total


@jit
def fill_network_priors(state: int, i: int, n: int) -> None:
    """The prior of each legal move at node `i` by the network; without mu they are ready."""
    s = open_state(state)
    play, settings, scored = s["play"], s["settings"], s["scored"]
    player = call_turn(state, play["ctx"], play["world"])
    node = _met_at(state, i, player)
    whole = mix(node, np.uint64(0))
    unmet, moves, priors = _look_up(state, node, n), open_moves(state, n), open_numbers(state, n)
    if unmet > 0:
        _score(state, unmet, player)
        scores, k = array(view(scored["network"], Net)["traits"], unmet, np.float64), 0
        for j in range(n):
            if priors[j] == UNMET:
                score = min(max(scores[k], -HIGHEST), HIGHEST)
                priors[j] = math.exp(score / settings["temperature"])
                if _put(state, mix(node, np.uint64(moves[j] + 1)), priors[j]):
                    _put(state, whole, priors[j])
                k += 1
    if scored["mu"] == 0:
        _by_all_met(state, whole, n)


# --- the table -----------------------------------------------------------------------------------

_WEIGHTS = numba.from_dtype(Weight)[::1]


@kernel(types.void(_WEIGHTS, _WEIGHTS), "search")
def rehash_weights(old: Any, new: Any) -> None:
    """Move every weight into a larger table."""
    for k in range(len(old)):
        if old[k]["key"] != np.uint64(0):
            i = find(new, old[k]["key"])
            new[i]["key"], new[i]["weight"] = old[k]["key"], old[k]["weight"]


class Weights:
    """The weights of the moves that were met, as the state of a thread knows them."""

    def __init__(self, state: Any, limit: int, slots: int = 1 << 12) -> None:
        self.state, self.limit = state, limit
        self.table = lined_up(slots, Weight)
        self._seat()

    def _seat(self) -> None:
        scored = self.state["scored"]
        scored["table"], scored["slots"] = address_of(self.table), len(self.table)

    @property
    def bytes(self) -> int:
        """Memory that they take."""
        return int(self.table.nbytes)

    @property
    def crowded(self) -> bool:
        """Whether the table should grow."""
        return int(self.state["scored"]["weights"]) * 2 > len(self.table)

    def grow(self) -> bool:
        """Double the table; False where the limit forbids it: what is met then is not kept."""
        if 2 * self.table.nbytes > self.limit:
            self.state["scored"]["full"] = 1
            return False
        larger = lined_up(2 * len(self.table), Weight)
        rehash_weights(self.table, larger)
        self.table = larger
        self._seat()
        return True
