"""What a viewer learns from a move, as a token that stands alone.

A token has, from its lowest bit on: ten bits with one more than the move, two with the player who
made it or for whom chance did, and what the move came to, as far as the viewer sees it, so that a
memo can be advanced without the position. What is hidden has a number of its own instead of the
move: a discard, a stolen card, a development card drawn. Where the bank's cards get fewer, or a
discard may bring some back, the five highest bits say which resources it has left.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import CHANCE, jit
from facedown.games.settlers import moves as m
from facedown.games.settlers import state as st
from facedown.games.settlers.economy import first_harvest, plenty, production, share_of
from facedown.games.settlers.state import count, some, total, unit, victory_cards

PLAYER, EXTRA, STOCK = 10, 12, 58  # where they begin
NUMBER = (1 << PLAYER) - 1
SHARES = 16  # bits of a production's shares
SIX = 63


@jit
def shown(token: int) -> int:
    """The move that a token shows, or the number of what is hidden."""
    return (token & NUMBER) - 1


@jit
def maker(token: int) -> int:
    """The player that a token is about."""
    return (token >> PLAYER) & 3


@jit
def field(token: int, place: int, bits: int) -> int:
    """Some bits of what a move came to."""
    return (token >> (EXTRA + place)) & ((1 << bits) - 1)


@jit
def _stock_bits(stock: int) -> int:
    """Which resources the bank has, five bits, at their place."""
    found = 0
    for resource in range(st.RESOURCES):
        found |= ((stock >> (8 * resource + 7)) & 1) << (STOCK + resource)
    return found


@jit
def _terms_bits(gives: int, gets: int) -> int:
    """An offer in thirty bits: for each resource how many, and whether they are asked for."""
    found = 0
    for resource in range(st.RESOURCES):
        given, gotten = count(gives, resource), count(gets, resource)
        found |= ((given + gotten) * 2 + (1 if gotten > 0 else 0)) << (6 * resource)
    return found


@jit
def terms_of(token: int, place: int) -> tuple[int, int]:
    """What the offer in a token gives and gets, packed."""
    gives, gets = 0, 0
    for resource in range(st.RESOURCES):
        six = field(token, place + 6 * resource, 6)
        if six & 1:
            gets += (six >> 1) * unit(resource)
        else:
            gives += (six >> 1) * unit(resource)
    return gives, gets


@jit
def _dice_extra(s: Any, dice: int) -> int:
    if dice == 7:
        return _stock_bits(s["stock"])
    one, shares, two, more = production(s, dice)
    paid_one, paid_two = 0, 0
    for player in range(st.PLAYERS):
        paid_one += share_of(shares, player)
        paid_two += share_of(more, player)
    bank = s["bank"] - paid_one * unit(one) - paid_two * unit(two)
    packed = one | shares << 3 | (two | more << 3) << (3 + SHARES)
    return packed << EXTRA | _stock_bits(some(bank))


@jit
def _settle_extra(v: Any, s: Any, node: int) -> int:
    if s["phase"] != st.SETTLING:
        return 1 << EXTRA
    if s["count"] < v["players"]:
        return 0
    gain, packed = first_harvest(s, node), 0
    for resource in range(st.RESOURCES):
        packed |= count(gain, resource) << (2 * resource)
    return packed << (EXTRA + 1)


@jit
def _swap_extra(s: Any, actor: int, move: int) -> int:
    given, rest = (move - m.SWAP) // 4, (move - m.SWAP) % 4
    rate = count(s["rates"][actor], given)
    gotten = rest + (1 if rest >= given else 0)
    bank = s["bank"] + rate * unit(given) - unit(gotten)
    return rate << EXTRA | _stock_bits(some(bank))


@jit
def _card_extra(s: Any, actor: int, move: int) -> int:
    """A year of plenty, or a monopoly."""
    if move < m.PLAY_MONOPOLY:
        pair = move - m.PLAY_PLENTY
        gain = plenty(s, m.PAIR[pair, 0], m.PAIR[pair, 1])
        return total(gain) << EXTRA | _stock_bits(some(s["bank"] - gain))
    packed = 0
    for other in range(st.PLAYERS):
        if other != actor:
            taken = count(s["hands"][other], move - m.PLAY_MONOPOLY)
            packed |= taken << (EXTRA + 5 * other)
    return packed


@jit
def _offer_extra(s: Any, actor: int, move: int) -> int:
    """What is proposed, and to whom; what is accepted, and of whom."""
    asker = actor if move == m.PROPOSE else int(s["asker"])
    side = 0 if asker == s["player"] else 2
    to = int(s["to"]) if side == 0 and move == m.PROPOSE else 0
    terms = _terms_bits(s["terms"][side], s["terms"][side + 1])
    return (asker | terms << 2 | to << 32) << EXTRA


@jit
def _discard_bits(s: Any, resource: int) -> int:
    return _stock_bits(s["stock"] | some(unit(resource)))


@jit
def _chance_token(s: Any, move: int, viewer: int) -> tuple[int, int]:
    """What is shown of chance's move, and what it came to."""
    player = int(s["player"])
    if move >= m.DRAW:
        return (move if viewer == player else m.UNSEEN_DRAW), 0
    if move >= m.STEAL:
        victim = int(s["victim"])
        known = viewer in (player, victim)
        return (move if known else m.UNSEEN_STEAL), victim << EXTRA
    if move >= m.DICE:
        return move, _dice_extra(s, move - m.DICE + 2)
    return move, 0


@jit
def _player_token(v: Any, s: Any, actor: int, move: int, viewer: int) -> tuple[int, int]:
    if move >= m.DISCARD:
        if move >= m.ROB:
            return move, 0
        bits = _discard_bits(s, move - m.DISCARD)
        return (move if viewer == actor else m.UNSEEN_DISCARD), bits
    if move >= m.PLAY_PLENTY:
        return move, _card_extra(s, actor, move)
    if move >= m.SWAP:
        return move, _swap_extra(s, actor, move)
    if move >= m.PAVE:
        paid = s["phase"] == st.ACTING
        return move, (1 << EXTRA) if paid else 0
    if move >= m.SETTLE:
        return move, _settle_extra(v, s, move - m.SETTLE) if move < m.UPGRADE else 0
    if move == m.ACCEPT or move == m.PROPOSE:
        return move, _offer_extra(s, actor, move)
    if move == m.CLAIM:
        return move, victory_cards(s, actor) << EXTRA
    return move, 0


def sees(v: Any, s: Any, move: int, viewer: int) -> Any:
    """The token of a move for a viewer; every move is seen by all, if not in full."""
    actor = int(s["actor"])
    if actor == CHANCE:
        seen, extra = _chance_token(s, move, viewer)
        actor = int(s["player"])
    else:
        seen, extra = _player_token(v, s, actor, move, viewer)
    return np.uint64((seen + 1) | actor << PLAYER | extra)
