"""A game that chance may end before player 1 has moved, as a plain Python class."""

from facedown import CHANCE, OVER


class Coin:
    """Chance throws a coin. Heads: the game is over; tails: player 0 moves, then it is over."""

    players, bounds, most_moves = 2, (-1.0, 1.0), 2

    def start(self):
        return ()

    def turn(self, state):
        if not state:
            return CHANCE
        return OVER if state[0] == "heads" or len(state) == 2 else 0

    def legal(self, state):
        return ["heads", "tails"] if not state else ["left", "right"]

    def apply(self, state, move):
        return (*state, move)

    def sees(self, state, move, viewer):
        return move

    def payoff(self, state):
        return (1.0, -1.0)

    def hide(self, state, viewer):
        return None

    def infoset(self, state, viewer):
        return state
