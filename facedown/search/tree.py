"""The tree of a search, to walk: nodes, their moves with what was counted, and what came next.

Nodes lie under keys made of what players have seen (`search/trace.py`), so a node has no list of
those below it. They are found by playing moves in worlds: those that a search had, or some that it
would draw. Nothing is worked out before somebody looks at it.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from facedown.core import CHANCE, OVER, Stream, derive
from facedown.search.tables import Tables
from facedown.search.thread import scaling
from facedown.search.trace import Trace

if TYPE_CHECKING:
    from facedown.search.search import Search

WORLDS = 24
"""Worlds in which moves are played to see what comes after them."""

_LEVEL, _ROW = 190, 46


@dataclass(frozen=True)
class Reading:
    """What all nodes of a tree are read from."""

    search: Search
    tables: Tables
    offset: float
    scale: float


class TreeNode:
    """A decision in the tree of a search: whose it is, how often it was met, the moves tried."""

    def __init__(self, reading: Reading, player: int, key: int, traces: list[Trace]) -> None:
        self._reading, self.player, self.key, self._traces = reading, player, key, traces
        self._node = reading.tables.node(key)

    def __repr__(self) -> str:
        return f"TreeNode(player {self.player}, {self.visits} visits, {len(self.edges)} moves)"

    @property
    def visits(self) -> int:
        """How often the search has met it."""
        return 0 if self._node is None else int(self._node["visits"])

    @property
    def worlds(self) -> int:
        """In how many of the worlds looked at it is met."""
        return len(self._traces)

    @cached_property
    def edges(self) -> tuple[TreeEdge, ...]:
        """The moves tried here, the most visited first."""
        if self._node is None:
            return ()
        found = [TreeEdge(self, edge) for edge in self._reading.tables.edges_of(self._node)]
        return tuple(sorted(found, key=lambda edge: (-edge.visits, edge.move)))

    def walk(self, depth: int = 3) -> Iterator[tuple[int, TreeNode]]:
        """This node and those below it, down to a depth, with their depths."""
        yield 0, self
        for edge in self.edges if depth > 0 else ():
            for node in edge.nodes:
                for level, below in node.walk(depth - 1):
                    yield level + 1, below

    # --- exports -------------------------------------------------------------------------------

    def to_dict(self, depth: int = 2, most: int = 6) -> dict[str, Any]:
        """The tree as plain data, down to a depth, with the `most` visited moves of each node."""
        return {
            "player": self.player,
            "visits": self.visits,
            "moves": [
                {
                    "move": edge.text,
                    "visits": edge.visits,
                    "available": edge.available,
                    "mean": round(edge.mean, 6),
                    "nodes": [node.to_dict(depth - 1, most) for node in edge.nodes]
                    if depth > 1
                    else [],
                }
                for edge in self.edges[:most]
            ],
        }

    def to_dot(self, depth: int = 2, most: int = 4) -> str:
        """The tree for Graphviz."""
        lines = ["digraph tree {", "  rankdir=LR; node [shape=box, fontname=sans];"]
        for number, parent, edge, node in _drawn(self, depth, most):
            lines.append(f'  n{number} [label="{_title(node)}"];')
            if edge is not None:
                label = edge.label.replace("\\", "\\\\").replace('"', '\\"')
                lines.append(f'  n{parent} -> n{number} [label="{label}"];')
        return "\n".join([*lines, "}"]) + "\n"

    def to_svg(self, depth: int = 2, most: int = 4) -> str:
        """The tree as a picture, from left to right."""
        return _picture(list(_drawn(self, depth, most)))

    def _repr_svg_(self) -> str:
        return self.to_svg()


class TreeEdge:
    """A move at a node: how often it was played and could have been, and what it was worth."""

    def __init__(self, source: TreeNode, edge: Any) -> None:
        self._source, reading = source, source._reading
        self.move, self.visits = int(edge["move"]), int(edge["visits"])
        self.available = int(edge["available"])
        mean = float(edge["total"]) / self.visits if self.visits else 0.0
        self.mean = mean / reading.scale + reading.offset if self.visits else 0.0

    @property
    def text(self) -> str:
        """The move as people write it."""
        return self._source._reading.search.game.move_text(self.move)

    @property
    def label(self) -> str:
        """The move, its visits and what it was worth to who made it."""
        return f"{self.text} {self.visits:,} {self.mean:+.2f}"

    def __repr__(self) -> str:
        return f"TreeEdge({self.label})"

    @cached_property
    def nodes(self) -> tuple[TreeNode, ...]:
        """The decisions that come next, in the worlds looked at, those met most first."""
        reading, found = self._source._reading, dict[tuple[int, int], list[Trace]]()
        for number, trace in enumerate(self._source._traces):
            if self.move not in trace.world.legal():
                continue
            after = _advanced(trace, self.move, Stream(derive(reading.search.seed, "tree", number)))
            turn = after.world.turn()
            if turn != OVER and reading.tables.node(after.key(turn)) is not None:
                found.setdefault((turn, after.key(turn)), []).append(after)
        made = [TreeNode(reading, turn, key, some) for (turn, key), some in found.items()]
        return tuple(sorted(made, key=lambda node: (-node.visits, node.key)))


def tree_of(search: Search, worlds: int = WORLDS) -> TreeNode:
    """The root of the search's tree: the searcher's decision. Not while the search runs."""
    offset, scale = scaling(search.game, search.recipe)
    reading = Reading(search, search.tables, offset, scale)
    groups = dict[int, list[Trace]]()
    for trace in search.traces(worlds):
        if trace.world.turn() == search.player:
            groups.setdefault(trace.key(search.player), []).append(trace)
    nodes = [TreeNode(reading, search.player, key, some) for key, some in groups.items()]
    return max(nodes, key=lambda node: node.visits)


def _advanced(trace: Trace, move: int, stream: Stream) -> Trace:
    """A trace after a move, and after what chance then draws."""
    after = copy(trace)
    after.world, after.histories = trace.world.copy(), list(trace.histories)
    after.memos = [memo.copy() for memo in trace.memos]
    after.play(move)
    while after.world.turn() == CHANCE:
        after.play(after.world.draw(stream))
    return after


Drawn = tuple[int, int, TreeEdge | None, TreeNode]


def _drawn(root: TreeNode, depth: int, most: int) -> Iterator[Drawn]:
    """Nodes with their numbers, their parents' and the moves that lead to them, parents first."""
    waiting: list[tuple[int, TreeEdge | None, TreeNode, int]] = [(-1, None, root, depth)]
    number = 0
    while waiting:
        parent, edge, node, left = waiting.pop(0)
        yield number, parent, edge, node
        for below in node.edges[:most] if left > 0 else ():
            waiting += [(number, below, after, left - 1) for after in below.nodes[:most]]
        number += 1


