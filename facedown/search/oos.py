"""Online outcome sampling: the second kernel, with the same state, tables and identities.

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

from facedown.core.buffers import Buffer
from facedown.core.constants import CHANCE, OVER
from facedown.core.jit import jit, kernel
from facedown.core.records import array
from facedown.core.rules import call_apply, call_payoff, call_turn
from facedown.core.stepping import alarmed, fill_chances, open_moves, open_numbers, open_payoffs
from facedown.core.streams import uniform
from facedown.search import state as at
from facedown.search.kernel import crowded, end_trail, open_trail
from facedown.search.oos_steps import (
    DEAD_END,
    HUGE,
    add_average,
    draw,
    enter,
    even_policy,
    matched_policy,
    mixture,
)
from facedown.search.state import open_edges, open_nodes, open_slots, open_state
from facedown.search.steps import (
    begin_histories,
    beyond,
    extend_histories,
    legal_here,
    place_world,
)

Decision = np.dtype(
    [
        ("node", np.int64),
        ("edge", np.int64),
        ("reach", np.float64),  # pi_-i / q before the move
        ("policy", np.float64),  # the move's probability by the current strategy
        ("sampled", np.float64),  # and by the scheme that drew it
        ("between", np.float64),  # policy / sampled of all plies until the next one
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


BUFFERS = (
    Buffer("steps", Decision, lambda game: game.most_plies),
    Buffer("chances", np.float64, lambda game: game.most_moves),
    Buffer("aims", np.float64, lambda game: game.most_moves),
    Buffer("worths", Worth, lambda game: game.most_moves),
)


@jit
def open_decisions(state: int) -> Any:
    """The decisions of the updated player's on the path."""
    s = open_state(state)
    return array(s["sampling"]["steps"], s["play"]["most_plies"], Decision)


@jit
def note(state: int, i: int, j: int, updated: bool, sampled: float) -> None:
    """Keep what the move at place `j`, drawn with probability `sampled`, means for the weights."""
    s, decisions = open_state(state), open_decisions(state)
    now, own, policy = s["now"], s["sampling"], open_numbers(state, j + 1)[j]
    e = np.int64(open_slots(state, j + 1)[j]) if i >= 0 else np.int64(-1)
    if e >= 0:
        open_edges(state)[e]["visits"] += 1
    if e >= 0 and updated:
        here = decisions[now["depth"]]
        here["node"], here["edge"], here["reach"] = i, e, own["reach"]
        here["policy"], here["sampled"], here["between"] = policy, sampled, 1.0
        now["depth"] += 1
        own["reach"] /= sampled
    else:
        own["reach"] *= policy / sampled
        if now["depth"] > 0:
            decisions[now["depth"] - 1]["between"] *= policy / sampled


@jit
def arrive(state: int, player: int) -> None:
    """Where the searcher stands as it does now the target is reached: the schemes are the same."""
    s = open_state(state)
    own, now = s["sampling"], s["now"]
    there = own["matched"] == own["target_length"] and player == s["settings"]["me"]
    if own["aimed"] != 0 and there:
        own["aimed"] = 0
        if own["updater"] == player and now["left"] == 0:
            own["here"] = now["depth"]


@jit
def fill_policy(state: int, player: int, n: int) -> int:
    """The strategy of whoever acts over its `n` moves; the slot of its node, -1 without one."""
    s = open_state(state)
    if player == CHANCE:
        fill_chances(state, s["play"]["world"], n)
        return -1
    i = enter(state, player, n)
    if i < 0:
        even_policy(state, n)
        return i
    matched_policy(state, n)
    if player != s["sampling"]["updater"]:
        add_average(state, n)
    return i


@jit
def next_move(state: int, player: int) -> int:
    """The move of whoever acts, or DEAD_END."""
    s = open_state(state)
    own = s["sampling"]
    arrive(state, player)
    if own["aimed"] == 0 and (player == CHANCE or s["now"]["left"] != 0):
        return beyond(state, player)
    n = legal_here(state)
    if n == 0:
        return DEAD_END
    i: Any = np.int64(fill_policy(state, player, n))
    chance, updated = player == CHANCE, player == own["updater"]
    j, sampled = draw(state, n, updated, chance)
    if j == DEAD_END:
        return DEAD_END
    note(state, i, j, updated, sampled)
    return np.int64(open_moves(state, n)[j])  # type: ignore[return-value]


