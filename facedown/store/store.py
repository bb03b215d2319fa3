"""The store: runs, their matches, and what is asked of them."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from facedown.core.places import data_folder
from facedown.store.claims import Claim
from facedown.store.errors import StoreError, check_numbers, check_texts, readable, told
from facedown.store.kept import COLUMNS, Kept
from facedown.store.records import version
from facedown.store.schema import connect

MEMORY = ":memory:"
"""A store that nobody keeps."""


def default_place() -> str:
    """Where results are kept unless told otherwise: $FACEDOWN_STORE, or the user's data folder."""
    named = os.environ.get("FACEDOWN_STORE")
    if named:
        return named
    return str(data_folder() / "store.db")


@dataclass(frozen=True)
class Ask:
    """A match that is wanted: all that decides it.

    `settings`, plain JSON, are what makes it the same match again, the seed apart; without a `seed`
    any will do. `kind` and `name` are of the run that it is the only match of, if it is.
    """

    kind: str
    name: str
    game: str
    settings: Mapping[str, Any]
    games: int
    revision: str
    seed: int | None = None
    machine: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """A digest of the settings."""
        return digest(self.settings)


class Run(NamedTuple):
    """A run, as it is listed: what was asked for, and how far its matches have come."""

    id: int
    kind: str
    name: str
    settings: Mapping[str, Any]
    seed: int
    version: str
    begun: str
    finished: str | None
    matches: int
    wanted: int
    done: int
    revisions: tuple[str, ...]


def digest(plain: Any) -> str:
    """A digest of plain JSON."""
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()[:32]


