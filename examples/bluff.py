"""A bluffing game as an ordinary Python class.

Player 0 draws an ace or a deuce, unseen by player 1, and bets or folds; after a bet player 1 calls
or folds. A fold costs one chip; a call plays for two, and the ace wins.
"""

from __future__ import annotations

from facedown import CHANCE, OVER, Stream

CARDS = ("ace", "deuce")
Position = tuple[str, tuple[str, ...]]  # the card ("" before the draw, "?" unseen), moves played


class Bluff:
    players = 2
    bounds = (-2.0, 2.0)
    moves = 5  # ace, deuce, bet, fold, call: how many different moves there are
    most_moves = 2  # how many are legal at once
    most_plies = 3  # how long a game can get

    def start(self) -> Position:
        """Nothing is drawn yet: drawing is a move, made by chance."""
        return ("", ())

    def turn(self, s: Position) -> int:
        card, played = s
        if not card:
            return CHANCE
        return OVER if len(played) == 2 or "fold" in played else len(played)

    def legal(self, s: Position) -> list[str]:
        card, played = s
        if not card:
            return list(CARDS)
        return ["call", "fold"] if played else ["bet", "fold"]

    def apply(self, s: Position, move: str) -> Position:
        card, played = s
        return (card, (*played, move)) if card else (move, ())

    def sees(self, s: Position, move: str, viewer: int) -> str:
        """What a viewer learns from a move: the card is for player 0 alone."""
        return move if s[0] or viewer == 0 else "a card is drawn"

    def payoff(self, s: Position) -> tuple[float, float]:
        card, played = s
        if played[-1] == "fold":
            gain = -1.0 if len(played) == 1 else 1.0
        else:
            gain = 2.0 if card == "ace" else -2.0
        return gain, -gain

    def hide(self, s: Position, viewer: int) -> Position:
        """What the viewer can know of a position."""
        card, played = s
        return ("?" if card and viewer != 0 else card, played)

    def infoset(self, s: Position, viewer: int) -> Position:
        """A key of what the viewer knows."""
        return self.hide(s, viewer)

    def determinize(self, s: Position, viewer: int, stream: Stream) -> Position:
        """A position that the viewer of the view `s` must hold for possible, drawn fairly."""
        card, played = s
        return (stream.choice(CARDS) if card == "?" else card, played)

    def copy(self, s: Position) -> Position:
        """A tuple never changes, so it is its own copy."""
        return s

    def view_text(self, s: Position, viewer: int) -> str:
        return f"card: {s[0] or 'not drawn'}; played: {', '.join(s[1]) or 'nothing'}"

    def hidden_text(self, s: Position, viewer: int) -> str:
        return "" if viewer == 0 else f"player 0 holds the {s[0]}"
