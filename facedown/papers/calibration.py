"""Calibration by elimination (Bitan and Kraus 2017, section 4.6).

Every combination of the values that are tried is a candidate. Candidates meet head to head; who won
the majority of a pairing's games goes on to the next round, the other is out, until one is left.
The order of the draw comes from the seed. Of an odd number the last goes on without a match; where
games were shared evenly, the one that was drawn first goes on. A pairing is a match in the store,
and a tournament that was stopped goes on where it was; a pairing that another revision of the code
has played is played anew.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any

from facedown.core import SpecError, Stream, derive
from facedown.papers.archive import Archive
from facedown.papers.cells import Cell, CellResult
from facedown.store.store import MEMORY, Store

KIND = "calibrate"
"""Of the runs in the store."""

Grid = Mapping[str, Sequence[str]]
"""The values that are tried, as a spec has them, by the option."""


@dataclass(frozen=True)
class Pairing:
    """Two candidates of a round by their specs, the one drawn first before the other.

    `won` are the games of each, a shared one for half; `new` says that they were played just now.
    """

    round: int
    specs: tuple[str, str]
    won: tuple[float, float]
    new: bool

    @property
    def winner(self) -> str:
        """Who goes on."""
        return self.specs[self.won[1] > self.won[0]]


@dataclass(frozen=True)
class PairingProgress:
    """How far a tournament has come: the pairing that is being played, and games of it.

    `left` are seconds, estimated from those played so far; None as long as nobody can say.
    """

    cell: Cell
    done: int  # pairings
    total: int
    games: int
    left: float | None
    finished: Pairing | None = None


@dataclass
class Elimination:
    """A tournament of one agent over a grid of options, in a game for two.

    `games` are those of a pairing, every deal from both seats. The store keeps them;
    unless one is given nobody does.
    """

    game: str
    agent: str
    grid: Grid
    games: int
    seed: int
    store: Store = field(default_factory=lambda: Store(MEMORY))
    jobs: int | None = None
    tell: Callable[[PairingProgress], None] = lambda step: None
    pairings: list[Pairing] = field(default_factory=list)

    @cached_property
    def candidates(self) -> list[str]:
        """The specs of all combinations, in the order of the grid."""
        joint = "," if ":" in self.agent.rpartition(".py:")[2] else ":"
        names = list(self.grid)
        return [
            f"{self.agent}{joint}{','.join(f'{k}={v}' for k, v in zip(names, values, strict=True))}"
            for values in product(*self.grid.values())
        ]

    @property
    def settings(self) -> dict[str, Any]:
        """What the tournament is known by, the seed included."""
        grid = {name: list(values) for name, values in self.grid.items()}
        names = {"game": self.game, "agent": self.agent, "grid": grid}
        return {**names, "games": self.games, "seed": self.seed}

    @cached_property
    def run(self) -> int:
        """The tournament's number in the store; a new one unless it was begun before."""
        found = self.store.find_run(KIND, self.settings)
        if found is not None:
            return found
        name = f"{self.game} {self.agent} over {', '.join(self.grid)}"
        return self.store.begin_run(KIND, name, self.settings, self.seed)

    @cached_property
    def _archive(self) -> Archive:
        return Archive(self.store, kind=KIND)

    @property
    def total(self) -> int:
        """Pairings from the first round to the last: each leaves one candidate out."""
        return len(self.candidates) - 1

    def check(self) -> None:
        """SpecError where the tournament cannot be meant."""
        from facedown.agents.registry import check_agent
        from facedown.games.registry import load_game

        game = load_game(self.game)
        if game.players != 2:
            raise SpecError(f"{game.spec} has {game.players} players; a game for two is wanted")
        if self.games < 1:
            raise SpecError(f"games is {self.games}; at least 1 is wanted")
        if len(self.candidates) < 2:
            raise SpecError(
                "one candidate alone has nobody to meet: more values are wanted, "
                "--over OPTION=VALUE,VALUE"
            )
        for spec in self.candidates:
            check_agent(spec, game)

    def play(self) -> str:
        """The spec of the winner; pairings that were played before are not played again."""
        self.check()
        self.pairings.clear()
        self._began = time.perf_counter()
        stream, left = Stream(derive(self.seed, "draw")), list(self.candidates)
        field = [left.pop(stream.below(len(left))) for _ in self.candidates]
        number = 0
        while len(field) > 1:
            number += 1
            bye = field[-1:] if len(field) % 2 else []
            field = [pairing.winner for pairing in self._round(number, field)] + bye
        self.store.finish_run(self.run)
        return field[0]

    def _round(self, number: int, field: Sequence[str]) -> Iterator[Pairing]:
        for k in range(len(field) // 2):
            pairing = self._pairing(number, k + 1, (field[2 * k], field[2 * k + 1]))
            self.pairings.append(pairing)
            yield pairing

    def _pairing(self, number: int, place: int, specs: tuple[str, str]) -> Pairing:
        name = f"round {number}, pairing {place}"
        seed = derive(self.seed, "pairing", number, place)  # deals of its own
        cell = Cell(name, self.game, specs, self.games, seed)

        def step(games: int, finished: Pairing | None = None) -> None:
            left = self._left(games / self.games)
            self.tell(PairingProgress(cell, len(self.pairings), self.total, games, left, finished))

        kept = self._archive.find(cell, renew=True)
        if kept is not None:
            return _judged(number, kept, new=False)
        step(0)
        played = self._archive.play(cell, self.run, jobs=self.jobs, progress=lambda n, _: step(n))
        pairing = _judged(number, played, new=True)
        step(self.games, pairing)
        return pairing

    def _left(self, part: float) -> float | None:
        """Seconds to go, where so much of a pairing is done beside those that are finished."""
        new = part + sum(pairing.new for pairing in self.pairings)
        used = time.perf_counter() - self._began
        return (self.total - len(self.pairings) - part) / new * used if new else None


def _judged(number: int, outcome: CellResult, *, new: bool) -> Pairing:
    one, two = outcome.result.agents
    won = one.wins + one.draws / 2, two.wins + two.draws / 2
    return Pairing(number, (one.spec, two.spec), won, new)
