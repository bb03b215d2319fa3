"""Games in which nobody draws worlds: their players need HyperPlay.

`load_game("tests/doors.py:MontyHall")` loads one.
"""

from __future__ import annotations

from facedown.core import CHANCE, OVER

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
            return [f"open {door}" for door in (1, 2, 3) if door not in (number(s[0]), number(s[1]))]
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


def number(move: str) -> int:
    """The door of a move."""
    return int(move.split()[1])
