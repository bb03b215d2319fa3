"""The exact belief over all hands of Settlers together, by enumeration: what the factors forget."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from facedown.games.settlers.belief import FactoredBelief

Hand = tuple[int, ...]
All = tuple[Hand, ...]


class Place:
    """One player's place in the joint distribution, with what can be seen of a hand."""

    def __init__(self, joint: JointBelief, player: int) -> None:
        self.joint, self.player = joint, player

    def gain(self, cards: Sequence[int]) -> None:
        self._each(lambda hand: [(tuple(a + b for a, b in zip(hand, cards, strict=True)), 1.0)])

    def show(self, cards: Sequence[int]) -> None:
        had = self._has(cards)
        self._each(lambda hand: [(hand, 1.0)] if had(hand) else [])

    def pay(self, cards: Sequence[int]) -> None:
        had = self._has(cards)

        def paid(hand: Hand) -> list[tuple[Hand, float]]:
            left = tuple(a - b for a, b in zip(hand, cards, strict=True))
            return [(left, 1.0)] if had(hand) else []

        self._each(paid)

    def hold_exactly(self, resource: int, n: int) -> None:
        self._each(lambda hand: [(hand, 1.0)] if hand[resource] == n else [])

    def lose_seen(self, resource: int) -> None:
        self._each(lambda hand: [one for r, *one in lost(hand) if r == resource])

    def lose_unseen(self) -> None:
        self._each(lambda hand: [(left, share) for _, left, share in lost(hand)])

    @staticmethod
    def _has(cards: Sequence[int]) -> Callable[[Hand], bool]:
        return lambda hand: all(a >= b for a, b in zip(hand, cards, strict=True))

    def _each(self, change: Callable[[Hand], Sequence[Sequence]]) -> None:
        p = self.player
        self.joint.change(
            lambda hands: [
                ((*hands[:p], hand, *hands[p + 1 :]), share) for hand, share in change(hands[p])
            ]
        )


class JointBelief(FactoredBelief):
    """What `viewer` believes of all hands together; told tokens as the factored belief is."""

    def __init__(self, viewer: int) -> None:
        super().__init__(viewer)
        self.shares: dict[All, float] = {((0,) * 5,) * 4: 1.0}
        self.hands = [Place(self, p) for p in range(4)]  # type: ignore[misc]

    def change(self, change: Callable[[All], Sequence[tuple[All, float]]]) -> None:
        """Every case becomes these, with their shares of it; what becomes nothing is ruled out."""
        after: dict[All, float] = defaultdict(float)
        for hands, share in self.shares.items():
            for new, part in change(hands):
                after[new] += share * part
        total = sum(after.values())
        assert total > 0, "the truth was ruled out"
        self.shares = {hands: share / total for hands, share in after.items()}

    def _steal(self, thief: int, victim: int) -> None:
        def stolen(hands: All) -> list[tuple[All, float]]:
            found = []
            for r, left, share in lost(hands[victim]):
                new = list(hands)
                new[victim] = left
                new[thief] = tuple(n + (k == r) for k, n in enumerate(hands[thief]))
                found.append((tuple(new), share))
            return found

        self.change(stolen)

    def marginal(self, player: int) -> dict[Hand, float]:
        """How likely each hand of one player is."""
        found: dict[Hand, float] = defaultdict(float)
        for hands, share in self.shares.items():
            found[hands[player]] += share
        return dict(found)


def lost(hand: Hand) -> Iterator[tuple[int, Hand, float]]:
    """A card drawn at random: of which resource, what is left, how likely."""
    for r, n in enumerate(hand):
        if n:
            yield r, tuple(k - (q == r) for q, k in enumerate(hand)), n / sum(hand)


def apart(one: dict[Hand, float], other: dict[Hand, float]) -> float:
    """The total variation between two distributions: 0 where equal, 1 where nothing is shared."""
    both = set(one) | set(other)
    return sum(abs(one.get(hand, 0.0) - other.get(hand, 0.0)) for hand in both) / 2
