"""HyperPlay's `Update()` in compiled code: a model walks on until it has seen what its viewer saw.

A *model* is a history of the game from its start (Schofield and Thielscher 2019, section 3.7; their
HyperGame). At every position along its path lie the legal moves in the order in which they were
tried: the last of those tried is the one played, those before it are *bad* (nothing that agrees
with the observations comes after them), the others are not tried yet. So a walk that is stopped
goes on where it was, and all that was ever tried in vain stays known for as long as it matters.

The walk is depth first, as in their Figure 4. It asks nothing of a game but `turn`, `legal`,
`apply`, `sees` and `copy`, and `weights` or `prior` where there are any. All that it needs lies on
a desk of its own, one int64 array that begins with the game's rule table.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import types

from facedown.core.constants import CHANCE, OVER
from facedown.core.jit import jit, kernel
from facedown.core.records import array, view
from facedown.core.rules import (
    COPY,
    RULES,
    WEIGHTS,
    call_apply,
    call_copy,
    call_legal,
    call_prior,
    call_sees,
    call_turn,
    call_weights,
    has,
)
from facedown.core.streams import mix, pick

Model = np.dtype(
    [
        ("rng", np.uint64),  # its random stream, the seed x of equation 10
        ("status", np.int64),
        ("depth", np.int64),  # moves played
        ("matched", np.int64),  # observations that they have given
        ("used", np.int64),  # moves listed along the path
        ("spent", np.int64),  # moves tried since the limit counts
        ("tried", np.int64),  # moves tried in all: the states visited
        ("joint", np.int64),  # of them those of others that the viewer saw: joint moves, in GDL
        ("entered", np.int64),  # of them those played
        ("steps", np.int64),  # addresses of what lies along the path, and how much fits there
        ("positions", np.int64),
        ("moves", np.int64),
        ("chances", np.int64),
        ("deepest", np.int64),
        ("room", np.int64),
    ]
)
Step = np.dtype(
    [
        ("first", np.int64),  # where its moves begin among those listed
        ("n", np.int64),  # how many there are; UNLISTED before they are listed
        ("tried", np.int64),
        ("matched", np.int64),  # observations before any of them
        ("scouted", np.int64),  # 1 where those not tried are known to lead on
        ("turn", np.int64),  # whose moves they are
    ]
)
"""A position on the path of a model."""

Measure = np.dtype([("key", np.uint64), ("chance", np.float64), ("drawn", np.float64)])
"""A model's history as a key, and two logarithms: how likely it is, and how likely a walk finds it.
"""

_first = len(RULES)
(CTX, VIEWER, PRIORS, MOST_MOVES, MOST_PLIES, WORDS, STRIDE) = range(_first, _first + 7)
(MODELS, HOW_MANY, OBSERVED, TARGET, LIMIT) = range(_first + 7, _first + 12)
(MOVES, NUMBERS, ALARM, SCOUTING) = range(_first + 12, _first + 16)
SIZE = _first + 16
"""Places on the desk."""

MODEL_BYTES, STEP_BYTES, MEASURE_BYTES = Model.itemsize, Step.itemsize, Measure.itemsize
UNLISTED = -1
SCOUTED = 256  # moves that a scout tries before it is believed that there is a way
LEAST = 1e-9  # of a move's chance by a policy: what was played cannot have been impossible

ON_LINE, OFF_LINE, LOST, CROWDED, ALARMED = range(5)
"""What a model is after a walk: it agrees with all observations; it has reached the limit; there is
no such history; it needs more room; a rule has raised."""

STUCK = 2
"""The alarm where a position has no legal moves, or too many."""


@jit
def open_desk(desk: int) -> Any:
    """The desk at an address, as an array [SIZE]."""
    return array(desk, SIZE, np.int64)


@jit
def step_at(model: int, depth: int) -> Any:
    """The step of a model at a depth."""
    return view(view(model, Model)["steps"] + STEP_BYTES * depth, Step)


@jit
def fill_chances(desk: int, turn: int, state: int, n: int) -> None:
    """How likely each of the `n` legal moves is: P(a | d) of equation 5.

    Chance by its weights, players by the game's `prior` where that is asked for, else evenly.
    """
    d = open_desk(desk)
    numbers, total = array(d[NUMBERS], d[MOST_MOVES], np.float64), 0.0
    if turn == CHANCE and has(desk, WEIGHTS):
        call_weights(desk, d[CTX], state, d[NUMBERS])
    elif turn != CHANCE and d[PRIORS]:
        call_prior(desk, d[CTX], state, d[MOVES], n, d[NUMBERS])
        for j in range(n):
            numbers[j] = max(numbers[j], LEAST)
    else:
        for j in range(n):
            numbers[j] = 1.0
    for j in range(n):
        total += numbers[j]
    for j in range(n):
        numbers[j] /= total


@jit
def keep_own(desk: int, state: int, n: int, matched: int) -> int:
    """Of the viewer's own legal moves keep what it can have played; how many.

    A mover's token determines the move: by the contract one is left, and its chance is 1.
    """
    d = open_desk(desk)
    moves = array(d[MOVES], d[MOST_MOVES], np.int32)
    numbers = array(d[NUMBERS], d[MOST_MOVES], np.float64)
    wanted, kept = array(d[OBSERVED], d[TARGET], np.uint64)[matched], 0
    for j in range(n):
        move: Any = np.int64(moves[j])
        token = np.uint64(call_sees(desk, d[CTX], state, move, d[VIEWER]))
        if token == wanted or token == np.uint64(0):
            moves[kept] = moves[j]
            kept += 1
    for j in range(kept):
        numbers[j] = 1.0 / kept
    return kept


@jit
def list_moves(desk: int, model: int) -> None:
    """List what can be played at the end of a model's path (`ResetLegalAndBad` of Figure 4)."""
    d, m = open_desk(desk), view(model, Model)
    step = step_at(model, m["depth"])
    state = m["positions"] + m["depth"] * d[STRIDE]
    step["first"], step["n"], step["tried"] = m["used"], 0, 0
    step["turn"] = turn = call_turn(desk, d[CTX], state)
    if turn == OVER or m["depth"] >= d[MOST_PLIES]:
        return
    n = call_legal(desk, d[CTX], state, d[MOVES])
    if n <= 0 or n > d[MOST_MOVES]:
        alarm = array(d[ALARM], 1, np.int64)
        if alarm[0] == 0:
            alarm[0] = STUCK
        return
    if turn == d[VIEWER]:
        n = keep_own(desk, state, n, m["matched"])
    else:
        fill_chances(desk, turn, state, n)
    put_moves(desk, model, n)


