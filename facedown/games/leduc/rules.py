"""Leduc hold'em (Southey et al. 2005): six cards, two betting rounds, one public card.

The deck has two jacks, two queens and two kings. Both players put one chip into the pot and get a
card. A betting round follows, then a public card (the board), then a second round. Player 0 begins
each round. A raise adds 2 chips in the first round and 4 in the second, and a round sees at most
two of them. Whoever pairs the board wins the showdown, else the higher rank; equal ranks split.

Suits never matter, so chance deals ranks, weighted by the copies left: 0 (jack), 1 (queen),
2 (king); -1 is unknown or not dealt. Moves: 0 folds (only facing a raise), 1 calls (or checks),
2 raises (or bets); 3, 4 and 5 are chance's, the next card.

Tokens: 1 to 6 are a player's move, 3 to each player; 7 to 9 a card that the viewer is dealt; 10
and 11 a card dealt to player 0 or 1 face down; 12 to 14 the board.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import CHANCE, OVER, mix, pick
from facedown.games.leduc.habits import thumb, told
from facedown.games.leduc.state import (
    BOARD,
    BOARD_CARD,
    CALL,
    DEAL,
    FACE_DOWN,
    FOLD,
    HIDDEN,
    OWN_CARD,
    RAISE,
    RANKS,
    State,
    copies_left,
)
from facedown.games.leduc.strength import fits, secret, suppose

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
    "thumb",
    "told",
    "turn",
    "weights",
]


def start(s: Any) -> None:
    s["cards"][:] = HIDDEN
    s["line"][:] = HIDDEN
    s["chips"][:] = 1
    s["n"], s["dealt"], s["raises"], s["actor"] = 0, 0, 0, CHANCE


def turn(s: Any) -> int:
    return int(s["actor"])


def legal(s: Any, moves: Any) -> int:
    n = 0
    if s["actor"] == CHANCE:
        for rank in range(RANKS):
            if copies_left(s["cards"], rank) > 0:
                moves[n] = DEAL + rank
                n += 1
        return n
    if s["raises"] > 0:
        moves[n] = FOLD
        n += 1
    moves[n] = CALL
    n += 1
    if s["raises"] < 2:
        moves[n] = RAISE
        n += 1
    return n


def weights(s: Any, out: Any) -> None:
    n = 0
    for rank in range(RANKS):
        left = copies_left(s["cards"], rank)
        if left > 0:
            out[n] = left
            n += 1


def apply(s: Any, move: int) -> None:
    if move >= DEAL:
        s["cards"][s["dealt"]] = move - DEAL
        s["dealt"] += 1
        s["actor"] = CHANCE if s["dealt"] < 2 else 0
        return
    player = int(s["actor"])
    s["line"][s["n"]] = move
    s["n"] += 1
    if move == FOLD:
        s["actor"] = OVER
    elif move == RAISE:
        s["chips"][player] = int(s["chips"][1 - player]) + (2 if s["dealt"] == BOARD else 4)
        s["raises"] += 1
        s["actor"] = 1 - player
    else:
        s["chips"][player] = s["chips"][1 - player]
        if player == 0 and s["raises"] == 0:  # the check that opens a round
            s["actor"] = 1
        else:
            s["raises"] = 0
            s["actor"] = CHANCE if s["dealt"] == BOARD else OVER


def sees(s: Any, move: int, viewer: int) -> int:
    """A player's card shows its face to its owner alone; all the rest is public."""
    if move < DEAL:
        return 1 + move + 3 * int(s["actor"])
    if s["dealt"] == BOARD:
        return BOARD_CARD + move - DEAL
    return OWN_CARD + move - DEAL if viewer == s["dealt"] else FACE_DOWN + int(s["dealt"])


def payoff(s: Any, pay: Any) -> None:
    cards, chips = s["cards"], s["chips"]
    if chips[0] != chips[1]:  # who put in less has folded
        gain = float(chips[1]) if chips[1] < chips[0] else -float(chips[0])
    elif cards[0] == cards[1]:
        gain = 0.0
    elif cards[0] == cards[BOARD] or (cards[1] != cards[BOARD] and cards[0] > cards[1]):
        gain = float(chips[1])
    else:
        gain = -float(chips[0])
    pay[0], pay[1] = gain, 0.0 - gain  # a split is 0, not -0


def hide(s: Any, viewer: int) -> None:
    for player in range(2):
        if player != viewer:
            s["cards"][player] = HIDDEN


def infoset(s: Any, viewer: int) -> int:
    card = int(s["cards"][viewer]) if viewer >= 0 else HIDDEN
    code = (int(s["dealt"]) * 4 + card + 1) * 4 + int(s["cards"][BOARD]) + 1
    for k in range(s["n"]):
        code = code * 4 + int(s["line"][k]) + 1
    return mix(1, code)  # type: ignore[no-any-return]


def determinize(s: Any, viewer: int, rng: int) -> None:
    left = np.empty(RANKS, np.float64)
    for player in range(min(int(s["dealt"]), 2)):
        if player != viewer:
            mine, supposed = int(s["cards"][1 - player]), int(s["cards"][player])
            for rank in range(RANKS):
                fitting = fits(rank, supposed, mine, int(s["cards"][BOARD]))
                left[rank] = copies_left(s["cards"], rank) if fitting else 0
            s["cards"][player] = pick(rng, left, RANKS)
