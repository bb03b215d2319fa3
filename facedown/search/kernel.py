"""The search: place a world, walk down the tree, play out, update. One loop for every paper.

What differs between the papers comes in with the state, as numbers and as addresses of rules and of
a bandit; the loop itself compiles once, holds no GIL and can be entered again at any time.
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
from facedown.core.stepping import STUCK, alarmed, open_moves, open_payoffs, sound
from facedown.core.streams import uniform
from facedown.search import state as at
from facedown.search.recipe import Growth
from facedown.search.replies import begin_reply, draw_reply, note_reply
from facedown.search.selection import by_visits, choose, keep_known, match_edges, untried
from facedown.search.state import open_edges, open_nodes, open_state
from facedown.search.steps import (
    MANY,
    begin_histories,
    beyond,
    default_move,
    extend_histories,
    legal_here,
    node_key,
    place_world,
)
from facedown.search.tables import add_edge, add_node, find, find_edge
from facedown.search.tallies import begin_watch, watch

BY_EDGE, BY_NODE = int(Growth.EDGE), int(Growth.NODE)
MARGIN = 64  # room for nodes and edges that an iteration starts with; few use more than one
LEAVE = -1  # instead of a move: everyone leaves the tree here


@jit
def crowded(state: int) -> bool:
    """Whether the tables should grow before another iteration."""
    s = open_state(state)
    tree, seen, scored = s["tree"], s["observed"], s["scored"]
    return (  # type: ignore[no-any-return]
        (tree["nodes"] + MARGIN) * 2 > tree["node_slots"]
        or tree["edges"] + MARGIN > tree["edge_slots"]
        or tree["roots"] * 2 > tree["root_slots"]
        or (seen["observers"] != 0 and (seen["tallies"] + 2 * MARGIN) * 2 > seen["slots"])
        or (scored["full"] == 0 and scored["weights"] * 2 > scored["slots"])
    )


@jit
def room_for_node(state: int) -> bool:
    """Whether a node may be added now; the hash table must keep free slots."""
    tree = open_state(state)["tree"]
    return tree["room"] != 0 and (tree["nodes"] + 1) * 4 < tree["node_slots"] * 3  # type: ignore[no-any-return]


@jit
def room_for_edge(state: int) -> bool:
    """Whether an edge may be added now."""
    tree = open_state(state)["tree"]
    return tree["room"] != 0 and tree["edges"] < tree["edge_slots"]  # type: ignore[no-any-return]


@jit
def root_label(state: int, label: Any) -> Any:
    """What tells a root from others: the world's label; of many trees, what the searcher holds."""
    s = open_state(state)
    if s["settings"]["identity"] == MANY and s["settings"]["labels"] == 0:
        players = s["play"]["players"]
        return at.open_histories(state, players + 2)[players + 1]
    return label


@jit
def add_root(state: int, key: Any, label: Any) -> None:
    """Note where the searcher made its first decision of an iteration."""
    tree = open_state(state)["tree"]
    root = array(tree["root_table"], tree["root_slots"], at.Root)[tree["roots"]]
    root["key"], root["label"] = key, root_label(state, label)
    tree["roots"] += 1


@jit
def enter_node(state: int, i: int, key: Any, fresh: bool, mine: bool, label: Any) -> None:
    """Stand at node `i`, made now if it is `fresh`; `mine`: the searcher's first decision."""
    s, nodes = open_state(state), open_nodes(state)
    now, tree = s["now"], s["tree"]
    if fresh:
        add_node(nodes, i, key, tree["nodes"])
        tree["nodes"] += 1
    if mine or now["first"] == 0 or s["settings"]["me"] < 0:  # counts from the searcher's first
        now["decisions"] += 1
    if mine:
        now["first"] = 0
        if nodes[i]["root"] == 0 and tree["roots"] < tree["root_slots"]:
            nodes[i]["root"] = 1
            add_root(state, key, label)


@jit
def take_edge(state: int, i: int, j: int, player: int) -> bool:
    """Note on the path the edge of the `j`-th legal move, made now if it is new and fits."""
    s = open_state(state)
    tree, now, play = s["tree"], s["now"], s["play"]
    e = np.int64(at.open_slots(state, j + 1)[j])
    if e < 0:
        if not room_for_edge(state):
            return False
        e = tree["edges"]
        tree["edges"] = e + 1
        put_edge(state, i, e, open_moves(state, j + 1)[j])
        open_edges(state)[e]["available"] = 1
    visit = at.open_path(state, play["most_plies"])[now["depth"]]
    visit["node"], visit["edge"], visit["player"], visit["decided"] = i, e, player, play["decided"]
    now["depth"] += 1
    return True


@jit
def put_edge(state: int, i: int, e: int, move: int) -> None:
    """Make edge `e` a new one of node `i`, found by the index from now on."""
    nodes, edges, index = open_nodes(state), open_edges(state), at.open_index(state)
    add_edge(nodes, edges, e, i, move)
    index[find_edge(index, edges, np.int64(nodes[i]["number"]), np.int64(move))] = e + 1


