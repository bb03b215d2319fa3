"""What an agent is: told what its player observes, asked for a move, never shown the truth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from facedown.core import Game, Position, Stream


class Agent:
    """One player's mind for one game. Subclass it, or write any class with these methods.

    `player` is the one it plays; `seed` starts its own random stream, from which the deal cannot be
    re-created. Options of a spec (`name:key=value`) are the keyword arguments of its constructor.
    """

    cheats: ClassVar[bool] = False
    """True for the benchmarks that are handed the true position instead of a view."""

    def __init__(self, game: Game, player: int, seed: int) -> None:
        self.game, self.player = game, player
        self.stream = Stream(seed)

    def observe(self, token: int, text: str) -> None:
        """One observation of the player's, its own moves included, in the order they come."""

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        """The move to play: one of `legal`, which belong to this player here."""
        raise NotImplementedError

    def summary(self) -> dict[str, Any] | None:
        """What is worth recording of the last choice (visits, value, time), as plain JSON."""
        return None


class RandomAgent(Agent):
    """Plays each legal move as often as any other."""

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        return self.stream.choice(legal)
