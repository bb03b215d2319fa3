"""The small steps of outcome sampling, on the desk: strategies, and drawing a move by them."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core.jit import jit
from facedown.core.records import array
from facedown.core.rules import WEIGHTS, call_sees, call_weights, has
from facedown.core.streams import pick
from facedown.search.desk import (
    AIMED,
    AIMS,
    BY_REST,
    BY_TARGET,
    CHANCES,
    CTX,
    DECISIONS,
    DELTA,
    EDGE_SLOTS,
    EDGE_TABLE,
    EDGES,
    EPSILON,
    INDEX_SLOTS,
    INDEX_TABLE,
    LEFT,
    MATCHED,
    ME,
    MOST_DECISIONS,
    MOVES,
    NODE_SLOTS,
    NODE_TABLE,
    NODES,
    NUMBERS,
    REACH,
    RNG,
    SLOTS,
    TARGET,
    TARGET_LENGTH,
    TARGETED,
    WORLD,
    open_desk,
    open_reals,
)
from facedown.search.kernel import room_for_node
from facedown.search.steps import match_edges, node_key
from facedown.search.tables import Edge, Node, add_edge, add_node, find, find_edge

DEAD_END = -1  # instead of a move: nothing that is legal fits what the searcher has seen
HUGE = 1e300  # beyond this a weight is rounding, not knowledge


# --- the strategy of whoever acts ----------------------------------------------------------------


@jit
def add_with_edges(desk: int, i: int, key: Any, n: int) -> None:
    """A node in slot `i` with an edge for each of the `n` legal moves, in their order."""
    d = open_desk(desk)
    nodes = array(d[NODE_TABLE], d[NODE_SLOTS], Node)
    edges = array(d[EDGE_TABLE], d[EDGE_SLOTS], Edge)
    index = array(d[INDEX_TABLE], d[INDEX_SLOTS], np.int32)
    moves, slots = array(d[MOVES], n, np.int32), array(d[SLOTS], n, np.int32)
    add_node(nodes, i, key, d[NODES])
    d[NODES] += 1
    for j in range(n):
        e, move = d[EDGES], moves[j]
        d[EDGES] = e + 1
        add_edge(nodes, edges, e, i, move)
        index[find_edge(index, edges, np.int64(nodes[i]["number"]), np.int64(move))] = e + 1
        slots[j] = e


@jit
def enter(desk: int, player: int, n: int) -> int:
    """The slot of the node at which `player` acts, its edges found; -1 beyond the tree.

    A node that is new is added, with all its edges; everyone leaves the tree there.
    """
    d = open_desk(desk)
    if d[LEFT] != 0:
        return -1
    key = node_key(desk, player, np.uint64(0), False)
    nodes = array(d[NODE_TABLE], d[NODE_SLOTS], Node)
    i = find(nodes, key)
    fresh = nodes[i]["key"] == np.uint64(0)
    if fresh or d[DECISIONS] >= d[MOST_DECISIONS]:
        d[LEFT] = 1
        roomy = room_for_node(desk) and d[EDGES] + n <= d[EDGE_SLOTS]
        if d[DECISIONS] >= d[MOST_DECISIONS] or not roomy:
            return -1
        add_with_edges(desk, i, key, n)
    else:
        match_edges(desk, i, n, False)
    d[DECISIONS] += 1
    nodes[i]["visits"] += 1
    return i


@jit
def even_policy(desk: int, n: int) -> None:
    """Every move as likely."""
    policy = array(open_desk(desk)[NUMBERS], n, np.float64)
    for j in range(n):
        policy[j] = 1.0 / n


@jit
def chance_policy(desk: int, n: int) -> None:
    """Chance's outcomes by their weights, summing to 1."""
    d = open_desk(desk)
    even_policy(desk, n)
    if has(desk, WEIGHTS):
        call_weights(desk, d[CTX], d[WORLD], d[NUMBERS])
        policy, total = array(d[NUMBERS], n, np.float64), 0.0
        for j in range(n):
            total += policy[j]
        for j in range(n):
            policy[j] /= total


@jit
def matched_policy(desk: int, n: int) -> None:
    """Regret matching: in proportion to positive regrets; even where there are none."""
    d = open_desk(desk)
    edges = array(d[EDGE_TABLE], d[EDGE_SLOTS], Edge)
    slots, policy = array(d[SLOTS], n, np.int32), array(d[NUMBERS], n, np.float64)
    total = 0.0
    for j in range(n):
        policy[j] = max(edges[slots[j]]["total"], 0.0) if slots[j] >= 0 else 0.0
        total += policy[j]
    if total > 0.0:
        for j in range(n):
            policy[j] /= total
    else:
        even_policy(desk, n)


