"""Where everything lies: in `ctx`, in a record, and in the areas in which a network is settled.

All places are bytes from the beginning of `ctx`, of a record or of an area, so that `ctx` is the
same for every object of a game. The areas lie behind `ctx` in one block with it:
they are scratch memory, not part of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

# the head of `ctx`, int64: numbers
(ROLES, PLAYERS, OPEN, CHAINS, STATE_WORDS, LEGAL_WORDS, GO, TERMINAL) = range(8)
(GROUPS, GOALS, AREAS, AREA_SIZE, RECORD_WORDS) = range(8, 13)
# places in `ctx`: areas, the first content of one, words by role, roles by word, groups, goals
(AREAS_AT, FRESH_AT, ROLE_WORDS_AT, WORD_ROLES_AT, GROUPS_AT, GOALS_AT) = range(13, 19)
(START_AT, SIGHT_WORDS_AT) = range(19, 21)
# places in a record
(LEGAL_AT, CHAIN_AT, PENDING_AT, LAST_AT, CLOCK_AT) = range(21, 26)
# the lowest payoff; where an area keeps the state that it came from, and a joint move
(LOWEST, FROM_AT, JOINT_AT) = range(26, 29)
# the addresses of the engine's workers in this process
(GO_TO, DO, GO_ON) = range(29, 32)
# the two networks: what happens, and what is seen of it
(PLAY, SIGHT) = (32, 48)
HEAD = 64

# of a network, int64: places in `ctx`, numbers, places in an area
(PTR_AT, EDGE_AT, SEGMENTS_AT, VIEW_SEGMENTS, SEGMENTS, COUNTERS) = range(6)
(EDGES, WORDS, FLUENT_WORDS, OUTPUTS, MOVES) = range(6, 11)
(STATE_AT, BITS_AT, HELD_AT, COUNT_AT, DOES_AT) = range(11, 16)
NETWORK = 16

# the clock of a record, int32: steps made, who acts, whether observations are not kept
STEP, ACTOR, QUIET = range(3)
CLOCK = 4  # with one more, to fill the word

# the beginning of an area, int64: its lock; whether it has its first content; whether the network
# stands where the joint move led from the state at FROM_AT
LOCK, READY, AHEAD = range(3)
AREA_HEAD = 64

LINE = 64

Head = np.dtype([("head", np.int64, HEAD)])
Record = np.dtype([("word", np.uint64)])
"""What a context and a record of any game begin with: so much is opened for the rules, which all
games share; the rest lies behind."""


class Block:
    """Arrays laid end to end, each on a cache line of its own."""

    def __init__(self, used: int = 0) -> None:
        self.used = used
        self._pieces: list[tuple[int, np.ndarray[Any, Any]]] = []

    def reserve(self, size: int) -> int:
        """Room for so many bytes; where it begins."""
        at = self.used
        self.used += -(-size // LINE) * LINE
        return at

    def add(self, piece: np.ndarray[Any, Any]) -> int:
        """Put an array down; where it lies."""
        at = self.reserve(piece.nbytes)
        self._pieces.append((at, piece))
        return at

    def write(self, memory: np.ndarray[Any, np.dtype[np.uint8]]) -> None:
        """Copy all arrays to their places."""
        for at, piece in self._pieces:
            memory[at : at + piece.nbytes] = np.ascontiguousarray(piece).view(np.uint8).ravel()
