"""Running commands as a user does: in this process, or as a program of its own."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from typing import Any

from facedown.cli import main
from support import ROOT


@dataclass(frozen=True)
class Ran:
    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one JSON object that stdout is."""
        return json.loads(self.out)


def run(*arguments: str, stdin: str = "") -> Ran:
    """`facedown ARGUMENTS` in this process."""
    out, err, before = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.StringIO(stdin)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            status = main(arguments)
    finally:
        sys.stdin = before
    return Ran(status, out.getvalue(), without_notes(err.getvalue()))


def without_notes(text: str) -> str:
    """What stderr says beside that something is compiled, which a cold cache brings about."""
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(("compiling ", "compiled ")))


@contextmanager
def started(*command: str, stdin: bool = False) -> Iterator[subprocess.Popen[str]]:
    """A Python command as the leader of a group of processes, which does not outlive the block.

    It hears nothing unless `stdin` is wanted.
    """
    with subprocess.Popen(
        [sys.executable, *command],
        stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):  # nobody is left of it
                os.killpg(process.pid, signal.SIGKILL)


def program(*arguments: str) -> Ran:
    """`facedown ARGUMENTS` as a process of its own, to its end."""
    with started("-m", "facedown", *arguments) as process:
        out, err = process.communicate(timeout=120)
    return Ran(process.returncode, out, without_notes(err))
