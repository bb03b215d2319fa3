"""Compiled and uncompiled rules agree: their traces are compared across two processes."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from facedown.core import Game, RuleError
from facedown.core.jit import JIT, PACKAGE
from facedown.core.machine import as_program
from facedown.laws.clock import now
from facedown.laws.findings import Violation
from facedown.laws.lab import Lab, SkippedError
from facedown.laws.law import FOUNDATION, law
from facedown.laws.trace import Mark, first_difference, trace

_GAMES = 20
_MOST_SECONDS = 30.0
_LOST = 3  # the exit status of a process that cannot load the game by its spec
_MODULE = "facedown.laws.uncompiled"  # not imported here: it is run as a program


class Uncompiled:
    """A process that plays a game's traces with the JIT off while the other laws are tried."""

    def __init__(self, spec: str, seed: int, games: int) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="facedown-")
        path = os.pathsep.join(filter(None, [str(PACKAGE.parent), os.environ.get("PYTHONPATH")]))
        with self._file("out").open("w") as out, self._file("err").open("w") as err:
            self._process = subprocess.Popen(
                as_program(_MODULE, spec, str(seed), str(games)),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path},
            )
        self._began = time.monotonic()

    def _file(self, name: str) -> Path:
        return Path(self._folder.name) / name

    def traces(self, deadline: float) -> list[list[Mark]]:
        """What it has played by the deadline; RuleError where a rule failed."""
        until = max(min(deadline, self._began + _MOST_SECONDS), time.monotonic() + 0.1)
        try:
            self._process.wait(until - time.monotonic())
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        lines = self._file("out").read_text().split("\n")
        complaint = self._file("err").read_text().strip()
        if self._process.returncode == _LOST:
            raise SkippedError(f"a process of its own cannot load the game: {complaint}")
        if self._process.returncode > 0:
            raise RuleError(f"with the JIT off {complaint.splitlines()[-1] if complaint else ''}")
        return [[Mark(move, answers) for move, answers in json.loads(line)] for line in lines[:-1]]

    def close(self) -> None:
        """End the process if it still runs, and drop its files."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._folder.cleanup()


def start_uncompiled(game: Game, seed: int, games: int) -> Uncompiled | None:
    """The process, for a game with compiled rules; None where there is nothing to compare."""
    if not game.compiled or not JIT:
        return None
    return Uncompiled(game.spec, seed, min(games, _GAMES))


@law("uncompiled", "Compiled and uncompiled rules agree.", needs=FOUNDATION)
def uncompiled(lab: Lab) -> Iterator[Violation]:
    """Compare the compiled rules' traces with those of the process with the JIT off."""
    if not lab.game.compiled:
        raise SkippedError("plain Python rules are not compiled")
    running: Uncompiled | None = lab.memo("uncompiled", lambda: None)
    if running is None:
        raise SkippedError("the JIT is off here: there is nothing to compare with")
    for k, theirs in enumerate(running.traces(time.monotonic() + lab.deadline - now())):
        lab.look()
        ours = list(trace(lab.game, lab.seed + k, worlds=True))
        found = first_difference(ours, theirs)
        if found is not None:
            ply, kinds = found
            moves = tuple(mark.move for mark in ours[1 : ply + 1])
            what = f"compiled and uncompiled rules differ in {', '.join(kinds)}"
            yield Violation(lab.law, what, lab.seed + k, moves)
    if not lab.cases:
        raise SkippedError("no game was over in time with the JIT off")
