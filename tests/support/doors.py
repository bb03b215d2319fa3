"""Games that draw no worlds: their players need HyperPlay.

`load_game("tests/support/doors.py:MontyHall")` loads one.
"""

from __future__ import annotations

from typing import Any

from facedown.core import CHANCE, OVER
from support.hidden_roles import Moles

Show = tuple[str, ...]  # what happened: "car 2", "choose 1", "open 3", "switch"


class MontyHall:
    """A car behind one of three doors; the host opens a door with a goat, and one may switch.

    As in the paper's Figure 1, moves one after another: chance hides the car, the contestant
    chooses, chance opens one of the others that has no car, the contestant stays or switches.
    """

    players, bounds = 1, (0.0, 100.0)
    moves, most_moves, most_plies = 11, 3, 4

    def start(self) -> Show:
        return ()

    def turn(self, s: Show) -> int:
        return (CHANCE, 0, CHANCE, 0, OVER)[len(s)]

    def legal(self, s: Show) -> list[str]:
        if len(s) == 0:
            return [f"car {door}" for door in (1, 2, 3)]
        if len(s) == 1:
            return [f"choose {door}" for door in (1, 2, 3)]
        if len(s) == 2:
            return [
                f"open {door}" for door in (1, 2, 3) if door not in (number(s[0]), number(s[1]))
            ]
        return ["stay", "switch"]

    def apply(self, s: Show, move: str) -> Show:
        return (*s, move)

    def sees(self, s: Show, move: str, viewer: int) -> str:
        return move if s else "a car is hidden"

    def payoff(self, s: Show) -> list[float]:
        right = number(s[0]) == number(s[1])
        return [100.0 if right == (s[3] == "stay") else 0.0]

    def hide(self, s: Show, viewer: int) -> Show:
        return ("car ?", *s[1:]) if s else s

    def infoset(self, s: Show, viewer: int) -> Show:
        return self.hide(s, viewer)

    def copy(self, s: Show) -> Show:
        return s


class ExplodingBomb:
    """The paper's example 2: a bomb is armed red or blue; ask for the colour, or wait; then cut.

    Asking costs ten of the hundred that a bomb disarmed is worth.
    """

    players, bounds = 1, (0.0, 100.0)
    moves, most_moves, most_plies = 8, 2, 4

    def start(self) -> Show:
        return ()

    def turn(self, s: Show) -> int:
        if s[-1:] and s[-1].startswith("cut"):
            return OVER
        return CHANCE if not s or s[-1] == "ask" else 0

    def legal(self, s: Show) -> list[str]:
        if not s:
            return ["arm red", "arm blue"]
        if len(s) == 1:
            return ["ask", "wait"]
        return [s[0].replace("arm", "tell")] if s[-1] == "ask" else ["cut red", "cut blue"]

    def apply(self, s: Show, move: str) -> Show:
        return (*s, move)

    def sees(self, s: Show, move: str, viewer: int) -> str:
        return move if s else "a bomb is armed"

    def payoff(self, s: Show) -> list[float]:
        right = s[0].split()[1] == s[-1].split()[1]
        return [(90.0 if "ask" in s else 100.0) * right]

    def hide(self, s: Show, viewer: int) -> Show:
        return ("arm ?", *s[1:]) if s else s

    def infoset(self, s: Show, viewer: int) -> Show:
        return self.hide(s, viewer)

    def copy(self, s: Show) -> Show:
        return s


class Bits:
    """So many hidden bits, each 1 with probability 2/3, and a lamp after each: always on after 0,
    after 1 on or off as likely. Then one guesses the first bit.

    Nothing but a walk through all of it tells how likely a history is: as in Monty Hall's show, a
    lamp that is on speaks for 0, and only as often as it is seen.
    """

    players, bounds, most_moves = 1, (0.0, 1.0), 2

    def __init__(self, n: int = 8) -> None:
        self.n, self.most_plies = n, 2 * n + 1

    def start(self) -> Show:
        return ()

    def turn(self, s: Show) -> int:
        if len(s) > 2 * self.n:
            return OVER
        return CHANCE if len(s) < 2 * self.n else 0

    def legal(self, s: Show) -> list[str]:
        if len(s) == 2 * self.n:
            return ["say 0", "say 1"]
        if len(s) % 2 == 0:
            return ["hide 0", "hide 1"]
        return ["on"] if s[-1] == "hide 0" else ["on", "off"]

    def weights(self, s: Show) -> list[float]:
        return [1.0, 2.0] if len(s) % 2 == 0 else [1.0] * len(self.legal(s))

    def apply(self, s: Show, move: str) -> Show:
        return (*s, move)

    def sees(self, s: Show, move: str, viewer: int) -> str | None:
        return None if move.startswith("hide") else move

    def payoff(self, s: Show) -> list[float]:
        return [float(number(s[0]) == number(s[-1]))]

    def hide(self, s: Show, viewer: int) -> Show:
        even = (
            len(s) // 2 * 2 if len(s) < 2 * self.n else len(s)
        )  # a bit is nothing until a lamp is
        return tuple("hide ?" if move.startswith("hide") else move for move in s[:even])

    def infoset(self, s: Show, viewer: int) -> Show:
        return self.hide(s, viewer)

    def copy(self, s: Show) -> Show:
        return s


class BlindMoles(Moles):
    """The game of hidden roles, without a rule that draws or lists its worlds."""

    worlds = 0
    determinize: Any = property()  # nothing is to be found there
    world: Any = property()


def number(move: str) -> int:
    """The door of a move."""
    return int(move.split()[1])
