"""The sheet that `determinize` works on, and what happens on it when a round is gone through."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import jit
from facedown.games.cheat.cards import COPIES, RANKS
from facedown.games.cheat.state import ROUNDS, is_claim, is_lie, mover_of, options

_SLOTS = RANKS * COPIES
Sheet = np.dtype(
    [
        # what the view tells, the same for every try
        ("pool", np.int64, RANKS),  # cards of a rank that the viewer has not placed
        ("slots", np.int64, 2),  # hidden slots of each player; 0 of the viewer's
        ("taken", np.int64, 2),  # of them those of cards taken
        ("need", np.int64, (2, _SLOTS, RANKS)),  # cards that had to be there before the k-th taken
        ("factor", np.float64, (2, RANKS, COPIES + 1)),  # weight of so many cards of a rank
        ("share", np.float64, (RANKS, COPIES + 1, COPIES + 1)),  # of so many in each one's slots
        ("least", np.int64, ROUNDS),  # the fewest moves that the other can have had in a round
        ("needed", np.int64, (2, RANKS)),  # cards that had to be there by the round looked at
        ("gone", np.int64, 2),  # cards laid unseen by then
        ("truths", np.int64, ROUNDS),  # whether a claim unseen can be true or false: 2, or only one
        # what is drawn in a try
        ("filled", np.int64, (2, RANKS)),  # cards of each rank in a player's slots
        ("took", np.int64, (2, _SLOTS)),  # the ranks of the cards taken, in order
        ("held", np.int64, (2, RANKS)),  # what a player held, as the walk goes on
        ("could", np.int64, (2, RANKS)),  # the same, if all slots had been filled at the start
        ("pile", np.int64, RANKS),
        ("size", np.int64, 2),
        ("seen", np.int64, 2),  # cards taken by then
        ("code", np.int64, ROUNDS),
        ("laid", np.int64, ROUNDS),
        # the world to take if none is accepted
        ("kept_held", np.int64, (2, RANKS)),
        ("kept_code", np.int64, ROUNDS),
        ("kept_laid", np.int64, ROUNDS),
    ]
)


@jit
def set_out(s: Any, v: Any, w: Any) -> None:
    """The table before the first round."""
    for rank in range(RANKS):
        w["pile"][rank] = 1 if s["turned"] == rank else 0
    for player in range(2):
        w["size"][player] = v["dealt"] if s["turned"] >= 0 else int(s["size"][player])
        w["seen"][player] = 0


@jit
def pick_up(s: Any, w: Any, k: int) -> None:
    """Whoever has to, takes the pile after the call of round `k`."""
    lie = is_lie(int(s["line"][k - 1]))
    taker = mover_of(s, k - 1) if lie else mover_of(s, k)
    for rank in range(RANKS):
        cards = w["pile"][rank]
        w["held"][taker, rank] += cards
        w["could"][taker, rank] += cards
        w["size"][taker] += cards
        w["pile"][rank] = 0


@jit
def lay(w: Any, player: int, laid: int) -> None:
    """Cards go onto the table from what a player held, and from what he could have held."""
    while laid != 0:
        rank = (laid & 15) - 1
        w["held"][player, rank] -= 1
        w["could"][player, rank] -= 1
        w["pile"][rank] += 1
        laid >>= 4


@jit
def moves_of(s: Any, k: int, had: int, up: int, down: int, deck: int) -> int:
    """How many moves whoever moved in round `k` had, so many cards and so many of each rank."""
    n = options(had, up) + options(had, down) + (1 if deck > 0 else 0)
    return n + 1 if k > 0 and is_claim(int(s["line"][k - 1])) else n
