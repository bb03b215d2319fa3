"""The right side of Settlers' picture: the players, the own cards, what can be done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from facedown.core import drawing
from facedown.games import wording
from facedown.games.settlers import art
from facedown.games.settlers import moves as m
from facedown.games.settlers import state as st
from facedown.games.settlers.state import unpack
from facedown.games.settlers.text import CARD, RESOURCE, honours, listed, offer_text

LEFT, WIDTH, TOP, BOX = 782, 366, 26, 97
_HAND = TOP + 4 * BOX + 4
_TOOL = ("knight", "roads", "plenty", "monopoly", "point")  # development cards, short
_PLATES = {
    m.ROLL: "roll",
    m.END: "end turn",
    m.BUY: "buy card",
    m.COMPOSE: "offer",
    m.ACCEPT: "accept",
    m.REJECT: "reject",
    m.COUNTER: "counter",
    m.PROPOSE: "propose",
    m.CANCEL: "withdraw",
    m.CLAIM: "claim victory",
}


def panel(view: Any, viewer: int, players: int, composed: bool) -> Iterator[str]:
    """Everything beside the island; `composed`: offers are made up step by step."""
    for player in range(players):
        seat = "".join(_seat(view, viewer, player, TOP + BOX * player))
        yield drawing.part(f"player:{player}", seat)
    if viewer >= 0:
        yield from _hand(view, viewer)
        yield from _wants(view, viewer)
        yield from _plates(view, viewer, composed)
    else:
        yield drawing.text(LEFT, _HAND + 24, "all hands are hidden", size=16, anchor="start")
    yield from _table(view)


def move_parts(move: int) -> tuple[str, ...]:
    """What is clicked for a move: a place, cards given and wanted, a player, a plate.

    Two cards of a kind are one part: such a move shares its parts with that of a single card.
    """
    for first, parts in _PARTS:
        if move >= first:
            return tuple(dict.fromkeys(parts(move - first)))
    return (_SIMPLE.get(move) or _PLATES[move],)


_SIMPLE = {m.PLAY_KNIGHT: f"card:{CARD[0]}", m.PLAY_ROADS: f"card:{CARD[1]}"}


def _hand_of(cards: list[int]) -> list[str]:
    return [f"hand:{RESOURCE[k]}" for k in cards]


def _want_of(cards: list[int]) -> list[str]:
    return [f"want:{RESOURCE[k]}" for k in cards]


def _offer(offer: int) -> list[str]:
    recipient, place = divmod(offer, m.OFFERS)
    gives, gets = m.OFFER_LIST[place]
    return [f"player:{recipient}", *_hand_of(gives), *_want_of(gets)]


def _swap(swap: int) -> list[str]:
    given, gotten = m.swap_of(m.SWAP + swap)
    return ["bank", *_hand_of([given]), *_want_of([gotten])]


_PARTS: tuple[tuple[int, Callable[[int], list[str]]], ...] = (
    (m.TRADE, _offer),
    (m.ADDRESS, lambda k: [f"player:{k}"]),
    (m.ASK, lambda k: _want_of([k])),
    (m.GIVE, lambda k: _hand_of([k])),
    (m.CHOOSE, lambda k: [f"player:{k}"]),
    (m.ROB, lambda k: [f"hex:{k}"]),
    (m.DISCARD, lambda k: _hand_of([k])),
    (m.PLAY_MONOPOLY, lambda k: [f"card:{CARD[st.MONOPOLY]}", *_want_of([k])]),
    (m.PLAY_PLENTY, lambda k: [f"card:{CARD[st.PLENTY]}", *_want_of(list(m.PAIR_LIST[k]))]),
    (m.SWAP, _swap),
    (m.PAVE, lambda k: [f"edge:{k}"]),
    (m.UPGRADE, lambda k: [f"node:{k}"]),
    (m.SETTLE, lambda k: [f"node:{k}"]),
)
"""The parts of the moves from a number on, the highest first."""


# --- the players ----------------------------------------------------------------------------------


def _seat(view: Any, viewer: int, player: int, y: float) -> Iterator[str]:
    x, turn = LEFT, int(view["player"]) == player and view["phase"] != st.BOARD
    acts = int(view["actor"]) == player
    rim = drawing.GOLD if acts else "#0d3a2b"
    yield (
        f'<rect x="{x}" y="{y:g}" width="{WIDTH}" height="{BOX - 8}" rx="12" '
        f'fill="#0d3a2b" fill-opacity="0.85" stroke="{rim}" stroke-width="3.5"/>'
    )
    yield art.building(x + 32, y + 36, player, city=False)
    name = wording.seat_name(player, viewer) + (" - turn" if turn else "")
    colour = drawing.GOLD if turn else drawing.CREAM
    yield drawing.text(x + 60, y + 27, name, size=18, bold=True, anchor="start", colour=colour)
    points = str(int(view["points"][player]))
    yield drawing.text(x + WIDTH - 34, y + 38, points, size=34, bold=True, serif=True)
    yield drawing.text(x + WIDTH - 34, y + 56, "points", size=12)
    yield from _tallies(view, player, x + 60, y + 37)
    words = _turned_up(view, player, viewer) or "  +  ".join(honours(view, player))
    if words:
        where = (x + 60, y + 80)
        yield drawing.text(*where, words, size=13, colour=drawing.GOLD, anchor="start", bold=True)


def _turned_up(view: Any, player: int, viewer: int) -> str:
    """The cards of another player where they are known, as they are when all is turned up."""
    hand, cards = unpack(view["hands"][player]), unpack(view["cards"][player])
    if player == viewer or not (any(hand) or any(cards)):
        return ""
    owned = [f"{n} {_TOOL[k]}" for k, n in enumerate(cards) if n]
    return ", ".join([*([listed(hand)] if any(hand) else []), *owned])


def _tallies(view: Any, player: int, x: float, y: float) -> Iterator[str]:
    """Cards in hand, development cards, knights and the length of the road."""
    held, unplayed = int(view["held"][player]), int(view["unplayed"][player])
    yield art.back(x, y, "#7d2a3c") + _figure(x + 24, y + 18, held)
    yield art.back(x + 62, y, "#4d3f8f", "?") + _figure(x + 86, y + 18, unplayed)
    knights, length = int(view["knights"][player]), int(view["lengths"][player])
    yield drawing.text(x + 120, y + 17, f"knights {knights}", size=14, anchor="start")
    yield drawing.text(x + 194, y + 17, f"road {length}", size=14, anchor="start")


def _figure(x: float, y: float, number: int) -> str:
    return drawing.text(x, y, str(number), size=18, bold=True, anchor="start")


# --- the viewer -----------------------------------------------------------------------------------


def _hand(view: Any, viewer: int) -> Iterator[str]:
    """The viewer's resources, and below them the development cards."""
    y = _HAND
    for resource, n in enumerate(unpack(view["hands"][viewer])):
        x = LEFT + 76 * resource
        yield drawing.part(f"hand:{RESOURCE[resource]}", art.card(x, y, resource, n))
        yield drawing.text(x + 31, y + 92, RESOURCE[resource], size=13)
    for kind, n in enumerate(unpack(view["cards"][viewer])):
        piece = art.tool(LEFT + 74.5 * kind, y + 102, _TOOL[kind], n)
        yield drawing.part(f"card:{CARD[kind]}", piece)