def now() -> str:
    """The time, in ISO form."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Store:
    """An open store, for one process; its methods may be called from several threads.

    It is made where there is none, unless `create` is False. StoreError says what is wrong with
    one that cannot be used, which is left as it is.

    >>> with Store(":memory:") as store:
    ...     list(store.runs())
    []
    """

    def __init__(self, path: str | Path | None = None, *, create: bool = True) -> None:
        given = str(default_place() if path is None else path)
        self.path = given if given == MEMORY else os.path.realpath(given)
        self.lock = threading.RLock()
        self._connection = connect(self.path, create=create)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Leave the file to itself."""
        with self.lock, told(self.path):
            self._connection.close()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of the block, or nothing of it. It waits for other processes'."""
        with self.lock, told(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def read(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """The rows that a query gives."""
        with self.lock, told(self.path):
            return self._connection.execute(query, values).fetchall()

    # --- matches ---------------------------------------------------------------------------------

    def match(self, ask: Ask, *, new: bool = False, run: int | None = None) -> Kept:
        """The match that was asked for before, finished or not, or a new one.

        The last one of the same settings, and of the seed if there is one, by the same revision;
        else the last one that was finished by another, which the caller tells by `revision`. A new
        one has a run of its own unless it is added to `run`.
        """
        found = None if new else self.found(ask)
        return self._new(ask, run) if found is None else found

    def found(self, ask: Ask) -> Kept | None:
        """The match that was asked for before, if there is one, as `match` chooses it."""
        query = f"SELECT {COLUMNS} FROM matches WHERE key = ? ORDER BY id DESC"
        kept = [Kept(self, row) for row in self.read(query, (ask.key,))]
        fitting = [one for one in kept if ask.seed is None or one.seed == ask.seed]
        for one in fitting:
            if one.revision == ask.revision:
                return one
        return next((one for one in fitting if one.finished), None)

    def _new(self, ask: Ask, run: int | None) -> Kept:
        seed = secrets.randbits(64) if ask.seed is None else ask.seed
        begun, plain = now(), json.dumps(ask.settings, sort_keys=True)
        where = json.dumps(ask.machine, sort_keys=True)
        with self.writing() as db:
            if run is None:
                run = self._insert(
                    db, "runs", kind=ask.kind, name=ask.name, settings=plain, key=ask.key,
                    seed=str(seed), version=version(), machine=where, begun=begun,
                )  # fmt: skip
            count = "SELECT count(*) FROM matches WHERE run = ?"
            place = db.execute(count, (run,)).fetchone()[0]
            number = self._insert(
                db, "matches", run=run, place=place, name=ask.name, game=ask.game, settings=plain,
                key=ask.key, seed=str(seed), revision=ask.revision, version=version(),
                machine=where, wanted=ask.games, begun=begun,
            )  # fmt: skip
        return self.kept(number)

    @staticmethod
    def _insert(db: sqlite3.Connection, table: str, **values: Any) -> int:
        marks = ", ".join("?" * len(values))
        query = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})"
        number = db.execute(query, tuple(values.values())).lastrowid
        assert number is not None
        return number

    def kept(self, number: int) -> Kept:
        """A match by its number."""
        rows = self.read(f"SELECT {COLUMNS} FROM matches WHERE id = ?", (number,))
        if not rows:
            raise StoreError(f"there is no match {number} in {self.path}")
        return Kept(self, rows[0])

    # --- runs ------------------------------------------------------------------------------------

    def begin_run(self, kind: str, name: str, settings: Mapping[str, Any], seed: int) -> int:
        """A new run of many matches, by its number; they are added by `match(..., run=number)`."""
        with self.writing() as db:
            return self.insert_run(db, kind, name, settings, seed)

    def insert_run(
        self,
        db: sqlite3.Connection,
        kind: str,
        name: str,
        settings: Mapping[str, Any],
        seed: int,
        *,
        finished: bool = False,
    ) -> int:
        """A new run in a transaction that is open, by its number."""
        plain, begun = json.dumps(settings, sort_keys=True), now()
        return self._insert(
            db, "runs", kind=kind, name=name, settings=plain, key=digest(settings), seed=str(seed),
            version=version(), machine="{}", begun=begun, finished=begun if finished else None,
        )  # fmt: skip

    def find_run(self, kind: str, settings: Mapping[str, Any]) -> int | None:
        """The last run that was begun with these settings, by its number."""
        query = "SELECT max(id) FROM runs WHERE key = ? AND kind = ?"
        found: int | None = self.read(query, (digest(settings), kind))[0][0]
        return found

    def finish_run(self, number: int) -> None:
        """A run is over, now unless it was before."""
        with self.writing() as db:
            query = "UPDATE runs SET finished = ? WHERE id = ? AND finished IS NULL"
            db.execute(query, (now(), number))

    def runs(self, number: int | None = None) -> Iterator[Run]:
        """All runs, the first one first, or the one of a number."""
        chosen, values = ("", ()) if number is None else ("WHERE runs.id = ?", (number,))
        return self._runs(chosen, values)

    def runs_of(self, kind: str, name: str) -> Iterator[Run]:
        """The runs of a kind and a name, the first one first."""
        return self._runs("WHERE runs.kind = ? AND runs.name = ?", (kind, name))

    def _runs(self, chosen: str, values: Sequence[Any]) -> Iterator[Run]:
        query = f"""
            SELECT runs.id, runs.kind, runs.name, runs.settings, runs.seed, runs.version,
              runs.begun, runs.finished, count(matches.id), coalesce(sum(matches.wanted), 0),
              coalesce(sum(matches.done), 0), group_concat(DISTINCT matches.revision)
            FROM runs LEFT JOIN matches ON matches.run = runs.id {chosen}
            GROUP BY runs.id ORDER BY runs.id"""
        for row in self.read(query, values):
            with readable(self.path):
                revisions = tuple(row[-1].split(",")) if row[-1] else ()
                run = Run._make((*row[:3], json.loads(row[3]), int(row[4]), *row[5:11], revisions))
                check_texts(run.kind, run.name, run.version, run.begun, run.finished or "")
                check_numbers(run.matches, run.wanted, run.done)
            yield run

    def run(self, number: int) -> Run:
        """A run by its number; StoreError where there is none."""
        for run in self.runs(number):
            return run
        raise StoreError(f"there is no run {number} in {self.path} (see `facedown results list`)")

    def matches(self, run: int) -> list[Kept]:
        """The matches of a run, in their order."""
        query = f"SELECT {COLUMNS} FROM matches WHERE run = ? ORDER BY place"
        return [Kept(self, row) for row in self.read(query, (run,))]

    def delete(self, number: int) -> None:
        """Delete a run with all its games; HeldError where somebody is playing it."""
        run = self.run(number)
        claims: list[Claim] = []
        try:
            for match in self.matches(run.id):
                claims.append(Claim(self.path, f"run {run.id}", match.id))
            with self.writing() as db:
                chosen = "(SELECT id FROM matches WHERE run = ?)"
                for table in ("games", "words", "casts"):
                    db.execute(f"DELETE FROM {table} WHERE match IN {chosen}", (run.id,))
                for table in ("matches", "models"):
                    db.execute(f"DELETE FROM {table} WHERE run = ?", (run.id,))
                db.execute("DELETE FROM runs WHERE id = ?", (run.id,))
            with self.lock, told(self.path):
                self._connection.execute("PRAGMA incremental_vacuum").fetchall()
        finally:
            for claim in claims:
                claim.release()

    def damage(self) -> list[str]:
        """What SQLite finds wrong with the file, nothing if it is whole."""
        found = [str(row[0]) for row in self.read("PRAGMA integrity_check")]
        return [] if found == ["ok"] else found