@jit
def place_of(state: int, n: int, move: int) -> int:
    """The place of `move` among the `n` legal ones."""
    moves = open_moves(state, n)
    for j in range(n):
        if moves[j] == move:
            return j
    return 0


@jit
def widens(state: int, i: int, known: int) -> bool:
    """Whether node `i`, of whose legal moves so many were tried, may have another one tried."""
    power = open_state(state)["settings"]["widening"]
    if power == 0.0 or known == 0:
        return True
    return bool(known < 1.0 + float(open_nodes(state)[i]["visits"]) ** power)


@jit
def tree_move(state: int, i: int, n: int, fresh: bool, player: int) -> int:
    """Choose one of the `n` legal moves at node `i`, and grow the tree as the recipe says."""
    s = open_state(state)
    now, players = s["now"], s["play"]["players"]
    known, growth = match_edges(state, i, n, True), s["settings"]["growth"]
    grows = known < n and room_for_edge(state)
    if growth == BY_EDGE:
        grows = grows and widens(state, i, known)
    if grows and growth == BY_EDGE and s["settings"]["urgency"] == np.inf:
        j = untried(state, n, known)
        now["left"] = players
    elif growth != BY_EDGE and fresh:  # its player alone leaves (Algorithm 2)
        j = place_of(state, n, default_move(state))
        at.open_inside(state, players)[player] = at.OUT
        now["left"] += 1
    else:
        if known < n and not grows:  # an untried one would be tried again and again
            n = keep_known(state, n)
        if n == 0:
            now["left"] = players
            return LEAVE
        j = choose(state, i, n)
        if growth == BY_EDGE and at.open_slots(state, n)[j] < 0:
            now["left"] = players
    if not take_edge(state, i, j, player):
        now["left"] = players
    return np.int64(open_moves(state, n)[j])  # type: ignore[return-value]


@jit
def frozen_move(state: int, i: int, n: int, fresh: bool) -> int:
    """A move in proportion to the visits at node `i`, which is left as it is."""
    if fresh:
        return default_move(state)
    match_edges(state, i, n, False)
    return np.int64(open_moves(state, n)[by_visits(state, n)])  # type: ignore[return-value]


@jit
def as_modelled(state: int, player: int) -> bool:
    """Whether another player decides as in playouts this time, and not by its own search."""
    s = open_state(state)
    share = s["settings"]["modelled"]
    if share == 0.0 or player == s["settings"]["me"]:
        return False
    return bool(uniform(s["play"]["rng"]) < share)


@jit
def next_move(state: int, player: int, label: Any) -> int:
    """The move of whoever acts, or LEAVE where all beyond is a playout."""
    s = open_state(state)
    now, settings, players = s["now"], s["settings"], s["play"]["players"]
    if player == CHANCE:
        return beyond(state, player)
    whereabouts = at.open_inside(state, players)[player]
    if whereabouts == at.OUT or as_modelled(state, player):
        return default_move(state)
    n = legal_here(state)
    mine = now["first"] != 0 and player == settings["me"]
    key = node_key(state, player, label, mine)
    if alarmed(state):
        return LEAVE
    nodes = open_nodes(state)
    i = find(nodes, key)
    fresh = nodes[i]["key"] == np.uint64(0)
    if whereabouts == at.FROZEN:
        return frozen_move(state, i, n, fresh)
    enters = now["decisions"] < settings["most_decisions"] and (not fresh or room_for_node(state))
    if enters:
        enter_node(state, i, key, fresh, mine, label)
    if not enters or (fresh and settings["growth"] == BY_NODE):
        now["left"] = players
        return LEAVE
    return tree_move(state, i, n, fresh, player)


@jit
def ends_here(state: int, player: int, ply: int) -> bool:
    """Whether an iteration ends before the next move, at the end of the game or at the horizon."""
    play = open_state(state)["play"]
    ctx, world, payoffs = play["ctx"], play["world"], play["payoffs"]
    if ply > 0 and play["to_horizon"] and call_horizon(state, ctx, world, payoffs) != 0:
        return True  # asked at the end of the game too: its values may be of another kind
    if player == OVER:
        call_payoff(state, ctx, world, payoffs)
        return True
    return False


@jit
def open_trail(state: int) -> Any:
    """The moves of an iteration, for what an error reports."""
    play = open_state(state)["play"]
    return array(play["trail"], play["most_plies"], np.int32)


@jit
def open_movers(state: int) -> Any:
    """Who made them, where that is wanted."""
    play = open_state(state)["play"]
    return array(play["movers"], play["most_plies"], np.int8)


@jit
def end_trail(state: int, ply: int) -> None:
    """What an error reports ends here; beyond lie an older iteration's moves."""
    if ply < open_state(state)["play"]["most_plies"]:
        open_trail(state)[ply] = LEAVE


@jit
def roll_out(state: int, ply: int) -> int:
    """Play on to the end where nobody is in the tree any more; plies, or -1 for no end."""
    s = open_state(state)
    end = call_rollout(s["play"]["rollout"], state, ply)
    if end == rollout.STUCK:
        sound(state, STUCK)
        return ply
    if end > ply:
        s["counts"]["played"] += end - ply
        end_trail(state, end)
    return end


