"""A match in a store: its games, and a writer for those that are still to come."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any

from facedown.store.claims import Claim
from facedown.store.codec import Batch, Cast, Heading, Packer, Row, Tally, Word, tally_of
from facedown.store.errors import check_numbers, check_texts, readable
from facedown.store.records import GameRecord, RecordError

if TYPE_CHECKING:
    from facedown.store.store import Store

COLUMNS = (
    "id, run, place, name, game, settings, seed, revision, version, wanted, done, solid, seconds, "
    "begun, finished, result, numbers"
)
"""The columns of a match, in the order in which `Kept` takes them."""

GAME_COLUMNS = (
    'place, deal, deal_seed, rotation, "cast", payoffs, forfeits, flags, started, moves, details'
)
_VALUES = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_AT_ONCE = 64, 8, 1
"""Games in a statement, the largest first: between two the lock of the interpreter changes hands,
which costs a busy process more than the rows do. SQLite takes at least 999 values in one."""
_PAGE = 1000  # games that are read at a time, so that nobody is kept waiting
_DELAY = 0.5  # seconds after which finished games are committed, at most


class Kept:
    """A match as the store has it."""

    def __init__(self, store: Store, row: tuple[Any, ...]) -> None:
        self.store = store
        (
            self.id, self.run, self.place, self.name, self.game, settings, seed, self.revision,
            self.version, self.wanted, self.done, self.solid, self.seconds, self.begun,
            self.finished, result, numbers,
        ) = row  # fmt: skip
        with readable(store.path):
            self.seed = int(seed)
            self.settings: dict[str, Any] = dict(json.loads(settings))
            self.result: dict[str, Any] | None = (
                None if result is None else dict(json.loads(result))
            )
            self.numbers: dict[str, Any] = {} if numbers is None else dict(json.loads(numbers))
            check_texts(self.name, self.game, self.revision, self.version, self.begun)
            check_numbers(self.place, self.wanted, self.done, self.solid, self.seconds)

    @property
    def heading(self) -> Heading:
        """What all its records say."""
        return Heading(self.game, self.seed, self.version)

    @cached_property
    def packer(self) -> Packer:
        """Its numberings, as they are in the store."""
        return Packer(self.heading, self.casts(), self.words())

    def casts(self) -> list[Cast]:
        """Who sat where, by number."""
        query = "SELECT agents, cheats FROM casts WHERE match = ? ORDER BY id"
        rows = self.store.read(query, (self.id,))
        with readable(self.store.path):
            return [(tuple(json.loads(who)), tuple(json.loads(cheats))) for who, cheats in rows]

    def words(self) -> list[Word]:
        """What was played, by number."""
        query = "SELECT player, move, text FROM words WHERE match = ? ORDER BY id"
        return self.store.read(query, (self.id,))

    def rows(self, first: int = 0) -> Iterator[Row]:
        """The games as they are stored, in the order of their places, from `first` on."""
        query = (
            f"SELECT {GAME_COLUMNS} FROM games WHERE match = ? AND place >= ? "
            f"ORDER BY place LIMIT {_PAGE}"
        )
        while page := self.store.read(query, (self.id, first)):
            yield from map(Row._make, page)
            first = page[-1][0] + 1

    def records(self, first: int = 0) -> Iterator[GameRecord]:
        """The games in the order of their places; RecordError names one that cannot be read."""
        packer = Packer(self.heading, self.casts(), self.words())
        return (packer.unpack(row) for row in self.rows(first))

    def record(self, place: int) -> GameRecord:
        """One game; RecordError where it is not there."""
        for row in self.rows(place):
            if row.place == place:
                return Packer(self.heading, self.casts(), self.words()).unpack(row)
            break
        raise RecordError(f"no game {place} in run {self.run}; it has {self.done} games")

    def tallies(self) -> Iterator[Tally]:
        """What each game counts for, in the order of their places."""
        casts = self.casts()
        for row in self.rows():
            with readable(self.store.path):
                tally = tally_of(row, casts)
            yield tally

    def note(self, **numbers: Any) -> None:
        """Keep what else was measured, by name."""
        self.numbers |= numbers
        with self.store.writing() as db:
            plain = json.dumps(self.numbers, allow_nan=False)
            db.execute("UPDATE matches SET numbers = ? WHERE id = ?", (plain, self.id))


def _insert(db: sqlite3.Connection, match: int, rows: Sequence[Row]) -> None:
    """Add games to the table, many in a statement."""
    first = 0
    for size in _AT_ONCE:
        values = ", ".join([_VALUES] * size)
        query = f"INSERT INTO games (match, {GAME_COLUMNS}) VALUES {values}"
        while len(rows) - first >= size:
            some = rows[first : first + size]
            db.execute(query, [value for row in some for value in (match, *row)])
            first += size


_Taken = tuple[GameRecord, int] | Batch
"""A game and its place, or games from elsewhere."""


class _Packed:
    """Games as rows; of those that cannot be packed, which, their places and the first error."""

    def __init__(self, packer: Packer, taken: Sequence[_Taken]) -> None:
        self.rows: list[Row] = []
        self.bad: list[_Taken] = []
        self.lost: list[int] = []
        self.error: Exception | None = None
        for games in taken:
            try:
                if isinstance(games, Batch):
                    self.rows += packer.adopt(games)
                else:
                    self.rows.append(packer.pack(*games))
            except Exception as error:
                self.error = self.error or error
                self.bad.append(games)
                self.lost += _places(games)


def _places(games: _Taken) -> list[int]:
    return [row.place for row in games.rows] if isinstance(games, Batch) else [games[1]]


class Writer:
    """Adds games to a match, which nobody else can do meanwhile; HeldError says who does.

    Games come in any order, each once. They are committed by a thread of its own, within a second
    (`_DELAY` and the time that writing takes), and when the block is left, by an error too. What
    the thread meets (no space, a damaged file) is raised where the next game is added. It packs
    them, too, many at a time: one by one, between games, that takes twice as long.
    """

    def __init__(self, match: Kept) -> None:
        self.match, self._store = match, match.store
        self._claim = Claim(self._store.path, f"run {match.run}", match.id)
        try:
            self._fresh()
        except BaseException:
            self._claim.release()
            raise
        self._lock, self._flushing = threading.Lock(), threading.Lock()
        self._taken: list[_Taken] = []  # to be packed and committed
        self._began, self._before = time.perf_counter(), match.seconds
        self._error: BaseException | None = None
        self._forgotten = False
        self._work, self._over = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._keep_up, name="store", daemon=True)
        self._thread.start()

    def _fresh(self) -> None:
        """Take the match as it is now that it is claimed: another may have played on before."""
        now = self._store.kept(self.match.id)
        vars(self.match).update(vars(now))
        vars(self.match).pop("packer", None)
        self._packer = self.match.packer
        self._casts, self._words = len(self._packer.casts.items), len(self._packer.words.items)
        query = "SELECT place FROM games WHERE match = ? AND place >= ?"
        rows = self._store.read(query, (now.id, now.solid))
        self._solid, self._beyond = now.solid, {place for (place,) in rows}
        self._advance()

    # --- what is there -----------------------------------------------------------------------

    @property
    def done(self) -> int:
        """How many games there are, those included that wait to be committed."""
        return int(self._solid) + len(self._beyond)

    def __contains__(self, place: int) -> bool:
        return place < self._solid or place in self._beyond

    def missing(self) -> Iterator[int]:
        """The places of the games that are still to be played, in order."""
        beyond = frozenset(self._beyond)  # as it is now
        return (n for n in range(self._solid, self.match.wanted) if n not in beyond)

    # --- adding ------------------------------------------------------------------------------

    def add(self, record: GameRecord, place: int | None = None) -> None:
        """A game is finished; its place is its number unless told otherwise."""
        place = record.number if place is None else place
        with self._lock:
            if place not in self:  # else it was played twice, with the same outcome
                self._take([place], (record, place))
        self._tell()

    def adopt(self, batch: Batch) -> None:
        """So are the games of a batch."""
        with self._lock:
            rows = [row for row in batch.rows if row.place not in self]
            if rows:
                self._take([row.place for row in rows], replace(batch, rows=rows))
        self._tell()

    def _take(self, places: Sequence[int], games: _Taken) -> None:
        self._beyond.update(places)
        self._taken.append(games)
        self._advance()

    def _tell(self) -> None:
        """Have the thread know of games that wait; raise what it has met."""
        if self._error is not None:
            raise self._error
        if not self._work.is_set():  # who has not seen it set will see what waits
            self._work.set()

    def _advance(self) -> None:
        while self._solid in self._beyond:
            self._beyond.remove(self._solid)
            self._solid += 1

    # --- committing --------------------------------------------------------------------------

    def _keep_up(self) -> None:
        while not self._over.is_set():
            self._work.wait()
            self._work.clear()
            self._over.wait(_DELAY)
            try:
                self.flush()
            except BaseException as error:
                self._error = error
                return

    def flush(self) -> None:
        """Commit what was added; an error if any of it cannot be packed, the rest is kept."""
        with self._flushing:
            with self._lock:
                taken, self._taken = self._taken, []
                solid, done = self._solid, self.done
            if not taken:
                return
            packed = _Packed(self._packer, taken)
            casts = list(enumerate(self._packer.casts.items))[self._casts :]
            words = self._packer.words.items[self._words :]
            solid, done = min([solid, *packed.lost]), done - len(packed.lost)
            try:
                self._commit(packed.rows, casts, words, solid, done)
            except BaseException:
                with self._lock:
                    self._taken = taken + self._taken  # leaving the block tries once more
                raise
            if packed.error is not None:
                with self._lock:
                    self._taken = packed.bad + self._taken  # they are missing, whoever asks
                raise packed.error

    def _commit(
        self,
        rows: list[Row],
        casts: list[tuple[int, Cast]],
        words: list[Word],
        solid: int,
        done: int,
    ) -> None:
        match = self.match
        with self._store.writing() as db:
            db.executemany(
                "INSERT INTO casts VALUES (?, ?, ?, ?)",
                [(match.id, n, json.dumps(who), json.dumps(cheats)) for n, (who, cheats) in casts],
            )
            numbered = enumerate(words, self._words)
            db.executemany(
                "INSERT INTO words VALUES (?, ?, ?, ?, ?)", [(match.id, n, *w) for n, w in numbered]
            )
            _insert(db, match.id, rows)
            db.execute(
                "UPDATE matches SET done = ?, solid = ?, seconds = ? WHERE id = ?",
                (done, solid, self.seconds, match.id),
            )
        self._casts += len(casts)
        self._words += len(words)
        match.done, match.solid, match.seconds = done, solid, self.seconds

    @property
    def seconds(self) -> float:
        """What the match has taken, all its sessions together."""
        return float(self._before) + time.perf_counter() - self._began

    def cut(self, games: int) -> None:
        """The match ends after so many games: what was played beyond is dropped."""
        self.flush()
        with self._flushing, self._lock, self._store.writing() as db:
            chosen = (self.match.id, games)
            db.execute("DELETE FROM games WHERE match = ? AND place >= ?", chosen)
            db.execute(
                "UPDATE matches SET done = ?, solid = ?, wanted = ? WHERE id = ?",
                (games, games, games, self.match.id),
            )
            self._solid, self._beyond = games, set()
        self.match.done = self.match.solid = self.match.wanted = games

    def finish(self, result: dict[str, Any] | None, *, whole_run: bool = True) -> None:
        """All games are played: keep the result; the run is over unless it has more matches."""
        self.flush()
        match, when = self.match, datetime.now(UTC).isoformat(timespec="seconds")
        plain = None if result is None else json.dumps(result, allow_nan=False)
        with self._store.writing() as db:
            db.execute(
                "UPDATE matches SET finished = ?, result = ?, seconds = ?, wanted = ? WHERE id = ?",
                (when, plain, self.seconds, max(match.wanted, self.done), match.id),
            )
            if whole_run:
                db.execute("UPDATE runs SET finished = ? WHERE id = ?", (when, match.run))
        match.finished, match.result = when, result

    def forget(self) -> None:
        """Nothing came of it: delete the run when the block is left."""
        self._forgotten = True

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Commit what was added; an error of that is not to hide the one that ended the block."""
        self._over.set()
        self._work.set()
        self._thread.join()
        try:
            self.flush()
        except Exception:
            if error is None:
                raise
        finally:
            self._claim.release()
        if self._forgotten and error is None:
            self._store.delete(self.match.run)
