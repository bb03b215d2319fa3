"""Cards, and sets of cards as bits of one word.

A card is 4 * rank + suit: rank 0 is the ace and 12 the king; suits are clubs, diamonds, hearts,
spades. So the cards worth at most v are the lowest 4 * v bits. A discard of two cards is numbered
by the pair, whatever the hand: 0 is the pair of cards 0 and 1, then 0 and 2, 1 and 2, 0 and 3, ...
"""

from __future__ import annotations

import numpy as np

from facedown.core import below, jit

CARDS, RANKS, SUITS = 52, 13, 4
PAIRS = CARDS * (CARDS - 1) // 2
DECK = (1 << CARDS) - 1
CLUBS = sum(1 << card for card in range(0, CARDS, SUITS))  # the others lie 1, 2 and 3 bits up
JACK = 10
NONE = -1


@jit
def bit(card: int) -> int:
    """The set of one card."""
    return np.int64(1) << np.int64(card)  # type: ignore[return-value]


@jit
def size(cards: int) -> int:
    """How many cards a set has; for small sets."""
    n = 0
    while cards != 0:
        cards &= cards - 1
        n += 1
    return n


@jit
def value(card: int) -> int:
    """What a card counts towards 15 and 31."""
    return min(card // SUITS + 1, 10)


@jit
def worth_at_most(most: int) -> int:
    """The set of all cards worth at most `most`, which is not negative."""
    return DECK if most >= 10 else bit(SUITS * most) - 1


@jit
def pair_number(low: int, high: int) -> int:
    """The number of the pair of two cards, the lower first."""
    return high * (high - 1) // 2 + low


@jit
def draw_some(rng: int, free: int, n: int, least: int) -> int:
    """A random set of `n` cards of `free`, none below the card `least`; there must be so many."""
    chosen = np.int64(0)
    while n > 0:
        one = bit(least + below(rng, CARDS - least))
        if free & one:
            chosen |= one
            free ^= one
            n -= 1
    return chosen  # type: ignore[return-value]
