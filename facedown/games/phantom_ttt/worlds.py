"""Worlds of phantom tic-tac-toe: what the others have tried, with the probability of its history.

Turns are gone through in order. The viewer's own tries are known. Of the others every try is drawn
among the squares that lead to what the viewer has seen: not one that the viewer marks later, and
such that squares which the viewer finds taken are marked by then. What that leaves out is the
world's weight beside this proposal, at most 1, and the world is accepted with that probability, if
no line came too early or too late. So worlds are exact.

What the other's last action hides is the square that he marked (`secret`): his tries in vain hide
nothing that matters to the viewer, and his earlier marks are not of that action. Nine labels at
most are few enough for a root each. `suppose` notes the square in the first of his tries, which a
view leaves blank.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import OVER, below, jit, uniform
from facedown.games.phantom_ttt.state import (
    ALL,
    NONE,
    SQUARES,
    bit,
    has_line,
    last_turn,
    size,
)

NEVER = 99  # beyond all turns
HOPELESS = 1_000_000  # tries in vain: only a view that no game leads to
IN_VAIN = 3000  # tries without any world after which what is supposed counts as impossible
_SEED = 0x5EC4E7  # of the stream that such tries are drawn from, the same for every view

Sheet = np.dtype(
    [
        # what the view tells, the same for every try
        ("taken", np.int64, SQUARES),  # the turn in which the viewer marks a square
        ("wanted", np.int64, SQUARES),  # the turn by which the others have marked it
        ("supposed", np.int64),  # the square marked last, or NONE
        ("last", np.int64),  # the turn of that
        # what is drawn in a try
        ("tries", np.int64, (2, SQUARES)),
        ("count", np.int64, 2),
        ("marks", np.int64, 2),
        ("met", np.int64, 2),
    ]
)


@jit
def _survey(s: Any, w: Any, viewer: int) -> None:
    """When the viewer has marked squares and found others taken; what is supposed."""
    for square in range(SQUARES):
        w["taken"][square], w["wanted"][square] = NONE, NEVER
    w["supposed"] = w["last"] = NONE
    if viewer < 0:
        return
    turn = viewer
    for k in range(SQUARES):
        square = int(s["tries"][viewer, k])
        if square == NONE:
            break
        if int(s["met"][viewer]) & bit(square) != 0:
            w["wanted"][square] = turn
        else:
            w["taken"][square] = turn
            turn += 2
    square = int(s["tries"][1 - viewer, 0])
    if square != NONE:
        w["supposed"], w["last"] = square, last_turn(s, 1 - viewer)
        w["wanted"][square] = min(w["wanted"][square], w["last"] + 1)


@jit
def _in_time(w: Any, turn: int, marks: int) -> bool:
    """Whether all squares that are wanted can be marked in time, so many marks after this turn."""
    for due in range(turn + 1, SQUARES + 1):
        missing = 0
        for square in range(SQUARES):
            if w["wanted"][square] <= due and marks & bit(square) == 0:
                missing += 1
        turns = (due - turn - 1) // 2  # of this player, after this one and before `due`
        if missing > turns:
            return False
    return True


@jit
def _open(w: Any, player: int, turn: int) -> int:
    """The squares that a player can have marked in a turn, by what the viewer has seen."""
    found, taken = 0, w["marks"][0] | w["marks"][1]
    for square in range(SQUARES):
        if taken & bit(square) != 0 or w["taken"][square] > turn:
            continue
        if w["supposed"] != NONE and (square == w["supposed"]) != (turn == w["last"]):
            continue
        if _in_time(w, turn, w["marks"][player] | bit(square)):
            found |= bit(square)
    return found


@jit
def _pick(squares: int, rng: int) -> int:
    """One of a set of squares, each as likely."""
    left, square = below(rng, size(squares)), 0
    while True:
        if squares & bit(square) != 0:
            left -= 1
            if left < 0:
                return square
        square += 1


@jit
def _note(w: Any, player: int, square: int) -> bool:
    """Try a square; whether it is marked now."""
    w["tries"][player, w["count"][player]] = square
    w["count"][player] += 1
    if w["marks"][1 - player] & bit(square) != 0:
        w["met"][player] |= bit(square)
        return False
    w["marks"][player] |= bit(square)
    return True


@jit
def _draw_turn(w: Any, player: int, turn: int, rng: int) -> float:
    """Draw the tries of a turn; what they weigh beside the proposal."""
    goals, weight = _open(w, player, turn), 1.0
    if goals == 0:
        return 0.0
    while True:
        free = ALL & ~(w["marks"][player] | w["met"][player])
        fitting = goals | (free & w["marks"][1 - player])
        weight *= size(fitting) / size(free)
        if _note(w, player, _pick(fitting, rng)):
            return weight


@jit
def _repeat_turn(s: Any, w: Any, viewer: int) -> None:
    """The viewer's own tries up to a mark, or up to now."""
    while w["count"][viewer] < SQUARES:
        square = int(s["tries"][viewer, w["count"][viewer]])
        if square == NONE or _note(w, viewer, square):
            return


