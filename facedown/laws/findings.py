"""What a check of a game found, law by law, in words for the game's author."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal

from facedown.core.constants import PUBLIC

Status = Literal["held", "broken", "skipped"]


def viewer_name(viewer: int) -> str:
    """A viewer in words.

    >>> viewer_name(0), viewer_name(PUBLIC)
    ('player 0', 'the public')
    """
    return "the public" if viewer == PUBLIC else f"player {viewer}"


@dataclass(frozen=True)
class Violation:
    """One place where a law is broken: the moves that lead there from the start, as text.

    A check of one game (`games=1`) with this `seed` plays this story first.
    """

    law: str
    what: str
    seed: int
    moves: tuple[str, ...] = ()
    viewer: int | None = None

    @property
    def text(self) -> str:
        """The violation in one line."""
        place = f"after {', '.join(self.moves)}" if self.moves else "at the start"
        return f"{self.what}; seed {self.seed}, {place}"


@dataclass(frozen=True)
class Finding:
    """What became of one law: held over `cases`, broken, or skipped for the reason in `note`."""

    law: str
    statement: str
    status: Status
    cases: int = 0
    violations: tuple[Violation, ...] = ()
    note: str = ""

    @property
    def text(self) -> str:
        """The finding in one line, and a line for each violation."""
        note = f" ({self.note})" if self.note else ""
        if self.status == "skipped":
            return f"skipped  {self.law}{note}"
        if self.status == "held":
            return f"held     {self.law}: {self.cases} cases{note}"
        lines = [f"BROKEN   {self.law}: {self.statement}{note}"]
        return "\n".join([*lines, *(f"         {violation.text}" for violation in self.violations)])


@dataclass(frozen=True)
class Findings:
    """What a whole check found; `findings["law-name"]` is one law's finding.

    `games` is how many random games were played: fewer than asked for where the clock said so.
    """

    game: str
    seed: int
    games: int
    seconds: float
    laws: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether no law is broken."""
        return not self.broken

    @property
    def broken(self) -> tuple[Finding, ...]:
        """The findings of the laws that are broken."""
        return tuple(finding for finding in self.laws if finding.status == "broken")

    def __getitem__(self, law: str) -> Finding:
        for finding in self.laws:
            if finding.law == law:
                return finding
        raise KeyError(law)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.laws)

    @property
    def text(self) -> str:
        """All of it, for a terminal."""
        return "\n".join(finding.text for finding in self.laws)

    def as_json(self) -> dict[str, Any]:
        """All of it as plain JSON."""
        return {**asdict(self), "ok": self.ok}
