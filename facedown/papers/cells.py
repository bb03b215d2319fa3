"""Cells: the matches that a table or figure is made of, each played once and kept in a file.

A cell's file appears when its match is done. It holds the settings that decide the match, its
result as `facedown match --json` gives it, and the cell's own numbers. The file's name has a digest
of the settings, so that results of other settings lie beside it and are never mixed up with it.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from facedown.core.errors import SpecError
from facedown.core.files import write_whole

if TYPE_CHECKING:
    from facedown.arena.results import AgentResult, MatchResult
    from facedown.store.records import GameRecord

Games = Callable[[int, int], None]
"""Called with the number of a cell's games done and that of all."""

Measure = Callable[["Iterable[GameRecord]"], Mapping[str, Any]]
"""Named numbers (plain JSON) from the records of a cell's games."""

PAIR_MATCHES = 2
"""Games of each pair of simulated people, where they play each other."""


def plain_name(words: str) -> str:
    """Words as the name of a file or folder.

    >>> plain_name("FPMGA, accuracy 0.85")
    'fpmga-accuracy-0.85'
    """
    return re.sub(r"[^a-z0-9.]+", "-", words.lower()).strip("-")


@dataclass(frozen=True)
class Cell:
    """A match and what is measured in it.

    `name` says in words what the cell is, unlike any other of its table or figure. `agents` are as
    `facedown match` takes them, so any seats can be filled. `seats`: they rotate as in a match, or
    stay `fixed`, for random games that are compiled (`arena.random_play`; `agents` is then empty);
    or `pairs` of simulated people, from number 0 on, play each other `PAIR_MATCHES` games a pair
    (`learn.people.Gathering`). `measure`, a function at the top of a module, takes further numbers
    from the games' records.
    """

    name: str
    game: str
    agents: tuple[str, ...]
    games: int
    seed: int
    duplicate: bool = True
    clock: float | None = None
    seats: Literal["rotate", "fixed", "pairs"] = "rotate"
    measure: Measure | None = field(default=None, compare=False)

    @property
    def settings(self) -> dict[str, Any]:
        """All that decides what is played and measured, as plain JSON."""
        measure = self.measure
        return {
            "game": self.game,
            "agents": list(self.agents),
            "games": self.games,
            "seed": self.seed,
            "duplicate": self.duplicate,
            "clock": self.clock,
            "seats": self.seats,
            "measure": None if measure is None else f"{measure.__module__}.{measure.__qualname__}",
        }

    @property
    def file(self) -> str:
        """The name of the cell's file.

        >>> Cell("so-ismcts against random", "kuhn", ("so-ismcts", "random"), 20, 1).file
        'so-ismcts-against-random.47b7c645.json'
        """
        text = json.dumps(self.settings, sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        return f"{plain_name(self.name)}.{digest}.json"

    @property
    def cost(self) -> float:
        """About how long it takes: iterations, and as many more as a game takes without any."""
        if self.seats == "fixed":
            return float(self.games)
        budgets = re.findall(r"\biterations=([\d_]+)", " ".join(self.agents))
        return self.games * (300.0 + sum(float(budget.replace("_", "")) for budget in budgets))


@dataclass(frozen=True)
class CellResult:
    """A cell that was played: the result of its match, and its own numbers."""

    cell: Cell
    result: MatchResult
    numbers: Mapping[str, Any]
    finished: str  # when, in ISO form

    @property
    def first(self) -> AgentResult:
        """The result of the agent that the cell names first."""
        return self.result.agents[0]


def load(cell: Cell, folder: Path) -> CellResult | None:
    """The outcome of a cell that was played before with the same settings, if there is one.

    Other tables and figures of the paper, in the folders beside this one, may have played the same
    match; where the cell measures nothing itself, whatever they measured.
    """
    own = _read(cell, folder / cell.file)
    if own is not None:
        return own
    others = sorted(folder.parent.glob("*/*.json")) if folder.parent.is_dir() else []
    return next((one for file in others if (one := _lent(cell, file)) is not None), None)


def _lent(cell: Cell, file: Path) -> CellResult | None:
    """The outcome in a file of another table's, which need not be a cell's at all."""
    try:
        return _read(cell, file)
    except SpecError:
        return None


def _fits(settings: Mapping[str, Any], cell: Cell) -> bool:
    """Whether a match with these settings tells all that the cell wants to know."""
    wanted = cell.settings
    if cell.measure is None:
        return {**settings, "measure": None} == wanted
    return settings == wanted


def _read(cell: Cell, file: Path) -> CellResult | None:
    """The outcome in a file, where it is this cell's."""
    from facedown.arena.results import MatchResult

    try:
        plain = json.loads(file.read_text(encoding="utf-8"))
        if not _fits(plain["settings"], cell):
            return None
        result = MatchResult.from_json(plain["result"])
        return CellResult(cell, result, plain["numbers"], plain["finished"])
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SpecError(f"cannot read {file}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise SpecError(f"{file} is not a cell's result; remove it to play the cell anew") from None


def play(
    cell: Cell, folder: Path, *, jobs: int | None = None, progress: Games | None = None
) -> CellResult:
    """Play a cell and write its file into the folder; KeyboardInterrupt leaves no file."""
    from facedown.store.records import version

    result, numbers = _played(cell, folder, jobs, progress)
    finished = datetime.now(UTC).isoformat(timespec="seconds")
    plain = {
        "cell": cell.name,
        "settings": cell.settings,
        "result": result.to_json(),
        "numbers": dict(numbers),
        "facedown": version(),
        "finished": finished,
    }
    write_whole(folder / cell.file, json.dumps(plain, indent=1, allow_nan=False) + "\n")
    return CellResult(cell, result, numbers, finished)


def _played(
    cell: Cell, folder: Path, jobs: int | None, progress: Games | None
) -> tuple[MatchResult, Mapping[str, Any]]:
    from facedown.arena.match import run_match
    from facedown.arena.random_play import random_match
    from facedown.learn.people import Gathering
    from facedown.store.records import read_records

    if cell.seats == "fixed":
        return random_match(cell.game, cell.games, cell.seed, progress=progress), {}

    def match(save: Path | None) -> MatchResult:
        if cell.seats == "pairs":
            pairs = max(1, cell.games // PAIR_MATCHES)
            return Gathering(cell.game, pairs, PAIR_MATCHES, cell.seed).match(save, progress)
        return run_match(
            cell.game,
            cell.agents,
            cell.games,
            cell.seed,
            jobs,
            duplicate=cell.duplicate,
            clock=cell.clock,
            save=save,
            progress=progress,
        )

    if cell.measure is None:
        return match(None), {}
    with tempfile.TemporaryDirectory(prefix=".games-", dir=folder) as scratch:
        file = Path(scratch) / "games.jsonl"
        return match(file), cell.measure(read_records(file))
