"""Games and agents of others, once they are installed, by entry points."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from typing import Any


@dataclass(frozen=True)
class Offer:
    """A class that a distribution offers under a name."""

    entry: metadata.EntryPoint

    @property
    def origin(self) -> str:
        """The distribution and its version."""
        found = self.entry.dist
        return "somebody" if found is None else f"{found.name} {found.version}"

    @property
    def summary(self) -> str:
        """Where it comes from; nothing is imported to say it."""
        return f"of {self.origin} ({self.entry.value})"

    def load(self, kind: str) -> type[Any]:
        """The class; SpecError where it does not load, or is none."""
        from facedown.core.errors import SpecError
        from facedown.core.specs import told

        what = f"{kind} {self.entry.name!r} of {self.origin}"
        try:
            found = self.entry.load()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # it may leave by sys.exit, too
            raise SpecError(f"{what} does not load: {told(error)}") from error
        if not isinstance(found, type):
            raise SpecError(f"{what} is {type(found).__name__}: a class is wanted")
        return found


def installed(group: str) -> Mapping[str, Offer]:
    """What is offered in a group of entry points, by name; of two of a name the first found.

    Every agent of every game asks for it, so that all that is installed is read once for a path.
    """
    return _installed(group, tuple(sys.path))


@lru_cache(16)
def _installed(group: str, path: tuple[str, ...]) -> Mapping[str, Offer]:
    found: dict[str, Offer] = {}
    for entry in metadata.entry_points(group=group):
        found.setdefault(entry.name, Offer(entry))
    return found
