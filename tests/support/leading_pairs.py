"""A toy of Kelly (2017), figure 4-6: lead a card, be paired or not, play the third of the rank.

Four ranks in three suits, two cards each. Player 0 leads, player 1 answers, player 0 plays its last
card. Pairing the lead makes 2 points; a third card of that rank makes 6 for the leader; pairing the
answer makes 2 for the leader. Any rank can be paired, so a lead by itself tells little of a pair.
"""

from __future__ import annotations

from facedown.core import CHANCE, OVER

CARDS = tuple(rank + suit for rank in "3JQK" for suit in "abc")
Position = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]  # two hands, the line


class LeadingPairs:
    players = 2
    bounds = (-6.0, 6.0)
    most_plies = 8

    def start(self) -> Position:
        return (), (), ()

    def turn(self, s: Position) -> int:
        first, second, line = s
        if not line and len(first) + len(second) < 4:
            return CHANCE
        return OVER if len(line) == 3 else len(line) % 2

    def legal(self, s: Position) -> list[str]:
        turn = self.turn(s)
        if turn == CHANCE:
            return [card for card in CARDS if card not in s[0] + s[1]]
        return list(s[turn])

    def apply(self, s: Position, card: str) -> Position:
        (first, second, line), turn = s, self.turn(s)
        if turn == CHANCE:
            if len(first) < 2:
                return tuple(sorted((*first, card))), second, line
            return first, tuple(sorted((*second, card))), line
        hands = [tuple(c for c in hand if c != card) for hand in (first, second)]
        return hands[0], hands[1], (*line, card)

    def sees(self, s: Position, card: str, viewer: int) -> tuple[str, int, str]:
        if self.turn(s) != CHANCE:
            return "plays", 0, card
        owner = 0 if len(s[0]) < 2 else 1
        return "dealt", owner, card if viewer == owner else ""

    def payoff(self, s: Position) -> list[float]:
        lead, answer, last = (card[0] for card in s[2])
        gain = 2.0 if last == answer else 0.0
        if answer == lead:
            gain = 4.0 if last == lead else -2.0
        return [gain, -gain]

    def hide(self, s: Position, viewer: int) -> Position:
        hands = [h if viewer == p else ("?",) * len(h) for p, h in enumerate(s[:2])]
        return hands[0], hands[1], s[2]

    def infoset(self, s: Position, viewer: int) -> Position:
        return self.hide(s, viewer)

    def determinize(self, s: Position, viewer: int, stream) -> Position:
        free = [card for card in CARDS if card not in s[0] + s[1] + s[2]]
        stream.shuffle(free)
        hands = [
            hand if viewer == p else tuple(sorted(free.pop() for _ in hand))
            for p, hand in enumerate(s[:2])
        ]
        return hands[0], hands[1], s[2]
