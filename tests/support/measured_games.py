"""Games whose measures are worked out by hand."""

from facedown.core import CHANCE, OVER


class Parity:
    """A number of 0 to 3 is drawn, seen by player 1 alone; player 0 stays or dares.

    Then player 1 has to say whether it is odd, and player 0 says low or high. Having stayed he has
    won in any case; having dared, if he is right. So half of the last decisions have ends that pay
    the same, always to player 0, who wins 3/4 of random games; of four worlds two are ruled out.
    """

    players = 2
    bounds = (-1.0, 1.0)
    most_plies = 4

    def start(self):
        return ()

    def turn(self, s):
        return (CHANCE, 0, 1, 0, OVER)[len(s)]

    def legal(self, s):
        said = ["odd" if s and s[0] % 2 else "even"]
        return ([0, 1, 2, 3], ["stay", "dare"], said, ["low", "high"])[len(s)]

    def apply(self, s, move):
        return (*s, move)

    def sees(self, s, move, viewer):
        return move if s or viewer == 1 else None

    def payoff(self, s):
        won = s[1] == "stay" or (s[3] == "high") == (s[0] > 1)
        return (1.0, -1.0) if won else (-1.0, 1.0)

    def hide(self, s, viewer):
        return s if viewer == 1 or not s else (None, *s[1:])

    def infoset(self, s, viewer):
        return self.hide(s, viewer)

    def determinize(self, s, viewer, stream):
        if not s or s[0] is not None:
            return s
        fits = [n for n in range(4) if len(s) < 3 or (n % 2 == 1) == (s[2] == "odd")]
        return (stream.choice(fits), *s[1:])

    def copy(self, s):
        return s


class Signal:
    """A coin that player 0 alone sees; he names it, openly or (`shown=False`) in secret.

    He wins 1 if he names it right, else he loses 1. Player 1 has no choice.
    """

    players = 2
    bounds = (-1.0, 1.0)
    most_plies = 2

    def __init__(self, shown=True):
        self.shown = shown

    def start(self):
        return ()

    def turn(self, s):
        return (CHANCE, 0, OVER)[len(s)]

    def legal(self, s):
        return ["heads", "tails"]

    def apply(self, s, move):
        return (*s, move)

    def sees(self, s, move, viewer):
        return move if viewer == 0 or (s and self.shown) else None

    def payoff(self, s):
        return (1.0, -1.0) if s[0] == s[1] else (-1.0, 1.0)

    def hide(self, s, viewer):
        if viewer == 0:
            return s
        return tuple(x if k == 1 and self.shown else None for k, x in enumerate(s))

    def infoset(self, s, viewer):
        return self.hide(s, viewer)

    def determinize(self, s, viewer, stream):
        return tuple(stream.choice(["heads", "tails"]) if x is None else x for x in s)

    def copy(self, s):
        return s


class Flip:
    """Both players say something that means nothing; then a coin says who wins."""

    players = 2
    bounds = (-1.0, 1.0)
    most_plies = 3

    def start(self):
        return ()

    def turn(self, s):
        return (0, 1, CHANCE, OVER)[len(s)]

    def legal(self, s):
        return ["heads", "tails"]

    def apply(self, s, move):
        return (*s, move)

    def sees(self, s, move, viewer):
        return move

    def payoff(self, s):
        return (1.0, -1.0) if s[2] == "heads" else (-1.0, 1.0)

    def hide(self, s, viewer):
        return s

    def infoset(self, s, viewer):
        return s

    def determinize(self, s, viewer, stream):
        return s

    def copy(self, s):
        return s
