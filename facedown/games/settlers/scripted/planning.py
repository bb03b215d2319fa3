"""What the scripted player settles first, and the plan that wins soonest."""

from __future__ import annotations

from typing import Any

from facedown.core import jit
from facedown.games.settlers import moves as m
from facedown.games.settlers import state as st
from facedown.games.settlers.building import LEAST_ARMY, LEAST_ROAD
from facedown.games.settlers.geometry import EDGE_AT, NEAR, NEIGHBOUR
from facedown.games.settlers.listing import ALL_NODES
from facedown.games.settlers.scripted.speed import (
    ALL,
    beside,
    is_taken,
    longer_road,
    node_dots,
    pace,
    player_dots,
    rates_with,
    road_to,
    rolls,
)
from facedown.games.settlers.state import (
    bit,
    count,
    first,
    has,
    road_count,
    size,
    total,
    victory_cards,
    walls,
)

PATIENCE = 0.5
"""How much of a roll's production a card that is spent counts for: it is missed later."""
DELAY = 1.5
"""Rolls lost where a building cannot be paid at once: one builds in one's own turn alone."""
CONTEST = 4.0
"""Rolls lost, in the mean, at a place that somebody else may take first."""
OTHER_SPOT = 0x0202020202
"""The second settlement, while the first is placed: two dots of each resource."""
SETTLE_AT, CITY, CARD, LONGEST, OPTIONS = 0, 3, 4, 5, 6
"""What can be planned: a settlement, behind none, one or two roads; a city; a card; the longest
road."""
PAVING_ONLY = (1 << SETTLE_AT + 1) | (1 << SETTLE_AT + 2) | (1 << LONGEST)
ANYTHING = (1 << OPTIONS) - 1


# --- the start ------------------------------------------------------------------------------------


@jit
def _outlook(s: Any, node: int) -> int:
    """Dots of the best place that two roads from a node lead to, were it settled."""
    best, gone = 0, s["blocked"] | NEAR[node]
    for one in range(3):
        step = NEIGHBOUR[node, one]
        for two in range(3):
            if step >= 0 and NEIGHBOUR[step, two] >= 0 and not has(gone, NEIGHBOUR[step, two]):
                best = max(best, total(node_dots(s, NEIGHBOUR[step, two])))
    return best


@jit
def first_places(s: Any, me: int) -> int:
    """The node of the start that makes points fastest, with what is there or will be."""
    free, best, highest = ALL_NODES & ~s["blocked"], 0, -1.0e9
    other = OTHER_SPOT if s["settlements"][me] == 0 else player_dots(s, me)
    while free != 0:
        node = first(free)
        free &= free - 1
        dots = node_dots(s, node)
        score = -pace(other + dots, rates_with(s, s["rates"][me], node))
        score += 0.25 * total(dots) + 0.1 * _outlook(s, node)
        if score > highest:
            best, highest = node, score
    return m.SETTLE + best


@jit
def first_road(s: Any) -> int:
    """The road of the start: towards the best place that it can lead to."""
    node, best, highest = int(s["spot"]), 0, -1
    for one in range(3):
        edge, step = EDGE_AT[node, one], NEIGHBOUR[node, one]
        if edge < 0 or is_taken(s, edge):
            continue
        score = 0
        for two in range(3):
            end = NEIGHBOUR[step, two]
            if end >= 0 and not has(s["blocked"], end):
                score = max(score, total(node_dots(s, end)))
        if score > highest:
            best, highest = edge, score
    return m.PAVE + best


# --- the plan -------------------------------------------------------------------------------------


@jit
def _card_gain(s: Any, me: int) -> float:
    """What a development card is worth, in points: victory, progress, and the largest army."""
    gain = 0.2 + 0.08
    if s["army"] == me or s["unplayed"][me] > 2:
        return gain
    wanted = LEAST_ARMY
    for player in range(st.PLAYERS):
        wanted = max(wanted, int(s["knights"][player]) + (1 if player != me else 0))
    wanted -= int(s["knights"][me]) + count(s["cards"][me], st.KNIGHT)
    return gain + (0.6 / (wanted * wanted) if wanted > 0 else 0.0)


