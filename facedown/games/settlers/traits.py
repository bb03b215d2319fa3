"""Hand-picked numbers of positions and moves, by which choices are learnt (rule `traits`).

They are what a viewer knows of whoever acts: of himself his hand, of others what the memo has
proven of theirs and how many cards they hold beside (the paper's network "ignores all the
unknowns"). All are about 1 in size. The number of turns is not among them, for a node of the tree
does not know it.
"""

from __future__ import annotations

from typing import Any

from facedown.core import jit
from facedown.core.learning import Traits
from facedown.games.settlers import moves as m
from facedown.games.settlers import state as st
from facedown.games.settlers.building import LEAST_ARMY, LEAST_ROAD, path_through
from facedown.games.settlers.geometry import (
    EDGE_AT,
    EDGE_ENDS,
    HALF,
    NEIGHBOUR,
    NODE_HARBOUR,
)
from facedown.games.settlers.listing import asked_for, victims
from facedown.games.settlers.scripted.speed import DOTS, node_dots, pieces_at, player_dots
from facedown.games.settlers.state import (
    bit,
    count,
    first,
    has,
    road_count,
    size,
    total,
    unit,
    walls,
)

_RESOURCES = ("brick", "ore", "sheep", "wheat", "wood")
_GOALS = ("road", "settlement", "city", "card")

POSITION = (
    "own",
    *(f"known {name}" for name in _RESOURCES),
    "unknown cards",
    "cards",
    "points",
    "points of the best other",
    *(f"dots of {name}" for name in _RESOURCES),
    *(f"rate of {name}" for name in _RESOURCES),
    "roads left",
    "settlements left",
    "cities left",
    "places to settle",
    "longest road",
    "roads to the longest",
    "largest army",
    "knights to the largest",
    "development cards",
    "cards in the deck",
    "rolled",
    "offers made",
    "card played",
    *(f"cards missing for a {name}" for name in _GOALS),
)
KIND_TRAITS = m.K_CHANCE
MOVE = (
    *m.KINDS[:KIND_TRAITS],
    *(f"nearer to a {name}" for name in _GOALS),
    "dots",
    "dots of new resources",
    "harbour for any",
    "harbour of its own",
    "dots at the road's end",
    "dots beyond",
    "contested",
    "longer road",
    "cards given",
    "cards gotten",
    "left of what is given",
    "dots of what is gotten",
    "points of the other",
    "cards of the other",
    "surely has it",
    "surely has it not",
    "harm to others",
    "harm to oneself",
    "points of the robbed",
    "somebody to rob",
)
TRAITS = Traits(POSITION, MOVE)
(NEARER, NODE, ROAD, TRADE, OTHER, ROBBER) = (
    KIND_TRAITS,
    KIND_TRAITS + 4,
    KIND_TRAITS + 8,
    KIND_TRAITS + 12,
    KIND_TRAITS + 16,
    KIND_TRAITS + 20,
)
N_POSITION, N_MOVE = len(POSITION), len(MOVE)


# --- what is known --------------------------------------------------------------------------------


@jit
def known_hand(s: Any, memo: Any, viewer: int, player: int) -> int:
    """What a viewer knows a player to hold, packed."""
    if viewer == player:
        return s["hands"][player]  # type: ignore[no-any-return]
    hand = 0
    for resource in range(st.RESOURCES):
        hand += int(memo["low"][5 * player + resource]) * unit(resource)
    return hand


@jit
def _missing(hand: int, cost: int) -> int:
    """How many cards of a cost a packed hand lacks."""
    found = 0
    for resource in range(st.RESOURCES):
        found += max(count(cost, resource) - count(hand, resource), 0)
    return found


@jit
def _goal(k: int) -> int:
    """The cost of the k-th goal."""
    if k == 0:
        return st.ROAD_COST
    if k == 1:
        return st.SETTLEMENT_COST
    return st.CITY_COST if k == 2 else st.CARD_COST


@jit
def _tell_hand(s: Any, player: int, hand: int, own: bool, out: Any) -> None:
    """Whose hand it is, and what is known of it."""
    out[0] = 1.0 if own else 0.0
    for resource in range(st.RESOURCES):
        out[1 + resource] = 0.25 * count(hand, resource)
    out[6] = 0.25 * (int(s["held"][player]) - total(hand))
    out[7] = int(s["held"][player]) / 7.0


@jit
def _tell_economy(s: Any, player: int, out: Any) -> None:
    """Points, production and trade."""
    best = 0
    for other in range(st.PLAYERS):
        if other != player:
            best = max(best, int(s["points"][other]))
    out[8], out[9] = 0.1 * int(s["points"][player]), 0.1 * best
    dots = player_dots(s, player)
    for resource in range(st.RESOURCES):
        out[10 + resource] = 0.1 * count(dots, resource)
        out[15 + resource] = 0.5 * (4 - count(s["rates"][player], resource))


