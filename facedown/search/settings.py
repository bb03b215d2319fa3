"""What the parts of a recipe share: fields that specs can set, and what they may be."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any, get_type_hints

from facedown.core import SpecError


@dataclass(frozen=True)
class Range:
    """What a number may be."""

    low: float
    high: float = math.inf
    above: bool = False  # more than `low`, and not it
    below: bool = False  # less than `high`, and not it

    def fault(self, value: float) -> str:
        """What would be right in place of a value; empty where it is."""
        if value == math.inf:
            return "a finite number is wanted"
        over = value > self.low if self.above else value >= self.low
        under = value < self.high if self.below else value <= self.high
        return "" if over and under else f"{self._words()} is wanted"

    def _words(self) -> str:
        if self.high == math.inf:
            return f"{'more than' if self.above else 'at least'} {self.low}"
        if not (self.above or self.below):
            return f"between {self.low} and {self.high}"
        low = "more than" if self.above else "at least"
        return f"{low} {self.low}, {'less than' if self.below else 'at most'} {self.high}"


@dataclass(frozen=True)
class Option:
    """Marks a field that agents offer as an option of their specs, perhaps under another name."""

    name: str = ""
    within: Range | None = None


@dataclass(frozen=True)
class Offered:
    """A field of a recipe, or of a part of it, that is an option."""

    name: str
    field: str
    kind: Any
    within: Range | None


class Settings:
    """What a recipe is made of: fields, some of which are options."""

    def __post_init__(self) -> None:
        part: Any = type(self)
        for one in offered(part):
            value = getattr(self, one.field)
            fault = "" if one.within is None or value is None else one.within.fault(value)
            if fault:
                raise SpecError(f"{one.name}={value}: {fault}")


@cache
def offered(part: Any) -> tuple[Offered, ...]:
    """The options among the fields of a recipe, or of a part of it."""
    found = []
    for name, hint in get_type_hints(part, include_extras=True).items():
        for mark in getattr(hint, "__metadata__", ()):
            if isinstance(mark, Option):
                found.append(Offered(mark.name or name, name, hint.__origin__, mark.within))
    return tuple(found)
