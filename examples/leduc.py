"""Leduc hold'em as an ordinary Python class, with a position that is changed in place.

Six cards (two jacks, two queens, two kings), two players, one chip each in the pot. Each gets a
card; a betting round; a public card, the board; a second betting round. Player 0 begins both. A
raise costs 2 chips in the first round and 4 in the second, and a round sees two at most. Whoever
pairs the board wins, else the higher card; equal cards split the pot.

Suits do not matter, so chance deals ranks, and `weights` says how many copies of each are left.
"""

from __future__ import annotations

from facedown.core import CHANCE, OVER, Stream

RANKS = "JQK"
DEALS = {"deal J": "J", "deal Q": "Q", "deal K": "K"}
OPENING, FACING, CAPPED = ["call", "raise"], ["fold", "call", "raise"], ["fold", "call"]
PLAYED = [{move: f"player {player}: {move}" for move in FACING} for player in (0, 1)]
DEALT = ["player 0 is dealt a card", "player 1 is dealt a card"]
BOARD = {move: f"the board is {rank}" for move, rank in DEALS.items()}
PUBLIC_CARD = 2  # the place of the board among the cards


class Position:
    """One position. `__slots__` makes it small and quick to copy."""

    __slots__ = ("actor", "cards", "chips", "played", "raises")

    def __init__(
        self, cards: str, chips: tuple[int, int], played: str, raises: int, actor: int
    ) -> None:
        self.cards = cards  # those dealt: player 0's, player 1's, the board; "?" is face down
        self.chips = chips  # what each has put into the pot
        self.played = played  # first letters of the moves, "/" between the rounds
        self.raises = raises  # in this round
        self.actor = actor


class Leduc:
    players = 2
    bounds = (-13.0, 13.0)
    moves = 6
    most_moves = 3
    most_plies = 11

    def start(self) -> Position:
        return Position("", (1, 1), "", 0, CHANCE)

    def turn(self, s: Position) -> int:
        return s.actor

    def legal(self, s: Position) -> list[str]:
        if s.actor == CHANCE:
            return [move for move, rank in DEALS.items() if s.cards.count(rank) < 2]
        return (OPENING, FACING, CAPPED)[s.raises]

    def weights(self, s: Position) -> list[int]:
        """How likely each of chance's moves is, in the order of `legal`; any scale will do."""
        left = [2 - s.cards.count(rank) for rank in RANKS]
        return [copies for copies in left if copies]

    def apply(self, s: Position, move: str) -> None:
        """Play a move in place. Returning nothing says that `s` itself has changed."""
        player = s.actor
        if player == CHANCE:
            s.cards += DEALS[move]
            s.actor = CHANCE if len(s.cards) < 2 else 0
            return
        s.played += move[0]
        if move == "fold":
            s.actor = OVER
        elif move == "raise":
            price = s.chips[1 - player] + (2 if len(s.cards) == 2 else 4)
            s.chips = (price, s.chips[1]) if player == 0 else (s.chips[0], price)
            s.raises += 1
            s.actor = 1 - player
        elif player == 0 and not s.raises:
            s.actor = 1  # a check: the other may still bet
        else:
            self._end_round(s)

    def _end_round(self, s: Position) -> None:
        s.chips = (max(s.chips), max(s.chips))
        s.raises = 0
        if len(s.cards) == 2:
            s.played += "/"
            s.actor = CHANCE
        else:
            s.actor = OVER

    def sees(self, s: Position, move: str, viewer: int) -> str:
        """What a viewer learns from a move; looking up a text is quicker than making it."""
        if s.actor >= 0:
            return PLAYED[s.actor][move]
        place = len(s.cards)
        if place == PUBLIC_CARD:
            return BOARD[move]
        return move if place == viewer else DEALT[place]

    def payoff(self, s: Position) -> tuple[float, float]:
        gain = self._gain(s)
        return gain, 0.0 - gain

    def _gain(self, s: Position) -> float:
        """What player 0 wins."""
        mine, his = s.chips
        if mine != his:  # who has put in less has folded
            return float(his if his < mine else -mine)
        first, second, board = tuple(s.cards)
        if first == second:
            return 0.0
        if first == board or (second != board and RANKS.index(first) > RANKS.index(second)):
            return float(his)
        return float(-mine)

    def hide(self, s: Position, viewer: int) -> None:
        s.cards = self._seen(s.cards, viewer)

    def _seen(self, cards: str, viewer: int) -> str:
        """The cards as the viewer sees them."""
        if viewer == 0:
            return cards[:1] + "?" + cards[2:] if len(cards) > 1 else cards
        if viewer == 1:
            return "?" + cards[1:] if cards else cards
        return "??"[: len(cards)] + cards[2:]

    def infoset(self, s: Position, viewer: int) -> tuple[str, str]:
        """Chips, raises and turn all follow from the cards seen and the moves played."""
        return self._seen(s.cards, viewer), s.played

    def determinize(self, s: Position, viewer: int, stream: Stream) -> None:
        """Deal the cards that the viewer does not see from those that are left."""
        deck = "JJQQKK"
        for card in s.cards:
            deck = deck.replace(card, "", 1)
        while "?" in s.cards:
            card = stream.choice(deck)
            deck = deck.replace(card, "", 1)
            s.cards = s.cards.replace("?", card, 1)

    def copy(self, s: Position) -> Position:
        return Position(s.cards, s.chips, s.played, s.raises, s.actor)

    def view_text(self, s: Position, viewer: int) -> str:
        """What a player at the terminal gets to see."""
        names = {"f": "fold", "c": "call", "r": "raise", "/": "board"}
        cards = " ".join(f"[{card}]" for card in s.cards)
        played = ", ".join(names[letter] for letter in s.played)
        return f"cards: {cards or 'not dealt'}\nchips: {s.chips}\nplayed: {played or 'nothing yet'}"
