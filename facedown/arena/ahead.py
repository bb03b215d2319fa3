"""Compiling ahead: another process readies what comes later, while this one shows what is ready.

Where compiled code is on disk already there is nothing to do, and no process is started.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence

from facedown.arena.bench import warm_up
from facedown.core.jit import make_ready
from facedown.search.kernel import search

SEARCH = "search"
"""The step that readies the search itself, whatever is searched."""

Step = tuple[str, tuple[str, ...]]
"""A game and agents; or SEARCH and none."""


class Ahead:
    """A process that readies these steps in their order, where the search is not compiled yet."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps, self._done = list(steps), 0
        self._process: subprocess.Popen[str] | None = None
        if search.known:
            return
        words = [sys.executable, "-m", __name__, json.dumps(self._steps)]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(
            words, stdin=quiet, stdout=subprocess.PIPE, stderr=quiet, text=True
        )

    @property
    def working(self) -> bool:
        """Whether there is a process."""
        return self._process is not None

    def wait(self, step: Step) -> None:
        """Return when a step is ready; or when nobody readies it, and its user is to do it."""
        if self._process is None or step not in self._steps:
            return
        assert self._process.stdout is not None
        while self._done <= self._steps.index(step) and self._process.stdout.readline():
            self._done += 1

    def close(self) -> None:
        """End the process, wherever it is; what it has not finished is not kept."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None


def _ready(game: str, agents: Sequence[str]) -> None:
    if game == SEARCH:
        make_ready("search", search)
    else:
        warm_up(game, agents)


def _main() -> None:
    """The process: a line for each step that is ready, until nobody reads on."""
    parent = os.getppid()
    for game, agents in json.loads(sys.argv[1]):
        if os.getppid() != parent:
            return  # whoever wanted it is gone
        _ready(game, agents)
        print(game, flush=True)


if __name__ == "__main__":
    _main()
