"""Imperfect-information simulations in compiled code (Schofield and Thielscher 2019, section 6).

A simulation takes a model of the searcher's bag for the truth and plays the game from its start:
the model's moves first, then a candidate move of the searcher's, then everybody's, where each is
a nested player (`nested_steps`). What the searcher gets at the end is the utility of equation 20.
A simulation is a function of its random stream and changes nothing that lasts but counters and,
where nested players share what they found, the table of that.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from facedown.belief import walk
from facedown.belief.walk import ALARM, CTX, MOST_PLIES, OBSERVED, TARGET, copy_position
from facedown.core.constants import CHANCE, OVER
from facedown.core.jit import jit, kernel
from facedown.core.records import array
from facedown.core.rules import call_apply, call_payoff, call_sees, call_turn
from facedown.core.streams import mix
from facedown.search.nested.nested_desk import (
    CANDIDATE,
    DEEPEST,
    DEPTH,
    DISCOUNT,
    FIRST,
    HELD,
    ILLEGAL,
    JOINT,
    KEYS,
    KNOWN,
    LENGTH,
    LOW,
    ME,
    NO_END,
    PATH,
    PAYOFFS,
    PLACE,
    PLAYERS,
    PLY,
    RAW,
    REALS,
    START,
    STATES,
    TRUTH,
    VALUE,
    any_move,
    bag_of,
    held,
    is_legal,
    open_desk,
    sound,
)
from facedown.search.nested.nested_steps import begin_bags, reveal, think

DONE, STOPPED, NEEDS_ROOM, FAILED = range(4)
"""How a simulation ended: with a value; by request; it wants more room to go on; by an alarm."""


@jit
def show(desk: int, move: int) -> None:
    """Tell every nested player what it sees of a move in the simulated game."""
    d = open_desk(desk)
    keys, turn, others = array(d[KEYS], d[PLAYERS], np.uint64), call_turn(desk, d[CTX], d[TRUTH]), 0
    for p in range(d[PLAYERS]):
        token = np.uint64(call_sees(desk, d[CTX], d[TRUTH], move, p))
        if token != np.uint64(0):
            b = walk.open_desk(bag_of(desk, p))
            array(b[OBSERVED], d[MOST_PLIES], np.uint64)[b[TARGET]] = token
            b[TARGET] += 1
            keys[p] = mix(keys[p], token)
            others += p != turn
    d[JOINT] += others > 0


@jit
def happen(desk: int, move: int) -> None:
    """Play a move in the simulated game; everybody sees what is theirs to see."""
    d = open_desk(desk)
    show(desk, move)
    call_apply(desk, d[CTX], d[TRUTH], move)
    d[STATES] += 1
    if d[KNOWN]:
        reveal(desk)


@jit
def replay(desk: int) -> None:
    """Play the model from the start of the game to where the searcher may be (Definition 8)."""
    d = open_desk(desk)
    copy_position(desk, d[TRUTH], d[START])
    keys = array(d[KEYS], d[PLAYERS], np.uint64)
    for p in range(d[PLAYERS]):
        keys[p] = np.uint64(1)
    begin_bags(desk)
    if d[KNOWN]:
        reveal(desk)
    path = array(d[PATH], d[LENGTH], np.int32)
    for ply in range(d[LENGTH]):
        move: Any = np.int64(path[ply])
        happen(desk, move)


@jit
def next_move(desk: int, turn: int, first: bool) -> int:
    """The move of whoever acts in the simulated game: ILLEGAL, or HELD, where there is none."""
    d = open_desk(desk)
    if turn == CHANCE:
        return any_move(desk, turn, d[TRUTH])
    if first and turn == d[ME]:
        return d[CANDIDATE] if is_legal(desk, d[TRUTH], d[CANDIDATE]) else ILLEGAL
    return think(desk, turn)


@jit
def settle(desk: int, over: bool) -> int:
    """Note what the searcher got: its payoff, or the lowest where the game was not played out."""
    d = open_desk(desk)
    reals = array(d[REALS], 5, np.float64)
    reals[RAW] = reals[LOW]
    if over:
        call_payoff(desk, d[CTX], d[TRUTH], d[PAYOFFS])
        reals[RAW] = array(d[PAYOFFS], d[PLAYERS], np.float64)[d[ME]]
    reals[VALUE] = reals[RAW] * reals[DISCOUNT] ** d[DEPTH] if over else reals[LOW]
    return DONE


@kernel(types.int64(types.intp), "search/nested", "belief")
def simulate(desk: int) -> int:
    """One simulation, through the model and the candidate move to the end; how it ended.

    VALUE is the searcher's payoff, discounted for every decision after the candidate, RAW the
    payoff, DEPTH those decisions. Where the candidate is not legal it is worth nothing, the lowest
    payoff (equation 21); so is a game that takes more than DEEPEST of them (pruning on depth). With
    PLACE it goes on where it needed room: nothing is drawn between there and the walk that did.
    """
    d = open_desk(desk)
    if d[PLACE] < 0:
        d[DEPTH] = 0
        replay(desk)
        d[PLY], d[FIRST] = d[LENGTH], 1
    ply, first = d[PLY], d[FIRST] != 0
    while not held(desk):
        turn = call_turn(desk, d[CTX], d[TRUTH])
        if turn == OVER or (not first and turn != CHANCE and d[DEPTH] >= d[DEEPEST]):
            return settle(desk, turn == OVER)
        if ply >= d[MOST_PLIES]:
            sound(desk, NO_END)
            break
        move: Any = np.int64(next_move(desk, turn, first))
        if held(desk) or move == HELD:
            break
        if move == ILLEGAL:
            return settle(desk, False)
        if not first and turn != CHANCE:
            d[DEPTH] += 1
        first = first and turn != d[ME]
        happen(desk, move)
        ply += 1
    if array(d[ALARM], 1, np.int64)[0] != 0:
        return FAILED
    d[PLY], d[FIRST] = ply, first
    return NEEDS_ROOM if d[PLACE] >= 0 and not held(desk) else STOPPED
