"""Views as arrays of numbers, and moves as actions 0, 1, 2, ...: what learning programs take."""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from facedown.core import Game, Position, SpecError

Encode = Callable[[Any, int], Any]
"""Gives the numbers of a view, from its record and its viewer: always as many."""

Numbers = np.ndarray[Any, np.dtype[np.float32]]
Mask = np.ndarray[Any, np.dtype[np.int8]]

MOST_NUMBERS = 4096
"""Up to so many moves an action is the number of a move, unless places are asked for."""

_HALF = 1 << 16
_KEY_BITS = 64


class Observations:
    """How the views of a game become arrays: a one for the viewer's seat, then what it sees.

    `low` and `high` bound every number. Only a view is ever looked at, never the truth.
    """

    def __init__(self, game: Game, encode: Encode | None = None) -> None:
        self._players, self._encode = game.players, encode
        self._told = _fields if game.compiled else _key
        first = self._seen(game.start().view(0), 0)
        if encode is not None:
            low, high = np.full(len(first), -np.inf), np.full(len(first), np.inf)
        elif game.compiled:
            low, high = limits(game.definition.State)
        else:
            low, high = np.zeros(_KEY_BITS), np.ones(_KEY_BITS)
        self._size = len(first)
        self.low = np.concatenate([np.zeros(game.players), low]).astype(np.float32)
        self.high = np.concatenate([np.ones(game.players), high]).astype(np.float32)

    def of(self, view: Position, viewer: int) -> Numbers:
        """The numbers of a view of the viewer's."""
        seen = self._seen(view, viewer)
        if len(seen) != self._size:
            raise SpecError(f"encode gave {len(seen)} numbers, and {self._size} at the start")
        seat = np.zeros(self._players, np.float32)
        seat[viewer] = 1
        return np.concatenate([seat, seen])

    def _seen(self, view: Position, viewer: int) -> Numbers:
        if self._encode is None:
            return self._told(view)
        return np.asarray(self._encode(view.record, viewer), np.float32).reshape(-1)


class Actions:
    """How moves become actions: by their numbers, or by their places among the legal ones."""

    def __init__(self, game: Game, places: bool | None = None) -> None:
        if places is False and not game.compiled:
            what = "moves of a plain Python class have no numbers that last; places=True is wanted"
            raise SpecError(f"{game.name}: {what}")
        large = not game.compiled or game.moves > MOST_NUMBERS
        self.places = large if places is None else places
        self.n = game.most_moves if self.places else game.moves

    def mask(self, legal: Sequence[int]) -> Mask:
        """A one for every action that is legal."""
        mask = np.zeros(self.n, np.int8)
        mask[list(range(len(legal)) if self.places else legal)] = 1
        return mask

    def move(self, action: Any, legal: Sequence[int]) -> int | None:
        """The legal move that an action stands for; None: it stands for none here.

        ValueError for what is no action at all.
        """
        try:
            k = operator.index(action)
        except TypeError:
            k = -1
        if isinstance(action, bool) or not 0 <= k < self.n:
            raise ValueError(f"{action!r} is no action; 0 to {self.n - 1} is wanted")
        if self.places:
            return legal[k] if k < len(legal) else None
        return k if k in legal else None


def _fields(view: Position) -> Numbers:
    """The numbers of a record, field by field, none of them rounded."""
    record = view.record
    parts = [spread(np.asarray(record[name])) for name in record.dtype.names]
    return np.concatenate(parts)


def spread(values: np.ndarray[Any, Any]) -> Numbers:
    """A field as float32, which holds whole numbers to 24 bits: wider ones take several."""
    flat = values.reshape(-1)
    if flat.dtype.kind == "f" or flat.dtype.itemsize <= 2:
        return flat.astype(np.float32)
    if flat.dtype.itemsize == 4:  # n = rest + 65536 * times, both with its sign
        wide = flat.astype(np.int64)
        rest = np.fmod(wide, _HALF)
        return np.stack([rest, (wide - rest) // _HALF], axis=1).reshape(-1).astype(np.float32)
    word = flat.astype(flat.dtype.newbyteorder("<")).view(np.uint8)  # sets of cards, mostly
    return np.unpackbits(word, bitorder="little").astype(np.float32)


def limits(state: np.dtype[Any]) -> tuple[Numbers, Numbers]:
    """The least and the greatest of every number that `_fields` gives."""
    low: list[Numbers] = []
    high: list[Numbers] = []
    for name in state.names or ():
        kind, n = state[name].base, int(np.prod(state[name].shape, dtype=int))
        for bounds, ends in zip((low, high), _range(kind), strict=True):
            bounds.append(np.tile(np.asarray(ends, np.float32), n))
    return np.concatenate(low), np.concatenate(high)


def _range(kind: np.dtype[Any]) -> tuple[list[float], list[float]]:
    """The same for one value of a field."""
    if kind.kind == "f":
        return [-np.inf], [np.inf]
    if kind.kind == "b":
        return [0], [1]
    if kind.itemsize == 8:
        return [0] * 64, [1] * 64
    ends = np.iinfo(kind)
    if kind.itemsize <= 2:
        return [float(ends.min)], [float(ends.max)]
    negative = kind.kind == "i"
    times = _HALF // 2 if negative else _HALF - 1
    return [1 - _HALF if negative else 0, -times if negative else 0], [_HALF - 1, times]


def _key(view: Position) -> Numbers:
    """64 bits that equal views share and others, but for a freak, do not: objects have no fields.

    The best that is possible without knowing them: enough to look values up, not to generalise.
    """
    digest = hashlib.blake2b(view.digest(), digest_size=_KEY_BITS // 8).digest()
    return np.unpackbits(np.frombuffer(digest, np.uint8)).astype(np.float32)
