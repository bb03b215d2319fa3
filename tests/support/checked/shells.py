"""A shell game: a card each, one in the middle, and whoever acts moves cards about unseen.

Three players and the middle are dealt one of six cards each, face down; everybody looks at the own
card once. In turn a player swaps any two of the four places (a player's place only if it is not
locked), peeks at one, turns one face up for all, locks the own, or passes. All see which places,
only who peeks sees the card. After eight turns the highest card in front of a player wins one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from facedown.core import CHANCE, OVER, Stream

PLAYERS, PLACES, CARDS, TURNS = 3, 4, 6, 8
HIDDEN = -1
EVERYBODY = 7  # as a set of players, one bit each; bit 3 is the public's

Move = tuple[Any, ...]


@dataclass
class Table:
    cards: list[int] = field(default_factory=list)
    knowers: list[int] = field(default_factory=list)  # who knows the card at each place, by bits
    locked: list[int] = field(default_factory=list)
    turns: int = 0
    passed: int = 0  # how many have passed in a row


class Shells:
    """Moves: ("deal", card), ("swap", a, b), ("peek", place), ("show", place), ("lock",)..."""

    players, bounds, most_plies = PLAYERS, (0.0, 1.0), PLACES + TURNS

    def start(self) -> Table:
        return Table()

    def copy(self, s: Table) -> Table:
        return Table(list(s.cards), list(s.knowers), list(s.locked), s.turns, s.passed)

    def turn(self, s: Table) -> int:
        if len(s.cards) < PLACES:
            return CHANCE
        return OVER if s.turns == TURNS else s.turns % PLAYERS

    def legal(self, s: Table) -> list[Move]:
        if len(s.cards) < PLACES:
            return [("deal", card) for card in range(CARDS) if card not in s.cards]
        free = [place for place in range(PLACES) if place not in s.locked]
        moves: list[Move] = [("swap", a, b) for a, b in combinations(free, 2)]
        moves += [("peek", place) for place in range(PLACES)]
        moves += [("show", place) for place in free]
        return [*moves, ("lock",), ("pass",)]

    def bit(self, viewer: int) -> int:
        return 1 << (viewer if viewer >= 0 else PLAYERS)

    def apply(self, s: Table, move: Move) -> None:
        kind, me = move[0], s.turns % PLAYERS
        if kind == "deal":
            s.knowers.append(self.bit(len(s.cards)) if len(s.cards) < PLAYERS else 0)
            s.cards.append(move[1])
            return
        s.turns += 1
        s.passed = s.passed + 1 if kind == "pass" else 0
        if kind == "swap":
            a, b = move[1], move[2]
            s.cards[a], s.cards[b] = s.cards[b], s.cards[a]
            s.knowers[a], s.knowers[b] = s.knowers[b], s.knowers[a]
        elif kind == "peek":
            s.knowers[move[1]] |= self.bit(me)
        elif kind == "show":
            s.knowers[move[1]] = 2 * EVERYBODY + 1
        elif kind == "lock" and me not in s.locked:
            s.locked.append(me)

    def sees(self, s: Table, move: Move, viewer: int) -> Any:
        kind = move[0]
        if kind == "deal":
            return move if viewer == len(s.cards) else "dealt"
        if kind == "show" or (kind == "peek" and viewer == s.turns % PLAYERS):
            return (*move, s.cards[move[1]])
        return move

    def payoff(self, s: Table) -> list[float]:
        best = max(s.cards[:PLAYERS])
        return [float(card == best) for card in s.cards[:PLAYERS]]

    def known(self, s: Table, place: int, viewer: int) -> bool:
        return bool(s.knowers[place] & self.bit(viewer))

    def hide(self, s: Table, viewer: int) -> None:
        for place in range(len(s.cards)):
            if not self.known(s, place, viewer):
                s.cards[place] = HIDDEN

    def infoset(self, s: Table, viewer: int) -> Any:
        cards = tuple(c if self.known(s, p, viewer) else HIDDEN for p, c in enumerate(s.cards))
        return cards, tuple(s.knowers), tuple(s.locked), s.turns, s.passed

    def left(self, s: Table) -> list[int]:
        """The cards that may lie where the viewer does not know the card."""
        return [card for card in range(CARDS) if card not in s.cards]

    def determinize(self, s: Table, viewer: int, stream: Stream) -> None:
        left = self.left(s)
        stream.shuffle(left)
        for place, card in enumerate(s.cards):
            if card == HIDDEN:
                s.cards[place] = left.pop()
