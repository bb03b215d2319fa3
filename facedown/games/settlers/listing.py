"""What players can do: the kinds of legal moves as bits, and the moves of one kind.

`legal` lists the moves of every kind in the order of the kinds, so the two agree with it. What is
asked of the position is what the player to act sees on his own view.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import jit
from facedown.games.settlers import moves as m
from facedown.games.settlers import state as st
from facedown.games.settlers.economy import kinds_in, top_kind
from facedown.games.settlers.geometry import HALF, HEX_MASK, HEXES, NODE_EDGES
from facedown.games.settlers.state import (
    bit,
    buildings,
    count,
    covers,
    first,
    has,
    road_count,
    size,
    victory_cards,
)

ALL_NODES = (1 << 54) - 1


# --- conditions -----------------------------------------------------------------------------------


@jit
def wins(s: Any) -> bool:
    """Whether whoever acts, in his own turn, has the points to win."""
    player = int(s["player"])
    if s["actor"] != player:
        return False
    return int(s["points"][player]) + victory_cards(s, player) >= st.TO_WIN


@jit
def can_pave(s: Any, player: int) -> bool:
    """Whether a player has a road left and a place for it."""
    low = s["frontier"][2 * player] & ~s["taken"][0]
    high = s["frontier"][2 * player + 1] & ~s["taken"][1]
    return (low | high) != 0 and road_count(s, player) < st.MOST_ROADS


@jit
def _can_settle(s: Any, player: int) -> bool:
    if s["reach"][player] & ~s["blocked"] == 0:
        return False
    return size(s["settlements"][player]) < st.MOST_SETTLEMENTS


@jit
def _can_upgrade(s: Any, player: int) -> bool:
    return s["settlements"][player] != 0 and size(s["cities"][player]) < st.MOST_CITIES


@jit
def playable(s: Any, player: int) -> int:
    """Development cards that may be played now, packed; victory cards are never played."""
    if s["spent"] != 0:
        return 0
    return s["cards"][player] - s["fresh"]  # type: ignore[no-any-return]


@jit
def swappable(s: Any, player: int) -> int:
    """The top bits of the resources of which a player has enough for the bank."""
    return ((s["hands"][player] | st.TOPS) - s["rates"][player]) & st.TOPS  # type: ignore[no-any-return]


@jit
def victims(s: Any, thief: int, hexagon: int) -> int:
    """Who can be robbed on a hex: others with a building there and a card, a bit each."""
    found, mask = 0, HEX_MASK[hexagon]
    for other in range(st.PLAYERS):
        if other != thief and s["held"][other] > 0 and buildings(s, other) & mask != 0:
            found |= bit(other)
    return found


@jit
def asked_for(s: Any) -> int:
    """What the offer on the table asks of whoever answers it, packed."""
    return s["terms"][1] if s["asker"] == s["player"] else s["terms"][3]  # type: ignore[no-any-return]


# --- kinds ----------------------------------------------------------------------------------------


@jit
def _card_kinds(s: Any, player: int) -> int:
    cards, found = playable(s, player), 0
    if cards == 0:
        return 0
    if count(cards, st.KNIGHT) > 0:
        found |= bit(m.K_KNIGHT)
    if count(cards, st.ROAD_BUILDING) > 0 and can_pave(s, player):
        found |= bit(m.K_ROADS)
    if count(cards, st.PLENTY) > 0 and s["stock"] != 0:
        found |= bit(m.K_PLENTY)
    if count(cards, st.MONOPOLY) > 0:
        found |= bit(m.K_MONOPOLY)
    return found


@jit
def _can_trade(v: Any, s: Any, player: int) -> bool:
    """Whether a player may make an offer in his turn."""
    if v["offers"] == st.TABLE_OFFERS:
        return int(s["offers"]) < st.TABLE_LIMIT
    if v["offers"] == st.NO_OFFERS or s["offers"] >= st.PAPER_LIMIT:
        return False
    held = 0
    for other in range(st.PLAYERS):
        held += int(s["held"][other])
    return held > int(s["held"][player])


@jit
def _acting_kinds(v: Any, s: Any, player: int) -> int:
    found, hand = bit(m.K_END) | _card_kinds(s, player), s["hands"][player]
    if hand == 0:
        return found
    if covers(hand, st.ROAD_COST):
        if can_pave(s, player):
            found |= bit(m.K_ROAD)
        if covers(hand, st.SETTLEMENT_COST) and _can_settle(s, player):
            found |= bit(m.K_SETTLEMENT)
    if covers(hand, st.CARD_COST) and s["left"] > 0:
        found |= bit(m.K_BUY)
    if covers(hand, st.CITY_COST) and _can_upgrade(s, player):
        found |= bit(m.K_CITY)
    given, stock = swappable(s, player), s["stock"]
    if given != 0 and stock != 0 and (given & (given - 1) != 0 or given != stock):
        found |= bit(m.K_PORT)
    if _can_trade(v, s, player):
        found |= bit(m.K_TRADE)
    return found


@jit
def _answer_kinds(v: Any, s: Any, actor: int) -> int:
    found = bit(m.K_REJECT)
    if covers(s["hands"][actor], asked_for(s)):
        found |= bit(m.K_ACCEPT)
    able = s["held"][actor] > 0 and s["offers"] < st.TABLE_LIMIT
    if v["offers"] == st.TABLE_OFFERS and s["asker"] == s["player"] and able:
        found |= bit(m.K_COUNTER)
    return found


@jit
def _side(s: Any) -> int:
    """Where in `terms` the offer lies that is being made up."""
    return 0 if s["asker"] == s["player"] else 2


@jit
def _givable(s: Any, actor: int, resource: int) -> bool:
    """Whether one more of a resource may be added to what an offer gives.

    Steps go in the order of the resources, gifts first, so that an offer is made up in one way.
    """
    side = _side(s)
    gives, gets = s["terms"][side], s["terms"][side + 1]
    if gets != 0 or resource < top_kind(gives):
        return False
    if count(s["hands"][actor], resource) <= count(gives, resource):
        return False
    return count(gives, resource) > 0 or kinds_in(gives) < st.RESOURCES - 1


@jit
def _askable(s: Any, resource: int) -> bool:
    """Whether one more of a resource may be added to what an offer asks for."""
    side = _side(s)
    gives, gets = s["terms"][side], s["terms"][side + 1]
    if gives == 0 or (s["to"] != 0 and side == 0) or resource < top_kind(gets):
        return False
    return count(gives, resource) == 0 and count(gets, resource) < 19


@jit
def _addressable(v: Any, s: Any, player: int) -> bool:
    """Whether one more player may be named who may accept an offer; in the order of seats."""
    if s["asker"] != s["player"] or s["terms"][1] == 0 or player == s["player"]:
        return False
    return bool(player < v["players"] and s["to"] >> player == 0)


@jit
def _composing_kinds(v: Any, s: Any, actor: int) -> int:
    found = bit(m.K_CANCEL)
    for resource in range(st.RESOURCES):
        if _givable(s, actor, resource):
            found |= bit(m.K_GIVE)
        if _askable(s, resource):
            found |= bit(m.K_ASK)
    for player in range(st.PLAYERS):
        if _addressable(v, s, player):
            found |= bit(m.K_ADDRESS)
    side = _side(s)
    if s["terms"][side + 1] != 0 and (side == 2 or s["to"] != 0):
        found |= bit(m.K_PROPOSE)
    return found


@jit
def player_kinds(v: Any, s: Any) -> int:
    """The kinds of legal moves of the player to act, a bit each."""
    phase, actor = int(s["phase"]), int(s["actor"])
    if phase == st.ANSWERING:
        return _answer_kinds(v, s, actor)
    if phase == st.COMPOSING:
        return _composing_kinds(v, s, actor)
    if phase == st.DISCARDING:
        return bit(m.K_DISCARD)
    if phase == st.SETTLING or phase == st.PAVING:
        return bit(m.K_PLACEMENT)
    if wins(s):
        return bit(m.K_CLAIM)
    if phase == st.ACTING:
        return _acting_kinds(v, s, actor)
    if phase == st.BEFORE:
        return bit(m.K_ROLL) | _card_kinds(s, actor)
    if phase == st.PAVING_FREE:
        return bit(m.K_ROAD)
    return bit(m.K_ROBBER) if phase == st.ROBBING else bit(m.K_VICTIM)


# --- moves ----------------------------------------------------------------------------------------


@jit
def _list_set(moves: Any, n: int, members: int, shift: int) -> int:
    while members != 0:
        moves[n] = shift + first(members)
        members &= members - 1
        n += 1
    return n


@jit
def _list_span(moves: Any, n: int, low: int, span: int) -> int:
    for k in range(span):
        moves[n + k] = low + k
    return n + span


@jit
def _list_edges(moves: Any, n: int, low: int, high: int) -> int:
    return _list_set(moves, _list_set(moves, n, low, m.PAVE), high, m.PAVE + HALF)


@jit
def _list_roads(s: Any, player: int, moves: Any, n: int) -> int:
    low = s["frontier"][2 * player] & ~s["taken"][0]
    high = s["frontier"][2 * player + 1] & ~s["taken"][1]
    return _list_edges(moves, n, low, high)


@jit
def _list_placement(s: Any, moves: Any, n: int) -> int:
    if s["phase"] == st.SETTLING:
        return _list_set(moves, n, ALL_NODES & ~s["blocked"], m.SETTLE)
    low = NODE_EDGES[s["spot"], 0] & ~s["taken"][0]
    high = NODE_EDGES[s["spot"], 1] & ~s["taken"][1]
    return _list_edges(moves, n, low, high)


@jit
def _list_swaps(s: Any, player: int, moves: Any, n: int) -> int:
    given, stock = swappable(s, player), s["stock"]
    for a in range(st.RESOURCES):
        if not has(given, 8 * a + 7):
            continue
        for b in range(st.RESOURCES):
            if b != a and has(stock, 8 * b + 7):
                moves[n] = m.SWAP + 4 * a + b - (1 if b > a else 0)
                n += 1
    return n


@jit
def _list_plenty(s: Any, moves: Any, n: int) -> int:
    stock = s["stock"]
    for pair in range(m.PAIRS):
        if has(stock, 8 * m.PAIR[pair, 0] + 7) and has(stock, 8 * m.PAIR[pair, 1] + 7):
            moves[n] = m.PLAY_PLENTY + pair
            n += 1
    return n


@jit
def _list_offers(hand: int, low: int, asked: int, moves: Any, n: int) -> int:
    """The paper's offers that a hand covers, to a player who has `asked` cards or more."""
    for r in range(st.RESOURCES):
        have = count(hand, r)
        if have > 0:
            span = m.SINGLE_SPAN if asked > 1 else m.SINGLE_ONES
            n = _list_span(moves, n, low + m.SINGLE_SPAN * r, span)
        if have > 1:
            n = _list_span(moves, n, low + m.DOUBLE_FIRST + m.DOUBLE_SPAN * r, m.DOUBLE_SPAN)
    for k in range(len(m.BOTH)):
        if count(hand, m.BOTH[k, 0]) > 0 and count(hand, m.BOTH[k, 1]) > 0:
            n = _list_span(moves, n, low + m.BOTH_FIRST + m.BOTH_SPAN * k, m.BOTH_SPAN)
    return n


