"""What a check of a game found, law by law, in words for the game's author."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from facedown.core.constants import PUBLIC

Status = Literal["held", "broken", "skipped"]
Verdict = Literal["sound", "broken", "too little to say"]


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


LEAST_GAMES, LEAST_PAIRS, LEAST_JUDGED = 100, 200, 5
"""What a verdict needs: games played, pairs that look alike, places where worlds are judged."""

FEW_GAMES, LEAST_POSITIONS, LEAST_EXCHANGED = 10, 3_000, 300
"""Fewer games will do where they are long, and exchanged worlds where none could be judged."""

LEAST_PLAYED = 0.5
"""The share of the moves that were legal somewhere which should have been played."""


@dataclass(frozen=True)
class Coverage:
    """What a check has looked at.

    `games` were played in all, `looked` of them looked at position by position; `moves` of `listed`
    different legal moves were played; `tokens` counts different observations of anybody; `depth` is
    the longest game; `pairs` of positions were compared that a viewer cannot tell apart; worlds
    were `judged` exactly or by models at so many places, and at `open` ones they could not be;
    `exchanged` worlds were held against the true positions of random games.
    """

    games: int = 0
    looked: int = 0
    positions: int = 0
    moves: int = 0
    listed: int = 0
    tokens: int = 0
    depth: int = 0
    pairs: int = 0
    hidden: bool = False
    samples: bool = False
    judged: int = 0
    open: int = 0
    exchanged: int = 0
    starved: tuple[str, ...] = ()

    @property
    def lacks(self) -> tuple[str, ...]:
        """What there is too little of for a verdict; () where there is enough."""
        found = []
        long = self.games >= FEW_GAMES and self.positions >= LEAST_POSITIONS
        if self.games < LEAST_GAMES and not long:
            found.append(f"{self.games} games of at least {LEAST_GAMES}")
        if self.hidden and self.pairs < LEAST_PAIRS:
            found.append(f"{self.pairs} pairs that look alike of at least {LEAST_PAIRS}")
        if self.listed and self.moves < LEAST_PLAYED * self.listed:
            found.append(f"{self.moves:,} of {self.listed:,} moves were played")
        if self.samples and self.judged < LEAST_JUDGED and self.exchanged < LEAST_EXCHANGED:
            found.append(f"worlds judged at {self.judged} places of at least {LEAST_JUDGED}")
        if self.starved:
            found.append(f"no time for {', '.join(self.starved[:3])}")
        return tuple(found)

    @property
    def proves(self) -> str:
        """How much that proves, in words: the rule of three, for what any random game can show."""
        if self.games < 10:
            return "next to nothing"
        return (
            f"a fault that one game in {max(1, self.games // 3):,} ends with would have been met "
            "with 95 % probability; one that only a look at a position shows, if one game in "
            f"{max(1, self.looked // 3):,} has it"
        )

    @property
    def text(self) -> str:
        """What was looked at, in a line."""
        worlds = f"; worlds judged at {self.judged} places" if self.samples else ""
        left = f", {self.open} left open" if self.open else ""
        left += f", {self.exchanged:,} exchanged for the truth" if self.samples else ""
        parts = (
            f"{self.games:,} games of up to {self.depth} plies",
            f"{self.positions:,} positions looked at",
            f"{self.moves:,} of {self.listed:,} legal moves played",
            f"{self.tokens:,} different observations",
            f"{self.pairs:,} pairs that look alike{worlds}{left}",
        )
        return ", ".join(parts)


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
    coverage: Coverage = field(default_factory=lambda: Coverage())

    @property
    def verdict(self) -> Verdict:
        """`broken`, `sound` as far as was looked, or `too little to say`: see `coverage.lacks`."""
        if self.broken:
            return "broken"
        return "too little to say" if self.coverage.lacks else "sound"

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
        told = {"lacks": self.coverage.lacks, "proves": self.coverage.proves}
        made = {**asdict(self), "ok": self.ok, "verdict": self.verdict}
        return {**made, "coverage": {**asdict(self.coverage), **told}}
