"""A check in a process of its own, which its clock ends whatever a rule does.

An alarm stops Python code; what never comes back from compiled code, or swallows the alarm, is
killed.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
import struct
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

from facedown.laws.clock import by_the_wall
from facedown.laws.findings import Findings

Progress = Callable[[str, int, int], None]
Run = Callable[[Progress], Findings]

SLACK = 5.0
"""Seconds beyond half as much again as its time, after which a check is ended where it stands."""

HANDOVER = 8.0
"""Seconds beyond that in which it hands its findings over, before it is killed."""

_HEAD = struct.Struct("<Q")
_BUSY = 40.0
_OFTEN = 0.1  # seconds between two words of progress


def grace(seconds: float | None) -> float | None:
    """By the wall, how long a check may take before it is ended where it stands.

    One that counts the processor's time may be kept waiting by others for much longer.
    """
    if seconds is None:
        return None
    return (1.5 * seconds + SLACK) * (1.0 if by_the_wall() else _BUSY)


def _silent(law: str, done: int, total: int) -> None:
    """Nobody wants to know."""


def watched(
    run: Run,
    seconds: float | None,
    progress: Progress | None,
    stuck: Callable[[str, float], Findings],
) -> Findings:
    """What `run` finds; what `stuck(law, seconds)` says of it where it had to be killed.

    Without a clock, or where processes cannot fork, it runs here.
    """
    tell = progress or _silent
    if seconds is None or not hasattr(os, "fork") or sys.platform == "darwin":
        return run(tell)
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # other threads: they hold no lock of ours
        child = os.fork()
    if child == 0:
        os.close(reader)
        _child(run, writer)
    os.close(writer)
    limit = (grace(seconds) or 0.0) + HANDOVER
    try:
        return _followed(reader, child, limit, tell, stuck)
    finally:
        os.close(reader)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(child, 0)


def _child(run: Run, writer: int) -> None:
    """Run, write, and end without any of the parent's own endings."""
    status = 1
    try:
        told = {"": 0.0}

        def tell(law: str, done: int, total: int) -> None:
            if time.monotonic() - told.get(law, 0.0) > _OFTEN:
                told[law] = time.monotonic()
                _send(writer, ("progress", law, done, total))

        _send(writer, ("found", run(tell)))
        status = 0
    except BaseException as error:
        with contextlib.suppress(BaseException):
            _send(writer, ("failed", error))
    finally:
        os._exit(status)


def _send(writer: int, message: Any) -> None:
    data = pickle.dumps(message)
    left = memoryview(_HEAD.pack(len(data)) + data)
    while left:
        left = left[os.write(writer, left) :]


def _followed(
    reader: int,
    child: int,
    limit: float,
    tell: Progress,
    stuck: Callable[[str, float], Findings],
) -> Findings:
    """Pass on what the child says; kill it at the limit."""
    deadline, law = time.monotonic() + limit, "the first games"
    while (message := _message(reader, deadline)) is not None:
        if message[0] == "found":
            found: Findings = message[1]
            return found
        if message[0] == "failed":
            raise message[1]
        law = message[1]
        tell(*message[1:])
    return stuck(law, limit)


def _message(reader: int, deadline: float) -> Any:
    """The child's next message; None where it has ended without one, or the time is over."""
    head = _read(reader, _HEAD.size, deadline)
    data = None if head is None else _read(reader, _HEAD.unpack(head)[0], deadline)
    return None if data is None else pickle.loads(data)  # our own child's


def _read(reader: int, n: int, deadline: float) -> bytes | None:
    data = b""
    while len(data) < n:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([reader], [], [], left)[0]:
            return None
        part = os.read(reader, min(n - len(data), 1 << 16))
        if not part:
            return None
        data += part
    return data
