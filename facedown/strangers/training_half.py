"""The training half, compiled."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types

from facedown.core import jit
from facedown.core.jit import kernel
from facedown.core.records import array, view
from facedown.games.resistance.layout import State, Variant
from facedown.strangers import regulars
from facedown.strangers.craft import PARAMETERS
from facedown.strangers.halves import Half
from facedown.strangers.tables import Decision, play
from facedown.strangers.taught import family_of, nets_of, taught

_LOG = numba.from_dtype(Decision)[::1]
_ARRAYS = types.int64[:, ::1], types.float64[:, :, ::1]
_FIRST = len(regulars.SCRIPTED)
_act = regulars.act
_NETS = nets_of("apprentice")


@jit
def act(v: Any, s: Any, player: int, family: int, q: Any, rng: int) -> int:
    """The move of a player of a family, by its view."""
    if family < _FIRST:
        return _act(v, s, player, family, q, rng)
    return taught(v, s, player, q, rng, _NETS)


@kernel(types.int64(*[types.intp] * 2, *[types.int64] * 2, *[types.intp] * 2), "training strangers")
def choose(context: int, state: int, player: int, family: int, numbers: int, rng: int) -> int:
    """What a player of a family plays."""
    q = array(numbers, PARAMETERS, np.float64)
    return act(view(context, Variant), view(state, State), player, family, q, rng)


@kernel(types.int64(types.intp, *_ARRAYS, types.intp, _LOG, types.int64[::1]), "training strangers")
def games(context: int, seats: Any, numbers: Any, rng: int, log: Any, spies: Any) -> int:
    """Games between players of this half."""
    return play(act, context, seats, numbers, rng, log, spies)


TRAINING = Half("training", (*regulars.SCRIPTED, family_of("apprentice")), choose, games)
