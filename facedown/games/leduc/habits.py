"""How people bet in Leduc hold'em, compiled: informed playouts, and cards by how they were bet."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import jit, pick, uniform
from facedown.games.leduc.state import BOARD, CALL, FOLD, HIDDEN, RAISE, RANKS, copies_left
from facedown.games.leduc.strength import fits

BLUFFS = 0.15
_DOUBT = 0.15  # the least that a bet says of any card: people bluff, and wait


@jit
def _likely(card: int, board: int, raises: int, move: int) -> float:
    """How likely the rule of thumb bets so: raise what is strong, give up what is weak."""
    strong = card == board or (card == 2 and board < 0)
    weak = card != board and card < (1 if board < 0 else 2)
    more = 0.0
    if raises < 2:
        more = 1.0 if strong else BLUFFS if weak else 0.0
    if move == RAISE:
        return more
    gives_up = 1.0 - more if weak and raises > 0 else 0.0
    return gives_up if move == FOLD else 1.0 - more - gives_up


def thumb(s: Any, rng: int) -> int:
    """The rule of thumb's move."""
    card, board, raises = int(s["cards"][s["actor"]]), int(s["cards"][BOARD]), int(s["raises"])
    left = uniform(rng)
    for move in (RAISE, FOLD):
        left -= _likely(card, board, raises, move)
        if left < 0.0:
            return move
    return CALL


@jit
def _trust(s: Any, player: int, card: int) -> float:
    """In proportion to how likely the player would have bet so with a card."""
    actor, raises, second, trust = 0, 0, False, 1.0
    for k in range(s["n"]):
        move, board = int(s["line"][k]), int(s["cards"][BOARD]) if second else HIDDEN
        if actor == player:
            trust *= _DOUBT + (1.0 - _DOUBT) * _likely(card, board, raises, move)
        opens = move == CALL and actor == 0 and raises == 0
        if move == RAISE:
            raises += 1
        if move == RAISE or opens:
            actor = 1 - actor
        else:  # the round is over
            actor, raises, second = 0, 0, True
    return trust


def told(s: Any, viewer: int, rng: int) -> None:
    """A card that the viewer does not see, likelier where it would have been bet so."""
    left = np.empty(RANKS, np.float64)
    for player in range(min(int(s["dealt"]), 2)):
        if player != viewer:
            mine, supposed = int(s["cards"][1 - player]), int(s["cards"][player])
            s["cards"][player] = HIDDEN
            for rank in range(RANKS):
                fitting = fits(rank, supposed, mine, int(s["cards"][BOARD]))
                copies = copies_left(s["cards"], rank) if fitting else 0
                left[rank] = copies * _trust(s, player, rank)
            s["cards"][player] = pick(rng, left, RANKS)
