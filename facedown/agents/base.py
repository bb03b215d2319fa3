"""What an agent is: told what its player observes, asked for a move, never shown the truth."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, ClassVar

from facedown.core import Game, Position, SpecError, Stream

_preparing: ContextVar[float | None] = ContextVar("preparing", default=None)


@contextmanager
def preparing(seconds: float) -> Iterator[None]:
    """Have agents that are made here take about so long to get ready, and do the rest later."""
    token = _preparing.set(seconds)
    try:
        yield
    finally:
        _preparing.reset(token)


def patience() -> float | None:
    """How long an agent that is being made may take to get ready; None: as long as it needs."""
    return _preparing.get()


@dataclass(eq=False)
class Agent:
    """One player's mind for one game. Subclass it, or write any class with these methods.

    `player` is the one it plays; `seed` starts its own random stream, from which the deal cannot be
    re-created. Options of a spec (`name:key=value`) are the further arguments of its constructor.
    """

    game: Game
    player: int
    seed: int

    cheats: ClassVar[bool] = False
    """True for the benchmarks that are handed the true position instead of a view."""

    def __post_init__(self) -> None:
        self.stream = Stream(self.seed)

    @property
    def remembers(self) -> bool:
        """Whether it decides by all that it was told, and a view alone would not do."""
        return False

    def require(self) -> None:
        """SpecError where the game lacks what this agent needs; asked before a match begins.

        Nothing is compiled, loaded or believed for it: see `prepare`.
        """

    def prepare(self) -> None:
        """Have all at hand that choosing needs: a clock may run later. Nothing is asked before."""

    def observe(self, token: int, text: str) -> None:
        """One observation of the player's, its own moves included, in the order they come."""

    def overhear(self, token: int) -> None:
        """What everyone at the table, and any onlooker, saw of a move; after `observe` of it."""

    def clocked(self, player: int, seconds: float) -> None:
        """How long another player took over a decision, NaN if nobody knows; told before it shows.

        Known are the times of people, simulated or not: how long a program computes means nothing.
        """

    def pace(self) -> float | None:
        """The seconds that others at the table saw the last choice take; None: a program's own."""
        return None

    def allow(self, seconds: float) -> None:
        """How long the next choice may take at most; told before `choose` where a clock runs."""

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        """The move to play: one of `legal`, which belong to this player here."""
        raise SpecError(f"{type(self).__name__} does not say how it chooses")

    def summary(self) -> dict[str, Any] | None:
        """What is worth recording of the last choice (visits, value, time), as plain JSON."""
        return None


class RandomAgent(Agent):
    """Plays each legal move as often as any other."""

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        return self.stream.choice(legal)


class ScriptedAgent(Agent):
    """The game's own rule-of-thumb player, which decides from its view like everyone."""

    script: ClassVar[str | None] = None
    """Which of the game's players by name; None is the one that every such game has."""

    def __post_init__(self) -> None:
        super().__post_init__()
        scripts, named = self.game.scripts, self.script
        self._script = self.game.scripted if named is None else scripts.get(named)
        if self._script is None:
            raise SpecError(f"{self.game.name} has no {named or 'scripted'} player")

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        assert self._script is not None
        return self._script(view.record, self.player, legal, self.stream)
