"""What a hand of resources may be: a distribution over hands, updated exactly by what is seen.

One of these for each player whose hand is not seen, taken as independent of each other, is the
factored belief of Dobre and Lascarides (2018, "Tracking Belief in Settlers of Catan"). All updates
are exact for one hand; what is lost is that a card which moved unseen left one hand and came into
another: each of the two is mixed over by itself.

The number of cards in a hand is public, so all hands that are possible at a time have as many. A
hand is one integer, five bits for each resource, and a distribution two sorted arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import Any

import numpy as np

RESOURCES = 5
_BITS, _MASK = 5, 31
_UNITS = tuple(1 << _BITS * r for r in range(RESOURCES))

Keys = np.ndarray[Any, np.dtype[np.int64]]
Reals = np.ndarray[Any, np.dtype[np.float64]]
Hand = tuple[int, ...]


class ImpossibleError(ValueError):
    """No hand that was held for possible agrees with what was seen."""


def key_of(hand: Sequence[int]) -> int:
    """A hand as one integer; sums and differences of hands are those of their keys.

    >>> hand_of(key_of((1, 0, 2, 0, 0)) + key_of((0, 3, 0, 0, 1)))
    (1, 3, 2, 0, 1)
    """
    return sum(int(n) * unit for n, unit in zip(hand, _UNITS, strict=True))


def hand_of(key: int) -> Hand:
    """The hand that an integer stands for: how many of each resource."""
    return tuple(int(key) >> _BITS * r & _MASK for r in range(RESOURCES))


class Hands:
    """The hands that a player may hold, and how likely each is.

    >>> robbed = Hands((2, 1, 0, 0, 0))
    >>> robbed.lose_unseen()
    >>> robbed.to_dict()  # doctest: +ELLIPSIS
    {(2, 0, 0, 0, 0): 0.333..., (1, 1, 0, 0, 0): 0.666...}
    """

    def __init__(self, hand: Sequence[int] = (0,) * RESOURCES) -> None:
        self._keys: Keys = np.array([key_of(hand)])
        self._shares: Reals = np.ones(1)

    def copy(self) -> Hands:
        """Equal, and sharing nothing."""
        other = Hands()
        other._keys, other._shares = self._keys.copy(), self._shares.copy()
        return other

    # --- what is known ---------------------------------------------------------------------------

    def __len__(self) -> int:
        """How many hands are possible."""
        return len(self._keys)

    @property
    def total(self) -> int:
        """The number of cards, which is public."""
        return sum(hand_of(int(self._keys[0])))

    def to_dict(self) -> dict[Hand, float]:
        """Every possible hand with its probability."""
        pairs = zip(self._keys.tolist(), self._shares.tolist(), strict=True)
        return {hand_of(key): share for key, share in pairs}

    def share(self, hand: Sequence[int]) -> float:
        """How likely a hand is."""
        return float(self._shares[self._keys == key_of(hand)].sum())

    def counts(self, resource: int) -> Keys:
        """How many of a resource each possible hand has."""
        counts: Keys = self._keys >> _BITS * resource & _MASK
        return counts

    def bounds(self, resource: int) -> tuple[int, int]:
        """The least and the most that the hand may have of a resource."""
        counts = self.counts(resource)
        return int(counts.min()), int(counts.max())

    def mean(self, resource: int) -> float:
        """How many of a resource are expected."""
        return float(self.counts(resource) @ self._shares)

    def marginal(self, resource: int) -> Reals:
        """By number how likely the hand has so many of a resource."""
        found: Reals = np.bincount(self.counts(resource), self._shares)  # type: ignore[assignment]
        return found

    @property
    def shares(self) -> Reals:
        """How likely each possible hand is, in the order of `counts`."""
        return self._shares

    def samples(self, points: Reals) -> Keys:
        """The hands at points within [0, 1) of the distribution, [points, resources].

        Random points draw hands.
        """
        summed = np.cumsum(self._shares)
        places = np.searchsorted(summed, points * summed[-1], "right")
        keys = self._keys[np.minimum(places, len(self._keys) - 1)]
        hands: Keys = keys[:, None] >> _BITS * np.arange(RESOURCES) & _MASK
        return hands

    # --- what is seen ----------------------------------------------------------------------------

    def gain(self, cards: Sequence[int]) -> None:
        """The player got these cards."""
        self._keys = self._keys + key_of(cards)

    def show(self, cards: Sequence[int]) -> None:
        """The player is seen to have at least these cards."""
        had = np.ones(len(self._keys), bool)
        for resource, n in enumerate(cards):
            had &= self.counts(resource) >= n
        self._keep(had, self._shares)

    def pay(self, cards: Sequence[int]) -> None:
        """The player gave these cards away, so had them."""
        self.show(cards)
        self._keys = self._keys - key_of(cards)

    def hold_exactly(self, resource: int, n: int) -> None:
        """The player turned out to have just so many of a resource (monopoly)."""
        self._keep(self.counts(resource) == n, self._shares)

    def lose_seen(self, resource: int) -> None:
        """A card was drawn from the hand at random, and seen.

        P(hand | card) is in proportion to P(hand) times the share of such cards in the hand.
        """
        counts = self.counts(resource)
        self._keep(counts > 0, self._shares * counts)
        self._keys = self._keys - _UNITS[resource]

    def lose_unseen(self, n: int = 1) -> None:
        """`n` cards went unseen: stolen at random, or discarded, every card as likely as any."""
        ways: list[Keys] = []
        odds: list[Reals] = []
        for key, share in zip(self._keys.tolist(), self._shares.tolist(), strict=True):
            left, chance = _left_over(key, n)
            ways.append(left)
            odds.append(chance * share)
        self._set(np.concatenate(ways), np.concatenate(odds))

    def discard_unseen(self) -> None:
        """A card was chosen and went unseen: of each resource that the hand has as likely.

        So do random players; and what others keep is not told from how many they had of it.
        """
        counts = [self.counts(resource) for resource in range(RESOURCES)]
        shares = self._shares / np.sum([n > 0 for n in counts], axis=0)
        keys = [self._keys[n > 0] - _UNITS[r] for r, n in enumerate(counts)]
        self._set(np.concatenate(keys), np.concatenate([shares[n > 0] for n in counts]))

    def stolen(self) -> Reals:
        """How likely a card drawn at random from this hand is of each resource."""
        total = max(self.total, 1)
        return np.array([self.mean(resource) / total for resource in range(RESOURCES)])

    def gain_unseen(self, odds: Sequence[float] | Reals) -> None:
        """One card came unseen, of each resource with these odds, whatever the hand is."""
        drawn = [r for r in range(RESOURCES) if odds[r] > 0]
        keys = np.concatenate([self._keys + _UNITS[r] for r in drawn])
        self._set(keys, np.concatenate([self._shares * float(odds[r]) for r in drawn]))

    # --- inside ----------------------------------------------------------------------------------

    def _keep(self, possible: Any, weights: Reals) -> None:
        """Keep what is possible, by these weights."""
        kept = weights[possible]
        if not kept.sum() > 0:
            raise ImpossibleError("no possible hand agrees with what was seen")
        self._keys, self._shares = self._keys[possible], kept / kept.sum()

    def _set(self, keys: Keys, weights: Reals) -> None:
        """Take these hands, equal ones together."""
        self._keys, where = np.unique(keys, return_inverse=True)
        shares = np.bincount(where, weights, len(self._keys))
        self._shares = shares / shares.sum()


@cache
def _left_over(key: int, n: int) -> tuple[Keys, Reals]:
    """What may be left of a hand when `n` of its cards are drawn, and how likely each is.

    By the hypergeometric distribution: the product of C(held, drawn) over C(total, n).
    """
    hand = hand_of(key)
    found: list[tuple[int, int]] = []

    def draw(resource: int, left: int, after: int, ways: int) -> None:
        if resource == RESOURCES:
            if left == 0:
                found.append((after, ways))
            return
        for k in range(min(left, hand[resource]) + 1):
            draw(
                resource + 1, left - k, after - k * _UNITS[resource], ways * comb(hand[resource], k)
            )

    draw(0, n, key, 1)
    if not found:
        raise ImpossibleError(f"{n} cards cannot be lost by a hand of {sum(hand)}")
    keys, ways = zip(*found, strict=True)
    return np.array(keys), np.array(ways) / comb(sum(hand), n)
