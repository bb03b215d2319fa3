"""Strangers at the table, as agents."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from facedown.agents.base import Agent
from facedown.core import Position, SpecError
from facedown.games.resistance import Resistance
from facedown.strangers.halves import Half
from facedown.strangers.kept_half import KEPT
from facedown.strangers.training_half import TRAINING

HALVES: tuple[Half, ...] = (TRAINING, KEPT)
_SOMEBODY = 1 << 30  # numbers among which somebody is drawn where none is given


@dataclass(eq=False)
class Stranger(Agent):
    """Player `number` of a `family` of strangers; somebody else in every game without one.

    `family` may name a half, `training` or `kept`: one of its families is then drawn as well.
    Without it all families are drawn from.
    """

    family: str | None = None
    number: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.game.definition, Resistance):
            raise SpecError(f"strangers play resistance, not {self.game.name}")
        if self.number is not None and self.number < 0:
            raise SpecError(f"number={self.number}: at least 0 is wanted")
        self._half, self._family = _find(self.family, self.stream.below)
        number = self.stream.below(_SOMEBODY) if self.number is None else self.number
        self._who = f"{self._half.families[self._family].name} {number}"
        self._numbers = self._half.families[self._family].player(number)

    def prepare(self) -> None:
        super().prepare()
        self._half.choose.ready()

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        if len(legal) == 1:
            return legal[0]
        game = self.game.definition
        where = self._family, self._numbers
        return self._half.move(game, *where, view.record, self.player, self.stream)

    def summary(self) -> dict[str, Any] | None:
        return {"stranger": self._who}


def _find(family: str | None, below: Any) -> tuple[Half, int]:
    """A family by name, or drawn from a half or from all; SpecError names those there are."""
    drawn = [
        (half, k)
        for half in HALVES
        for k, one in enumerate(half.families)
        if family in (None, half.name, one.name)
    ]
    if not drawn:
        names = [one.name for half in HALVES for one in half.families]
        told = ", ".join([*names, *(half.name for half in HALVES)])
        raise SpecError(f"family={family}: no such strangers; one of {told}")
    return drawn[0] if len(drawn) == 1 else drawn[below(len(drawn))]
