"""What a viewer knows of a position: his view, and keys of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import jit, mix
from facedown.games.settlers import state as st

SEED = np.uint64(0x5E771E25)


def hide(v: Any, s: Any, viewer: int) -> None:
    """Blank out the others' cards, and what the bank and the deck have left of each kind.

    How many cards everybody holds stays: all can count them. So does what an offer says.
    """
    for player in range(st.PLAYERS):
        if player != viewer:
            s["hands"][player], s["cards"][player] = 0, 0
    if s["player"] != viewer:
        s["fresh"] = 0
    s["bank"], s["deck"] = 0, 0


@jit
def _bytes(s: Any, player: int) -> int:
    """What all can see of a player in small numbers, in one word; each is at most 95."""
    word = int(s["held"][player])
    word = word << 8 | int(s["unplayed"][player])
    word = word << 8 | int(s["knights"][player])
    word = word << 8 | int(s["points"][player])
    word = word << 8 | int(s["silent"][player] + 16)
    return word << 8 | int(s["owed"][player])


@jit
def _doing(s: Any) -> tuple[int, int]:
    """Where in the game and in the turn we are, in two words."""
    word = int(s["phase"])
    word = word << 4 | int(s["actor"] + 2)
    word = word << 4 | int(s["player"])
    word = word << 6 | int(s["robber"] + 1)
    word = word << 6 | int(s["count"])
    word = word << 7 | int(s["spot"] + 1)
    word = word << 4 | int(s["longest"] + 1)
    word = word << 4 | int(s["army"] + 1)
    word = word << 6 | int(s["left"])
    more = int(s["rolled"] | s["spent"] << 1 | s["free"] << 2)
    more = more << 6 | int(s["bought"])
    more = more << 4 | int(s["victim"] + 1)
    more = more << 4 | int(s["asker"] + 1)
    more = more << 4 | int(s["to"])
    more = more << 8 | int(s["offers"])
    more = more << 4 | int(s["winner"] + 1)
    return word, more


@jit
def _key(s: Any, viewer: int) -> Any:
    """A key of the view but for the number of turns.

    What follows from the pieces (where one may build, rates, lengths of roads) is left out.
    """
    key = mix(SEED, s["board"])
    for player in range(st.PLAYERS):
        key = mix(key, s["settlements"][player])
        key = mix(key, s["cities"][player])
        key = mix(key, s["roads"][2 * player])
        key = mix(key, s["roads"][2 * player + 1])
        key = mix(key, _bytes(s, player))
    if viewer >= 0:
        key = mix(key, s["hands"][viewer])
        key = mix(key, s["cards"][viewer])
        if s["player"] == viewer:
            key = mix(key, s["fresh"])
    doing, more = _doing(s)
    key = mix(mix(key, doing), more)
    if s["asker"] != st.NONE:
        for k in range(4):
            key = mix(key, s["terms"][k])
    return mix(mix(key, s["played"]), s["stock"])


def infoset(v: Any, s: Any, viewer: int) -> Any:
    """A key of the view."""
    return mix(_key(s, viewer), s["turns"])


def bucket(v: Any, s: Any, memo: Any, viewer: int) -> Any:
    """A key of what the viewer sees and of what he has proven of the others' hands.

    The features of Dobre and Lascarides (2018), section "POMCP": the observable state and, for each
    player, the least and the most that he may have of each resource, and his total. The number of
    possible hands follows from these. Turns are not counted, so that the same position reached in
    another way is the same node.
    """
    key = _key(s, viewer)
    for player in range(st.PLAYERS):
        if player != viewer:
            low, high = 0, 0
            for resource in range(st.RESOURCES):
                low = low << 8 | int(memo["low"][5 * player + resource])
                high = high << 8 | int(memo["high"][5 * player + resource])
            key = mix(mix(key, low), high)
    return key
