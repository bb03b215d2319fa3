"""Recorded games: one versioned, plain form, JSON lines, one object a game.

| field | what it is |
|---|---|
| `format`, `facedown` | version of this form; version of the program that played |
| `game`, `seed`, `number` | spec of the game; seed of the run; number of the game in it, from 0 |
| `deal`, `deal_seed`, `rotation` | which deal, the seed of its chance, how far the seats turned |
| `agents`, `cheats` | by player: the agent's spec, whether it was handed the truth |
| `moves` | `player` (a number or "chance"), `move`, `text`, `seconds`, `summary` if there is one |
| `payoffs` | by player |
| `forfeits` | `player`, `reason`: who lost the game other than by the rules |
| `assisted` | whether a human player took hints or took moves back |
| `consent` | whether a human player agreed that the game be learnt from; false if it is missing |
| `started` | when, in ISO form |
"""

from __future__ import annotations

import errno
import json
import math
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from facedown.core import CHANCE, SpecError
from facedown.core.files import NewFile, lock, unhurried
from facedown.shown import clipped

FORMAT = 1
HUMAN = "human"
"""What a record calls a person, who has no name there."""


class RecordError(SpecError):
    """A file of records, or a record, that cannot be used; says where and why."""


@dataclass(frozen=True)
class MoveRecord:
    """One move: who played it (CHANCE is a player here), which, how long it took."""

    player: int
    move: int
    text: str
    seconds: float = 0.0
    summary: dict[str, Any] | None = None


@dataclass(frozen=True)
class Forfeit:
    """A player whose agent lost the game other than by the rules, and why."""

    player: int
    reason: str


@cache
def version() -> str:
    """The version of facedown that is running."""
    try:
        return metadata.version("facedown")
    except metadata.PackageNotFoundError:
        return "unknown"


@dataclass(frozen=True)
class GameRecord:
    """A finished game, as the module's docstring lists it."""

    game: str
    seed: int
    number: int
    deal: int
    deal_seed: int
    rotation: int
    agents: tuple[str, ...]
    cheats: tuple[bool, ...]
    moves: tuple[MoveRecord, ...]
    payoffs: tuple[float, ...]
    forfeits: tuple[Forfeit, ...] = ()
    assisted: bool = False
    consent: bool = False
    started: str = ""
    facedown: str = field(default_factory=version)
    format: int = FORMAT

    def to_json(self) -> dict[str, Any]:
        """The record as plain JSON."""
        plain = {name: getattr(self, name) for name in _FIELDS}
        plain["moves"] = [_move_to_json(move) for move in self.moves]
        plain["forfeits"] = [vars(forfeit) for forfeit in self.forfeits]
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in plain.items()
        }


MOST_CHARACTERS = 1 << 26
"""Of a game's line in a file: more than any game comes to, and a line without end has more."""

_FIELDS: dict[str, type] = {
    "format": int,
    "facedown": str,
    "game": str,
    "seed": int,
    "number": int,
    "deal": int,
    "deal_seed": int,
    "rotation": int,
    "agents": list,
    "cheats": list,
    "moves": list,
    "payoffs": list,
    "forfeits": list,
    "assisted": bool,
    "consent": bool,
    "started": str,
}
_KINDS = {int: "a whole number", float: "a number", str: "text", list: "a list", bool: "true/false"}


def _move_to_json(move: MoveRecord) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "player": "chance" if move.player == CHANCE else move.player,
        "move": move.move,
        "text": move.text,
        "seconds": round(move.seconds, 6),
    }
    return plain if move.summary is None else {**plain, "summary": move.summary}


def from_json(plain: Any) -> GameRecord:
    """The record that `to_json` gave; RecordError says what is missing or wrong."""
    if not isinstance(plain, dict):
        raise RecordError("a record is a JSON object")
    number = plain.get("format")
    if number != FORMAT:
        known, said = f"this version of facedown reads {FORMAT}", clipped(repr(number), 60)
        raise RecordError(f"format is {said}; {known}" if number else f"no format; {known}")
    plain = {"consent": False, **plain}
    given = {name: _take(plain, name, kind) for name, kind in _FIELDS.items()}
    given["agents"] = tuple(_items(given["agents"], "agents", str))
    given["cheats"] = tuple(_items(given["cheats"], "cheats", bool))
    given["payoffs"] = tuple(float(pay) for pay in _items(given["payoffs"], "payoffs", float))
    given["moves"] = tuple(map(_move_from_json, _items(given["moves"], "moves", dict)))
    given["forfeits"] = tuple(
        Forfeit(_take(item, "player", int), _take(item, "reason", str))
        for item in _items(given["forfeits"], "forfeits", dict)
    )
    for name in ("number", "deal", "deal_seed", "rotation"):
        if not 0 <= given[name] < 1 << (64 if name == "deal_seed" else 63):
            raise RecordError(f"{name} is {given[name]}; a number from 0 on is wanted")
    if len(given["cheats"]) != len(given["agents"]):
        raise RecordError(f"cheats has {len(given['cheats'])} items, one for each agent is wanted")
    return GameRecord(**given)


def _move_from_json(plain: dict[str, Any]) -> MoveRecord:
    chance = plain.get("player") == "chance"
    return MoveRecord(
        CHANCE if chance else _take(plain, "player", int),
        _take(plain, "move", int),
        _take(plain, "text", str),
        float(_take(plain, "seconds", float)),
        _take(plain, "summary", dict) if "summary" in plain else None,
    )


