"""Settlers in words: moves, what is seen of them, and a view with a map."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from facedown.games.settlers import moves as m
from facedown.games.settlers import state as st
from facedown.games.settlers.economy import SHARE, SHARE_MASK
from facedown.games.settlers.geometry import (
    CENTRES,
    EDGE_ENDS,
    EDGES,
    HALF,
    HARBOUR_NODES,
    HARBOURS,
    HEXES,
    NODE_POINTS,
)
from facedown.games.settlers.state import unpack
from facedown.games.settlers.tokens import EXTRA, NUMBER, PLAYER, SHARES, STOCK
from facedown.games.wording import columns, count, seat_name

RESOURCE = ("brick", "ore", "sheep", "wheat", "wood", "desert")
HARBOUR = ("brick", "ore", "sheep", "wheat", "wood", "any")
CARD = ("knight", "road building", "year of plenty", "monopoly", "victory point")
COLOUR = ("red", "blue", "white", "orange")
LETTER = "RBWO"
_SIMPLE = {
    m.ROLL: "roll",
    m.END: "end turn",
    m.BUY: "buy card",
    m.PLAY_KNIGHT: "knight",
    m.PLAY_ROADS: "road building",
    m.CLAIM: "claim",
    m.ACCEPT: "accept",
    m.REJECT: "reject",
    m.COUNTER: "counter",
    m.COMPOSE: "offer",
    m.PROPOSE: "propose",
    m.CANCEL: "withdraw",
}


def listed(cards: Any) -> str:
    """Cards by kind as in a sentence.

    >>> listed([2, 0, 0, 1, 0]), listed([0] * 5)
    ('2 brick, 1 wheat', 'nothing')
    """
    return ", ".join(f"{n} {RESOURCE[k]}" for k, n in enumerate(cards) if n) or "nothing"


def road_name(edge: int) -> str:
    """An edge by the nodes at its ends.

    >>> road_name(0)
    '0-3'
    """
    return "-".join(str(int(node)) for node in EDGE_ENDS[edge])


# --- moves ----------------------------------------------------------------------------------------


def _plain(cards: list[int]) -> str:
    return " ".join(RESOURCE[k] for k in cards)


def _offer_text(move: int) -> str:
    recipient, offer = divmod(move - m.TRADE, m.OFFERS)
    gives, gets = m.OFFER_LIST[offer]
    return f"offer player {recipient} {_plain(gives)} for {_plain(gets)}"


def _chance_text(move: int) -> str:
    if move >= m.DRAW:
        return f"draw {CARD[move - m.DRAW]}"
    if move >= m.STEAL:
        return f"steal {RESOURCE[move - m.STEAL]}"
    if move >= m.DICE:
        return f"dice {move - m.DICE + 2}"
    if move >= m.MOOR:
        return f"harbour {HARBOUR[move - m.MOOR]}"
    if move >= m.SPIRAL:
        return f"numbers from corner {move - m.SPIRAL}"
    return f"hex {RESOURCE[move - m.LAY]}"


def _terms_text(move: int) -> str:
    if move >= m.ADDRESS:
        return f"to player {move - m.ADDRESS}"
    if move >= m.ASK:
        return f"ask {RESOURCE[move - m.ASK]}"
    return f"give {RESOURCE[move - m.GIVE]}"


def _piece_text(move: int) -> str:
    if move >= m.PAVE:
        return f"road {road_name(move - m.PAVE)}"
    if move >= m.UPGRADE:
        return f"city {move - m.UPGRADE}"
    return f"settlement {move - m.SETTLE}"


def move_text(move: int) -> str:
    """A move as people write it.

    >>> move_text(m.swap_move(st.ORE, st.WOOD)), move_text(m.trade_move(2, [0], [3, 4]))
    ('bank ore for wood', 'offer player 2 brick for wheat wood')
    """
    if move >= m.LAY:
        return _chance_text(move)
    if move >= m.TRADE:
        return _offer_text(move)
    if move >= m.GIVE:
        return _terms_text(move)
    if move >= m.CHOOSE:
        return f"rob player {move - m.CHOOSE}"
    if move >= m.ROB:
        return f"robber to {move - m.ROB}"
    if move >= m.DISCARD:
        return f"discard {RESOURCE[move - m.DISCARD]}"
    if move >= m.PLAY_MONOPOLY:
        return f"monopoly {RESOURCE[move - m.PLAY_MONOPOLY]}"
    if move >= m.PLAY_PLENTY:
        return f"year of plenty {_plain(list(m.PAIR_LIST[move - m.PLAY_PLENTY]))}"
    if move >= m.SWAP:
        given, gotten = m.swap_of(move)
        return f"bank {RESOURCE[given]} for {RESOURCE[gotten]}"
    return _piece_text(move) if move >= m.SETTLE else _SIMPLE[move]


# --- what is seen ---------------------------------------------------------------------------------


def field(token: int, place: int, bits: int) -> int:
    """Some bits of what the move of a token came to, as `tokens.field` gives compiled code."""
    return token >> EXTRA + place & (1 << bits) - 1


def _terms(token: int) -> tuple[list[int], list[int]]:
    """What the offer in a token gives and gets."""
    sixes = [field(token, 2 + 6 * k, 6) for k in range(st.RESOURCES)]
    gives, gets = ([six >> 1 if six & 1 == asked else 0 for six in sixes] for asked in (0, 1))
    return gives, gets


def _lacking(token: int) -> str:
    """What the bank has run out of, where the token tells what it has."""
    names = [RESOURCE[k] for k in range(st.RESOURCES) if not token >> STOCK + k & 1]
    return f"; the bank has no {', '.join(names)}" if names else ""


def _dice_text(token: int) -> str:
    dice = (token & NUMBER) - 1 - m.DICE + 2
    gains: dict[int, list[int]] = {}
    for place in (0, 3 + SHARES):
        resource, shares = field(token, place, 3), field(token, place + 3, SHARES)
        for player in range(st.PLAYERS):
            share = shares >> SHARE * player & SHARE_MASK
            if share:
                gains.setdefault(player, [0] * 5)[resource] += share
    told = "; ".join(f"player {p} gets {listed(cards)}" for p, cards in sorted(gains.items()))
    return f"the dice show {dice}" + (f": {told}" if told else "") + _lacking(token)


def _came_to(token: int, move: int) -> str:
    """What a move came to, beside what it is called."""
    if m.SETTLE <= move < m.UPGRADE and not field(token, 0, 1):
        gain = [field(token, 1 + 2 * k, 2) for k in range(st.RESOURCES)]
        return f" and gets {listed(gain)}" if any(gain) else ""
    if m.SWAP <= move < m.PLAY_PLENTY:
        return f" at {field(token, 0, 3)}:1{_lacking(token)}"
    if m.PLAY_PLENTY <= move < m.PLAY_MONOPOLY:
        return f" and gets {count(field(token, 0, 2), 'card')}{_lacking(token)}"
    if m.PLAY_MONOPOLY <= move < m.DISCARD:
        taken = {p: field(token, 5 * p, 5) for p in range(st.PLAYERS)}
        return "".join(f", {n} from player {p}" for p, n in taken.items() if n)
    if move in (m.PROPOSE, m.ACCEPT):
        gives, gets = (listed(cards) for cards in _terms(token))
        of = f" of player {field(token, 0, 2)}" if move == m.ACCEPT else ""
        to = [str(p) for p in range(st.PLAYERS) if field(token, 32, 4) >> p & 1]
        return f"{of}: {gives} for {gets}" + (f", to {' '.join(to)}" if to else "")
    if move == m.CLAIM:
        return f", with {count(field(token, 0, 3), 'victory card')}"
    return ""


def observation_text(token: int, viewer: int) -> str:
    """What a token of `sees` tells."""
    token = int(token)
    if token == 0:
        return "nothing"
    move, player = (token & NUMBER) - 1, token >> PLAYER & 3
    who = seat_name(player, viewer)
    if move == m.UNSEEN_DISCARD or m.DISCARD <= move < m.ROB:
        card = "a card" if move == m.UNSEEN_DISCARD else RESOURCE[move - m.DISCARD]
        return f"{who}: discards {card}{_lacking(token)}"
    if move == m.UNSEEN_DRAW:
        return f"{who}: draws a development card"
    if move == m.UNSEEN_STEAL or m.STEAL <= move < m.DRAW:
        victim = field(token, 0, 2)
        card = "a card" if move == m.UNSEEN_STEAL else RESOURCE[move - m.STEAL]
        return f"{who}: steals {card} from {seat_name(victim, viewer)}"
    if m.DICE <= move < m.STEAL:
        return f"{who}: {_dice_text(token)}"
    if m.LAY <= move < m.DICE:
        return move_text(move)
    return f"{who}: {move_text(move)}{_came_to(token, move)}"


# --- a view ---------------------------------------------------------------------------------------

_DOING = {
    st.SETTLING: "a settlement is to be placed",
    st.PAVING: "a road is to be placed",
    st.BEFORE: "before the dice",
    st.ROLLING: "the dice roll",
    st.DISCARDING: "a card is to be discarded",
    st.ROBBING: "the robber is to be moved",
    st.CHOOSING: "somebody is to be robbed",
    st.STEALING: "a card is stolen",
    st.ACTING: "after the dice",
    st.PAVING_FREE: "a road is to be placed",
    st.DRAWING: "a card is drawn",
    st.ANSWERING: "an offer is to be answered",
    st.COMPOSING: "an offer is made up",
}


def status(view: Any, viewer: int) -> str:
    """What is to be done now, in words."""
    phase, actor, winner = int(view["phase"]), int(view["actor"]), int(view["winner"])
    if phase == st.BOARD:
        return "the island is laid out"
    if phase == st.ENDED:
        if winner == st.NONE:
            return "the game is over, nobody won"
        return "you have won" if winner == viewer else f"player {winner} has won"
    acts = "" if actor < 0 else " - you" if actor == viewer else f" - player {actor}"
    turn = f"turn {int(view['turns']) + 1} of player {int(view['player'])}, "
    placing = phase in (st.SETTLING, st.PAVING)
    return f"{'' if placing else turn}{_DOING[phase]}{acts}"


def offer_text(view: Any) -> str:
    """The offer on the table, in words; empty without one."""
    asker = int(view["asker"])
    if asker == st.NONE:
        return ""
    side = 0 if asker == int(view["player"]) else 2
    gives, gets = (listed(unpack(view["terms"][side + k])) for k in range(2))
    to = [str(p) for p in range(st.PLAYERS) if int(view["to"]) >> p & 1]
    whom = f" to {' '.join(to)}" if to and side == 0 else ""
    return f"player {asker} offers {gives} for {gets}{whom}"


def owner_at(view: Any, node: int) -> tuple[int, bool] | None:
    """Whose building stands on a node, and whether it is a city; None where there is none."""
    for player in range(st.PLAYERS):
        for name, city in (("settlements", False), ("cities", True)):
            if int(view[name][player]) >> node & 1:
                return player, city
    return None


def roads_of(view: Any, player: int) -> list[int]:
    """The edges with a player's roads."""
    words = [int(view["roads"][2 * player + k]) for k in range(2)]
    return [e for e in range(EDGES) if words[e // HALF] >> e % HALF & 1]


def _hex_text(view: Any, h: int) -> str:
    kind = int(view["hexes"][h])
    if kind == st.NONE:
        return "?"
    number = int(view["numbers"][h])
    robber = "*" if int(view["robber"]) == h else ""
    return f"{RESOURCE[kind]}{f' {number}' if number else ''}{robber}"


def _node_text(view: Any, node: int) -> str:
    owner = owner_at(view, node)
    if owner is None:
        return str(node)
    return LETTER[owner[0]] + ("#" if owner[1] else "^")


_ACROSS, _MIDDLE = 10, 27


def _map(view: Any) -> list[str]:
    """Hexes between their nodes; a node has its number, or whose building it is."""
    marks = [(y, x, _node_text(view, n)) for n, (x, y) in enumerate(NODE_POINTS)]
    marks += [(CENTRES[h][1], CENTRES[h][0], _hex_text(view, h)) for h in range(HEXES)]
    rows: dict[int, list[tuple[int, str]]] = {}
    for y, x, words in marks:
        rows.setdefault(round(2 * y), []).append((round(_MIDDLE + _ACROSS * x), words))
    lines = []
    for _, row in sorted(rows.items()):
        line = ""
        for middle, words in sorted(row):
            line = line.ljust(middle - len(words) // 2) + words
        lines.append(f"  {line}".rstrip())
    return lines


def _harbours(view: Any) -> str:
    parts = [
        f"{HARBOUR[int(view['harbours'][k])]} {int(HARBOUR_NODES[k, 0])} {int(HARBOUR_NODES[k, 1])}"
        for k in range(HARBOURS)
        if view["harbours"][k] != st.NONE
    ]
    return "  harbours: " + ", ".join(parts)


def honours(view: Any, player: int) -> list[str]:
    """Longest road and largest army, if the player has them."""
    held = (("longest", "longest road"), ("army", "largest army"))
    return [words for name, words in held if int(view[name]) == player]


def _seat(view: Any, player: int, viewer: int) -> tuple[str, ...]:
    known = player == viewer or int(view["hands"][player]) != 0  # the end turns all hands up
    held, unplayed = int(view["held"][player]), int(view["unplayed"][player])
    hand = count(held, "card") + (f": {listed(unpack(view['hands'][player]))}" if known else "")
    return (
        f"{LETTER[player]} {seat_name(player, viewer)}",
        count(int(view["points"][player]), "point"),
        hand,
        f"{unplayed} development",
        count(int(view["knights"][player]), "knight"),
        f"road {int(view['lengths'][player])}",
        ", ".join(honours(view, player)),
    )


def _cards(view: Any, viewer: int) -> Iterator[str]:
    for player in range(st.PLAYERS):
        cards = [f"{n} {CARD[k]}" for k, n in enumerate(unpack(view["cards"][player])) if n]
        if cards:
            whose = "your" if player == viewer else f"player {player}'s"
            yield f"  {whose} development cards: {', '.join(cards)}"


def _pieces(view: Any, players: int) -> Iterator[str]:
    for player in range(players):
        roads = " ".join(road_name(edge) for edge in roads_of(view, player))
        if roads:
            yield f"  roads of {LETTER[player]}: {roads}"


def view_text(view: Any, viewer: int, players: int) -> str:
    """A view for the terminal."""
    lines = [f"Settlers: {status(view, viewer)}"]
    if view["phase"] == st.BOARD:
        laid = [_hex_text(view, h) for h in range(HEXES) if view["hexes"][h] != st.NONE]
        return "\n".join([*lines, f"  hexes: {', '.join(laid) or 'none'}", _harbours(view)])
    lines += [*_map(view), _harbours(view), *_pieces(view, players)]
    lines += columns([_seat(view, player, viewer) for player in range(players)])
    lines += _cards(view, viewer)
    offer = offer_text(view)
    bank = [RESOURCE[k] for k in range(st.RESOURCES) if not int(view["stock"]) >> 8 * k + 7 & 1]
    lines += [f"  {offer}"] if offer else []
    lines += [f"  the bank has no {', '.join(bank)}"] if bank else []
    return "\n".join([*lines, f"  {count(int(view['left']), 'card')} in the deck"])


def hidden_text(world: Any, viewer: int, players: int) -> str:
    """The others' hands and development cards."""
    parts = []
    for player in range(players):
        if player == viewer:
            continue
        hand, cards = unpack(world["hands"][player]), unpack(world["cards"][player])
        owned = [f"{n} {CARD[k]}" for k, n in enumerate(cards) if n]
        if any(hand) or owned:
            parts.append(f"player {player}: {'; '.join([listed(hand), *owned])}")
    return " | ".join(parts)


def hidden_facts(world: Any, viewer: int, players: int) -> Iterator[str]:
    """The resources and the development cards that others have at least one of."""
    for player in range(players):
        if player == viewer:
            continue
        for k, n in enumerate(unpack(world["hands"][player])):
            if n:
                yield f"player {player} has {RESOURCE[k]}"
        for k, n in enumerate(unpack(world["cards"][player])):
            if n:
                name = "victory" if k == st.VICTORY else CARD[k]
                yield f"player {player} has a {name} card"
