"""A rule-of-thumb player of phantom tic-tac-toe: finish lines, cut known ones, like the middle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from facedown.core import Stream

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def choose(view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
    """Complete a line; stop one that is known; else the square on most lines that can be won."""
    own, other = (
        {k for k in range(9) if int(view["marks"][p]) >> k & 1} for p in (player, 1 - player)
    )
    for marks in (own, other):
        twos = [line for line in LINES if len(marks & {*line}) == 2]
        urgent = [k for k in legal if any(k in line for line in twos)]
        if urgent:
            return stream.choice(urgent)
    worth = {k: sum(k in line and not other & {*line} for line in LINES) for k in legal}
    most = max(worth.values())
    return stream.choice([k for k in legal if worth[k] == most])
