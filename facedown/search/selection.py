"""Which move is played in the tree: the edges of the legal moves, their priors, their scores."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from facedown.core.jit import jit
from facedown.core.rules import call_prior
from facedown.core.stepping import normalize, open_moves, open_numbers
from facedown.core.streams import below, mix, pick, uniform
from facedown.search.bandits import UCB1, UCT, Statistics, score
from facedown.search.kinds import fill_kind_priors
from facedown.search.scored import fill_network_priors
from facedown.search.sight import memo_here
from facedown.search.state import (
    open_edges,
    open_index,
    open_nodes,
    open_slots,
    open_state,
    open_where,
)
from facedown.search.tables import find_edge

FEW = 4  # legal moves that are compared one by one
WALK = 6  # a node with more edges than this, and than legal moves, is looked up in the index
LARGE = 1 << 16  # so is one of so many edges in all: beyond the cache, a list is a chain of waits


@jit
def match_edges(state: int, i: int, n: int, counts: bool) -> int:
    """Find the edge of each of the `n` legal moves, -1 where it is new; how many are not.

    `counts`: the legal ones were available once more.
    """
    width = open_nodes(state)[i]["width"]
    if width > WALK and (width > n or open_state(state)["tree"]["edges"] > LARGE):
        return _look_up(state, i, n, counts)
    return _walk(state, i, n, counts)


@jit
def _look_up(state: int, i: int, n: int, counts: bool) -> int:
    """`match_edges` by the index, for a node with many edges."""
    number = np.int64(open_nodes(state)[i]["number"])
    edges, index = open_edges(state), open_index(state)
    moves, slots = open_moves(state, n), open_slots(state, n)
    mask = len(index) - 1
    for j in range(n):  # all at once, so that their cache misses overlap
        slots[j] = index[np.int64(mix(number, np.int64(moves[j])) >> np.uint64(20)) & mask]
    known = 0
    for j in range(n):
        e = np.int64(slots[j]) - 1
        if e >= 0 and (edges[e]["node"] != number or edges[e]["move"] != moves[j]):
            e = np.int64(index[find_edge(index, edges, number, np.int64(moves[j]))]) - 1
        slots[j] = e
        if e >= 0:
            known += 1
            if counts:
                edges[e]["available"] += 1
    return known


@jit
def _place(moves: Any, n: int, where: Any, move: int) -> int:
    """The place of a move among the `n` legal ones, -1 where it is not legal.

    `where` maps a move's number to its place; what it holds of other moves is stale, and the look
    back at `moves` tells. A few are compared faster one by one.
    """
    if n <= FEW:
        for j in range(n):
            if moves[j] == move:
                return j
        return -1
    place = where[move]
    return place if 0 <= place < n and moves[place] == move else -1


@jit
def _walk(state: int, i: int, n: int, counts: bool) -> int:
    """`match_edges` along the node's list."""
    edges, moves, slots = open_edges(state), open_moves(state, n), open_slots(state, n)
    where = open_where(state, open_state(state)["play"]["all_moves"])
    for j in range(n):
        slots[j] = -1
        if n > FEW:
            where[moves[j]] = j
    known, e = 0, open_nodes(state)[i]["head"]
    while e >= 0:
        j = _place(moves, n, where, edges[e]["move"])
        if j >= 0:
            slots[j] = e
            known += 1
            if counts:
                edges[e]["available"] += 1
        e = edges[e]["next"]
    return known


@jit
def keep_known(state: int, n: int) -> int:
    """Keep of the legal moves only those that have an edge; how many."""
    moves, slots, kept = open_moves(state, n), open_slots(state, n), 0
    for j in range(n):
        if slots[j] >= 0:
            moves[kept], slots[kept] = moves[j], slots[j]
            kept += 1
    return kept


@jit
def untried(state: int, n: int, known: int) -> int:
    """The place of a legal move that has no edge yet, each as likely."""
    slots = open_slots(state, n)
    skip, j = below(open_state(state)["play"]["rng"], n - known), 0
    while slots[j] >= 0 or skip > 0:
        if slots[j] < 0:
            skip -= 1
        j += 1
    return j


