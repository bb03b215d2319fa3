"""Worlds that follow a game by a viewer's tokens: what others decided, and between what.

At a decision of its own a player has worlds of its belief at hand. As tokens come, each of them is
played on by the moves that would have shown the same, so that in every world it is known what was
legal where another player decided, and which move it was. Worlds that a token contradicts are left
behind; the next decision of one's own brings new ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from facedown.core import CHANCE, NOTHING, OVER, Game, Position, Stream

SILENT = 16
"""Moves that show nothing and may lie before one that does."""


class Decided(NamedTuple):
    """A decision as it is in one of the worlds: before the move; how much the world counts."""

    position: Position
    move: int
    share: float


class Following:
    """Some worlds of a game, played on by what a viewer sees. At the start they are the start."""

    def __init__(self, game: Game, viewer: int, stream: Stream, most: int) -> None:
        self.game, self.viewer, self.most = game, viewer, most
        self._stream = stream
        self.worlds = [game.start() for _ in range(most)]

    def begin(self, worlds: Iterable[Position]) -> None:
        """Follow these from now on."""
        self.worlds = list(worlds)

    def observe(self, token: int) -> Iterator[Decided]:
        """Play every world on by a token of the viewer's; what others decided by that.

        All worlds that agree with it count the same, and 1 together. A decision is told before its
        move is made.
        """
        steps = [(world, self._step(world, token)) for world in self.worlds]
        going = [(world, move) for world, move in steps if move is not None]
        for world, move in going:
            if world.turn() not in (CHANCE, self.viewer):
                yield Decided(world, move, 1.0 / len(going))
        for world, move in going:
            world.apply(move)
        self.worlds = [world for world, _ in going]

    def _step(self, world: Position, token: int) -> int | None:
        """A move that shows the token, after silent ones if need be; None where there is none."""
        for _ in range(SILENT):
            if world.turn() == OVER:
                return None
            fitting, silent = self._moves(world, token)
            if fitting:
                return self._drawn(world, fitting)
            if not silent:
                return None
            world.apply(self._drawn(world, silent))
        return None

    def _moves(self, world: Position, token: int) -> tuple[list[int], list[int]]:
        """The moves that show a token, and those that show nothing."""
        shown = [(move, world.sees(move, self.viewer)) for move in world.legal()]
        fitting = [move for move, seen in shown if seen == token]
        return fitting, [move for move, seen in shown if seen == NOTHING]

    def _drawn(self, world: Position, moves: list[int]) -> int:
        """One of some legal moves, chance's by their weights."""
        if len(moves) == 1:
            return moves[0]
        if world.turn() == CHANCE and self.game.has("weights"):
            weights = dict(zip(world.legal(), world.weights(), strict=True))
            return moves[self._stream.pick([weights[move] for move in moves])]
        return self._stream.choice(moves)
