"""Leduc hold'em as a picture."""

from __future__ import annotations

from typing import Any

from facedown.core import drawing
from facedown.games import wording
from facedown.games.leduc.state import BOARD, CALL, FOLD, RAISE
from facedown.games.leduc.text import MOVE_NAMES, RANK_NAMES, betting

WIDTH, HEIGHT = 600, 480


def picture(view: Any, viewer: int) -> str:
    """The table from the viewer's side; the public looks over player 0's shoulder."""
    near = viewer if viewer >= 0 else 0
    middle = (HEIGHT - drawing.CARD_HEIGHT) / 2
    pot, status = int(view["chips"].sum()), wording.turn_text(int(view["actor"]), viewer)
    pieces = [
        *_seat(view, 1 - near, viewer, 34),
        *_seat(view, near, viewer, HEIGHT - 152),
        _card(view, BOARD, middle),
        drawing.part("pot", drawing.text(124, HEIGHT / 2, f"pot {pot}", size=22, bold=True)),
        drawing.text(124, HEIGHT / 2 + 26, status, colour="#cfe8da"),
    ]
    for number, moves in enumerate(betting(view), 1):
        line = ", ".join(MOVE_NAMES[move] for move in moves) or "–"
        y = HEIGHT / 2 - 40 + 50 * (number - 1)
        words = f"round {number}"
        pieces.append(
            drawing.text(WIDTH - 216, y, words, size=14, colour="#cfe8da", anchor="start")
        )
        pieces.append(drawing.text(WIDTH - 216, y + 20, line, anchor="start", serif=True, size=15))
    return drawing.svg(WIDTH, HEIGHT, pieces)


def move_parts(view: Any, viewer: int, move: int) -> tuple[str, ...]:
    """The own card folds, the pot calls, the own chips raise."""
    return ({FOLD: f"card:{viewer}", CALL: "pot", RAISE: f"chips:{viewer}"}[move],)


def _card(view: Any, place: int, y: float) -> str:
    rank = int(view["cards"][place])
    shown = RANK_NAMES[rank] if rank >= 0 else None
    x = (WIDTH - drawing.CARD_WIDTH) / 2
    return drawing.card(x, y, shown, dealt=place < view["dealt"])


def _seat(view: Any, player: int, viewer: int, y: float) -> list[str]:
    name = wording.seat_name(player, viewer)
    chips = drawing.chips(WIDTH - 190, y + 84, int(view["chips"][player]))
    return [
        drawing.part(f"card:{player}", _card(view, player, y)),
        drawing.label(124, y + drawing.CARD_HEIGHT / 2, name, active=view["actor"] == player),
        drawing.part(f"chips:{player}", chips),
    ]
