"""Positions that are used over again, and numbers that stand for them: for looks by the thousand.

To make a Position costs more than most rules do, and so does the text of an object.
"""

from __future__ import annotations

import pickle
from typing import Any

from facedown.core import Game, Position, Stream

_MOST_KNOWN = 100_000


class Scratch:
    """Views and worlds in places of their own: each is good until the next one is asked for."""

    def __init__(self, game: Game) -> None:
        self.game, self.rules = game, game.rules
        self._view, self._world, self._back = (game.start() for _ in range(3))
        self._prints: dict[bytes, int] = {}
        self._quick: dict[type, bool] = {}

    def view(self, position: Position, viewer: int) -> Position:
        """The viewer's view of a position."""
        return self._hidden(self._view, position, viewer)

    def back(self, world: Position, viewer: int) -> Position:
        """The same of a world, in another place."""
        return self._hidden(self._back, world, viewer)

    def world(self, view: Position, viewer: int, stream: Stream) -> Position:
        """A world drawn from a view, in a game that keeps no memos."""
        self.rules.copy(self._world.address, view.address)
        self._world.determinize(viewer, stream)
        return self._world

    def _hidden(self, place: Position, position: Position, viewer: int) -> Position:
        self.rules.copy(place.address, position.address)
        self.rules.python["hide"](self.rules.ctx, place.address, viewer)
        return place

    def print_of(self, position: Position) -> int:
        """A number that is equal for equal positions, and as a rule not for others."""
        if self.game.compiled:
            return hash(position.digest())
        record = position.record
        if not self._pickles(type(record)):
            return hash(position.digest())
        try:
            data = pickle.dumps(record, 5)
        except Exception:  # whatever an object's own way raises
            self._quick[type(record)] = False
            return hash(position.digest())
        known = self._prints.get(data)
        if known is None:
            if len(self._prints) >= _MOST_KNOWN:
                self._prints.clear()
            known = self._prints[data] = hash(position.digest())
        return known

    def _pickles(self, kind: type) -> bool:
        """Whether the bytes of a pickle say all: an object may have a way of its own."""
        known = self._quick.get(kind)
        if known is None:
            known = self._quick[kind] = _own_way(kind) is None and not hasattr(kind, "canonical")
        return known


def _own_way(kind: Any) -> str | None:
    """The method by which objects of a class say how they are pickled; None without one."""
    for name in ("__reduce__", "__reduce_ex__", "__getstate__", "__getnewargs__"):
        if getattr(kind, name, None) is not getattr(object, name, None):
            return name
    return None
