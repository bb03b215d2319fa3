"""A player for any game, which chooses by the game how it plays."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from facedown.agents.probe import probe
from facedown.agents.registry import check_agent, make_agent
from facedown.agents.thinking import Thinker
from facedown.belief.belief import Belief
from facedown.core import Position
from facedown.search.report import Report

VALUING = "hyperplay-ii-shared"
"""Who plays where information has value."""


@dataclass(eq=False)
class General(Thinker):
    """HyperPlay-II where information has value, else HyperPlay's bag under a `host`.

    So the paper's conclusion: the player of choice is plain HyperPlay, "only utilizing the
    information valuing properties of the HP-II player when the game topology dictates" (section
    7.5). A probe of the rules says whether it does (`facedown.agents.probe`), before the game
    begins and once for a game.
    """

    host: Literal["so-ismcts", "mo-ismcts", "hyperplay"] = "so-ismcts"

    @cached_property
    def inner(self) -> Thinker:
        """Who plays, once the probe has said what it pays to be."""
        self.verdict = probe(self.game)
        self.chosen = VALUING if self.verdict.valued else self.host
        made = make_agent(self._spec(self.chosen), self.game, self.player, self.seed)
        assert isinstance(made, Thinker)
        return made

    def _spec(self, name: str) -> str:
        """An agent with the budget of this one."""
        budget = {"iterations": self.iterations, "seconds": self.seconds}
        given = ",".join(f"{key}={value}" for key, value in budget.items() if value is not None)
        return f"{name}:{given}" if given else name

    def prepare(self) -> None:
        self.inner  # noqa: B018

    def require(self) -> None:
        for name in (VALUING, self.host):
            check_agent(self._spec(name), self.game)

    @property
    def beliefs(self) -> dict[int, Belief]:
        """Those of whoever plays."""
        return self.inner.beliefs

    @property
    def remembers(self) -> bool:
        return self.inner.remembers

    def observe(self, token: int, text: str) -> None:
        self.inner.observe(token, text)

    def overhear(self, token: int) -> None:
        self.inner.overhear(token)

    def clocked(self, player: int, seconds: float) -> None:
        self.inner.clocked(player, seconds)

    def pace(self) -> float | None:
        return self.inner.pace()

    def allow(self, seconds: float) -> None:
        super().allow(seconds)
        self.inner.allow(seconds)

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        move = self.inner.choose(view, legal)
        self.search, self._report = self.inner.search, None
        return move

    def report(self) -> Report:
        return self.inner.report()

    @property
    def states(self) -> int:
        return self.inner.states

    def summary(self) -> dict[str, Any] | None:
        found = self.inner.summary()
        return None if found is None else {"plays": self.chosen, **found}
