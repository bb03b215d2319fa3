"""How much memory an agent's processes take together: looked at in steps, for there may be many."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

_MOST = 2000  # processes of one pass: some may be started faster than they are counted


class Pass:
    """One pass over an agent's processes, by the number of the first.

    `total` is what those have that were looked at, in bytes; what several share counts once. Of an
    agent with one process it is 0: what one may map the system itself limits.
    """

    def __init__(self, pid: int) -> None:
        self.total = 0
        self._left, self._seen = [pid], {pid}

    def step(self) -> bool:
        """Look at one process; whether there are more."""
        pid = self._left.pop()
        new = [child for child in _children(pid) if child not in self._seen]
        self._left += new
        self._seen.update(new)
        if len(self._seen) > 1:
            self.total += _share(pid)
        return bool(self._left) and len(self._seen) < _MOST


def _share(pid: int) -> int:
    """The memory of a process, its share of what others have too."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        for row in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if row.startswith("Pss:"):
                return int(row.split()[1]) << 10
    return 0


def _children(pid: int) -> list[int]:
    """The processes that one has started and not yet waited for."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError):
                words = Path(f"/proc/{pid}/task/{task}/children").read_text().split()
                found += map(int, words)
    return found
