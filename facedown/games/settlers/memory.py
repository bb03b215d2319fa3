"""What a viewer's tokens have proven of everybody's resources: the memo.

For each player the memo has the least and the most of each resource that he can hold, and his
total. A token moves the bounds as far as it shows the cards; a card that changes hands unseen
widens them, and the total narrows them again: what a player has of one resource is his total less
what he has of the others. Whoever pays, offers or hands over cards has had them. The truth always
lies within. The bounds are exact for one player by himself as far as numbers go; that a stolen
card, unseen, went from one given hand to another is not kept.

A player's victory cards need no memory: the record has what follows from his not having won
(`silent`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import jit
from facedown.games.settlers import moves as m
from facedown.games.settlers import state as st
from facedown.games.settlers.economy import share_of
from facedown.games.settlers.state import count, total, unit
from facedown.games.settlers.tokens import SHARES, field, maker, shown, terms_of

Memo = np.dtype(
    [
        ("low", np.int8, 20),  # [5 * player + resource]: the least that he holds
        ("high", np.int8, 20),  # the most
        ("held", np.int8, 4),  # by player: how many cards
    ]
)


@jit
def _tighten(memo: Any, player: int) -> None:
    """Bounds that a total leaves: a resource is the total less the others, at least and at most."""
    at, held = 5 * player, int(memo["held"][player])
    least, most = 0, 0
    for k in range(at, at + 5):
        least += int(memo["low"][k])
        most += int(memo["high"][k])
    for k in range(at, at + 5):
        low, high = int(memo["low"][k]), int(memo["high"][k])
        memo["low"][k] = max(low, held - (most - high))
        memo["high"][k] = min(high, held - (least - low))


@jit
def _gain(memo: Any, player: int, cards: int) -> None:
    """Known cards come in."""
    for resource in range(st.RESOURCES):
        n = count(cards, resource)
        memo["low"][5 * player + resource] += n
        memo["high"][5 * player + resource] += n
    memo["held"][player] += total(cards)


@jit
def _had(memo: Any, player: int, cards: int) -> None:
    """A player is seen to hold at least these cards."""
    for resource in range(st.RESOURCES):
        k = 5 * player + resource
        memo["low"][k] = max(int(memo["low"][k]), count(cards, resource))
    _tighten(memo, player)


@jit
def _lose(memo: Any, player: int, cards: int) -> None:
    """Known cards go out."""
    _had(memo, player, cards)
    for resource in range(st.RESOURCES):
        n = count(cards, resource)
        memo["low"][5 * player + resource] -= n
        memo["high"][5 * player + resource] -= n
    memo["held"][player] -= total(cards)


@jit
def _lose_unseen(memo: Any, player: int) -> int:
    """One card goes out, nobody knows which; the resource if it can only be one, else -1."""
    only, kinds = -1, 0
    for resource in range(st.RESOURCES):
        k = 5 * player + resource
        if memo["high"][k] > 0:
            only, kinds = resource, kinds + 1
    if kinds == 1:
        _lose(memo, player, unit(only))
        return only
    for k in range(5 * player, 5 * player + 5):
        memo["low"][k] = max(0, int(memo["low"][k]) - 1)
    memo["held"][player] -= 1
    _tighten(memo, player)
    return -1


@jit
def _steal_unseen(memo: Any, thief: int, victim: int) -> None:
    possible = 0
    for resource in range(st.RESOURCES):
        if memo["high"][5 * victim + resource] > 0:
            possible |= unit(resource)
    card = _lose_unseen(memo, victim)
    if card >= 0:
        _gain(memo, thief, unit(card))
        return
    for resource in range(st.RESOURCES):
        memo["high"][5 * thief + resource] += count(possible, resource)
    memo["held"][thief] += 1
    _tighten(memo, thief)


@jit
def _harvest(memo: Any, token: int) -> None:
    """What the dice paid, of up to two resources."""
    for k in range(2):
        place = k * (3 + SHARES)
        resource, shares = field(token, place, 3), field(token, place + 3, SHARES)
        for player in range(st.PLAYERS):
            share = share_of(shares, player)
            memo["low"][5 * player + resource] += share
            memo["high"][5 * player + resource] += share
            memo["held"][player] += share


@jit
def _monopolise(memo: Any, token: int, resource: int) -> int:
    """All of a resource leaves the others' hands, and all see how many came from whom."""
    taken = 0
    for other in range(st.PLAYERS):
        n, k = field(token, 5 * other, 5), 5 * other + resource
        if other != maker(token):
            memo["low"][k], memo["high"][k] = n, n
            _tighten(memo, other)
            memo["low"][k], memo["high"][k] = 0, 0
            memo["held"][other] -= n
            taken += n
    return taken