@jit
def _try(s: Any, w: Any, viewer: int, rng: int) -> float:
    """Draw a world; what it weighs beside its proposal."""
    for player in range(2):
        w["count"][player], w["marks"][player], w["met"][player] = 0, 0, 0
        for k in range(SQUARES):
            w["tries"][player, k] = NONE
    n, weight = int(s["n"]), 1.0
    for turn in range(n):
        player = turn % 2
        if player == viewer:
            _repeat_turn(s, w, viewer)
        else:
            weight *= _draw_turn(w, player, turn, rng)
        if weight == 0.0:
            return 0.0
        ends = has_line(w["marks"][player]) or turn == SQUARES - 1
        if ends != (turn == n - 1 and s["actor"] == OVER):
            return 0.0
    if s["actor"] == viewer:
        _repeat_turn(s, w, viewer)
    return weight


def determinize(s: Any, viewer: int, rng: int) -> None:
    """Draw what the others have tried."""
    sheets = np.empty(1, Sheet)  # a record keeps no memory alive, so the array is used to the end
    w = sheets[0]
    _survey(s, w, viewer)
    for _ in range(HOPELESS):
        weight = _try(s, w, viewer, rng)
        if weight > 0.0 and uniform(rng) < weight:
            break
    for player in range(2):
        s["marks"][player], s["met"][player] = sheets[0]["marks"][player], w["met"][player]
        for k in range(SQUARES):
            s["tries"][player, k] = sheets[0]["tries"][player, k]


# --- what the last action hides -------------------------------------------------------------------


def secret(s: Any, viewer: int) -> int:
    """The square that the other marked last, counted from 1; 0 for none, and on a view."""
    label = 0
    if viewer >= 0:
        for k in range(SQUARES):
            square = int(s["tries"][1 - viewer, k])
            if square != NONE and int(s["marks"][1 - viewer]) & bit(square) != 0:
                label = square + 1
    return label


@jit
def _can_be(s: Any, viewer: int) -> bool:
    """Whether the view has a world at all: one is looked for."""
    sheets, word = np.empty(1, Sheet), np.full(1, np.uint64(_SEED))
    w, rng = sheets[0], word.ctypes.data
    _survey(s, w, viewer)
    found = False
    for _ in range(IN_VAIN):
        found = _try(s, w, viewer, rng) > 0.0
        if found:
            break
    return found and len(sheets) + len(word) == 2  # so both arrays are alive until here


def suppose(s: Any, viewer: int, label: int) -> int:
    """Suppose that the other's last mark is on the square `label - 1`."""
    if viewer < 0 or last_turn(s, 1 - viewer) == NONE:
        return 1 if label == 0 else 0
    if label < 1 or label > SQUARES or int(s["marks"][viewer]) & bit(label - 1) != 0:
        return 0
    s["tries"][1 - viewer, 0] = label - 1
    return 1 if _can_be(s, viewer) else 0
