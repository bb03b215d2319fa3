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
    s["settlements"][:] = 0
    s["cities"][:] = 0
    s["reach"][:] = 0
    s["roads"][:] = 0
    s["frontier"][:] = 0
    s["taken"][:] = 0
    s["hands"][:] = 0
    s["cards"][:] = 0
    s["terms"][:] = 0
    s["numbers"][:] = 0
    s["held"][:] = 0
    s["unplayed"][:] = 0
    s["knights"][:] = 0
    s["lengths"][:] = 0
    s["points"][:] = 0
    s["silent"][:] = 0
    s["owed"][:] = 0
    s["hexes"][:] = st.NONE
    s["harbours"][:] = st.NONE
    s["where"][:] = st.NONE
    s["rates"][:] = st.RATES
    s["bank"], s["stock"] = st.SUPPLY, st.TOPS
    s["deck"], s["left"] = st.DECK, st.DECK_SIZE
    s["blocked"], s["fresh"], s["played"], s["board"], s["turns"] = 0, 0, 0, 0, 0
    s["player"], s["count"], s["rolled"], s["spent"], s["bought"] = 0, 0, 0, 0, 0
    s["free"], s["to"], s["offers"] = 0, 0, 0
    s["robber"], s["spot"], s["longest"], s["army"] = st.NONE, st.NONE, st.NONE, st.NONE
    s["victim"], s["asker"], s["winner"] = st.NONE, st.NONE, st.NONE


@jit
def index_board(s: Any) -> None:
    """What follows from a board that lies there whole: where the dice pay, its key."""
    index_numbers(s)
    key = 0
    for h in range(HEXES):
        key = extended(key, 16 * int(s["hexes"][h]) + int(s["numbers"][h]))
    for place in range(HARBOURS):
        key = extended(key, int(s["harbours"][place]))
    s["board"] = key


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


@jit
def apply_chance(s: Any, move: int) -> None:
    """Chance's move."""
    phase = int(s["phase"])
    if phase == st.ROLLING:
        _roll(s, move - m.DICE + 2)
    elif phase == st.STEALING:
        hand_over(s, int(s["victim"]), int(s["player"]), unit(move - m.STEAL))
        s["victim"] = st.NONE
        _resume(s)
    elif phase == st.DRAWING:
        _draw_card(s, move - m.DRAW)
    else:
        _lay(s, move)


# --- placement ------------------------------------------------------------------------------------


@jit
def _place(v: Any, s: Any, move: int) -> None:
    """A settlement of the start, or the road at it; forward through the seats, then back."""
    player, players, step = int(s["actor"]), int(v["players"]), int(s["count"])
    if s["phase"] == st.SETTLING:
        node = move - m.SETTLE
        place_settlement(s, player, node)
        if step >= players:
            receive(s, player, first_harvest(s, node))
        s["spot"] = node
        _enter(s, st.PAVING, player)
        return
    place_road(s, player, move - m.PAVE)
    step += 1
    s["count"] = step
    if step == 2 * players:
        s["spot"] = st.NONE
        begin_turn(s, 0)
        return
    upcoming = step if step < players else 2 * players - 1 - step
    s["player"] = upcoming
    _enter(s, st.SETTLING, upcoming)


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
    if move == m.PLAY_KNIGHT:
        _spend(s, player, st.KNIGHT)
        s["knights"][player] += 1
        award_army(s, player)
        _enter(s, st.ROBBING, player)
    elif move == m.PLAY_ROADS:
        _spend(s, player, st.ROAD_BUILDING)
        s["free"] = 2
        _enter(s, st.PAVING_FREE, player)
    elif move >= m.PLAY_MONOPOLY:
        _spend(s, player, st.MONOPOLY)
        take_all(s, player, move - m.PLAY_MONOPOLY)
    else:
        _spend(s, player, st.PLENTY)
        pair = move - m.PLAY_PLENTY
        receive(s, player, plenty(s, m.PAIR[pair, 0], m.PAIR[pair, 1]))


# --- offers ---------------------------------------------------------------------------------------


