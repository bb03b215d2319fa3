"""A game of hidden movement, compiled: a fugitive on a grid of four by four, and one hunter.

The fugitive starts in a corner that chance draws unseen, and steps or stays, unseen but for the
third move, which is shown. The hunter goes a step, or listens: all hear whether the fugitive is
within one step. To go where the fugitive is ends the game; after six rounds the fugitive has got
away.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from facedown.core import CHANCE, OVER, CompiledGame, below, jit, mix
from facedown.core.rules import RULES

SIDE, CELLS, ROUNDS, SHOWN = 4, 16, 6, 3
GO, LISTEN = CELLS, 2 * CELLS
HIDDEN, QUIET = -1, 0

State = np.dtype(
    [
        ("trail", np.int32, ROUNDS + 1),  # where the fugitive was, from the start on
        ("path", np.int32, ROUNDS + 1),  # the hunter likewise
        ("heard", np.int32, ROUNDS),  # -1 did not listen, 0 nothing, 1 something
        ("moved", np.int32),  # the fugitive's moves, -1 before the start
        ("acts", np.int32),  # the hunter's
        ("caught", np.int32),
    ]
)


@jit
def apart(a: int, b: int) -> int:
    """Steps from one cell to another."""
    return abs(a // SIDE - b // SIDE) + abs(a % SIDE - b % SIDE)  # type: ignore[no-any-return]


@jit
def ways(cell: int, hunter: int) -> int:
    """How many moves a fugitive has there."""
    n = 0
    for to in range(CELLS):
        if apart(cell, to) <= 1 and to != hunter:
            n += 1
    return n


def start(s: Any) -> None:
    s["trail"][:] = HIDDEN
    s["path"][:] = HIDDEN
    s["path"][0] = 5
    s["heard"][:] = HIDDEN
    s["moved"] = -1
    s["acts"] = 0
    s["caught"] = 0


def turn(s: Any) -> int:
    if s["moved"] < 0:
        return CHANCE
    if s["caught"] == 1 or s["acts"] == ROUNDS:
        return OVER
    return 0 if s["moved"] == s["acts"] else 1


def legal(s: Any, moves: Any) -> int:
    n = 0
    if s["moved"] < 0:
        for row in range(2):
            for column in range(2):
                moves[n] = (SIDE - 1) * (SIDE * row + column)
                n += 1
        return n
    hunter = s["path"][s["acts"]]
    if s["moved"] == s["acts"]:
        here = s["trail"][s["moved"]]
        for to in range(CELLS):
            if apart(here, to) <= 1 and to != hunter:
                moves[n] = to
                n += 1
        return n
    for to in range(CELLS):
        if apart(hunter, to) == 1:
            moves[n] = GO + to
            n += 1
    moves[n] = LISTEN
    return n + 1


def weights(s: Any, out: Any) -> None:
    for k in range(4):
        out[k] = 4.0 - k


def apply(s: Any, move: int) -> None:
    if move < GO:
        s["moved"] += 1
        s["trail"][s["moved"]] = move
        return
    at, here = s["acts"], s["trail"][s["moved"]]
    if move == LISTEN:
        s["path"][at + 1] = s["path"][at]
        s["heard"][at] = 1 if apart(here, s["path"][at]) <= 1 else 0
    else:
        s["path"][at + 1] = move - GO
        s["caught"] = 1 if here == move - GO else 0
    s["acts"] = at + 1


def sees(s: Any, move: int, viewer: int) -> int:
    if move < GO:
        return move + 1 if viewer == 0 or s["moved"] + 1 == SHOWN else 100
    here = s["trail"][s["moved"]]
    if move == LISTEN:
        return 201 if apart(here, s["path"][s["acts"]]) <= 1 else 200
    return move + (150 if here == move - GO else 120)


def payoff(s: Any, pay: Any) -> None:
    pay[1] = 1.0 if s["caught"] == 1 else 0.0
    pay[0] = 1.0 - pay[1]


def hide(s: Any, viewer: int) -> None:
    if viewer == 0:
        return
    for k in range(s["moved"] + 1):
        if k != SHOWN and not (s["caught"] == 1 and k == s["moved"]):
            s["trail"][k] = HIDDEN


def infoset(s: Any, viewer: int) -> int:
    key = mix(int(s["moved"]) + 2, int(s["acts"]) + 1)
    for k in range(ROUNDS + 1):
        shown = viewer == 0 or k == SHOWN or (s["caught"] == 1 and k == s["moved"])
        key = mix(key, int(s["trail"][k]) + 2 if shown else 1)
        key = mix(key, int(s["path"][k]) + 2)
    for k in range(ROUNDS):
        key = mix(key, int(s["heard"][k]) + 2)
    return key  # type: ignore[no-any-return]


@jit
def fits(s: Any, k: int, cell: int) -> bool:
    """Whether the fugitive can have been there after move `k`, for all that came of it."""
    if s["trail"][k] != HIDDEN and s["trail"][k] != cell:
        return False
    act = k - 1
    if k == 0 or act >= s["acts"]:
        return True
    if s["heard"][act] >= 0:
        return bool((apart(cell, s["path"][act]) <= 1) == (s["heard"][act] == 1))
    caught = s["caught"] == 1 and k == s["moved"]
    return bool((cell == s["path"][act + 1]) == caught)


@jit
def step(s: Any, k: int, cell: int, to: int) -> float:
    """How likely the fugitive's move `k` leads from a cell to another."""
    hunter = s["path"][k - 1]
    if apart(cell, to) > 1 or to == hunter:
        return 0.0
    return 1.0 / ways(cell, hunter)


