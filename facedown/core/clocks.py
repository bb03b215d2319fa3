"""The time that thinking takes: by the clock on the wall, or by the processor.

On a busy machine a second of the wall's is more or less thinking as others let it. Whoever thinks
within `own_time` is measured by what its own thread has had of a processor.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_own: ContextVar[bool] = ContextVar("own", default=False)


def now() -> float:
    """Seconds, from some moment on: the wall's, or within `own_time` this thread's."""
    return time.thread_time() if _own.get() else time.perf_counter()


@contextmanager
def own_time(wanted: bool = True) -> Iterator[None]:
    """Have `now` tell the processor time of this thread within the block, if that is wanted.

    >>> with own_time():
    ...     began = now()
    ...     time.sleep(0.05)
    ...     now() - began < 0.05
    True
    """
    token = _own.set(wanted)
    try:
        yield
    finally:
        _own.reset(token)
