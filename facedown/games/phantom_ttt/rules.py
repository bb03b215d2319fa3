"""Phantom tic-tac-toe: three in a row against marks that nobody shows you.

Players mark squares in turn, player 0 (x) first, and see their own marks alone. Who tries a square
that the other has marked is told so, alone, and tries another one until a mark is made. Three in a
row win; a full board is a draw. This is the game that OpenSpiel calls `phantom_ttt` with its
default `obstype`, `reveal-nothing`: how often the other has tried in vain is not told. That the
other has made a mark is, for it is then one's turn; that the game is over is told to everybody.

A move is a square, 0 to 8, row by row. Tokens: 1 to 9 a mark of one's own, 10 to 18 a square that
one finds taken, 19 a mark of somebody else's, 20 one that ends the game; a try in vain is nothing
to the others.

The record keeps what each has tried in order. With the turns that alternate, that is the history.
"""

from __future__ import annotations

from typing import Any

from facedown.core import OVER, mix
from facedown.games.phantom_ttt.state import NONE, SQUARES, State, bit, has_line
from facedown.games.phantom_ttt.worlds import determinize, secret, suppose

__all__ = [
    "State",
    "apply",
    "determinize",
    "hide",
    "infoset",
    "legal",
    "payoff",
    "secret",
    "sees",
    "start",
    "suppose",
    "turn",
]

MARKED, TAKEN, UNSEEN, ENDED = 1, 10, 19, 20  # tokens, the first of each kind


def start(s: Any) -> None:
    s["tries"][:] = NONE
    s["marks"][:] = 0
    s["met"][:] = 0
    s["n"], s["actor"] = 0, 0


def turn(s: Any) -> int:
    return int(s["actor"])


def legal(s: Any, moves: Any) -> int:
    """The squares that the player does not know to be taken."""
    player, n = int(s["actor"]), 0
    known = int(s["marks"][player]) | int(s["met"][player])
    for square in range(SQUARES):
        if known & bit(square) == 0:
            moves[n] = square
            n += 1
    return n


def apply(s: Any, move: int) -> None:
    player, k = int(s["actor"]), 0
    while s["tries"][player, k] != NONE:
        k += 1
    s["tries"][player, k] = move
    if int(s["marks"][1 - player]) & bit(move) != 0:
        s["met"][player] |= bit(move)
        return
    s["marks"][player] |= bit(move)
    s["n"] += 1
    over = s["n"] == SQUARES or has_line(int(s["marks"][player]))
    s["actor"] = OVER if over else 1 - player


def sees(s: Any, move: int, viewer: int) -> int:
    player = int(s["actor"])
    taken = int(s["marks"][1 - player]) & bit(move) != 0
    if viewer == player:
        return (TAKEN if taken else MARKED) + move
    if taken:
        return 0
    ends = s["n"] == SQUARES - 1 or has_line(int(s["marks"][player]) | bit(move))
    return ENDED if ends else UNSEEN


def payoff(s: Any, pay: Any) -> None:
    """1 for three in a row, -1 for the other, 0 each for a draw."""
    gain = 0.0
    if has_line(int(s["marks"][0])):
        gain = 1.0
    elif has_line(int(s["marks"][1])):
        gain = -1.0
    pay[0], pay[1] = gain, 0.0 - gain


def hide(s: Any, viewer: int) -> None:
    """Leave of the others what the viewer has run into."""
    for player in range(2):
        if player != viewer:
            s["tries"][player, :] = NONE
            s["met"][player] = 0
            s["marks"][player] = s["met"][viewer] if viewer >= 0 else 0


def infoset(s: Any, viewer: int) -> int:
    key = mix(int(s["n"]) + 1, int(s["actor"]) + 3)
    if viewer >= 0:
        key = mix(key, int(s["met"][viewer]))
        for k in range(SQUARES):
            key = mix(key, int(s["tries"][viewer, k]) + 1)
    return key  # type: ignore[no-any-return]
