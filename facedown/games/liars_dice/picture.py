"""Liar's dice as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from facedown.core import drawing
from facedown.games import wording
from facedown.games.liars_dice.text import Table

WIDTH, ROW, TOP, BELOW = 680, 92, 132, 150
_PALE = "#cfe8da"
_SHOWN = 3  # bids of a player, the latest; more would reach into the dice


def picture(table: Table, view: Any, viewer: int) -> str:
    """The standing bid above, a row for each player: name, dice, bids; what can be said."""
    pieces = _standing(table, view, viewer)
    for player in range(table.players):
        pieces += _row(table, view, viewer, player, TOP + ROW * player)
    low = TOP + ROW * table.players
    return drawing.svg(WIDTH, low + BELOW, [*pieces, *_answers(table, view, viewer, low)])


def move_parts(table: Table, move: int) -> tuple[str, ...]:
    """A bid is how many and which face, a call the word."""
    if move == table.bids:
        return ("liar",)
    return (f"count:{move // table.faces + 1}", f"face:{move % table.faces + 1}")


def _answers(table: Table, view: Any, viewer: int, y: float) -> Iterator[str]:
    """How many and which face can be bid, and the call: live where they are legal."""
    acts = viewer >= 0 and table.turn(view) == viewer
    least = int(view["bids"][view["n"] - 1]) + 1 if view["n"] else 0
    bids = range(least, table.bids) if acts else range(0)
    counts = {bid // table.faces + 1 for bid in bids}
    faces = {bid % table.faces + 1 for bid in bids}
    most = table.players * table.dice
    step = min(52.0, 480 / most)
    yield drawing.text(40, y + 36, "bid", size=18, anchor="start", colour=_PALE)
    for k in range(1, most + 1):
        x = 106 + step * (k - 1)
        yield drawing.plate(f"count:{k}", x, y + 30, str(k), width=step - 8, live=k in counts)
    yield drawing.text(40, y + 94, "of", size=18, anchor="start", colour=_PALE)
    for face in range(1, table.faces + 1):
        piece = drawing.die(82 + 60 * (face - 1), y + 64, face, wild=face == table.faces, size=46)
        dim = "" if face in faces else ' opacity="0.35"'
        yield drawing.part(f"face:{face}", f"<g{dim}>{piece}</g>")
    live = acts and view["n"] > 0
    yield drawing.plate("liar", WIDTH - 86, y + 88, "liar!", width=96, live=live, size=20)


def _standing(table: Table, view: Any, viewer: int) -> list[str]:
    status = wording.turn_text(table.turn(view), viewer)
    pieces = [drawing.text(WIDTH - 40, 72, status, colour=_PALE, anchor="end", size=18)]
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