@jit
def _tell_pieces(s: Any, player: int, out: Any) -> None:
    """What is left to build, and how far the two bonuses are."""
    length, knights = LEAST_ROAD, LEAST_ARMY
    for other in range(st.PLAYERS):
        if other != player:
            length = max(length, int(s["lengths"][other]) + 1)
            knights = max(knights, int(s["knights"][other]) + 1)
    out[20] = (st.MOST_ROADS - road_count(s, player)) / 15.0
    out[21] = 0.2 * (st.MOST_SETTLEMENTS - size(s["settlements"][player]))
    out[22] = 0.25 * (st.MOST_CITIES - size(s["cities"][player]))
    out[23] = 0.25 * size(s["reach"][player] & ~s["blocked"])
    out[24] = 1.0 if s["longest"] == player else 0.0
    out[25] = 0.2 * (length - int(s["lengths"][player]))
    out[26] = 1.0 if s["army"] == player else 0.0
    out[27] = (knights - int(s["knights"][player])) / 3.0
    out[28], out[29] = int(s["unplayed"][player]) / 3.0, 0.04 * int(s["left"])
    out[30], out[31] = float(s["rolled"]), min(int(s["offers"]), 9) / 3.0
    out[32] = float(s["spent"])


# --- what a move does -----------------------------------------------------------------------------


@jit
def _terms(s: Any, player: int, move: int) -> tuple[int, int, int]:
    """What a player gives and gets by a move, packed, and the other player of it, -1 without."""
    if m.TRADE <= move < m.LAY:
        offer = (move - m.TRADE) % m.OFFERS
        return m.OFFER_GIVES[offer], m.OFFER_GETS[offer], (move - m.TRADE) // m.OFFERS
    if m.SWAP <= move < m.PLAY_PLENTY:
        given, rest = (move - m.SWAP) // 4, (move - m.SWAP) % 4
        gotten = rest + (1 if rest >= given else 0)
        return count(s["rates"][player], given) * unit(given), unit(gotten), -1
    if move == m.ACCEPT or move == m.REJECT or move == m.COUNTER:
        side = 0 if s["asker"] == s["player"] else 2
        return asked_for(s), s["terms"][side], int(s["asker"])
    if m.DISCARD <= move < m.ROB:
        return unit(move - m.DISCARD), 0, -1
    if m.PLAY_PLENTY <= move < m.PLAY_MONOPOLY:
        pair = move - m.PLAY_PLENTY
        return 0, unit(m.PAIR[pair, 0]) + unit(m.PAIR[pair, 1]), -1
    if m.PLAY_MONOPOLY <= move < m.DISCARD:
        return 0, unit(move - m.PLAY_MONOPOLY), -1
    if m.GIVE <= move < m.ASK:
        return unit(move - m.GIVE), 0, -1
    if m.ASK <= move < m.ADDRESS:
        return 0, unit(move - m.ASK), -1
    if m.ADDRESS <= move < m.TRADE:
        return 0, 0, move - m.ADDRESS
    return 0, 0, move - m.CHOOSE if m.CHOOSE <= move < m.GIVE else -1


@jit
def _tell_trade(s: Any, memo: Any, hand: int, dots: int, given: int, gotten: int, out: Any) -> None:
    """What cards go and come, and how much nearer that brings the goals."""
    after = hand + gotten
    for resource in range(st.RESOURCES):
        n = min(count(given, resource), count(after, resource))
        after -= n * unit(resource)
        if count(given, resource) > 0:
            out[TRADE + 2] += 0.25 * count(after, resource)
        out[TRADE + 3] += 0.1 * count(gotten, resource) * count(dots, resource)
    for k in range(4):
        out[NEARER + k] = 0.5 * (_missing(hand, _goal(k)) - _missing(after, _goal(k)))
    out[TRADE], out[TRADE + 1] = 0.5 * total(given), 0.5 * total(gotten)


@jit
def _tell_other(s: Any, memo: Any, viewer: int, other: int, gotten: int, out: Any) -> None:
    """Whom a move is about, and whether he has what it asks for."""
    out[OTHER], out[OTHER + 1] = 0.1 * int(s["points"][other]), int(s["held"][other]) / 7.0
    if gotten == 0:
        return
    surely, possible = 1.0, True
    for resource in range(st.RESOURCES):
        n, k = count(gotten, resource), 5 * other + resource
        least, most = int(memo["low"][k]), int(memo["high"][k])
        if viewer == other:
            least = count(s["hands"][other], resource)
            most = least
        if n > least:
            surely = 0.0
        possible = possible and n <= most
    out[OTHER + 2], out[OTHER + 3] = surely, 0.0 if possible else 1.0