def _fits(value: Any, kind: type) -> bool:
    if kind in (int, float) and isinstance(value, int):
        return not isinstance(value, bool) and abs(value) < 1 << 64
    if kind is float:
        return isinstance(value, float) and math.isfinite(value)
    return isinstance(value, kind)


def _take(plain: dict[str, Any], name: str, kind: type) -> Any:
    if name not in plain:
        raise RecordError(f"no {name}")
    if not _fits(plain[name], kind):
        given = clipped(repr(plain[name]), 120)
        raise RecordError(f"{name} is {given}; {_KINDS.get(kind, 'an object')} is wanted")
    return plain[name]


def _items(values: list[Any], name: str, kind: type) -> list[Any]:
    for value in values:
        if not _fits(value, kind):
            wanted = _KINDS.get(kind, "an object")
            raise RecordError(f"{name} has {clipped(repr(value), 120)}; {wanted} is wanted")
    return values


def line_of(plain: dict[str, Any]) -> str:
    """A record as a line of JSON."""
    return json.dumps(plain, ensure_ascii=False, allow_nan=False) + "\n"


class RecordFile:
    """A file of records that is being written; it appears at its name only once it is whole.

    SpecError refuses a place where something is already, unless a regular file is to be written
    over (`overwrite`), and where nothing can be written. Lines go to a hidden file beside it. On
    leaving the `with` block, also by an error or Ctrl-C, they are synced to disk and the file gets
    its name in one step. A full disk ends it after the last game that it has space for. A block
    that wrote nothing leaves what there was.
    """

    def __init__(self, path: str | Path, *, overwrite: bool = False) -> None:
        self._place = NewFile(path, overwrite=overwrite)
        self.path, self._count, self._length = self._place.given, 0, 0
        try:
            self._file = self._place.part.open("wb", buffering=0)
        except OSError as error:
            raise SpecError(f"cannot write {path}: {error.strerror}") from None

    def add(self, record: GameRecord) -> None:
        """Append one game."""
        try:
            self._length += _append(self._file, line_of(record.to_json()), self._length)
        except OSError as error:
            kept = f"; it has the {self._count} games before" if self._count else ""
            raise SpecError(f"cannot write {self.path}: {error.strerror}{kept}") from None
        self._count += 1

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            with self._file:
                os.fsync(self._file.fileno())
            if self._count:
                self.path = self._place.place()
        except OSError as failed:
            raise SpecError(f"cannot write {self.path}: {failed.strerror}") from None
        finally:
            self._place.drop()


def _append(file: IO[bytes], line: str, length: int) -> int:
    """Add a whole line to a file of this length, or nothing of it; how long the line is."""
    data = line.encode("utf-8", "backslashreplace")  # half a character is spelt, as JSON allows
    try:
        if file.write(data) < len(data):  # there was no space for more
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    except BaseException:
        file.truncate(length)
        file.seek(length)
        raise
    return len(data)


def write_records(
    path: str | Path, records: Iterable[GameRecord], *, overwrite: bool = False
) -> None:
    """Write games into a new file, which appears whole or not at all."""
    with RecordFile(path, overwrite=overwrite) as file:
        for record in records:
            file.add(record)


def append_record(path: str | Path, record: GameRecord) -> None:
    """Add a game to a file of records, or begin one; what is in it stays, whoever else adds to it.

    SpecError where that cannot be done, and where what is there is no regular file.
    """
    try:
        with open(path, "ab", buffering=0) as file:
            lock(file)  # until it is closed: nobody adds between the parts of a line
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise SpecError(f"cannot write {path}: it is no regular file")
            _append(file, line_of(record.to_json()), file.seek(0, os.SEEK_END))
            os.fsync(file.fileno())
    except OSError as error:
        raise SpecError(f"cannot write {path}: {error.strerror}") from None


def check_appendable(path: Path) -> None:
    """SpecError where games could not be added to a file, or to a new one of this name."""
    found = NewFile(path, overwrite=True)  # there is space, and no folder or device
    if not found.file.exists():
        return
    if not os.access(path, os.W_OK):
        raise SpecError(f"cannot write {path}: it is read-only")
    for _ in read_records(path):
        pass  # RecordError, where it is no file of records
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 1))
        if file.read() not in (b"", b"\n"):
            raise RecordError(f"{path}: its last line is cut off")


def read_records(path: str | Path) -> Iterator[GameRecord]:
    """The games of a file, one after another; RecordError names the line that is not one."""
    try:
        with open(path, encoding="utf-8", opener=unhurried) as file:
            for number in count(1):
                if not (line := file.readline(MOST_CHARACTERS + 1)):
                    return
                yield _from_line(line, f"{path}, line {number}")
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RecordError(f"cannot read {path}: it is not text in UTF-8") from None


def _from_line(line: str, place: str) -> GameRecord:
    if len(line) > MOST_CHARACTERS:
        raise RecordError(f"{place}: it has more than {MOST_CHARACTERS:,} characters")
    try:
        plain = json.loads(line)
        if "\\ud" in line.lower():
            json.dumps(plain, ensure_ascii=False).encode()
        return from_json(plain)
    except RecordError as error:
        raise RecordError(f"{place}: {error}") from None
    except json.JSONDecodeError as error:
        raise RecordError(f"{place}: not JSON: {error.msg}") from None
    except UnicodeEncodeError:
        raise RecordError(f"{place}: a text has half of a character") from None
    except RecursionError:
        raise RecordError(f"{place}: its parts lie too deep within each other") from None
    except ValueError:
        raise RecordError(f"{place}: a number has thousands of digits") from None
