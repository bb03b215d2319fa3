"""Agents for the tests of the arena, named by path/to/players.py:ClassName."""

import os
import signal
import sys
import time

from facedown.agents.base import Agent
from facedown.core import RuleError, SpecError, derive


class First(Agent):
    """Plays the first legal move."""

    def choose(self, view, legal):
        return legal[0]


class Last(Agent):
    """Plays the last legal move."""

    def choose(self, view, legal):
        return legal[-1]


class Cheat(First):
    cheats = True

    def __init__(self, game, player, seed, *, strength: int = 1):
        super().__init__(game, player, seed)
        self.strength = strength


class Peeker:
    """Has no base class, and only what an agent must have."""

    def __init__(self, game, player, seed):
        pass

    def observe(self, token, text):
        pass

    def choose(self, view, legal):
        return legal[0]


class Summarising(First):
    def summary(self):
        return {"visits": [3, 4], "mean": float("nan"), 5: (1, 2)}


class WrongSummary(First):
    def summary(self):
        return {"agent": self}


class Raising(Agent):
    def choose(self, view, legal):
        raise ValueError("no idea\nat all")


class RaisingWhenAskedWhetherItCheats(First):
    @property
    def cheats(self):
        raise ValueError("none of your business")


class RaisingWhenAskedWhatItHas(Peeker):
    def __getattr__(self, name):
        raise ValueError(f"no {name} here")


class RaisingAtSetUp(First):
    def __init__(self, game, player, seed):
        raise ZeroDivisionError("not ready")


class RaisingAtObservation(First):
    def observe(self, token, text):
        raise LookupError(text)


class Leaving(Agent):
    def choose(self, view, legal):
        sys.exit(3)


class Illegal(Agent):
    def choose(self, view, legal):
        return 99


class Texting(Agent):
    def choose(self, view, legal):
        return "bet"


class Truthy(Agent):
    def choose(self, view, legal):
        return True


class Sleeping(Agent):
    def choose(self, view, legal):
        time.sleep(1000)
        return legal[0]


class Slow(Agent):
    def choose(self, view, legal):
        time.sleep(0.5)
        return legal[0]


class Looping(Agent):
    def choose(self, view, legal):
        while True:
            try:
                while True:
                    pass
            except Exception:
                continue


class SlowToObserve(First):
    def observe(self, token, text):
        time.sleep(1000)


class Chooser(First):
    """A user's option that only its constructor can judge."""

    def __init__(self, game, player, seed, *, strength: int = 1):
        super().__init__(game, player, seed)
        if strength < 0:
            raise SpecError(f"strength={strength}: 0 or more is wanted")


class BreaksRules(Agent):
    """Runs into a fault of the game within its own search."""

    def choose(self, view, legal):
        raise RuleError("rule 'apply' raised", moves=["inner"])


class Dying(Agent):
    def choose(self, view, legal):
        os.kill(os.getpid(), signal.SIGKILL)


class Patient(First):
    """Long enough at a move that a match can be stopped meanwhile."""

    def choose(self, view, legal):
        time.sleep(0.05)
        return legal[0]


class StuckInGameZero(First):
    """Takes very long in the first game of a run with seed 1."""

    def __init__(self, game, player, seed):
        super().__init__(game, player, seed)
        self.stuck = seed == derive(1, "agent", 0, player)

    def choose(self, view, legal):
        time.sleep(60 if self.stuck else 0)
        return legal[0]
