"""Compiling ahead: another process readies what comes later, while this one shows what is ready.

Where compiled code is on disk already there is nothing to do, and no process is started.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import nullcontext, suppress

from facedown.core.errors import FacedownError
from facedown.core.jit import Kernel, make_ready
from facedown.core.machine import as_program
from facedown.core.shipped import Lineup

SEARCH = "search"
"""The step that readies the search itself, whatever is searched."""

_PATIENT = 5  # what is added to the niceness of a process that is in no hurry


class Ahead:
    """A process that readies these steps in their order, where the search is not compiled yet.

    `wanted` says that there is something to compile, whether the search is or not. A `patient` one
    takes only what processor time nobody else wants.
    """

    def __init__(
        self, steps: Sequence[Lineup], *, wanted: bool = False, patient: bool = False
    ) -> None:
        self._steps, self._done = list(steps), 0
        self._process: subprocess.Popen[str] | None = None
        if not steps or (_search().known and not wanted):
            return
        words = as_program(__name__, json.dumps(self._steps), *["--patient"] * patient)
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(
            words, stdin=quiet, stdout=subprocess.PIPE, stderr=quiet, text=True
        )

    @property
    def working(self) -> bool:
        """Whether there is a process."""
        return self._process is not None

    def wait(self, step: Lineup) -> None:
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

    def __enter__(self) -> Ahead:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process; what it has not finished is not kept."""
        self.kill()
        if self._process is not None:
            self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None


def _search() -> Kernel:
    """The search, which is loaded when somebody asks: players who do not search do without."""
    from facedown.search.kernel import search

    return search


def search_ahead(agents: Sequence[str]) -> Ahead:
    """The search itself, if one of these agents may search, while its game is compiled here.

    Nobody needs to wait for it: whoever compiles the same function finds it when it is done.
    """
    still = {"random", "scripted"}
    return Ahead([(SEARCH, ())] if set(agents) - still else [])


def ready(game: str, agents: Sequence[str]) -> None:
    """Have compiled what a step needs."""
    from facedown.arena.bench import warm_up

    if game == SEARCH:
        search = _search()
        search.ready()  # what takes longest first: who waits for it begins with the others
        make_ready("search", search)
    else:
        warm_up(game, agents)


def _main() -> None:
    """The process: a line for each step that is ready, until nobody reads on.

    To `--tailor` what was lent (`core.shipped`) nobody waits for it: it makes way for all others,
    and does what it can.
    """
    parent, alone = os.getppid(), "--tailor" in sys.argv[2:]
    if hasattr(os, "nice"):
        os.nice(19 if alone else _PATIENT if "--patient" in sys.argv[2:] else 0)
    for game, agents in json.loads(sys.argv[1]):
        if os.getppid() != parent and not alone:
            return  # whoever wanted it is gone
        with suppress(FacedownError) if alone else nullcontext():
            ready(game, agents)
        print(game, flush=True)


if __name__ == "__main__":
    _main()
