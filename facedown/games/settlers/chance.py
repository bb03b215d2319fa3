"""What chance does: it lays out the island, rolls, draws stolen cards and development cards."""

from __future__ import annotations

from typing import Any

from facedown.core import below, jit
from facedown.games.settlers import moves as m
from facedown.games.settlers import state as st
from facedown.games.settlers.geometry import HARBOURS, HEXES
from facedown.games.settlers.state import count, total

KINDS_OF_TILES = 6


@jit
def _tiles_left(s: Any, kind: int) -> int:
    """Hexes, or harbours, of a kind that are not yet laid."""
    if s["count"] < HEXES:
        left = m.LAY_COUNTS[kind]
        for k in range(s["count"]):
            left -= 1 if s["hexes"][k] == kind else 0
        return left  # type: ignore[no-any-return]
    left = m.MOOR_COUNTS[kind]
    for k in range(s["count"] - HEXES - 1):
        left -= 1 if s["harbours"][k] == kind else 0
    return left  # type: ignore[no-any-return]


@jit
def outcomes(s: Any) -> tuple[int, int]:
    """The first of chance's moves now and how many there may be; some may weigh nothing."""
    phase = int(s["phase"])
    if phase == st.ROLLING:
        return m.DICE, 11
    if phase == st.STEALING:
        return m.STEAL, st.RESOURCES
    if phase == st.DRAWING:
        return m.DRAW, st.CARD_KINDS
    if s["count"] == HEXES:
        return m.SPIRAL, 6
    return m.LAY if s["count"] < HEXES else m.MOOR, KINDS_OF_TILES


@jit
def weight(s: Any, k: int) -> float:
    """The weight of the k-th of those moves."""
    phase = int(s["phase"])
    if phase == st.ROLLING:
        return m.DICE_WEIGHTS[k]  # type: ignore[no-any-return]
    if phase == st.STEALING:
        return float(count(s["hands"][s["victim"]], k))
    if phase == st.DRAWING:
        return float(count(s["deck"], k))
    if s["count"] == HEXES:
        return 1.0
    return float(_tiles_left(s, k))


@jit
def _draw_packed(word: int, rng: int) -> int:
    """A kind drawn from a packed word, each of its cards as likely."""
    left, kind = below(rng, total(word)), 0
    while left >= count(word, kind):
        left -= count(word, kind)
        kind += 1
    return kind


@jit
def draw_outcome(s: Any, rng: int) -> int:
    """One of chance's moves, drawn by its weight."""
    phase = int(s["phase"])
    if phase == st.ROLLING:
        return m.DICE + m.DICE_SUMS[below(rng, 36)] - 2  # type: ignore[no-any-return]
    if phase == st.STEALING:
        return m.STEAL + _draw_packed(s["hands"][s["victim"]], rng)
    if phase == st.DRAWING:
        return m.DRAW + _draw_packed(s["deck"], rng)
    step = int(s["count"])
    if step == HEXES:
        return m.SPIRAL + below(rng, 6)
    start = m.LAY if step < HEXES else m.MOOR
    left = below(rng, HEXES - step if step < HEXES else HARBOURS - (step - HEXES - 1))
    kind = 0
    while left >= _tiles_left(s, kind):
        left -= _tiles_left(s, kind)
        kind += 1
    return start + kind


@jit
def list_outcomes(s: Any, moves: Any) -> int:
    """Chance's moves that weigh something; how many."""
    low, span = outcomes(s)
    n = 0
    for k in range(span):
        if weight(s, k) > 0.0:
            moves[n] = low + k
            n += 1
    return n


@jit
def list_weights(s: Any, shares: Any) -> None:
    """Their weights."""
    _, span = outcomes(s)
    n = 0
    for k in range(span):
        if weight(s, k) > 0.0:
            shares[n] = weight(s, k)
            n += 1


@jit
def index_numbers(s: Any) -> None:
    """Where each sum of the dice pays, and the robber into the desert, once the numbers lie."""
    for h in range(HEXES):
        number = int(s["numbers"][h])
        if number > 0:
            place = 2 * number + (1 if s["where"][2 * number] != st.NONE else 0)
            s["where"][place] = h
        elif s["robber"] == st.NONE:
            s["robber"] = h