@jit
def put_moves(desk: int, model: int, n: int) -> None:
    """Put those of the `n` moves at hand that can happen beside a model's step."""
    d, m = open_desk(desk), view(model, Model)
    moves, listed = array(d[MOVES], d[MOST_MOVES], np.int32), array(m["moves"], m["room"], np.int32)
    numbers = array(d[NUMBERS], d[MOST_MOVES], np.float64)
    chances = array(m["chances"], m["room"], np.float64)
    used = np.int64(m["used"])
    for j in range(n):
        if numbers[j] > 0.0:
            listed[used], chances[used] = moves[j], numbers[j]
            used += 1
    step_at(model, m["depth"])["n"] = used - m["used"]
    m["used"] = used


@jit
def take_move(model: int) -> int:
    """Draw one of the moves not yet tried at the end of a model's path, by their chances."""
    m = view(model, Model)
    step = step_at(model, m["depth"])
    k, left = step["first"] + step["tried"], step["n"] - step["tried"]
    listed = array(m["moves"] + 4 * k, left, np.int32)
    chances = array(m["chances"] + 8 * k, left, np.float64)
    j = pick(model, chances, left)  # the stream is the model's first word
    move, chance = np.int64(listed[j]), chances[j]
    listed[j], chances[j] = listed[0], chances[0]
    listed[0], chances[0] = move, chance
    step["tried"] += 1
    m["spent"] += 1
    m["tried"] += 1
    return move  # type: ignore[return-value]


@jit
def copy_position(desk: int, to: int, source: int) -> None:
    """Make the position at `to` equal to the one at `source`."""
    d = open_desk(desk)
    if has(desk, COPY):
        call_copy(desk, d[CTX], to, source)
        return
    target, record = array(to, d[WORDS], np.int64), array(source, d[WORDS], np.int64)
    for k in range(d[WORDS]):
        target[k] = record[k]


@jit
def go_on(desk: int, model: int, move: int, seen: bool) -> None:
    """Play a move at the end of a model's path."""
    d, m = open_desk(desk), view(model, Model)
    source = m["positions"] + m["depth"] * d[STRIDE]
    state = source + d[STRIDE]
    copy_position(desk, state, source)
    call_apply(desk, d[CTX], state, move)
    m["depth"] += 1
    m["entered"] += 1
    if seen:
        m["matched"] += 1
    step = step_at(model, m["depth"])
    step["n"], step["tried"], step["matched"], step["scouted"] = UNLISTED, 0, m["matched"], 0


@jit
def walk(desk: int, model: int) -> int:
    """`Update()` of Figure 4: walk on until all observations have come; what the model is then."""
    d, m = open_desk(desk), view(model, Model)
    alarm, observed = array(d[ALARM], 1, np.int64), array(d[OBSERVED], d[TARGET], np.uint64)
    while m["matched"] < d[TARGET]:
        if m["spent"] >= d[LIMIT]:
            return OFF_LINE
        depth = m["depth"]
        step = step_at(model, depth)
        if step["n"] == UNLISTED:
            if m["used"] + d[MOST_MOVES] > m["room"] or depth + 1 >= m["deepest"]:
                return CROWDED
            list_moves(desk, model)
        if alarm[0] != 0:
            return ALARMED
        if step["tried"] == step["n"]:  # all are bad, and so is the move that led here
            if depth == 0:
                return LOST
            m["used"], m["depth"] = step["first"], depth - 1
            m["matched"] = step_at(model, depth - 1)["matched"]
            continue
        move = take_move(model)
        state = m["positions"] + depth * d[STRIDE]
        token = np.uint64(call_sees(desk, d[CTX], state, move, d[VIEWER]))
        if token != np.uint64(0) and step["turn"] != d[VIEWER]:
            m["joint"] += 1
        if token == np.uint64(0) or token == observed[m["matched"]]:
            go_on(desk, model, move, token != np.uint64(0))
    return ALARMED if alarm[0] != 0 else ON_LINE


