"""Cards, of which only the rank counts: packed counts, and short lists of what was laid.

*Counts* are one integer with four bits for each rank, how many of it there are; sets of cards add
and subtract like numbers. A *list* is up to four cards laid at once: four bits for each, its rank
and one, the lowest rank in the lowest bits, 0 where it ends.
"""

from __future__ import annotations

import numpy as np

from facedown.core import below, jit

RANKS, COPIES = 13, 4
NONE = -1
MOST_LAID = 4  # cards of one claim
_CARDS = RANKS * COPIES

_CHOOSE = np.zeros((_CARDS + 1, MOST_LAID + 1))  # binomial coefficients
_CHOOSE[:, 0] = 1.0
for _n in range(1, _CARDS + 1):
    for _k in range(1, MOST_LAID + 1):
        _CHOOSE[_n, _k] = _CHOOSE[_n - 1, _k - 1] + _CHOOSE[_n - 1, _k]


@jit
def unit(rank: int) -> int:
    """The counts of one card."""
    return np.int64(1) << np.int64(4 * rank)  # type: ignore[return-value]


@jit
def count(cards: int, rank: int) -> int:
    """How many cards of a rank there are."""
    return (cards >> np.int64(4 * rank)) & 15  # type: ignore[return-value]


@jit
def pack(counts: int, copies: int) -> int:
    """The counts of `counts` ranks with `copies` cards each: a whole deck."""
    deck = 0
    for rank in range(counts):
        deck += copies * unit(rank)
    return deck


@jit
def draw_rank(rng: int, cards: int, n: int) -> int:
    """The rank of one of `n` cards, each as likely."""
    left, rank = below(rng, n), 0
    while True:
        left -= count(cards, rank)
        if left < 0:
            return rank
        rank += 1


@jit
def choose(n: int, k: int) -> float:
    """In how many ways `k` (at most 4) of `n` cards can be taken; 0 where there are not so many."""
    return _CHOOSE[n, k] if n >= k else 0.0


@jit
def insert(laid: int, rank: int) -> int:
    """A list with one more card."""
    shift = 0
    while 0 < ((laid >> shift) & 15) <= rank + 1:
        shift += 4
    low = laid & ((1 << shift) - 1)
    return low | ((rank + 1) << shift) | ((laid >> shift) << (shift + 4))


@jit
def alike(rank: int, n: int) -> int:
    """The list of `n` cards of a rank."""
    laid = 0
    for _ in range(n):
        laid = (laid << 4) | (rank + 1)
    return laid


@jit
def counted(laid: int) -> int:
    """The counts of a list."""
    cards = 0
    while laid != 0:
        cards += unit((laid & 15) - 1)
        laid >>= 4
    return cards


def listed(laid: int) -> list[int]:
    """The ranks of a list, the lowest first.

    >>> listed(0x551)
    [0, 4, 4]
    """
    ranks = []
    while laid:
        ranks.append((laid & 15) - 1)
        laid >>= 4
    return ranks
