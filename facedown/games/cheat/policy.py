"""The rollout policy of section 4.5: how people played, and six reasons to call a lie at once.

Figure 2 has the share of each of the 18 abstract actions in games between people; the value of a
call is 0.105, by which the shares sum to 1. Where an action is not applicable, the others have its
share in proportion (the formula of the section). If the claim just made is false in this world, a
call is certain in six cases, which the paper names a to f: a playout knows what a player does not,
so that it does not go on with what nobody should.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import jit, uniform
from facedown.games.cheat.cards import count
from facedown.games.cheat.state import (
    CALL,
    FALSE_HIGHER,
    FALSE_LOWER,
    TAKE,
    TRUE_HIGHER,
    TRUE_LOWER,
    beside,
    bit,
    is_claim,
    is_lie,
    mover,
)

HIGHER = (0.173, 0.062, 0.024, 0.012)  # claims of 1, 2, 3 and 4 cards, true or false alike
LOWER = (0.085, 0.029, 0.021, 0.023)
CALLS, TAKES = 0.105, 0.037
FIGURE_2 = (*HIGHER, *LOWER, *HIGHER, *LOWER, CALLS, TAKES)  # by the numbers of moves

MUCH = 8  # more cards on the table than this, or more lies caught, are reasons to call

_UP = np.cumsum((0.0, *HIGHER))  # by the most cards that can be claimed
_DOWN = np.cumsum((0.0, *LOWER))


@jit
def must_call(s: Any, player: int) -> bool:
    """Whether one of the six cases holds, the claim just made being false."""
    other, rank = 1 - player, int(s["rank"])
    one = bit(rank)
    return (
        s["size"][other] == 0  # a
        or s["table"] > MUCH  # b
        or s["times"][other] > MUCH  # c
        or (int(s["again"][other]) & one) != 0  # d
        or count(s["cards"][player], rank) > 0  # e
        or (int(s["caught"][other]) & one) != 0  # f
    )


@jit
def _claim(left: float, kind: int, shares: Any) -> int:
    """The claim of a kind whose share `left` falls into; the shares are added up."""
    k = 0
    while k < 3 and left >= shares[k + 1]:
        k += 1
    return kind + k


@jit
def by_figure_2(s: Any, ranks: int, player: int, calls: bool, point: float) -> int:
    """The move at a point of [0, 1), Figure 2's shares of what is applicable laid end to end."""
    rank, hand, held = int(s["rank"]), s["cards"][player], int(s["size"][player])
    up = count(hand, beside(rank, False, ranks))
    down = count(hand, beside(rank, True, ranks))
    true_up, true_down = _UP[up], _DOWN[down]
    false_up, false_down = _UP[min(held - up, 4)], _DOWN[min(held - down, 4)]
    call = CALLS if calls else 0.0
    take = TAKES if s["deck"] > 0 else 0.0
    left = point * (true_up + true_down + false_up + false_down + call + take)
    if left < call:
        return CALL
    left -= call
    if left < take:
        return TAKE
    left -= take
    if left < true_up:
        return _claim(left, TRUE_HIGHER, _UP)
    left -= true_up
    if left < true_down:
        return _claim(left, TRUE_LOWER, _DOWN)
    left -= true_down
    if left < false_up or false_down == 0.0:
        return min(_claim(left, FALSE_HIGHER, _UP), FALSE_HIGHER + held - up - 1)
    left -= false_up
    return min(_claim(left, FALSE_LOWER, _DOWN), FALSE_LOWER + held - down - 1)


def playout(v: Any, s: Any, rng: int) -> int:
    """A call where one of the six cases holds, else a move by Figure 2."""
    player, calls = mover(s), False
    if s["n"] > 0:
        code = int(s["line"][s["n"] - 1])
        if is_lie(code) and must_call(s, player):
            return CALL
        calls = is_claim(code)
    return by_figure_2(s, v["ranks"], player, calls, uniform(rng))
