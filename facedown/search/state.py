"""The state of a search: all that the kernel's parts share, as one record with named fields.

Its address is all that the parts hand each other: that keeps them small, compiles fast and costs no
reference counts. It begins with the game that is played (`core.stepping.Play`), and that with the
game's rule table, so that the state's address stands for both. Fields named `..._table` and those
of buffers are addresses; `open_...` gives the arrays that lie there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core.buffers import Buffer, addresses, most_moves
from facedown.core.jit import jit
from facedown.core.kinds import MOST_KINDS
from facedown.core.memo import memo_words
from facedown.core.records import array, view
from facedown.core.stepping import Play

# --- what lies in the tables ---------------------------------------------------------------------

Node = np.dtype(
    [
        ("key", np.uint64),  # 0 where the slot is free
        ("visits", np.int32),
        ("head", np.int32),  # the first edge, -1 where there is none
        ("root", np.int16),  # 1 where the searcher made its first decision of an iteration here
        ("width", np.int16),  # its edges, as far as this can count
        ("number", np.int32),  # its own among all nodes; a slot changes when the table grows
    ]
)
Edge = np.dtype(
    [
        ("move", np.int32),
        ("next", np.int32),
        ("visits", np.int32),
        ("available", np.int32),
        ("stamp", np.int32),  # the iteration that last updated it: once an iteration is enough
        ("node", np.int32),  # the number of its node
        ("total", np.float64),
        ("squares", np.float64),
    ]
)
Root = np.dtype([("key", np.uint64), ("label", np.uint64)])
Tally = np.dtype([("key", np.uint64), ("count", np.int64)])  # key 0 where the slot is free

Weight = np.dtype([("key", np.uint64), ("weight", np.float64)])
"""Of a move that a network has scored at a node; key 0 where the slot is free."""

Net = np.dtype(
    [
        ("position", np.int64),  # how many traits a position has
        ("move", np.int64),  # and a move
        ("layers", np.int64),
        ("widest", np.int64),
        ("widths", np.int64),  # address of int64 [layers + 1]: numbers into each layer and out
        ("weights", np.int64),  # of float64: by layer the weights [in, out], then the offsets
        ("traits", np.int64),  # of float64 [position + most_moves * move]
        ("asked", np.int64),  # of int32 [most_moves]: moves to be scored
        ("work", np.int64),  # of float64 [3 * widest]
    ]
)
"""A network over the traits of moves (`search.network`)."""

Visit = np.dtype(
    [
        ("node", np.int64),
        ("edge", np.int64),
        ("player", np.int64),
        ("decided", np.int64),  # decisions before it
    ]
)
"""A decision in the tree, on the path of an iteration."""

# --- buffers -------------------------------------------------------------------------------------


BUFFERS = (
    Buffer("slots", np.int32, most_moves),  # the edge of each legal move, -1 where it has none
    Buffer("where", np.int32, lambda game: game.moves),  # a move's place among the legal ones
    Buffer("histories", np.uint64, lambda game: game.players + 2),
    Buffer("starts", np.uint64, lambda game: game.players),  # of the histories, at the root
    Buffer("sights", np.uint64, lambda game: game.players + 1),  # what each sees of a move
    Buffer("memos", np.int64, lambda game: game.players * memo_words(game)),
    Buffer("root_memos", np.int64, lambda game: (game.players + 1) * memo_words(game)),
    Buffer("path", Visit, lambda game: game.most_plies),
    Buffer("modes", np.int8, lambda game: game.players),  # where everybody is at the root
    Buffer("inside", np.int8, lambda game: game.players),  # and now
    Buffer("control", np.int64, lambda game: 1),  # 1: stop
    Buffer("kind_shares", np.float64, lambda game: MOST_KINDS),
    Buffer("kind_counts", np.int64, lambda game: MOST_KINDS),  # legal moves of each kind
)
"""Beyond the players' places `histories` has the public's, and how the searcher's began; at the
root the public has a memo too."""

# --- the state -----------------------------------------------------------------------------------


def _record(**kinds: str) -> np.dtype[Any]:
    """A record of int64 and float64 fields, named in two lines."""
    parts = [(name, kind) for kind, names in kinds.items() for name in names.split()]
    return np.dtype([(name, np.dtype(kind)) for name, kind in parts], align=True)


Settings = _record(
    int64="me identity growth labels smooth priors kind_priors bandit most_decisions",
    float64="c eta gamma decay discount offset scale temperature modelled urgency widening",
)
"""What the recipe says; payoffs are seen less `offset` and times `scale`; `kind_priors` is the
address of the policies over kinds of moves, by player, that priors come from, 0: none; `urgency`
is infinite and `widening` 0 where there is none."""

Scored = _record(int64="network table slots weights mu full")
"""Priors by a network: its address, 0: none; the table of weights, and how many; whether priors sum
to 1 in every world; whether the table may not grow any more."""

Worlds = _record(int64="sampler viewer rng pool size stride cumulative labels pack")
"""How worlds are drawn, from whose view, by which stream; the addresses of a Pool's arrays; what
the order of chance in a world is made from, 0: it has none."""

Tree = _record(
    int64="node_table node_slots nodes edge_table edge_slots edges root_table root_slots roots "
    "index_table index_slots room"
)
"""Tables, how much fits, how much there is; `room`: whether anything may be added."""

Observed = _record(int64="observers watching table slots tallies")
"""Whose observations are counted, whether they are in this iteration, and the tallies."""

Memory = _record(int64="kept words")
"""Whose memos are kept along the tree (`search.sight`), and how many words one takes."""

Counts = _record(int64="iterations plies played")
"""Iterations so far, their plies, and those of them that were played beyond the tree."""

Now = _record(int64="depth decisions left first")
"""This iteration: visits on its path; decisions in the tree since the searcher's first; players who
have left the tree; 1 before the searcher's first decision."""

