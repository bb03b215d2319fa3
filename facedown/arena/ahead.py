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

_PATIENT = 5  # what is added to the niceness of a process that is in no hurry

Step = tuple[str, tuple[str, ...]]
"""A game and agents; or SEARCH and none."""


class Ahead:
    """A process that readies these steps in their order, where the search is not compiled yet.

    `wanted` says that there is something to compile, whether the search is or not. A `patient` one
    takes only what processor time nobody else wants.
    """

    def __init__(
        self, steps: Sequence[Step], *, wanted: bool = False, patient: bool = False
    ) -> None:
        self._steps, self._done = list(steps), 0
        self._process: subprocess.Popen[str] | None = None
        if search.known and not wanted:
            return
        words = [sys.executable, "-m", __name__, json.dumps(self._steps), str(int(patient))]
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

    def kill(self) -> None:
        """End the process, wherever it is, from any thread; who waits for it goes on."""
        if (process := self._process) is not None:
            process.kill()

    def close(self) -> None:
        """End the process; what it has not finished is not kept."""
        self.kill()
        if self._process is not None:
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
    if int(sys.argv[2]) and hasattr(os, "nice"):
        os.nice(_PATIENT)
    for game, agents in json.loads(sys.argv[1]):
        if os.getppid() != parent:
            return  # whoever wanted it is gone
        _ready(game, agents)
        print(game, flush=True)


if __name__ == "__main__":
    _main()
