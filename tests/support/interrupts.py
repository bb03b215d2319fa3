"""A clock that strikes at a given step of some work: each of Python's own instructions is one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from facedown.core.plain import SHIELDED


class Struck(BaseException):
    """The time is up, as `arena.clock.Overrun`."""

    __module__ = "facedown.arena.clock"  # one of ours, which goes through rules as it is


class Clock:
    """Counts the instructions of code that `watched` picks, and strikes at one of them."""

    def __init__(self, watched: Callable[[CodeType], bool]) -> None:
        self._watched = watched
        self._steps, self._at = 0, -1
        self._known: dict[CodeType, bool] = {}

    def steps(self, work: Callable[[], object]) -> int:
        """How many instructions some work takes."""
        self._run(work, -1)
        return self._steps

    def strike(self, work: Callable[[], object], at: int) -> bool:
        """Do some work and break it off at an instruction; whether it came that far."""
        try:
            self._run(work, at)
        except Struck:
            return True
        return False

    def _run(self, work: Callable[[], object], at: int) -> None:
        self._steps, self._at = 0, at
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            work()
        finally:
            sys.settrace(before)

    def _enter(self, frame: FrameType, event: str, arg: Any) -> Any:
        code = frame.f_code
        if code not in self._known:
            self._known[code] = self._watched(code)
        if not self._known[code]:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return self._count

    def _count(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "opcode":
            self._steps += 1
            if 0 <= self._at <= self._steps and frame.f_code not in SHIELDED:
                self._at = -1
                raise Struck
        return self._count


def within(*parts: str) -> Callable[[CodeType], bool]:
    """Code of files whose paths have one of these parts, and what was made of text."""
    return lambda code: code.co_filename == "<string>" or any(p in code.co_filename for p in parts)