def _title(node: TreeNode) -> str:
    return f"player {node.player}: {node.visits:,}"


def _picture(drawn: list[Drawn]) -> str:
    levels, places, rows = dict[int, int](), dict[int, tuple[int, int]](), dict[int, int]()
    for number, parent, _, _ in drawn:
        level = levels[number] = 0 if parent < 0 else levels[parent] + 1
        row = rows[level] = rows.get(level, -1) + 1
        places[number] = (12 + level * _LEVEL * 2, 12 + row * _ROW)
    width = 24 + max(x for x, _ in places.values()) + _LEVEL
    height = 24 + max(y for _, y in places.values()) + _ROW
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
        "<title>the tree of a search</title>",
    ]
    for number, parent, edge, node in drawn:
        x, y = places[number]
        if edge is not None:
            a, b = places[parent]
            parts.append(
                f'<path d="M{a + _LEVEL} {b + 14}L{x} {y + 14}" stroke="#999" fill="none"/>'
                f'<text x="{x - 6}" y="{y + 10}" text-anchor="end">{escape(edge.label)}</text>'
            )
        parts.append(
            f'<rect x="{x}" y="{y}" width="{_LEVEL}" height="28" rx="4" fill="#eef" '
            f'stroke="#557"/><text x="{x + 8}" y="{y + 18}">{escape(_title(node))}</text>'
        )
    return "\n".join([*parts, "</svg>"])
