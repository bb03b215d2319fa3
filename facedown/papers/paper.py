"""What a paper is here: tables and figures, each a function that runs it and shows the result."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from facedown.core.errors import SpecError
from facedown.core.files import make_folder
from facedown.papers import cells
from facedown.papers.cells import Cell, CellResult

QUICK_GAMES, QUICK_ITERATIONS = 2, 50


@dataclass(frozen=True)
class RunBudget:
    """How much is played: games a cell, iterations a move (0: nobody searches), the seed."""

    games: int
    iterations: int
    seed: int

    def sweep(self, shares: Sequence[float]) -> list[int]:
        """Iterations as shares of the budget's, each at least 1 and all different.

        >>> RunBudget(10, 1000, 1).sweep((0.0001, 0.0002, 0.5, 2.0))
        [1, 500, 2000]
        """
        return sorted({max(1, round(self.iterations * share)) for share in shares})

    def note(self, searches: bool = True) -> str:
        """The budget in words, for a picture; without iterations where a figure sweeps them."""
        iterations = f", {self.iterations:,} iterations a move" if searches else ""
        return f"{self.games:,} games each{iterations}, seed {self.seed}"


@dataclass(frozen=True)
class CellProgress:
    """How far a table or figure has come; seconds are estimated from the cells played so far."""

    cell: Cell
    done: int  # cells
    total: int
    seconds: float  # used
    left: float | None  # None as long as nobody can say
    games: int = 0  # of the cell that is being played
    outcome: CellResult | None = None  # of the cell that has just been finished


@dataclass(frozen=True)
class Page:
    """What a table or figure shows: Markdown below its heading, and a picture where it has one."""

    body: str
    draw: Callable[[Path], None] | None = None

    @classmethod
    def of(cls, *parts: str, draw: Callable[[Path], None] | None = None) -> Page:
        """A page of paragraphs and tables."""
        return cls("\n\n".join(parts), draw)


Maker = Callable[["Run"], Page]


@dataclass(frozen=True)
class Exhibit:
    """A table or a figure: what it shows, its budget unless told otherwise, how it is made.

    `iterations` is None where nobody searches, or where searches have `seconds` a move in place of
    them. `quick` are the games of a quick run.
    """

    name: str
    title: str
    games: int
    iterations: int | None
    make: Maker
    quick: int = QUICK_GAMES
    seconds: float | None = None

    @property
    def searches(self) -> bool:
        """Whether anybody searches, so that games take their time."""
        return self.iterations is not None or self.seconds is not None

    @property
    def costly(self) -> bool:
        """Whether a game takes its time: somebody searches, or a quick run has few games."""
        return self.searches or self.quick <= QUICK_GAMES

    def budget(
        self, games: int | None, iterations: int | None, seed: int, quick: bool
    ) -> RunBudget:
        """The budget with what the user asks for; SpecError where that cannot be meant."""
        for word, number in (("games", games), ("iterations", iterations)):
            if number is not None and number < 1:
                raise SpecError(f"{word} is {number}; at least 1 is wanted")
        if iterations is not None and self.iterations is None:
            why = f"{self.seconds:g} s is what a move has" if self.searches else "nobody searches"
            raise SpecError(f"{why} in {self.name}: iterations mean nothing there")
        usual = (self.quick, QUICK_ITERATIONS) if quick else (self.games, self.iterations or 0)
        searches = (iterations or usual[1]) if self.iterations is not None else 0
        return RunBudget(games or usual[0], searches, seed)


@dataclass
class Paper:
    """A paper: who wrote it, and its tables and figures in their order."""

    name: str
    source: str
    exhibits: dict[str, Exhibit] = field(default_factory=dict)

    def exhibit(
        self,
        name: str,
        title: str,
        *,
        games: int,
        iterations: int | None,
        quick: int = QUICK_GAMES,
        seconds: float | None = None,
    ) -> Callable[[Maker], Maker]:
        """Decorate the function that makes a table or figure."""

        def register(make: Maker) -> Maker:
            self.exhibits[name] = Exhibit(name, title, games, iterations, make, quick, seconds)
            return make

        return register

    def find(self, name: str) -> list[Exhibit]:
        """The table or figure of this name, or `all`; SpecError lists what there is."""
        if name == "all":
            return list(self.exhibits.values())
        if name not in self.exhibits:
            known = ", ".join(self.exhibits)
            raise SpecError(f"{self.name} has no {name!r}; it has {known}, and all")
        return [self.exhibits[name]]


@dataclass
class Run:
    """A table or figure in the making: its budget, its folder, how to play its cells."""

    folder: Path
    paper: Paper
    exhibit: Exhibit
    budget: RunBudget
    jobs: int | None = None
    tell: Callable[[CellProgress], None] = lambda step: None
    done: int = 0  # cells
    total: int = 0
    days: set[str] = field(default_factory=set)  # on which the cells were finished

    @property
    def page(self) -> Path:
        """The Markdown file that is written at the end."""
        return self.folder / f"{self.exhibit.name}.md"

    @property
    def picture(self) -> Path:
        """The PNG file beside it."""
        return self.folder / f"{self.exhibit.name}.png"

    @property
    def dates(self) -> str:
        """When the cells were played, in words."""
        days = sorted(self.days)
        return f"on {days[0]}" if len(days) == 1 else f"from {days[0]} to {days[-1]}"

    def play(self, wanted: Sequence[Cell]) -> list[CellResult]:
        """The outcomes of the cells, in their order; what was played before is not played again."""
        names = [cell.name for cell in wanted]
        if len(set(names)) != len(names):
            raise ValueError(f"cells of {self.exhibit.name} share a name: {names}")
        place = self.folder / self.exhibit.name
        make_folder(place)  # what cannot be kept is better not played
        found = {cell.name: cells.load(cell, place) for cell in wanted}
        missing = [cell for cell in wanted if found[cell.name] is None]
        self.done, self.total = len(wanted) - len(missing), len(wanted)
        clock = _Clock(sum(cell.cost for cell in missing))
        for cell in missing:
            found[cell.name] = self._play(cell, place, clock)
        outcomes = [outcome for cell in wanted if (outcome := found[cell.name]) is not None]
        self.days |= {outcome.finished[:10] for outcome in outcomes}
        return outcomes

    def _play(self, cell: Cell, place: Path, clock: _Clock) -> CellResult:
        def step(games: int, outcome: CellResult | None = None) -> None:
            used, left = clock.read(cell.cost * games / cell.games)
            self.tell(CellProgress(cell, self.done, self.total, used, left, games, outcome))

        step(0)
        outcome = cells.play(cell, place, jobs=self.jobs, progress=lambda games, _: step(games))
        self.done += 1
        step(cell.games, outcome)
        clock.done += cell.cost
        return outcome


class _Clock:
    """Time used, and time left where it goes on at the same pace."""

    def __init__(self, cost: float) -> None:
        self._cost, self.done = cost, 0.0
        self._began = time.perf_counter()

    def read(self, part: float) -> tuple[float, float | None]:
        """Seconds used and left, where so much of the cell that is being played is done."""
        used, done = time.perf_counter() - self._began, self.done + part
        return used, (self._cost - done) / done * used if done else None
