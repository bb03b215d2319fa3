"""The clock of a check: the wall's, or, for measurements on a busy machine, the processor's."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

_source = time.monotonic


def now() -> float:
    """Seconds of the clock in use."""
    return _source()


@contextmanager
def processor_time() -> Iterator[None]:
    """Have checks within this block count the processor's seconds, so that others do not matter."""
    global _source  # one check at a time, and nothing else has this clock
    before, _source = _source, time.process_time
    try:
        yield
    finally:
        _source = before


def by_the_wall() -> bool:
    """Whether the clock in use is the one on the wall."""
    return _source is time.monotonic
