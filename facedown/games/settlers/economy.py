"""Resource cards on the move: production, payments, theft, monopoly, trades.

A resource card is in a hand or in the bank, nowhere else: 19 of each, always.
"""

from __future__ import annotations

from typing import Any

from facedown.core import jit
from facedown.games.settlers.geometry import HEX_MASK, NODE_HEXES
from facedown.games.settlers.state import (
    DESERT,
    PLAYERS,
    RESOURCES,
    count,
    size,
    some,
    total,
    unit,
)

SHARE = 4  # bits of a player's share of a production: two hexes with three cities make 12
SHARE_MASK = (1 << SHARE) - 1


@jit
def share_of(shares: int, player: int) -> int:
    """A player's part of packed shares."""
    return (shares >> (SHARE * player)) & SHARE_MASK


@jit
def pay(s: Any, player: int, cost: int) -> None:
    """A player pays the bank."""
    s["hands"][player] -= cost
    s["held"][player] -= total(cost)
    s["bank"] += cost
    s["stock"] = some(s["bank"])


@jit
def receive(s: Any, player: int, gain: int) -> None:
    """A player gets cards from the bank, which has them."""
    s["hands"][player] += gain
    s["held"][player] += total(gain)
    s["bank"] -= gain
    s["stock"] = some(s["bank"])


@jit
def hand_over(s: Any, giver: int, taker: int, cards: int) -> None:
    """Cards go from hand to hand."""
    n = total(cards)
    s["hands"][giver] -= cards
    s["held"][giver] -= n
    s["hands"][taker] += cards
    s["held"][taker] += n


@jit
def _claims(s: Any, hexagon: int) -> int:
    """What a hex owes each player, as packed shares."""
    shares = 0
    if hexagon >= 0 and hexagon != s["robber"]:
        mask = HEX_MASK[hexagon]
        for player in range(PLAYERS):
            owed = size(s["settlements"][player] & mask) + 2 * size(s["cities"][player] & mask)
            shares |= owed << (SHARE * player)
    return shares


@jit
def _payable(s: Any, resource: int, shares: int) -> int:
    """What of the claims on a resource the bank pays.

    If it cannot pay all of them nobody gets any, unless only one player is due: he takes the rest.
    """
    due, who, asked = 0, 0, 0
    for player in range(PLAYERS):
        share = share_of(shares, player)
        if share > 0:
            due, who, asked = due + 1, player, asked + share
    there = count(s["bank"], resource)
    if asked <= there:
        return shares
    return there << (SHARE * who) if due == 1 else 0


@jit
def production(s: Any, dice: int) -> tuple[int, int, int, int]:
    """What a sum of the dice pays: a resource and the players' shares, and the same once more."""
    a, b = int(s["where"][2 * dice]), int(s["where"][2 * dice + 1])
    one, two = _claims(s, a), _claims(s, b)
    kind_one = int(s["hexes"][a]) if one != 0 else 0
    kind_two = int(s["hexes"][b]) if two != 0 else 0
    if kind_one == kind_two:
        one, two = one + two, 0
    if one != 0:
        one = _payable(s, kind_one, one)
    if two != 0:
        two = _payable(s, kind_two, two)
    return kind_one, one, kind_two, two


@jit
def hand_out(s: Any, resource: int, shares: int) -> None:
    """The bank pays a production."""
    if shares == 0:
        return
    sum_paid = 0
    for player in range(PLAYERS):
        share = share_of(shares, player)
        s["hands"][player] += share * unit(resource)
        s["held"][player] += share
        sum_paid += share
    s["bank"] -= sum_paid * unit(resource)
    s["stock"] = some(s["bank"])


@jit
def first_harvest(s: Any, node: int) -> int:
    """What the second settlement pays: a card of each hex that it touches, packed."""
    gain = 0
    for k in range(3):
        hexagon = NODE_HEXES[node, k]
        if hexagon >= 0 and s["hexes"][hexagon] != DESERT:
            gain += unit(int(s["hexes"][hexagon]))
    return gain


@jit
def plenty(s: Any, a: int, b: int) -> int:
    """What a year of plenty really takes: of one resource as many of the two as the bank has."""
    if a != b:
        return unit(a) + unit(b)
    return min(2, count(s["bank"], a)) * unit(a)


@jit
def take_all(s: Any, player: int, resource: int) -> None:
    """Monopoly: every other's cards of a resource go to the player."""
    for other in range(PLAYERS):
        n = count(s["hands"][other], resource)
        if other != player and n > 0:
            hand_over(s, other, player, n * unit(resource))


@jit
def kinds_in(word: int) -> int:
    """How many kinds a packed word has some of."""
    return size(some(word))


@jit
def top_kind(word: int) -> int:
    """The last kind that a packed word has some of, -1 in an empty one."""
    kind = -1
    for k in range(RESOURCES):
        if count(word, k) > 0:
            kind = k
    return kind
