"""The desk of imperfect-information simulations, and random games on it, in compiled code.

All lies on one int64 array that begins like the desk of `walk`; every nested player's bag has a
desk of its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.belief import walk
from facedown.belief.walk import (
    ALARM,
    CTX,
    MOST_MOVES,
    MOST_PLIES,
    MOVES,
    NUMBERS,
    STUCK,
    copy_position,
    fill_chances,
)
from facedown.core import rollout
from facedown.core.constants import CHANCE, OVER
from facedown.core.jit import jit
from facedown.core.records import array
from facedown.core.rules import (
    DRAW,
    call_apply,
    call_draw,
    call_legal,
    call_payoff,
    call_rollout,
    call_sees,
    call_turn,
    has,
)
from facedown.core.streams import pick

_first = walk.SIZE
(PLAYERS, ME, BAGS, START, TRUTH, WORLD) = range(_first, _first + 6)
(PATH, LENGTH, CANDIDATE, DECIDED, KEYS, RNG) = range(_first + 6, _first + 12)
(ROLLOUT, ORDERS, PAYOFFS, CONTROL, REALS, TABLE) = range(_first + 12, _first + 18)
(OWN, UTILITIES, VALUES, WEIGHTS) = range(_first + 18, _first + 22)
(SAMPLES, DISTINCT, CUTS, DEEPEST) = range(_first + 22, _first + 26)
(STATES, PLAYED, DEPTH, PLACE, ACTIVE, TRIALS, KNOWN) = range(_first + 26, _first + 33)
(PLY, FIRST, JOINT, COUNTS) = range(_first + 33, _first + 37)
SIZE = _first + 37
"""Places on the desk. `walk.HOW_MANY` is how many models a nested player has, ACTIVE how many of
them it decides by. PLACE is which of all nested models needs room where a simulation waits for it;
PLY is how far the game has come then, FIRST whether the candidate is still to be played. JOINT
counts joint moves, those of random games where COUNTS says so, DECIDED the moves of players in a
random game."""

(DISCOUNT, LOW, WIN, VALUE, RAW) = range(5)
"""Places among the reals: what is set for a search, then what a simulation gives."""

BAG_BYTES = 8 * walk.SIZE
ROLLED_STUCK, ROLLED_DECISIONS, ORDERS_LENGTH = rollout.STUCK, rollout.DECIDED, rollout.ORDERS

NO_END = 3
"""The alarm where a game does not end."""

ILLEGAL, HELD = -1, -2
"""Instead of a move or of plies: not legal here; an alarm, a request to stop, or lack of room."""


@jit
def open_desk(desk: int) -> Any:
    """The desk at an address, as an array [SIZE]."""
    return array(desk, SIZE, np.int64)


@jit
def bag_of(desk: int, player: int) -> int:
    """The desk of a nested player's bag."""
    return open_desk(desk)[BAGS] + player * BAG_BYTES  # type: ignore[no-any-return]


@jit
def sound(desk: int, alarm: int) -> None:
    """Raise an alarm, unless there is one."""
    alarms = array(open_desk(desk)[ALARM], 1, np.int64)
    if alarms[0] == 0:
        alarms[0] = alarm


@jit
def held(desk: int) -> bool:
    """Whether a rule has raised, or the search was told to stop."""
    d = open_desk(desk)
    return array(d[ALARM], 1, np.int64)[0] != 0 or array(d[CONTROL], 1, np.int64)[0] != 0  # type: ignore[no-any-return]


# --- moves ---------------------------------------------------------------------------------------


@jit
def list_legal(desk: int, state: int, out: int) -> int:
    """List the legal moves at `out`; how many. None, or too many, raises the alarm."""
    d = open_desk(desk)
    n = call_legal(desk, d[CTX], state, out)
    if n <= 0 or n > d[MOST_MOVES]:
        sound(desk, STUCK)
        return 0
    return n


