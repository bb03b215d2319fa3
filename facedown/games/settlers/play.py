"""Playing a move: what each does to the position, in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import CHANCE, OVER, jit, mix
from facedown.games.settlers import moves as m
from facedown.games.settlers import state as st
from facedown.games.settlers.building import award_army, place_city, place_road, place_settlement
from facedown.games.settlers.chance import index_numbers
from facedown.games.settlers.economy import (
    first_harvest,
    hand_out,
    hand_over,
    pay,
    plenty,
    production,
    receive,
    take_all,
)
from facedown.games.settlers.geometry import HARBOURS, HEXES, SPIRALS
from facedown.games.settlers.listing import can_pave, victims
from facedown.games.settlers.moves import TOKEN_NUMBERS
from facedown.games.settlers.state import bit, count, first, unit, victory_cards


@jit
def _enter(s: Any, phase: int, actor: int) -> None:
    s["phase"], s["actor"] = phase, actor


@jit
def _resume(s: Any) -> None:
    """Back to the turn, before the dice or after them."""
    _enter(s, st.ACTING if s["rolled"] != 0 else st.BEFORE, int(s["player"]))


@jit
def begin_turn(s: Any, player: int) -> None:
    """A player's turn begins: nothing bought, played, offered or rolled yet."""
    s["player"] = player
    s["rolled"], s["spent"], s["bought"], s["offers"], s["fresh"] = 0, 0, 0, 0, 0
    _enter(s, st.BEFORE, player)


@jit
def extended(key: int, value: int) -> int:
    """The key of a board and one thing more that is laid out; it stays positive."""
    return np.int64(mix(np.uint64(key), np.uint64(value)) >> np.uint64(1))  # type: ignore[return-value]


@jit
def clear(s: Any) -> None:
    """The position before anything lies on the table: all cards in the bank and in the deck."""
    for k in range(4):
        s["rates"][k] = st.RATES
        s["settlements"][k] = 0
        s["cities"][k] = 0
        s["reach"][k] = 0
        s["hands"][k] = 0
        s["cards"][k] = 0
        s["terms"][k] = 0
        s["held"][k] = 0
        s["unplayed"][k] = 0
        s["knights"][k] = 0
        s["lengths"][k] = 0
        s["points"][k] = 0
        s["silent"][k] = 0
        s["owed"][k] = 0
    for k in range(8):
        s["roads"][k], s["frontier"][k], s["taken"][k & 1] = 0, 0, 0
    for k in range(HEXES):
        s["hexes"][k], s["numbers"][k] = st.NONE, 0
    for k in range(HARBOURS):
        s["harbours"][k] = st.NONE
    for k in range(26):
        s["where"][k] = st.NONE
    s["bank"], s["stock"] = st.SUPPLY, st.TOPS
    s["deck"], s["left"] = st.DECK, st.DECK_SIZE
    s["blocked"], s["fresh"], s["played"], s["board"], s["turns"] = 0, 0, 0, 0, 0
    s["player"], s["count"], s["rolled"], s["spent"], s["bought"] = 0, 0, 0, 0, 0
    s["free"], s["to"], s["offers"] = 0, 0, 0
    s["robber"], s["spot"], s["longest"], s["army"] = st.NONE, st.NONE, st.NONE, st.NONE
    s["victim"], s["asker"], s["winner"] = st.NONE, st.NONE, st.NONE


# --- chance ---------------------------------------------------------------------------------------


@jit
def _lay_numbers(s: Any, corner: int) -> None:
    token = 0
    for k in range(HEXES):
        hexagon = SPIRALS[corner, k]
        if s["hexes"][hexagon] != st.DESERT:
            s["numbers"][hexagon] = TOKEN_NUMBERS[token]
            token += 1
    index_numbers(s)


@jit
def _lay(s: Any, move: int) -> None:
    """One step of laying out the island: its hexes, the numbers, its harbours."""
    step = int(s["count"])
    s["board"] = extended(s["board"], move)
    if step < HEXES:
        s["hexes"][step] = move - m.LAY
    elif step == HEXES:
        _lay_numbers(s, move - m.SPIRAL)
    else:
        s["harbours"][step - HEXES - 1] = move - m.MOOR
    s["count"] = step + 1
    if step == HEXES + HARBOURS:
        s["count"] = 0
        _enter(s, st.SETTLING, 0)


@jit
def _next_discard(s: Any) -> None:
    """Whoever has to discard, from the player on; after them the robber moves."""
    for k in range(st.PLAYERS):
        player = (int(s["player"]) + k) % st.PLAYERS
        if s["owed"][player] > 0:
            _enter(s, st.DISCARDING, player)
            return
    _enter(s, st.ROBBING, int(s["player"]))


@jit
def _discard(s: Any, player: int, resource: int) -> None:
    pay(s, player, unit(resource))
    s["owed"][player] -= 1
    _next_discard(s)