@jit
def _roads_to_longest(s: Any, me: int) -> int:
    """How many roads are missing to the longest, 0 for whoever has it."""
    if s["longest"] == me:
        return 0
    wanted = LEAST_ROAD
    for player in range(st.PLAYERS):
        if player != me:
            wanted = max(wanted, int(s["lengths"][player]) + 1)
    return wanted - int(s["lengths"][me])


@jit
def _rivals(s: Any, me: int) -> int:
    """The nodes that others' roads lead to."""
    found = 0
    for player in range(st.PLAYERS):
        if player != me:
            found |= s["reach"][player]
    return found


@jit
def _cost_of(option: int, roads: int) -> int:
    """What an option costs in all; the longest road is `roads` away."""
    if option == CITY:
        return st.CITY_COST
    if option == CARD:
        return st.CARD_COST
    if option == LONGEST:
        return roads * st.ROAD_COST
    return st.SETTLEMENT_COST + option * st.ROAD_COST


@jit
def fastest_plan(
    s: Any, me: int, hand: int, options: int, dots: int
) -> tuple[float, int, int, int]:
    """The best of the options for a hand: rolls to win, the whole cost, its first move, its price.

    The move is -1 where nothing can be built.
    """
    rates, stops = s["rates"][me], walls(s, me)
    needed = float(st.TO_WIN - int(s["points"][me]) - victory_cards(s, me))
    card_rolls = PATIENCE * ALL / max(total(dots), 1)
    settled, paved = size(s["settlements"][me]), road_count(s, me)
    level, seen, rivals = s["reach"][me], s["reach"][me], _rivals(s, me)
    missing, way, length = _roads_to_longest(s, me), -1, 0
    if missing > 0 and missing <= st.MOST_ROADS - paved and missing < LEAST_ROAD:
        way, length = longer_road(s, me, stops)
    best, cost, kind, where = 1.0e9, 0, -1, 0
    for option in range(OPTIONS):
        places, gain = bit(0), 1.0
        if option < CITY:
            if option > 0:
                level = beside(s, level, stops) & ~seen
                seen |= level
            places = level & ~s["blocked"]
            if settled >= st.MOST_SETTLEMENTS or paved + option > st.MOST_ROADS:
                places = 0
        elif option == CITY:
            places = s["settlements"][me] if size(s["cities"][me]) < st.MOST_CITIES else 0
        elif option == CARD:
            places, gain = bit(0) if s["left"] > 0 else 0, _card_gain(s, me)
        elif length <= s["lengths"][me]:
            places = 0
        else:
            gain = 2.0
        if places == 0 or not has(options, option):
            continue
        price = _cost_of(option, missing)
        wait = rolls(hand, price, dots, rates)
        spent = card_rolls * (total(price) - total(hand))
        begin = (1.0 - PATIENCE) * (wait + DELAY if wait > 0 else 0.0) + spent
        left = max(needed - gain, 0.0)
        while places != 0:
            node = first(places)
            places &= places - 1
            more, better, time = dots, rates, begin
            if option <= CITY:
                more += node_dots(s, node)
            if option < CITY:
                better = rates_with(s, rates, node)
                if has(rivals, node) or (option > 0 and rivals & NEAR[node] != 0):
                    time += CONTEST if option > 0 else -CONTEST
            time += left * pace(more, better)
            if time < best:
                best, cost, kind, where = time, price, option, node
    move, pay = -1, cost
    if kind == LONGEST:
        move, pay = m.PAVE + way, st.ROAD_COST
    elif kind == CARD:
        move = m.BUY
    elif kind == CITY:
        move = m.UPGRADE + where
    elif kind == SETTLE_AT:
        move = m.SETTLE + where
    elif kind >= 0:
        move, pay = m.PAVE + road_to(s, me, where, stops), st.ROAD_COST
    return best, cost, move, pay
