"""What a viewer learns from a move, packed into one number; `text` puts it into words.

Field by field, from the lowest bits: the kind, who did it (as the viewer names him), and what
belongs to the kind. A play that ends the hand also tells the show: what each hand counted, as far
as it was counted, and the crib's cards.
"""

from __future__ import annotations

from typing import Any

from facedown.core import jit, lowest
from facedown.games.cribbage.cards import pair_number, value
from facedown.games.cribbage.play import (
    alike,
    card_points,
    closes,
    is_last,
    last_to_play,
    run_length,
)
from facedown.games.cribbage.scoring import count_hand
from facedown.games.cribbage.state import CUTS, DEALS, GO, GOAL, THROWS

OWN_CARD, FACE_DOWN, OWN_THROW, THROWN, TURNED, PLAYED, WENT = 1, 2, 3, 4, 5, 6, 7
YOU, OPPONENT = 2, 3  # who, to a player; the public knows them as 0 and 1

# Shifts of the fields of a play; `who` has two bits, a count five, a card six, a pair eleven
WHO, CARD, COUNT, ALIKE, RUN, LAST = 3, 5, 11, 16, 18, 21
COUNTED, FIRST_HAND, PAIR, OTHER_PAIR, DEALER = 22, 24, 39, 50, 61
# of a go
CLOSES, TAKER = 11, 12


@jit
def _who(player: int, viewer: int) -> int:
    if viewer < 0:
        return player
    return YOU if player == viewer else OPPONENT


@jit
def _show(s: Any, t: Any, points: int) -> int:
    """The show that follows upon the last card of a hand, as the fields of its token."""
    player, dealer, cut = int(s["actor"]), int(s["dealer"]), int(s["cut"])
    pone = 1 - dealer
    scores = int(s["score"][0]), int(s["score"][1])
    if scores[player] + points >= GOAL:
        return 0
    extra = points if player == pone else 0
    told, crib = 0, s["thrown"][0] | s["thrown"][1]
    total = scores[pone] + extra
    for k in range(3):
        if k == 1:
            total = scores[dealer] + points - extra
        owner = dealer if k > 0 else pone
        hand = crib if k == 2 else s["played"][owner] | s["held"][owner]
        made = count_hand(t, hand, cut, k == 2)
        told += (1 << COUNTED) + (made << (FIRST_HAND + 5 * k))
        total += made
        if total >= GOAL and t["kelly2017"] == 0 and k < 2:
            return told
    return told + _crib_shown(crib)


@jit
def _crib_shown(crib: int) -> int:
    rest = crib & (crib - 1)
    low, second = lowest(crib), lowest(rest)
    rest &= rest - 1
    third, fourth = lowest(rest), lowest(rest & (rest - 1))
    return (pair_number(low, second) << PAIR) + (pair_number(third, fourth) << OTHER_PAIR)


@jit
def _play(s: Any, t: Any, card: int, viewer: int) -> int:
    player = int(s["actor"])
    same, last = alike(s, card), is_last(s, card)
    run = run_length(s, card) if same == 0 else 0
    token = PLAYED + (_who(player, viewer) << WHO) + (card << CARD)
    token += (int(s["count"]) + value(card)) << COUNT
    token += (same << ALIKE) + (run << RUN) + ((1 if last else 0) << LAST)
    if s["left"][player] == 1 and s["left"][1 - player] == 0:
        token += _show(s, t, card_points(s, card) + (1 if last else 0))
        token += _who(int(s["dealer"]), viewer) << DEALER
    return token


@jit
def _go(s: Any, viewer: int) -> int:
    token = WENT + (_who(int(s["actor"]), viewer) << WHO) + (int(s["count"]) << CARD)
    if closes(s):
        token += (1 << CLOSES) + (_who(last_to_play(s), viewer) << TAKER)
    return token


@jit
def _throw(s: Any, pair: int, viewer: int) -> int:
    if viewer == s["actor"]:
        return OWN_THROW + (pair << CARD)
    return THROWN if s["actor"] == s["dealer"] else 0


@jit
def _deal(s: Any, card: int, viewer: int) -> int:
    dealer, dealt = int(s["dealer"]), int(s["left"][0]) + int(s["left"][1])
    player = 1 - dealer if dealt % 2 == 0 else dealer
    if viewer == player:
        return OWN_CARD + (card << CARD)
    return FACE_DOWN + (_who(player, viewer) << WHO)


def sees(t: Any, s: Any, move: int, viewer: int) -> int:
    """Cards are dealt and thrown face down; the rest is public. A pending throw is seen by nobody
    else."""
    if move < GO:
        return _play(s, t, move, viewer)
    if move == GO:
        return _go(s, viewer)
    if move < DEALS:
        return _throw(s, move - THROWS, viewer)
    if move < CUTS:
        return _deal(s, move - DEALS, viewer)
    return TURNED + (_who(int(s["dealer"]), viewer) << WHO) + ((move - CUTS) << CARD)