@jit
def _roll(s: Any, dice: int) -> None:
    s["rolled"] = 1
    if dice == 7:
        for player in range(st.PLAYERS):
            held = int(s["held"][player])
            s["owed"][player] = held // 2 if held > 7 else 0
        _next_discard(s)
        return
    one, shares, two, more = production(s, dice)
    hand_out(s, one, shares)
    hand_out(s, two, more)
    _enter(s, st.ACTING, int(s["player"]))


@jit
def _draw_card(s: Any, kind: int) -> None:
    player = int(s["player"])
    s["deck"] -= unit(kind)
    s["left"] -= 1
    s["cards"][player] += unit(kind)
    s["fresh"] += unit(kind)
    s["bought"] += 1
    s["unplayed"][player] += 1
    s["silent"][player] += 1
    _resume(s)


# --- pieces ---------------------------------------------------------------------------------------


@jit
def _settle(v: Any, s: Any, player: int, node: int) -> None:
    """A settlement; at the start it is free, and the second pays."""
    place_settlement(s, player, node)
    if s["phase"] != st.SETTLING:
        pay(s, player, st.SETTLEMENT_COST)
        return
    if s["count"] >= v["players"]:
        receive(s, player, first_harvest(s, node))
    s["spot"] = node
    _enter(s, st.PAVING, player)


@jit
def _next_placement(v: Any, s: Any) -> None:
    """Forward through the seats and back; then the first turn begins."""
    step, players = int(s["count"]) + 1, int(v["players"])
    s["count"] = step
    if step == 2 * players:
        s["spot"] = st.NONE
        begin_turn(s, 0)
        return
    player = step if step < players else 2 * players - 1 - step
    s["player"] = player
    _enter(s, st.SETTLING, player)


@jit
def _pave(v: Any, s: Any, player: int, edge: int) -> None:
    """A road: paid for, of the start, or of the card, which gives as many as there is room for."""
    place_road(s, player, edge)
    if s["phase"] == st.ACTING:
        pay(s, player, st.ROAD_COST)
    elif s["phase"] == st.PAVING:
        _next_placement(v, s)
    else:
        s["free"] -= 1
        if s["free"] > 0 and not can_pave(s, player):
            s["free"] = 0
        if s["free"] == 0:
            _resume(s)


# --- the robber -----------------------------------------------------------------------------------


@jit
def _rob(s: Any, victim: int) -> None:
    s["victim"] = victim
    _enter(s, st.STEALING, CHANCE)


@jit
def _move_robber(s: Any, hexagon: int) -> None:
    s["robber"] = hexagon
    player = int(s["player"])
    found = victims(s, player, hexagon)
    if found == 0:
        _resume(s)
    elif found & (found - 1) == 0:
        _rob(s, first(found))
    else:
        _enter(s, st.CHOOSING, player)


# --- development cards ----------------------------------------------------------------------------


@jit
def _spend(s: Any, player: int, kind: int) -> None:
    s["cards"][player] -= unit(kind)
    s["unplayed"][player] -= 1
    s["played"] += unit(kind)
    s["spent"] = 1


@jit
def _play_card(s: Any, player: int, move: int) -> None:
    """A year of plenty, or a monopoly."""
    if move >= m.PLAY_MONOPOLY:
        _spend(s, player, st.MONOPOLY)
        take_all(s, player, move - m.PLAY_MONOPOLY)
        return
    _spend(s, player, st.PLENTY)
    pair = move - m.PLAY_PLENTY
    receive(s, player, plenty(s, m.PAIR[pair, 0], m.PAIR[pair, 1]))


# --- offers ---------------------------------------------------------------------------------------


@jit
def _clear_terms(s: Any) -> None:
    for k in range(4):
        s["terms"][k] = 0
    s["asker"], s["to"] = st.NONE, 0


@jit
def _ask_next(s: Any) -> None:
    """The player's offer waits for the next whom it names, from his seat on, or is done with."""
    player = int(s["player"])
    s["asker"] = player
    s["terms"][2], s["terms"][3] = 0, 0
    for k in range(1, st.PLAYERS):
        other = (player + k) % st.PLAYERS
        if s["to"] & bit(other) != 0:
            _enter(s, st.ANSWERING, other)
            return
    _clear_terms(s)
    _resume(s)


@jit
def _offer(s: Any, player: int, move: int) -> None:
    """An offer of the paper's."""
    other, offer = (move - m.TRADE) // m.OFFERS, (move - m.TRADE) % m.OFFERS
    s["terms"][0], s["terms"][1] = m.OFFER_GIVES[offer], m.OFFER_GETS[offer]
    s["asker"], s["to"] = player, bit(other)
    s["offers"] += 1
    _enter(s, st.ANSWERING, other)


