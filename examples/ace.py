from facedown import CHANCE, OVER


class Ace:
    """0 draws an ace or a deuce, then bets or folds; 1, who has not seen it, calls or folds."""

    players, bounds, moves, most_moves, most_plies = 2, (-2.0, 2.0), 5, 2, 3

    def start(self):
        return ()  # a position is what you like: here, the moves so far

    def turn(self, s):
        return CHANCE if not s else OVER if len(s) == 3 or "fold" in s else len(s) - 1

    def legal(self, s):
        return (["ace", "deuce"], ["bet", "fold"], ["call", "fold"], [])[len(s)]

    def apply(self, s, move):
        return (*s, move)

    def sees(self, s, move, viewer):  # what a viewer learns from a move
        return move if s or viewer == 0 else "a card is drawn"

    def payoff(self, s):
        won = 2 if s[0] == "ace" else -2
        gain = won if s[-1] == "call" else 1 if len(s) == 3 else -1
        return gain, -gain

    def hide(self, s, viewer):  # what a viewer can know of a position
        return s if not s or viewer == 0 else ("?", *s[1:])

    def infoset(self, s, viewer):  # a key of what a viewer knows
        return self.hide(s, viewer)
