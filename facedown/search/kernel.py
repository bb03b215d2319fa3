"""The search: place a world, walk down the tree, play out, update. One loop for every paper.

What differs between the papers comes in on the desk, as numbers and as addresses of rules and of a
bandit; the loop itself compiles once, holds no GIL and can be entered again at any time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from facedown.core import rollout
from facedown.core.constants import CHANCE, OVER
from facedown.core.jit import jit, kernel
from facedown.core.records import array
from facedown.core.rules import call_apply, call_horizon, call_payoff, call_rollout, call_turn
from facedown.search.desk import (
    ALARM,
    ALARMED,
    AWAITED,
    CONTROL,
    CROWDED,
    CTX,
    DECIDED,
    DECISIONS,
    DEPTH,
    DISCOUNT,
    DONE,
    EDGE_SLOTS,
    EDGE_TABLE,
    EDGES,
    ENDLESS,
    FIRST,
    FROZEN,
    GROWTH,
    HISTORIES,
    IDENTITY,
    INDEX_SLOTS,
    INDEX_TABLE,
    INSIDE,
    ITERATIONS,
    LABELS,
    LEFT,
    ME,
    MODES,
    MOST_DECISIONS,
    MOST_PLIES,
    MOVES,
    NODE_SLOTS,
    NODE_TABLE,
    NODES,
    OBSERVERS,
    OFFSET,
    ORDERS,
    OUT,
    PATH,
    PAYOFFS,
    PLAYED,
    PLAYERS,
    PLIES,
    REPLYING,
    ROLLOUT,
    ROOM,
    ROOT_SLOTS,
    ROOT_TABLE,
    ROOTS,
    SCALE,
    SETTLED,
    SLOTS,
    STOPPED,
    STUCK,
    TALLIES,
    TALLY_SLOTS,
    TO_HORIZON,
    TRAIL,
    UNSEEN,
    WATCHING,
    WORLD,
    open_desk,
    open_reals,
)
from facedown.search.recipe import Growth
from facedown.search.replies import begin_reply, draw_reply, note_reply
from facedown.search.steps import (
    MANY,
    begin_histories,
    by_visits,
    choose,
    default_move,
    draw_chance,
    extend_histories,
    keep_known,
    legal_here,
    match_edges,
    node_key,
    place_world,
    untried,
)
from facedown.search.tables import Edge, Node, Root, add_edge, add_node, find, find_edge
from facedown.search.tallies import begin_watch, watch

BY_EDGE, BY_NODE = int(Growth.EDGE), int(Growth.NODE)
MARGIN = 64  # room for nodes and edges that an iteration starts with; few use more than one
ROLLED_STUCK, ROLLED_DECISIONS, ORDERS_LENGTH = rollout.STUCK, rollout.DECIDED, rollout.ORDERS
LEAVE = -1  # instead of a move: everyone leaves the tree here


@jit
def alarmed(desk: int) -> bool:
    """Whether a rule has raised."""
    d = open_desk(desk)
    return array(d[ALARM], 1, np.int64)[0] != 0  # type: ignore[no-any-return]


@jit
def crowded(desk: int) -> bool:
    """Whether the tables should grow before another iteration."""
    d = open_desk(desk)
    return (  # type: ignore[no-any-return]
        (d[NODES] + MARGIN) * 2 > d[NODE_SLOTS]
        or d[EDGES] + MARGIN > d[EDGE_SLOTS]
        or d[ROOTS] * 2 > d[ROOT_SLOTS]
        or (d[OBSERVERS] != 0 and (d[TALLIES] + 2 * MARGIN) * 2 > d[TALLY_SLOTS])
    )


@jit
def room_for_node(desk: int) -> bool:
    """Whether a node may be added now; the hash table must keep free slots."""
    d = open_desk(desk)
    return d[ROOM] != 0 and (d[NODES] + 1) * 4 < d[NODE_SLOTS] * 3  # type: ignore[no-any-return]


@jit
def room_for_edge(desk: int) -> bool:
    """Whether an edge may be added now."""
    d = open_desk(desk)
    return d[ROOM] != 0 and d[EDGES] < d[EDGE_SLOTS]  # type: ignore[no-any-return]


@jit
def root_label(desk: int, label: Any) -> Any:
    """What tells a root from others: the world's label; of many trees, what the searcher holds."""
    d = open_desk(desk)
    if d[IDENTITY] == MANY and d[LABELS] == 0:
        return array(d[HISTORIES], d[PLAYERS] + 2, np.uint64)[d[PLAYERS] + 1]
    return label


