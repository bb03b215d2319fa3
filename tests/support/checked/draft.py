"""A drafting game: three packs of three cards; take one, hand the rest on to the left.

All choose at once. Who hands a pack on remembers what was in it, and so knows something of what
the next one takes. At the end all is shown; three of one colour score 5, a pair 2, and every
highest card of a colour 1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from facedown.core import CHANCE, OVER, Stream

PLAYERS, PACK = 3, 3
CARDS = PLAYERS * PACK  # three colours of three
HIDDEN = -1

Move = tuple[str, int]


@dataclass
class Draft:
    packs: list[list[int]] = field(default_factory=lambda: [[], [], []])  # by who holds them
    taken: list[list[int]] = field(default_factory=lambda: [[], [], []])
    seen: list[list[tuple[int, ...]]] = field(default_factory=lambda: [[], [], []])
    waiting: dict[int, int] = field(default_factory=dict)
    dealt: int = 0


class Drafting:
    """Moves: ("deal", card), ("take", card)."""

    players, bounds, most_plies = PLAYERS, (0.0, 8.0), CARDS + PLAYERS * PACK

    def start(self) -> Draft:
        return Draft()

    def copy(self, s: Draft) -> Draft:
        lists = [[list(x) for x in some] for some in (s.packs, s.taken)]
        return Draft(lists[0], lists[1], [list(x) for x in s.seen], dict(s.waiting), s.dealt)

    def turn(self, s: Draft) -> int:
        if s.dealt < CARDS:
            return CHANCE
        return OVER if self.rounds(s) == PACK else self.chooser(s)

    def chooser(self, s: Draft) -> int:
        """The first who has not chosen yet."""
        return min(p for p in range(PLAYERS) if p not in s.waiting)

    def rounds(self, s: Draft) -> int:
        """How many cards everybody has taken."""
        return len(s.taken[0])

    def legal(self, s: Draft) -> list[Move]:
        if s.dealt < CARDS:
            gone = {card for pack in s.packs for card in pack}
            return [("deal", card) for card in range(CARDS) if card not in gone]
        return [("take", card) for card in s.packs[self.chooser(s)]]

    def apply(self, s: Draft, move: Move) -> None:
        kind, card = move
        if kind == "deal":
            s.packs[s.dealt // PACK].append(card)
            s.packs[s.dealt // PACK].sort()
            s.dealt += 1
            if s.dealt == CARDS:
                self.look(s)
            return
        s.waiting[self.chooser(s)] = card
        if len(s.waiting) == PLAYERS:
            self.hand_on(s)

    def look(self, s: Draft) -> None:
        for player in range(PLAYERS):
            s.seen[player].append(tuple(s.packs[player]))

    def hand_on(self, s: Draft) -> None:
        for player, card in s.waiting.items():
            s.packs[player].remove(card)
            s.taken[player].append(card)
        s.waiting = {}
        s.packs = [s.packs[player - 1] for player in range(PLAYERS)]  # from the right
        if self.rounds(s) < PACK:
            self.look(s)

    def sees(self, s: Draft, move: Move, viewer: int) -> Any:
        kind, card = move
        if kind == "deal":
            return move if viewer == s.dealt // PACK else "dealt"
        if len(s.waiting) < PLAYERS - 1:
            return move if viewer == self.chooser(s) else None
        waiting = {**s.waiting, self.chooser(s): card}
        if self.rounds(s) == PACK - 1:  # all is shown
            return ("end", *(tuple(x) for x in s.taken), *(waiting[p] for p in range(PLAYERS)))
        if viewer < 0:
            return "handed on"
        right = (viewer - 1) % PLAYERS
        got = tuple(x for x in s.packs[right] if x != waiting[right])
        return (move, got) if viewer == self.chooser(s) else got

    def payoff(self, s: Draft) -> list[float]:
        return [self.score(taken) for taken in s.taken]

    def score(self, taken: list[int]) -> float:
        colours = [card // 3 for card in taken]
        most = max(colours.count(colour) for colour in colours)
        return {1: 0.0, 2: 2.0, 3: 5.0}[most] + sum(card % 3 == 2 for card in taken)

    def hide(self, s: Draft, viewer: int) -> None:
        if self.turn(s) == OVER:
            s.seen = [seen if p == viewer else [] for p, seen in enumerate(s.seen)]
            return
        for some in (s.packs, s.taken):
            some[:] = [x if p == viewer else [HIDDEN] * len(x) for p, x in enumerate(some)]
        s.seen = [seen if p == viewer else [] for p, seen in enumerate(s.seen)]
        s.waiting = {p: card for p, card in s.waiting.items() if p == viewer}

    def infoset(self, s: Draft, viewer: int) -> Any:
        shown = tuple(map(tuple, s.taken)) if self.turn(s) == OVER else ()
        public = s.dealt, self.rounds(s), shown
        if viewer < 0:
            return public
        own = tuple(s.packs[viewer]), tuple(s.taken[viewer]), tuple(s.seen[viewer])
        return *public, *own, s.waiting.get(viewer)

    def histories(self, s: Draft, viewer: int) -> list[Draft]:
        """Every way it can have come, all as likely, for one who knows packs of his own."""
        left, right = (viewer + 1) % PLAYERS, (viewer - 1) % PLAYERS
        seen, taken = s.seen[viewer], s.taken[viewer]
        rounds = self.rounds(s)
        known = {card for pack in seen for card in pack}
        rest = [card for card in range(CARDS) if card not in known]
        mine = [card for card in seen[0] if card not in taken[:1]]
        made = []
        for cards in permutations(rest):
            if rounds == 0:
                packs = {viewer: list(seen[0]), left: sorted(cards[:3]), right: sorted(cards[3:])}
                ok = list(cards[:3]) == packs[left] and list(cards[3:]) == packs[right]
                made += [(packs, {left: [], right: []})] if ok else []
            elif rounds == 1:  # right's first card, left's first card, what left had beside it
                packs = {viewer: list(seen[1]), left: mine, right: sorted(cards[2:])}
                ok = list(cards[2:]) == packs[right]
                made += [(packs, {left: [cards[1]], right: [cards[0]]})] if ok else []
            else:  # right's first, left's first, right's second; left's second is of mine
                kept = [card for card in seen[1] if card not in taken]
                for second in mine:
                    other = [card for card in mine if card != second]
                    packs = {viewer: list(seen[2]), left: kept, right: other}
                    made += [(packs, {left: [cards[1], second], right: [cards[0], cards[2]]})]
        return [self.made(s, viewer, packs, took) for packs, took in made]

    def made(
        self, s: Draft, viewer: int, packs: dict[int, list[int]], took: dict[int, list[int]]
    ) -> Draft:
        """A position of these packs and cards taken, with what everybody has seen."""
        world = self.copy(s)
        took = {**took, viewer: s.taken[viewer]}
        world.packs = [list(packs[p]) for p in range(PLAYERS)]
        world.taken = [list(took[p]) for p in range(PLAYERS)]
        return self.remembered(world)

    def remembered(self, world: Draft) -> Draft:
        """What everybody has seen, from where all cards are now."""
        rounds = self.rounds(world)
        world.seen = [[] for _ in range(PLAYERS)]
        for player in range(PLAYERS):
            for before in range(rounds + 1):
                holder = (player + rounds - before) % PLAYERS  # who has this pack now
                since = [
                    world.taken[(player + k) % PLAYERS][before + k] for k in range(rounds - before)
                ]
                world.seen[player].append(tuple(sorted([*world.packs[holder], *since])))
        return world

    def determinize(self, s: Draft, viewer: int, stream: Stream) -> Any:
        if self.turn(s) == OVER:
            return self.shown_again(s)
        if s.dealt < CARDS:
            return self.dealing(s, viewer, stream)
        if viewer < 0:
            return self.public(s, stream)
        return stream.choice(self.histories(s, viewer))

    def shown_again(self, s: Draft) -> Draft:
        """At the end all is known."""
        world = self.remembered(self.copy(s))
        world.seen = [seen[:PACK] for seen in world.seen]
        return world

    def dealing(self, s: Draft, viewer: int, stream: Stream) -> Draft:
        held = {card for pack in s.packs for card in pack}
        left = [card for card in range(CARDS) if card not in held]
        stream.shuffle(left)
        s.packs = [
            sorted(left.pop() for _ in pack) if p != viewer else pack
            for p, pack in enumerate(s.packs)
        ]
        return s

    def public(self, s: Draft, stream: Stream) -> Draft:
        """For one who has seen nothing all cards are alike."""
        cards = list(range(CARDS))
        stream.shuffle(cards)
        s.taken = [[cards.pop() for _ in taken] for taken in s.taken]
        s.packs = [sorted(cards.pop() for _ in pack) for pack in s.packs]
        return self.remembered(s)
