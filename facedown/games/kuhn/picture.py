"""Kuhn poker as a picture."""

from __future__ import annotations

from typing import Any

from facedown.games import drawing, wording
from facedown.games.kuhn.text import MOVE_NAMES, RANK_NAMES, chips, played, turn_of

WIDTH, HEIGHT = 520, 400


def picture(view: Any, viewer: int) -> str:
    """The table from the viewer's side; the public looks over player 0's shoulder."""
    near = viewer if viewer >= 0 else 0
    pieces = [*_seat(view, 1 - near, viewer, 34), *_seat(view, near, viewer, HEIGHT - 152)]
    pot, turn = sum(chips(view)), turn_of(view)
    status = wording.turn_text(turn, viewer)
    pieces.append(drawing.text(WIDTH / 2, 196, f"pot {pot}", size=20, bold=True))
    pieces.append(drawing.text(WIDTH / 2, 220, status, size=16, colour="#cfe8da"))
    return drawing.svg(WIDTH, HEIGHT, pieces)


def _seat(view: Any, player: int, viewer: int, y: float) -> list[str]:
    rank = int(view["cards"][player])
    moves = [MOVE_NAMES[move] for move in played(view)[player::2]]
    name = wording.seat_name(player, viewer)
    return [
        drawing.card(
            (WIDTH - drawing.CARD_WIDTH) / 2,
            y,
            RANK_NAMES[rank] if rank >= 0 else None,
            dealt=player < view["dealt"],
        ),
        drawing.label(112, y + 46, name, active=turn_of(view) == player),
        drawing.text(112, y + 84, ", ".join(moves), size=17, serif=True),
        drawing.chips(WIDTH - 150, y + 74, chips(view)[player]),
    ]
