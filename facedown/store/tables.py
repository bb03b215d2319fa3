"""Games of people in progress: kept decision by decision, so that no restart ends one."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from facedown.store.errors import StoreError, check_texts, readable
from facedown.store.store import Store, now

Change = Callable[[sqlite3.Connection], object]

KEEPER = "tables"
"""The name of the threads that keep tables: one for each `KeptTables` until it is closed."""

_COLUMNS = "id, settings, seats, marks, begun, touched, run"


@dataclass
class KeptTable:
    """A table as the store has it; `run` holds its record once the game is over."""

    id: str
    settings: Mapping[str, Any]
    seats: list[dict[str, Any]]
    marks: list[str] = field(default_factory=list)
    begun: str = field(default_factory=now)
    touched: str = field(default_factory=now)
    run: int | None = None


@dataclass(frozen=True)
class KeptDecision:
    """A decision as the store has it."""

    player: int
    place: int
    text: str
    seconds: float
    pace: float | None
    summary: Mapping[str, Any] | None


class KeptTables:
    """The tables of a store. What changes is committed by a thread of its own, in order, at once.

    Whatever waits is one transaction, so that fifty tables cost no more than one. `flush` waits for
    it. What the thread meets (no space, a damaged file) is raised at the next change.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._waiting: list[Change] = []
        self._more = threading.Condition()
        self._error: BaseException | None = None
        self._busy = self._over = False
        self._thread = threading.Thread(target=self._keep_up, name=KEEPER, daemon=True)
        self._thread.start()

    # --- reading -----------------------------------------------------------------------------

    def find(self, name: str) -> KeptTable | None:
        """A table by its name; None where there is none."""
        self.flush()
        rows = self.store.read(f"SELECT {_COLUMNS} FROM tables WHERE id = ?", (name,))
        return self._table(rows[0]) if rows else None

    def all(self, open_only: bool = False) -> Iterator[KeptTable]:
        """All tables, the first one first, or those whose game is not over."""
        self.flush()
        chosen = "WHERE run IS NULL" if open_only else ""
        query = f"SELECT {_COLUMNS} FROM tables {chosen} ORDER BY begun, id"
        return map(self._table, self.store.read(query))

    def _table(self, row: Sequence[Any]) -> KeptTable:
        name, settings, seats, marks, begun, touched, run = row
        with readable(self.store.path):
            check_texts(name, begun, touched)
            plain = dict(json.loads(settings)), list(json.loads(seats)), list(json.loads(marks))
            return KeptTable(name, *plain, begun, touched, run)

    def decisions(self, name: str) -> list[KeptDecision]:
        """The decisions of a table's game so far."""
        self.flush()
        query = (
            "SELECT player, place, text, seconds, pace, summary FROM decisions "
            'WHERE "table" = ? ORDER BY number'
        )
        found = []
        for player, place, text, seconds, pace, summary in self.store.read(query, (name,)):
            with readable(self.store.path):
                plain = None if summary is None else dict(json.loads(summary))
            found.append(KeptDecision(player, place, text, seconds, pace, plain))
        return found

    # --- writing -----------------------------------------------------------------------------

    def add(self, table: KeptTable) -> None:
        """A new table."""
        values = (
            table.id, *map(json.dumps, (table.settings, table.seats, table.marks)), table.begun,
            table.touched, table.run,
        )  # fmt: skip
        query = f"INSERT INTO tables ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"
        self._write(lambda db: db.execute(query, values))

    def update(self, table: KeptTable) -> None:
        """A table's settings, people, marks or record are others now."""
        plain = map(json.dumps, (table.settings, table.seats, table.marks))
        values = (*plain, now(), table.run, table.id)
        query = "UPDATE tables SET settings=?, seats=?, marks=?, touched=?, run=? WHERE id=?"
        self._write(lambda db: db.execute(query, values))

    def decided(self, name: str, number: int, made: KeptDecision) -> None:
        """The decision of this number was made at a table."""
        summary = None if made.summary is None else json.dumps(made.summary, allow_nan=False)
        values = (name, number, made.player, made.place, made.text, made.seconds, made.pace)
        query = "INSERT INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        self._write(lambda db: db.execute(query, (*values, summary)))

    def taken_back(self, name: str, left: int) -> None:
        """Only so many decisions are left at a table."""
        query = 'DELETE FROM decisions WHERE "table" = ? AND number >= ?'
        self._write(lambda db: db.execute(query, (name, left)))

    def forget(self, name: str) -> None:
        """Delete a table."""
        self.taken_back(name, 0)
        self._write(lambda db: db.execute("DELETE FROM tables WHERE id = ?", (name,)))

    def _write(self, change: Change) -> None:
        with self._more:
            if self._error is not None:
                raise StoreError(f"the tables are not kept any more: {self._error}")
            self._waiting.append(change)
            self._more.notify_all()

    def _keep_up(self) -> None:
        while True:
            with self._more:
                self._more.wait_for(lambda: self._waiting or self._over)
                changes, self._waiting = self._waiting, []
                if not changes:
                    return
                self._busy = True
            try:
                with self.store.writing() as db:
                    for change in changes:
                        change(db)
            except BaseException as error:
                self._error = error
            with self._more:
                self._busy = False
                self._more.notify_all()
            if self._error is not None:
                return

    def flush(self) -> None:
        """Wait until all that was changed is committed."""
        with self._more:
            self._more.wait_for(self._settled)

    def _settled(self) -> bool:
        return self._error is not None or not (self._waiting or self._busy)

    def close(self) -> None:
        """Commit what is left, and stop."""
        with self._more:
            self._over = True
            self._more.notify_all()
        self._thread.join()
