"""Who is at it: a match in a store is played by one process at a time.

A claim is a lock of the operating system's on a small file beside the store, so that it ends with
the process, however that ends. The file says who holds it.
"""

from __future__ import annotations

import os
import socket
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from facedown.core.files import lock
from facedown.store.errors import HeldError, told


class Claim:
    """The right to add games to a match; HeldError says who has it, if another process does."""

    def __init__(self, store: str, what: str, number: int) -> None:
        self._file: IO[str] | None = None
        self._path = Path(f"{store}-{number}.lock")
        if store == ":memory:" or sys.platform == "win32":  # which has no such locks
            return
        with told(store):
            while self._file is None:
                self._file = self._taken(what)

    def _taken(self, what: str) -> IO[str] | None:
        """The file, locked; None where its last holder has just removed it."""
        file = self._path.open("a+", encoding="utf-8")
        try:
            lock(file, wait=False)
        except BlockingIOError:
            file.seek(0)
            holder = file.read().strip() or "another process"
            file.close()
            raise HeldError(f"{what} is being played by {holder}") from None
        if not _same(file, self._path):
            file.close()
            return None
        file.truncate(0)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        file.write(f"process {os.getpid()} on {socket.gethostname()} since {now}")
        file.flush()
        return file

    def release(self) -> None:
        """Let others have it."""
        if self._file is not None:
            self._path.unlink(missing_ok=True)  # while it is locked: whoever waits looks again
            self._file.close()
            self._file = None


def _same(file: IO[str], path: Path) -> bool:
    """Whether the path still names the file that was opened."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False
