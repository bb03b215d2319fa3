"""A trick-taking game: three suits of four, three players with three cards each, a trump turned up.

Suit must be followed, so that a card of another suit tells what its player has not. The cards of
a trick lie open. Two cards are dealt to nobody.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from facedown.core import CHANCE, OVER, Stream

PLAYERS, SUITS, RANKS, HAND = 3, 3, 4, 3
DECK = SUITS * RANKS
HIDDEN = -1

Move = tuple[str, int]


def suit(card: int) -> int:
    return card // RANKS


@dataclass
class Round:
    trump: int = HIDDEN
    hands: list[list[int]] = field(default_factory=lambda: [[], [], []])
    dealt: int = 0
    plays: list[tuple[int, int]] = field(default_factory=list)  # player, card
    leader: int = 0
    won: list[int] = field(default_factory=lambda: [0, 0, 0])


class TrickTaking:
    """Moves: ("trump", card), ("deal", card), ("play", card)."""

    players, bounds, most_plies = PLAYERS, (0.0, 3.0), 1 + 2 * PLAYERS * HAND

    def start(self) -> Round:
        return Round()

    def copy(self, s: Round) -> Round:
        hands = [list(hand) for hand in s.hands]
        return Round(s.trump, hands, s.dealt, list(s.plays), s.leader, list(s.won))

    def turn(self, s: Round) -> int:
        if s.dealt < PLAYERS * HAND:
            return CHANCE
        if len(s.plays) == PLAYERS * HAND:
            return OVER
        return (s.leader + len(s.plays) % PLAYERS) % PLAYERS

    def trick(self, s: Round) -> list[tuple[int, int]]:
        """The cards on the table."""
        return s.plays[len(s.plays) - len(s.plays) % PLAYERS :]

    def legal(self, s: Round) -> list[Move]:
        if s.trump == HIDDEN:
            return [("trump", card) for card in range(DECK)]
        if s.dealt < PLAYERS * HAND:
            gone = {s.trump, *(card for hand in s.hands for card in hand)}
            return [("deal", card) for card in range(DECK) if card not in gone]
        hand = s.hands[self.turn(s)]
        return [("play", card) for card in self.allowed(hand, self.trick(s))]

    def allowed(self, hand: list[int], trick: list[tuple[int, int]]) -> list[int]:
        """The cards of a hand that may be played to a trick."""
        following = [card for card in hand if trick and suit(card) == suit(trick[0][1])]
        return following or hand

    def apply(self, s: Round, move: Move) -> None:
        kind, card = move
        if kind == "trump":
            s.trump = card
        elif kind == "deal":
            s.hands[s.dealt % PLAYERS].append(card)
            s.hands[s.dealt % PLAYERS].sort()
            s.dealt += 1
        else:
            player = self.turn(s)
            s.hands[player].remove(card)
            s.plays.append((player, card))
            if len(s.plays) % PLAYERS == 0:
                s.leader = self.best(s, s.plays[-PLAYERS:])
                s.won[s.leader] += 1

    def best(self, s: Round, trick: list[tuple[int, int]]) -> int:
        """Who takes a trick."""
        led = suit(trick[0][1])

        def strength(play: tuple[int, int]) -> tuple[bool, bool, int]:
            return suit(play[1]) == suit(s.trump), suit(play[1]) == led, play[1]

        return max(trick, key=strength)[0]

    def sees(self, s: Round, move: Move, viewer: int) -> Any:
        if move[0] == "deal" and viewer != s.dealt % PLAYERS:
            return "dealt"
        return move

    def payoff(self, s: Round) -> list[float]:
        return [float(tricks) for tricks in s.won]

    def hide(self, s: Round, viewer: int) -> None:
        s.hands = [h if p == viewer else [HIDDEN] * len(h) for p, h in enumerate(s.hands)]

    def infoset(self, s: Round, viewer: int) -> Any:
        own = tuple(s.hands[viewer]) if viewer >= 0 else ()
        return own, s.trump, s.dealt, tuple(s.plays)

    def determinize(self, s: Round, viewer: int, stream: Stream) -> None:
        known = {s.trump, *(card for _, card in s.plays), *s.hands[viewer]}
        known = known if viewer >= 0 else {s.trump, *(card for _, card in s.plays)}
        left = [card for card in range(DECK) if card not in known]
        if s.trump == HIDDEN:
            return
        while True:
            stream.shuffle(left)
            hands, at = [], 0
            for player, hand in enumerate(s.hands):
                if player == viewer:
                    hands.append(hand)
                    continue
                hands.append(sorted(left[at : at + len(hand)]))
                at += len(hand)
            if self.plausible(s, hands, viewer, stream):
                s.hands = hands
                return

    def plausible(self, s: Round, hands: list[list[int]], viewer: int, stream: Stream) -> bool:
        """Whether these hands could have come to this, and did: as likely as the plays were.

        The viewer's own plays say nothing of the others' hands.
        """
        held = [sorted([*hand, *(c for q, c in s.plays if q == p)]) for p, hand in enumerate(hands)]
        for k, (player, card) in enumerate(s.plays):
            allowed = self.allowed(held[player], s.plays[k - k % PLAYERS : k])
            if card not in allowed:
                return False
            if player != viewer and stream.below(len(allowed)):
                return False
            held[player].remove(card)
        return True
