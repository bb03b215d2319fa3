"""A game that pays for a number, and an agent whose options decide which it names."""

from facedown import Agent
from facedown.core import CHANCE, OVER


class Contest:
    """Both name a number from 0 to 10; player 0 wins with the chance (10 + his - other's) / 20."""

    players = 2
    bounds = (-1.0, 1.0)
    most_plies = 3

    def start(self):
        return ()

    def turn(self, s):
        return (0, 1, CHANCE, OVER)[len(s)]

    def legal(self, s):
        return list(range(11)) if len(s) < 2 else list(range(20))

    def apply(self, s, move):
        return (*s, move)

    def sees(self, s, move, viewer):
        return move + 1

    def payoff(self, s):
        return (1.0, -1.0) if s[2] < 10 + s[0] - s[1] else (-1.0, 1.0)

    def hide(self, s, viewer):
        return s

    def infoset(self, s, viewer):
        return s

    def determinize(self, s, viewer, stream):
        return s

    def copy(self, s):
        return s


class Planted(Agent):
    """Names the highest number where x is 3 and y is 2; z means nothing."""

    def __init__(self, game, player, seed, x: int = 0, y: int = 0, z: int = 0):
        super().__init__(game, player, seed)
        self.number = 10 - 2 * abs(x - 3) - abs(y - 2)

    def choose(self, view, legal):
        names = {view.game.move_text(move): move for move in legal}
        return names[str(self.number)]
