"""Whole games between strangers, compiled: a million decisions in seconds.

`play` is handed the half's own `act`, so that those who learn compile nothing of the other half.
Every player is shown its view and no more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import CHANCE, OVER, below, jit
from facedown.core.records import view
from facedown.games.resistance import rules
from facedown.games.resistance.layout import MASKS, State, Variant

Decision = np.dtype(
    [
        ("state", State),  # what the player sees
        ("player", np.int32),
        ("game", np.int32),
        ("move", np.int32),
        ("mask", np.int32),  # of the spies, for those who train and measure
    ]
)

begin, to_move = jit(rules.start), jit(rules.turn)
list_moves, make_move, blank = jit(rules.legal), jit(rules.apply), jit(rules.hide)


@jit
def play(act: Any, context: int, seats: Any, numbers: Any, rng: int, log: Any, spies: Any) -> int:
    """Play a game for each row of `seats`; how many decisions are in the log.

    `seats` [games, players] are families, `numbers` [games, players, n] parameters. `spies` gets
    the mask of spies of each game, negative where they won. What finds no room in the log is not
    kept.
    """
    v = view(context, Variant)
    truth, seen = np.zeros(1, State), np.zeros(1, State)
    moves = np.empty(MASKS, np.int32)
    logged = 0
    for g in range(len(seats)):
        s = truth[0]
        begin(v, s)
        while to_move(v, s) != OVER:
            player, n = to_move(v, s), list_moves(v, s, moves)
            if player == CHANCE or n == 1:
                make_move(v, s, int(moves[below(rng, n)]))
                continue
            seen[0] = truth[0]
            blank(v, seen[0], player)
            seen[0]["actor"] = player
            move = act(v, seen[0], player, seats[g, player], numbers[g, player], rng)
            if logged < len(log):
                log[logged]["state"] = seen[0]
                log[logged]["player"], log[logged]["game"] = player, g
                log[logged]["move"], log[logged]["mask"] = move, s["spies"]
                logged += 1
            make_move(v, s, move)
        lost = s["won"] == 3 or s["attempt"] == 5
        spies[g] = -s["spies"] if lost else s["spies"]
    return logged