@jit
def mixture(desk: int) -> float:
    """l / q here."""
    reals = open_reals(desk)
    return reals[DELTA] * reals[BY_TARGET] + (1.0 - reals[DELTA]) * reals[BY_REST]  # type: ignore[no-any-return]


@jit
def add_average(desk: int, n: int) -> None:
    """Add the strategy of one who is not updated to its average, by pi_-i / l."""
    d = open_desk(desk)
    edges = array(d[EDGE_TABLE], d[EDGE_SLOTS], Edge)
    slots, policy = array(d[SLOTS], n, np.int32), array(d[NUMBERS], n, np.float64)
    weight = open_reals(desk)[REACH] / mixture(desk)
    if weight < HUGE:
        for j in range(n):
            if slots[j] >= 0:
                edges[slots[j]]["squares"] += weight * policy[j]


# --- drawing a move ------------------------------------------------------------------------------


@jit
def find_fitting(desk: int, n: int, chance: bool) -> float:
    """Fill AIMS with the targeted scheme's weights of the moves; their sum, 0 where none fits.

    Those of the other scheme, over what the searcher would have seen as it did, or not at all;
    where these are all 0, every move of a player's that fits is as likely.
    """
    d = open_desk(desk)
    moves, aims = array(d[MOVES], n, np.int32), array(d[AIMS], n, np.float64)
    chances, wanted = array(d[CHANCES], n, np.float64), np.uint64(0)
    if d[MATCHED] < d[TARGET_LENGTH]:
        wanted = array(d[TARGET], d[TARGET_LENGTH], np.uint64)[d[MATCHED]]
    fitting, total = 0, 0.0
    for j in range(n):
        move: Any = np.int64(moves[j])
        token = call_sees(desk, d[CTX], d[WORLD], move, d[ME])
        fits = token == np.uint64(0) or token == wanted
        aims[j] = chances[j] if fits else -1.0
        if fits:
            fitting += 1
            total += chances[j]
    for j in range(n):
        if aims[j] < 0.0:
            aims[j] = 0.0
        elif total == 0.0 and not chance:
            aims[j] = 1.0
    return float(fitting) if total == 0.0 and not chance else total


@jit
def advance(desk: int, move: int, fits: bool) -> None:
    """Follow what the searcher sees of `move`; past a move that does not fit nothing is aimed."""
    d = open_desk(desk)
    if not fits:
        d[AIMED] = 0
    elif call_sees(desk, d[CTX], d[WORLD], move, d[ME]) != np.uint64(0):
        d[MATCHED] += 1


@jit
def aimed_draw(desk: int, n: int, chance: bool) -> Any:
    """`draw` while the target is not reached and can be: the schemes differ."""
    d = open_desk(desk)
    reals = open_reals(desk)
    chances, aims = array(d[CHANCES], n, np.float64), array(d[AIMS], n, np.float64)
    total = find_fitting(desk, n, chance)
    if d[TARGETED] != 0:
        if total == 0.0:
            return DEAD_END, 1.0
        j = pick(d[RNG], aims, n)
    else:
        j = pick(d[RNG], chances, n)
    by_target, by_rest = aims[j] / total if total > 0.0 else 0.0, chances[j]
    sampled = by_target if d[TARGETED] != 0 else by_rest
    reals[BY_TARGET] *= by_target / sampled
    reals[BY_REST] *= by_rest / sampled
    move: Any = np.int64(array(d[MOVES], n, np.int32)[j])
    advance(desk, move, aims[j] > 0.0)
    return j, sampled


@jit
def draw(desk: int, n: int, explores: bool, chance: bool) -> Any:
    """Draw one of `n` moves by the strategy in NUMBERS: its place, and how likely that was.

    DEAD_END in its place where the iteration is targeted and nothing fits.
    """
    d = open_desk(desk)
    policy, chances = array(d[NUMBERS], n, np.float64), array(d[CHANCES], n, np.float64)
    epsilon = open_reals(desk)[EPSILON] if explores else 0.0
    for j in range(n):
        chances[j] = epsilon / n + (1.0 - epsilon) * policy[j]
    if d[AIMED] != 0:
        return aimed_draw(desk, n, chance)
    j = pick(d[RNG], chances, n)
    return j, chances[j]
