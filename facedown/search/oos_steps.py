"""The small steps of outcome sampling: strategies, and drawing a move by them."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core.jit import jit
from facedown.core.records import array
from facedown.core.rules import call_sees
from facedown.core.stepping import normalize, open_moves, open_numbers
from facedown.core.streams import pick
from facedown.search.kernel import put_edge, room_for_node
from facedown.search.selection import match_edges
from facedown.search.state import open_edges, open_nodes, open_slots, open_state
from facedown.search.steps import node_key
from facedown.search.tables import add_node, find

DEAD_END = -1  # instead of a move: nothing that is legal fits what the searcher has seen
HUGE = 1e300  # beyond this a weight is rounding, not knowledge


@jit
def open_chances(state: int, n: int) -> Any:
    """How likely the scheme that is not aimed draws each of `n` moves."""
    return array(open_state(state)["sampling"]["chances"], n, np.float64)


@jit
def open_aims(state: int, n: int) -> Any:
    """The weights by which the targeted scheme draws each of `n` moves."""
    return array(open_state(state)["sampling"]["aims"], n, np.float64)


# --- the strategy of whoever acts ----------------------------------------------------------------


@jit
def add_with_edges(state: int, i: int, key: Any, n: int) -> None:
    """A node in slot `i` with an edge for each of the `n` legal moves, in their order."""
    tree, nodes = open_state(state)["tree"], open_nodes(state)
    moves, slots = open_moves(state, n), open_slots(state, n)
    add_node(nodes, i, key, tree["nodes"])
    tree["nodes"] += 1
    for j in range(n):
        e = tree["edges"]
        tree["edges"] = e + 1
        put_edge(state, i, e, moves[j])
        slots[j] = e


@jit
def enter(state: int, player: int, n: int) -> int:
    """The slot of the node at which `player` acts, its edges found; -1 beyond the tree.

    A node that is new is added, with all its edges; everyone leaves the tree there.
    """
    s, nodes = open_state(state), open_nodes(state)
    now, tree = s["now"], s["tree"]
    if now["left"] != 0:
        return -1
    key = node_key(state, player, np.uint64(0), False)
    i = find(nodes, key)
    deep = now["decisions"] >= s["settings"]["most_decisions"]
    if deep or nodes[i]["key"] == np.uint64(0):
        now["left"] = 1
        if deep or not room_for_node(state) or tree["edges"] + n > tree["edge_slots"]:
            return -1
        add_with_edges(state, i, key, n)
    else:
        match_edges(state, i, n, False)
    now["decisions"] += 1
    nodes[i]["visits"] += 1
    return i


@jit
def even_policy(state: int, n: int) -> None:
    """Every move as likely."""
    policy = open_numbers(state, n)
    for j in range(n):
        policy[j] = 1.0 / n


@jit
def matched_policy(state: int, n: int) -> None:
    """Regret matching: in proportion to positive regrets; even where there are none."""
    edges, slots, policy = open_edges(state), open_slots(state, n), open_numbers(state, n)
    for j in range(n):
        policy[j] = max(edges[slots[j]]["total"], 0.0) if slots[j] >= 0 else 0.0
    normalize(policy, n)


@jit
def mixture(state: int) -> float:
    """l / q here."""
    own = open_state(state)["sampling"]
    return own["delta"] * own["by_target"] + (1.0 - own["delta"]) * own["by_rest"]  # type: ignore[no-any-return]


@jit
def add_average(state: int, n: int) -> None:
    """Add the strategy of one who is not updated to its average, by pi_-i / l."""
    edges, slots, policy = open_edges(state), open_slots(state, n), open_numbers(state, n)
    weight = open_state(state)["sampling"]["reach"] / mixture(state)
    if weight < HUGE:
        for j in range(n):
            if slots[j] >= 0:
                edges[slots[j]]["squares"] += weight * policy[j]


# --- drawing a move ------------------------------------------------------------------------------


@jit
def sight(state: int, move: int) -> Any:
    """What the searcher sees of a move."""
    s = open_state(state)
    return call_sees(state, s["play"]["ctx"], s["play"]["world"], move, s["settings"]["me"])


@jit
def find_fitting(state: int, n: int, chance: bool) -> float:
    """Fill in the targeted scheme's weights of the moves; their sum, 0 where none fits.

    Those of the other scheme, over what the searcher would have seen as it did, or not at all;
    where these are all 0, every move of a player's that fits is as likely.
    """
    own, moves, wanted = open_state(state)["sampling"], open_moves(state, n), np.uint64(0)
    chances, aims = open_chances(state, n), open_aims(state, n)
    if own["matched"] < own["target_length"]:
        wanted = array(own["target"], own["target_length"], np.uint64)[own["matched"]]
    fitting, total = 0, 0.0
    for j in range(n):
        move: Any = np.int64(moves[j])
        token = sight(state, move)
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
def advance(state: int, move: int, fits: bool) -> None:
    """Follow what the searcher sees of `move`; past a move that does not fit nothing is aimed."""
    own = open_state(state)["sampling"]
    if not fits:
        own["aimed"] = 0
    elif sight(state, move) != np.uint64(0):
        own["matched"] += 1


@jit
def aimed_draw(state: int, n: int, chance: bool) -> Any:
    """`draw` while the target is not reached and can be: the schemes differ."""
    s, chances, aims = open_state(state), open_chances(state, n), open_aims(state, n)
    own, total = s["sampling"], find_fitting(state, n, chance)
    targeted = own["targeted"] != 0
    if targeted and total == 0.0:
        return DEAD_END, 1.0
    j = pick(s["play"]["rng"], aims if targeted else chances, n)
    by_target, by_rest = aims[j] / total if total > 0.0 else 0.0, chances[j]
    sampled = by_target if targeted else by_rest
    own["by_target"] *= by_target / sampled
    own["by_rest"] *= by_rest / sampled
    move: Any = np.int64(open_moves(state, n)[j])
    advance(state, move, aims[j] > 0.0)
    return j, sampled


@jit
def draw(state: int, n: int, explores: bool, chance: bool) -> Any:
    """Draw one of `n` moves by the strategy at hand: its place, and how likely that was.

    DEAD_END in its place where the iteration is targeted and nothing fits.
    """
    s, policy, chances = open_state(state), open_numbers(state, n), open_chances(state, n)
    epsilon = s["sampling"]["epsilon"] if explores else 0.0
    for j in range(n):
        chances[j] = epsilon / n + (1.0 - epsilon) * policy[j]
    if s["sampling"]["aimed"] != 0:
        return aimed_draw(state, n, chance)
    j = pick(s["play"]["rng"], chances, n)
    return j, chances[j]
