"""Simulated people, as the game simulates them, at the table as agents."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from facedown.agents.base import Agent
from facedown.core import Position, SpecError
from facedown.core.specs import parse

NAME = "person"
"""The registered name of simulated people."""

MOST_PLAYED = 1000
_SOMEBODY = 1 << 20  # numbers among which somebody is drawn where none is given


@dataclass(eq=False)
class SimulatedPerson(Agent):
    """Person `number` of the game's simulated people; somebody else in every game without one.

    They are a model of people and not human players; their response times are drawn, not spent.
    `played` are matches that they have behind them: people who learn play better for it.
    """

    number: int | None = None
    played: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.game.people is None:
            raise SpecError(f"{self.game.name} has no simulated people")
        if self.number is not None and self.number < 0:
            raise SpecError(f"number={self.number}: at least 0 is wanted")
        if not 0 <= self.played <= MOST_PLAYED:
            raise SpecError(f"played={self.played}: 0 to {MOST_PLAYED} is wanted")
        self._people = self.game.people
        self._who = self.stream.below(_SOMEBODY) if self.number is None else self.number
        self._seconds = 0.0

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        move, self._seconds = self._people.act(
            self._who, view.record, self.player, legal, self.stream, self.played
        )
        return move

    def pace(self) -> float | None:
        return self._seconds

    def summary(self) -> dict[str, Any] | None:
        return {"simulated": self._who, "response": self._seconds}


def is_simulated(spec: str) -> bool:
    """Whether a spec names a simulated person.

    >>> is_simulated("person:number=7"), is_simulated("personal.py:Mine")
    (True, False)
    """
    parsed = parse(spec)
    return parsed.file is None and parsed.name == NAME
