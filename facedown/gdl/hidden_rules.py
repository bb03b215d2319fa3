"""The rules of GDL-II games: a search's worlds do without keeping what players observe."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import array
from facedown.core.records import address_of
from facedown.gdl import layout as at
from facedown.gdl.engine import head_of
from facedown.gdl.rules import (
    apply,
    clock_of,
    hide,
    infoset,
    legal,
    payoff,
    sees,
    start,
    tokens,
    turn,
)

__all__ = [
    "apply",
    "copy",
    "hide",
    "infoset",
    "legal",
    "payoff",
    "sees",
    "start",
    "tokens",
    "turn",
]


def copy(c: Any, to: Any, source: Any) -> None:
    """Place a world in a search, which asks `sees` itself what it wants to know.

    From here on the world's own keys of what players have observed are not kept up: working that
    out at every step would take most of a playout's time.
    """
    h = head_of(address_of(c))
    target = array(address_of(to), h[at.RECORD_WORDS], np.int64)
    record = array(address_of(source), h[at.RECORD_WORDS], np.int64)
    for w in range(h[at.RECORD_WORDS]):
        target[w] = record[w]
    clock_of(h, address_of(to))[at.QUIET] = 1
