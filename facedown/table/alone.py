"""One person at the terminal against agents."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from facedown.core import Game, Position
from facedown.table.human import Human
from facedown.table.person import HINT
from facedown.table.sitting import Decision, Sitting
from facedown.table.terminal import Terminal
from facedown.table.together import Foreseen


class Alone:
    """The host of a person at the terminal."""

    def __init__(self, terminal: Terminal, hint: str = HINT) -> None:
        self._terminal, self._hint = terminal, hint
        self.sitting: Sitting | None = None

    def sit(self, game: Game, specs: list[str], **more: Any) -> Sitting:
        """A new game; `more` goes to the sitting."""
        self.sitting = Sitting(game, specs, self, **more)
        return self.sitting

    @property
    def news(self) -> list[str]:
        """What the person has seen since their last decision."""
        people = self.sitting.people.values() if self.sitting is not None else ()
        return next((person.news for person in people), [])

    def person(self, game: Game, player: int, seed: int) -> Human:
        """Who answers at the terminal."""
        return Human(game, player, seed, self._hint, terminal=self._terminal)

    def thinking(self, agent: Any, player: int) -> AbstractContextManager[Any]:
        """A line that says who thinks, on a screen."""
        if isinstance(agent, Human):
            agent.can_undo = self.sitting is not None and self.sitting.can_undo(player)
            return nullcontext()
        return self._terminal.busy(f"player {player} is thinking")

    def shown(self, player: int, view: Position, turn: int) -> None:
        """Nothing: the person is shown the table when they are asked."""

    def foreseen(self, ahead: Sequence[Foreseen]) -> None:
        """One person sits here: nobody decides ahead."""

    def decided(self, made: Decision) -> None:
        """Nothing: a game is kept when it ends."""

    def taken_back(self, left: int) -> None:
        """Say so."""
        self._terminal.say("taken back", "yellow")
