"""Worlds from a view and a memo.

A world gives every other player a hand within the memo's bounds, of as many cards as he holds, and
development cards that nobody has seen, no more victory cards than his not having won allows. There
are 19 of each resource, the bank has the rest, and it lacks just those resources that it is seen to
lack. Such worlds are consistent with what is proven; they are not drawn by the exact posterior: the
cards that are not proven are dealt as from the cards that lie unseen, whatever chance and the
players would rather have done.
"""

from __future__ import annotations

from typing import Any

from facedown.core import below, jit
from facedown.games.settlers import state as st
from facedown.games.settlers.state import VICTORY, bit, count, has, some, total, unit

TRIES = 20


@jit
def _cap(memo: Any, player: int, hand: int) -> int:
    """The top bits of the resources of which a hand may have more."""
    found = 0
    for resource in range(st.RESOURCES):
        if count(hand, resource) < int(memo["high"][5 * player + resource]):
            found |= bit(8 * resource + 7)
    return found


@jit
def _pick(pool: int, allowed: int, rng: int) -> int:
    """A kind drawn from a packed pool, of the kinds whose top bits are allowed; -1 without any."""
    n = 0
    for kind in range(5):
        if has(allowed, 8 * kind + 7):
            n += count(pool, kind)
    if n == 0:
        return -1
    left = below(rng, n)
    for kind in range(5):
        if has(allowed, 8 * kind + 7):
            left -= count(pool, kind)
            if left < 0:
                return kind
    return -1


@jit
def _least(memo: Any, player: int) -> int:
    """The cards that a player is proven to hold, packed."""
    hand = 0
    for resource in range(st.RESOURCES):
        hand += int(memo["low"][5 * player + resource]) * unit(resource)
    return hand


@jit
def _deal_hands(s: Any, memo: Any, viewer: int, rng: int) -> bool:
    """Deal the others' hands once, within their bounds; whether they came out."""
    pool = st.SUPPLY
    for player in range(st.PLAYERS):
        if player != viewer:
            s["hands"][player] = _least(memo, player)
        pool -= s["hands"][player]
    for player in range(st.PLAYERS):
        if player == viewer:
            continue
        hand = s["hands"][player]
        for _ in range(int(s["held"][player]) - total(hand)):
            kind = _pick(pool, _cap(memo, player, hand), rng)
            if kind < 0:
                return False
            hand += unit(kind)
            pool -= unit(kind)
        s["hands"][player] = hand
    s["bank"] = pool
    return True


@jit
def _exchange(s: Any, memo: Any, viewer: int, wanted: int, bound: bool) -> bool:
    """Put a card of `wanted` from the bank into a hand, for one that the bank may show."""
    for player in range(st.PLAYERS):
        hand = s["hands"][player]
        if player == viewer or (bound and not has(_cap(memo, player, hand), 8 * wanted + 7)):
            continue
        for kind in range(st.RESOURCES):
            least = int(memo["low"][5 * player + kind]) if bound else 0
            if kind != wanted and has(s["stock"], 8 * kind + 7) and count(hand, kind) > least:
                s["hands"][player] = hand + unit(wanted) - unit(kind)
                s["bank"] += unit(kind) - unit(wanted)
                return True
    return False


@jit
def _free(s: Any, memo: Any, viewer: int, wanted: int, bound: bool) -> bool:
    """Put a card of `wanted` from a hand into the bank, for one of which the bank has two."""
    for player in range(st.PLAYERS):
        hand = s["hands"][player]
        least = int(memo["low"][5 * player + wanted]) if bound else 0
        if player == viewer or count(hand, wanted) <= least:
            continue
        for kind in range(st.RESOURCES):
            room = not bound or has(_cap(memo, player, hand), 8 * kind + 7)
            if kind != wanted and room and count(s["bank"], kind) > 1:
                s["hands"][player] = hand + unit(kind) - unit(wanted)
                s["bank"] += unit(wanted) - unit(kind)
                return True
    return False


@jit
def _mend(s: Any, memo: Any, viewer: int) -> None:
    """Change cards until the bank lacks what it is seen to lack; in bounds while that works."""
    for step in range(2 * 95):
        wrong = some(s["bank"]) ^ s["stock"]
        if wrong == 0:
            return
        for resource in range(st.RESOURCES):
            if has(wrong, 8 * resource + 7):
                bound = step < 95
                if has(s["stock"], 8 * resource + 7):
                    _free(s, memo, viewer, resource, bound)
                else:
                    _exchange(s, memo, viewer, resource, bound)


@jit
def _fill(s: Any, viewer: int, rng: int) -> None:
    """Hands of the right size from what lies unseen, by no other bound: where none came out."""
    pool = st.SUPPLY
    if viewer >= 0:
        pool -= s["hands"][viewer]
    for player in range(st.PLAYERS):
        if player == viewer:
            continue
        hand = 0
        for _ in range(s["held"][player]):
            kind = _pick(pool, st.TOPS, rng)
            hand += unit(kind)
            pool -= unit(kind)
        s["hands"][player] = hand
    s["bank"] = pool


@jit
def _deal_cards(s: Any, viewer: int, rng: int, bound: bool) -> bool:
    """Deal the others' development cards, the bought ones first; whether they came out."""
    pool = st.DECK - s["played"]
    if viewer >= 0:
        pool -= s["cards"][viewer]
    for player in range(st.PLAYERS):
        if player == viewer:
            continue
        cards, fresh = 0, int(s["bought"]) if player == s["player"] else 0
        fresh = min(fresh, int(s["unplayed"][player]))
        for k in range(int(s["unplayed"][player])):
            if k == fresh and player == s["player"]:
                s["fresh"] = cards
            full = bound and count(cards, VICTORY) >= int(s["silent"][player])
            kind = _pick(pool, st.TOPS & 0x80808080 if full else st.TOPS, rng)
            if kind < 0:
                return False
            cards += unit(kind)
            pool -= unit(kind)
        if player == s["player"] and int(s["unplayed"][player]) == fresh:
            s["fresh"] = cards
        s["cards"][player] = cards
    s["deck"] = pool
    return True


def determinize(v: Any, s: Any, memo: Any, viewer: int, rng: int) -> None:
    """Turn a viewer's view into a world that his memo allows, in place."""
    tries = 0
    while not _deal_hands(s, memo, viewer, rng):
        tries += 1
        if tries == TRIES:
            _fill(s, viewer, rng)
            break
    _mend(s, memo, viewer)
    tries = 0
    while not _deal_cards(s, viewer, rng, tries < TRIES):
        tries += 1
