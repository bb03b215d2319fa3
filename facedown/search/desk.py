"""The desk: all that the kernel's parts share, as one int64 array of numbers and addresses.

Its first places are the game's rule table, so that it can stand for one. Its address is
all that the parts hand each other: that keeps them small, compiles fast and costs no reference
counts. Buffers are opened where they are used, with `array(d[PLACE], n, dtype)`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core.jit import jit
from facedown.core.records import array
from facedown.core.rules import RULES

_first = len(RULES)

# numbers that a search does not change
(CTX, ME, PLAYERS, IDENTITY, GROWTH, SAMPLER, LABELS, INFORMED) = range(_first, _first + 8)
(TO_HORIZON, SMOOTH, PRIORS, BANDIT, MOST_PLIES, MOST_DECISIONS) = range(_first + 8, _first + 14)
(MOST_MOVES, ALL_MOVES, WORDS, WORLD_RNG, RNG) = range(_first + 14, _first + 19)

# addresses of buffers, and how long those are that grow
(NODE_TABLE, NODE_SLOTS, EDGE_TABLE, EDGE_SLOTS, ROOT_TABLE, ROOT_SLOTS) = range(
    _first + 19, _first + 25
)
(POOL, POOL_SIZE, POOL_STRIDE, CUMULATIVE, POOL_LABELS, WORLD) = range(_first + 25, _first + 31)
(MOVES, SLOTS, WHERE, NUMBERS, PAYOFFS, HISTORIES) = range(_first + 31, _first + 37)
(PATH, TRAIL, MODES, INSIDE, ALARM, CONTROL) = range(_first + 37, _first + 43)

# counters and what an iteration keeps in mind
(NODES, EDGES, ROOTS, ITERATIONS, PLIES, PLAYED, ROOM) = range(_first + 43, _first + 50)
(DEPTH, DECISIONS, LEFT, FIRST, REAL_NUMBERS) = range(_first + 50, _first + 55)
(INDEX_TABLE, INDEX_SLOTS) = range(_first + 55, _first + 57)

# whose view the worlds are drawn from; whose observations are counted, how, and where
(VIEWER, OBSERVERS, WATCHING) = range(_first + 57, _first + 60)
(TALLY_TABLE, TALLY_SLOTS, TALLIES, SIGHTS) = range(_first + 60, _first + 64)

# outcome sampling: what the searcher has seen, buffers, and what its iterations keep in mind
(TARGET, TARGET_LENGTH, STEPS, CHANCES, AIMS, YIELDS) = range(_first + 64, _first + 70)
(UPDATER, TARGETED, AIMED, MATCHED, HERE) = range(_first + 70, _first + 75)

# the game's rollout, 0 where it has none, and the orders that it takes
(ROLLOUT, ORDERS) = range(_first + 75, _first + 77)

# moves of players in an iteration so far, those of chance left out
DECIDED = _first + 77

# a reply that is foreseen: which move, how likely it is after each of the searcher's own (0: none
# is foreseen), and how far an iteration has come with it
(REPLY, REPLY_SHARES, REPLYING) = range(_first + 78, _first + 81)

SIZE = _first + 81

# reals
C, ETA, GAMMA, DECAY, DISCOUNT, OFFSET, SCALE = range(7)
EPSILON, DELTA, REACH, BY_TARGET, BY_REST = range(7, 12)  # outcome sampling
FORESEEN = 12  # how likely the reply is that an iteration waits for
REALS = 13

# SAMPLER: by the game's own determinizer; from the pool by weight or in turn; its own, labelled
BY_RULE, BY_WEIGHT, IN_TURN, BY_SECRET = range(4)

# MODES: in the tree; out of it; following a tree that is not updated
IN, OUT, FROZEN = range(3)

# OBSERVERS: a bit each
BY_SEARCHER, BY_PUBLIC = 1, 2

# WATCHING: no longer; before the searcher's first decision; after it
UNSEEN, BEFORE, AFTER = range(3)

# REPLYING: nothing is foreseen, or no longer; before the searcher's first decision; that of another
# player is awaited; it is the reply that was foreseen; it is not
SETTLED, UNASKED, AWAITED, FORETOLD, OTHERWISE = range(5)

# the alarm, beside 0 and the 1 of a plain rule that raised: no legal moves, or too many
STUCK = 2

# how a run of the kernel ended: all iterations; told to; no room; a rule raised; a game without end
DONE, STOPPED, CROWDED, ALARMED, ENDLESS = range(5)


@jit
def open_desk(desk: int) -> Any:
    """The desk at an address, as an array [SIZE]."""
    return array(desk, SIZE, np.int64)


@jit
def open_reals(desk: int) -> Any:
    """The real numbers that belong to a desk, as an array [REALS]."""
    return array(array(desk, SIZE, np.int64)[REAL_NUMBERS], REALS, np.float64)