@jit
def begin(state: int) -> None:
    """Players are updated in turn; alone, a player is every other time, its average between."""
    s = open_state(state)
    now, own = s["now"], s["sampling"]
    own["updater"] = s["counts"]["iterations"] % max(s["play"]["players"], 2)
    now["depth"], now["decisions"], now["left"] = 0, 0, 0
    own["matched"], own["here"], own["dead"] = 0, -1, 0
    own["aimed"] = 1 if s["settings"]["me"] >= 0 else 0
    own["targeted"] = 1 if own["aimed"] != 0 and uniform(s["play"]["rng"]) < own["delta"] else 0
    own["reach"], own["by_target"], own["by_rest"] = 1.0, 1.0, 1.0


@jit
def walk(state: int) -> int:
    """Play a game from its start, to its end or to a dead end; its plies, -1 for no end."""
    s, trail = open_state(state), open_trail(state)
    play, now, ply = s["play"], s["now"], 0
    while not alarmed(state):
        player = call_turn(state, play["ctx"], play["world"])
        if player == OVER:
            call_payoff(state, play["ctx"], play["world"], play["payoffs"])
            break
        if ply >= play["most_plies"]:
            return -1
        s["counts"]["played"] += now["left"]
        move: Any = np.int64(next_move(state, player))
        if alarmed(state):
            break
        if move == DEAD_END:
            s["sampling"]["dead"] = 1
            break
        if now["left"] == 0:
            extend_histories(state, move)
        trail[ply] = move
        call_apply(state, play["ctx"], play["world"], move)
        ply += 1
    end_trail(state, ply)
    return ply


@jit
def tally(state: int, node: int, edge: int, weight: float, payoff: float) -> None:
    """Note a payoff of the searcher's move at its information set, by importance."""
    s = open_state(state)
    last = open_nodes(state)[node]["head"]
    mine = array(s["sampling"]["worths"], s["play"]["most_moves"], Worth)[last - edge]
    mine["weight"] += weight
    mine["payoff"] += weight * payoff
    mine["weight2"] += weight * weight
    mine["payoff2"] += weight * weight * payoff
    mine["square2"] += weight * weight * payoff * payoff


@jit
def backward(state: int) -> None:
    """Add the sampled counterfactual regrets of the updated player, last decisions first.

    u pi_-i(h) / l(z) times pi(ha, z) for the move played, less pi(h, z) for every move.
    """
    s, nodes, edges = open_state(state), open_nodes(state), open_edges(state)
    own, depth, decisions = s["sampling"], s["now"]["depth"], open_decisions(state)
    if depth == 0:
        return
    payoff = open_payoffs(state)[own["updater"]]
    worth = (payoff - s["settings"]["offset"]) * s["settings"]["scale"]
    tail = 1.0 / mixture(state)
    for k in range(depth - 1, -1, -1):
        here = decisions[k]
        after = tail * here["between"] / here["sampled"]
        tail = after * here["policy"]
        if not here["reach"] * after < HUGE:
            continue
        if k == own["here"]:
            tally(state, here["node"], here["edge"], here["reach"] * after, payoff)
        e = nodes[here["node"]]["head"]
        while e >= 0:
            edges[e]["total"] -= worth * here["reach"] * tail
            e = edges[e]["next"]
        edges[here["edge"]]["total"] += worth * here["reach"] * after


@kernel(types.int64(types.intp, types.int64), "search", loop=True)
def sample_outcomes(state: int, iterations: int) -> int:
    """Sample up to `iterations` games; says how it ended. Call again to go on."""
    s, control = open_state(state), at.open_control(state, 1)
    tree = s["tree"]
    for _ in range(iterations):
        if control[0] != 0:
            return at.STOPPED
        full = tree["edges"] + s["play"]["most_moves"] > tree["edge_slots"]
        if tree["room"] != 0 and (full or crowded(state)):
            return at.CROWDED
        label = place_world(state)
        begin(state)
        begin_histories(state, label)
        plies = walk(state)
        if plies < 0:
            return at.ENDLESS
        if alarmed(state):
            return at.ALARMED
        if s["sampling"]["dead"] == 0:
            backward(state)
        s["counts"]["iterations"] += 1
        s["counts"]["plies"] += plies
    return at.DONE
