"""Pieces on the board: roads, settlements and cities, the longest road, what they entitle to.

The length of a road is that of the longest path that uses no edge twice and passes through nobody
else's building (it may end at one). A new road can only lengthen paths that use it, so only those
are tried; after a settlement cuts a road, all are.
"""

from __future__ import annotations

from typing import Any

from facedown.core import jit
from facedown.games.settlers.geometry import (
    EDGE_AT,
    EDGE_ENDS,
    HALF,
    NEAR,
    NEIGHBOUR,
    NODE_EDGES,
    NODE_HARBOUR,
)
from facedown.games.settlers.state import (
    GENERIC,
    NONE,
    PLAYERS,
    RESOURCES,
    bit,
    count,
    first,
    has,
    size,
    unit,
    walls,
)

LEAST_ROAD, LEAST_ARMY, BONUS = 5, 3, 2


@jit
def has_edge(low: int, high: int, edge: int) -> bool:
    """Whether a set of edges, as its two words, has an edge."""
    if edge >= HALF:
        return has(high, edge - HALF)
    return has(low, edge)


@jit
def _toggled(low: int, high: int, edge: int) -> tuple[int, int]:
    """The set with an edge that it lacked, or without one that it had."""
    if edge >= HALF:
        return low, high ^ bit(edge - HALF)
    return low ^ bit(edge), high


@jit
def reach_from(low: int, high: int, node: int, stops: int) -> int:
    """The longest path from a node along the given edges, each used once; `stops` end it.

    The node itself is no stop. Depth first, without a stack: going back along a slope is going
    along it again, so the slopes taken, two bits each, are all there is to remember.
    """
    best, depth, path, slope = 0, 0, 0, 0
    while True:
        if slope < 3:
            edge = EDGE_AT[node, slope]
            if edge >= 0 and has_edge(low, high, edge):
                low, high = _toggled(low, high, edge)
                node = NEIGHBOUR[node, slope]
                path = (path << 2) | slope
                depth += 1
                best = max(best, depth)
                slope = 3 if has(stops, node) else 0
            else:
                slope += 1
        elif depth == 0:
            return best
        else:
            slope = path & 3
            path >>= 2
            depth -= 1
            edge = EDGE_AT[node, slope]
            node = NEIGHBOUR[node, slope]
            low, high = _toggled(low, high, edge)
            slope += 1


@jit
def path_through(low: int, high: int, edge: int, stops: int) -> int:
    """The longest path that uses `edge`, of the given edges, which have it.

    On one side of the edge all paths are tried; what can still be joined on its other side is
    looked at where it may matter. On the way the search is that of `reach_from`.
    """
    low, high = _toggled(low, high, edge)
    other, node = EDGE_ENDS[edge, 0], EDGE_ENDS[edge, 1]
    most = 0 if has(stops, other) else reach_from(low, high, other, stops)
    best = 1 + most
    depth, path, slope = 0, 0, 3 if has(stops, node) else 0
    while True:
        if slope < 3:
            edge = EDGE_AT[node, slope]
            if edge >= 0 and has_edge(low, high, edge):
                low, high = _toggled(low, high, edge)
                node = NEIGHBOUR[node, slope]
                path = (path << 2) | slope
                depth += 1
                if depth + 1 + most > best:
                    joined = 0 if most == 0 else reach_from(low, high, other, stops)
                    best = max(best, depth + 1 + joined)
                slope = 3 if has(stops, node) else 0
            else:
                slope += 1
        elif depth == 0:
            return best
        else:
            slope = path & 3
            path >>= 2
            depth -= 1
            edge = EDGE_AT[node, slope]
            node = NEIGHBOUR[node, slope]
            low, high = _toggled(low, high, edge)
            slope += 1


@jit
def longest_path(low: int, high: int, reach: int, stops: int) -> int:
    """The longest path of the given edges, whose ends are the nodes of `reach`."""
    best = 0
    while reach != 0:
        node = first(reach)
        reach &= reach - 1
        best = max(best, reach_from(low, high, node, stops))
    return best