@kernel(types.int64(types.intp), "belief")
def update(desk: int) -> int:
    """Walk on with every model; the first that needs help (CROWDED, ALARMED), or how many."""
    d = open_desk(desk)
    for k in range(d[HOW_MANY]):
        model = d[MODELS] + k * MODEL_BYTES
        view(model, Model)["status"] = ALARMED  # where a walk is broken off it stays so
        status = walk(desk, model)
        view(model, Model)["status"] = status
        if status in (CROWDED, ALARMED):
            return k
    return d[HOW_MANY]  # type: ignore[no-any-return]


# --- what a history weighs -----------------------------------------------------------------------


@jit
def send_scout(desk: int, model: int, depth: int, move: int) -> int:
    """See whether a move at a step of a model leads to the next observation; as `walk` says."""
    d, m = open_desk(desk), view(model, Model)
    scout = d[MODELS] + d[HOW_MANY] * MODEL_BYTES
    s, step, matched = view(scout, Model), step_at(scout, 0), step_at(model, depth)["matched"]
    copy_position(desk, s["positions"], m["positions"] + depth * d[STRIDE])
    s["depth"], s["matched"], s["used"], s["spent"] = 0, matched, 1, 0
    step["first"], step["n"], step["tried"], step["matched"] = 0, 1, 0, matched
    array(s["moves"], 1, np.int32)[0] = move
    array(s["chances"], 1, np.float64)[0] = 1.0
    target, limit = d[TARGET], d[LIMIT]
    d[TARGET], d[LIMIT] = matched + 1, SCOUTED
    status = walk(desk, scout)
    d[TARGET], d[LIMIT] = target, limit
    return status


@jit
def scout_step(desk: int, model: int, depth: int) -> int:
    """Put those moves of a step that do not even lead to the next observation with the bad ones."""
    m, step = view(model, Model), step_at(model, depth)
    moves = array(m["moves"], m["room"], np.int32)
    chances = array(m["chances"], m["room"], np.float64)
    for j in range(step["first"] + step["tried"], step["first"] + step["n"]):
        other: Any = np.int64(moves[j])
        status = send_scout(desk, model, depth, other)
        if status in (CROWDED, ALARMED):
            return status
        if status == LOST:  # before the move played; the first that is not tried takes its place
            move, chance, played = moves[j], chances[j], step["first"] + step["tried"] - 1
            moves[j], chances[j] = moves[played + 1], chances[played + 1]
            moves[played + 1], chances[played + 1] = moves[played], chances[played]
            moves[played], chances[played] = move, chance
            step["tried"] += 1
    step["scouted"] = 1
    return ON_LINE


@kernel(types.int64(types.intp), "belief")
def scout(desk: int) -> int:
    """Scout every step of the models on line, once; how it ended. Again where it was CROWDED.

    It goes no further when the scout has tried as many moves as SCOUTING says.
    """
    d = open_desk(desk)
    sent = view(d[MODELS] + d[HOW_MANY] * MODEL_BYTES, Model)
    for k in range(d[HOW_MANY]):
        model = d[MODELS] + k * MODEL_BYTES
        m = view(model, Model)
        if m["status"] != ON_LINE:
            continue
        for depth in range(m["depth"]):
            if step_at(model, depth)["scouted"] == 0:
                if sent["tried"] >= d[SCOUTING]:
                    return ON_LINE
                status = scout_step(desk, model, depth)
                if status != ON_LINE:
                    return status
    return ON_LINE


@jit
def history_of(model: int) -> Any:
    """The three parts of a model's Measure, as `measure` says."""
    m = view(model, Model)
    moves = array(m["moves"], m["room"], np.int32)
    chances = array(m["chances"], m["room"], np.float64)
    key, chance, drawn = np.uint64(1), 0.0, 0.0
    for depth in range(m["depth"]):
        step = step_at(model, depth)
        played, bad = step["first"] + step["tried"] - 1, 0.0
        for j in range(step["first"], played):
            bad += chances[j]
        own = math.log(chances[played])
        key = mix(key, np.int64(moves[played]) + 1)
        chance += own
        drawn += own - math.log(max(1.0 - bad, chances[played]))
    return key, chance, drawn


@kernel(types.void(types.intp, types.intp), "belief")
def measure(desk: int, out: int) -> None:
    """Fill in the Measure of every model.

    `chance` is equation 6 without what the viewer did itself. A walk tries moves by their chances
    until one is good, so that it plays a good one in proportion to its chance among the good ones;
    `drawn` takes all that are not known to be bad for good.
    """
    d = open_desk(desk)
    for k in range(d[HOW_MANY]):
        found = view(out + k * MEASURE_BYTES, Measure)
        key, chance, drawn = history_of(d[MODELS] + k * MODEL_BYTES)
        found["key"], found["chance"], found["drawn"] = key, chance, drawn
