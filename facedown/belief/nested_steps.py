"""Nested players in compiled code: HyperPlayers inside of a simulated game.

A nested player has a bag of models that agree with what it has seen of that game and with nothing
else, and plays what random games from them say is best (Schofield and Thielscher 2019, equations 12
to 14). All lies on one desk, an int64 array that begins like that of `walk`; every nested player's
bag has a desk of its own.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from facedown.belief import sharing, walk
from facedown.belief.walk import (
    ALARM,
    ALARMED,
    CROWDED,
    CTX,
    MODEL_BYTES,
    MODELS,
    MOST_MOVES,
    MOST_PLIES,
    MOVES,
    NUMBERS,
    ON_LINE,
    STUCK,
    TARGET,
    UNLISTED,
    Model,
    copy_position,
    fill_chances,
    history_of,
    step_at,
)
from facedown.belief.walk import HOW_MANY as NESTED
from facedown.core import rollout
from facedown.core.constants import CHANCE, OVER
from facedown.core.jit import jit
from facedown.core.records import array, view
from facedown.core.rules import (
    DRAW,
    call_apply,
    call_draw,
    call_legal,
    call_payoff,
    call_rollout,
    call_turn,
    has,
)
from facedown.core.streams import below, bits, mix, pick

_first = walk.SIZE
(PLAYERS, ME, BAGS, START, TRUTH, WORLD) = range(_first, _first + 6)
(PATH, LENGTH, CANDIDATE, TOKENS, KEYS, RNG) = range(_first + 6, _first + 12)
(ROLLOUT, ORDERS, PAYOFFS, CONTROL, REALS, TABLE) = range(_first + 12, _first + 18)
(OWN, UTILITIES, ERRORS, WEIGHTS) = range(_first + 18, _first + 22)
(SAMPLES, DISTINCT, CUTS, DEEPEST) = range(_first + 22, _first + 26)
(STATES, PLAYED, DEPTH, PLACE, INSTALMENTS) = range(_first + 26, _first + 31)
SIZE = _first + 31
"""Places on the desk. NESTED is how many models a nested player has; PLACE is which of all nested
models needs room where a simulation ends as CROWDED."""

(DISCOUNT, LOW, WIN, VALUE, RAW) = range(5)
"""Places among the reals: what is set for a search, then what a simulation gives."""

BAG_BYTES = 8 * walk.SIZE

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


# --- random games --------------------------------------------------------------------------------


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
        call_apply(desk, d[CTX], d[WORLD], move)
        ply += 1


@jit
def play_on(desk: int) -> int:
    """Play at random to the end, by the game's rollout where it has one; plies after this."""
    d = open_desk(desk)
    if call_turn(desk, d[CTX], d[WORLD]) == OVER:
        plies = 0
    elif d[ROLLOUT] != 0:
        zero: Any = np.int64(0)
        plies = call_rollout(d[ROLLOUT], d[ORDERS], zero)
        if plies < 0:
            sound(desk, STUCK if plies == rollout.STUCK else NO_END)
            return HELD
        return plies
    else:
        plies = play_until(desk, OVER)
    if plies >= 0:
        call_payoff(desk, d[CTX], d[WORLD], d[PAYOFFS])
    return plies


@jit
def play_out(desk: int, source: int, player: int, move: int) -> int:
    """A random game from `source` in which the player's first move is `move`; plies, or why not.

    The player's payoff goes to RAW, discounted for every ply after the move to VALUE.
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
    call_apply(desk, d[CTX], d[WORLD], move)
    after = play_on(desk)
    if after < 0:
        return after
    d[STATES] += after + 1
    d[PLAYED] += before + after + 1
    reals[RAW] = array(d[PAYOFFS], d[PLAYERS], np.float64)[player]
    reals[VALUE] = reals[RAW] * reals[DISCOUNT] ** after
    return before + after + 1


# --- nested players ------------------------------------------------------------------------------


@jit
def begin_bags(desk: int) -> None:
    """Every nested bag at the start of the game, with streams from the simulation's."""
    d = open_desk(desk)
    for p in range(d[PLAYERS]):
        bag = bag_of(desk, p)
        walk.open_desk(bag)[TARGET] = 0
        for k in range(d[NESTED]):
            model = walk.open_desk(bag)[MODELS] + k * MODEL_BYTES
            m = view(model, Model)
            m["rng"] = bits(d[RNG])
            m["depth"], m["matched"], m["used"] = 0, 0, 0
            step = step_at(model, 0)
            step["n"], step["tried"], step["matched"], step["scouted"] = UNLISTED, 0, 0, 0


@jit
def follow(desk: int, player: int) -> int:
    """Have the models of a nested player agree with what it has seen; how many do, or HELD."""
    d, bag = open_desk(desk), bag_of(desk, player)
    b, active = walk.open_desk(bag), 0
    for k in range(d[NESTED]):
        model = b[MODELS] + k * MODEL_BYTES
        m = view(model, Model)
        m["spent"] = 0
        status = walk.walk(bag, model)
        m["status"] = status
        d[STATES] += m["spent"]
        if status == CROWDED:
            d[PLACE] = player * d[NESTED] + k
        if status in (CROWDED, ALARMED) or held(desk):
            return HELD
        if status == ON_LINE:
            active += 1
    return active


