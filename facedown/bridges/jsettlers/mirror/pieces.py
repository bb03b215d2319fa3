"""Pieces on the board, and off it again."""

from __future__ import annotations

from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers.board import EDGE_OF, NODE_OF
from facedown.bridges.jsettlers.mirror.ledger import Handlers, Ledger
from facedown.bridges.jsettlers.table import (
    CITY,
    FIRST_ROAD,
    ROAD,
    SECOND_ROAD,
    SECOND_SETTLEMENT,
    SETTLEMENT,
)


def _put(ledger: Ledger, message: say.PutPiece) -> None:
    table, place, coord = ledger.table, ledger.table.places[message.player], message.coord
    if not _fits(message.piece, coord):
        ledger.odd(f"piece {message.piece} stands at {coord}, where none can")
        return
    place.left[message.piece] = max(place.left[message.piece] - 1, 0)
    if message.piece == ROAD:
        place.roads.add(coord)
    elif message.piece == CITY:
        if coord in place.settlements:
            place.settlements.remove(coord)
            place.left[SETTLEMENT] += 1
        place.cities.add(coord)
    else:
        place.settlements.add(coord)
        table.last_settlement[message.player] = table.spot = coord
        if table.state == SECOND_SETTLEMENT and table.board is not None:
            for kind in table.board.yields(coord):  # which no message tells
                place.hand.gain(kind - 1)


def _take_back(ledger: Ledger, message: say.TakeBack) -> None:
    """The cards that it cost come back by another message."""
    place, coord = ledger.table.places[message.player], message.coord
    if not _fits(message.piece, coord):
        return
    standing = (place.roads, place.settlements, place.cities)[message.piece]
    if coord not in standing:
        return
    standing.remove(coord)
    place.left[message.piece] += 1
    if message.piece == CITY:
        place.settlements.add(coord)
        place.left[SETTLEMENT] -= 1


def _cancelled(ledger: Ledger, message: say.CancelBuild) -> None:
    """A person takes back a settlement of the placement; else it refuses what one asked for."""
    table = ledger.table
    placed = table.state in (FIRST_ROAD, SECOND_ROAD) and message.piece == SETTLEMENT
    if not placed or table.turn in (table.me, -1):
        return
    place, coord = table.places[table.turn], table.last_settlement[table.turn]
    if coord not in place.settlements:
        return
    place.settlements.remove(coord)
    place.left[SETTLEMENT] += 1
    if table.state == SECOND_ROAD and table.board is not None:
        for kind in table.board.yields(coord):
            place.hand.lose(kind - 1)


def _fits(piece: int, coord: int) -> bool:
    """Whether a piece can stand there at all."""
    return coord in (EDGE_OF if piece == ROAD else NODE_OF if piece in (SETTLEMENT, CITY) else ())


HANDLERS: Handlers = {
    say.PutPiece: _put,
    say.TakeBack: _take_back,
    say.CancelBuild: _cancelled,
}