def _wants(view: Any, viewer: int) -> Iterator[str]:
    """What can be asked for, of the bank and of players; pale where it is not one's turn."""
    live, y = _trades(view, viewer), _HAND + 172
    for resource in range(st.RESOURCES):
        piece = art.wanted(LEFT + 22 + 48 * resource, y, resource, live)
        yield drawing.part(f"want:{RESOURCE[resource]}", piece)
    yield drawing.plate("bank", LEFT + 304, y, "from the bank", width=126, live=live, size=14)


def _trades(view: Any, viewer: int) -> bool:
    phases = (st.BEFORE, st.ACTING, st.COMPOSING)  # cards that bring cards are played before, too
    return int(view["actor"]) == viewer and int(view["phase"]) in phases


def _plates(view: Any, viewer: int, composed: bool) -> Iterator[str]:
    """What is done by a word; which words there are goes by what is to be done."""
    for k, (move, live) in enumerate(_deeds(view, viewer, composed)):
        words = _PLATES[move]
        x, y = LEFT + 58 + 124 * k, _HAND + 218
        yield drawing.plate(words, x, y, words, width=114, live=live)


def _deeds(view: Any, viewer: int, composed: bool) -> list[tuple[int, bool]]:
    """The moves that are words, in this phase, and whether the viewer can afford them."""
    phase, hand = int(view["phase"]), unpack(view["hands"][viewer])
    if int(view["actor"]) != viewer:
        return []
    if phase == st.ANSWERING:
        side = 0 if view["asker"] == view["player"] else 2
        pays = _covers(hand, unpack(view["terms"][side + 1]))
        counter = [(m.COUNTER, True)] if composed and side == 0 else []
        return [(m.ACCEPT, pays), (m.REJECT, True), *counter]
    if phase == st.COMPOSING:
        return [(m.PROPOSE, True), (m.CANCEL, True)]
    points = int(view["points"][viewer]) + unpack(view["cards"][viewer])[st.VICTORY]
    if phase >= st.BEFORE and view["player"] == viewer and points >= st.TO_WIN:
        return [(m.CLAIM, True)]
    if phase == st.ACTING:
        buys = int(view["left"]) > 0 and _covers(hand, unpack(st.CARD_COST))
        return [(m.BUY, buys), *([(m.COMPOSE, True)] if composed else []), (m.END, True)]
    return [(m.ROLL, True)] if phase == st.BEFORE else []


def _covers(hand: list[int], cost: list[int]) -> bool:
    return all(held >= wanted for held, wanted in zip(hand, cost, strict=True))


def _table(view: Any) -> Iterator[str]:
    """What lies before all: an offer beside, the deck and what the bank lacks below the island."""
    y = _HAND + 258
    for words in _lines(offer_text(view)):
        yield drawing.text(LEFT, y, words, size=16, anchor="start", colour=drawing.GOLD, bold=True)
        y += 21
    lacking = [RESOURCE[k] for k in range(5) if not int(view["stock"]) >> 8 * k + 7 & 1]
    notes = [f"{wording.count(int(view['left']), 'development card')} in the deck"]
    notes += [f"the bank has no {', '.join(lacking)}"] if lacking else []
    for k, words in enumerate(reversed(notes)):
        yield drawing.text(40, 768 - 22 * k, words, size=15, anchor="start", colour="#cfe8da")


def _lines(words: str, width: int = 42) -> list[str]:
    """Words in lines of about so many letters."""
    lines = [""]
    for word in words.split(" "):
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
