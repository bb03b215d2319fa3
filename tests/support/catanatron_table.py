"""A game of ours at catanatron's table: its board, its actions, and what its position says.

catanatron (PyPI, extra `peers`) is an engine of the base game by other people, with every hand open
and without trades between players. Its hexes have cube coordinates, its nodes numbers of their own,
its edges are pairs of nodes; seats are colours, in the order of `state.colors`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from catanatron.models.enums import Action, ActionType
from catanatron.models.map import (
    BASE_MAP_TEMPLATE,
    PORT_DIRECTION_TO_NODEREFS,
    CatanMap,
    LandTile,
    NodeRef,
    Port,
    initialize_tiles,
)
from catanatron.models.player import Color, RandomPlayer
from catanatron.state import State

from facedown.games.settlers import state as st
from facedown.games.settlers.geometry import EDGE_ENDS, HARBOUR_NODES, HEX_NODES, NODES, ROWS
from facedown.games.settlers.setup import Board

RESOURCES = ("BRICK", "ORE", "SHEEP", "WHEAT", "WOOD")
CARDS = ("KNIGHT", "ROAD_BUILDING", "YEAR_OF_PLENTY", "MONOPOLY", "VICTORY_POINT")
"""Their names by our numbers."""
THEIR_ORDER = ("WOOD", "BRICK", "SHEEP", "WHEAT", "ORE")
"""The order of their counts of resources."""
_CORNERS = ("NORTH", "NORTHEAST", "SOUTHEAST", "SOUTH", "SOUTHWEST", "NORTHWEST")


def _coordinate(row: int, column: int) -> tuple[int, int, int]:
    z = row - len(ROWS) // 2
    x = column + max(-2, -2 - z)
    return x, -x - z, z


HEX = [_coordinate(row, k) for row, length in enumerate(ROWS) for k in range(length)]
"""[hex]: its coordinate."""
_REFERENCE = initialize_tiles(BASE_MAP_TEMPLATE)


def _nodes() -> list[int]:
    found = {
        int(HEX_NODES[h, k]): _REFERENCE[where].nodes[NodeRef(name)]
        for h, where in enumerate(HEX)
        for k, name in enumerate(_CORNERS)
    }
    return [found[node] for node in range(NODES)]


NODE = _nodes()
"""[node]: theirs."""
EDGE = [(min(a, b), max(a, b)) for a, b in ((NODE[i], NODE[j]) for i, j in EDGE_ENDS)]
"""[edge]: theirs, the smaller node first."""
_HARBOUR = {frozenset(NODE[int(n)] for n in pair): k for k, pair in enumerate(HARBOUR_NODES)}


def _kind(kind: int) -> str | None:
    """A resource by its name; the desert, and a harbour for anything, have none."""
    return RESOURCES[kind] if kind < len(RESOURCES) else None


def map_of(board: Board) -> CatanMap:
    """The same island as theirs. Their harbours lie where ours do, which is checked here."""
    tiles: dict[str, list[Any]] = {"numbers": [], "ports": [], "resources": []}
    for where, tile in _REFERENCE.items():
        if isinstance(tile, Port):
            ends = (tile.nodes[ref] for ref in PORT_DIRECTION_TO_NODEREFS[tile.direction])
            tiles["ports"].append(_kind(board.harbours[_HARBOUR[frozenset(ends)]]))
        elif isinstance(tile, LandTile):
            h = HEX.index(where)
            tiles["resources"].append(_kind(board.hexes[h]))
            if board.numbers[h]:
                tiles["numbers"].append(board.numbers[h])
    lists = [tiles[name][::-1] for name in ("numbers", "ports", "resources")]  # taken from the end
    return CatanMap.from_tiles(initialize_tiles(BASE_MAP_TEMPLATE, *lists))


def seat_down(board: Board, players: int) -> State:
    """Their position before anything is placed."""
    seats = [RandomPlayer(colour) for colour in list(Color)[:players]]
    return State(seats, map_of(board))


# --- what their position says, in our numbers -----------------------------------------------------


def of_player(state: State, seat: int, name: str) -> Any:
    """One of the things they keep of a player."""
    return state.player_state[f"P{seat}_{name}"]


def hand(state: State, seat: int) -> list[int]:
    return [of_player(state, seat, f"{name}_IN_HAND") for name in RESOURCES]


def cards(state: State, seat: int) -> list[int]:
    return [of_player(state, seat, f"{name}_IN_HAND") for name in CARDS]


def bank(state: State) -> list[int]:
    return [state.resource_freqdeck[THEIR_ORDER.index(name)] for name in RESOURCES]


def deck(state: State) -> list[int]:
    return [state.development_listdeck.count(name) for name in CARDS]


def lengths(state: State) -> list[int]:
    return [state.board.road_lengths[colour] for colour in state.colors]


def holder(state: State, name: str) -> int:
    """The seat that HAS_ROAD or HAS_ARMY, -1 where none has."""
    seats = [seat for seat in range(len(state.colors)) if of_player(state, seat, name)]
    return seats[0] if seats else st.NONE


def pieces(state: State, seat: int) -> tuple[set[int], set[int], set[int]]:
    """Settlements, cities and roads, as our nodes and edges."""
    colour, board = state.colors[seat], state.board
    built = {(kind, node) for node, (owner, kind) in board.buildings.items() if owner == colour}
    return (
        {NODE.index(node) for kind, node in built if kind == "SETTLEMENT"},
        {NODE.index(node) for kind, node in built if kind == "CITY"},
        {k for k, edge in enumerate(EDGE) if board.roads.get(edge) == colour},
    )


def claims(state: State, dice: int) -> dict[str, Counter[int]]:
    """What a sum of the dice owes each seat, by resource, whether the bank has it or not."""
    owed: dict[str, Counter[int]] = {}
    for where, tile in state.board.map.land_tiles.items():
        if tile.number == dice and where != state.board.robber_coordinate:
            for node in tile.nodes.values():
                if node in state.board.buildings:
                    colour, kind = state.board.buildings[node]
                    seat = state.colors.index(colour)
                    owed.setdefault(tile.resource, Counter())[seat] += 1 + (kind == "CITY")
    return owed


def trails(state: State, seat: int) -> int:
    """The longest road of a seat by trying everything: no edge twice, none past another's building.

    It may begin and end at one. Nothing here is taken from either engine but where the pieces are.
    """
    colour, board = state.colors[seat], state.board
    near: dict[int, list[int]] = {}
    for (a, b), owner in board.roads.items():
        if owner == colour:
            near.setdefault(a, []).append(b)

    def walk(node: int, used: frozenset[frozenset[int]]) -> int:
        if used and node in board.buildings and board.buildings[node][0] != colour:
            return 0
        steps = [(n, frozenset((node, n))) for n in near[node]]
        return max((1 + walk(n, used | {e}) for n, e in steps if e not in used), default=0)

    return max((walk(node, frozenset()) for node in near), default=0)


def meets_others(state: State, seat: int) -> bool:
    """Whether a road of a seat leads to another's building."""
    colour, buildings = state.colors[seat], state.board.buildings
    mine = (edge for edge, owner in state.board.roads.items() if owner == colour)
    return any(n in buildings and buildings[n][0] != colour for edge in mine for n in edge)


def put_road(state: State, lengths: list[int], holder: int) -> None:
    """Put lengths and holder of the longest road right in their position, and the points for it.

    While nobody holds it, who wants it has to be longer than everybody.
    """
    board = state.board
    for seat, (colour, length) in enumerate(zip(state.colors, lengths, strict=True)):
        key, had = f"P{seat}", of_player(state, seat, "HAS_ROAD")
        board.road_lengths[colour] = state.player_state[f"{key}_LONGEST_ROAD_LENGTH"] = length
        state.player_state[f"{key}_HAS_ROAD"] = seat == holder
        for points in ("VICTORY_POINTS", "ACTUAL_VICTORY_POINTS"):
            state.player_state[f"{key}_{points}"] += 2 * ((seat == holder) - had)
    board.road_color = None if holder == st.NONE else state.colors[holder]
    board.road_length = lengths[holder] if holder != st.NONE else max(lengths)


def action(state: State, seat: int, kind: str, value: Any = None) -> Action:
    return Action(state.colors[seat], ActionType[kind], value)
