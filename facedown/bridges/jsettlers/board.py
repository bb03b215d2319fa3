"""The board by the server's numbers: hexes, corners, edges and harbours of a classic island.

A coordinate is one byte, two hex digits. Round a hex its corners and edges lie at fixed distances.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

ROWS = (4, 5, 6, 7, 6, 5, 4)
"""Hexes in the rows of a layout, north first, with the ring of water."""

HEXES = {
    5: 0x37, 6: 0x59, 7: 0x7B,
    10: 0x35, 11: 0x57, 12: 0x79, 13: 0x9B,
    16: 0x33, 17: 0x55, 18: 0x77, 19: 0x99, 20: 0xBB,
    23: 0x53, 24: 0x75, 25: 0x97, 26: 0xB9,
    29: 0x73, 30: 0x95, 31: 0xB7,
}  # fmt: skip
"""The land's hexes, by their place in a layout."""

CORNERS = (0x01, 0x12, 0x21, 0x10, -0x01, -0x10)
"""From a hex to its corners: N, NE, SE, S, SW, NW."""

SIDES = (0x01, 0x11, 0x10, -0x01, -0x11, -0x10)
"""From a hex to its edges: NE, E, SE, SW, W, NW."""

HARBOURS = {
    0: (0x27, 0x38), 2: (0x5A, 0x6B), 8: (0x9C, 0xAD),
    21: (0xCD, 0xDC), 32: (0xC9, 0xDA), 35: (0xA5, 0xB6),
    33: (0x72, 0x83), 22: (0x43, 0x52), 9: (0x25, 0x34),
}  # fmt: skip
"""The two corners of the harbour in each water hex that can have one, by its place in a layout."""

LAND = tuple(HEXES.values())
NODES = tuple(sorted({hex_ + step for hex_ in LAND for step in CORNERS}))
EDGES = tuple(sorted({hex_ + step for hex_ in LAND for step in SIDES}))

DICE = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)  # by the number of a layout
DESERT, WATER, ANY = 0, 6, 6  # ANY: the kind of a harbour that takes three of anything


def ends(edge: int) -> tuple[int, int]:
    """The corners that an edge joins.

    >>> [hex(node) for node in ends(0x38)], [hex(node) for node in ends(0x48)]
    (['0x38', '0x49'], ['0x49', '0x58'])
    """
    if (edge // 16 + edge) % 2 == 0:
        return edge + 0x01, edge + 0x10
    return edge, edge + 0x11


def hexes_at(node: int) -> list[int]:
    """The land's hexes that meet in a corner."""
    return [node - step for step in CORNERS if node - step in _LAND]


def edges_at(node: int) -> list[int]:
    """The edges that meet in a corner."""
    return _EDGES_AT[node]


def neighbours(node: int) -> list[int]:
    """The corners one edge away."""
    return [end for edge in edges_at(node) for end in ends(edge) if end != node]


_LAND = frozenset(LAND)
_EDGES_AT: dict[int, list[int]] = {node: [] for node in NODES}
for _edge in EDGES:
    for _node in ends(_edge):
        _EDGES_AT[_node].append(_edge)


@dataclass(frozen=True)
class Board:
    """What a layout says: by hex its resource (DESERT, 1 to 5) and number, and harbours by corner.

    A harbour's kind is a resource, or ANY. `robber` is where the robber was when it was sent.
    """

    resource: dict[int, int]
    number: dict[int, int]
    harbour: dict[int, int]
    robber: int

    def yields(self, node: int) -> list[int]:
        """The resources of the hexes round a corner, the desert's left out."""
        return [self.resource[hex_] for hex_ in hexes_at(node) if self.resource[hex_] != DESERT]


def read_layout(kinds: Sequence[int], numbers: Sequence[int], robber: int) -> Board | None:
    """The board of a layout of 37 hexes; None before there is one, and where it is none of ours."""
    resource = {coord: kinds[place] for place, coord in HEXES.items()}
    if any(not DESERT <= kind <= 5 for kind in resource.values()) or robber not in _LAND:
        return None
    number = {}
    for place, coord in HEXES.items():
        if resource[coord] != DESERT:
            if not 0 <= numbers[place] < len(DICE):
                return None
            number[coord] = DICE[numbers[place]]
    harbour: dict[int, int] = {}
    for place, nodes in HARBOURS.items():
        kind = _harbour(kinds[place])
        if kind:
            harbour |= dict.fromkeys(nodes, kind)
    return Board(resource, number, harbour, robber)


def _harbour(value: int) -> int:
    """The kind of harbour in a water hex; 0 where it has none."""
    if 7 <= value <= 12:
        return ANY
    return value & 15 if value >= 16 and 1 <= value & 15 <= 5 else 0
