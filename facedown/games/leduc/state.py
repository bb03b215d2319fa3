"""The record of a position, how moves and tokens are numbered."""

from __future__ import annotations

import numpy as np

from facedown.core import jit

State = np.dtype(
    [
        ("cards", np.int8, 3),  # player 0's, player 1's, the board
        ("line", np.int8, 8),  # what the players did, -1 after that
        ("chips", np.int8, 2),  # what each has put into the pot
        ("n", np.int8),  # moves in `line`
        ("dealt", np.int8),  # cards dealt
        ("raises", np.int8),  # in this round
        ("actor", np.int8),  # whose turn it is
    ]
)

FOLD, CALL, RAISE, DEAL = 0, 1, 2, 3
BOARD, RANKS, COPIES = 2, 3, 2
HIDDEN = -1
OWN_CARD, FACE_DOWN, BOARD_CARD = 7, 10, 12  # the first token of each kind


@jit
def copies_left(cards: np.ndarray, rank: int) -> int:
    """The copies of a rank that are not among the known cards."""
    left = COPIES
    for k in range(3):
        if cards[k] == rank:
            left -= 1
    return left
