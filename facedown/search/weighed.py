"""A search of worlds apart, in which a move is worth its mean over them by their weights."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import OVER, Position
from facedown.search.report import Candidate
from facedown.search.search import Search
from facedown.search.tables import Tables
from facedown.search.thread import scaling

Array = np.ndarray[Any, np.dtype[np.float64]]


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
        allowed = [set(own_moves(world, self.player)) for world in worlds]
        self._allowed = np.array([[move in moves for move in self.legal] for moves in allowed])

    def candidates(self, tables: Tables) -> tuple[Candidate, ...]:
        """The legal moves with their values over all worlds."""
        offset, scale = scaling(self.game, self.recipe)
        visits, available, total, squares, tried = self._by_world(tables)
        told = tried | ~self._allowed  # worlds that have something to say of a move
        share = (self.pool.weights / self.pool.weights.sum())[:, None]
        once = np.maximum(visits, 1.0)  # what was never visited adds nothing
        # summed over worlds in their order: along the first axis no sum is taken in pairs
        weight = (share * told).sum(axis=0)
        weight[weight == 0.0] = 1.0
        mean = (share * total / once).sum(axis=0)
        spread = np.maximum(squares - total * total / once, 0.0) * (visits > 0)
        variance = ((share / once) ** 2 * spread).sum(axis=0)
        values = np.where(told.any(axis=0), mean / weight / scale + offset, 0.0)
        errors = np.sqrt(variance) / weight / scale
        columns = (visits.sum(axis=0), values, errors, available.sum(axis=0))
        return tuple(
            Candidate(move, self.game.move_text(move), *numbers)
            for move, *numbers in zip(self.legal, *(one.tolist() for one in columns), strict=True)
        )

    def _by_world(self, tables: Tables) -> tuple[Array, Array, Array, Array, Any]:
        """Visits, availability, total and squares by world and legal move; whether it was tried."""
        labels = self.labels
        row = {label: k for k, label in enumerate(labels)}
        of_node = np.full(tables.used("nodes"), -1)
        for root in tables.roots[: tables.used("roots")]:
            node = tables.node(int(root["key"]))
            if node is not None and int(root["label"]) in row:
                of_node[int(node["number"])] = row[int(root["label"])]
        of_move = np.full(self.game.moves, -1)
        of_move[self.legal] = np.arange(len(self.legal))
        edges = tables.edges[: tables.used("edges")]
        rows, places = of_node[edges["node"]], of_move[edges["move"]]
        kept = (rows >= 0) & (places >= 0)
        edges, where = edges[kept], (rows[kept], places[kept])
        sums = np.zeros((5, len(labels), len(self.legal)))
        for one, name in zip(sums, ("visits", "available", "total", "squares"), strict=False):
            np.add.at(one, where, edges[name])
        sums[4][where] = 1.0
        visits, available, total, squares, tried = sums[
            :, [row[int(label)] for label in self.pool.labels]
        ]
        return visits, available, total, squares, tried > 0