@jit
def _add_term(s: Any, actor: int, move: int) -> None:
    """A step of making up an offer, or a counter-offer."""
    side = 0 if actor == s["player"] else 2
    if move >= m.ADDRESS:
        s["to"] |= bit(move - m.ADDRESS)
    elif move >= m.ASK:
        s["terms"][side + 1] += unit(move - m.ASK)
    else:
        s["terms"][side] += unit(move - m.GIVE)


@jit
def _swap_hands(s: Any, asker: int, other: int) -> None:
    """The offer on the table is accepted."""
    side = 0 if asker == s["player"] else 2
    hand_over(s, asker, other, s["terms"][side])
    hand_over(s, other, asker, s["terms"][side + 1])


@jit
def _say(s: Any, actor: int, move: int) -> None:
    """What is said about an offer as a whole."""
    player = int(s["player"])
    if move == m.COMPOSE or move == m.COUNTER:
        s["to"] &= ~bit(actor)
        s["asker"] = actor
        s["offers"] += 1
        _enter(s, st.COMPOSING, actor)
        return
    if move == m.PROPOSE and actor != player:
        _enter(s, st.ANSWERING, player)
        return
    if move == m.ACCEPT:
        _swap_hands(s, int(s["asker"]), actor)
    if move == m.ACCEPT or (move == m.CANCEL and actor == player):
        s["to"] = 0
    elif move == m.REJECT:
        s["to"] &= ~bit(actor)
    _ask_next(s)


# --- a turn ---------------------------------------------------------------------------------------


@jit
def _swap(s: Any, player: int, given: int, rest: int) -> None:
    pay(s, player, count(s["rates"][player], given) * unit(given))
    receive(s, player, unit(rest + (1 if rest >= given else 0)))


@jit
def _end_turn(v: Any, s: Any, player: int) -> None:
    s["turns"] += 1
    if s["turns"] >= v["turns"]:
        _enter(s, st.ENDED, OVER)
    else:
        begin_turn(s, (player + 1) % int(v["players"]))


@jit
def _simple(v: Any, s: Any, player: int, move: int) -> None:
    """The moves of a turn that have one number each."""
    if move == m.ROLL:
        _enter(s, st.ROLLING, CHANCE)
    elif move == m.END:
        _end_turn(v, s, player)
    elif move == m.BUY:
        pay(s, player, st.CARD_COST)
        _enter(s, st.DRAWING, CHANCE)
    elif move == m.PLAY_KNIGHT:
        _spend(s, player, st.KNIGHT)
        s["knights"][player] += 1
        award_army(s, player)
        _enter(s, st.ROBBING, player)
    elif move == m.PLAY_ROADS:
        _spend(s, player, st.ROAD_BUILDING)
        s["free"] = 2
        _enter(s, st.PAVING_FREE, player)
    else:
        s["points"][player] += victory_cards(s, player)
        s["winner"] = player
        _enter(s, st.ENDED, OVER)


@jit
def _apply_chance(s: Any, move: int) -> None:
    if move >= m.DRAW:
        _draw_card(s, move - m.DRAW)
    elif move >= m.STEAL:
        hand_over(s, int(s["victim"]), int(s["player"]), unit(move - m.STEAL))
        s["victim"] = st.NONE
        _resume(s)
    elif move >= m.DICE:
        _roll(s, move - m.DICE + 2)
    else:
        _lay(s, move)


def apply(v: Any, s: Any, move: int) -> None:
    """Any move. One place for each kind, whatever the phase: what is compiled once stays small.

    That whoever's turn it is does something else than claim the game limits his victory cards.
    """
    actor = int(s["actor"])
    if actor == s["player"] and move != m.CLAIM:
        most = st.TO_WIN - 1 - int(s["points"][actor])
        s["silent"][actor] = min(int(s["silent"][actor]), most)
    if move >= m.LAY:
        _apply_chance(s, move)
    elif move >= m.TRADE:
        _offer(s, actor, move)
    elif move >= m.GIVE:
        _add_term(s, actor, move)
    elif move >= m.CHOOSE:
        _rob(s, move - m.CHOOSE)
    elif move >= m.ROB:
        _move_robber(s, move - m.ROB)
    elif move >= m.DISCARD:
        _discard(s, actor, move - m.DISCARD)
    elif move >= m.PLAY_PLENTY:
        _play_card(s, actor, move)
    elif move >= m.SWAP:
        _swap(s, actor, (move - m.SWAP) // 4, (move - m.SWAP) % 4)
    elif move >= m.PAVE:
        _pave(v, s, actor, move - m.PAVE)
    elif move >= m.UPGRADE:
        pay(s, actor, st.CITY_COST)
        place_city(s, actor, move - m.UPGRADE)
    elif move >= m.SETTLE:
        _settle(v, s, actor, move - m.SETTLE)
    elif move >= m.ACCEPT:
        _say(s, actor, move)
    else:
        _simple(v, s, actor, move)
