"""A simultaneous bidding game: prizes come up, all bid a card at once, the highest single bid wins.

Each of three players has a taste from 1 to 3, drawn in secret (1 three times as likely as 3), and
the bids 1 to 4, each of which can be used once. Prizes come up by chance; all choose a bid, then
the bids are shown. The highest bid that nobody else made takes the prize, worth its value times
the taste. Who wins a prize may sell it to the bank at once for 2, unseen by the others but for
the fact.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from facedown.core import CHANCE, OVER, Stream

PLAYERS, BIDS, ROUNDS = 3, 4, 3
TASTES, PRIZES = {1: 3.0, 2: 2.0, 3: 1.0}, {1: 8.0, 3: 4.0, 5: 1.0}
HIDDEN = 0

Move = tuple[str, int]


@dataclass
class Sale:
    tastes: list[int] = field(default_factory=list)
    prizes: list[int] = field(default_factory=list)
    waiting: dict[int, int] = field(default_factory=dict)  # bids that are not shown yet
    bids: list[tuple[int, ...]] = field(default_factory=list)
    kept: list[int] = field(default_factory=list)  # for each round 1 kept, 2 sold, 0 nobody's
    seller: int = -1  # who has to keep or sell


class Auction:
    """Moves: ("taste", t), ("prize", value), ("bid", card), ("keep", 0), ("sell", 0)."""

    players, bounds, most_plies = PLAYERS, (0.0, 45.0), 3 + ROUNDS * 5

    def start(self) -> Sale:
        return Sale()

    def copy(self, s: Sale) -> Sale:
        lists = list(s.tastes), list(s.prizes), dict(s.waiting), list(s.bids), list(s.kept)
        return Sale(*lists, s.seller)

    def turn(self, s: Sale) -> int:
        if len(s.tastes) < PLAYERS:
            return CHANCE
        if s.seller >= 0:
            return s.seller
        if len(s.prizes) == len(s.bids):
            return OVER if len(s.bids) == ROUNDS else CHANCE
        return self.chooser(s)

    def chooser(self, s: Sale) -> int:
        """The first who has not bid yet."""
        return min(p for p in range(PLAYERS) if p not in s.waiting)

    def legal(self, s: Sale) -> list[Move]:
        if len(s.tastes) < PLAYERS:
            return [("taste", taste) for taste in TASTES]
        if s.seller >= 0:
            return [("keep", 0), ("sell", 0)]
        if len(s.prizes) == len(s.bids):
            return [("prize", value) for value in PRIZES]
        used = {bids[self.chooser(s)] for bids in s.bids}
        return [("bid", card) for card in range(1, BIDS + 1) if card not in used]

    def weights(self, s: Sale) -> list[float]:
        return list((TASTES if len(s.tastes) < PLAYERS else PRIZES).values())

    def winner(self, bids: tuple[int, ...]) -> int:
        """Who made the highest single bid; -1 for nobody."""
        single = [bid for bid in bids if bids.count(bid) == 1]
        return bids.index(max(single)) if single else -1

    def apply(self, s: Sale, move: Move) -> None:
        kind, value = move
        if kind == "taste":
            s.tastes.append(value)
        elif kind == "prize":
            s.prizes.append(value)
        elif kind == "bid":
            s.waiting[self.chooser(s)] = value
            if len(s.waiting) == PLAYERS:
                self.settle(s)
        else:
            s.kept.append(1 if kind == "keep" else 2)
            s.seller = -1

    def settle(self, s: Sale) -> None:
        """Show the bids."""
        s.bids.append(tuple(s.waiting[p] for p in range(PLAYERS)))
        s.waiting = {}
        s.seller = self.winner(s.bids[-1])
        if s.seller < 0:
            s.kept.append(0)

    def sees(self, s: Sale, move: Move, viewer: int) -> Any:
        kind, value = move
        if kind == "taste":
            return move if viewer == len(s.tastes) else "taste"
        if kind != "bid":
            return move
        if len(s.waiting) < PLAYERS - 1:
            return move if viewer == self.chooser(s) else None
        bids = {**s.waiting, self.chooser(s): value}
        return tuple(bids[p] for p in range(PLAYERS))

    def payoff(self, s: Sale) -> list[float]:
        totals = [0.0] * PLAYERS
        for prize, bids, kept in zip(s.prizes, s.bids, s.kept, strict=True):
            if kept:
                player = self.winner(bids)
                totals[player] += prize * s.tastes[player] if kept == 1 else 2.0
        return totals

    def hide(self, s: Sale, viewer: int) -> None:
        s.tastes = [taste if p == viewer else HIDDEN for p, taste in enumerate(s.tastes)]
        s.waiting = {p: bid for p, bid in s.waiting.items() if p == viewer}

    def infoset(self, s: Sale, viewer: int) -> Any:
        own = s.tastes[viewer] if 0 <= viewer < len(s.tastes) else HIDDEN
        public = tuple(s.prizes), tuple(s.bids), tuple(s.kept)
        return own, len(s.tastes), s.waiting.get(viewer), *public

    def drawn(self, s: Sale, stream: Stream) -> int:
        """A taste of somebody else."""
        return 1 + stream.pick([weight / 6.0 for weight in TASTES.values()])

    def determinize(self, s: Sale, viewer: int, stream: Stream) -> None:
        s.tastes = [taste if taste != HIDDEN else self.drawn(s, stream) for taste in s.tastes]
