"""A machine that is many times slower: processes that run for a small part of the time only."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

BEAT = 0.1
"""Seconds of a turn."""


@contextmanager
def slowed(groups: Callable[[], Iterable[int]], share: float) -> Iterator[None]:
    """Have the process groups that are there run for this share of the time, until it is left."""
    over = threading.Event()

    def signalled(what: signal.Signals) -> None:
        for group in list(groups()):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(group, what)

    def beat() -> None:
        while not over.is_set():
            signalled(signal.SIGSTOP)
            over.wait((1 - share) * BEAT)
            signalled(signal.SIGCONT)
            over.wait(share * BEAT)

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        signalled(signal.SIGCONT)
