"""Settlers' positions for tests: made from parts, on one board, played by the words of moves."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

from facedown.core import Game, Position
from facedown.games.registry import load_game
from facedown.games.settlers import state as st
from facedown.games.settlers.geometry import EDGE_ENDS
from facedown.games.settlers.setup import Seat, make
from facedown.games.settlers.state import unpack
from facedown.games.settlers.text import RESOURCE

BOARD = "settlers:board=1"
"""Its island, hex by hex:
0 desert, 1 sheep 4, 2 wheat 11; 3 wheat 8, 4 sheep 3, 5 wood 6, 6 wood 12; 7 sheep 5, 8 sheep 10,
9 ore 11, 10 brick 5, 11 wheat 9; 12 ore 2, 13 wood 9, 14 wheat 4, 15 ore 10; 16 brick 6,
17 brick 3, 18 wood 8."""


@cache
def game(spec: str = BOARD) -> Game:
    """A game, loaded once."""
    return load_game(spec)


def table(*seats: Seat, spec: str = BOARD, **more: Any) -> Position:
    """A position of the fixed board."""
    return make(game(spec), seats, **more)


def edge(a: int, b: int) -> int:
    """The edge between two nodes."""
    return [sorted(map(int, ends)) for ends in EDGE_ENDS].index(sorted((a, b)))


def road(*nodes: int) -> list[int]:
    """The edges along a path of nodes."""
    return [edge(a, b) for a, b in pairwise(nodes)]


def cards(text: str = "") -> list[int]:
    """Resources by their names, as often as they are named."""
    return [text.split().count(name) for name in RESOURCE[:5]]


def say(position: Position, *words: str) -> Position:
    """Play moves by their words; each must be legal."""
    for word in words:
        position.apply(position.game.parse_move(word, position.legal()))
    return position


def can(position: Position, word: str) -> bool:
    """Whether a move is legal, by its words."""
    return word in {position.game.move_text(move) for move in position.legal()}


def choices(position: Position, start: str) -> set[str]:
    """The legal moves whose words begin so, without that beginning."""
    found = (position.game.move_text(move) for move in position.legal())
    return {words.removeprefix(start).strip() for words in found if words.startswith(start)}


def hand(position: Position, player: int) -> list[int]:
    """A player's resources."""
    return unpack(position.record["hands"][player])


def points(position: Position) -> list[int]:
    """The points that all can see."""
    return [int(n) for n in position.record["points"]]


def phase(position: Position) -> int:
    """Where in the turn it is."""
    return int(position.record["phase"])


ACTING, BEFORE, ROBBING = st.ACTING, st.BEFORE, st.ROBBING
