"""Pieces on the board."""

from __future__ import annotations

from facedown.bridges.jsettlers.fields import Coord, Message, Name, Seat, Whole
from facedown.bridges.jsettlers.messages.registry import FROM_ROBOT, FROM_SERVER, kind


@kind(1009, FROM_SERVER, FROM_ROBOT)
class PutPiece(Message):
    """A road (0), settlement (1) or city (2) is put down."""

    game: Name
    player: Seat
    piece: Whole
    coord: Coord


@kind(1105, FROM_SERVER)
class TakeBack(Message):
    """A person takes a piece back."""

    game: Name
    player: Seat
    piece: Whole
    coord: Coord


@kind(1043, FROM_ROBOT)
class BuildRequest(Message):
    """One wants to pay for a piece, and to put it down afterwards."""

    game: Name
    piece: Whole


@kind(1044, FROM_SERVER, FROM_ROBOT)
class CancelBuild(Message):
    """A piece is not built; -2 is a development card."""

    game: Name
    piece: Whole
