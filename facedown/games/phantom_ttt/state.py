"""The record of a position, squares as sets of bits, and the lines of the board."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import jit

SQUARES, NONE = 9, -1
ALL = (1 << SQUARES) - 1

State = np.dtype(
    [
        ("tries", np.int8, (2, SQUARES)),  # the squares that each has tried, in order, NONE to come
        ("marks", np.int16, 2),  # the squares that each has marked, a bit each
        ("met", np.int16, 2),  # the other's squares that each has run into
        ("n", np.int8),  # marks on the board
        ("actor", np.int8),  # whose turn it is
    ]
)

_LINES = np.array([0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124], np.int64)


@jit
def bit(square: int) -> int:
    """The set of one square."""
    return np.int64(1) << np.int64(square)  # type: ignore[return-value]


@jit
def has_line(marks: int) -> bool:
    """Whether three of the marks are in a row."""
    for k in range(8):  # noqa: SIM110  # Numba compiles no generator into `any`
        if marks & _LINES[k] == _LINES[k]:
            return True
    return False


@jit
def size(squares: int) -> int:
    """How many squares a set has."""
    n = 0
    while squares != 0:
        squares &= squares - 1
        n += 1
    return n


@jit
def last_turn(s: Any, player: int) -> int:
    """The number of a player's last turn that ended with a mark, turns counted from 0; or NONE.

    Player 0 has the even turns.
    """
    n = int(s["n"])
    turn = n - 1 if (n - 1) % 2 == player else n - 2
    return max(turn, NONE)
