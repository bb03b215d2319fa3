"""A limit on how long a call may take, so that an agent that never returns loses one game only."""

from __future__ import annotations

import gc
import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

from facedown.core.plain import SHIELDED

T = TypeVar("T")

_SOON = 0.001  # seconds until the next strike, where one cannot be raised
_AGAIN = 1.0  # seconds between strikes: the first may land where exceptions are swallowed


class Overrun(BaseException):
    """The time is up. Not an Exception, so that an agent's own `except Exception` lets it pass."""


_CALLED_BACK = ("_raw_object_cache_notify", "_raw_object_cache_getbuffer", "__del__")


def shielded(frame: FrameType | None) -> bool:
    """Whether an exception must not, or cannot, be raised here.

    Not in code that says so, and not below a function that LLVM calls while it loads code, that
    ends an object, or that the collector of garbage calls: what is raised there is printed and
    dropped, and half of the work left undone.
    """
    if frame is not None and frame.f_code in SHIELDED:
        return True
    collecting = {getattr(called, "__code__", None) for called in gc.callbacks}
    while frame is not None:
        if frame.f_code.co_name in _CALLED_BACK or frame.f_code in collecting:
            return True
        frame = frame.f_back
    return False


def can_interrupt() -> bool:
    """Whether a call can be stopped while it runs: POSIX, and only in the main thread."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def limited(seconds: float | None, call: Callable[[], T]) -> T:
    """`call()`, with Overrun raised in it once `seconds` have passed.

    Where nothing can interrupt it (`can_interrupt`), and inside compiled code, the call runs to its
    end: whoever holds the clock measures it afterwards as well.

    >>> limited(5.0, lambda: "in time")
    'in time'
    """
    if seconds is None or not can_interrupt():
        return call()
    armed = True

    def strike(signum: int, frame: FrameType | None) -> None:
        if armed and shielded(frame):
            signal.setitimer(signal.ITIMER_REAL, _SOON, _AGAIN)
        elif armed:
            raise Overrun

    handler = signal.signal(signal.SIGALRM, strike)
    timer = (0.0, 0.0)
    try:  # twice, because a strike may land in the inner `finally` before it disarms
        try:
            timer = signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6), _AGAIN)
            return call()
        finally:
            armed = False
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler)