@jit
def _award_road(s: Any) -> None:
    """Who holds the longest road now: the holder while nobody's is longer, else a sole leader."""
    best, leaders, leader = LEAST_ROAD - 1, 0, NONE
    for player in range(PLAYERS):
        length = int(s["lengths"][player])
        if length > best:
            best, leaders, leader = length, 1, player
        elif length == best and leaders > 0:
            leaders += 1
    holder = int(s["longest"])
    if holder != NONE and leaders > 0 and int(s["lengths"][holder]) == best:
        return
    if leaders != 1:
        leader = NONE
    if leader != holder:
        if holder != NONE:
            s["points"][holder] -= BONUS
        if leader != NONE:
            s["points"][leader] += BONUS
        s["longest"] = leader


@jit
def award_army(s: Any, player: int) -> None:
    """After a knight of the player: the largest army changes hands to a strictly larger one."""
    holder, knights = int(s["army"]), int(s["knights"][player])
    if holder == player or knights < LEAST_ARMY:
        return
    if holder == NONE or knights > int(s["knights"][holder]):
        if holder != NONE:
            s["points"][holder] -= BONUS
        s["points"][player] += BONUS
        s["army"] = player


@jit
def _open(s: Any, player: int, node: int) -> None:
    """The edges of a node that the player's network leads to."""
    s["frontier"][2 * player] |= NODE_EDGES[node, 0]
    s["frontier"][2 * player + 1] |= NODE_EDGES[node, 1]


@jit
def place_road(s: Any, player: int, edge: int) -> None:
    """Put a road on the board; the longest road may change hands."""
    word, mark = 2 * player, bit(edge)
    if edge >= HALF:
        word, mark = word + 1, bit(edge - HALF)
    s["roads"][word] |= mark
    s["taken"][word & 1] |= mark
    stops = walls(s, player)
    for k in range(2):
        node = EDGE_ENDS[edge, k]
        s["reach"][player] |= bit(node)
        if not has(stops, node):
            _open(s, player, node)
    length = path_through(s["roads"][2 * player], s["roads"][2 * player + 1], edge, stops)
    if length > int(s["lengths"][player]):
        s["lengths"][player] = length
        if length >= LEAST_ROAD:
            _award_road(s)


@jit
def _cut(s: Any, player: int, node: int) -> None:
    """Somebody else has built on a node at the player's roads."""
    stops = walls(s, player)
    s["frontier"][2 * player], s["frontier"][2 * player + 1] = 0, 0
    nodes = s["reach"][player] & ~stops
    while nodes != 0:
        _open(s, player, first(nodes))
        nodes &= nodes - 1
    low, high = s["roads"][2 * player], s["roads"][2 * player + 1]
    there = size(low & NODE_EDGES[node, 0]) + size(high & NODE_EDGES[node, 1])
    if there >= 2:
        s["lengths"][player] = longest_path(low, high, s["reach"][player], stops)


@jit
def place_settlement(s: Any, player: int, node: int) -> None:
    """Put a settlement on the board, which may cut others' roads."""
    s["settlements"][player] |= bit(node)
    s["blocked"] |= NEAR[node]
    s["points"][player] += 1
    _dock(s, player, node)
    touched = False
    for other in range(PLAYERS):
        if other != player and has(s["reach"][other], node):
            _cut(s, other, node)
            touched = True
    if touched:
        _award_road(s)


@jit
def _dock(s: Any, player: int, node: int) -> None:
    """What a building at a harbour does for the player's trades with the bank."""
    place = NODE_HARBOUR[node]
    if place < 0:
        return
    kind, rates = int(s["harbours"][place]), s["rates"][player]
    for resource in range(RESOURCES):
        rate = 2 if kind == resource else 3 if kind == GENERIC else 4
        now = count(rates, resource)
        if rate < now:
            rates -= (now - rate) * unit(resource)
    s["rates"][player] = rates


@jit
def place_city(s: Any, player: int, node: int) -> None:
    """Turn a settlement into a city; the settlement goes back to the player."""
    s["settlements"][player] &= ~bit(node)
    s["cities"][player] |= bit(node)
    s["points"][player] += 1
