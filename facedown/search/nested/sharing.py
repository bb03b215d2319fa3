"""What nested players found, by what they had seen: a table that simulations share.

For each decision it keeps models of what the player may have been in: the key of a model's history,
its likelihood, and the value of every legal move there. Out of these comes the bag by which a
player who stands there again decides.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from facedown.core.jit import jit
from facedown.core.records import address_of, array, view
from facedown.core.streams import below

Table = np.dtype(
    [
        ("slots", np.int64),  # addresses, and how much there is and fits
        ("rows", np.int64),
        ("size", np.int64),
        ("room", np.int64),
        ("known", np.int64),
        ("used", np.int64),
        ("models", np.int64),  # of a bag
        ("kept", np.int64),  # of a decision
        ("drawn", np.int64),  # address: how often each of those is in a bag that is drawn
    ]
)
Slot = np.dtype(
    [
        ("key", np.uint64),  # 0: free
        ("first", np.int64),  # where its rows begin
        ("n", np.int64),  # legal moves
        ("held", np.int64),  # models
    ]
)
SLOT_BYTES = Slot.itemsize


@jit
def slot_at(table: int, slot: int) -> Any:
    """A slot of the table."""
    return view(view(table, Table)["slots"] + SLOT_BYTES * slot, Slot)


@jit
def row_at(table: int, slot: int, k: int) -> Any:
    """The address of the `k`-th model of a slot: key, logarithm of its likelihood, values."""
    found = slot_at(table, slot)
    return view(table, Table)["rows"] + 8 * (found["first"] + k * (found["n"] + 2))


@jit
def find(table: int, key: Any) -> int:
    """The slot of a key, or the free one where it belongs."""
    t = view(table, Table)
    mask = t["size"] - 1
    slot = np.int64(key >> np.uint64(20)) & mask
    while True:
        there = slot_at(table, slot)["key"]
        if there in (np.uint64(0), key):
            return slot  # type: ignore[no-any-return]
        slot = (slot + 1) & mask


@jit
def due(table: int, slot: int) -> bool:
    """Whether more models are wanted of a decision: until as many are kept as may be."""
    found = slot_at(table, slot)
    return found["key"] == np.uint64(0) or found["held"] < view(table, Table)["kept"]  # type: ignore[no-any-return]


@jit
def keep(table: int, slot: int, key: Any, n: int) -> bool:
    """Have the slot be that of a decision with `n` legal moves; False where there is no room."""
    t, found = view(table, Table), slot_at(table, slot)
    if found["key"] == key:
        return True
    room = t["kept"] * (n + 2)
    if t["known"] >= t["size"] // 2 or t["used"] + room > t["room"]:
        return False
    found["key"], found["first"], found["n"], found["held"] = key, t["used"], n, 0
    t["known"] += 1
    t["used"] += room
    return True


@jit
def add(table: int, slot: int, key: Any, chance: float, values: int) -> None:
    """Add a model to a slot, where there is room: its history, its likelihood, a value a move."""
    found = slot_at(table, slot)
    if found["held"] >= view(table, Table)["kept"]:
        return
    address = row_at(table, slot, found["held"])
    row, tried = array(address, found["n"] + 2, np.float64), array(values, found["n"], np.float64)
    array(address, 1, np.uint64)[0], row[1] = key, chance
    for j in range(found["n"]):
        row[j + 2] = tried[j]
    found["held"] += 1


@jit
def draw(table: int, slot: int, rng: int) -> Any:
    """How often each model of a slot is in a bag that is drawn from it with replacement.

    Before it has all the models that it keeps, they are the bag: drawn from few, it would too often
    lack a history altogether.
    """
    t, held = view(table, Table), slot_at(table, slot)["held"]
    drawn = array(t["drawn"], t["kept"], np.int64)
    full = held >= t["kept"]
    for k in range(held):
        drawn[k] = 0 if full else 1
    for _ in range(t["models"] if full else 0):
        drawn[below(rng, held)] += 1
    return drawn


@jit
def judge(table: int, slot: int, rng: int, out: int, distinct: bool) -> None:
    """The utilities of the moves of a slot over a bag of its models (equation 13).

    `distinct`: models with the same history share its weight.
    """
    found = slot_at(table, slot)
    n, held, total, most = found["n"], found["held"], 0.0, -math.inf
    drawn, utilities = draw(table, slot, rng), array(out, n, np.float64)
    for j in range(n):
        utilities[j] = 0.0
    for k in range(held):
        most = max(most, array(row_at(table, slot, k), 2, np.float64)[1])
    for k in range(held):
        if drawn[k] == 0:
            continue
        address, times = row_at(table, slot, k), 0
        row, key = array(address, n + 2, np.float64), array(address, 1, np.uint64)[0]
        for other in range(held):
            if array(row_at(table, slot, other), 1, np.uint64)[0] == key:
                times += drawn[other]
        weight = math.exp(row[1] - most) * drawn[k] / (times if distinct else 1)
        total += weight
        for j in range(n):
            utilities[j] += weight * row[j + 2]
    for j in range(n):
        utilities[j] /= total


class Shared:
    """The memory of the table, for bags of so many models; it grows between simulations.

    Of a decision it keeps so `many` times as many models. All simulations lean on the same ones:
    with few, a search errs by their noise, however many simulations there are.
    """

    def __init__(self, models: int, many: int = 2) -> None:
        self._drawn = np.zeros(many * models, np.int64)
        self.record = np.zeros(1, Table)
        self.record[0]["models"], self.record[0]["kept"] = models, many * models
        self.record[0]["drawn"] = address_of(self._drawn)
        self._begin()

    def _begin(self) -> None:
        """Know nothing."""
        self.record[0]["known"] = self.record[0]["used"] = 0
        self._point(np.zeros(256, Slot), np.zeros(1 << 16, np.float64))

    def spoil(self) -> None:
        """Have nothing believed of what is in the table: something was broken off in it."""
        self._whole = False

    def mend(self) -> None:
        """Begin again where the table is not whole; asked before a search, between changes."""
        if not self._whole:
            self._begin()

    @property
    def known(self) -> int:
        """How many decisions are in the table."""
        return int(self.record[0]["known"])

    @property
    def bytes(self) -> int:
        """What the table takes."""
        return int(self.slots.nbytes + self.rows.nbytes)

    def _point(self, slots: np.ndarray[Any, Any], rows: np.ndarray[Any, Any]) -> None:
        """Have these be the table's; a clock may strike here, and then the table is not whole."""
        self._whole = False
        self.slots, self.rows = slots, rows
        record = self.record[0]
        record["slots"], record["size"] = address_of(slots), len(slots)
        record["rows"], record["room"] = address_of(rows), len(rows)
        self._whole = True

    def make_room(self, most: int) -> None:
        """Twice the room where half of it is used, up to so many bytes."""
        if 2 * self.bytes > most:
            return
        slots, rows = self.slots, self.rows
        if 2 * int(self.record[0]["used"]) > len(rows):
            rows = np.concatenate([rows, np.zeros_like(rows)])
        if 4 * self.known > len(slots):
            slots = _spread(slots)
        self._point(slots, rows)


def _spread(slots: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The same slots in twice the room."""
    wider = np.zeros(2 * len(slots), Slot)
    mask = len(wider) - 1
    for slot in slots[slots["key"] != 0]:
        place = (int(slot["key"]) >> 20) & mask
        while wider[place]["key"] != 0:
            place = (place + 1) & mask
        wider[place] = slot
    return wider
