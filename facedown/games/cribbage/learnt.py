"""What was learnt from play: the worth of a throw to the crib, and the chance of winning.

`learnt.npz` beside this file holds both tables, and in `about` the command, the seed, the recipe
and the numbers of hands that made them. `facedown winning` makes it anew.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from facedown.core.errors import SpecError
from facedown.core.files import write_whole
from facedown.games.cribbage.state import GOAL

Table = np.ndarray[Any, np.dtype[np.float64]]

FILE = Path(__file__).with_name("learnt.npz")
_ROLES, _SUITED, _DOUBLES = 2, 2, 91


@dataclass(frozen=True, eq=False)
class Learnt:
    """Tables that play has filled.

    `crib` [role, suited, double]: the mean count of the crib, by who threw (0 the dealer, 1 the
    pone), by whether his two cards are of one suit, and by their ranks. `winning` [dealer's score,
    pone's score]: the probability that the one who deals next wins.
    """

    crib: Table = field(default_factory=lambda: np.zeros((_ROLES, _SUITED, _DOUBLES)))
    winning: Table = field(default_factory=lambda: np.full((GOAL, GOAL), 0.5))
    about: dict[str, Any] = field(default_factory=dict)

    def save(self, file: Path) -> None:
        """Write the tables, at once or not at all."""
        write_whole(file, self.packed())

    def packed(self) -> bytes:
        """The tables as their file holds them."""
        crib, winning = (table.astype(np.float32) for table in (self.crib, self.winning))
        out = io.BytesIO()
        np.savez_compressed(out, about=np.array(json.dumps(self.about)), crib=crib, winning=winning)
        return out.getvalue()


def read(file: Path) -> Learnt:
    """The tables of a file; SpecError where they are none."""
    try:
        with np.load(file) as found:
            crib, winning = (found[name].astype(np.float64) for name in ("crib", "winning"))
            about = json.loads(str(found["about"]))
        _check(crib, (_ROLES, _SUITED, _DOUBLES), 29.0)
        _check(winning, (GOAL, GOAL), 1.0)
    except Exception as error:  # whatever a broken file makes of NumPy
        what = f"{type(error).__name__}: {error}"
        raise SpecError(f"{file} holds no tables of cribbage: {what}") from None
    return Learnt(crib, winning, about)


def _check(table: Table, shape: tuple[int, ...], most: float) -> None:
    """ValueError where a table has another shape, or numbers that cannot be."""
    if table.shape != shape or not ((table >= 0.0) & (table <= most)).all():
        raise ValueError(f"a table is not {' by '.join(map(str, shape))}, from 0 to {most:g}")


@cache
def stored() -> Learnt:
    """The tables that belong to the game."""
    return read(FILE)
