"""Observer tallies: how often each world led to what an observer saw.

Beside the nodes of those who act, a search can count the visits c(u, d) of (observer's history,
world) pairs (Cowling, Whitehouse and Powley 2015, section V), for the searcher and for the public,
at every ply in the tree until the searcher's next decision. A move that is seen as nothing is not
counted. The public's counts are those of the trees merged over all that the searcher might hold
(section VI): merging by one's own observations would give away one's own secret.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numba
import numpy as np
from numba import types

from facedown.core import PUBLIC
from facedown.core.jit import jit, kernel
from facedown.core.records import address_of, array, lined_up
from facedown.core.rules import TOKENS, call_sees, has
from facedown.core.streams import mix, mixed, tag, tagged
from facedown.search.state import (
    AFTER,
    BEFORE,
    BY_PUBLIC,
    BY_SEARCHER,
    UNSEEN,
    Tally,
    open_histories,
    open_sights,
    open_state,
)
from facedown.search.steps import SINGLE, extend_histories
from facedown.search.tables import find

_TALLIES = numba.from_dtype(Tally)[::1]
PUBLIC_START = 1  # the public's history at the root


@jit
def count(state: int, observer: int, history: Any, world: Any) -> None:
    """One more visit of the observer's history in this world; nothing where there is no room."""
    seen = open_state(state)["observed"]
    tallies = array(seen["table"], seen["slots"], Tally)
    key = mix(tag(history, np.uint64(observer)), world)
    i = find(tallies, key)
    if tallies[i]["key"] == np.uint64(0):
        if (seen["tallies"] + 1) * 4 > seen["slots"] * 3:
            return
        tallies[i]["key"] = key
        seen["tallies"] += 1
    tallies[i]["count"] += 1


@jit
def begin_watch(state: int, world: Any) -> None:
    """Count the root, where anybody's observations are counted."""
    s = open_state(state)
    seen, players = s["observed"], s["play"]["players"]
    seen["watching"] = UNSEEN if seen["observers"] == 0 else BEFORE
    histories = open_histories(state, players + 1)  # the public's comes last
    if seen["observers"] & BY_SEARCHER:
        count(state, BY_SEARCHER, histories[s["settings"]["me"]], world)
    if seen["observers"] & BY_PUBLIC:
        histories[players] = PUBLIC_START
        count(state, BY_PUBLIC, histories[players], world)


@jit
def public_sight(state: int, move: int) -> Any:
    """What the public sees of a move that the players have just looked at."""
    s = open_state(state)
    play = s["play"]
    if has(state, TOKENS) and s["settings"]["identity"] != SINGLE:
        return open_sights(state, play["players"] + 1)[play["players"]]
    return call_sees(state, play["ctx"], play["world"], move, PUBLIC)


@jit
def watch(state: int, player: int, move: int, world: Any) -> None:
    """Extend the histories by a move of `player` and count what the observers have seen by now."""
    s = open_state(state)
    seen, me, players = s["observed"], s["settings"]["me"], s["play"]["players"]
    if player == me:
        seen["watching"] = AFTER if seen["watching"] == BEFORE else UNSEEN
    histories = open_histories(state, players + 1)
    before = histories[me]
    extend_histories(state, move)
    if seen["watching"] == UNSEEN:
        return
    if seen["observers"] & BY_SEARCHER and histories[me] != before:
        count(state, BY_SEARCHER, histories[me], world)
    if seen["observers"] & BY_PUBLIC:
        token = public_sight(state, move)
        if token != np.uint64(0):
            histories[players] = mix(histories[players], token)
            count(state, BY_PUBLIC, histories[players], world)


@kernel(types.void(_TALLIES, _TALLIES), "search")
def move_over(old: Any, new: Any) -> None:
    """Add every tally to another table, which has room."""
    for k in range(len(old)):
        if old[k]["key"] != np.uint64(0):
            i = find(new, old[k]["key"])
            new[i]["key"] = old[k]["key"]
            new[i]["count"] += old[k]["count"]


class Tallies:
    """The tallies of one search thread, as its state knows them; grow by doubling."""

    def __init__(self, state: Any, limit: int) -> None:
        self._seen, self.limit = state["observed"], limit
        self.table = lined_up(1 << 10, Tally)
        self._seat()

    def _seat(self) -> None:
        self._seen["table"], self._seen["slots"] = address_of(self.table), len(self.table)

    @property
    def crowded(self) -> bool:
        """Whether the table is what a search stopped for."""
        return bool(self._seen["observers"]) and int(self._seen["tallies"]) * 3 > len(self.table)

    @property
    def bytes(self) -> int:
        """Memory that the tallies take, where any are kept."""
        return self.table.nbytes if self._seen["tallies"] else 0

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

    It holds the tallies and not the tree. `labels` are those of the worlds that are looked up.
    """

    def __init__(
        self, tallies: Iterable[Tallies], observer: int, history: int, labels: Sequence[int]
    ) -> None:
        self._tallies, self._history, self.labels = tuple(tallies), history, labels
        self._observer = BY_PUBLIC if observer == PUBLIC else BY_SEARCHER
        self.root = self.counts()

    def counts(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """How often the iterations came to what has been seen so far, label by label."""
        start = tagged(self._history, self._observer)
        keys = [mixed(start, label) for label in self.labels]
        return np.array(
            [float(sum(tallies.count(key) for tallies in self._tallies)) for key in keys]
        )

    def see(self, token: int) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The counts after one more observation, which is not nothing."""
        self._history = mixed(self._history, token)
        return self.counts()
