"""Online outcome sampling: the second kernel, on the same desk, tables, rules and identities.

Outcome sampling MCCFR (Lanctot et al. 2009) with a tree that grows by one node an iteration, aimed
at the searcher's information set (Lisý, Lanctot and Bowling 2015, Algorithm 1, information set
targeting). Every iteration is a game from its start. With probability delta it is *targeted*: until
the searcher stands where it stands now, only moves are drawn that the searcher would have seen as
it did see them, or not at all. In an edge `total` is the cumulative regret and `squares` the sum of
the average strategy.

A weight needs the probability with which an iteration draws a history, which is
l = delta * s1 + (1 - delta) * s2, by the targeted scheme (s1) and by the other (s2). All are kept
as ratios to q, the probability by the scheme of the iteration itself: reach is pi_-i / q, and of
s1 / q and s2 / q one is always 1. So what both schemes draw alike cancels, and the weights of long
games stay within the range of a float.

A targeted walk in which no legal move fits any more is a dead end: it draws no terminal history, so
it adds no regret. Regrets are sums over terminal histories, each weighted with its own true l, and
stay unbiased. What it added to average strategies on its way stays: those are sums over histories
that are visited, whatever comes after.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from facedown.core.constants import CHANCE, OVER
from facedown.core.jit import jit, kernel
from facedown.core.records import array
from facedown.core.rules import call_apply, call_payoff, call_turn
from facedown.core.streams import uniform
from facedown.search.desk import (
    AIMED,
    ALARMED,
    BY_REST,
    BY_TARGET,
    CONTROL,
    CROWDED,
    CTX,
    DECISIONS,
    DELTA,
    DEPTH,
    DONE,
    EDGE_SLOTS,
    EDGE_TABLE,
    EDGES,
    ENDLESS,
    HERE,
    ITERATIONS,
    LEFT,
    MATCHED,
    ME,
    MOST_MOVES,
    MOST_PLIES,
    MOVES,
    NODE_SLOTS,
    NODE_TABLE,
    NUMBERS,
    OFFSET,
    PAYOFFS,
    PLAYED,
    PLAYERS,
    PLIES,
    REACH,
    RNG,
    ROOM,
    SCALE,
    SLOTS,
    STEPS,
    STOPPED,
    TARGET_LENGTH,
    TARGETED,
    TRAIL,
    UPDATER,
    WORLD,
    YIELDS,
    open_desk,
    open_reals,
)
from facedown.search.kernel import alarmed, crowded
from facedown.search.oos_steps import (
    DEAD_END,
    HUGE,
    add_average,
    chance_policy,
    draw,
    enter,
    even_policy,
    matched_policy,
    mixture,
)
from facedown.search.steps import (
    begin_histories,
    default_move,
    draw_chance,
    extend_histories,
    legal_here,
    place_world,
)
from facedown.search.tables import Edge, Node

Step = np.dtype(
    [
        ("node", np.int64),
        ("edge", np.int64),
        ("reach", np.float64),  # pi_-i / q before the move
        ("policy", np.float64),  # the move's probability by the current strategy
        ("sampled", np.float64),  # and by the scheme that drew it
        ("between", np.float64),  # policy / sampled of all plies until the next step
    ]
)
"""A decision of the updated player's in the tree."""

Worth = np.dtype(
    [
        ("weight", np.float64),  # sums over the iterations of w, w u, w w, w w u, w w u u
        ("payoff", np.float64),
        ("weight2", np.float64),
        ("payoff2", np.float64),
        ("square2", np.float64),
    ]
)
"""What a move of the searcher's is worth now, by importance: w = pi_-i pi(after the move) / l."""


@jit
def note(desk: int, i: int, j: int, updated: bool, sampled: float) -> None:
    """Keep what the move at place `j`, drawn with probability `sampled`, means for the weights."""
    d = open_desk(desk)
    reals = open_reals(desk)
    policy = array(d[NUMBERS], j + 1, np.float64)[j]
    steps = array(d[STEPS], d[MOST_PLIES], Step)
    e = np.int64(array(d[SLOTS], j + 1, np.int32)[j]) if i >= 0 else np.int64(-1)
    if e >= 0:
        array(d[EDGE_TABLE], d[EDGE_SLOTS], Edge)[e]["visits"] += 1
    if e >= 0 and updated:
        step = steps[d[DEPTH]]
        step["node"], step["edge"], step["reach"] = i, e, reals[REACH]
        step["policy"], step["sampled"], step["between"] = policy, sampled, 1.0
        d[DEPTH] += 1
        reals[REACH] /= sampled
    else:
        reals[REACH] *= policy / sampled
        if d[DEPTH] > 0:
            steps[d[DEPTH] - 1]["between"] *= policy / sampled


