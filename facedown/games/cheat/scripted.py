"""A player of Cheat by rules of thumb, from its view alone.

It calls what cannot be true, and what it would lose by letting pass; it tells the truth where it
can, with as many cards as it can; else it takes a card or lies with one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from facedown.core import Stream
from facedown.games.cheat.state import CALL, FALSE_HIGHER, TAKE
from facedown.games.cheat.text import Round, history, size_of

_TAKES = 0.2  # how often it takes a card where it has no true claim
_MUCH = 8  # cards on the table that are worth a call, if there is reason for doubt


def choose(
    view: Any, player: int, legal: Sequence[int], ranks: int, copies: int, stream: Stream
) -> int:
    """A legal move."""
    rounds = history(view, ranks)
    if CALL in legal and _doubtful(view, player, rounds, copies):
        return CALL
    honest = [move for move in legal if move < FALSE_HIGHER]
    if honest:
        return max(honest, key=lambda move: (size_of(move), -move))
    if TAKE in legal and stream.random() < _TAKES:
        return TAKE
    lies = [move for move in legal if FALSE_HIGHER <= move < CALL and size_of(move) == 1]
    return stream.choice(lies or [move for move in legal if move != CALL])


def _doubtful(view: Any, player: int, rounds: list[Round], copies: int) -> bool:
    """Whether the claim just made is to be called."""
    last, other = rounds[-1], 1 - player
    mine = int(view["cards"][player]) >> 4 * last.rank & 15
    laid = sum(
        one.cards.count(last.rank)
        for one in rounds[int(view["since"]) :]
        if one.player == player and one.claims
    )
    room = copies - mine - laid - last.laid  # cards of the rank that are not accounted for
    if room < 0 or view["size"][other] == 0:
        return True
    caught = int(view["caught"][other]) >> last.rank & 1
    again = int(view["again"][other]) >> last.rank & 1
    return bool(again or (caught and last.laid > 1) or (view["table"] > _MUCH and room < last.laid))
