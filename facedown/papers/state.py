"""How far each table and figure has come, from what is kept; nothing is played for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from facedown.papers.archive import KIND
from facedown.papers.cells import CellResult
from facedown.papers.lines import ResultFiles
from facedown.papers.paper import Exhibit, Found, Paper, RunBudget
from facedown.papers.produce import heading_of
from facedown.papers.verdict import plain

if TYPE_CHECKING:
    from facedown.store.store import Store

MISSING, OTHER = "missing", "less"
"""States beside the scales: nothing is there; less than a quick run is."""


@dataclass(frozen=True)
class State:
    """The largest scale that what is kept of an exhibit amounts to, with its budget."""

    paper: Paper
    exhibit: Exhibit
    name: str = MISSING  # a scale, or one of the above
    budget: RunBudget | None = None
    revisions: tuple[str, ...] = ()
    day: str = ""
    verdict: str = ""
    found: Found | None = None  # where the cells are in files

    @property
    def revision(self) -> str:
        """The revisions in short."""
        short = [one[:8] for one in self.revisions]
        return f"{len(short)} revisions" if len(short) > 2 else ", ".join(short)

    @property
    def rank(self) -> tuple[int, int, str]:
        """What is more, or as much and later, is higher."""
        from facedown.papers.paper import SCALES

        known: list[str] = [MISSING, OTHER, *SCALES]
        return known.index(self.name), self.budget.games if self.budget else 0, self.day

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        budget = None
        if self.budget is not None:
            budget = heading_of(self.paper, self.exhibit, self.budget)
        return {
            "paper": self.paper.name,
            "exhibit": self.exhibit.name,
            "title": self.exhibit.title,
            "state": self.name,
            "budget": budget,
            "revisions": list(self.revisions),
            "finished": self.day or None,
            "verdict": self.verdict or None,
        }


def state_of(paper: Paper, exhibit: Exhibit, folders: Iterable[Path], store: Store | None) -> State:
    """The state of a table or figure, by the files in folders of results and by the store."""
    kept = [State(paper, exhibit)]
    for folder in folders:
        kept += _in_files(paper, exhibit, ResultFiles(folder / paper.name))
    if store is not None:
        kept += _in_store(paper, exhibit, store)
    return max(kept, key=lambda state: state.rank)


def _in_files(paper: Paper, exhibit: Exhibit, files: ResultFiles) -> Iterator[State]:
    """What the heading of its file says, where all cells are there."""
    budget = budget_of(files.lines(exhibit.name).heading)
    if budget is None:
        return
    budget = replace(budget, folder=files.folder)
    known = [files.find(cell) for cell in exhibit.cells(budget)]
    if all(known):
        outcomes = [some[0] for some in known]
        yield _state(paper, exhibit, budget, outcomes)


def _state(paper: Paper, exhibit: Exhibit, budget: RunBudget, outcomes: list[CellResult]) -> State:
    found = Found(budget, outcomes)
    revisions = tuple(sorted({one.revision for one in outcomes}))
    day = max(one.finished for one in outcomes)[:10]
    word = plain(exhibit.page(found).claims)
    name = exhibit.scale(budget) or OTHER
    return State(paper, exhibit, name, budget, revisions, day, word, found)


def _in_store(paper: Paper, exhibit: Exhibit, store: Store) -> Iterator[State]:
    """Its finished runs; what they come to is on the page that they wrote."""
    for run in store.runs_of(KIND, f"{paper.name} {exhibit.name}"):
        budget = budget_of(run.settings)
        if run.finished and budget is not None:
            name = exhibit.scale(budget) or OTHER
            yield State(paper, exhibit, name, budget, run.revisions, run.finished[:10])


def budget_of(heading: Mapping[str, Any]) -> RunBudget | None:
    """The budget that a heading tells; None where it is none."""
    try:
        games, iterations, seed = (int(heading[name]) for name in ("games", "iterations", "seed"))
    except (KeyError, TypeError, ValueError):
        return None
    return RunBudget(games, iterations, seed) if games > 0 and iterations >= 0 else None
