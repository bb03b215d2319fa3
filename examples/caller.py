"""An agent of your own: it calls so much of the time, and otherwise plays anything."""

from collections.abc import Sequence
from dataclasses import dataclass

from facedown import Agent, Position


@dataclass
class Caller(Agent):
    """Options of a spec are the fields that the class adds."""

    often: float = 0.8

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        calls = [move for move in legal if self.game.move_text(move) in ("call", "bet")]
        if calls and self.stream.random() < self.often:
            return calls[0]
        return self.stream.choice(legal)
