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
def _harvest(memo: Any, token: int, place: int) -> None:
    """What the dice paid of one resource."""
    resource, shares = field(token, place, 3), field(token, place + 3, SHARES)
    for player in range(st.PLAYERS):
        share = share_of(shares, player)
        if share > 0:
            _gain(memo, player, share * unit(resource))


@jit
def _monopolise(memo: Any, player: int, token: int, resource: int) -> None:
    """All of a resource changes hands, and all see how many came from whom."""
    for other in range(st.PLAYERS):
        if other != player:
            n = field(token, 5 * other, 5)
            k = 5 * other + resource
            memo["low"][k], memo["high"][k] = n, n
            _tighten(memo, other)
            _lose(memo, other, n * unit(resource))
            _gain(memo, player, n * unit(resource))


@jit
def _exchange(memo: Any, player: int, token: int) -> None:
    """An accepted offer: what its maker gives, the player gets, and the other way round."""
    asker = field(token, 0, 2)
    gives, gets = terms_of(token, 2)
    _lose(memo, asker, gives)
    _lose(memo, player, gets)
    _gain(memo, asker, gets)
    _gain(memo, player, gives)


@jit
def _note_chance(memo: Any, player: int, token: int, move: int) -> None:
    if move == m.UNSEEN_DISCARD:
        _lose_unseen(memo, player)
    elif move == m.UNSEEN_STEAL:
        _steal_unseen(memo, player, field(token, 0, 2))
    elif m.STEAL <= move < m.DRAW:
        _lose(memo, field(token, 0, 2), unit(move - m.STEAL))
        _gain(memo, player, unit(move - m.STEAL))
    elif m.DICE <= move < m.STEAL:
        _harvest(memo, token, 0)
        _harvest(memo, token, 3 + SHARES)


@jit
def _note_card(memo: Any, player: int, token: int, move: int) -> None:
    """A year of plenty, or a monopoly."""
    if move >= m.PLAY_MONOPOLY:
        _monopolise(memo, player, token, move - m.PLAY_MONOPOLY)
        return
    pair = move - m.PLAY_PLENTY
    _gain(memo, player, unit(m.PAIR[pair, 0]))
    if field(token, 0, 2) == 2:
        _gain(memo, player, unit(m.PAIR[pair, 1]))


@jit
def _note_building(memo: Any, player: int, token: int, move: int) -> None:
    """A piece that was paid for, or the second settlement, which pays."""
    if move >= m.PAVE:
        if field(token, 0, 1) != 0:
            _lose(memo, player, st.ROAD_COST)
    elif move >= m.UPGRADE:
        _lose(memo, player, st.CITY_COST)
    elif field(token, 0, 1) != 0:
        _lose(memo, player, st.SETTLEMENT_COST)
    else:
        for resource in range(st.RESOURCES):
            _gain(memo, player, field(token, 1 + 2 * resource, 2) * unit(resource))


@jit
def _note(memo: Any, player: int, token: int, move: int) -> None:
    if move >= m.LAY:
        _note_chance(memo, player, token, move)
    elif move >= m.TRADE:
        _had(memo, player, m.OFFER_GIVES[(move - m.TRADE) % m.OFFERS])
    elif m.DISCARD <= move < m.ROB:
        _lose(memo, player, unit(move - m.DISCARD))
    elif m.PLAY_PLENTY <= move < m.DISCARD:
        _note_card(memo, player, token, move)
    elif m.SWAP <= move < m.PLAY_PLENTY:
        given, rest = (move - m.SWAP) // 4, (move - m.SWAP) % 4
        _lose(memo, player, field(token, 0, 3) * unit(given))
        _gain(memo, player, unit(rest + (1 if rest >= given else 0)))
    elif m.SETTLE <= move < m.SWAP:
        _note_building(memo, player, token, move)
    elif move == m.BUY:
        _lose(memo, player, st.CARD_COST)
    elif move == m.ACCEPT:
        _exchange(memo, player, token)
    elif move == m.PROPOSE:
        gives, _ = terms_of(token, 2)
        _had(memo, player, gives)


def remember(v: Any, memo: Any, token: Any, viewer: int) -> None:
    """Advance a viewer's memo by a token of his; a memo of zeros is that of the start."""
    word: Any = np.int64(token)
    if word != 0:
        _note(memo, maker(word), word, shown(word))


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
