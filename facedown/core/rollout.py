"""Rollouts: random moves to the end of a game, in one loop that its rules are compiled into.

Where everybody has left the tree a search plays on without looking, and there most of its moves
are made. Calling the rules one by one by their addresses keeps the compiler from seeing through
them; compiled together in one loop they run two to six times as fast. The loop is made for each
game from one template, with the game's own functions for its globals, so that it caches like a rule
of the game. It draws the same random numbers as a search that asks rule by rule.

A rollout takes the address of a `core.stepping.Play`, with which the state of every search begins,
and the ply at which it begins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from facedown.core.constants import CHANCE, OVER
from facedown.core.jit import jit, native
from facedown.core.kinds import draw_kind
from facedown.core.made import make
from facedown.core.records import array, view
from facedown.core.rules import ROLLOUT, call_horizon, call_playout
from facedown.core.stepping import Play, by_average, one_of, typed_move
from facedown.core.streams import below

ENDLESS, STUCK = -1, -2
"""Instead of the ply at the end: no end within `most_plies`; no legal moves, or too many."""


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
kinds: Any = _none
of_kind: Any = _none
DRAWS = WEIGHS = TYPED = False


def rollout(play: int, ply: int) -> int:
    """Play on from a position that is not over, `ply` moves after the root; the ply at the end.

    Fills the payoffs, or the values at the horizon, and the trail of moves; counts decisions.
    """
    p = view(play, Play)
    ctx, state, rng, chance = p["ctx"], p["world"], p["rng"], p["chance"]
    most_plies, most_moves, payoffs = p["most_plies"], p["most_moves"], p["payoffs"]
    to_horizon, informed, typed = p["to_horizon"], p["informed"], p["typed"]
    moves, trail = array(p["moves"], most_moves, np.int32), array(p["trail"], most_plies, np.int32)
    numbers = array(p["numbers"], most_moves, np.float64)
    policies = array(typed, p["players"], np.int64)
    averaged, movers = p["averages"] != 0, array(p["movers"], most_plies, np.int8)
    player, decided = turn(ctx, state), p["decided"]
    while True:
        if player != CHANCE:
            decided += 1
        if player == CHANCE and DRAWS:
            move = np.int64(draw(ctx, state, chance))
        elif player != CHANCE and informed != 0:
            move = np.int64(call_playout(play, ctx, state, rng))
        elif player != CHANCE and typed != 0 and not TYPED:
            move = np.int64(typed_move(play, state, rng))
        elif player != CHANCE and typed != 0 and TYPED:
            n = of_kind(ctx, state, draw_kind(policies[player], kinds(ctx, state), rng), p["moves"])
            if n <= 0 or n > most_moves:
                trail[ply] = -1
                return STUCK
            move = np.int64(moves[below(rng, n)])
        else:
            n = legal(ctx, state, p["moves"])
            if n <= 0 or n > most_moves:
                trail[ply] = -1
                return STUCK
            weighed = player == CHANCE and WEIGHS
            if weighed:
                weights(ctx, state, p["numbers"])
            if averaged and player != CHANCE:
                move = np.int64(by_average(play, player, rng, moves, n))
            else:
                source = chance if player == CHANCE else rng
                move = np.int64(one_of(source, moves, n, numbers, weighed))
        trail[ply] = move
        if averaged:
            movers[ply] = player
        apply(ctx, state, move)
        ply += 1
        p["decided"] = decided
        if to_horizon != 0 and call_horizon(play, ctx, state, payoffs) != 0:
            return ply
        player = turn(ctx, state)
        if player == OVER:
            payoff(ctx, state, payoffs)
            return ply
        if ply >= most_plies:
            return ENDLESS


def rollout_of(
    functions: Mapping[str, Callable[..., Any]],
    opened: Mapping[str, Callable[..., Any]],
) -> Any:
    """The rollout of a game with these rules, compiled, cached beside them.

    `opened` has the functions by which `functions` are called over addresses (`core.opened`).
    """
    wanted = ("turn", "legal", "apply", "payoff", "draw", "weights", "kinds", "of_kind")
    own = {name: functions[name] for name in wanted if name in functions}
    names = {**globals(), **{name: jit(opened[name]) for name in own}}
    names |= {"DRAWS": "draw" in own, "WEIGHS": "weights" in own, "TYPED": "kinds" in own}
    made = make(rollout.__code__, "rollout", names, of=own["turn"])
    return native(made, ROLLOUT.signature)
