"""Games in which pupils sit among strangers: who plays by the first network of the context."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types

from facedown.core import Stream, jit
from facedown.core.jit import kernel
from facedown.core.records import address_of, lined_up
from facedown.games.resistance.model import playout
from facedown.strangers.regulars import act
from facedown.strangers.tables import Decision, play

Array = np.ndarray[Any, Any]
PUPIL = 1000
"""The number of a seat's family that stands for a pupil."""

_LOG = numba.from_dtype(Decision)[::1]
_ARRAYS = types.int64[:, ::1], types.float64[:, :, ::1]
_by_network = jit(playout)


@jit
def _act(v: Any, s: Any, player: int, family: int, q: Any, rng: int) -> int:
    if family == PUPIL:
        return _by_network(v, s, rng)
    return act(v, s, player, family, q, rng)


@kernel(types.int64(types.intp, *_ARRAYS, types.intp, _LOG, types.int64[::1]), "training strangers")
def _play(context: int, seats: Any, numbers: Any, rng: int, log: Any, spies: Any) -> int:
    """Games of pupils and players of the half to learn from."""
    return play(_act, context, seats, numbers, rng, log, spies)


def lessons(
    context: Array, seats: Array, numbers: Array, seed: int, room: int
) -> tuple[Array, Array]:
    """A game for each row of `seats`, as `Half.games` plays them: decisions, masks of spies."""
    log, spies = lined_up(max(1, room), Decision), np.zeros(len(seats), np.int64)
    stream = Stream(seed)
    n = _play(address_of(context), seats, numbers, stream.address, log, spies)
    return log[:n], spies
