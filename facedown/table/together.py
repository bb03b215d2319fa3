"""Who may decide at once: people whose decisions nobody sees before they make theirs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from facedown.core import Position

_MOST_MOVES = 16  # of a decision that is looked beyond: votes have two, offers hundreds


class Foreseen(NamedTuple):
    """A decision that will be asked of a player whatever others choose before it."""

    player: int
    view: Position
    legal: list[int]


def foreseen(truth: Position) -> Iterator[Foreseen]:
    """The decisions after the one that is awaited, as long as they are the same whatever is chosen.

    That is so in votes, secret cards and sealed bids: whoever comes next sees the same after each
    of the moves before. So to be asked early tells nobody anything.
    """
    position, asked = truth, set[int]()
    while True:
        player = position.turn()
        if player < 0 or player in asked:
            return
        asked.add(player)
        moves = position.legal()
        if len(moves) > _MOST_MOVES:
            return
        after = [_after(position, move) for move in moves]
        position, following = after[0], {one.turn() for one in after}
        if len(following) != 1 or (then := following.pop()) < 0 or then in asked:
            return
        view = position.view(then)
        if any(not same(one.view(then), view) for one in after[1:]):
            return
        yield Foreseen(then, view, list(view.legal()))


def same(one: Position, other: Position) -> bool:
    """Whether two views of a player are equal."""
    return one.to_json() == other.to_json() and sorted(one.legal()) == sorted(other.legal())


def _after(position: Position, move: int) -> Position:
    made = position.copy()
    made.apply(move)
    return made