Reply = _record(int64="move shares stage", float64="share")
"""A reply that is foreseen: which move; how likely it is after each of the searcher's own (address,
0: none is foreseen); how far this iteration has come with it, and the share that belongs to it."""

Sampling = _record(
    int64="target target_length steps chances aims worths updater targeted aimed matched here dead",
    float64="epsilon delta reach by_target by_rest",
)
"""Outcome sampling: what the searcher has seen, buffers, what an iteration keeps in mind."""

SearchState = np.dtype(
    [
        ("play", Play),
        ("settings", Settings),
        ("scored", Scored),
        ("worlds", Worlds),
        ("tree", Tree),
        ("observed", Observed),
        ("memory", Memory),
        ("counts", Counts),
        ("now", Now),
        ("reply", Reply),
        ("sampling", Sampling),
        ("buffers", addresses(BUFFERS)),
    ],
    align=True,
)

# --- what numbers stand for ----------------------------------------------------------------------

# worlds: by the game's own determinizer; from the pool by weight or in turn; its own, labelled
BY_RULE, BY_WEIGHT, IN_TURN, BY_SECRET = range(4)

# modes: in the tree; out of it; following a tree that is not updated
IN, OUT, FROZEN = range(3)

# observers: a bit each
BY_SEARCHER, BY_PUBLIC = 1, 2

# watching: no longer; before the searcher's first decision; after it
UNSEEN, BEFORE, AFTER = range(3)

# the stage of a reply: nothing is foreseen, or no longer; before the searcher's first decision;
# that of another player is awaited; it is the reply that was foreseen; it is not
SETTLED, UNASKED, AWAITED, FORETOLD, OTHERWISE = range(5)

# how a run of the kernel ended: all iterations; told to; no room; a rule raised; a game without end
DONE, STOPPED, CROWDED, ALARMED, ENDLESS = range(5)

# --- opening it in compiled code -----------------------------------------------------------------


@jit
def open_state(state: int) -> Any:
    """The state of a search at an address."""
    return view(state, SearchState)


@jit
def open_nodes(state: int) -> Any:
    """The hash table of nodes."""
    tree = view(state, SearchState)["tree"]
    return array(tree["node_table"], tree["node_slots"], Node)


@jit
def open_edges(state: int) -> Any:
    """The table of edges."""
    tree = view(state, SearchState)["tree"]
    return array(tree["edge_table"], tree["edge_slots"], Edge)


@jit
def open_index(state: int) -> Any:
    """The index of edges by node and move."""
    tree = view(state, SearchState)["tree"]
    return array(tree["index_table"], tree["index_slots"], np.int32)


def _opener(buffer: Buffer) -> Any:
    """A function that opens the first `n` items of a buffer."""
    name, kind = buffer.name, buffer.kind

    @jit
    def opened(state: int, n: int) -> Any:
        return array(view(state, SearchState)["buffers"][name], n, kind)

    return opened


_open = {buffer.name: _opener(buffer) for buffer in BUFFERS}
open_slots, open_where, open_path = _open["slots"], _open["where"], _open["path"]
open_histories, open_starts = _open["histories"], _open["starts"]
open_sights = _open["sights"]
open_modes, open_inside, open_control = _open["modes"], _open["inside"], _open["control"]
open_kind_shares, open_kind_counts = _open["kind_shares"], _open["kind_counts"]
