"""What nested players found, by what they had seen: a table that simulations share."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from facedown.core.jit import jit
from facedown.core.records import view
from facedown.core.streams import uniform

Table = np.dtype(
    [
        ("slots", np.int64),  # addresses, and how much there is and fits
        ("moves", np.int64),
        ("size", np.int64),
        ("room", np.int64),
        ("known", np.int64),
        ("used", np.int64),
    ]
)
Slot = np.dtype(
    [
        ("key", np.uint64),  # 0: free
        ("first", np.int64),  # where its moves begin
        ("n", np.int64),
        ("visits", np.int64),
        ("times", np.int64),  # evaluations
    ]
)
Found = np.dtype([("utility", np.float64), ("error", np.float64)])
"""A move's mean utility over the evaluations, and the mean of their standard errors."""

SLOT_BYTES, FOUND_BYTES = Slot.itemsize, Found.itemsize


@jit
def find(table: int, key: Any) -> int:
    """The slot of a key, or the free one where it belongs."""
    t = view(table, Table)
    mask = t["size"] - 1
    slot = np.int64(key >> np.uint64(20)) & mask
    while True:
        there = view(t["slots"] + SLOT_BYTES * slot, Slot)["key"]
        if there in (np.uint64(0), key):
            return slot  # type: ignore[no-any-return]
        slot = (slot + 1) & mask


@jit
def due(table: int, slot: int, instalments: int) -> bool:
    """Count a visit; whether its moves are to be evaluated in it.

    They are until there are so many evaluations, then at visits whose number is a power of two.
    """
    found = view(view(table, Table)["slots"] + SLOT_BYTES * slot, Slot)
    if found["key"] == np.uint64(0):
        return True
    found["visits"] += 1
    return found["times"] < instalments or found["visits"] & (found["visits"] - 1) == 0  # type: ignore[no-any-return]


@jit
def add(table: int, slot: int, key: Any, utilities: Any, errors: Any, n: int) -> None:
    """Keep an evaluation of the first `n` moves, and make it the mean of all that there were.

    Nothing is kept where there is no room. Where fewer moves were tried than before, or more, the
    new evaluation takes the place of all.
    """
    t = view(table, Table)
    found = view(t["slots"] + SLOT_BYTES * slot, Slot)
    if found["key"] == np.uint64(0):
        if (t["known"] + 1) * 4 > t["size"] * 3 or t["used"] + len(utilities) > t["room"]:
            return
        found["key"], found["first"], found["n"] = key, t["used"], n
        found["visits"], found["times"] = 1, 0
        t["known"] += 1
        t["used"] += len(utilities)
    if found["n"] != n:
        found["n"], found["times"] = n, 0
    found["times"] += 1
    for j in range(n):
        one = view(t["moves"] + FOUND_BYTES * (found["first"] + j), Found)
        if found["times"] == 1:
            one["utility"], one["error"] = utilities[j], errors[j]
        else:
            one["utility"] += (utilities[j] - one["utility"]) / found["times"]
            one["error"] += (errors[j] - one["error"]) / found["times"]
        utilities[j] = one["utility"]


@jit
def recall(table: int, slot: int, utilities: Any, errors: Any) -> int:
    """What was found of the moves of a slot; how many."""
    t = view(table, Table)
    found = view(t["slots"] + SLOT_BYTES * slot, Slot)
    for j in range(found["n"]):
        one = view(t["moves"] + FOUND_BYTES * (found["first"] + j), Found)
        utilities[j], errors[j] = one["utility"], one["error"]
    return found["n"]  # type: ignore[no-any-return]


@jit
def normal(rng: int) -> float:
    """A number of the standard normal distribution (Box and Muller)."""
    return math.sqrt(-2.0 * math.log(1.0 - uniform(rng))) * math.cos(2.0 * math.pi * uniform(rng))


class Shared:
    """The memory of the table; it grows between simulations."""

    def __init__(self, most_moves: int) -> None:
        self._most_moves = most_moves
        self.record = np.zeros(1, Table)
        self._allot(256)

    @property
    def known(self) -> int:
        """How many decisions are in the table."""
        return int(self.record[0]["known"])

    @property
    def bytes(self) -> int:
        """What the table takes."""
        return int(self._slots.nbytes + self._moves.nbytes)

    def _allot(self, size: int) -> None:
        self._slots = np.zeros(size, Slot)
        self._moves = np.zeros(size * self._most_moves, Found)
        record = self.record[0]
        record["slots"], record["size"] = self._slots.ctypes.data, size
        record["moves"], record["room"] = self._moves.ctypes.data, len(self._moves)

    def make_room(self, most: int) -> None:
        """Twice the room where half of it is used, up to so many bytes."""
        if 2 * self.known < len(self._slots) or 2 * self.bytes > most:
            return
        slots, moves = self._slots, self._moves
        self._allot(2 * len(slots))
        self._moves[: len(moves)] = moves
        mask = len(self._slots) - 1
        for slot in slots[slots["key"] != 0]:
            place = (int(slot["key"]) >> 20) & mask
            while self._slots[place]["key"] != 0:
                place = (place + 1) & mask
            self._slots[place] = slot
