"""A search of worlds apart, in which a move is worth its mean over them by their weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from facedown.core import OVER, Position
from facedown.search.report import Candidate
from facedown.search.search import Search, Sums
from facedown.search.tables import Tables
from facedown.search.thread import scaling


def own_moves(world: Position, player: int) -> list[int]:
    """What `player` may play next: choices that are pending before its own decide nothing of it."""
    world = world.copy()
    while (turn := world.turn()) not in (player, OVER):
        world.play(world.legal()[0])
    return [] if turn == OVER else world.legal()


class WeighedSearch(Search):
    """For a recipe whose labels are the worlds of its pool (Labels.TREE).

    A move's value is the sum over the worlds of weight times mean, and where the move is not legal
    in a world it is worth nothing there: the lowest payoff (Schofield and Thielscher 2019, equation
    13). A world in which it was legal but not tried yet says nothing, and its weight is left out.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        worlds = (self.pool.position(k) for k in range(len(self.pool)))
        self._allowed = [set(own_moves(world, self.player)) for world in worlds]

    def candidates(self, tables: Tables) -> tuple[Candidate, ...]:
        """The legal moves with their values over all worlds."""
        by_label = self.sums_by_label(tables)
        found = [by_label.get(int(label), {}) for label in self.pool.labels]
        return tuple(self._candidate(move, found) for move in self.legal)

    def _candidate(self, move: int, found: Sequence[Sums]) -> Candidate:
        offset, scale = scaling(self.game, self.recipe)
        told = list(self._told(move, found))
        weight = sum(share for share, _ in told) or 1.0
        mean = sum(share * total / visits for share, (visits, _, total, _) in told if visits)
        variance = sum(
            (share / visits) ** 2 * max(squares - total * total / visits, 0.0)
            for share, (visits, _, total, squares) in told
            if visits
        )
        visits, available = (sum(sums[k] for _, sums in told) for k in (0, 1))
        value = mean / weight / scale + offset if told else 0.0
        error = variance**0.5 / weight / scale
        return Candidate(move, self.game.move_text(move), visits, value, error, available)

    def _told(self, move: int, found: Sequence[Sums]) -> Iterator[tuple[float, list[float]]]:
        """Weight and sums of each world that has something to say of a move."""
        weights = (self.pool.weights / self.pool.weights.sum()).tolist()
        for share, sums, allowed in zip(weights, found, self._allowed, strict=True):
            if move in sums or move not in allowed:
                yield share, sums.get(move, [0.0] * 4)
