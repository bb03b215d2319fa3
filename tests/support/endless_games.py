"""Games whose rules never come back, or have more of something than anybody could look at."""

from __future__ import annotations

from typing import Any, ClassVar

from facedown.games import kuhn as right
from facedown.games.kuhn import Kuhn
from support.crooked_compiled import with_rules
from support.honest_games import Hand, PlainKuhn


class NeverReturns(PlainKuhn):
    """A bet after a pass is thought about for ever."""

    def apply(self, s: Hand, move: Any) -> None:
        super().apply(s, move)
        while s.line == ["pass", "bet"]:
            pass


class SwallowsTheClock(PlainKuhn):
    """The same, and whatever is raised meanwhile is swallowed."""

    def apply(self, s: Hand, move: Any) -> None:
        super().apply(s, move)
        while s.line == ["pass", "bet"]:
            try:
                while True:
                    pass
            except BaseException:
                continue


class MillionMoves(PlainKuhn):
    """A million ways to pass."""

    moves = most_moves = 1_100_000

    def legal(self, s: Hand) -> list[Any]:
        if len(s.cards) < 2:
            return super().legal(s)
        return ["bet", *(("pass", k) for k in range(1_000_000))]

    def apply(self, s: Hand, move: Any) -> None:
        super().apply(s, move if move[0] == "deal" or move == "bet" else "pass")

    def sees(self, s: Hand, move: Any, viewer: int) -> Any:
        token = super().sees(s, move, viewer)
        return "pass" if move[0] == "pass" and viewer != self.turn(s) else token


class ThousandPlayers:
    """Everybody passes, one after another."""

    players, bounds, most_plies = 1000, (0.0, 1.0), 1000

    def start(self) -> list[int]:
        return []

    def turn(self, s: list[int]) -> int:
        return len(s) if len(s) < 1000 else -2

    def legal(self, s: list[int]) -> list[str]:
        return ["pass"]

    def apply(self, s: list[int], move: str) -> None:
        s.append(0)

    def sees(self, s: list[int], move: str, viewer: int) -> str:
        return move

    def payoff(self, s: list[int]) -> list[float]:
        return [0.0] * 1000

    def hide(self, s: list[int], viewer: int) -> None:
        """Nothing is hidden."""

    def infoset(self, s: list[int], viewer: int) -> int:
        return len(s)


def spinning_turn(s: Any) -> int:
    k = 1
    while s["n"] == 2 and k > 0:
        k = k % 1000 + 1
    return 0 if s["dealt"] == 2 else -1


class NeverReturnsCompiled(Kuhn):
    """Who has to act after two moves takes for ever to find out."""

    rules: ClassVar = with_rules(right, turn=spinning_turn)
