"""What a paper is here: tables and figures, each the cells that it is made of and its page."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeVar, get_args

from facedown.core.errors import SpecError
from facedown.papers.cells import Cell, CellResult
from facedown.papers.verdict import Claim

K = TypeVar("K", bound=Hashable)

Scale = Literal["quick", "standard", "full"]
SCALES: tuple[Scale, ...] = get_args(Scale)
QUICK_GAMES, QUICK_ITERATIONS = 20, 500


@dataclass(frozen=True)
class RunBudget:
    """How much is played: games a cell, iterations a move (0: nobody searches), the seed.

    `folder` is where results lie, for papers that take a file of the user's own from there.
    """

    games: int
    iterations: int
    seed: int
    folder: Path | None = field(default=None, compare=False)

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

    def covers(self, other: RunBudget) -> bool:
        """Whether this is at least as much as another, whatever the seed."""
        return self.games >= other.games and self.iterations >= other.iterations


@dataclass(frozen=True)
class Page:
    """What a table or figure shows: Markdown below its heading, and a picture where it has one.

    `claims` are the comparisons with what was published.
    """

    body: str
    draw: Callable[[Path], None] | None = None
    claims: Sequence[Claim] = ()

    @classmethod
    def of(
        cls,
        *parts: str,
        draw: Callable[[Path], None] | None = None,
        claims: Iterable[Claim | None] = (),
    ) -> Page:
        """A page of paragraphs and tables."""
        return cls("\n\n".join(parts), draw, [claim for claim in claims if claim is not None])


@dataclass(frozen=True)
class Found:
    """What came of a table's or figure's cells, in their order."""

    budget: RunBudget
    outcomes: Sequence[CellResult]

    def by(self, keys: Iterable[K]) -> dict[K, CellResult]:
        """The outcomes by the keys that the cells were made from."""
        return dict(zip(keys, self.outcomes, strict=True))


Cells = Callable[[RunBudget], list[Cell]]
Maker = Callable[[Found], Page]


@dataclass(frozen=True)
class Exhibit:
    """A table or a figure: what it shows, the cells of a budget, the page of what came of them.

    Neither plays anything. `games` and `iterations` are those of the scale `standard`; `iterations`
    is None where nobody searches, or where searches have `seconds` a move in place of them. `quick`
    are the games of a quick run; `full` games and iterations as the paper has them, where they are
    known to be more. `because` says why what differs from the paper does, where that is known.
    """

    name: str
    title: str
    cells: Cells
    page: Maker
    games: int
    iterations: int | None
    quick: int
    seconds: float | None
    full: tuple[int, int] | None
    because: str

    @property
    def searches(self) -> bool:
        """Whether anybody searches, so that games take their time."""
        return self.iterations is not None or self.seconds is not None

    @property
    def costly(self) -> bool:
        """Whether a game takes its time: somebody searches, or a quick run has few games."""
        return self.searches or self.quick <= QUICK_GAMES

    def at(self, scale: Scale, seed: int = 1) -> RunBudget:
        """The budget of a scale."""
        searches = self.iterations or 0
        if scale == "quick":
            return RunBudget(min(self.quick, self.games), min(searches, QUICK_ITERATIONS), seed)
        if scale == "full" and self.full is not None:
            return RunBudget(self.full[0], self.full[1] if searches else 0, seed)
        return RunBudget(self.games, searches, seed)

    def scale(self, budget: RunBudget) -> Scale | None:
        """The largest scale that a budget amounts to, if it does to any."""
        return next((one for one in reversed(SCALES) if budget.covers(self.at(one))), None)

    def budget(
        self, games: int | None, iterations: int | None, seed: int, scale: Scale = "standard"
    ) -> RunBudget:
        """The budget with what the user asks for; SpecError where that cannot be meant."""
        for word, number in (("games", games), ("iterations", iterations)):
            if number is not None and number < 1:
                raise SpecError(f"{word} is {number}; at least 1 is wanted")
        if iterations is not None and self.iterations is None:
            why = f"{self.seconds:g} s is what a move has" if self.searches else "nobody searches"
            raise SpecError(f"{why} in {self.name}: iterations mean nothing there")
        usual = self.at(scale, seed)
        return RunBudget(games or usual.games, iterations or usual.iterations, seed)


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
        cells: Cells,
        *,
        games: int,
        iterations: int | None,
        quick: int = QUICK_GAMES,
        seconds: float | None = None,
        full: tuple[int, int] | None = None,
        because: str = "",
    ) -> Callable[[Maker], Maker]:
        """Decorate the function that makes the page of a table or figure from its `cells`."""

        def register(page: Maker) -> Maker:
            self.exhibits[name] = Exhibit(
                name, title, cells, page, games, iterations, quick, seconds, full, because
            )
            return page

        return register

    def find(self, name: str) -> list[Exhibit]:
        """The table or figure of this name, or `all`; SpecError lists what there is."""
        if name == "all":
            return list(self.exhibits.values())
        if name not in self.exhibits:
            known = ", ".join(self.exhibits)
            raise SpecError(f"{self.name} has no {name!r}; it has {known}, and all")
        return [self.exhibits[name]]


def parse_scale(text: str) -> Scale:
    """A scale by its name; SpecError lists what there is.

    >>> parse_scale("full")
    'full'
    """
    for scale in SCALES:
        if text == scale:
            return scale
    raise SpecError(f"scale is {text!r}; {', '.join(SCALES[:-1])} or {SCALES[-1]} is wanted")
