"""A rule-of-thumb player of Leduc hold'em: bet what is strong, give up what is weak."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from facedown.core import Stream
from facedown.games.leduc.state import BOARD, CALL, FOLD, RAISE

_BLUFFS = 0.15  # of the weak hands


def choose(view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
    """Raise a pair or a king, fold a bare jack (later a bare queen) to a raise, else call."""
    card, board = int(view["cards"][player]), int(view["cards"][BOARD])
    pair = card == board
    strong = pair or (card == 2 and board < 0)
    weak = not pair and card < (1 if board < 0 else 2)
    if RAISE in legal and (strong or (weak and stream.random() < _BLUFFS)):
        return RAISE
    return FOLD if weak and FOLD in legal else CALL