@jit
def _clear_terms(s: Any) -> None:
    s["terms"][:] = 0
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
def _compose(s: Any, actor: int, move: int) -> None:
    """A step of making up an offer, or a counter-offer."""
    side = 0 if actor == s["player"] else 2
    if move >= m.ADDRESS:
        s["to"] |= bit(move - m.ADDRESS)
    elif move >= m.ASK:
        s["terms"][side + 1] += unit(move - m.ASK)
    elif move >= m.GIVE:
        s["terms"][side] += unit(move - m.GIVE)
    elif side == 2 and move == m.PROPOSE:
        _enter(s, st.ANSWERING, int(s["player"]))
    elif side == 2 or move == m.PROPOSE:
        _ask_next(s)
    else:
        _clear_terms(s)
        _resume(s)


@jit
def _answer(s: Any, actor: int, move: int) -> None:
    asker, player = int(s["asker"]), int(s["player"])
    if move == m.ACCEPT:
        side = 0 if asker == player else 2
        hand_over(s, asker, actor, s["terms"][side])
        hand_over(s, actor, asker, s["terms"][side + 1])
        _clear_terms(s)
        _resume(s)
        return
    if asker == player:
        s["to"] &= ~bit(actor)
    if move == m.COUNTER:
        s["asker"] = actor
        s["offers"] += 1
        _enter(s, st.COMPOSING, actor)
    else:
        _ask_next(s)


# --- a turn ---------------------------------------------------------------------------------------


@jit
def _pave(s: Any, player: int, edge: int) -> None:
    if s["free"] == 0:
        pay(s, player, st.ROAD_COST)
        place_road(s, player, edge)
        return
    place_road(s, player, edge)
    s["free"] -= 1
    if s["free"] > 0 and not can_pave(s, player):
        s["free"] = 0
    if s["free"] == 0:
        _resume(s)


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
    """The moves that have one number each."""
    if move == m.ROLL:
        _enter(s, st.ROLLING, CHANCE)
    elif move == m.END:
        _end_turn(v, s, player)
    elif move == m.BUY:
        pay(s, player, st.CARD_COST)
        _enter(s, st.DRAWING, CHANCE)
    elif move == m.COMPOSE:
        s["asker"] = player
        s["offers"] += 1
        _enter(s, st.COMPOSING, player)
    else:
        s["points"][player] += victory_cards(s, player)
        s["winner"] = player
        _enter(s, st.ENDED, OVER)


@jit
def apply_turn(v: Any, s: Any, player: int, move: int) -> None:
    """A move of the player in his turn. That he did not claim the win limits his victory cards."""
    if move != m.CLAIM:
        s["silent"][player] = min(
            int(s["silent"][player]), st.TO_WIN - 1 - int(s["points"][player])
        )
    if move >= m.TRADE:
        _offer(s, player, move)
    elif move >= m.CHOOSE:
        _rob(s, move - m.CHOOSE)
    elif move >= m.ROB:
        _move_robber(s, move - m.ROB)
    elif move >= m.PLAY_PLENTY or move == m.PLAY_KNIGHT or move == m.PLAY_ROADS:
        _play_card(s, player, move)
    elif move >= m.SWAP:
        _swap(s, player, (move - m.SWAP) // 4, (move - m.SWAP) % 4)
    elif move >= m.PAVE:
        _pave(s, player, move - m.PAVE)
    elif move >= m.UPGRADE:
        pay(s, player, st.CITY_COST)
        place_city(s, player, move - m.UPGRADE)
    elif move >= m.SETTLE:
        pay(s, player, st.SETTLEMENT_COST)
        place_settlement(s, player, move - m.SETTLE)
    else:
        _simple(v, s, player, move)


@jit
def apply_move(v: Any, s: Any, move: int) -> None:
    """Any move."""
    phase, actor = int(s["phase"]), int(s["actor"])
    if actor == CHANCE:
        apply_chance(s, move)
    elif phase == st.SETTLING or phase == st.PAVING:
        _place(v, s, move)
    elif phase == st.DISCARDING:
        pay(s, actor, unit(move - m.DISCARD))
        s["owed"][actor] -= 1
        _next_discard(s)
    elif phase == st.ANSWERING:
        _answer(s, actor, move)
    elif phase == st.COMPOSING:
        _compose(s, actor, move)
    else:
        apply_turn(v, s, actor, move)
