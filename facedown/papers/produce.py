"""Plays the cells of a table or figure, and writes its page, its picture and its lines."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from facedown.core.files import make_folder, write_whole
from facedown.papers.archive import Archive
from facedown.papers.cells import EARLIER, Cell, CellResult
from facedown.papers.paper import Exhibit, Found, Page, Paper, RunBudget
from facedown.papers.verdict import verdict


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


@dataclass
class Run:
    """A table or figure in the making: its budget, its folder, where its cells are kept.

    `renew` has cells played anew that another revision of the code has played.
    """

    folder: Path
    paper: Paper
    exhibit: Exhibit
    budget: RunBudget
    archive: Archive
    jobs: int | None = None
    renew: bool = False
    tell: Callable[[CellProgress], None] = lambda step: None
    done: int = 0  # cells
    total: int = 0
    old: int = 0  # cells of another revision than the code's
    outcomes: list[CellResult] = field(default_factory=list)

    @property
    def page(self) -> Path:
        """The Markdown file that is written at the end."""
        return self.folder / f"{self.exhibit.name}.md"

    @property
    def picture(self) -> Path:
        """The PNG file beside it."""
        return self.folder / f"{self.exhibit.name}.png"

    @property
    def heading(self) -> dict[str, Any]:
        """What the exhibit's lines begin with, and its run in the store is known by."""
        return heading_of(self.paper, self.exhibit, self.budget)

    def play(self) -> Found:
        """What came of the cells; what was played before is not played again."""
        budget = replace(self.budget, folder=self.folder)
        wanted = self.exhibit.cells(budget)
        names = [cell.name for cell in wanted]
        if len(set(names)) != len(names):
            raise ValueError(f"cells of {self.exhibit.name} share a name: {names}")
        make_folder(self.folder)  # what cannot be written is better not played
        found = {cell.name: self.archive.find(cell, renew=self.renew) for cell in wanted}
        missing = [cell for cell in wanted if found[cell.name] is None]
        self.done, self.total = len(wanted) - len(missing), len(wanted)
        if missing:
            clock, number = _Clock(sum(cell.cost for cell in missing)), self._number()
            for cell in missing:
                found[cell.name] = outcome = self._play(cell, number, clock)
                self._put_down(outcome)
            self.archive.store.finish_run(number)
        self.outcomes = [one for cell in wanted if (one := found[cell.name]) is not None]
        self.old = sum(one.revision != self.archive.revision(one.cell) for one in self.outcomes)
        return Found(budget, self.outcomes)

    def _put_down(self, outcome: CellResult) -> None:
        """A finished cell into the lines, which another machine goes on from without the store.

        Who reads them goes by what stood there before until the table is whole.
        """
        if self.archive.files is not None:
            lines = self.archive.files.lines(self.exhibit.name)
            lines.keep(lines.heading or self.heading, [outcome])

    def _number(self) -> int:
        """The run in the store that the cells are matches of: one begun before, or a new one."""
        store, settings = self.archive.store, self.heading
        known = store.find_run(self.archive.kind, settings)
        if known is not None:
            return known
        name = f"{self.paper.name} {self.exhibit.name}"
        return store.begin_run(self.archive.kind, name, settings, self.budget.seed)

    def _play(self, cell: Cell, number: int, clock: _Clock) -> CellResult:
        def step(games: int, outcome: CellResult | None = None) -> None:
            used, left = clock.read(cell.cost * games / cell.games)
            self.tell(CellProgress(cell, self.done, self.total, used, left, games, outcome))

        step(0)
        outcome = self.archive.play(
            cell, number, jobs=self.jobs, progress=lambda games, _: step(games)
        )
        self.done += 1
        step(cell.games, outcome)
        clock.done += cell.cost
        return outcome


def heading_of(paper: Paper, exhibit: Exhibit, budget: RunBudget) -> dict[str, Any]:
    """A table or figure and its budget, as plain JSON."""
    return {
        "paper": paper.name,
        "exhibit": exhibit.name,
        "games": budget.games,
        "iterations": budget.iterations,
        "seed": budget.seed,
    }


class _Clock:
    """Time used, and time left where it goes on at the same pace."""

    def __init__(self, cost: float) -> None:
        self._cost, self.done = cost, 0.0
        self._began = time.perf_counter()

    def read(self, part: float) -> tuple[float, float | None]:
        """Seconds used and left, where so much of the cell that is being played is done."""
        used, done = time.perf_counter() - self._began, self.done + part
        return used, (self._cost - done) / done * used if done else None


def produce(run: Run) -> Page:
    """Play what is missing, write `NAME.md`, `NAME.jsonl` and, where there is one, `NAME.png`.

    The page is written before the picture is drawn: MissingPlotsError leaves all but the picture.
    """
    found = run.play()
    page = run.exhibit.page(found)
    if run.archive.files is not None:
        run.archive.files.lines(run.exhibit.name).keep(run.heading, found.outcomes)
    write_whole(run.page, page_text(run.paper, run.exhibit, found, page))
    if page.draw is not None:
        page.draw(run.picture)
    return page


def page_text(paper: Paper, exhibit: Exhibit, found: Found, page: Page) -> str:
    """The page in Markdown: where it comes from, what it took, what came out."""
    budget = found.budget
    searches = f", {budget.iterations:,} iterations a move" if budget.iterations else ""
    if exhibit.seconds is not None:
        searches = f", {exhibit.seconds:g} s a move"
    flags = f"--games {budget.games} --seed {budget.seed}"
    if budget.iterations:
        flags += f" --iterations {budget.iterations}"
    parts = [
        f"# {paper.name}, {exhibit.name}: {exhibit.title}",
        f"{paper.source}.",
        f"**Verdict**: {verdict(page.claims, exhibit.because)}",
        f"Budget: {budget.games:,} games a cell{searches}; seed {budget.seed}; measured "
        f"{dates(found.outcomes)} by {revisions_text(found.outcomes)}. "
        f"Again: `facedown paper {paper.name} {exhibit.name} {flags}`",
        page.body,
    ]
    if page.draw is not None:
        parts.append(f"![{exhibit.title}]({exhibit.name}.png)")
    return "\n\n".join(parts) + "\n"


def dates(outcomes: Sequence[CellResult]) -> str:
    """When the cells were played, in words."""
    days = sorted({one.finished[:10] for one in outcomes})
    return f"on {days[0]}" if len(days) == 1 else f"from {days[0]} to {days[-1]}"


def revisions_text(outcomes: Sequence[CellResult]) -> str:
    """By which revisions of the code, in words; a game has a revision of its own."""
    known = sorted({one.revision for one in outcomes} - {EARLIER})
    old = sum(one.revision == EARLIER for one in outcomes)
    words = []
    if old:
        all_ = "" if old == len(outcomes) else f" ({old} of {len(outcomes)} cells)"
        words.append(f"earlier code, whose revision was not kept{all_}")
    if len(known) > 3:
        words.append(f"{len(known)} revisions of the code, from {known[0]} to {known[-1]}")
    elif known:
        words.append(f"revision {', '.join(known)} of the code")
    return " and by ".join(words)
