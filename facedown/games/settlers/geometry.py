"""The island as tables: 19 hexes, 54 nodes, 72 edges, 9 harbour places.

Everything is numbered from 0, north to south and west to east: hexes in rows of 3, 4, 5, 4, 3,
nodes by their height and then from the west, edges likewise by their middles. Hexes stand on a
corner. Every edge has one of three *slopes* (upright, falling, rising), and of each slope a node
has at most one edge, so that going along slope d and again along slope d comes back: a path is a
list of slopes.

Sets of nodes are 54 bits of an int64. Sets of edges are two words of `HALF` bits: edge e is bit
e % HALF of word e // HALF.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

HEXES, NODES, EDGES, HARBOURS = 19, 54, 72, 9
HALF = 36
ROWS = (3, 4, 5, 4, 3)
UPRIGHT, FALLING, RISING = 0, 1, 2

_CORNERS = ((0.0, -1.0), (0.5, -0.5), (0.5, 0.5), (0.0, 1.0), (-0.5, 0.5), (-0.5, -0.5))
"""The corners of a hex from the north, clockwise; across in widths, down in radii."""
_SLOPES = (FALLING, UPRIGHT, RISING, FALLING, UPRIGHT, RISING)
"""The slopes of the sides that follow the corners."""

_Point = tuple[int, int]  # four times the coordinates, whole numbers


def _centres() -> list[tuple[float, float]]:
    return [
        (column - (length - 1) / 2, 1.5 * row - 3.0)
        for row, length in enumerate(ROWS)
        for column in range(length)
    ]


def _point(x: float, y: float) -> _Point:
    return round(4 * y), round(4 * x)


def _corners(hexagon: int) -> list[_Point]:
    x, y = CENTRES[hexagon]
    return [_point(x + dx, y + dy) for dx, dy in _CORNERS]


CENTRES = _centres()
_NODES: list[_Point] = sorted({corner for h in range(HEXES) for corner in _corners(h)})
_PLACE = {point: node for node, point in enumerate(_NODES)}


def _sides() -> dict[tuple[int, int], int]:
    """The two ends of every edge, the lower number first, with its slope."""
    found = {}
    for h in range(HEXES):
        around = [_PLACE[corner] for corner in _corners(h)]
        for k, slope in enumerate(_SLOPES):
            ends = sorted((around[k], around[(k + 1) % 6]))
            found[ends[0], ends[1]] = slope
    return found


def _middle(ends: tuple[int, int]) -> _Point:
    (ay, ax), (by, bx) = _NODES[ends[0]], _NODES[ends[1]]
    return ay + by, ax + bx


_SIDES = _sides()
_EDGES = sorted(_SIDES, key=_middle)

HEX_NODES = np.array([[_PLACE[c] for c in _corners(h)] for h in range(HEXES)], np.int64)
"""[hex, corner]: its nodes from the north, clockwise."""
HEX_MASK = np.array([sum(1 << int(n) for n in row) for row in HEX_NODES], np.int64)
"""[hex]: its nodes as a set."""
EDGE_ENDS = np.array(_EDGES, np.int64)
"""[edge, 2]: the nodes at its ends, the lower number first."""


def _around() -> tuple[np.ndarray[Any, Any], ...]:
    edge_at = np.full((NODES, 3), -1, np.int64)
    neighbour = np.full((NODES, 3), -1, np.int64)
    near = np.array([1 << node for node in range(NODES)], np.int64)
    words = np.zeros((NODES, 2), np.int64)
    for edge, (a, b) in enumerate(_EDGES):
        slope = _SIDES[a, b]
        for here, there in ((a, b), (b, a)):
            edge_at[here, slope], neighbour[here, slope] = edge, there
            near[here] |= 1 << there
            words[here, edge // HALF] |= 1 << edge % HALF
    return edge_at, neighbour, near, words


EDGE_AT, NEIGHBOUR, NEAR, NODE_EDGES = _around()
"""[node, slope]: the edge there and the node at its other end, -1 where there is none.
[node]: the node and its neighbours as a set. [node, word]: its edges as a set."""


def _hexes_at() -> np.ndarray[Any, Any]:
    table = np.full((NODES, 3), -1, np.int64)
    for node in range(NODES):
        touching = [h for h in range(HEXES) if HEX_MASK[h] >> node & 1]
        table[node, : len(touching)] = touching
    return table


NODE_HEXES = _hexes_at()
"""[node, 3]: the hexes that it touches, then -1."""

NODE_POINTS = [(x / 4, y / 4) for y, x in _NODES]
"""Where the nodes lie: across in widths of a hex, down in radii; (0, 0) is the middle."""
WIDTH = sqrt(3.0)
"""The width of a hex in radii."""


HARBOUR_NODES = np.array(
    [(3, 0), (1, 5), (10, 15), (26, 32), (46, 42), (52, 49), (47, 51), (33, 38), (11, 16)],
    np.int64,
)
"""[harbour place, 2]: the nodes that it serves; clockwise, from the north-west."""
NODE_HARBOUR = np.full(NODES, -1, np.int64)
for _place, _pair in enumerate(HARBOUR_NODES):
    NODE_HARBOUR[_pair] = _place
"""[node]: the harbour place that serves it, -1 where none does."""


# --- the spiral of number tokens ------------------------------------------------------------------

CORNERS = (0, 2, 11, 18, 16, 7)
"""The hexes at the island's corners, clockwise from the north-west: where a spiral may begin."""
TOKENS = (5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11)
"""The number tokens A to R in the order in which they are laid out; the desert is passed over."""
_OUTER = (0, 3, 7, 12, 16, 17, 18, 15, 11, 6, 2, 1)
_INNER = (4, 8, 13, 14, 10, 5)


def _spiral(corner: int) -> list[int]:
    """All hexes counter-clockwise from a corner, around the coast, then within, then the middle."""
    outer = _OUTER.index(CORNERS[corner])
    inner = outer // 2
    return [
        *(_OUTER[(outer + k) % 12] for k in range(12)),
        *(_INNER[(inner + k) % 6] for k in range(6)),
        9,
    ]


SPIRALS = np.array([_spiral(corner) for corner in range(6)], np.int64)
"""[corner, 19]: the order of the hexes on a spiral from that corner."""