@jit
def drawn(odds: Any, rng: int) -> int:
    """A cell by its odds."""
    left = odds.sum() * below(rng, 1 << 30) / (1 << 30)
    last = 0
    for cell in range(CELLS):
        if odds[cell] > 0.0:
            last = cell
            left -= odds[cell]
            if left < 0.0:
                return cell
    return last


@jit
def filtered(s: Any, odds: Any) -> None:
    """odds[k, cell]: of the trails up to move `k` that fit all that was seen by then."""
    for k in range(4):
        cell = (SIDE - 1) * (SIDE * (k // 2) + k % 2)
        odds[0, cell] = 4.0 - k if fits(s, 0, cell) else 0.0
    for k in range(1, s["moved"] + 1):
        for cell in range(CELLS):
            for to in range(CELLS):
                if odds[k - 1, cell] > 0.0 and fits(s, k, to):
                    odds[k, to] += odds[k - 1, cell] * step(s, k, cell, to)


def determinize(s: Any, viewer: int, rng: int) -> None:
    if viewer == 0 or s["moved"] < 0:
        return
    odds = np.zeros((ROUNDS + 1, CELLS))
    filtered(s, odds)
    last = s["moved"]
    s["trail"][last] = drawn(odds[last], rng)
    for k in range(last, 0, -1):
        before = np.zeros(CELLS)
        for cell in range(CELLS):
            before[cell] = odds[k - 1, cell] * step(s, k, cell, s["trail"][k])
        s["trail"][k - 1] = drawn(before, rng)


class Hunt(CompiledGame):
    """One fugitive, one hunter, sixteen cells."""

    State = State
    players, moves, most_moves, most_plies = 2, LISTEN + 1, 6, 1 + 2 * ROUNDS
    bounds = (0.0, 1.0)

    def move_text(self, move: int) -> str:
        if move == LISTEN:
            return "listen"
        return f"go {move - GO}" if move >= GO else f"to {move}"


def with_rules(**wrong: Any) -> ModuleType:
    """The rules as they should be, but for those that are given."""
    module = ModuleType("wrong")
    module.__file__ = __file__
    kept = {name: globals()[name] for name in RULES if name in globals()}
    module.__dict__.update({**kept, **wrong})
    return module
