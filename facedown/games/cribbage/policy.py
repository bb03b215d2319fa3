"""An informed player: near-expert throws and a sensible play, fast enough for playouts.

It decides by what the acting player knows: his own cards, the line of play, who deals. A throw is
worth the mean count of the kept hand over all 46 cuts, exactly, and the mean count of a crib with
these two cards, by a table learnt from play, for or against him. A card of the play is worth its
points now and a little for what it leaves to the other.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from facedown.core import jit, lowest, uniform
from facedown.games.cribbage.cards import (
    CLUBS,
    JACK,
    RANKS,
    SUITS,
    bit,
    pair_number,
    size,
    worth_at_most,
)
from facedown.games.cribbage.play import card_points, is_last
from facedown.games.cribbage.scoring import DOUBLES
from facedown.games.cribbage.state import GO, THROW, THROWS

_CUTS = 46  # cards that a player has not seen when he throws
_JACKS = 15 << (SUITS * JACK)
_FIVE, _FOUR = 4, 3  # ranks
THROW_NOISE, PLAY_NOISE = 1.0, 1.0  # points: what playouts add at random, up to so much
THROW_SPREAD, PLAY_SPREAD = 0.7, 0.7  # points: the temperature of priors


# --- throws ---------------------------------------------------------------------------------------


@jit
def _in_suit(cards: int, suit: int) -> int:
    """How many of the cards are of a suit."""
    return size(cards & (CLUBS << suit))


@jit
def _suits_worth(six: int, kept: int) -> float:
    """What flushes and his nobs add to the kept hand, in the mean over the cuts."""
    worth, suit = 0.0, lowest(kept) % SUITS
    if kept & ~(CLUBS << suit) == 0:
        worth += 4.0 + (RANKS - _in_suit(six, suit)) / _CUTS
    jacks = kept & _JACKS
    while jacks != 0:
        suit = lowest(jacks) % SUITS
        worth += (RANKS - _in_suit(six, suit)) / _CUTS
        jacks &= jacks - 1
    return worth


@jit
def kept_worth(t: Any, six: int, low: int, high: int) -> float:
    """The mean count over all cuts of the four cards that are kept of six."""
    kept = six ^ bit(low) ^ bit(high)
    a = lowest(kept) // SUITS
    rest = kept & (kept - 1)
    b = lowest(rest) // SUITS
    rest &= rest - 1
    c = lowest(rest) // SUITS
    d = lowest(rest & (rest - 1)) // SUITS
    low_two, high_two = int(t["double"][a * RANKS + b]), int(t["double"][c * RANKS + d])
    total = t["keep"][low_two * DOUBLES + high_two]
    three = int(t["triple"][(a * RANKS + b) * RANKS + c]) * DOUBLES
    for card in (low, high):  # which cannot be cut
        total -= t["points"][three + int(t["double"][d * RANKS + card // SUITS])]
    return total / _CUTS + _suits_worth(six, kept)  # type: ignore[no-any-return]


@jit
def crib_place(t: Any, low: int, high: int, deals: bool) -> int:
    """Where a throw is in the table of cribs: the dealer's or the pone's, suited, its ranks."""
    suited = 1 if low % SUITS == high % SUITS else 0
    double = int(t["double"][low // SUITS * RANKS + high // SUITS])
    return ((0 if deals else 2) + suited) * DOUBLES + double


@jit
def throw_worth(t: Any, six: int, low: int, high: int, deals: bool) -> float:
    """What a throw makes in the mean, the play left out of account."""
    crib = t["crib"][crib_place(t, low, high, deals)]
    return kept_worth(t, six, low, high) + (crib if deals else -crib)  # type: ignore[no-any-return]


@jit
def best_throw(t: Any, six: int, deals: bool, noise: float, rng: int) -> int:
    """The number of the pair that is worth most, each with up to so much noise added."""
    best, highest = 0, -math.inf
    rest = six & (six - 1)
    while rest != 0:
        high, lower = lowest(rest), six & ((rest & -rest) - 1)
        while lower != 0:
            low = lowest(lower)
            worth = throw_worth(t, six, low, high, deals)
            if noise > 0.0:
                worth += noise * uniform(rng)
            if worth > highest:
                best, highest = pair_number(low, high), worth
            lower &= lower - 1
        rest &= rest - 1
    return best


# --- the play -------------------------------------------------------------------------------------


@jit
def _leaves(s: Any, card: int) -> float:
    """What a card is worth for the rest of the count, roughly, beyond its points now."""
    rank, count = card // SUITS, int(s["count"])
    value = min(rank + 1, 10)
    after = count + value
    worth = 0.03 * value  # low cards are worth keeping
    if after in (5, 21):  # sixteen cards make fifteen or thirty-one of it
        worth -= 0.8
    elif after < 15 or 21 < after < 31:
        worth -= 0.15
    if after < 5:  # no card makes fifteen of it
        worth += 0.35
    if after + value <= 31:  # it may be paired; with its twin in hand that is answered
        mate = size(s["held"][s["actor"]] & (np.int64(15) << (SUITS * rank))) > 1
        worth += 0.3 if mate else -0.2
    if s["n"] > s["first"]:
        before = int(s["line"][s["n"] - 1])
        if before >= 0 and before // SUITS != rank and abs(before // SUITS - rank) <= 2:
            worth -= 0.3  # a run may be made of it
    return worth


@jit
def play_worth(s: Any, card: int) -> float:
    """What playing a card is worth, in points."""
    worth = card_points(s, card) + _leaves(s, card)
    return worth + 1.0 if is_last(s, card) else worth


@jit
def _best_card(s: Any, rng: int) -> int:
    cards = s["held"][s["actor"]] & worth_at_most(31 - int(s["count"]))
    if cards & (cards - 1) == 0:
        return lowest(cards) if cards != 0 else GO
    best, highest = GO, -math.inf
    while cards != 0:
        card = lowest(cards)
        worth = play_worth(s, card) + PLAY_NOISE * uniform(rng)
        if worth > highest:
            best, highest = card, worth
        cards &= cards - 1
    return best


# --- rules ----------------------------------------------------------------------------------------


def playout(t: Any, s: Any, rng: int) -> int:
    """The move that is worth most, with some noise."""
    if s["stage"] != THROW:
        return _best_card(s, rng)
    player = int(s["actor"])
    deals = player == s["dealer"]
    return THROWS + best_throw(t, s["held"][player], deals, THROW_NOISE, rng)


def prior(t: Any, s: Any, moves: Any, out: Any) -> None:
    """Moves in proportion to the exponential of what they are worth."""
    player, throws = int(s["actor"]), s["stage"] == THROW
    six, deals = s["held"][player], player == s["dealer"]
    highest = -math.inf
    for k in range(len(moves)):
        move, worth = int(moves[k]), 0.0
        if throws:
            pair = move - THROWS
            worth = throw_worth(t, six, int(t["low"][pair]), int(t["high"][pair]), deals)
            worth /= THROW_SPREAD
        elif move != GO:
            worth = play_worth(s, move) / PLAY_SPREAD
        out[k] = worth
        highest = max(highest, worth)
    for k in range(len(moves)):
        out[k] = math.exp(out[k] - highest)