@jit
def weigh(desk: int, player: int) -> None:
    """The weights of a nested player's models, which sum to 1; 0 off line (equations 5 to 8)."""
    d, b = open_desk(desk), walk.open_desk(bag_of(desk, player))
    weights, total, most = array(d[WEIGHTS], 2 * d[NESTED], np.float64), 0.0, -math.inf
    keys = array(d[WEIGHTS] + 8 * d[NESTED], d[NESTED], np.uint64)
    for k in range(d[NESTED]):
        model = b[MODELS] + k * MODEL_BYTES
        keys[k], weights[k] = np.uint64(0), -math.inf
        if view(model, Model)["status"] == ON_LINE:
            keys[k], weights[k], _ = history_of(model)
            most = max(most, weights[k])
    for k in range(d[NESTED]):
        times = 0
        for other in range(d[NESTED]):
            if keys[other] == keys[k]:
                times += 1
        weights[k] = math.exp(weights[k] - most) / (times if d[DISTINCT] else 1)
        total += weights[k]
    for k in range(d[NESTED]):
        weights[k] /= total


@jit
def try_move(desk: int, player: int, j: int) -> int:
    """The utility of the `j`-th own move over a nested player's models (equations 12 and 13).

    Beside it goes its standard error, over models and random games. Gives 1 where every game had
    the win, 0 where not, HELD where it did not come to an end.
    """
    d, b = open_desk(desk), walk.open_desk(bag_of(desk, player))
    reals, weights = array(d[REALS], 5, np.float64), array(d[WEIGHTS], d[NESTED], np.float64)
    move: Any = np.int64(array(d[OWN], d[MOST_MOVES], np.int32)[j])
    utility, squares, share, won = 0.0, 0.0, 0.0, 1
    for k in range(d[NESTED]):
        if weights[k] == 0.0:
            continue
        m = view(b[MODELS] + k * MODEL_BYTES, Model)
        source = m["positions"] + m["depth"] * b[walk.STRIDE]
        for _ in range(d[SAMPLES]):
            plies = play_out(desk, source, player, move)
            if plies == HELD or held(desk):
                return HELD
            value = reals[VALUE] if plies != ILLEGAL else reals[LOW]
            if plies == ILLEGAL or reals[RAW] < reals[WIN]:
                won = 0
            part = weights[k] / d[SAMPLES]
            utility += part * value
            squares += part * value * value
            share += part * part
    array(d[UTILITIES], d[MOST_MOVES], np.float64)[j] = utility
    spread = max(squares - utility * utility, 0.0)
    array(d[ERRORS], d[MOST_MOVES], np.float64)[j] = math.sqrt(spread * share)
    return won


@jit
def evaluate(desk: int, player: int, n: int) -> int:
    """The utilities of the `n` own moves; how many were tried, HELD where it was not finished.

    Cut on win: after a move that won every game no further one is tried.
    """
    d = open_desk(desk)
    for j in range(n):
        won = try_move(desk, player, j)
        if won == HELD:
            return HELD
        if won == 1 and d[CUTS]:
            return j + 1
    return n


@jit
def best_of(desk: int, n: int) -> int:
    """The place of the highest of `n` utilities; ties are broken at random (equation 14)."""
    d = open_desk(desk)
    utilities = array(d[UTILITIES], d[MOST_MOVES], np.float64)
    best, ties = 0, 1
    for j in range(1, n):
        if utilities[j] > utilities[best]:
            best, ties = j, 1
        elif utilities[j] == utilities[best]:
            ties += 1
            if below(d[RNG], ties) == 0:
                best = j
    return best


@jit
def consider(desk: int, player: int, n: int) -> int:
    """Have a nested player try its `n` moves: how many it tried, 0 without a model, or HELD."""
    active = follow(desk, player)
    if active <= 0:
        return active
    weigh(desk, player)
    return evaluate(desk, player, n)


@jit
def think(desk: int, player: int) -> int:
    """The move that a nested player plays in the simulated game, or HELD.

    Its legal moves are taken from the truth: by the contract they are the same in all that the
    player may be in. Without a model that agrees with what it has seen it plays any of them.
    """
    d = open_desk(desk)
    own, n = array(d[OWN], d[MOST_MOVES], np.int32), list_legal(desk, d[TRUTH], d[OWN])
    if n <= 1:
        return np.int64(own[0]) if n else HELD  # type: ignore[return-value]
    if d[TABLE] != 0:
        j = think_again(desk, player, n)
    else:
        tried = consider(desk, player, n)
        j = below(d[RNG], n) if tried == 0 else (best_of(desk, tried) if tried > 0 else HELD)
    return HELD if j == HELD else np.int64(own[j])  # type: ignore[return-value]


@jit
def think_again(desk: int, player: int, n: int) -> int:
    """`think` where all simulations share what nested players found: a move's place, or HELD.

    A nested player knows what it has seen and no more, so what it found there serves every
    simulation in which it has seen the same. It evaluates its moves in INSTALMENTS, one a visit,
    whose mean is kept; after these at every visit whose number is a power of two. At the others it
    draws utilities as so many instalments might have found them, so that its play is as various as
    that of nested players who each think for themselves.
    """
    d = open_desk(desk)
    key = mix(array(d[KEYS], d[PLAYERS], np.uint64)[player], np.uint64(player + 1))
    utilities = array(d[UTILITIES], d[MOST_MOVES], np.float64)
    errors = array(d[ERRORS], d[MOST_MOVES], np.float64)
    slot = sharing.find(d[TABLE], key)
    if sharing.due(d[TABLE], slot, d[INSTALMENTS]):
        tried = consider(desk, player, n)
        if tried <= 0:
            return below(d[RNG], n) if tried == 0 else HELD
        sharing.add(d[TABLE], slot, key, utilities, errors, tried)
        return best_of(desk, tried)
    tried = sharing.recall(d[TABLE], slot, utilities, errors)
    for j in range(tried):
        utilities[j] += errors[j] / math.sqrt(d[INSTALMENTS]) * sharing.normal(d[RNG])
    return best_of(desk, tried)
