"""A guessing game with eliminations: who holds which card, asked one by one.

Each of three players is dealt one of seven cards. In turn a player names another's card (right:
that player is out and the card is shown; wrong: all know one thing more), looks at another's card
unseen by the third, or hides behind a shield until the next turn. Who is left alone wins; after
nine turns those who are left share.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from facedown.core import CHANCE, OVER, Stream

CARDS, PLAYERS, TURNS = 7, 3, 9
HIDDEN = -1

Move = tuple[Any, ...]


@dataclass
class Case:
    cards: list[int] = field(default_factory=list)
    out: list[int] = field(default_factory=list)
    shielded: list[int] = field(default_factory=list)
    turn: int = 0
    log: list[Move] = field(default_factory=list)  # what all have seen
    known: list[list[tuple[int, int]]] = field(default_factory=lambda: [[], [], []])  # looked at


class Suspects:
    """Moves: ("deal", card), ("guess", target, card), ("look", target), ("shield",), ("pass",)."""

    players, bounds, most_plies = PLAYERS, (0.0, 1.0), PLAYERS + TURNS

    def start(self) -> Case:
        return Case()

    def copy(self, s: Case) -> Case:
        known = [list(pairs) for pairs in s.known]
        return Case(list(s.cards), list(s.out), list(s.shielded), s.turn, list(s.log), known)

    def turn(self, s: Case) -> int:
        if len(s.cards) < PLAYERS:
            return CHANCE
        if len(s.out) == PLAYERS - 1 or len(s.log) == TURNS:
            return OVER
        return s.turn

    def legal(self, s: Case) -> list[Move]:
        if len(s.cards) < PLAYERS:
            return [("deal", card) for card in range(CARDS) if card not in s.cards]
        targets = self.targets(s)
        moves: list[Move] = [("guess", t, card) for t in targets for card in range(CARDS)]
        return [*moves, *(("look", t) for t in targets), ("shield",), ("pass",)]

    def targets(self, s: Case) -> list[int]:
        return [p for p in range(PLAYERS) if p != s.turn and p not in s.out and p not in s.shielded]

    def apply(self, s: Case, move: Move) -> None:
        if move[0] == "deal":
            s.cards.append(move[1])
            return
        s.log.append(self.told(s, move))
        if move[0] == "guess" and s.cards[move[1]] == move[2]:
            s.out.append(move[1])
        elif move[0] == "look":
            s.known[s.turn].append((move[1], s.cards[move[1]]))
        elif move[0] == "shield":
            s.shielded.append(s.turn)
        s.turn = self.following(s)
        if s.turn in s.shielded:
            s.shielded.remove(s.turn)

    def following(self, s: Case) -> int:
        player = (s.turn + 1) % PLAYERS
        while player in s.out:
            player = (player + 1) % PLAYERS
        return player

    def told(self, s: Case, move: Move) -> Move:
        """What all see of a move."""
        if move[0] == "guess":
            return (s.turn, *move, s.cards[move[1]] == move[2])
        return (s.turn, *move)

    def sees(self, s: Case, move: Move, viewer: int) -> Any:
        if move[0] == "deal":
            return move if viewer == len(s.cards) else "dealt"
        if move[0] == "look" and viewer == s.turn:
            return (*self.told(s, move), s.cards[move[1]])
        return self.told(s, move)

    def payoff(self, s: Case) -> list[float]:
        left = [p for p in range(PLAYERS) if p not in s.out]
        return [1.0 / len(left) if p in left else 0.0 for p in range(PLAYERS)]

    def shown(self, s: Case, viewer: int) -> set[int]:
        """The players whose cards the viewer knows."""
        looked = {target for target, _ in s.known[viewer]} if viewer >= 0 else set()
        return {viewer, *s.out, *looked}

    def hide(self, s: Case, viewer: int) -> None:
        shown = self.shown(s, viewer)
        s.cards = [card if p in shown else HIDDEN for p, card in enumerate(s.cards)]
        s.known = [pairs if p == viewer else [] for p, pairs in enumerate(s.known)]

    def infoset(self, s: Case, viewer: int) -> Any:
        shown = self.shown(s, viewer)
        cards = tuple(card if p in shown else HIDDEN for p, card in enumerate(s.cards))
        own = tuple(s.known[viewer]) if viewer >= 0 else ()
        return cards, own, tuple(s.log)

    def ruled_out(self, s: Case) -> set[tuple[int, int]]:
        """What failed guesses have shown: (player, card)."""
        return {(t[2], t[3]) for t in s.log if t[1] == "guess" and not t[4]}

    def deals(self, s: Case, viewer: int) -> list[list[int]]:
        """Every way to fill in the hidden cards."""
        ruled = self.ruled_out(s)
        hidden = [p for p, card in enumerate(s.cards) if card == HIDDEN]
        left = [card for card in range(CARDS) if card not in s.cards]
        found = []
        for cards in permutations(left, len(hidden)):
            if not any((p, card) in ruled for p, card in zip(hidden, cards, strict=True)):
                filled = list(s.cards)
                for p, card in zip(hidden, cards, strict=True):
                    filled[p] = card
                found.append(filled)
        return found

    def fill(self, s: Case, viewer: int, cards: list[int]) -> None:
        """Put the cards in, and what others have looked at."""
        s.cards = cards
        for entry in s.log:
            if entry[1] == "look" and entry[0] != viewer:
                s.known[entry[0]].append((entry[2], cards[entry[2]]))

    def determinize(self, s: Case, viewer: int, stream: Stream) -> None:
        self.fill(s, viewer, stream.choice(self.deals(s, viewer)))
