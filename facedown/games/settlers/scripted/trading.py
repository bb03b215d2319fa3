"""What the scripted player swaps and offers, towards its plan."""

from __future__ import annotations

from typing import Any

from facedown.core import jit
from facedown.games.settlers import moves as m
from facedown.games.settlers import state as st
from facedown.games.settlers.scripted.speed import ALL, likely
from facedown.games.settlers.state import bit, count, first, has, total, unit

NEAR_WIN = 8
"""Points with which nobody is traded with."""
MOST_OFFERS = 3
"""Offers a turn, where each is for one player."""
WORTHWHILE = 6.0
"""Rolls that the plan must wait for a card for which an offer is made."""
HOPE = 0.5
"""Cards of a resource that somebody must be expected to hold to be asked for one."""
LARGE = 7
"""Cards that a seven takes none of."""


@jit
def beyond(hand: int, cost: int, resource: int) -> int:
    """How many cards of a resource a hand has beyond a cost; negative where it lacks some."""
    return count(hand, resource) - count(cost, resource)


@jit
def swap_for(s: Any, me: int, hand: int, cost: int, pay: int) -> int:
    """A swap with the bank towards the plan, or towards its first piece; -1 without one.

    What the plan needs is not given. Swaps are made where they complete either, or where a hand is
    so large that a seven would cost it.
    """
    rates, swaps, short, short_now = s["rates"][me], 0, 0, 0
    give, most, get, least = -1, 0, -1, 0
    for resource in range(st.RESOURCES):
        spare, now = beyond(hand, cost, resource), beyond(hand, pay, resource)
        n = max(spare, 0) // count(rates, resource)
        swaps += n
        if n > most:
            give, most = resource, n
        short -= min(spare, 0)
        short_now -= min(now, 0)
        lack = min(spare, 0) + 16 * min(now, 0)  # the first piece first
        if lack < least and has(s["stock"], 8 * resource + 7):
            get, least = resource, lack
    enough = short <= swaps or short_now <= swaps
    if give < 0 or get < 0 or not (enough or total(hand) > LARGE):
        return -1
    return m.SWAP + 4 * give + get - (1 if get > give else 0)


@jit
def trusted(s: Any, me: int, other: int) -> bool:
    """Whether somebody may be traded with: he is not about to win."""
    return other != me and s["held"][other] > 0 and s["points"][other] < NEAR_WIN


@jit
def _best_offer(hand: int, cost: int, dots: int) -> tuple[int, int]:
    """Which card to give for which: what there is too much of, for what the plan waits for longest.

    Both are -1 where no such trade would help.
    """
    give, most, get, longest = -1, 0.0, -1, WORTHWHILE
    for resource in range(st.RESOURCES):
        spare, paid = float(beyond(hand, cost, resource)), float(count(dots, resource))
        if spare > 0.0 and spare + 0.05 * paid > most:
            give, most = resource, spare + 0.05 * paid
        wait = -spare * ALL / (paid + 1.0)
        if wait > longest:
            get, longest = resource, wait
    return (give, get) if give >= 0 and get >= 0 else (-1, -1)


@jit
def _asked(s: Any, me: int, wanted: int, n: int) -> tuple[int, int]:
    """Who most likely has a card of a resource, up to n players, a bit each; and the last of them.

    The last is -1 where there are fewer who may be traded with.
    """
    found, last = 0, -1
    for _ in range(n):
        last, best = -1, HOPE
        for other in range(st.PLAYERS):
            if trusted(s, me, other) and not has(found, other):
                chance = likely(s, other, wanted)
                if chance > best:
                    last, best = other, chance
        if last >= 0:
            found |= bit(last)
    return found, last


@jit
def offer_for(v: Any, s: Any, me: int, hand: int, cost: int, dots: int) -> int:
    """An offer to others that brings the plan nearer, or the next step of one; -1 without one.

    One card for one: in the paper's way to one after the other, those who most likely have it
    first, at a table to all who may.
    """
    table, composing = v["offers"] == st.TABLE_OFFERS, s["phase"] == st.COMPOSING
    most = 1 if table else MOST_OFFERS
    if v["offers"] == st.NO_OFFERS or (s["offers"] >= most and not composing):
        return -1
    give, get = _best_offer(hand, cost, dots)
    if give < 0:
        return -1
    asked, other = _asked(s, me, get, st.PLAYERS - 1 if table else int(s["offers"]) + 1)
    if asked == 0 or (other < 0 and not table):
        return -1
    if not table:
        return m.TRADE + m.OFFERS * other + m.SINGLE_SPAN * give + get - (1 if get > give else 0)
    if not composing:
        return m.COMPOSE
    return _step(s, unit(give), unit(get), asked)


@jit
def _step(s: Any, gives: int, gets: int, asked: int) -> int:
    """The next step of making up an offer; CANCEL where something else was begun."""
    side = 0 if s["asker"] == s["player"] else 2
    given, gotten, to = s["terms"][side], s["terms"][side + 1], int(s["to"]) if side == 0 else 0
    if (given != 0 and given != gives) or (gotten != 0 and gotten != gets) or to & ~asked != 0:
        return m.CANCEL
    if given == 0:
        return m.GIVE + first(gives) // 8
    if gotten == 0:
        return m.ASK + first(gets) // 8
    for other in range(st.PLAYERS):  # in the order of seats
        if side == 0 and has(asked, other) and to >> other == 0:
            return m.ADDRESS + other
    return m.PROPOSE
