"""Worlds: the cards that a viewer cannot see, dealt anew with the probability of their history.

Every deal is as likely as any other, and so is every throw of two cards of six; so what a player
still holds and what he threw are any cards that the viewer has not seen, all sets of them equally
likely, but for what the play tells. A player who said go at the count c holds nothing worth 31 - c
or less. A player who played one of n cards that fitted did so with probability 1 / n; n depends on
what he held besides, wherever some cards no longer fitted. The first is drawn so, the second weighs
by rejection; both are exact.
"""

from __future__ import annotations

from typing import Any

from facedown.core import jit, uniform
from facedown.games.cribbage.cards import DECK, SUITS, bit, draw_some, size, value, worth_at_most
from facedown.games.cribbage.policy import best_throw
from facedown.games.cribbage.state import CLOSED, CUT, GO_SAID

_SKILLED_TRIES = 40  # then no more time is spent on a hand that the informed player rarely keeps
BELIEF_NOISE = 2.0  # points: how far from the best throw the other's may be
_TRIES = 10_000  # a draw is accepted with probability 1/24 at the very least, one player's part


@jit
def _unseen(s: Any, viewer: int) -> int:
    """The cards whose place a viewer does not know."""
    seen = s["played"][0] | s["played"][1]
    if s["cut"] >= 0:
        seen |= bit(s["cut"])
    if viewer >= 0:
        seen |= s["held"][viewer] | s["thrown"][viewer]
    return DECK & ~seen  # type: ignore[no-any-return]


@jit
def _least(s: Any, player: int) -> int:
    """The lowest card that a player can hold, after what he said."""
    least, count = 0, 0
    for k in range(s["n"]):
        entry = int(s["line"][k])
        if entry in (GO_SAID - player, CLOSED - player):
            least = max(least, SUITS * (31 - count))
        count = _next_count(count, entry)
    return least


@jit
def _next_count(count: int, entry: int) -> int:
    """The running count after an entry of the line."""
    if entry >= 0:
        count += value(entry)
        return 0 if count == 31 else count
    return 0 if entry <= CLOSED else count  # both players' CLOSED, and RAN_OUT


@jit
def _likelihood(s: Any, player: int) -> float:
    """How likely a player's plays were with what he holds now, compared with the likeliest hand."""
    chance, count, later = 1.0, 0, s["played"][player]
    for k in range(s["n"]):
        entry = int(s["line"][k])
        if entry >= 0 and later & bit(entry):
            if count > 21:  # up to there every card fits
                fits = worth_at_most(31 - count)
                shown = size(later & fits)
                chance *= shown / (shown + size(s["held"][player] & fits))
            later ^= bit(entry)
        count = _next_count(count, entry)
    return chance


@jit
def _deal_hidden(s: Any, viewer: int, rng: int) -> None:
    """Whoever can hold fewer cards gets his first: so all pairs of hands are equally likely."""
    unseen = _unseen(s, viewer)
    least = _least(s, 0), _least(s, 1)
    first = 0 if least[0] >= least[1] else 1
    free = unseen
    for _ in range(_TRIES):
        free, chance = unseen, 1.0
        for player in (first, 1 - first):
            if player != viewer:
                cards = draw_some(rng, free, int(s["left"][player]), least[player])
                free ^= cards
                s["held"][player] = cards
                chance *= _likelihood(s, player)
        if chance == 1.0 or uniform(rng) < chance:
            break
    if s["stage"] >= CUT:
        for player in range(2):
            if player != viewer:
                s["thrown"][player] = draw_some(rng, free, 2, 0)
                free ^= s["thrown"][player]


def determinize(t: Any, s: Any, viewer: int, rng: int) -> None:
    """Deal the hidden cards."""
    _deal_hidden(s, viewer, rng)


def skilled(t: Any, s: Any, viewer: int, rng: int) -> None:
    """Deal the hidden cards as if the other had thrown like the informed player.

    He is dealt any six cards that he can have had and throws two; what does not fit the play so far
    is dealt anew, up to so many times, then dealt as `determinize` does it: late in the play, where
    little fits, the worlds are a mixture of both.
    """
    if s["stage"] < CUT or viewer < 0:
        _deal_hidden(s, viewer, rng)
        return
    other = 1 - viewer
    unseen, least = _unseen(s, viewer), _least(s, other)
    shown, deals = s["played"][other], other == s["dealer"]
    for _ in range(_SKILLED_TRIES):
        six = shown | draw_some(rng, unseen, int(s["left"][other]) + 2, 0)
        pair = best_throw(t, six, deals, BELIEF_NOISE, rng)
        thrown = bit(t["low"][pair]) | bit(t["high"][pair])
        held = six & ~(thrown | shown)
        if thrown & shown == 0 and held & (bit(least) - 1) == 0:
            s["held"][other], s["thrown"][other] = held, thrown
            chance = _likelihood(s, other)
            if chance == 1.0 or uniform(rng) < chance:
                return
    _deal_hidden(s, viewer, rng)
