"""The file of a table or figure: one JSON object a line, a heading and then a line for each cell.

The heading says which budget the page beside it shows. A cell's line has its settings, its result
as `facedown match --json` gives it, its own numbers, the revision of the code that decides them,
and when it was finished. Cells of other budgets are kept behind those of the page.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from facedown.core.errors import SpecError
from facedown.core.files import write_whole
from facedown.papers.cells import EARLIER, Cell, CellResult, match_key

SUFFIX = ".jsonl"
_WRONG = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


@dataclass
class Lines:
    """What a file holds; a file that is not there holds nothing."""

    file: Path
    heading: dict[str, Any] = field(default_factory=dict)
    entries: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def read(cls, file: Path) -> Lines:
        """The lines of a file; SpecError says which one is none."""
        try:
            texts = file.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return cls(file)
        except OSError as error:
            raise SpecError(f"cannot read {file}: {error.strerror}") from None
        except UnicodeDecodeError:
            raise SpecError(f"{file} is not a file of cells: no UTF-8") from None
        found = cls(file)
        for number, text in enumerate(texts, 1):
            try:
                found._take(json.loads(text))
            except _WRONG:
                raise SpecError(f"{file}, line {number}, is no cell; it is left as it is") from None
        return found

    def _take(self, plain: dict[str, Any]) -> None:
        if "exhibit" in plain:
            self.heading = plain
            return
        match_key(plain["settings"])
        for name, kind in (("cell", str), ("result", dict), ("numbers", dict), ("finished", str)):
            if not isinstance(plain[name], kind):
                raise TypeError(name)
        self.entries.append(plain)

    def write(self) -> None:
        """The file anew: whole, or as it was."""
        lines = [self.heading, *self.entries]
        texts = (json.dumps(one, allow_nan=False, separators=(",", ":")) for one in lines)
        write_whole(self.file, "".join(f"{text}\n" for text in texts))

    def keep(self, heading: Mapping[str, Any], outcomes: Iterable[CellResult]) -> None:
        """Take these in first, in place of what is there of the same settings; and write."""
        there = {_whole_key(entry): entry for entry in self.entries}
        mine = []
        for fresh in map(entry_of, outcomes):
            old = there.get(_whole_key(fresh), {})
            same = all(old.get(name) == fresh[name] for name in ("result", "numbers", "revision"))
            mine.append(old if same else fresh)
        taken = {_whole_key(entry) for entry in mine}
        rest = [entry for entry in self.entries if _whole_key(entry) not in taken]
        if (self.heading, self.entries) != (dict(heading), [*mine, *rest]):
            self.heading, self.entries = dict(heading), [*mine, *rest]
            self.write()


def entry_of(outcome: CellResult) -> dict[str, Any]:
    """An outcome as a line has it."""
    return {
        "cell": outcome.cell.name,
        "settings": outcome.cell.settings,
        "result": outcome.result.to_json(),
        "numbers": dict(outcome.numbers),
        "revision": outcome.revision,
        "finished": outcome.finished,
    }


def _whole_key(entry: Mapping[str, Any]) -> str:
    return json.dumps(entry["settings"], sort_keys=True)


class ResultFiles:
    """The files of all tables and figures of a paper, in one folder: they lend each other cells."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._by_key: dict[str, list[dict[str, Any]]] | None = None

    def lines(self, exhibit: str) -> Lines:
        """The file of one."""
        return Lines.read(self.folder / f"{exhibit}{SUFFIX}")

    def find(self, cell: Cell) -> list[CellResult]:
        """What there is of a cell.

        Where it measures nothing itself, whatever others have measured in the same match.
        """
        if self._by_key is None:
            self._by_key = self._read()
        there = self._by_key.get(cell.key, [])
        fitting = [
            entry for entry in there if cell.measure is None
            or entry["settings"]["measure"] == cell.measured
        ]  # fmt: skip
        return [outcome_of(cell, entry) for entry in fitting]

    def _read(self) -> dict[str, list[dict[str, Any]]]:
        found: dict[str, list[dict[str, Any]]] = {}
        files = sorted(self.folder.glob(f"*{SUFFIX}")) if self.folder.is_dir() else []
        for file in files:
            for entry in Lines.read(file).entries:
                found.setdefault(match_key(entry["settings"]), []).append(entry)
        for file in self.folder.glob("*/*.json") if self.folder.is_dir() else []:
            for entry in _single(file):
                found.setdefault(match_key(entry["settings"]), []).append(entry)
        return found


def _single(file: Path) -> list[dict[str, Any]]:
    """The cell in a file of its own, as earlier versions kept them; nothing of what is none."""
    taken = Lines(file)
    try:
        taken._take(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, *_WRONG):
        return []
    return taken.entries


def outcome_of(cell: Cell, entry: Mapping[str, Any]) -> CellResult:
    """The outcome that a line tells, as that of a cell."""
    from facedown.arena.results import MatchResult

    try:
        result = MatchResult.from_json(entry["result"])
    except _WRONG:
        raise SpecError(f"the kept result of {cell.name!r} is none") from None
    revision = str(entry.get("revision", EARLIER))
    return CellResult(cell, result, entry["numbers"], entry["finished"], revision)


def complete(cells: Sequence[Cell], files: ResultFiles) -> bool:
    """Whether all of these cells are there."""
    return all(files.find(cell) for cell in cells)
