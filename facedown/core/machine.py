"""What the machine has, and so what can be asked of it."""

from __future__ import annotations

import os
import sys
from functools import cache
from pathlib import Path

THREADS_A_CORE = 16
"""Threads, or processes, that may be asked for, for each processor."""

_UNKNOWN = 1 << 34  # bytes, where nobody says how many there are


def cores() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def most_threads() -> int:
    """As many as make any sense here; at least 64, for who asks for some knows another machine."""
    return max(64, THREADS_A_CORE * cores())


@cache
def memory() -> int:
    """The bytes of memory that this process may use."""
    try:
        found = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        found = _UNKNOWN
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return found
    return min(found, int(limit)) if limit.isdecimal() else found


def as_program(module: str, *words: str) -> list[str]:
    """The command line of a module of ours that is started as a program.

    -P: no module comes from the folder that somebody stands in, which may be a stranger's.
    """
    return [sys.executable, "-P", "-m", module, *words]