@jit
def _tell_node(s: Any, player: int, node: int, dots: int, out: Any) -> None:
    """What a node pays."""
    paid = node_dots(s, node)
    out[NODE] = 0.1 * total(paid)
    for resource in range(st.RESOURCES):
        if count(dots, resource) == 0:
            out[NODE + 1] += 0.2 * count(paid, resource)
    place = NODE_HARBOUR[node]
    if place >= 0:
        kind = int(s["harbours"][place])
        if kind == st.GENERIC:
            out[NODE + 2] = 1.0
        elif kind >= 0:
            out[NODE + 3] = 0.1 * (count(dots, kind) + count(paid, kind))


@jit
def _tell_road(s: Any, player: int, edge: int, out: Any) -> None:
    """Where a road leads: the best free place at its end, and one edge further."""
    rivals, stops = 0, walls(s, player)
    for other in range(st.PLAYERS):
        if other != player:
            rivals |= s["reach"][other]
    for k in range(2):
        node = EDGE_ENDS[edge, k]
        if has(s["reach"][player], node):
            continue
        if not has(s["blocked"], node):
            out[ROAD] = max(out[ROAD], 0.1 * total(node_dots(s, node)))
        if has(rivals, node):
            out[ROAD + 2] = 1.0
        for slope in range(3):
            end = NEIGHBOUR[node, slope]
            if EDGE_AT[node, slope] >= 0 and end >= 0 and not has(s["blocked"], end):
                out[ROAD + 1] = max(out[ROAD + 1], 0.1 * total(node_dots(s, end)))
    low, high = s["roads"][2 * player], s["roads"][2 * player + 1]
    if edge >= HALF:
        high |= bit(edge - HALF)
    else:
        low |= bit(edge)
    longer = path_through(low, high, edge, stops) - int(s["lengths"][player])
    out[ROAD + 3] = 0.5 * max(longer, 0)


@jit
def _tell_robber(s: Any, player: int, hexagon: int, out: Any) -> None:
    """Whom the robber hurts on a hex, and how much."""
    dots = DOTS[int(s["numbers"][hexagon])]
    for other in range(st.PLAYERS):
        pieces = pieces_at(s, other, hexagon)
        if other == player:
            out[ROBBER + 1] = 0.1 * pieces * dots
        else:
            out[ROBBER] += 0.01 * pieces * dots * int(s["points"][other])
    found = victims(s, player, hexagon)
    out[ROBBER + 3] = 1.0 if found != 0 else 0.0
    while found != 0:
        other = first(found)
        found &= found - 1
        out[ROBBER + 2] = max(out[ROBBER + 2], 0.1 * int(s["points"][other]))


@jit
def _kind(s: Any, move: int) -> int:
    if s["phase"] == st.SETTLING or s["phase"] == st.PAVING:
        return m.K_PLACEMENT
    return int(m.KIND_OF[move])


@jit
def _cost(s: Any, move: int) -> int:
    """What a piece or a card costs here, packed."""
    if s["phase"] != st.ACTING:
        return 0
    if m.PAVE <= move < m.SWAP:
        return st.ROAD_COST
    if m.UPGRADE <= move < m.PAVE:
        return st.CITY_COST
    if m.SETTLE <= move < m.UPGRADE:
        return st.SETTLEMENT_COST
    return st.CARD_COST if move == m.BUY else 0


@jit
def _tell_place(s: Any, player: int, move: int, dots: int, out: Any) -> None:
    """Where a piece, or the robber, goes."""
    if m.SETTLE <= move < m.UPGRADE:
        _tell_node(s, player, move - m.SETTLE, dots, out)
    elif m.UPGRADE <= move < m.PAVE:
        _tell_node(s, player, move - m.UPGRADE, dots, out)
    elif m.PAVE <= move < m.SWAP:
        _tell_road(s, player, move - m.PAVE, out)
    elif m.ROB <= move < m.CHOOSE:
        _tell_robber(s, player, move - m.ROB, out)


def traits(v: Any, s: Any, memo: Any, viewer: int, moves: Any, out: Any) -> None:
    """Numbers of the position, then of each move, of whoever acts as the viewer knows him."""
    player = int(s["actor"])
    for k in range(len(out)):
        out[k] = 0.0
    if player < 0:
        return
    hand, dots = known_hand(s, memo, viewer, player), player_dots(s, player)
    _tell_hand(s, player, hand, viewer == player, out)
    _tell_economy(s, player, out)
    _tell_pieces(s, player, out)
    for k in range(4):
        out[33 + k] = 0.25 * _missing(hand, _goal(k))
    for j in range(len(moves)):
        move = int(moves[j])
        start = N_POSITION + j * N_MOVE
        row = out[start : start + N_MOVE]
        row[_kind(s, move)] = 1.0
        given, gotten, other = _terms(s, player, move)
        _tell_trade(s, memo, hand, dots, given + _cost(s, move), gotten, row)
        if other >= 0:
            _tell_other(s, memo, viewer, other, gotten, row)
        _tell_place(s, player, move, dots, row)