@jit
def next_move(desk: int, player: int) -> int:
    """The move of whoever acts, or DEAD_END."""
    d = open_desk(desk)
    if d[AIMED] != 0 and player == d[ME] and d[MATCHED] == d[TARGET_LENGTH]:
        d[AIMED] = 0  # arrived: from here on the schemes are the same
        if d[UPDATER] == player and d[LEFT] == 0:
            d[HERE] = d[DEPTH]
    if d[AIMED] == 0 and player == CHANCE:
        return draw_chance(desk)
    if d[AIMED] == 0 and d[LEFT] != 0:
        return default_move(desk)
    i: Any = np.int64(-1)
    n, chance, updated = legal_here(desk), player == CHANCE, False
    if n == 0:
        return DEAD_END
    if chance:
        chance_policy(desk, n)
    else:
        i, updated = np.int64(enter(desk, player, n)), player == d[UPDATER]
        if i >= 0:
            matched_policy(desk, n)
            if not updated:
                add_average(desk, n)
        else:
            even_policy(desk, n)
    j, sampled = draw(desk, n, updated, chance)
    if j == DEAD_END:
        return DEAD_END
    note(desk, i, j, updated, sampled)
    return np.int64(array(d[MOVES], n, np.int32)[j])  # type: ignore[return-value]


@jit
def begin(desk: int) -> None:
    """Players are updated in turn; alone, a player is every other time, its average between."""
    d = open_desk(desk)
    reals = open_reals(desk)
    d[UPDATER] = d[ITERATIONS] % max(d[PLAYERS], 2)
    d[DEPTH], d[DECISIONS], d[LEFT], d[MATCHED], d[HERE] = 0, 0, 0, 0, -1
    d[AIMED] = 1 if d[ME] >= 0 else 0
    d[TARGETED] = 1 if d[AIMED] != 0 and uniform(d[RNG]) < reals[DELTA] else 0
    reals[REACH], reals[BY_TARGET], reals[BY_REST] = 1.0, 1.0, 1.0


@jit
def walk(desk: int) -> int:
    """Play a game from its start; its plies, -1 for no end. A dead end leaves HERE at -2."""
    d = open_desk(desk)
    trail = array(d[TRAIL], d[MOST_PLIES], np.int32)
    ply = 0
    while not alarmed(desk):
        player = call_turn(desk, d[CTX], d[WORLD])
        if player == OVER:
            call_payoff(desk, d[CTX], d[WORLD], d[PAYOFFS])
            break
        if ply >= d[MOST_PLIES]:
            return -1
        d[PLAYED] += d[LEFT]
        move: Any = np.int64(next_move(desk, player))
        if alarmed(desk):
            break
        if move == DEAD_END:
            d[HERE] = -2
            break
        if d[LEFT] == 0:
            extend_histories(desk, move)
        trail[ply] = move
        call_apply(desk, d[CTX], d[WORLD], move)
        ply += 1
    if ply < d[MOST_PLIES]:
        trail[ply] = DEAD_END  # what an error reports ends here
    return ply


@jit
def tally(desk: int, node: int, edge: int, weight: float, payoff: float) -> None:
    """Note a payoff of the searcher's move at its information set, by importance."""
    d = open_desk(desk)
    last = array(d[NODE_TABLE], d[NODE_SLOTS], Node)[node]["head"]
    mine = array(d[YIELDS], d[MOST_MOVES], Worth)[last - edge]
    mine["weight"] += weight
    mine["payoff"] += weight * payoff
    mine["weight2"] += weight * weight
    mine["payoff2"] += weight * weight * payoff
    mine["square2"] += weight * weight * payoff * payoff


@jit
def backward(desk: int) -> None:
    """Add the sampled counterfactual regrets of the updated player, last decisions first.

    u pi_-i(h) / l(z) times pi(ha, z) for the move played, less pi(h, z) for every move.
    """
    d = open_desk(desk)
    reals = open_reals(desk)
    nodes = array(d[NODE_TABLE], d[NODE_SLOTS], Node)
    edges = array(d[EDGE_TABLE], d[EDGE_SLOTS], Edge)
    steps = array(d[STEPS], d[MOST_PLIES], Step)
    if d[DEPTH] == 0:
        return
    payoff = array(d[PAYOFFS], d[PLAYERS], np.float64)[d[UPDATER]]
    worth, tail = (payoff - reals[OFFSET]) * reals[SCALE], 1.0 / mixture(desk)
    for k in range(d[DEPTH] - 1, -1, -1):
        step = steps[k]
        after = tail * step["between"] / step["sampled"]
        tail = after * step["policy"]
        if not step["reach"] * after < HUGE:
            continue
        if k == d[HERE]:
            tally(desk, step["node"], step["edge"], step["reach"] * after, payoff)
        e = nodes[step["node"]]["head"]
        while e >= 0:
            edges[e]["total"] -= worth * step["reach"] * tail
            e = edges[e]["next"]
        edges[step["edge"]]["total"] += worth * step["reach"] * after


@kernel(types.int64(types.intp, types.int64), "search")
def sample_outcomes(desk: int, iterations: int) -> int:
    """Sample up to `iterations` games; says how it ended. Call again to go on."""
    d = open_desk(desk)
    control = array(d[CONTROL], 1, np.int64)
    for _ in range(iterations):
        if control[0] != 0:
            return STOPPED
        full = d[EDGES] + d[MOST_MOVES] > d[EDGE_SLOTS]
        if d[ROOM] != 0 and (full or crowded(desk)):
            return CROWDED
        label = place_world(desk)
        begin(desk)
        begin_histories(desk, label)
        plies = walk(desk)
        if plies < 0:
            return ENDLESS
        if alarmed(desk):
            return ALARMED
        if d[HERE] != -2:
            backward(desk)
        d[ITERATIONS] += 1
        d[PLIES] += plies
    return DONE
