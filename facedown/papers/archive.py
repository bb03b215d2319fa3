"""Where cells are played and found again: the store, and the files beside the pages.

A cell is a match of the store, the same that `facedown match` would play, so it goes on where it
was stopped, and what one table has played another need not. What is measured is read from its
records and kept with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from facedown.papers.cells import (
    PAIR_MATCHES,
    Cell,
    CellResult,
    Games,
    cell_revision,
    measured_by,
)
from facedown.papers.lines import ResultFiles

if TYPE_CHECKING:
    from facedown.arena.results import MatchResult
    from facedown.store.kept import Kept
    from facedown.store.store import Ask, Store

KIND = "paper"
"""Of the runs in the store."""


@dataclass
class Archive:
    """What was played of cells, and the place to play more."""

    store: Store
    files: ResultFiles | None = None
    kind: str = KIND
    _revisions: dict[tuple[str, tuple[str, ...]], str] = field(default_factory=dict)

    def revision(self, cell: Cell) -> str:
        """Of the code as it is now."""
        return cell_revision(self._match_revision(cell), measured_by(cell.measure))

    def _match_revision(self, cell: Cell) -> str:
        key = cell.game, cell.agents
        if key not in self._revisions:
            self._revisions[key] = self.ask(cell).revision
        return self._revisions[key]

    def find(self, cell: Cell, *, renew: bool = False) -> CellResult | None:
        """What came of a cell: by the code as it is now, or, unless `renew`, by any.

        Of several of another revision the store's is taken before a file's, the last first.
        """
        ask = self.ask(cell)
        kept = self.store.found(ask)
        found = [] if kept is None or not kept.finished else [self._outcome(cell, kept)]
        found += self.files.find(cell) if self.files is not None else []
        now = self.revision(cell)
        for one in found:
            if one.revision == now:
                return one
        return found[0] if found and not renew else None

    def play(
        self, cell: Cell, run: int, *, jobs: int | None = None, progress: Games | None = None
    ) -> CellResult:
        """Play a cell, or what is missing of it, as a match of a run in the store."""
        ask = self.ask(cell)
        kept = self.store.found(ask)
        if kept is None or kept.revision != ask.revision:
            kept = self.store.match(ask, new=True, run=run)
        play_match(cell, kept, jobs, progress)
        self._measure(cell, kept)
        return self._outcome(cell, kept)

    def ask(self, cell: Cell) -> Ask:
        """What to ask the store for."""
        from dataclasses import replace

        from facedown.arena.match import arrange
        from facedown.games.registry import load_game
        from facedown.store.revision import machine, revision
        from facedown.store.store import Ask

        if cell.seats == "rotate":
            fixture = arrange(
                cell.game, cell.agents, cell.games, duplicate=cell.duplicate, clock=cell.clock
            )
            return replace(fixture.ask(cell.seed, self.kind), name=cell.name)
        settings = {k: v for k, v in cell.settings.items() if k not in ("seed", "measure")}
        if cell.seats == "pairs":
            settings["matches"] = PAIR_MATCHES
        now = revision(load_game(cell.game), cell.agents or ("random",))
        games = 0 if cell.seats == "fixed" else cell.games  # those have no records
        return Ask(self.kind, cell.name, cell.game, settings, games, now, cell.seed, machine())

    def _measure(self, cell: Cell, kept: Kept) -> None:
        """Take the cell's numbers from the match's records, unless that was done, and keep them."""
        if cell.measure is None or cell.measured is None:
            return
        by = measured_by(cell.measure)
        if kept.numbers.get(cell.measured, {}).get("by") != by:
            values = dict(cell.measure(kept.records()))
            kept.note(**{cell.measured: {"by": by, "values": values}})

    def _outcome(self, cell: Cell, kept: Kept) -> CellResult:
        """What a finished match tells; what was not measured in it yet is measured."""
        from facedown.arena.results import MatchResult

        numbers: Mapping[str, Any] = {}
        by = ""
        if cell.measured is not None:
            if cell.measured not in kept.numbers:
                self._measure(cell, kept)
            numbers, by = kept.numbers[cell.measured]["values"], kept.numbers[cell.measured]["by"]
        result = MatchResult.from_json(kept.result or {})
        return CellResult(
            cell, result, numbers, kept.finished or "", cell_revision(kept.revision, by)
        )


def play_match(cell: Cell, kept: Kept, jobs: int | None, progress: Games | None) -> MatchResult:
    """The result of a cell's match; what is missing of it is played and kept."""
    from facedown.arena.match import arrange, keep_match
    from facedown.arena.random_play import random_match
    from facedown.learn.people import Gathering
    from facedown.store.kept import Writer

    if cell.seats == "rotate":
        fixture = arrange(
            cell.game, cell.agents, cell.games, duplicate=cell.duplicate, clock=cell.clock,
            jobs=jobs,
        )  # fmt: skip
        return keep_match(fixture, kept, jobs, progress=progress, whole_run=False)
    if cell.seats == "pairs":
        pairs = max(1, cell.games // PAIR_MATCHES)
        return Gathering(cell.game, pairs, PAIR_MATCHES, cell.seed).keep(kept, progress)
    with Writer(kept) as writer:
        result = random_match(cell.game, cell.games, cell.seed, progress=progress)
        writer.finish(result.to_json(), whole_run=False)
    return result
