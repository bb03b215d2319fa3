"""What the scripted player reckons with: dots of nodes and players, rolls until a cost is there.

*Dots* are the ways of 36 in which the dice pay a card, packed by resource like a hand. A hand grows
by its dots with every roll, what it lacks is swapped at the bank's rates from what it has too much
of: that is how long a building takes (`rolls`), as in JSettlers' estimate of building speed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import jit
from facedown.games.settlers import state as st
from facedown.games.settlers.building import path_through
from facedown.games.settlers.geometry import (
    EDGE_AT,
    EDGE_ENDS,
    HALF,
    HEX_MASK,
    HEXES,
    NEIGHBOUR,
    NODE_HARBOUR,
    NODE_HEXES,
)
from facedown.games.settlers.state import bit, count, first, has, size, total, unit

ALL = 36  # throws of two dice
MOST_ROLLS = 511
"""Longer than anybody waits."""
BASKET = st.CITY_COST + st.SETTLEMENT_COST + 2 * st.ROAD_COST + st.CARD_COST
BASKET_POINTS = 2.8
"""What is paid on the way to the win, and how many points such a basket brings."""

DOTS = np.array([0, 0, 1, 2, 3, 4, 5, 0, 5, 4, 3, 2, 1], np.int64)
"""[number]: in how many ways of 36 the dice show it; 0 where there is no token."""


# --- production -----------------------------------------------------------------------------------


@jit
def node_dots(s: Any, node: int) -> int:
    """What a settlement on a node is paid, whoever stands there; packed dots."""
    found = 0
    for k in range(3):
        hexagon = NODE_HEXES[node, k]
        if hexagon >= 0 and s["numbers"][hexagon] > 0:
            found += DOTS[s["numbers"][hexagon]] * unit(int(s["hexes"][hexagon]))
    return found


@jit
def pieces_at(s: Any, player: int, hexagon: int) -> int:
    """How many cards a hex pays a player."""
    mask = HEX_MASK[hexagon]
    return size(s["settlements"][player] & mask) + 2 * size(s["cities"][player] & mask)


@jit
def player_dots(s: Any, player: int) -> int:
    """What a player's buildings are paid, the robber left out of account; packed dots."""
    found = 0
    for hexagon in range(HEXES):
        number = int(s["numbers"][hexagon])
        if number > 0:
            paid = pieces_at(s, player, hexagon)
            if paid > 0:
                found += paid * DOTS[number] * unit(int(s["hexes"][hexagon]))
    return found


@jit
def rates_with(s: Any, rates: int, node: int) -> int:
    """The bank's rates for whoever builds on a node besides."""
    place = NODE_HARBOUR[node]
    if place < 0:
        return rates
    kind = int(s["harbours"][place])
    for resource in range(st.RESOURCES):
        rate = 2 if kind == resource else 3 if kind == st.GENERIC else 4
        rates -= max(count(rates, resource) - rate, 0) * unit(resource)
    return rates


# --- speed ----------------------------------------------------------------------------------------


@jit
def _lacks(hand: int, cost: int, dots: int, rates: int, n: int) -> bool:
    """Whether a hand falls short of a cost after n rolls, all swaps made."""
    balance = 0
    for resource in range(st.RESOURCES):
        spare = count(hand, resource) + count(dots, resource) * n // ALL - count(cost, resource)
        balance += spare if spare < 0 else spare // count(rates, resource)
    return balance < 0


@jit
def rolls(hand: int, cost: int, dots: int, rates: int) -> int:
    """After how many rolls a hand that grows by its dots covers a cost, swaps included."""
    low, high = 0, MOST_ROLLS
    while low < high:
        middle = (low + high) >> 1
        if _lacks(hand, cost, dots, rates, middle):
            low = middle + 1
        else:
            high = middle
    return low


@jit
def pace(dots: int, rates: int) -> float:
    """Rolls for a point, in the long run, with such a production."""
    return rolls(0, BASKET, dots, rates) / BASKET_POINTS


# --- ways -----------------------------------------------------------------------------------------


@jit
def is_taken(s: Any, edge: int) -> bool:
    """Whether an edge has a road."""
    return has(s["taken"][1], edge - HALF) if edge >= HALF else has(s["taken"][0], edge)


@jit
def beside(s: Any, nodes: int, walls: int) -> int:
    """The nodes that are one free edge further, past nobody else's building."""
    found = 0
    nodes &= ~walls
    while nodes != 0:
        node = first(nodes)
        nodes &= nodes - 1
        for slope in range(3):
            edge = EDGE_AT[node, slope]
            if edge >= 0 and not is_taken(s, edge):
                found |= bit(NEIGHBOUR[node, slope])
    return found


@jit
def road_to(s: Any, player: int, node: int, walls: int) -> int:
    """The first edge of a shortest way for a player's roads to a node, -1 where there is none."""
    mine, level, seen = s["reach"][player] & ~walls, bit(node), bit(node)
    while level != 0:
        ahead = 0
        while level != 0:
            here = first(level)
            level &= level - 1
            for slope in range(3):
                edge = EDGE_AT[here, slope]
                if edge < 0 or is_taken(s, edge):
                    continue
                if has(mine, NEIGHBOUR[here, slope]):
                    return edge  # type: ignore[no-any-return]
                ahead |= bit(NEIGHBOUR[here, slope])
        level = ahead & ~seen & ~walls
        seen |= ahead
    return -1


@jit
def longer_road(s: Any, player: int, walls: int) -> tuple[int, int]:
    """The edge that makes a player's longest road longest, and its length then; -1 without one.

    Among equals one from which it goes on.
    """
    best, highest = -1, 0
    low, high = s["roads"][2 * player], s["roads"][2 * player + 1]
    for word in range(2):
        edges = s["frontier"][2 * player + word] & ~s["taken"][word]
        while edges != 0:
            edge = first(edges) + HALF * word
            mark = edges & -edges
            edges &= edges - 1
            length = path_through(
                low | (mark if word == 0 else 0), high | (mark if word == 1 else 0), edge, walls
            )
            score = 8 * length + _goes_on(s, edge, walls)
            if score > highest:
                best, highest = edge, score
    return best, highest >> 3


@jit
def _goes_on(s: Any, edge: int, walls: int) -> int:
    """From how many free edges a new road could be prolonged."""
    found = 0
    for k in range(2):
        node = EDGE_ENDS[edge, k]
        if not has(walls, node):
            for slope in range(3):
                other = EDGE_AT[node, slope]
                if other >= 0 and other != edge and not is_taken(s, other):
                    found += 1
    return found


# --- others ---------------------------------------------------------------------------------------


@jit
def likely(s: Any, player: int, resource: int) -> float:
    """How many cards of a resource a player may hold, by his production and his hand's size."""
    dots = player_dots(s, player)
    return float(s["held"][player]) * (count(dots, resource) + 0.5) / (total(dots) + 2.5)
