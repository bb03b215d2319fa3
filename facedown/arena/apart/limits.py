"""What an agent apart may use."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from facedown.core import SpecError

LONGEST = 600.0
"""Seconds that an agent apart may take for a move where no clock was asked for."""


@dataclass(frozen=True)
class Limits:
    """Limits of one agent's process, for one game.

    `memory` is what it may take beyond what it begins with, and `files` what it may write, to a
    folder of its own that goes with it, in megabytes; `cpu` is processor time in seconds, None
    without a limit; `processes` is how many it may have beside itself, threads included.
    """

    memory: int = 2048
    files: int = 64
    cpu: float | None = None
    processes: int = 64

    def to_json(self) -> dict[str, Any]:
        """The limits as plain JSON."""
        return asdict(self)


def limits_of(text: str) -> Limits:
    """The limits that are given as `memory=512,cpu=60`; SpecError lists what may be given.

    >>> limits_of("memory=512,cpu=60").cpu
    60.0
    """
    known = [field.name for field in fields(Limits)]
    given: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        if name not in known:
            raise SpecError(f"no limit {name!r}; limits: {', '.join(known)}")
        given[name] = _number(name, value)
    return Limits(**given)


def _number(name: str, value: str) -> float:
    try:
        number = float(value) if name == "cpu" else int(value)
    except ValueError:
        number = -1
    least = 0 if name == "processes" else 1
    if not least <= number < 1 << 31:
        raise SpecError(f"{name}={value}: a limit is a number from {least} to {(1 << 31) - 1}")
    return number