@jit
def any_move(desk: int, turn: int, state: int) -> int:
    """A move of chance by its weights, of a player any legal one; HELD where there is none."""
    d = open_desk(desk)
    if turn == CHANCE and has(desk, DRAW):
        return call_draw(desk, d[CTX], state, d[RNG])
    n = list_legal(desk, state, d[MOVES])
    if n == 0:
        return HELD
    fill_chances(desk, turn, state, n)
    j = pick(d[RNG], array(d[NUMBERS], n, np.float64), n)
    return np.int64(array(d[MOVES], n, np.int32)[j])  # type: ignore[return-value]


@jit
def is_legal(desk: int, state: int, move: int) -> bool:
    """Whether whoever acts may play `move`."""
    d = open_desk(desk)
    n = list_legal(desk, state, d[MOVES])
    moves = array(d[MOVES], d[MOST_MOVES], np.int32)
    j = 0
    while j < n and moves[j] != move:
        j += 1
    return j < n


@jit
def is_joint(desk: int, turn: int, state: int, move: int) -> bool:
    """Whether a move shows anything to somebody else: in GDL it completes a joint move."""
    d = open_desk(desk)
    for p in range(d[PLAYERS]):
        if p != turn and np.uint64(call_sees(desk, d[CTX], state, move, p)) != np.uint64(0):
            return True
    return False


# --- random games --------------------------------------------------------------------------------


@jit
def make_move(desk: int, turn: int, move: int) -> None:
    """Play a move in a random game."""
    d = open_desk(desk)
    if turn != CHANCE:
        d[DECIDED] += 1
    if d[COUNTS] and is_joint(desk, turn, d[WORLD], move):
        d[JOINT] += 1
    call_apply(desk, d[CTX], d[WORLD], move)


@jit
def play_until(desk: int, player: int) -> int:
    """Play at random until `player` acts or the game is over; plies. With OVER: to the end."""
    d = open_desk(desk)
    ply = 0
    while True:
        turn = call_turn(desk, d[CTX], d[WORLD])
        if turn in (player, OVER):
            return ply
        if ply >= d[MOST_PLIES]:
            sound(desk, NO_END)
            return HELD
        move: Any = np.int64(any_move(desk, turn, d[WORLD]))
        if held(desk):
            return HELD
        make_move(desk, turn, move)
        ply += 1


@jit
def play_on(desk: int) -> int:
    """Play at random to the end, by the game's rollout where it has one; plies after this."""
    d = open_desk(desk)
    if call_turn(desk, d[CTX], d[WORLD]) == OVER:
        plies = 0
    elif d[ROLLOUT] != 0 and not d[COUNTS]:
        zero: Any = np.int64(0)
        plies = call_rollout(d[ROLLOUT], d[ORDERS], zero)
        if plies < 0:
            sound(desk, STUCK if plies == ROLLED_STUCK else NO_END)
            return HELD
        d[DECIDED] += array(d[ORDERS], ORDERS_LENGTH, np.int64)[ROLLED_DECISIONS]
        return plies
    else:
        plies = play_until(desk, OVER)
    if plies >= 0:
        call_payoff(desk, d[CTX], d[WORLD], d[PAYOFFS])
    return plies


@jit
def play_out(desk: int, source: int, player: int, move: int) -> int:
    """A random game from `source` in which the player's first move is `move`; plies, or why not.

    The player's payoff goes to RAW, discounted for every decision after the move to VALUE.
    """
    d = open_desk(desk)
    reals = array(d[REALS], 5, np.float64)
    copy_position(desk, d[WORLD], source)
    before = play_until(desk, player)
    if before < 0:
        return before
    d[STATES] += before
    if call_turn(desk, d[CTX], d[WORLD]) == OVER or not is_legal(desk, d[WORLD], move):
        return HELD if held(desk) else ILLEGAL
    make_move(desk, player, move)
    d[DECIDED] = 0
    after = play_on(desk)
    if after < 0:
        return after
    d[STATES] += after + 1
    d[PLAYED] += before + after + 1
    reals[RAW] = array(d[PAYOFFS], d[PLAYERS], np.float64)[player]
    reals[VALUE] = reals[RAW] * reals[DISCOUNT] ** d[DECIDED]
    return before + after + 1
