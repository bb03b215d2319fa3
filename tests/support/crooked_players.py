"""Agents and games that do something wrong, or always the same."""

import time

from facedown import Agent


class Raises(Agent):
    def choose(self, view, legal):
        raise ValueError("no idea")


class Last(Agent):
    """Plays the last of its moves: it bets and raises."""

    def choose(self, view, legal):
        return legal[-1]


class Talks(Agent):
    def choose(self, view, legal):
        print("hm")
        return legal[0]


class Counting(Agent):
    """Plays its k-th legal move at its k-th decision, from the first of them."""

    def choose(self, view, legal):
        self.asked = getattr(self, "asked", -1) + 1
        return legal[self.asked % len(legal)]


class Slow(Agent):
    def choose(self, view, legal):
        time.sleep(0.2)
        return legal[0]


class Sleepy(Agent):
    """Takes its time, so that a match can be interrupted."""

    def choose(self, view, legal):
        time.sleep(0.02)
        return legal[0]


class Broken:
    """A game whose rule raises once somebody has moved."""

    players = 2
    bounds = (-1.0, 1.0)

    def start(self):
        return ()

    def turn(self, s):
        return len(s)

    def legal(self, s):
        return ["left", "right"]

    def apply(self, s, move):
        if s:
            raise KeyError("nowhere")
        return (*s, move)

    def sees(self, s, move, viewer):
        return move

    def payoff(self, s):
        return (0.0, 0.0)

    def hide(self, s, viewer):
        return s

    def infoset(self, s, viewer):
        return s


class Honest:
    """In Kuhn poker: bets a king and nothing else."""

    card = 2

    def __init__(self, game, player, seed):
        self.player = player

    def observe(self, token, text):
        pass

    def overhear(self, token):
        pass

    def choose(self, view, legal):
        return legal[int(view.record["cards"][self.player] == self.card)]


class Bluffer(Honest):
    """Bets a jack and nothing else."""

    card = 0
