"""Rule networks that are built while something else goes on, in a process of its own.

Its limits are of CPU time and memory: on a busy machine it takes longer, and comes to the same.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import signal
import subprocess
import threading
from collections import OrderedDict
from typing import Any

from facedown.core.errors import SpecError
from facedown.core.jit import PACKAGE
from facedown.core.machine import as_program
from facedown.gdl.errors import LimitError
from facedown.gdl.ground import Limits
from facedown.gdl.network import RuleNetwork
from facedown.gdl.syntax import Description

_MODULE = "facedown.gdl.builder"
_KEPT = 4  # networks that were built last

_known: OrderedDict[tuple[Description, Limits], RuleNetwork] = OrderedDict()
_idle: list[subprocess.Popen[bytes]] = []  # at most one, that waits for a request


def forget() -> None:
    """Forget the networks that were built."""
    _known.clear()


def prepare() -> None:
    """Have a process ready, so that the next network begins at once."""
    if not any(process.poll() is None for process in _idle):
        _idle[:] = [_started()]


def _started() -> subprocess.Popen[bytes]:
    path = os.pathsep.join(filter(None, [str(PACKAGE.parent), os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        as_program(_MODULE),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    )


class Build:
    """One network that is being built. Ask whether it is `done`, or `wait` for it."""

    def __init__(self, description: Description, limits: Limits | None = None) -> None:
        self.description, self.limits = description, limits or Limits()
        self._done = threading.Event()
        self._answer: tuple[str, Any] = ("error", "nothing was built")
        self.process: subprocess.Popen[bytes] | None = None
        if (known := _known.get((description, self.limits))) is not None:
            self._answer = ("network", known)
            self._done.set()
            return
        prepare()
        self.process = _idle.pop()
        threading.Thread(target=self._ask, args=(self.process,), daemon=True).start()

    def _ask(self, process: subprocess.Popen[bytes]) -> None:
        """Send the request and wait for the answer; in a thread of its own."""
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            pickle.dump((self.description, self.limits), process.stdin, protocol=5)
            process.stdin.flush()
            self._answer = pickle.load(process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError, ValueError):
            self._answer = self._ended(process)
        if process.poll() is None and not _idle:
            _idle.append(process)  # it can build another one
        else:
            _leave(process)
        self._done.set()

    def _ended(self, process: subprocess.Popen[bytes]) -> tuple[str, Any]:
        """Why a process has ended without an answer."""
        status, limits = process.wait(), self.limits
        words = f"more than {limits.megabytes:,} MB of memory, or the process was ended"
        if status == -signal.SIGPROF:
            words = f"more than {limits.seconds:g} s of CPU time"
        return "limit", f"{self.description.source}: no rule network: {words}"

    @property
    def done(self) -> bool:
        """Whether `result` is there."""
        return self._done.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait so long for it; whether it is done."""
        return self._done.wait(seconds)

    def result(self) -> RuleNetwork:
        """The network; SpecError where there is none, LimitError where a limit was reached."""
        self._done.wait()
        kind, told = self._answer
        if kind == "limit":
            raise LimitError(told)
        if kind == "error":
            raise SpecError(told)
        found: RuleNetwork = told
        _known[self.description, self.limits] = found
        while len(_known) > _KEPT:
            _known.popitem(last=False)
        return found

    def end(self) -> None:
        """Stop it; nobody waits for it any more."""
        if self.process is not None and not self.done:
            self.process.kill()


def _leave(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    process.kill()
    process.wait()


@atexit.register
def close() -> None:
    """End the process that waits for a request, if there is one."""
    while _idle:
        _leave(_idle.pop())