@jit
def see(state: int, player: int, move: int, label: Any) -> None:
    """What everybody sees of a move that was made in the tree, counted where somebody watches."""
    s = open_state(state)
    if s["observed"]["watching"] != at.UNSEEN:
        watch(state, player, move, label)
    elif s["now"]["left"] < s["play"]["players"]:
        extend_histories(state, move)


@jit
def simulate(state: int, label: Any) -> int:
    """Play the world from the root to its end, in the tree and beyond; plies, or -1 for no end."""
    s, trail, movers = open_state(state), open_trail(state), open_movers(state)
    play, now, reply = s["play"], s["now"], s["reply"]
    ply = 0
    while not alarmed(state):
        player = call_turn(state, play["ctx"], play["world"])
        if ends_here(state, player, ply):
            break
        if ply >= play["most_plies"]:
            return -1
        if reply["stage"] == at.AWAITED:
            draw_reply(state, player)
        inside = now["left"] < play["players"]
        if not inside and play["rollout"] != 0 and reply["stage"] == at.SETTLED:
            return roll_out(state, ply)
        move: Any = np.int64(next_move(state, player, label) if inside else LEAVE)
        inside = move != LEAVE  # else everybody has left the tree, here or before
        if not inside:
            move = np.int64(beyond(state, player))
            s["counts"]["played"] += 1
        if alarmed(state):
            break
        if inside:
            see(state, player, move, label)
        if reply["stage"] != at.SETTLED:
            note_reply(state, player, move)
        trail[ply] = move
        if play["averages"] != 0:
            movers[ply] = player
        call_apply(state, play["ctx"], play["world"], move)
        ply += 1
        play["decided"] += player != CHANCE
    end_trail(state, ply)
    return ply


@jit
def backward(state: int) -> None:
    """Add the payoffs to every node and edge on the path, to an edge once an iteration.

    They are discounted, as the search sees them, for every decision since: scaled payoffs towards
    the lowest that there is, so that a later win is worth less and a later loss no more. What
    chance draws takes no time, or a move that lets it draw more often, as a lie of three cards does
    in Cheat, would be worth less for that.
    """
    s = open_state(state)
    nodes, edges, payoffs = open_nodes(state), open_edges(state), open_payoffs(state)
    settings, iteration, decided = s["settings"], s["counts"]["iterations"], s["play"]["decided"]
    path = at.open_path(state, s["play"]["most_plies"])
    for k in range(s["now"]["depth"]):
        visit = path[k]
        edge = edges[visit["edge"]]
        if edge["stamp"] == iteration:
            continue
        value = (payoffs[visit["player"]] - settings["offset"]) * settings["scale"]
        if settings["discount"] != 1.0:
            value *= settings["discount"] ** (decided - 1 - visit["decided"])
        nodes[visit["node"]]["visits"] += 1
        edge["stamp"] = iteration
        edge["visits"] += 1
        edge["total"] += value
        edge["squares"] += value * value


@jit
def average(state: int, plies: int) -> None:
    """Add what each player got to what the moves that it made are worth on average (MAST)."""
    s = open_state(state)
    play, settings = s["play"], s["settings"]
    trail, movers, payoffs = open_trail(state), open_movers(state), open_payoffs(state)
    all_moves = play["all_moves"]
    averages = array(play["averages"], 2 * play["players"] * all_moves, np.float64)
    for k in range(plies):
        player = np.int64(movers[k])
        if player != CHANCE:
            place = 2 * (player * all_moves + trail[k])
            averages[place] += (payoffs[player] - settings["offset"]) * settings["scale"]
            averages[place + 1] += 1.0


@jit
def begin(state: int) -> None:
    """Everyone where the recipe puts them at the root."""
    s = open_state(state)
    now, players = s["now"], s["play"]["players"]
    modes, inside = at.open_modes(state, players), at.open_inside(state, players)
    for p in range(players):
        inside[p] = modes[p]
    now["depth"], now["decisions"], now["left"], now["first"] = 0, 0, 0, 1
    s["play"]["decided"] = 0
    begin_reply(state)


@kernel(types.int64(types.intp, types.int64), "search", loop=True)
def search(state: int, iterations: int) -> int:
    """Grow the tables by up to `iterations`; says how it ended. Call again to go on."""
    s, control = open_state(state), at.open_control(state, 1)
    for _ in range(iterations):
        if control[0] != 0:
            return at.STOPPED
        if s["tree"]["room"] != 0 and crowded(state):
            return at.CROWDED
        label = place_world(state)
        begin(state)
        begin_histories(state, label)
        begin_watch(state, label)
        plies = simulate(state, label)
        if plies < 0:
            return at.ENDLESS
        if alarmed(state):
            return at.ALARMED
        backward(state)
        if s["play"]["averages"] != 0:
            average(state, plies)
        s["counts"]["iterations"] += 1
        s["counts"]["plies"] += plies
    return at.DONE
