"""Nodes and edges in flat tables: one hash table of nodes under 64-bit keys, edges in linked lists.

A node's edges are the moves tried from it. A node of many edges has few of them legal in any one
world: an index finds an edge by node and move, so that nobody walks past a thousand others.
Payoffs are kept as the search sees them (scaled); the report scales them back.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types

from facedown.core.jit import jit, kernel
from facedown.core.records import address_of, lined_up
from facedown.core.streams import mix
from facedown.search.state import Counts, Edge, Node, Root

_NODES = numba.from_dtype(Node)[::1]
_EDGES = numba.from_dtype(Edge)[::1]
_INDEX = types.int32[::1]
MOST_VISITS = 1 << 30  # of a node, where its tree is taken over
WIDEST = np.iinfo(np.int16).max


@jit
def find(nodes: Any, key: Any) -> int:
    """The slot of the node with `key`, or the free one where it belongs."""
    mask = len(nodes) - 1
    i = np.int64(key >> np.uint64(16)) & mask
    while nodes[i]["key"] != key and nodes[i]["key"] != np.uint64(0):
        i = (i + 1) & mask
    return i  # type: ignore[return-value]


@jit
def add_edge(nodes: Any, edges: Any, e: int, i: int, move: int) -> None:
    """Make edge `e` a new one of node `i`, first in its list."""
    edges[e]["move"], edges[e]["next"] = move, nodes[i]["head"]
    edges[e]["visits"], edges[e]["available"], edges[e]["stamp"] = 0, 0, -1
    edges[e]["total"], edges[e]["squares"] = 0.0, 0.0
    edges[e]["node"] = nodes[i]["number"]
    nodes[i]["head"] = e
    nodes[i]["width"] = min(int(nodes[i]["width"]) + 1, WIDEST)


@jit
def add_node(nodes: Any, i: int, key: Any, number: int) -> None:
    """Put a node into the free slot `i`; its number is its own."""
    nodes[i]["key"], nodes[i]["head"] = key, -1
    nodes[i]["visits"], nodes[i]["root"] = 0, 0
    nodes[i]["width"], nodes[i]["number"] = 0, number


@jit
def find_edge(index: Any, edges: Any, node: Any, move: Any) -> int:
    """The slot in the index of a node's edge, or the free one where it belongs.

    A slot holds the edge's place plus one, 0 where it is free.
    """
    mask = len(index) - 1
    k = np.int64(mix(node, move) >> np.uint64(20)) & mask
    while index[k] != 0:
        edge = edges[index[k] - 1]
        if edge["node"] == node and edge["move"] == move:
            break
        k = (k + 1) & mask
    return k  # type: ignore[return-value]


@kernel(types.void(_EDGES, types.int64, _INDEX), "search")
def reindex(edges: Any, used: int, index: Any) -> None:
    """Put the first `used` edges into an empty index."""
    for e in range(used):
        index[find_edge(index, edges, edges[e]["node"], edges[e]["move"])] = e + 1


@kernel(types.void(_NODES, _NODES), "search")
def rehash(old: Any, new: Any) -> None:
    """Move every node into a larger table."""
    for k in range(len(old)):
        if old[k]["key"] != np.uint64(0):
            i = find(new, old[k]["key"])
            new[i]["key"], new[i]["visits"] = old[k]["key"], old[k]["visits"]
            new[i]["head"], new[i]["root"] = old[k]["head"], old[k]["root"]
            new[i]["width"], new[i]["number"] = old[k]["width"], old[k]["number"]


@jit
def _edge_of(edges: Any, head: int, move: int) -> int:
    e = head
    while e >= 0 and edges[e]["move"] != move:
        e = edges[e]["next"]
    return e


@kernel(types.int64(_NODES, _EDGES, types.int64, types.int64, _NODES, _EDGES), "search")
def merge(nodes: Any, edges: Any, used: int, number: int, nodes_from: Any, edges_from: Any) -> int:
    """Add the statistics of other tables to these, which have room; the number of edges then.

    `number` is that of the next new node.
    """
    for k in range(len(nodes_from)):
        if nodes_from[k]["key"] == np.uint64(0):
            continue
        i = find(nodes, nodes_from[k]["key"])
        if nodes[i]["key"] == np.uint64(0):
            add_node(nodes, i, nodes_from[k]["key"], number)
            number += 1
        nodes[i]["visits"] += nodes_from[k]["visits"]
        other = nodes_from[k]["head"]
        while other >= 0:
            e = _edge_of(edges, nodes[i]["head"], edges_from[other]["move"])
            if e < 0:
                e, used = used, used + 1
                add_edge(nodes, edges, e, i, edges_from[other]["move"])
            edges[e]["visits"] += edges_from[other]["visits"]
            edges[e]["available"] += edges_from[other]["available"]
            edges[e]["total"] += edges_from[other]["total"]
            edges[e]["squares"] += edges_from[other]["squares"]
            other = edges_from[other]["next"]
    return used


def _longer(table: Any, n: int) -> Any:
    """The same items in an array of `n`."""
    longer = lined_up(n, table.dtype)
    longer[: len(table)] = table
    return longer


class Tables:
    """The tree of one search thread, as the state of that thread knows it; grows by doubling."""

    def __init__(self, state: Any, limit: int) -> None:
        self.state, self.limit = state, limit
        self.nodes = lined_up(1 << 9, Node)
        self.edges = lined_up(1 << 9, Edge)
        self.roots = lined_up(1 << 7, Root)
        self.index = lined_up(1 << 10, np.int32)
        self._seat()

    def _seat(self) -> None:
        """Tell the state where the tables are now."""
        tree = self.state["tree"]
        tree["node_table"], tree["node_slots"] = address_of(self.nodes), len(self.nodes)
        tree["edge_table"], tree["edge_slots"] = address_of(self.edges), len(self.edges)
        tree["root_table"], tree["root_slots"] = address_of(self.roots), len(self.roots)
        tree["index_table"], tree["index_slots"] = address_of(self.index), len(self.index)

    def used(self, what: str) -> int:
        """How many `nodes`, `edges` or `roots` there are."""
        return int(self.state["tree"][what])

    def _reindex(self) -> None:
        """An index of all edges, twice as long as their table."""
        self.index = lined_up(2 << (len(self.edges) - 1).bit_length(), np.int32)
        reindex(self.edges, self.used("edges"), self.index)
        self._seat()

    @property
    def bytes(self) -> int:
        """Memory that the tree takes."""
        tables = (self.nodes, self.edges, self.roots, self.index)
        return sum(table.nbytes for table in tables)

    def grow(self) -> bool:
        """Double what is nearly full; False where the limit forbids it, and nothing has changed."""
        crowded = self.used("nodes") * 3 > len(self.nodes)
        full = self.used("edges") * 2 > len(self.edges)
        rooted = self.used("roots") * 4 > len(self.roots)
        more = crowded * self.nodes.nbytes + rooted * self.roots.nbytes
        more += full * (self.edges.nbytes + self.index.nbytes)
        if self.bytes + more > self.limit:
            return False
        self.reserve(len(self.nodes) << crowded, len(self.edges) << full, len(self.roots) << rooted)
        return True

    def reserve(self, nodes: int, edges: int, roots: int) -> None:
        """Make the tables at least this long; a node table's length is a power of two."""
        if nodes > len(self.nodes):
            larger = lined_up(1 << (nodes - 1).bit_length(), Node)
            rehash(self.nodes, larger)
            self.nodes = larger
        if edges > len(self.edges):
            self.edges = _longer(self.edges, edges)
            self._reindex()
        if roots > len(self.roots):
            self.roots = _longer(self.roots, roots)
        self._seat()

    def absorb(self, other: Tables) -> None:
        """Add another thread's statistics to these; nobody may be searching in either."""
        mine, theirs = self.state["tree"], other.state["tree"]
        self.reserve(
            2 * int(mine["nodes"] + theirs["nodes"]),
            int(mine["edges"] + theirs["edges"]),
            int(mine["roots"] + theirs["roots"]),
        )
        counts = self.used("edges"), self.used("nodes")
        used = merge(self.nodes, self.edges, *counts, other.nodes, other.edges)
        mine["edges"], mine["nodes"] = used, int((self.nodes["key"] != 0).sum())
        self._reindex()
        known = set(self.roots["key"][: mine["roots"]].tolist())
        for root in other.roots[: theirs["roots"]]:
            if int(root["key"]) not in known:
                self.roots[mine["roots"]] = root
                mine["roots"] += 1
        for counter in Counts.names or ():
            self.state["counts"][counter] += other.state["counts"][counter]

    def take_over(self, other: Tables) -> None:
        """Have the nodes and edges of another tree, which nobody searches any more, for one's own.

        Without its roots: those of this search are found anew. One that takes more than half of the
        room, or whose counts come near their ends, is left: what it knows is mostly of the past.
        """
        used, most = other.used("edges"), int(other.nodes["visits"].max())
        if other.bytes > self.limit // 2 or most > MOST_VISITS:
            return
        self.nodes, self.edges, self.index = other.nodes, other.edges, other.index
        self.nodes["root"] = 0
        self.edges["stamp"][:used] = -1
        mine = self.state["tree"]
        mine["nodes"], mine["edges"] = other.used("nodes"), used
        self._seat()

    def copy(self) -> Tables:
        """Equal tables with a state of their own, to look at or to merge.

        The search may go on meanwhile. Nodes refer to edges that are already there, and counters
        only rise: copied in this order, the tables hold all that they refer to.
        """
        nodes, edges, roots = self.nodes.copy(), self.edges.copy(), self.roots.copy()
        other = Tables(self.state.copy(), self.limit)
        other.nodes, other.edges, other.roots = nodes, edges, roots
        other._reindex()
        return other

    def node(self, key: int) -> Any:
        """The node of a key, or None; as `find`, which would take a second to compile for this."""
        nodes = self.nodes  # this one, even if a running search takes a larger one now
        mask = len(nodes) - 1
        i = (key >> 16) & mask
        while nodes[i]["key"] != 0:
            if int(nodes[i]["key"]) == key:
                return nodes[i]
            i = (i + 1) & mask
        return None

    def edges_of(self, node: Any) -> list[Any]:
        """A node's edges, oldest first."""
        edges, places = self._chain(node)
        return [edges[e] for e in places]

    def visits_of(self, node: Any) -> dict[int, int]:
        """How often each move of a node was tried; for those who ask often."""
        edges, places = self._chain(node)
        moves, visits = edges["move"][places].tolist(), edges["visits"][places].tolist()
        return dict(zip(moves, visits, strict=True))

    def _chain(self, node: Any) -> tuple[Any, list[int]]:
        """The table of edges, and where in it those of a node lie, oldest first."""
        e = int(node["head"])
        edges = self.edges  # taken after the head: a running search may take a larger one now
        places, following = [], edges["next"]
        while e >= 0:
            places.append(e)
            e = int(following[e])
        return edges, places[::-1]
