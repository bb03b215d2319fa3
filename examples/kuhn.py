"""Kuhn poker as an ordinary Python class: all that a game of your own needs.

Three cards (jack, queen, king), two players. Each puts one chip into the pot and gets a card. They
then pass or bet one more chip, player 0 first. After a bet the other calls (by betting) or folds
(by passing). The higher card takes the pot.

Play it with `facedown play examples/kuhn.py:Kuhn`, or let two players of the house do so:
`facedown match examples/kuhn.py:Kuhn so-ismcts random`.

A position here is one tuple: (card of player 0, card of player 1, moves played). Cards are letters,
"" before they are dealt and "?" where a viewer cannot know them. Tuples need no copying and cannot
be changed by mistake, so `apply` and `hide` return a new one. A position that is changed in place
works as well (see leduc.py).
"""

from __future__ import annotations

from facedown.core import CHANCE, OVER, Stream

Position = tuple[str, str, str]

RANKS = "JQK"
DEALS = {rank: f"deal {rank}" for rank in RANKS}
ENDS = {"pp", "bp", "bb", "pbp", "pbb"}  # p for pass, b for bet


class Kuhn:
    players = 2
    bounds = (-2.0, 2.0)  # the range of payoffs
    moves = 5  # how many different moves there are
    most_moves = 3  # how many are legal at once
    most_plies = 5  # how long a game can get

    def start(self) -> Position:
        """Nothing is dealt yet: dealing is a move, made by chance."""
        return ("", "", "")

    def turn(self, s: Position) -> int:
        """Who acts: a player, CHANCE or OVER."""
        if not s[1]:
            return CHANCE
        return OVER if s[2] in ENDS else len(s[2]) % 2

    def legal(self, s: Position) -> list[str]:
        """The moves of whoever acts; moves can be anything that can key a dict."""
        if s[1]:
            return ["pass", "bet"]
        return [DEALS[rank] for rank in RANKS if rank != s[0]]

    def apply(self, s: Position, move: str) -> Position:
        """The position after a move."""
        first, second, played = s
        if second:
            return (first, second, played + move[0])
        return (first, move[-1], "") if first else (move[-1], "", "")

    def sees(self, s: Position, move: str, viewer: int) -> str:
        """What a viewer learns from a move. Only its owner sees the face of a card."""
        if s[1]:
            return move
        owner = 1 if s[0] else 0
        return move if viewer == owner else "a card is dealt"

    def payoff(self, s: Position) -> tuple[float, float]:
        """What each player has won at the end."""
        first, second, played = s
        if played == "bp":
            gain = 1.0
        elif played == "pbp":
            gain = -1.0
        else:
            stake = 2.0 if played[-1] == "b" else 1.0
            gain = stake if RANKS.index(first) > RANKS.index(second) else -stake
        return gain, -gain

    def hide(self, s: Position, viewer: int) -> Position:
        """The position with all that the viewer cannot know blanked out."""
        first, second, played = s
        if viewer != 0 and first:
            first = "?"
        if viewer != 1 and second:
            second = "?"
        return (first, second, played)

    def infoset(self, s: Position, viewer: int) -> Position:
        """What the viewer knows, as a key; here the view itself will do."""
        return self.hide(s, viewer)

    def determinize(self, s: Position, viewer: int, stream: Stream) -> Position:
        """A position that the viewer of the view `s` must hold for possible, drawn fairly."""
        first, second, played = s
        if first == "?":
            first = stream.choice([rank for rank in RANKS if rank != second])
        if second == "?":
            second = stream.choice([rank for rank in RANKS if rank != first])
        return (first, second, played)

    def copy(self, s: Position) -> Position:
        """A tuple never changes, so it is its own copy."""
        return s

    def view_text(self, s: Position, viewer: int) -> str:
        """What a player at the terminal gets to see."""
        cards = " ".join(f"[{card}]" for card in s[:2] if card)
        played = ", ".join({"p": "pass", "b": "bet"}[letter] for letter in s[2])
        return f"cards: {cards or 'not dealt'}\nplayed: {played or 'nothing yet'}"