@jit
def by_visits(state: int, n: int) -> int:
    """A legal move's place drawn in proportion to visits (the average strategy); any if none."""
    edges, slots, numbers = open_edges(state), open_slots(state, n), open_numbers(state, n)
    rng, total = open_state(state)["play"]["rng"], 0.0
    for j in range(n):
        numbers[j] = float(edges[slots[j]]["visits"]) if slots[j] >= 0 else 0.0
        total += numbers[j]
    return below(rng, n) if total == 0.0 else pick(rng, numbers, n)


@jit
def fill_priors(state: int, i: int, n: int) -> None:
    """The prior of each legal move at node `i`, summing to 1 over what is legal in this world.

    But for a network's without mu, which sum to less.
    """
    s = open_state(state)
    if s["scored"]["network"] != 0:
        fill_network_priors(state, i, n)
        if s["scored"]["mu"] == 0:
            return
    elif s["settings"]["kind_priors"] != 0:
        fill_kind_priors(state, n)
    else:
        play, memo = s["play"], memo_here(state)
        call_prior(state, play["ctx"], play["world"], memo, play["moves"], n, play["numbers"])
    normalize(open_numbers(state, n), n)


@jit
def visits_here(state: int, n: int) -> float:
    """How often the legal moves were played here, together."""
    edges, slots, total = open_edges(state), open_slots(state, n), 0.0
    for j in range(n):
        if slots[j] >= 0:
            total += edges[slots[j]]["visits"]
    return total


@jit
def by_score(state: int, i: int, n: int) -> int:
    """The place of the legal move with the highest score at node `i`; ties broken at random."""
    s = open_state(state)
    edges, slots, priors = open_edges(state), open_slots(state, n), open_numbers(state, n)
    visited = open_nodes(state)[i]["visits"]
    settings, total, share, node_visits = s["settings"], 0.0, 0.0, float(visited)
    c, bandit, informed = settings["c"], settings["bandit"], settings["priors"] != 0
    if informed:
        fill_priors(state, i, n)
    plain = bandit in (UCB1, UCT)  # which need neither variance, nor total, nor prior
    if not plain:
        total, share = visits_here(state, n), 1.0 / n
    log_node = math.log(node_visits) if bandit != UCB1 and visited > 0 else 0.0
    best, highest, ties = 0, -math.inf, 1
    available, log_available = 1.0, 0.0  # moves are often available together: one logarithm then
    for j in range(n):
        e, visits, mean, variance, times = slots[j], 0.0, 0.0, 0.0, float(visited + 1)
        if e >= 0:
            visits, times = float(edges[e]["visits"]), float(edges[e]["available"])
        if visits > 0.0:
            mean = edges[e]["total"] / visits
            if not plain:
                variance = max(edges[e]["squares"] / visits - mean * mean, 0.0)
        if times != available:
            available, log_available = times, math.log(times)
        prior = priors[j] if informed else share
        move = Statistics(
            visits, mean, variance, available, log_available, total,
            node_visits, log_node, prior, c,
        )  # fmt: skip
        here = score(bandit, move)
        if visits == 0.0 and here == math.inf:
            here = settings["urgency"]
        if here > highest:
            best, highest, ties = j, here, 1
        elif here == highest:
            ties += 1
            if below(s["play"]["rng"], ties) == 0:
                best = j
    return best


@jit
def choose(state: int, i: int, n: int) -> int:
    """The place of the legal move that the tree plays at node `i`.

    Smooth-UCT: the bandit's with probability eta_k, else by the average strategy
    (Bitan and Kraus 2017, Algorithm 3).
    """
    s = open_state(state)
    settings = s["settings"]
    if n == 1:
        return 0
    if settings["smooth"]:
        visited = open_nodes(state)[i]["visits"]
        shrunk = settings["eta"] / (1.0 + settings["decay"] * math.sqrt(visited))
        if uniform(s["play"]["rng"]) >= max(settings["gamma"], shrunk):
            return by_visits(state, n)
    return by_score(state, i, n)
