"""A player of Kuhn poker from the book: one of Kuhn's equilibria (alpha = 1/3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from facedown.core import Stream
from facedown.games.kuhn.rules import BET, PASS

_BETS: dict[tuple[int, ...], tuple[float, float, float]] = {
    (): (1 / 3, 0.0, 1.0),
    (PASS,): (1 / 3, 0.0, 1.0),
    (BET,): (0.0, 1 / 3, 1.0),
    (PASS, BET): (0.0, 2 / 3, 1.0),
}
"""How often to bet (or call) with a jack, a queen or a king, after what has been played."""


def choose(view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
    """Bet as often as the table says."""
    played = tuple(int(move) for move in view["line"][: view["n"]])
    return BET if stream.random() < _BETS[played][int(view["cards"][player])] else PASS
