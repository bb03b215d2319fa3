"""Random play behind the machine of the lifted reasoner: whole games as numbers, in compiled code.

A walk asks whether the game is over, what is legal, draws a move for every role, has what is seen
and what is next worked out, and stands there. What it has met is marked by the numbers of terms;
they become words when somebody asks. It can be left after any slice of the work and gone on with.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from facedown.core import array, below, jit
from facedown.core.jit import JIT, native
from facedown.core.rules import Rule
from facedown.gdl import tables as at
from facedown.gdl.machine import begin, evaluate, stand
from facedown.gdl.tables import as_int, count_of, first_of, level_of, words

# an order, int64: where the walk is, whether its question has been begun, joint moves so far, how
# many there may be; roles; whether percepts are wanted; the most legal moves that a role had
(PHASE, BEGUN, STEP, LONGEST, ROLES, SEEING, MOST_MOVES) = range(7)
# addresses: the position as numbers, and room for how many; the joint move, pairs of role and move;
# which role a term is, or -1, and of how many terms that is said; legal moves of each role
(GIVEN, ROOM, JOINT, ROLE_OF, NAMED, COUNTS) = range(7, 13)
# marks, a row of bytes for the fluents, then two for each role, moves and percepts; their length
(MARKS, ROW) = range(13, 15)
# the relations that are told, then questions: relation, plan, length
(IS_TRUE, IS_DONE, TERMINAL) = range(15, 18)
LEGAL, SEES, NEXT = TERMINAL + 3, TERMINAL + 6, TERMINAL + 9
ORDER = NEXT + 3

OVER, STUCK, LONG, NARROW, PAUSED = range(5)
"""How a walk is left: at an end; where a role has no move; after the most joint moves; with no room
for a position; for a moment."""

PAUSE = 16
"""Joint moves after which Python sees whether something else is to be done."""


@jit
def _answered(m: int, o: Any, question: int) -> int:
    """Go on with the question that the walk is at: 0 when it is answered, or a fault."""
    if o[BEGUN] == 0:
        begin(m, o[question + 1], o[question + 2])
        o[BEGUN] = 1
    fault = evaluate(m)
    if fault == 0:
        o[BEGUN] = 0
    return fault


@jit
def _pool(m: int, relation: int) -> Any:
    return words(m, at.at_level(level_of(m, relation)) + at.POOL)


@jit
def _role(o: Any, term: int) -> int:
    """Which role a term is; -1: none."""
    return as_int(array(o[ROLE_OF], o[NAMED], np.int32)[term]) if term < o[NAMED] else -1


@jit
def _marked(o: Any, row: int, term: int) -> None:
    array(o[MARKS] + row * o[ROW], o[ROW], np.int8)[term] = 1


@jit
def _chosen(m: int, o: Any, rng: int) -> bool:
    """Draw a legal move for every role, each as likely; whether each has one."""
    roles, relation = o[ROLES], o[LEGAL]
    counts, joint = array(o[COUNTS], roles, np.int32), array(o[JOINT], 2 * roles, np.int32)
    for k in range(roles):
        counts[k] = 0
    pool, fact = _pool(m, relation), first_of(m, relation)
    while fact != 0:
        k = _role(o, as_int(pool[fact + 1]))
        if k >= 0:
            move = as_int(pool[fact + 2])
            _marked(o, 1 + 2 * k, move)
            counts[k] += 1
            if counts[k] == 1 or below(rng, as_int(counts[k])) == 0:  # so far each is as likely
                joint[2 * k + 1] = move
        fact = as_int(pool[fact])
    able = True
    for k in range(roles):
        o[MOST_MOVES] = max(o[MOST_MOVES], as_int(counts[k]))
        able = able and counts[k] > 0
    return able


@jit
def _seen(m: int, o: Any) -> None:
    """Mark what roles see."""
    pool, fact = _pool(m, o[SEES]), first_of(m, o[SEES])
    while fact != 0:
        k = _role(o, as_int(pool[fact + 1]))
        if k >= 0:
            _marked(o, 2 + 2 * k, as_int(pool[fact + 2]))
        fact = as_int(pool[fact])


@jit
def _gone(m: int, o: Any) -> int:
    """Stand where `next` says; 0, or a fault. There is room for it."""
    given, n = array(o[GIVEN], o[ROOM], np.int32), 0
    pool, fact = _pool(m, o[NEXT]), first_of(m, o[NEXT])
    while fact != 0:
        given[n] = pool[fact + 1]
        _marked(o, 0, as_int(given[n]))
        n += 1
        fact = as_int(pool[fact])
    return stand(m, o[IS_TRUE], o[GIVEN], n)


def walk(m: int, order: int, rng: int) -> int:
    """Go on with a random game; how it is left, or a fault of the machine's."""
    o = array(order, ORDER, np.int64)
    last = o[STEP] + PAUSE
    while o[STEP] < last:
        phase = o[PHASE]
        fault = _answered(m, o, phase)
        if fault < 0:
            return fault
        if phase == TERMINAL:
            if count_of(m, o[TERMINAL]) > 0:
                return OVER
            o[PHASE] = LEGAL
        elif phase == LEGAL:
            if not _chosen(m, o, rng):
                return STUCK
            if o[STEP] == o[LONGEST]:
                return LONG
            fault = stand(m, o[IS_DONE], o[JOINT], o[ROLES])
            o[PHASE] = SEES if o[SEEING] != 0 else NEXT
        elif phase == SEES:
            _seen(m, o)
            o[PHASE] = NEXT
        else:
            if count_of(m, o[NEXT]) > o[ROOM]:
                return NARROW
            fault = _gone(m, o)
            o[PHASE] = TERMINAL
            o[STEP] += 1
        if fault < 0:
            return fault
    return PAUSED


_RULE = Rule("walk", 0, "int", ("address", "address", "address"))
_kept: list[Any] = []  # compiled code, which must outlive what Python calls


@cache
def compiled() -> Any:
    """`walk` as Python calls it; it keeps the GIL, for it pauses soon."""
    if not JIT:
        return walk
    _kept.append(native(walk, _RULE.signature))
    return _RULE.prototype(_kept[-1].address)
