"""Phantom tic-tac-toe as a picture: the board as far as a viewer knows it."""

from __future__ import annotations

from typing import Any

from facedown.core import OVER
from facedown.core.drawing import CREAM, GOLD, label, part, svg, text
from facedown.games.phantom_ttt.state import SQUARES
from facedown.games.phantom_ttt.text import SQUARE_NAMES, sign_at
from facedown.games.wording import seat_name

_SIDE, _LEFT, _TOP = 92, 82, 96
_WIDTH, _HEIGHT = 2 * _LEFT + 3 * _SIDE, 440
_COLOURS = {"x": CREAM, "o": GOLD}


def _square(view: Any, square: int) -> str:
    x, y = _LEFT + square % 3 * _SIDE, _TOP + square // 3 * _SIDE
    sign = sign_at(view, square)
    box = (
        f'<rect x="{x + 3}" y="{y + 3}" width="{_SIDE - 6}" height="{_SIDE - 6}" rx="8" '
        f'fill="#0d3a2b" fill-opacity="{0.55 if sign else 0.25}" stroke="#0d3a2b"/>'
    )
    name = text(x + 14, y + 22, SQUARE_NAMES[square], size=12)
    if not sign:
        return box + name
    return box + name + text(x + _SIDE / 2, y + 68, sign, size=60, colour=_COLOURS[sign], bold=True)


def move_parts(view: Any, viewer: int, move: int) -> tuple[str, ...]:
    """The square that is tried."""
    return (f"cell:{SQUARE_NAMES[move]}",)


def picture(view: Any, viewer: int) -> str:
    """A view as SVG."""
    actor, middle = int(view["actor"]), _WIDTH / 2
    plates = [
        label(middle + (player - 0.5) * 190, 52, seat_name(player, viewer), active=player == actor)
        for player in range(2)
    ]
    words = f"marks on the board: {int(view['n'])}" + ("; the game is over" * (actor == OVER))
    squares = [part(f"cell:{SQUARE_NAMES[k]}", _square(view, k)) for k in range(SQUARES)]
    return svg(_WIDTH, _HEIGHT, [*plates, *squares, text(middle, _HEIGHT - 36, words)])
