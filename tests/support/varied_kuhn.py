"""Kuhn poker in which every rule that a search may ask comes in two ways, compiled and plain."""

from __future__ import annotations

import sys
from typing import Any, ClassVar

from facedown.core import CompiledGame, below, mix
from facedown.games.kuhn import (  # noqa: F401
    HIDDEN,
    State,
    apply,
    determinize,
    hide,
    infoset,
    legal,
    payoff,
    sees,
    start,
    turn,
)

VARIANTS: dict[str, Any] = {
    "playout": ("bold",),
    "prior": ("betting",),
    "bucket": ("coarse",),
    "horizon": {"early": (0.0, 8.0)},
    "determinize": ("lowest",),
}


def playout(s: Any, rng: int) -> int:
    """Each move as often as the other."""
    return below(rng, 2)  # type: ignore[no-any-return]


def bold(s: Any, rng: int) -> int:
    """Bets three times of four."""
    return int(below(rng, 4) > 0)


def prior(s: Any, moves: Any, out: Any) -> None:
    for k in range(len(moves)):
        out[k] = 1.0


def betting(s: Any, moves: Any, out: Any) -> None:
    for k in range(len(moves)):
        out[k] = 1.0 + 3.0 * moves[k]


def bucket(s: Any, viewer: int) -> int:
    return mix(int(s["cards"][viewer]) + 2, int(s["n"]) + 1)  # type: ignore[no-any-return]


def coarse(s: Any, viewer: int) -> int:
    """Whatever the card is."""
    return mix(1, int(s["n"]) + 1)  # type: ignore[no-any-return]


def horizon(s: Any, values: Any) -> int:
    """Never before the end."""
    return 0


def early(s: Any, values: Any) -> int:
    """After two moves, where cards and moves are worth something."""
    if s["n"] != 2:
        return 0
    for player in range(2):
        values[player] = float(s["cards"][player] + 2 * s["line"][player])
    return 1


def lowest(s: Any, viewer: int, rng: int) -> None:
    """The other holds the lowest card that is left."""
    for player in range(s["dealt"]):
        if s["cards"][player] == HIDDEN:
            s["cards"][player] = 0 if s["cards"][1 - player] != 0 else 1


class Varied(CompiledGame):
    """Kuhn poker with variants, compiled."""

    State = State
    rules: ClassVar = sys.modules[__name__]
    players, moves, most_moves, most_plies = 2, 5, 3, 5
    bounds = (-2.0, 2.0)
    variants: ClassVar = VARIANTS
