"""What strangers chose, told as traits: numbers to learn from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numba import types

from facedown.core.jit import kernel
from facedown.core.records import address_of, view
from facedown.games.resistance import Resistance
from facedown.games.resistance.layout import MASKS, MOVE_TRAITS, POSITION_TRAITS, Variant
from facedown.games.resistance.model import list_moves, tell_traits
from facedown.strangers.tables import Decision

Array = np.ndarray[Any, Any]
_LOG = numba.from_dtype(Decision)[::1]


@kernel(
    types.void(types.intp, _LOG, types.float32[:, :, ::1], types.int64[::1]), "training strangers"
)
def _tell(context: int, log: Any, traits: Any, chosen: Any) -> None:
    """The traits of every legal move [decision, move, trait], the position's first; the choice."""
    v, moves = view(context, Variant), np.empty(MASKS, np.int32)
    for i in range(len(log)):
        s = log[i]["state"]
        n = list_moves(v, s, moves)
        told = np.empty(POSITION_TRAITS + n * MOVE_TRAITS)
        tell_traits(v, s, log[i]["player"], moves[:n], told)
        for j in range(n):
            traits[i, j, :POSITION_TRAITS] = told[:POSITION_TRAITS]
            start = POSITION_TRAITS + j * MOVE_TRAITS
            traits[i, j, POSITION_TRAITS:] = told[start : start + MOVE_TRAITS]
            if moves[j] == log[i]["move"]:
                chosen[i] = j


@dataclass(frozen=True, eq=False)
class Told:
    """Choices between as many moves: traits [choice, move, trait], and which was chosen."""

    traits: Array
    chosen: Array

    def part(self, places: Any) -> Told:
        """Some of them."""
        return Told(self.traits[places], self.chosen[places])


def tell(game: Resistance, log: Array, moves: int) -> Told:
    """Decisions between so many moves each, told as traits."""
    traits = np.zeros((len(log), moves, POSITION_TRAITS + MOVE_TRAITS), np.float32)
    chosen, context = np.zeros(len(log), np.int64), game.without_model
    _tell(address_of(context), np.ascontiguousarray(log), traits, chosen)
    return Told(traits, chosen)
