"""Memory that compiled code works in: buffers that are declared once, cut from one block."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from facedown.core.game import Game
from facedown.core.records import address_of, aligned

_LINE = 64


class Buffer(NamedTuple):
    """A buffer: the field that holds its address, the kind of its items, how many there are."""

    name: str
    kind: Any
    length: Callable[[Game], int]


def most_moves(game: Game) -> int:
    """Room for the legal moves of whoever acts, or for a number for each player."""
    return max(game.most_moves, game.players)


PLAY = (
    Buffer("moves", np.int32, most_moves),
    Buffer("numbers", np.float64, most_moves),
    Buffer("payoffs", np.float64, lambda game: game.players),
    Buffer("trail", np.int32, lambda game: game.most_plies),
    Buffer("movers", np.int8, lambda game: game.most_plies),
    Buffer("world", np.uint8, lambda game: game.rules.size),
)
"""Those of a Play (`core.stepping`)."""


def addresses(declared: Iterable[Buffer]) -> np.dtype[Any]:
    """A record with a field for the address of each buffer."""
    return np.dtype([(buffer.name, np.int64) for buffer in declared], align=True)


class Buffers:
    """Zeroed buffers for a game, in one block of memory, each on its own cache line.

    So they lie to each other in the same way in every run. Speed differs from run to run with the
    memory's layout; this made the slow runs less slow, it did not end them. The block's size is
    that of what is declared.
    """

    def __init__(self, declared: Iterable[Buffer], game: Game) -> None:
        kinds = [(one.name, np.dtype(one.kind), max(one.length(game), 1)) for one in declared]
        sizes = [-(-n * kind.itemsize // _LINE) * _LINE for _, kind, n in kinds]
        block, self._arrays = aligned(1, sum(sizes))[0], dict[str, np.ndarray[Any, Any]]()
        for (name, kind, n), begin in zip(kinds, np.cumsum([0, *sizes[:-1]]), strict=True):
            if name in self._arrays:
                raise ValueError(f"the buffer {name!r} is declared twice")
            self._arrays[name] = block[begin : begin + n * kind.itemsize].view(kind)

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        return self._arrays[name]

    def seat(self, record: Any) -> None:
        """Put the addresses of buffers into the fields of a record that have their names."""
        for name in record.dtype.names:
            if name in self._arrays:
                record[name] = address_of(self._arrays[name])
