"""Observer tallies: how often each world led to what an observer saw.

Beside the nodes of those who act, a search can count the visits c(u, d) of (observer's history,
world) pairs (Cowling, Whitehouse and Powley 2015, section V), for the searcher and for the public,
at every ply in the tree until the searcher's next decision. A move that is seen as nothing is not
counted. The public's counts are those of the trees merged over all that the searcher might hold
(section VI): merging by one's own observations would give away one's own secret.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numba
import numpy as np
from numba import types

from facedown.core import PUBLIC
from facedown.core.game import lined_up
from facedown.core.jit import jit, kernel
from facedown.core.records import address_of, array
from facedown.core.rules import TOKENS, call_sees, has
from facedown.core.streams import mix, mixed, tag, tagged
from facedown.search.desk import (
    AFTER,
    BEFORE,
    BY_PUBLIC,
    BY_SEARCHER,
    CTX,
    HISTORIES,
    IDENTITY,
    ME,
    OBSERVERS,
    PLAYERS,
    SIGHTS,
    TALLIES,
    TALLY_SLOTS,
    TALLY_TABLE,
    UNSEEN,
    WATCHING,
    WORLD,
    open_desk,
)
from facedown.search.steps import SINGLE, extend_histories
from facedown.search.tables import find

Tally = np.dtype([("key", np.uint64), ("count", np.int64)])  # key 0 where the slot is free
_TALLIES = numba.from_dtype(Tally)[::1]
PUBLIC_START = 1  # the public's history at the root


@jit
def count(desk: int, observer: int, history: Any, world: Any) -> None:
    """One more visit of the observer's history in this world; nothing where there is no room."""
    d = open_desk(desk)
    tallies = array(d[TALLY_TABLE], d[TALLY_SLOTS], Tally)
    key = mix(tag(history, np.uint64(observer)), world)
    i = find(tallies, key)
    if tallies[i]["key"] == np.uint64(0):
        if (d[TALLIES] + 1) * 4 > d[TALLY_SLOTS] * 3:
            return
        tallies[i]["key"] = key
        d[TALLIES] += 1
    tallies[i]["count"] += 1


@jit
def begin_watch(desk: int, world: Any) -> None:
    """Count the root, where anybody's observations are counted."""
    d = open_desk(desk)
    d[WATCHING] = UNSEEN if d[OBSERVERS] == 0 else BEFORE
    histories = array(d[HISTORIES], d[PLAYERS] + 1, np.uint64)  # the public's comes last
    if d[OBSERVERS] & BY_SEARCHER:
        count(desk, BY_SEARCHER, histories[d[ME]], world)
    if d[OBSERVERS] & BY_PUBLIC:
        histories[d[PLAYERS]] = PUBLIC_START
        count(desk, BY_PUBLIC, histories[d[PLAYERS]], world)


@jit
def public_sight(desk: int, move: int) -> Any:
    """What the public sees of a move that the players have just looked at."""
    d = open_desk(desk)
    if has(desk, TOKENS) and d[IDENTITY] != SINGLE:
        return array(d[SIGHTS], d[PLAYERS] + 1, np.uint64)[d[PLAYERS]]
    return call_sees(desk, d[CTX], d[WORLD], move, PUBLIC)


@jit
def watch(desk: int, player: int, move: int, world: Any) -> None:
    """Extend the histories by a move of `player` and count what the observers have seen by now."""
    d = open_desk(desk)
    if player == d[ME]:
        d[WATCHING] = AFTER if d[WATCHING] == BEFORE else UNSEEN
    histories, me = array(d[HISTORIES], d[PLAYERS] + 1, np.uint64), d[ME]
    before = histories[me]
    extend_histories(desk, move)
    if d[WATCHING] == UNSEEN:
        return
    if d[OBSERVERS] & BY_SEARCHER and histories[me] != before:
        count(desk, BY_SEARCHER, histories[me], world)
    if d[OBSERVERS] & BY_PUBLIC:
        token = public_sight(desk, move)
        if token != np.uint64(0):
            histories[d[PLAYERS]] = mix(histories[d[PLAYERS]], token)
            count(desk, BY_PUBLIC, histories[d[PLAYERS]], world)


@kernel(types.void(_TALLIES, _TALLIES), "search")
def move_over(old: Any, new: Any) -> None:
    """Add every tally to another table, which has room."""
    for k in range(len(old)):
        if old[k]["key"] != np.uint64(0):
            i = find(new, old[k]["key"])
            new[i]["key"] = old[k]["key"]
            new[i]["count"] += old[k]["count"]


class Tallies:
    """The tallies of one search thread, as the desk of that thread knows them; grow by doubling."""

    def __init__(self, desk: np.ndarray[Any, np.dtype[np.int64]], limit: int) -> None:
        self.desk, self.limit = desk, limit
        self.table = lined_up(1 << 10, Tally)
        self._seat()

    def _seat(self) -> None:
        self.desk[TALLY_TABLE], self.desk[TALLY_SLOTS] = address_of(self.table), len(self.table)

    @property
    def crowded(self) -> bool:
        """Whether the table is what a search stopped for."""
        return bool(self.desk[OBSERVERS]) and int(self.desk[TALLIES]) * 3 > len(self.table)

    @property
    def bytes(self) -> int:
        """Memory that the tallies take, where any are kept."""
        return self.table.nbytes if self.desk[TALLIES] else 0

    def grow(self) -> bool:
        """Double the table; False where the limit forbids it."""
        if 2 * self.table.nbytes > self.limit:
            return False
        larger = lined_up(2 * len(self.table), Tally)
        move_over(self.table, larger)
        self.table = larger
        self._seat()
        return True

    def count(self, key: int) -> int:
        """How often a key was counted."""
        mask = len(self.table) - 1
        i = (key >> 16) & mask
        while (found := int(self.table[i]["key"])) != 0:
            if found == key:
                return int(self.table[i]["count"])
            i = (i + 1) & mask
        return 0


class Onlooker:
    """An observer of the moves after a search, who looks up what the search had counted.

    It holds the tallies and not the tree. `worlds` are the labels of the worlds that were counted.
    """

    def __init__(
        self, tallies: Iterable[Tallies], observer: int, history: int, worlds: int
    ) -> None:
        self._tallies, self._history, self.worlds = tuple(tallies), history, worlds
        self._observer = BY_PUBLIC if observer == PUBLIC else BY_SEARCHER
        self.root = self.counts()

    def counts(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """How often the iterations came to what has been seen so far, by world."""
        start = tagged(self._history, self._observer)
        keys = [mixed(start, world) for world in range(self.worlds)]
        return np.array(
            [float(sum(tallies.count(key) for tallies in self._tallies)) for key in keys]
        )

    def see(self, token: int) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The counts after one more observation, which is not nothing."""
        self._history = mixed(self._history, token)
        return self.counts()
