"""The tables of a store, their versions, and the way from each version to the next."""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
from pathlib import Path

from facedown.store.errors import StoreError, told

APPLICATION = 0x46616365
"""What SQLite's header says a store is: "Face"."""

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE runs (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,      -- match, play, people, import, paper, learn ...
      name TEXT NOT NULL,      -- in words
      settings TEXT NOT NULL,  -- JSON: all that decides what is played, the seed apart
      key TEXT NOT NULL,       -- a digest of kind and settings
      seed TEXT NOT NULL,      -- a whole number of any size
      version TEXT NOT NULL,   -- of the program
      machine TEXT NOT NULL,   -- JSON
      begun TEXT NOT NULL,
      finished TEXT
    );
    CREATE INDEX runs_by_key ON runs (key);
    CREATE TABLE matches (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      run INTEGER NOT NULL REFERENCES runs (id),
      place INTEGER NOT NULL,  -- in the run, from 0
      name TEXT NOT NULL,
      game TEXT NOT NULL,
      settings TEXT NOT NULL,
      key TEXT NOT NULL,
      seed TEXT NOT NULL,
      revision TEXT NOT NULL,  -- of the code that decides what is played
      version TEXT NOT NULL,
      machine TEXT NOT NULL,
      wanted INTEGER NOT NULL, -- games
      done INTEGER NOT NULL DEFAULT 0,
      solid INTEGER NOT NULL DEFAULT 0, -- all games below this place are there
      seconds REAL NOT NULL DEFAULT 0,
      begun TEXT NOT NULL,
      finished TEXT,
      result TEXT,             -- JSON
      numbers TEXT,            -- JSON: what else was measured, by the name of the measure
      UNIQUE (run, place)
    );
    CREATE INDEX matches_by_key ON matches (key);
    CREATE TABLE casts (
      match INTEGER NOT NULL,
      id INTEGER NOT NULL,
      agents TEXT NOT NULL,    -- JSON, by player
      cheats TEXT NOT NULL,
      PRIMARY KEY (match, id)
    ) WITHOUT ROWID;
    CREATE TABLE words (
      match INTEGER NOT NULL,
      id INTEGER NOT NULL,
      player INTEGER NOT NULL, -- -1 is chance
      move INTEGER NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (match, id)
    ) WITHOUT ROWID;
    CREATE TABLE games (
      match INTEGER NOT NULL,
      place INTEGER NOT NULL,
      deal INTEGER NOT NULL,
      deal_seed INTEGER NOT NULL,
      rotation INTEGER NOT NULL,
      "cast" INTEGER NOT NULL,
      payoffs TEXT NOT NULL,   -- JSON, by player
      forfeits TEXT,           -- JSON: player and reason
      flags INTEGER NOT NULL,  -- 1 assisted, 2 consent
      started INTEGER,         -- milliseconds since 1970
      moves BLOB NOT NULL,     -- numbers of words, then microseconds (store/codec.py)
      details BLOB,            -- compressed JSON: what searches reported, what is unlike others
      PRIMARY KEY (match, place)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE tables (
      id TEXT PRIMARY KEY,     -- random, as links have it
      settings TEXT NOT NULL,  -- JSON: the game, who sits where, the seed
      seats TEXT NOT NULL,     -- JSON, by player: what a person is called, a digest of their token
      marks TEXT NOT NULL,     -- JSON: why it counts as assisted
      begun TEXT NOT NULL,
      touched TEXT NOT NULL,
      run INTEGER              -- where its record is, once it is over
    ) WITHOUT ROWID;
    CREATE TABLE decisions (
      "table" TEXT NOT NULL,
      number INTEGER NOT NULL, -- among the decisions of the game, from 0
      player INTEGER NOT NULL,
      place INTEGER NOT NULL,  -- among the legal moves
      text TEXT NOT NULL,
      seconds REAL NOT NULL,
      pace REAL,
      summary TEXT,            -- JSON
      PRIMARY KEY ("table", number)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE models (
      run INTEGER PRIMARY KEY REFERENCES runs (id),
      file TEXT NOT NULL,      -- where it was written, by its name alone
      about TEXT NOT NULL,     -- JSON: what it was learnt from, how well it foretells
      content BLOB NOT NULL    -- the file itself
    );
    """,
)
"""Migration k takes a store from schema k to schema k + 1; the first makes the tables."""

SCHEMA = len(MIGRATIONS)

_MAGIC = b"SQLite format 3\x00"
WAIT = 60.0  # seconds that a writer waits for another's transaction, which takes a moment


def connect(path: str, *, create: bool) -> sqlite3.Connection:
    """A connection to the store at `path`, at this program's schema.

    A file that is no store, is damaged or newer is refused and left as it is. `:memory:` is a
    store that nobody keeps.
    """
    with told(path):
        if path == ":memory:":
            return migrated(_opened(path), path)
        place = Path(path)
        if not place.exists():
            if not create:
                raise StoreError(f"there is no store {path}")
            _make(place)
        _check(place)
        connection = _opened(path)
        try:
            return migrated(connection, path)
        except BaseException:
            connection.close()
            raise


def _opened(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=WAIT, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA synchronous = FULL")  # a commit outlives a power cut
    except BaseException:
        connection.close()
        raise
    return connection


def _make(place: Path) -> None:
    """A new store, which appears at its place whole, and only where nothing is."""
    if place.with_name(place.name + "-wal").exists():
        raise StoreError(f"{place}-wal is there, its store {place} is not; it is left as it is")
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_name(f".{place.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        connection = sqlite3.connect(part, isolation_level=None)
        try:
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            migrated(connection, str(place))
            connection.execute("PRAGMA journal_mode = WAL")
        finally:
            connection.close()
        os.link(part, place)
    except FileExistsError:
        pass  # another process was faster
    finally:
        for rest in ("", "-journal", "-wal", "-shm"):
            part.with_name(part.name + rest).unlink(missing_ok=True)


def _check(place: Path) -> None:
    """StoreError where the file cannot be a store, before SQLite touches it."""
    if not stat.S_ISREG(place.stat().st_mode):
        raise StoreError(f"{place} is no store: it is not a file")
    with place.open("rb") as file:
        head = file.read(100)
    if not head:
        raise StoreError(f"{place} is empty, which a store never is; it is left as it is")
    if not head.startswith(_MAGIC) or len(head) < 100:
        raise StoreError(f"{place} is no store of facedown, or damaged; it is left as it is")
    if int.from_bytes(head[68:72], "big") != APPLICATION:
        raise StoreError(f"{place} is a database, but no store of facedown; it is left as it is")


def _check_schema(connection: sqlite3.Connection, path: str) -> None:
    """StoreError where a file brings statements of its own, which SQLite would run for us.

    A trigger of a stranger's could delete what is kept the moment that it is written.
    """
    asked = "SELECT type, name FROM sqlite_master WHERE type NOT IN ('table', 'index') LIMIT 1"
    if (found := connection.execute(asked).fetchone()) is not None:
        kind, name = found
        raise StoreError(
            f"{path} has a {kind}, {name}, which no store of facedown has; it is left as it is"
        )


def version_of(connection: sqlite3.Connection) -> int:
    """The schema that a store has."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrated(connection: sqlite3.Connection, path: str) -> sqlite3.Connection:
    """The connection, its store at this program's schema: all of a migration, or nothing of it."""
    _check_schema(connection, path)
    if version_of(connection) == SCHEMA:
        return connection
    connection.execute("BEGIN IMMEDIATE")
    try:
        found = version_of(connection)  # another process may have been faster
        if found > SCHEMA:
            raise StoreError(
                f"the store {path} has schema {found}, this version of facedown knows {SCHEMA}: "
                "a newer facedown wrote it; it is left as it is"
            )
        for step in MIGRATIONS[found:]:
            for statement in statements(step):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {SCHEMA}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    return connection


def statements(script: str) -> list[str]:
    """The statements of a script one by one: `executescript` would commit in between."""
    found, rest = [], ""
    for line in script.splitlines():
        rest += line + "\n"
        if sqlite3.complete_statement(rest):
            found.append(rest.strip())
            rest = ""
    return found
