"""Liar's dice as a picture."""

from __future__ import annotations

from typing import Any

from facedown.games import drawing, wording
from facedown.games.liars_dice.text import Table

WIDTH, ROW, TOP = 680, 92, 132
_SHOWN = 3  # bids of a player, the latest; more would reach into the dice


def picture(table: Table, view: Any, viewer: int) -> str:
    """The standing bid above, then a row for each player: name, dice, bids."""
    pieces = _standing(table, view, viewer)
    for player in range(table.players):
        pieces += _row(table, view, viewer, player, TOP + ROW * player)
    return drawing.svg(WIDTH, TOP + ROW * table.players + 24, pieces)


def _standing(table: Table, view: Any, viewer: int) -> list[str]:
    status = wording.turn_text(table.turn(view), viewer)
    pieces = [drawing.text(WIDTH - 40, 72, status, colour="#cfe8da", anchor="end", size=18)]
    if view["n"] == 0:
        return [*pieces, drawing.text(40, 72, "no bid yet", size=24, bold=True, anchor="start")]
    bid = int(view["bids"][view["n"] - 1])
    quantity, face = bid // table.faces + 1, bid % table.faces + 1
    return [
        *pieces,
        drawing.text(40, 73, f"bid: {quantity} ×", size=26, bold=True, anchor="start"),
        drawing.die(154 + 16 * len(str(quantity)), 36, face, wild=face == table.faces),
        _called(view),
    ]


def _called(view: Any) -> str:
    if not view["called"]:
        return ""
    return drawing.text(WIDTH / 2, 76, "liar!", size=34, colour=drawing.GOLD, bold=True, serif=True)


def _row(table: Table, view: Any, viewer: int, player: int, y: float) -> list[str]:
    name = wording.seat_name(player, viewer)
    bids = [table.move_text(int(bid)) for bid in view["bids"][: view["n"]]][player :: table.players]
    shown = bids if len(bids) <= _SHOWN else ["… " + bids[-_SHOWN], *bids[1 - _SHOWN :]]
    pieces = [
        f'<line x1="32" x2="{WIDTH - 32}" y1="{y - 10:g}" y2="{y - 10:g}" '
        f'stroke="{drawing.CREAM}" stroke-opacity="0.18"/>',
        drawing.label(112, y + 30, name, active=table.turn(view) == player),
        drawing.text(WIDTH - 40, y + 36, ", ".join(shown), size=19, serif=True, anchor="end"),
    ]
    for k, face in enumerate(table.dice_of(view, player)):
        x = 206 + k * (drawing.DIE + 12)
        pieces.append(drawing.die(x, y + 2, face, wild=face == table.faces))
    return pieces