@jit
def _list_trades(v: Any, s: Any, player: int, moves: Any, n: int) -> int:
    if v["offers"] == st.TABLE_OFFERS:
        moves[n] = m.COMPOSE
        return n + 1
    for other in range(st.PLAYERS):
        held = int(s["held"][other])
        if other != player and held > 0:
            low = m.TRADE + m.OFFERS * other
            n = _list_offers(s["hands"][player], low, held, moves, n)
    return n


@jit
def _list_terms(v: Any, s: Any, kind: int, moves: Any, n: int) -> int:
    if kind == m.K_ADDRESS:
        for player in range(st.PLAYERS):
            if _addressable(v, s, player):
                moves[n] = m.ADDRESS + player
                n += 1
        return n
    for resource in range(st.RESOURCES):
        if kind == m.K_GIVE and _givable(s, int(s["actor"]), resource):
            moves[n] = m.GIVE + resource
            n += 1
        elif kind == m.K_ASK and _askable(s, resource):
            moves[n] = m.ASK + resource
            n += 1
    return n


@jit
def _list_robber(s: Any, moves: Any, n: int) -> int:
    for hexagon in range(HEXES):
        if hexagon != s["robber"]:
            moves[n] = m.ROB + hexagon
            n += 1
    return n


@jit
def _list_discards(s: Any, player: int, moves: Any, n: int) -> int:
    for resource in range(st.RESOURCES):
        if count(s["hands"][player], resource) > 0:
            moves[n] = m.DISCARD + resource
            n += 1
    return n


