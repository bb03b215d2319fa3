"""Rollouts: random moves to the end of a game, in one loop that its rules are compiled into.

Where everybody has left the tree a search plays on without looking, and there most of its moves
are made. Calling the rules one by one by their addresses keeps the compiler from seeing through
them; compiled together in one loop they run two to six times as fast. The loop is made for each
game from one template, with the game's own functions for its globals, so that it caches like a rule
of the game. It draws the same random numbers as a search that asks rule by rule.

A rollout gets its *orders* as one int64 array of numbers and addresses, which stay the same for a
whole search, and the ply at which it begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from facedown.core.constants import CHANCE, OVER
from facedown.core.jit import jit, native
from facedown.core.made import folders, make
from facedown.core.records import array
from facedown.core.rules import ROLLOUT, call_horizon, call_playout
from facedown.core.streams import below, pick

(TABLE, CTX, STATE, RNG, MOVES, NUMBERS, TRAIL, PAYOFFS) = range(8)
(MOST_PLIES, MOST_MOVES, TO_HORIZON, INFORMED, DECIDED) = range(8, 13)
ORDERS = 13
"""Places in the orders: addresses of the rule table, the context, the position, a stream and the
buffers of a search; then the limits, whether to stop at the horizon and to ask the policy. In the
last the rollout leaves how many of its moves were players'."""

ENDLESS, STUCK = -1, -2
"""Instead of the ply at the end: no end within `MOST_PLIES`; no legal moves, or too many."""


@jit
def _none(ctx: int, state: int, more: int) -> int:
    """Stands for a rule that a game does not have, and is never called."""
    return 0


# The game's own when a rollout is made.
turn: Any = _none
legal: Any = _none
apply: Any = _none
payoff: Any = _none
draw: Any = _none
weights: Any = _none
DRAWS = WEIGHS = False


def rollout(orders: int, ply: int) -> int:
    """Play on from a position that is not over, `ply` moves after the root; the ply at the end.

    Fills the payoffs, or the values at the horizon, and the trail of moves.
    """
    o = array(orders, ORDERS, np.int64)
    table, ctx, state, rng = o[TABLE], o[CTX], o[STATE], o[RNG]
    most_plies, most_moves, to_horizon, informed = (
        o[MOST_PLIES],
        o[MOST_MOVES],
        o[TO_HORIZON],
        o[INFORMED],
    )
    moves, trail = array(o[MOVES], most_moves, np.int32), array(o[TRAIL], most_plies, np.int32)
    player, decided = turn(ctx, state), 0
    while True:
        if player != CHANCE:
            decided += 1
        if player == CHANCE and DRAWS:
            move = np.int64(draw(ctx, state, rng))
        elif player != CHANCE and informed != 0:
            move = np.int64(call_playout(table, ctx, state, rng))
        else:
            n = legal(ctx, state, o[MOVES])
            if n <= 0 or n > most_moves:
                trail[ply] = -1
                return STUCK
            if player == CHANCE and WEIGHS:
                weights(ctx, state, o[NUMBERS])
                move = np.int64(moves[pick(rng, array(o[NUMBERS], n, np.float64), n)])
            else:
                move = np.int64(moves[below(rng, n)])
        trail[ply] = move
        apply(ctx, state, move)
        ply += 1
        if to_horizon != 0 and call_horizon(table, ctx, state, o[PAYOFFS]) != 0:
            o[DECIDED] = decided
            return ply
        player = turn(ctx, state)
        if player == OVER:
            payoff(ctx, state, o[PAYOFFS])
            o[DECIDED] = decided
            return ply
        if ply >= most_plies:
            return ENDLESS


def rollout_of(
    functions: Mapping[str, Callable[..., Any]],
    opened: Mapping[str, Callable[..., Any]],
    sources: tuple[Path, ...],
    kinds: Iterable[Any],
) -> Any:
    """The rollout of a game with these rules, compiled, cached beside them.

    `opened` has the functions by which `functions` are called over addresses (`core.opened`),
    `kinds` the types of the records that those open.
    """
    wanted = ("turn", "legal", "apply", "payoff", "draw", "weights")
    own = {name: functions[name] for name in wanted if name in functions}
    names = {**globals(), **{name: jit(opened[name]) for name in own}}
    names |= {"DRAWS": "draw" in own, "WEIGHS": "weights" in own}
    made = make(rollout.__code__, "rollout", names, of=own, kinds=kinds)
    return native(made, ROLLOUT.signature, (*folders(own.values()), *sources))