@jit
def enter_node(desk: int, i: int, key: Any, fresh: bool, mine: bool, label: Any) -> None:
    """Stand at node `i`, made now if it is `fresh`; `mine`: the searcher's first decision."""
    d = open_desk(desk)
    nodes = array(d[NODE_TABLE], d[NODE_SLOTS], Node)
    if fresh:
        add_node(nodes, i, key, d[NODES])
        d[NODES] += 1
    if mine or d[FIRST] == 0 or d[ME] < 0:  # depth counts from the searcher's first decision
        d[DECISIONS] += 1
    if mine:
        d[FIRST] = 0
        if nodes[i]["root"] == 0 and d[ROOTS] < d[ROOT_SLOTS]:
            nodes[i]["root"] = 1
            root = array(d[ROOT_TABLE], d[ROOT_SLOTS], Root)[d[ROOTS]]
            root["key"], root["label"] = key, root_label(desk, label)
            d[ROOTS] += 1


@jit
def take_edge(desk: int, i: int, j: int, player: int) -> bool:
    """Note on the path the edge of the `j`-th legal move, made now if it is new and fits."""
    d = open_desk(desk)
    move = array(d[MOVES], j + 1, np.int32)[j]
    e = np.int64(array(d[SLOTS], j + 1, np.int32)[j])
    if e < 0:
        if not room_for_edge(desk):
            return False
        e = d[EDGES]
        d[EDGES] = e + 1
        nodes = array(d[NODE_TABLE], d[NODE_SLOTS], Node)
        edges = array(d[EDGE_TABLE], d[EDGE_SLOTS], Edge)
        add_edge(nodes, edges, e, i, move)
        edges[e]["available"] = 1
        index = array(d[INDEX_TABLE], d[INDEX_SLOTS], np.int32)
        index[find_edge(index, edges, np.int64(nodes[i]["number"]), np.int64(move))] = e + 1
    step = array(d[PATH] + 32 * d[DEPTH], 4, np.int64)  # node, edge, player, when
    step[0], step[1], step[2], step[3] = i, e, player, d[DECIDED]
    d[DEPTH] += 1
    return True


@jit
def place_of(desk: int, n: int, move: int) -> int:
    """The place of `move` among the `n` legal ones."""
    d = open_desk(desk)
    moves = array(d[MOVES], n, np.int32)
    for j in range(n):
        if moves[j] == move:
            return j
    return 0


@jit
def tree_move(desk: int, i: int, n: int, fresh: bool, player: int) -> int:
    """Choose one of the `n` legal moves at node `i`, and grow the tree as the recipe says."""
    d = open_desk(desk)
    known, growth = match_edges(desk, i, n, True), d[GROWTH]
    grows = known < n and room_for_edge(desk)
    if grows and growth == BY_EDGE:
        j = untried(desk, n, known)
        d[LEFT] = d[PLAYERS]
    elif growth != BY_EDGE and fresh:  # its player alone leaves (Algorithm 2)
        j = place_of(desk, n, default_move(desk))
        array(d[INSIDE], d[PLAYERS], np.int8)[player] = OUT
        d[LEFT] += 1
    else:
        if known < n and not grows:  # an untried one would be tried again and again
            n = keep_known(desk, n)
        if n == 0:
            d[LEFT] = d[PLAYERS]
            return LEAVE
        j = choose(desk, i, n)
    if not take_edge(desk, i, j, player):
        d[LEFT] = d[PLAYERS]
    return np.int64(array(d[MOVES], n, np.int32)[j])  # type: ignore[return-value]


@jit
def frozen_move(desk: int, i: int, n: int, fresh: bool) -> int:
    """A move in proportion to the visits at node `i`, which is left as it is."""
    d = open_desk(desk)
    if fresh:
        return default_move(desk)
    match_edges(desk, i, n, False)
    return np.int64(array(d[MOVES], n, np.int32)[by_visits(desk, n)])  # type: ignore[return-value]


@jit
def next_move(desk: int, player: int, label: Any) -> int:
    """The move of whoever acts, or LEAVE where all beyond is a playout."""
    d = open_desk(desk)
    if player == CHANCE:
        return draw_chance(desk)
    whereabouts = array(d[INSIDE], d[PLAYERS], np.int8)[player]
    if whereabouts == OUT:
        return default_move(desk)
    n = legal_here(desk)
    mine = d[FIRST] != 0 and player == d[ME]
    key = node_key(desk, player, label, mine)
    if alarmed(desk):
        return LEAVE
    nodes = array(d[NODE_TABLE], d[NODE_SLOTS], Node)
    i = find(nodes, key)
    fresh = nodes[i]["key"] == np.uint64(0)
    if whereabouts == FROZEN:
        return frozen_move(desk, i, n, fresh)
    enters = d[DECISIONS] < d[MOST_DECISIONS] and (not fresh or room_for_node(desk))
    if enters:
        enter_node(desk, i, key, fresh, mine, label)
    if not enters or (fresh and d[GROWTH] == BY_NODE):
        d[LEFT] = d[PLAYERS]
        return LEAVE
    return tree_move(desk, i, n, fresh, player)


@jit
def ends_here(desk: int, player: int, ply: int) -> bool:
    """Whether an iteration ends before the next move, at the end of the game or at the horizon."""
    d = open_desk(desk)
    if ply > 0 and d[TO_HORIZON] and call_horizon(desk, d[CTX], d[WORLD], d[PAYOFFS]) != 0:
        return True  # asked at the end of the game too: its values may be of another kind
    if player == OVER:
        call_payoff(desk, d[CTX], d[WORLD], d[PAYOFFS])
        return True
    return False


