"""How the scripted player plays development cards and moves the robber."""

from __future__ import annotations

from typing import Any

from facedown.core import jit
from facedown.games.settlers import moves as m
from facedown.games.settlers import state as st
from facedown.games.settlers.geometry import HEXES
from facedown.games.settlers.listing import playable, victims
from facedown.games.settlers.scripted.speed import DOTS, likely, pieces_at
from facedown.games.settlers.scripted.trading import beyond
from facedown.games.settlers.state import count, first, has


@jit
def _threat(s: Any, player: int) -> float:
    """How much a player is to be feared: the leader most."""
    ahead = float(s["points"][player]) + 0.25 * float(s["unplayed"][player])
    return ahead * ahead


@jit
def robbed_hex(s: Any, me: int) -> int:
    """The hex where the robber costs those ahead most, and not oneself."""
    best, highest = 0, -1.0e9
    for hexagon in range(HEXES):
        if hexagon == s["robber"]:
            continue
        dots, score = DOTS[s["numbers"][hexagon]], 0.0
        for player in range(st.PLAYERS):
            pieces = pieces_at(s, player, hexagon)
            if pieces == 0:
                continue
            if player == me:
                score -= 1000.0 * pieces * (dots + 1)
            else:
                held = 1.0 if s["held"][player] > 0 else 0.0
                score += _threat(s, player) * (pieces * dots + held)
        if score > highest:
            best, highest = hexagon, score
    return m.ROB + best


@jit
def victim(s: Any, me: int) -> int:
    """Whom to rob: whoever is ahead."""
    found, best, highest = victims(s, me, int(s["robber"])), 0, -1.0
    while found != 0:
        player = first(found)
        found &= found - 1
        score = _threat(s, player) + 0.01 * float(s["held"][player])
        if score > highest:
            best, highest = player, score
    return m.CHOOSE + best


@jit
def _plenty(s: Any, hand: int, cost: int) -> int:
    """A year of plenty that completes the plan, -1 without one."""
    one, two, lacking = -1, -1, 0
    for resource in range(st.RESOURCES):
        short = -min(beyond(hand, cost, resource), 0)
        lacking += short
        if short > 0 and has(s["stock"], 8 * resource + 7):
            if one < 0:
                one = resource
                two = resource if short > 1 else two
            elif two < 0:
                two = resource
    if one < 0 or lacking > 2:
        return -1
    two = one if two < 0 else two
    for pair in range(m.PAIRS):
        if m.PAIR[pair, 0] == one and m.PAIR[pair, 1] == two:
            return m.PLAY_PLENTY + pair
    return -1


@jit
def _monopoly(s: Any, me: int, hand: int, cost: int) -> int:
    """A monopoly on what the plan lacks, where it should take three cards or all that lack."""
    best, highest = -1, 2.0
    for resource in range(st.RESOURCES):
        expected = 0.0
        for other in range(st.PLAYERS):
            if other != me:
                expected += likely(s, other, resource)
        if beyond(hand, cost, resource) < 0:
            expected += 1.0
        if expected > highest:
            best, highest = resource, expected
    return m.PLAY_MONOPOLY + best if best >= 0 else -1


@jit
def card_for(s: Any, me: int, hand: int, cost: int, move: int) -> int:
    """A development card for the plan after the dice, -1 for none."""
    cards = playable(s, me)
    if cards == 0:
        return -1
    paves = m.PAVE <= move < m.SWAP
    if count(cards, st.ROAD_BUILDING) > 0 and paves:
        return m.PLAY_ROADS
    found = -1
    if count(cards, st.PLENTY) > 0:
        found = _plenty(s, hand, cost)
    if found < 0 and count(cards, st.MONOPOLY) > 0:
        found = _monopoly(s, me, hand, cost)
    if found < 0 and count(cards, st.KNIGHT) > 0:
        found = m.PLAY_KNIGHT
    return found


@jit
def before_the_dice(s: Any, me: int) -> int:
    """Before the dice: a knight where the robber stands on one's own hex, else roll."""
    if count(playable(s, me), st.KNIGHT) > 0 and pieces_at(s, me, int(s["robber"])) > 0:
        return m.PLAY_KNIGHT
    return m.ROLL