_SINGLE = np.full(len(m.KINDS), -1, np.int64)
for _kind, _move in (
    (m.K_END, m.END),
    (m.K_BUY, m.BUY),
    (m.K_KNIGHT, m.PLAY_KNIGHT),
    (m.K_ROADS, m.PLAY_ROADS),
    (m.K_ROLL, m.ROLL),
    (m.K_ACCEPT, m.ACCEPT),
    (m.K_REJECT, m.REJECT),
    (m.K_CLAIM, m.CLAIM),
    (m.K_COUNTER, m.COUNTER),
    (m.K_PROPOSE, m.PROPOSE),
    (m.K_CANCEL, m.CANCEL),
):
    _SINGLE[_kind] = _move
SINGLE = _SINGLE
"""[kind]: the one move of that kind, -1 where there can be several."""


@jit
def list_kind(v: Any, s: Any, kind: int, moves: Any, n: int) -> int:
    """List a player's moves of a kind that is legal, from place `n` on; the place after them."""
    actor = int(s["actor"])
    if SINGLE[kind] >= 0:
        moves[n] = SINGLE[kind]
        return n + 1
    if kind == m.K_ROAD:
        return _list_roads(s, actor, moves, n)
    if kind == m.K_TRADE:
        return _list_trades(v, s, actor, moves, n)
    if kind == m.K_PORT:
        return _list_swaps(s, actor, moves, n)
    if kind == m.K_SETTLEMENT:
        return _list_set(moves, n, s["reach"][actor] & ~s["blocked"], m.SETTLE)
    if kind == m.K_CITY:
        return _list_set(moves, n, s["settlements"][actor], m.UPGRADE)
    if kind == m.K_PLACEMENT:
        return _list_placement(s, moves, n)
    if kind == m.K_ROBBER:
        return _list_robber(s, moves, n)
    if kind == m.K_DISCARD:
        return _list_discards(s, actor, moves, n)
    if kind == m.K_VICTIM:
        return _list_set(moves, n, victims(s, actor, int(s["robber"])), m.CHOOSE)
    if kind == m.K_PLENTY:
        return _list_plenty(s, moves, n)
    if kind == m.K_MONOPOLY:
        return _list_span(moves, n, m.PLAY_MONOPOLY, st.RESOURCES)
    return _list_terms(v, s, kind, moves, n)
