"""The games and faults by name: what is tuned on, and what is kept for the final word."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from facedown.core import Game
from facedown.core.plain import adapt
from facedown.games.registry import load_game
from support.checked.auction import Auction
from support.checked.draft import Drafting
from support.checked.faults import PLAIN
from support.checked.fleet import Fleet
from support.checked.fresh_faults import FRESH
from support.checked.hunt import Hunt
from support.checked.hunt_faults import COMPILED
from support.checked.late_faults import LATE
from support.checked.shells import Shells
from support.checked.skulls import Skulls
from support.checked.suspects import Suspects
from support.checked.tricks import TrickTaking

HERE = Path(__file__).parent

HONEST: tuple[type, ...] = (
    Suspects,
    Auction,
    TrickTaking,
    Drafting,
    Hunt,
    Fleet,
    Shells,
    Skulls,
)
FIRST: tuple[type, ...] = (*PLAIN, *COMPILED)
FAULTS: tuple[type, ...] = (*FIRST, *LATE, *FRESH)
TUNED = FIRST[::2]
"""Every other fault as they stand there: those that the laws were worked on with."""
KEPT = FIRST[1::2]
"""The rest, written down before any of that work and run for the final word alone."""


def honest(kind: type) -> type:
    """The honest game of a fault."""
    return next(game for game in HONEST if issubclass(kind, game))


def rare(kind: type) -> bool:
    """Whether a fault is meant to be met in under one random game of a hundred."""
    return (kind.__doc__ or "").startswith("RARE")


def loader(kind: type) -> Callable[[], Game]:
    """What makes the game, as `check_game` wants it."""
    if issubclass(kind, Hunt):
        file = "hunt.py" if kind is Hunt else "hunt_faults.py"
        return lambda: load_game(f"{HERE / file}:{kind.__name__}")
    return lambda: adapt(kind(), kind.__name__)
