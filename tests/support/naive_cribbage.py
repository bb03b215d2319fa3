"""Cribbage once more, naively, as an oracle: cards are texts, everything is counted by trying.

It shares nothing with the package. A game is a plain loop that asks `choose(actor, options)` for
every card dealt, throw, cut and play, so that another program can be led through the same game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

RANKS, SUITS = "A23456789TJQK", "cdhs"
PACK = [rank + suit for rank in RANKS for suit in SUITS]
GOAL = 121

Choose = Callable[[int, Sequence[str]], str]


def worth(card: str) -> int:
    return min(RANKS.index(card[0]) + 1, 10)


def is_run(cards: Sequence[str]) -> bool:
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    return ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def hand_points(hand: Sequence[str], cut: str, *, crib: bool = False) -> int:
    """The show, by trying every set of the five cards."""
    five = [*hand, cut]
    sets = [some for n in range(2, 6) for some in combinations(five, n)]
    points = 2 * sum(sum(map(worth, some)) == 15 for some in sets)
    points += 2 * sum(len(some) == 2 and some[0][0] == some[1][0] for some in sets)
    lengths = [len(some) for some in sets if len(some) > 2 and is_run(some)]
    points += sum(length for length in lengths if length == max(lengths))
    suits = {card[1] for card in hand}
    if len(suits) == 1 and cut[1] in suits:
        points += 5
    elif len(suits) == 1 and not crib:
        points += 4
    return points + ("J" + cut[1] in hand)


def play_points(pile: Sequence[str]) -> int:
    """The points of the last card of a pile, the cards since the count began."""
    points = 2 * (sum(map(worth, pile)) in (15, 31))
    for n in (4, 3, 2):
        if len(pile) >= n and len({card[0] for card in pile[-n:]}) == 1:
            return points + n * (n - 1)
    for n in range(len(pile), 2, -1):
        if is_run(pile[-n:]):
            return points + n
    return points


class GameWonError(Exception):
    """Somebody has reached the goal."""


class Naive:
    """One game; `scores` can be read at any time."""

    def __init__(self, choose: Choose, *, kelly2017: bool = False) -> None:
        self.choose, self.kelly2017 = choose, kelly2017
        self.scores, self.dealer, self.hands_played = [0, 0], 0, 0

    def run(self) -> int:
        """Play to the end; who has won."""
        try:
            while True:
                self.one_hand()
                self.dealer = 1 - self.dealer
                self.hands_played += 1
        except GameWonError:
            return 0 if self.scores[0] >= GOAL else 1

    def peg(self, player: int, points: int, *, check: bool = True) -> None:
        self.scores[player] += points
        if not self.kelly2017:
            self.scores[player] = min(self.scores[player], GOAL)
        if check and self.scores[player] >= GOAL:
            raise GameWonError

    def one_hand(self) -> None:
        dealer, pone = self.dealer, 1 - self.dealer
        hands: list[list[str]] = [[], []]
        for k in range(12):
            rest = [card for card in PACK if card not in hands[0] + hands[1]]
            hands[dealer if k % 2 else pone].append(self.choose(-1, rest))
        crib = []
        for player in (pone, dealer):
            hand = sorted(hands[player], key=PACK.index)
            options = {f"{a} {b}": (a, b) for a, b in combinations(hand, 2)}
            for card in options[self.choose(player, list(options))]:
                hands[player].remove(card)
                crib.append(card)
        seen = hands[0] + hands[1] + crib
        cut = self.choose(-1, [card for card in PACK if card not in seen])
        if cut[0] == "J":
            self.peg(dealer, 2)
        self.play([list(hand) for hand in hands], pone)
        check = not self.kelly2017
        self.peg(pone, hand_points(hands[pone], cut), check=check)
        self.peg(dealer, hand_points(hands[dealer], cut), check=check)
        self.peg(dealer, hand_points(crib, cut, crib=True), check=check)
        if max(self.scores) >= GOAL:
            raise GameWonError

    def play(self, hands: list[list[str]], player: int) -> None:
        """The play of a hand; `player` begins."""
        while hands[0] or hands[1]:
            player = self.one_count(hands, player if hands[player] else 1 - player)

    def one_count(self, hands: list[list[str]], player: int) -> int:
        """From zero until nobody can play; who should begin the next."""
        pile: list[str] = []
        last, said = player, set()
        while hands[0] or hands[1]:
            if not hands[player] or player in said:
                if not hands[1 - player] or 1 - player in said:
                    break
                player = 1 - player
                continue
            room = 31 - sum(map(worth, pile))
            fits = sorted((c for c in hands[player] if worth(c) <= room), key=PACK.index)
            card = self.choose(player, fits or ["go"])
            if not fits:
                said.add(player)
                player = 1 - player
                continue
            hands[player].remove(card)
            pile.append(card)
            points, last = play_points(pile), player
            if sum(map(worth, pile)) == 31:
                self.peg(player, points)
                return 1 - player
            if self.nobody_can_go_on(hands, said):
                self.peg(player, points + 1)
                return 1 - player
            self.peg(player, points)
            player = 1 - player
        self.peg(last, 1)
        return 1 - last

    @staticmethod
    def nobody_can_go_on(hands: list[list[str]], said: set[int]) -> bool:
        """Known at the table: each is out of cards or has said go."""
        return all(not hands[p] or p in said for p in range(2))
