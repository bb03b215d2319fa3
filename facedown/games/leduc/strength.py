"""What the other's bets hide: whether his hand is ahead of the viewer's, as far as the cards lie.

That is what a bet is about and what nobody sees, so it is the label of semi-determinized search
(the rule `secret`) and what a model can learn to predict. The label sets apart the searcher's first
decision only: apart all the way down, each half would be played as if the player knew it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from facedown.core import jit
from facedown.core.learning import Features
from facedown.games.leduc.state import BOARD, CALL, HIDDEN, RAISE, RANKS, copies_left

NO_LABEL, BEHIND, AHEAD = 0, 1, 2  # of the other's hand; an equal one is not ahead


@jit
def ahead(card: int, mine: int, board: int) -> bool:
    """Whether a hand beats another one as things stand: a pair with the board, else the rank."""
    if card == mine:
        return False
    return card == board or (mine != board and card > mine)


def secret(s: Any, viewer: int) -> int:
    """Whether the other is ahead: 1 no, 2 yes; 0 before both have a card, and for the public."""
    if viewer < 0 or s["dealt"] < 2 or s["cards"][1 - viewer] < 0:
        return NO_LABEL
    mine, other, board = s["cards"][viewer], s["cards"][1 - viewer], s["cards"][BOARD]
    return AHEAD if ahead(int(other), int(mine), int(board)) else BEHIND


def suppose(s: Any, viewer: int, label: int) -> int:
    """Suppose that the other is ahead, or not: his card, unknown, is below HIDDEN by the label."""
    if viewer < 0 or s["dealt"] < 2 or s["cards"][1 - viewer] >= 0:
        return 1 if label == NO_LABEL else 0
    mine, board = int(s["cards"][viewer]), int(s["cards"][BOARD])
    for card in range(RANKS):
        found = AHEAD if ahead(card, mine, board) else BEHIND
        if found == label and copies_left(s["cards"], card) > 0:
            s["cards"][1 - viewer] = HIDDEN - label
            return 1
    return 0


@jit
def fits(card: int, supposed: int, mine: int, board: int) -> bool:
    """Whether a card of the other's is as it is supposed to be, where anything is."""
    if supposed >= HIDDEN:
        return True
    return ahead(card, mine, board) == (supposed == HIDDEN - AHEAD)


# --- features -------------------------------------------------------------------------------------

NAMES = (
    "own-card",
    "board",
    "own-pair",
    "second",
    "own-chips",
    "other-chips",
    "raises",
    "other-raised-first",
    "other-raised-second",
    "own-raised-first",
    "own-raised-second",
    "other-last",
)


def features() -> Features:
    """By what the strength of the other's hand is predicted."""
    return Features(
        names=NAMES,
        labels=(BEHIND, AHEAD),
        words=("hands not ahead", "hands ahead"),
        values=values,
        moment=moment,
        revealed=revealed,
    )


def moment(view: Any) -> int:
    """How many moves the players have made."""
    return int(view["n"])


def revealed(view: Any, player: int) -> Mapping[int, int]:
    """Nothing: hands show at the end of a game, if at all."""
    return {}


def values(view: Any, player: int, seconds: Sequence[float]) -> tuple[float, ...]:
    """The features, in the order of NAMES, from the player's view."""
    card, board = int(view["cards"][player]), int(view["cards"][BOARD])
    raised, last = _bets(view)
    other = 1 - player
    return (
        float(card),
        float(board) if board >= 0 else math.nan,
        float(card == board),
        float(board >= 0),
        float(view["chips"][player]),
        float(view["chips"][other]),
        float(view["raises"]),
        *(float(raised[other][k]) for k in range(2)),
        *(float(raised[player][k]) for k in range(2)),
        float(last[other]),
    )


def _bets(view: Any) -> tuple[list[list[int]], list[int]]:
    """How often each player raised in each round, and what each did last, -1 for nothing."""
    raised, last = [[0, 0], [0, 0]], [-1, -1]
    player, second, opened = 0, 0, False
    for move in map(int, view["line"][: int(view["n"])]):
        raised[player][second] += move == RAISE
        last[player] = move
        ends = move == CALL and (player == 1 or opened)
        opened = opened or move == RAISE
        player = 1 - player
        if ends:  # player 0 begins the second round
            player, second, opened = 0, 1, False
    return raised, last
