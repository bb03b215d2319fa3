"""What stands for worlds where no history that agrees was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from facedown.core import CHANCE, OVER, Position, Stream, derive

if TYPE_CHECKING:
    from facedown.belief.hyperplay import Bag

NEAREST = 16
"""Positions that stand for worlds where no model is on line."""


def nearest(bag: Bag, view: Position) -> list[Position]:
    """Where models have come to, or may soon, and the viewer has the moves that its view shows.

    From the positions of those that agree with the most observations moves are drawn until the
    viewer is to move and has these.
    """
    stream, found = Stream(derive(bag.seed, "nearest", len(bag.observed))), list[Position]()
    legal = view.choices() if view.turn() == bag.viewer else None
    for position in bag.ends()[: 4 * NEAREST]:
        for _ in range(NEAREST):
            turn = position.turn()
            if turn == OVER or len(found) == NEAREST:
                break
            if turn == bag.viewer and legal in (None, position.choices()):
                found.append(position)
                break
            position.play(
                position.draw(stream) if turn == CHANCE else stream.choice(position.legal())
            )
    return found
