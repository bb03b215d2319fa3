"""What can go wrong, in words for the person who can mend it."""

from __future__ import annotations

from collections.abc import Sequence


class FacedownError(Exception):
    """Any error that facedown raises on purpose; its text is one clear line."""


class SpecError(FacedownError):
    """A name, an option or a value that a user gave is not allowed; says what is."""


class RuleError(FacedownError):
    """A rule of a game failed: raised, never ended, or broke the contract.

    `moves` led from the start of the game (or from the root of a search) to the failure;
    `seed` is the one that the failing game or search ran with, where it is known.
    """

    def __init__(
        self, what: str, *, seed: int | None = None, moves: Sequence[str] = (), rule: str = ""
    ) -> None:
        self.what, self.seed, self.moves, self.rule = what, seed, tuple(moves), rule
        super().__init__(self._text())

    def _text(self) -> str:
        text = self.what
        if self.seed is not None:
            text += f"; seed {self.seed}"
        if self.moves:
            text += f"; moves: {', '.join(self.moves)}"
        return text

    def within(self, *, seed: int | None = None, moves: Sequence[str] = ()) -> RuleError:
        """The same error as seen from outside: after `moves`, under `seed` where none is known."""
        inner = self.seed if self.seed is not None else seed
        return type(self)(self.what, seed=inner, moves=(*moves, *self.moves), rule=self.rule)


def foreign(error: BaseException) -> bool:
    """Whether it was raised by somebody's code: no interrupt, and nothing of our own.

    What is no Exception counts too: who writes a game may leave by `sys.exit`, or raise what
    nobody is meant to catch; our own of that kind (a clock's) have to go through.
    """
    ours = type(error).__module__.startswith("facedown.") and not isinstance(error, Exception)
    return not (ours or isinstance(error, FacedownError | KeyboardInterrupt))


class BanditError(RuleError):
    """A user's bandit raised: a fault of the agent that searches with it, not of the game."""