@jit
def roll_out(desk: int, ply: int) -> int:
    """Play on to the end where nobody is in the tree any more; plies, or -1 for no end."""
    d = open_desk(desk)
    end = call_rollout(d[ROLLOUT], d[ORDERS], ply)
    if end == ROLLED_STUCK:
        array(d[ALARM], 1, np.int64)[0] = STUCK
        return ply
    if end > ply:
        d[PLAYED] += end - ply
        d[DECIDED] += array(d[ORDERS], ORDERS_LENGTH, np.int64)[ROLLED_DECISIONS]
        if end < d[MOST_PLIES]:
            array(d[TRAIL], d[MOST_PLIES], np.int32)[end] = LEAVE
    return end


@jit
def simulate(desk: int, label: Any) -> int:
    """Play the world from the root to its end, in the tree and beyond; plies, or -1 for no end."""
    d = open_desk(desk)
    trail = array(d[TRAIL], d[MOST_PLIES], np.int32)
    players, ply = d[PLAYERS], 0
    while not alarmed(desk):
        player = call_turn(desk, d[CTX], d[WORLD])
        if ends_here(desk, player, ply):
            break
        if ply >= d[MOST_PLIES]:
            return -1
        if d[REPLYING] == AWAITED:
            draw_reply(desk, player)
        if d[LEFT] >= players and d[ROLLOUT] != 0 and d[REPLYING] == SETTLED:
            return roll_out(desk, ply)
        move: Any = np.int64(LEAVE)
        if d[LEFT] < players:
            move = np.int64(next_move(desk, player, label))
        watched = d[WATCHING] != UNSEEN and move != LEAVE
        if move == LEAVE:
            move = np.int64(draw_chance(desk) if player == CHANCE else default_move(desk))
            d[PLAYED] += 1
        if alarmed(desk):
            break
        if watched:
            watch(desk, player, move, label)
        elif d[LEFT] < players:
            extend_histories(desk, move)
        if d[REPLYING] != SETTLED:
            note_reply(desk, player, move)
        trail[ply] = move
        call_apply(desk, d[CTX], d[WORLD], move)
        ply += 1
        if player != CHANCE:
            d[DECIDED] += 1
    if ply < d[MOST_PLIES]:
        trail[ply] = LEAVE  # what an error reports ends here; beyond lie an older iteration's moves
    return ply


@jit
def backward(desk: int) -> None:
    """Add the payoffs to every node and edge on the path, to an edge once an iteration.

    They are discounted for every decision since; what chance draws takes no time, or a move that
    lets it draw more often, as a lie of three cards does in Cheat, would be worth less for that.
    """
    d = open_desk(desk)
    reals = open_reals(desk)
    nodes = array(d[NODE_TABLE], d[NODE_SLOTS], Node)
    edges = array(d[EDGE_TABLE], d[EDGE_SLOTS], Edge)
    payoffs = array(d[PAYOFFS], d[PLAYERS], np.float64)
    for k in range(d[DEPTH]):
        step = array(d[PATH] + 32 * k, 4, np.int64)
        edge = edges[step[1]]
        if edge["stamp"] == d[ITERATIONS]:
            continue
        value = payoffs[step[2]]
        if reals[DISCOUNT] != 1.0:
            value *= reals[DISCOUNT] ** (d[DECIDED] - 1 - step[3])
        value = (value - reals[OFFSET]) * reals[SCALE]
        nodes[step[0]]["visits"] += 1
        edge["stamp"] = d[ITERATIONS]
        edge["visits"] += 1
        edge["total"] += value
        edge["squares"] += value * value


@jit
def begin(desk: int) -> None:
    """Everyone where the recipe puts them at the root."""
    d = open_desk(desk)
    modes = array(d[MODES], d[PLAYERS], np.int8)
    inside = array(d[INSIDE], d[PLAYERS], np.int8)
    for p in range(d[PLAYERS]):
        inside[p] = modes[p]
    d[DEPTH], d[DECISIONS], d[LEFT], d[FIRST], d[DECIDED] = 0, 0, 0, 1, 0
    begin_reply(desk)


@kernel(types.int64(types.intp, types.int64), "search")
def search(desk: int, iterations: int) -> int:
    """Grow the tables by up to `iterations`; says how it ended. Call again to go on."""
    d = open_desk(desk)
    control = array(d[CONTROL], 1, np.int64)
    for _ in range(iterations):
        if control[0] != 0:
            return STOPPED
        if d[ROOM] != 0 and crowded(desk):
            return CROWDED
        label = place_world(desk)
        begin(desk)
        begin_histories(desk, label)
        begin_watch(desk, label)
        plies = simulate(desk, label)
        if plies < 0:
            return ENDLESS
        if alarmed(desk):
            return ALARMED
        backward(desk)
        d[ITERATIONS] += 1
        d[PLIES] += plies
    return DONE
