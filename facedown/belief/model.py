"""The memory behind a model of a HyperPlay bag: what lies along its path, and how that grows."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np

from facedown.belief import walk
from facedown.core import Game
from facedown.core.memo import memo_words
from facedown.core.plain import SHIELDED
from facedown.core.records import address_of, aligned

_OBJECTS = 4096  # bytes of what Python has of a model, about
DEPTH = 16  # moves that a path has room for at first
_PLACE = ("depth", "matched", "used")  # where a model stands,
_KEPT = ("kept_depth", "kept_matched", "same")  # and what its repairs begin with


def _forget(release: Callable[[int], None], address: int, stride: int, rows: int) -> None:
    for k in range(rows):
        release(address + k * stride)


SHIELDED.add(_forget.__code__)


def _block(game: Game, rows: int) -> Any:
    """Room for positions, which are forgotten before it goes: another block may take its place."""
    block = aligned(rows, game.rules.size)
    given = (game.rules.release, address_of(block), int(block.shape[1]), rows)
    weakref.finalize(block, _forget, *given)
    return block


def room_of(game: Game) -> int:
    """The bytes that a model of a game takes at least."""
    own = walk.Model.itemsize + DEPTH * (walk.ChoicePoint.itemsize + game.rules.size)
    return int(own + 4 * game.most_moves * (4 + 8) + _OBJECTS)


class Path:
    """The choice points, positions and listed moves of one model; its record points to them.

    A clock may strike while a path is changed, or a rule of the game raise. Its status is ALARMED
    for that time, and a path that is found so begins again.
    """

    def __init__(self, game: Game, record: Any) -> None:
        self.game, self.record = game, record
        self.begin()

    def begin(self) -> None:
        """Stand at the start of the game, with nothing tried."""
        self.record["status"] = walk.ALARMED
        self._allot(DEPTH, 4 * self.game.most_moves)
        for name in (*_PLACE, *_KEPT):
            self.record[name] = 0
        self.game.rules.python["start"](self.game.rules.ctx, int(self.record["positions"]))
        self.points[0]["n"] = walk.UNLISTED
        self.record["status"] = walk.ON_LINE

    @property
    def stride(self) -> int:
        """Bytes from one position to the next."""
        return int(self.block.shape[1])

    def _allot(self, deepest: int, room: int) -> None:
        """Point the record at new blocks."""
        self.points = np.zeros(deepest, walk.ChoicePoint)
        self.block = _block(self.game, deepest)
        self.moves, self.chances = np.zeros(room, np.int32), np.zeros(room, np.float64)
        record = self.record
        record["points"], record["positions"] = address_of(self.points), address_of(self.block)
        record["moves"], record["chances"] = address_of(self.moves), address_of(self.chances)
        self.kept, self.settled = np.zeros(deepest, np.int32), np.zeros(deepest, np.int8)
        record["kept"], record["settled"] = address_of(self.kept), address_of(self.settled)
        self.memos = np.zeros((deepest, self.game.players * memo_words(self.game)), np.int64)
        record["memos"] = address_of(self.memos)
        record["deepest"], record["room"] = deepest, room

    def grow(self) -> None:
        """Twice the room, with all that is there."""
        before = copy(self)
        status, self.record["status"] = int(self.record["status"]), walk.ALARMED
        self._allot(2 * len(before.points), 2 * len(before.moves))
        self._take(before)
        self.record["status"] = status

    def become(self, other: Path) -> None:
        """Make this model equal to another; they share nothing. Stream and counters stay."""
        while len(self.points) < len(other.points) or len(self.moves) < len(other.moves):
            self.grow()
        self.record["status"] = walk.ALARMED
        for name in (*_PLACE, *_KEPT):
            self.record[name] = other.record[name]
        self._take(other)
        self.record["status"] = other.record["status"]

    def cut(self, depth: int) -> None:
        """Go back to a depth of the path, and forget what was tried there and beyond."""
        status, self.record["status"] = int(self.record["status"]), walk.ALARMED
        point = self.points[depth]
        if depth < int(self.record["depth"]) or int(point["n"]) != walk.UNLISTED:
            self.record["used"] = point["first"]
        self.record["depth"], self.record["matched"] = depth, point["matched"]
        point["n"], point["tried"], point["scouted"] = walk.UNLISTED, 0, 0
        self.record["status"] = status

    def _take(self, other: Path) -> None:
        """Have all that lies along the path of another; there is room for it."""
        for name in ("points", "moves", "chances", "kept", "settled", "memos"):
            taken = getattr(other, name)
            getattr(self, name)[: len(taken)] = taken
        here, block = int(self.record["positions"]), address_of(other.block)
        for k in range(int(self.record["depth"]) + 1):
            self.game.rules.copy(here + k * self.stride, block + k * self.stride)

    @property
    def end(self) -> int:
        """The address of the position at the end of the path."""
        return int(self.record["positions"]) + int(self.record["depth"]) * self.stride

    def history(self) -> tuple[int, ...]:
        """The moves played, from the start of the game."""
        path = self.points[: int(self.record["depth"])]
        return tuple(int(self.moves[k]) for k in path["first"] + path["tried"] - 1)
