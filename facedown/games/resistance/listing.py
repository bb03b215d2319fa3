"""The legal moves of The Resistance."""

from __future__ import annotations

from typing import Any

from facedown.games.resistance.layout import (
    APPROVE,
    FAIL,
    PLAYING,
    PROPOSING,
    REJECT,
    SUCCESS,
    TEAM,
    VOTING,
)


def legal(v: Any, s: Any, moves: Any) -> int:
    """The legal moves of whoever acts, or the deals of chance; how many."""
    phase = s["phase"]
    if phase == VOTING:
        moves[0], moves[1] = REJECT, APPROVE
        return 2
    if phase == PLAYING:
        moves[0], moves[1] = SUCCESS, FAIL
        return 1 + ((int(s["spies"]) >> int(s["actor"])) & 1)
    if phase == PROPOSING:
        size = v["sizes"][s["round"]]
        begin, n = v["first"][size], int(v["first"][size + 1] - v["first"][size])
        for k in range(n):
            moves[k] = TEAM + v["by_size"][begin + k]
        return n
    n = int(v["worlds"])
    for k in range(n):
        moves[k] = v["deal"] + k
    return n
