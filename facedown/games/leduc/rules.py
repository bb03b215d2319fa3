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

import numpy as np

from facedown.core import CHANCE, OVER, array, mix, pick, view
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
    "turn",
    "weights",
]


def start(ctx: int, state: int) -> None:
    s = view(state, State)
    s["cards"][:] = HIDDEN
    s["line"][:] = HIDDEN
    s["chips"][:] = 1
    s["n"], s["dealt"], s["raises"], s["actor"] = 0, 0, 0, CHANCE


def turn(ctx: int, state: int) -> int:
    return int(view(state, State)["actor"])


def legal(ctx: int, state: int, out: int) -> int:
    s, moves = view(state, State), array(out, 3, np.int32)
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


def weights(ctx: int, state: int, out: int) -> None:
    s, weight = view(state, State), array(out, 3, np.float64)
    n = 0
    for rank in range(RANKS):
        left = copies_left(s["cards"], rank)
        if left > 0:
            weight[n] = left
            n += 1


def apply(ctx: int, state: int, move: int) -> None:
    s = view(state, State)
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


def sees(ctx: int, state: int, move: int, viewer: int) -> int:
    """A player's card shows its face to its owner alone; all the rest is public."""
    s = view(state, State)
    if move < DEAL:
        return 1 + move + 3 * int(s["actor"])
    if s["dealt"] == BOARD:
        return BOARD_CARD + move - DEAL
    return OWN_CARD + move - DEAL if viewer == s["dealt"] else FACE_DOWN + int(s["dealt"])


def payoff(ctx: int, state: int, out: int) -> None:
    s, pay = view(state, State), array(out, 2, np.float64)
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


def hide(ctx: int, state: int, viewer: int) -> None:
    s = view(state, State)
    for player in range(2):
        if player != viewer:
            s["cards"][player] = HIDDEN


def infoset(ctx: int, state: int, viewer: int) -> int:
    s = view(state, State)
    card = int(s["cards"][viewer]) if viewer >= 0 else HIDDEN
    code = (int(s["dealt"]) * 4 + card + 1) * 4 + int(s["cards"][BOARD]) + 1
    for k in range(s["n"]):
        code = code * 4 + int(s["line"][k]) + 1
    return mix(1, code)  # type: ignore[no-any-return]


def determinize(ctx: int, state: int, viewer: int, rng: int) -> None:
    s = view(state, State)
    left = np.empty(RANKS, np.float64)
    for player in range(min(int(s["dealt"]), 2)):
        if player != viewer:
            mine, supposed = int(s["cards"][1 - player]), int(s["cards"][player])
            for rank in range(RANKS):
                fitting = fits(rank, supposed, mine, int(s["cards"][BOARD]))
                left[rank] = copies_left(s["cards"], rank) if fitting else 0
            s["cards"][player] = pick(rng, left, RANKS)
