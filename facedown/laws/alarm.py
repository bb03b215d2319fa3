"""The alarm of a check: what runs beyond its time is ended, and a rule that hangs is named."""

from __future__ import annotations

import signal
import time
import traceback
from collections.abc import Callable
from types import FrameType

from facedown.arena.clock import Overrun, can_interrupt, shielded

_HANGS = 1.0  # seconds of the processor in one call of a rule, after the end, that are too many
_LONGEST = 5.0  # seconds on the wall likewise: a rule may sleep
_AGAIN = 0.25
_ASKING = {"_call", "raw_legal", "_raw_values"}  # whoever calls a rule is in one of these


class HangingError(Overrun):
    """A rule did not come back; the text says where it is."""


def asking(frame: FrameType | None) -> FrameType | None:
    """The frame of the call of a rule that is under way; None where none is."""
    while frame is not None and frame.f_code.co_name not in _ASKING:
        frame = frame.f_back
    return frame


class _Striker:
    """Ends a call at the first alarm that finds no rule under way, or one that hangs."""

    def __init__(self) -> None:
        self.armed = True
        self._rule: FrameType | None = None
        self._since = (0.0, 0.0)

    def __call__(self, signum: int, frame: FrameType | None) -> None:
        if not self.armed or shielded(frame):
            return  # it rings again in a moment
        rule, clocks = asking(frame), (time.process_time(), time.monotonic())
        if rule is None or (self._rule is not None and rule is not self._rule):
            raise Overrun
        if self._rule is None:
            self._rule, self._since = rule, clocks
        elif clocks[0] - self._since[0] > _HANGS or clocks[1] - self._since[1] > _LONGEST:
            last = traceback.extract_stack(frame)[-1]
            raise HangingError(f"{last.filename}:{last.lineno}, in {last.name}")


def ended(seconds: float | None, call: Callable[[], None]) -> None:
    """`call()`, ended by an Overrun once `seconds` have passed by the wall.

    It is a HangingError where a rule hangs, and says where. Where nothing can interrupt the call,
    and inside compiled code, it runs to its end.
    """
    if seconds is None or not can_interrupt():
        call()
        return
    strike = _Striker()
    handler = signal.signal(signal.SIGALRM, strike)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-3), _AGAIN)
            call()
        finally:
            strike.armed = False
    finally:
        strike.armed = False
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, handler)
