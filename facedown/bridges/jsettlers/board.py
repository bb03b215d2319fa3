"""The board by the server's numbers: hexes, corners, edges and harbours of a classic island.

A coordinate is one byte, two hex digits. Round a hex its corners and edges lie at fixed distances.
What lies beside what is the game's own geometry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from facedown.games.settlers import geometry

ROWS = (4, 5, 6, 7, 6, 5, 4)
"""Hexes in the rows of a layout, north first, with the ring of water."""

CORNERS = (0x01, 0x12, 0x21, 0x10, -0x01, -0x10)
"""From a hex to its corners: N, NE, SE, S, SW, NW, as the game has them."""

SIDES = (0x01, 0x11, 0x10, -0x01, -0x11, -0x10)
"""From a hex to its edges: NE, E, SE, SW, W, NW."""

_WEST = (0x37, 0x35, 0x33, 0x53, 0x73)  # the first hexes of the land's rows
_PLACES = tuple((row, k) for row, length in enumerate(geometry.ROWS) for k in range(length))


def ends(edge: int) -> tuple[int, int]:
    """The corners that an edge joins.

    >>> [hex(node) for node in ends(0x38)], [hex(node) for node in ends(0x48)]
    (['0x38', '0x49'], ['0x49', '0x58'])
    """
    if (edge // 16 + edge) % 2 == 0:
        return edge + 0x01, edge + 0x10
    return edge, edge + 0x11


def _node_coords() -> tuple[int, ...]:
    corners = zip(LAND, geometry.HEX_NODES.tolist(), strict=True)
    found = {
        node: hex_ + step for hex_, row in corners for node, step in zip(row, CORNERS, strict=True)
    }
    return tuple(found[node] for node in range(geometry.NODES))


def _edge_coords() -> tuple[int, ...]:
    between = {frozenset(ends(hex_ + step)): hex_ + step for hex_ in LAND for step in SIDES}
    return tuple(between[frozenset((NODE[a], NODE[b]))] for a, b in geometry.EDGE_ENDS.tolist())


LAND = tuple(_WEST[row] + 0x22 * k for row, k in _PLACES)
NODE = _node_coords()
EDGE = _edge_coords()
"""[hex], [node], [edge] of the game: its coordinate. An edge and a node may have the same one."""
HEX_OF = {coord: number for number, coord in enumerate(LAND)}
NODE_OF = {coord: number for number, coord in enumerate(NODE)}
EDGE_OF = {coord: number for number, coord in enumerate(EDGE)}
"""By coordinate the number of a hex, a node or an edge in the game."""
NODES, EDGES = tuple(sorted(NODE)), tuple(sorted(EDGE))

HEXES = {sum(ROWS[: row + 1]) + 1 + k: LAND[n] for n, (row, k) in enumerate(_PLACES)}
"""The land's hexes, by their place in a layout."""
HARBOUR = (0, 2, 8, 21, 32, 35, 33, 22, 9)
"""[harbour place of the game]: the place of its water hex in a layout."""
HARBOURS = {
    place: (NODE[a], NODE[b])
    for place, (a, b) in zip(HARBOUR, geometry.HARBOUR_NODES.tolist(), strict=True)
}
"""The two corners of the harbour in each water hex that can have one, by its place in a layout."""

DICE = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)  # by the number of a layout
DESERT, WATER, ANY = 0, 6, 6  # ANY: the kind of a harbour that takes three of anything


def hexes_at(node: int) -> list[int]:
    """The land's hexes that meet in a corner."""
    return [node - step for step in CORNERS if node - step in HEX_OF]


def edges_at(node: int) -> list[int]:
    """The edges that meet in a corner."""
    return _EDGES_AT[node]


def neighbours(node: int) -> list[int]:
    """The corners one edge away."""
    return [end for edge in edges_at(node) for end in ends(edge) if end != node]


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
    if any(not DESERT <= kind <= 5 for kind in resource.values()) or robber not in HEX_OF:
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