@jit
def _payment(token: int, move: int) -> int:
    """What the player of a token gives away, packed."""
    if m.DISCARD <= move < m.ROB:
        return unit(move - m.DISCARD)
    if m.SWAP <= move < m.PLAY_PLENTY:
        return field(token, 0, 3) * unit((move - m.SWAP) // 4)
    if m.PAVE <= move < m.SWAP:
        return field(token, 0, 1) * st.ROAD_COST
    if m.UPGRADE <= move < m.PAVE:
        return st.CITY_COST
    if m.SETTLE <= move < m.UPGRADE:
        return field(token, 0, 1) * st.SETTLEMENT_COST
    return st.CARD_COST if move == m.BUY else 0


@jit
def _income(memo: Any, token: int, move: int) -> int:
    """What the player of a token gets beside what the dice pay, packed."""
    if m.STEAL <= move < m.DRAW:
        return unit(move - m.STEAL)
    if m.PLAY_MONOPOLY <= move < m.DISCARD:
        resource = move - m.PLAY_MONOPOLY
        return _monopolise(memo, token, resource) * unit(resource)
    if m.PLAY_PLENTY <= move < m.PLAY_MONOPOLY:
        pair, second = move - m.PLAY_PLENTY, field(token, 0, 2) - 1
        return unit(m.PAIR[pair, 0]) + second * unit(m.PAIR[pair, 1])
    if m.SWAP <= move < m.PLAY_PLENTY:
        given, rest = (move - m.SWAP) // 4, (move - m.SWAP) % 4
        return unit(rest + (1 if rest >= given else 0))
    cards = 0
    if m.SETTLE <= move < m.UPGRADE and field(token, 0, 1) == 0:
        for resource in range(st.RESOURCES):
            cards += field(token, 1 + 2 * resource, 2) * unit(resource)
    return cards


@jit
def _shown(token: int, move: int) -> int:
    """What the player of a token is seen to have: the gift of an offer, packed."""
    if m.TRADE <= move < m.LAY:
        return m.OFFER_GIVES[(move - m.TRADE) % m.OFFERS]  # type: ignore[no-any-return]
    return terms_of(token, 2)[0] if move == m.PROPOSE else 0


@jit
def _note(memo: Any, player: int, token: int, move: int) -> None:
    paid, other, given = _payment(token, move), field(token, 0, 2), 0
    gotten = _income(memo, token, move)
    if move == m.ACCEPT:  # the other is he whose offer it was
        gotten, paid = terms_of(token, 2)
        given = gotten
    elif m.STEAL <= move < m.DRAW:  # the other is the victim
        given = gotten
    if given != 0:
        _lose(memo, other, given)
    if paid != 0:
        _lose(memo, player, paid)
        if move == m.ACCEPT:
            _gain(memo, other, paid)
    if gotten != 0:
        _gain(memo, player, gotten)
    seen = _shown(token, move)
    if seen != 0:
        _had(memo, player, seen)


def remember(v: Any, memo: Any, token: Any, viewer: int) -> None:
    """Advance a viewer's memo by a token of his; a memo of zeros is that of the start."""
    word: Any = np.int64(token)
    move, player = shown(word), maker(word)
    if move == m.UNSEEN_DISCARD:
        _lose_unseen(memo, player)
    elif move == m.UNSEEN_STEAL:
        _steal_unseen(memo, player, field(word, 0, 2))
    elif m.DICE <= move < m.STEAL:
        _harvest(memo, word)
    elif move >= 0:
        _note(memo, player, word, move)


@jit
def possible_hands(memo: Any, player: int) -> int:
    """How many hands of a player the memo leaves possible."""
    at, found = 5 * player, 0
    low, high, held = memo["low"], memo["high"], int(memo["held"][player])
    for a in range(low[at], high[at] + 1):
        for b in range(low[at + 1], high[at + 1] + 1):
            for c in range(low[at + 2], high[at + 2] + 1):
                rest = held - a - b - c  # shared by the last two
                least = max(int(low[at + 3]), rest - int(high[at + 4]))
                most = min(int(high[at + 3]), rest - int(low[at + 4]))
                found += max(0, most - least + 1)
    return found
