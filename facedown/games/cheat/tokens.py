"""What a viewer learns from a move, packed into one number; `text` puts it into words.

Field by field, from the lowest bits: the kind, who did it (as the viewer names him), and what
belongs to the kind. Of a call the claim's own cards are told, how many lay on the table, and a
*seal* of all that was shown, for a pile can hold more than a number does: equal seals, equal piles.
The view has the pile card by card.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import jit, mix
from facedown.games.cheat.state import (
    BEGINS,
    CALL,
    DEALS,
    DRAWS,
    FALSE_HIGHER,
    LAYS,
    TAKE,
    TURNS,
    beside,
    cards_of,
    goes_lower,
    laid_at,
    mover,
    mover_of,
)

BEGUN, OWN_CARD, FACE_DOWN, TURNED, OWN_CLAIM, CLAIMED, OWN_LAY = 1, 2, 3, 4, 5, 6, 7
OWN_TAKE, OWN_DRAW, TOOK, CALLED = 8, 9, 10, 11
YOU, OPPONENT = 2, 3  # who, to a player; the public knows them as 0 and 1

# Shifts of the fields: who, a rank, a move or the number of cards, a list, cards on the table
WHO, RANK, MOVE, LAID, TABLE, SEAL = 4, 6, 10, 15, 31, 37
_SEAL_BITS = 26


@jit
def _who(player: int, viewer: int) -> int:
    if viewer < 0:
        return player
    return YOU if player == viewer else OPPONENT


@jit
def _claim(s: Any, v: Any, move: int, viewer: int) -> int:
    """A claim that is complete."""
    rank = beside(int(s["rank"]), goes_lower(move), v["ranks"])
    said = (rank << RANK) + (_who(mover(s), viewer) << WHO)
    if viewer == mover(s):
        return OWN_CLAIM + said + (move << MOVE)
    return CLAIMED + said + (cards_of(move) << MOVE)


@jit
def _seal(s: Any) -> int:
    """A fingerprint of who laid what since the last call."""
    key = mix(1, int(s["n"]))
    for k in range(int(s["since"]), int(s["n"])):
        if int(s["line"][k]) < CALL:
            key = mix(key, laid_at(s, k) * 64 + int(s["line"][k]))
    return np.int64(key >> np.uint64(64 - _SEAL_BITS))  # type: ignore[return-value]


@jit
def _call(s: Any, viewer: int) -> int:
    last = s["n"] - 1
    token = CALLED + (_who(mover(s), viewer) << WHO) + (int(s["rank"]) << RANK)
    token += (cards_of(int(s["line"][last])) << MOVE) + (laid_at(s, last) << LAID)
    return token + (int(s["table"]) << TABLE) + (_seal(s) << SEAL)


@jit
def _action(s: Any, v: Any, move: int, viewer: int) -> int:
    """A player's move: what takes cards that chance has to draw is seen by the mover alone."""
    if move == CALL:
        return _call(s, viewer)
    if move < FALSE_HIGHER or (viewer == mover(s) and move != TAKE):
        return _claim(s, v, move, viewer)
    return OWN_TAKE if viewer == mover(s) else 0


@jit
def _drawn(s: Any, v: Any, move: int, viewer: int) -> int:
    """A card that chance draws for a choice; the last one shows the choice to everybody."""
    if viewer == mover(s):
        return (
            OWN_LAY + ((move - LAYS) << RANK)
            if move < DRAWS
            else OWN_DRAW + ((move - DRAWS) << RANK)
        )
    if move >= DRAWS:
        return TOOK + (_who(mover(s), viewer) << WHO)
    return _claim(s, v, int(s["doing"]), viewer) if s["owed"] == 1 else 0


def sees(v: Any, s: Any, move: int, viewer: int) -> int:
    """Cards are dealt, laid and taken face down; claims, calls and piles called are public."""
    if move < BEGINS:
        return _action(s, v, move, viewer)
    if move < DEALS:
        return BEGUN + (_who(move - BEGINS, viewer) << WHO)
    if move < TURNS:
        player = mover_of(s, int(s["size"][0]) + int(s["size"][1]))
        if viewer == player:
            return OWN_CARD + ((move - DEALS) << RANK)
        return FACE_DOWN + (_who(player, viewer) << WHO)
    if move < LAYS:
        return TURNED + ((move - TURNS) << RANK)
    return _drawn(s, v, move, viewer)
