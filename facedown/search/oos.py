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
s1 / q and s2 / q one is always 1. So nothing underflows for chance's sake in a long game.

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
from facedown.core.rules import WEIGHTS, call_apply, call_payoff, call_sees, call_turn, call_weights
from facedown.core.rules import has as has_rule
from facedown.core.streams import pick, uniform
from facedown.search.desk import (
    AIMED,
    AIMS,
    ALARMED,
    BY_REST,
    BY_TARGET,
    CHANCES,
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
    EPSILON,
    HERE,
    INDEX_SLOTS,
    INDEX_TABLE,
    ITERATIONS,
    LEFT,
    MATCHED,
    ME,
    MOST_DECISIONS,
    MOST_MOVES,
    MOST_PLIES,
    MOVES,
    NODE_SLOTS,
    NODE_TABLE,
    NODES,
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
    TALLIES,
    TARGET,
    TARGET_LENGTH,
    TARGETED,
    TRAIL,
    UPDATER,
    WORLD,
    open_desk,
    open_reals,
)
from facedown.search.kernel import alarmed, crowded, room_for_node
from facedown.search.steps import (
    begin_histories,
    default_move,
    draw_chance,
    extend_histories,
    legal_here,
    match_edges,
    node_key,
    place_world,
)
from facedown.search.tables import Edge, Node, add_edge, add_node, find, find_edge

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

Tally = np.dtype(
    [
        ("weight", np.float64),  # sums over the iterations of w, w u, w w, w w u, w w u u
        ("payoff", np.float64),
        ("weight2", np.float64),
        ("payoff2", np.float64),
        ("square2", np.float64),
    ]
)
"""What a move of the searcher's is worth now, by importance: w = pi_-i pi(after the move) / l."""

DEAD_END = -1  # instead of a move: nothing that is legal fits what the searcher has seen
HUGE = 1e300  # beyond this a weight is rounding, not knowledge


# --- the strategy of whoever acts ------------------------------------------------------------------


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
    if has_rule(desk, WEIGHTS):
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


# --- drawing a move --------------------------------------------------------------------------------


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
        token = call_sees(desk, d[CTX], d[WORLD], np.int64(moves[j]), d[ME])
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
    advance(desk, np.int64(array(d[MOVES], n, np.int32)[j]), aims[j] > 0.0)
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
    n, i, chance, updated = legal_here(desk), np.int64(-1), player == CHANCE, False
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


# --- an iteration ----------------------------------------------------------------------------------


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
        move = np.int64(next_move(desk, player))
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
    mine = array(d[TALLIES], d[MOST_MOVES], Tally)[last - edge]
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
