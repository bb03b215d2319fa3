"""The scripted player: plans the fastest way to points, and does what brings the plan nearer.

It plays like JSettlers' robot. For everything that it could build next (a settlement, if need be
with the roads to it, a city, a development card, the longest road) it reckons how many rolls it
would still take to win if it built that first: the rolls until the cost is there, from the hand,
the dice and the bank's rates, and then so many points at the pace that the larger production has.
The plan is what wins first (`fastest_plan`). All else follows from it: what the plan can do without
is offered, swapped, discarded; an offer is accepted if the plan wins sooner with it, and not from
somebody who is about to win; cards are played for the plan; the robber goes where it hurts those
who are ahead.

It decides from what the player to act sees: of others' hands and cards only how many they are. The
same view gives the same move.
"""

from __future__ import annotations

from typing import Any

from facedown.core import jit
from facedown.games.settlers import moves as m
from facedown.games.settlers import state as st
from facedown.games.settlers.geometry import HALF
from facedown.games.settlers.listing import asked_for, wins
from facedown.games.settlers.scripted.planning import (
    ANYTHING,
    PAVING_ONLY,
    fastest_plan,
    first_places,
    first_road,
)
from facedown.games.settlers.scripted.playing import before_the_dice, card_for, robbed_hex, victim
from facedown.games.settlers.scripted.speed import player_dots
from facedown.games.settlers.scripted.trading import beyond, offer_for, swap_for, trusted
from facedown.games.settlers.state import count, covers, first

MARGIN = 0.5
"""Rolls that a trade must win, for it helps the other too."""


@jit
def _discard(hand: int, cost: int, dots: int) -> int:
    """The card that the plan can best do without: there are most of it, it soon comes again."""
    best, highest = 0, -1.0e9
    for resource in range(st.RESOURCES):
        score = float(beyond(hand, cost, resource)) + 0.01 * count(dots, resource)
        if count(hand, resource) > 0 and score > highest:
            best, highest = resource, score
    return m.DISCARD + best


@jit
def _act(v: Any, s: Any, me: int, hand: int, cost: int, move: int, pay: int, dots: int) -> int:
    """A step of one's turn: build, play a card, offer, swap, or end it."""
    composing = s["phase"] == st.COMPOSING
    found = -1
    if not composing:
        if move >= 0 and covers(hand, pay):
            return move
        found = card_for(s, me, hand, cost, move)
    if found < 0 and move >= 0:
        found = offer_for(v, s, me, hand, cost, dots)
    if composing:
        return found if found >= 0 else m.CANCEL
    if found < 0 and move >= 0:
        found = swap_for(s, me, hand, cost, pay)
    return found if found >= 0 else m.END


@jit
def _any_road(s: Any, me: int) -> int:
    """Any road that may be built."""
    low = s["frontier"][2 * me] & ~s["taken"][0]
    if low != 0:
        return m.PAVE + first(low)
    return m.PAVE + HALF + first(s["frontier"][2 * me + 1] & ~s["taken"][1])


@jit
def _after_trade(s: Any, hand: int) -> int:
    """The hand of whoever answers the offer on the table if he accepts it; -1 where he cannot."""
    asked = asked_for(s)
    if not covers(hand, asked):
        return -1
    gives = s["terms"][0] if s["asker"] == s["player"] else s["terms"][2]
    return hand - asked + gives  # type: ignore[no-any-return]


@jit
def _planned(v: Any, s: Any, me: int, phase: int) -> int:
    """The decisions that follow from a plan."""
    hand, options, dots = s["hands"][me], ANYTHING, player_dots(s, me)
    if phase == st.PAVING_FREE:
        hand, options = hand + s["free"] * st.ROAD_COST, PAVING_ONLY
    answers, then = phase == st.ANSWERING, -1
    if answers:
        then = _after_trade(s, hand)
        if then < 0 or not trusted(s, me, int(s["asker"])):
            return m.REJECT
    before, after, cost, move, pay = 0.0, 0.0, 0, -1, 0
    for k in range(2 if answers else 1):  # once with the hand, once with that after the trade
        before = after
        after, cost, move, pay = fastest_plan(s, me, hand if k == 0 else then, options, dots)
    if answers:
        return m.ACCEPT if after + MARGIN < before else m.REJECT
    if phase == st.PAVING_FREE:
        return move if move >= 0 else _any_road(s, me)
    if phase == st.DISCARDING:
        return _discard(hand, cost, dots)
    return _act(v, s, me, hand, cost, move, pay, dots)


def scripted(v: Any, s: Any, rng: int) -> int:
    """The move of the player to act."""
    phase, me = int(s["phase"]), int(s["actor"])
    if phase == st.SETTLING:
        return first_places(s, me)
    if phase == st.PAVING:
        return first_road(s)
    talking = phase == st.ANSWERING or phase == st.COMPOSING or phase == st.DISCARDING
    if wins(s) and not talking:
        return m.CLAIM
    if phase == st.BEFORE:
        return before_the_dice(s, me)
    if phase == st.ROBBING:
        return robbed_hex(s, me)
    if phase == st.CHOOSING:
        return victim(s, me)
    return _planned(v, s, me, phase)
