"""Nested players in compiled code: HyperPlayers inside of a simulated game.

A nested player has a bag of models that agree with what it has seen of that game and with nothing
else, and plays what random games from them say is best (Schofield and Thielscher 2019, equations 12
to 14).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from facedown.belief import walk
from facedown.belief.walk import (
    ALARMED,
    CROWDED,
    MODEL_BYTES,
    MODELS,
    MOST_MOVES,
    ON_LINE,
    TARGET,
    UNLISTED,
    Model,
    copy_position,
    history_of,
    step_at,
)
from facedown.belief.walk import HOW_MANY as NESTED
from facedown.core.jit import jit
from facedown.core.records import array, view
from facedown.core.streams import below, bits, mix
from facedown.search.nested import sharing
from facedown.search.nested.nested_desk import (
    ACTIVE,
    CUTS,
    DISTINCT,
    HELD,
    ILLEGAL,
    JOINT,
    KEYS,
    KNOWN,
    LOW,
    OWN,
    PLACE,
    PLAYERS,
    RAW,
    REALS,
    RNG,
    SAMPLES,
    STATES,
    TABLE,
    TRIALS,
    TRUTH,
    UTILITIES,
    VALUE,
    VALUES,
    WEIGHTS,
    WIN,
    bag_of,
    held,
    list_legal,
    open_desk,
    play_out,
)

ROUNDING = 1e-9
LEAST = 2  # models that a nested player decides by


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
            m["depth"], m["matched"], m["used"] = 0, -1 if d[KNOWN] else 0, 0
            step = step_at(model, 0)
            step["n"], step["tried"], step["matched"], step["scouted"] = UNLISTED, 0, 0, 0


@jit
def reveal(desk: int) -> None:
    """Have the only model of everybody who has just seen something be the truth (KNOWN).

    Choices that are pending stay unknown: a model ends with the last that its player has seen.
    """
    d = open_desk(desk)
    for p in range(d[PLAYERS]):
        b = walk.open_desk(bag_of(desk, p))
        m = view(b[MODELS], Model)
        if m["matched"] != b[TARGET]:
            copy_position(desk, m["positions"], d[TRUTH])
            m["matched"] = b[TARGET]


@jit
def follow(desk: int, player: int) -> int:
    """Have the models of a nested player agree with what it has seen; how many do, or HELD.

    Where a model has needed room (PLACE), it goes on where it was, and those before it are done.
    """
    d, bag = open_desk(desk), bag_of(desk, player)
    b, active = walk.open_desk(bag), 0
    if d[KNOWN]:
        view(b[MODELS], Model)["status"] = ON_LINE
        return 1
    waited = d[PLACE] - player * d[NESTED] if d[PLACE] >= 0 else -1
    d[PLACE] = -1
    for k in range(d[ACTIVE]):
        m = view(b[MODELS] + k * MODEL_BYTES, Model)
        if k != waited:
            m["spent"] = 0
        if k >= waited and step_out(desk, player, k):
            return HELD
        if m["status"] == ON_LINE:
            active += 1
    return active


@jit
def step_out(desk: int, player: int, k: int) -> bool:
    """Have a nested player's `k`-th model walk on; whether that could not be finished."""
    d, bag = open_desk(desk), bag_of(desk, player)
    model = walk.open_desk(bag)[MODELS] + k * MODEL_BYTES
    m = view(model, Model)
    spent, joint = np.int64(m["spent"]), np.int64(m["joint"])
    status = walk.walk(bag, model)
    m["status"] = status
    d[STATES] += m["spent"] - spent
    d[JOINT] += m["joint"] - joint
    if status == CROWDED:
        d[PLACE] = player * d[NESTED] + k
    return status in (CROWDED, ALARMED) or held(desk)


@jit
def measure(desk: int, player: int) -> None:
    """Note history and likelihood of each of a nested player's models; 0 for a key off line."""
    d, b = open_desk(desk), walk.open_desk(bag_of(desk, player))
    keys = array(d[WEIGHTS], d[ACTIVE], np.uint64)
    chances = array(d[WEIGHTS] + 8 * d[ACTIVE], d[ACTIVE], np.float64)
    for k in range(d[ACTIVE]):
        model = b[MODELS] + k * MODEL_BYTES
        keys[k], chances[k] = np.uint64(0), -math.inf
        if view(model, Model)["status"] == ON_LINE:
            keys[k], chances[k], _ = history_of(model)


@jit
def try_move(desk: int, player: int, j: int) -> int:
    """The value of the `j`-th own move in each of a nested player's models (equation 12).

    Gives 1 where every game had the win, 0 where not, HELD where it did not come to an end.
    """
    d, b = open_desk(desk), walk.open_desk(bag_of(desk, player))
    reals, most = array(d[REALS], 5, np.float64), d[MOST_MOVES]
    values = array(d[VALUES], d[ACTIVE] * most, np.float64)
    move: Any = np.int64(array(d[OWN], most, np.int32)[j])
    won = 1
    for k in range(d[ACTIVE]):
        m, total = view(b[MODELS] + k * MODEL_BYTES, Model), 0.0
        if m["status"] != ON_LINE:
            continue
        source = m["positions"] + m["depth"] * b[walk.STRIDE]
        for _ in range(d[SAMPLES]):
            plies = play_out(desk, source, player, move)
            if plies == HELD or held(desk):
                return HELD
            total += reals[VALUE] if plies != ILLEGAL else reals[LOW]
            if plies == ILLEGAL or reals[RAW] < reals[WIN]:
                won = 0
        values[k * most + j] = total / d[SAMPLES]
    return won


@jit
def evaluate(desk: int, player: int, n: int) -> int:
    """Try the `n` own moves in every model; n, or HELD where it was not finished.

    Cut on win: after a move that won every game no further one is tried, and they are worth the
    lowest payoff.
    """
    d, won = open_desk(desk), 0
    most, low = d[MOST_MOVES], array(d[REALS], 5, np.float64)[LOW]
    values = array(d[VALUES], d[ACTIVE] * most, np.float64)
    for j in range(n):
        if won == 1 and d[CUTS]:
            for k in range(d[ACTIVE]):
                values[k * most + j] = low
            continue
        won = try_move(desk, player, j)
        if won == HELD:
            return HELD
    return n


@jit
def weigh(desk: int, n: int) -> None:
    """The utilities of the `n` own moves over all models (equation 13, weights by 5 to 8)."""
    d = open_desk(desk)
    keys = array(d[WEIGHTS], d[ACTIVE], np.uint64)
    chances = array(d[WEIGHTS] + 8 * d[ACTIVE], d[ACTIVE], np.float64)
    values = array(d[VALUES], d[ACTIVE] * d[MOST_MOVES], np.float64)
    utilities, most, total = array(d[UTILITIES], n, np.float64), -math.inf, 0.0
    for k in range(d[ACTIVE]):
        most = max(most, chances[k])
    for j in range(n):
        utilities[j] = 0.0
    for k in range(d[ACTIVE]):
        if keys[k] == np.uint64(0):
            continue
        times = 0
        for other in range(d[ACTIVE]):
            if keys[other] == keys[k]:
                times += 1
        weight = math.exp(chances[k] - most) / (times if d[DISTINCT] else 1)
        total += weight
        for j in range(n):
            utilities[j] += weight * values[k * d[MOST_MOVES] + j]
    for j in range(n):
        utilities[j] /= total


@jit
def best_of(desk: int, n: int) -> int:
    """The place of the highest of `n` utilities; ties are broken at random (equation 14).

    What only rounding tells apart is a tie: nobody should come to an agreement by it.
    """
    d = open_desk(desk)
    utilities = array(d[UTILITIES], n, np.float64)
    highest = utilities[0]
    for j in range(1, n):
        highest = max(highest, utilities[j])
    least, best, ties = highest - ROUNDING * max(1.0, abs(highest)), 0, 0
    for j in range(n):
        if utilities[j] >= least:
            ties += 1
            if below(d[RNG], ties) == 0:
                best = j
    return best


@jit
def consider(desk: int, player: int, n: int) -> int:
    """Have a nested player try its `n` moves: n, 0 where it has no model, or HELD."""
    active = follow(desk, player)
    if active <= 0:
        return active
    measure(desk, player)
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
    tried = consult(desk, player, n) if d[TABLE] != 0 else consider(desk, player, n)
    if tried == HELD:
        return HELD
    if tried > 0 and d[TABLE] == 0:
        weigh(desk, n)
    j = best_of(desk, n) if tried > 0 else below(d[RNG], n)
    return np.int64(own[j])  # type: ignore[return-value]


@jit
def consult(desk: int, player: int, n: int) -> int:
    """Have the utilities by what nested players share; as `consider` says.

    A nested player knows what it has seen and what it may play, and no more, so what it found there
    serves every simulation in which both are the same: a rule file may allow other moves after the
    same observations, and values are kept by the places of the moves. It tries its moves in some
    models, for about TRIALS random games, and adds these to those that are kept (`sharing`), until
    there are as many as the table keeps. After that the utilities are those of a bag that is drawn
    from what is kept, so that its play is as various as if everybody had their own bag.
    """
    d = open_desk(desk)
    key = mix(array(d[KEYS], d[PLAYERS], np.uint64)[player], np.uint64(player + 1))
    own = array(d[OWN], n, np.int32)
    for j in range(n):
        key = mix(key, np.uint64(own[j] + 1))
    slot = sharing.find(d[TABLE], key)
    if sharing.due(d[TABLE], slot):
        d[ACTIVE] = min(d[NESTED], max(LEAST, d[TRIALS] // (n * d[SAMPLES])))
        tried = consider(desk, player, n)
        if tried <= 0:
            return tried
        if not sharing.keep(d[TABLE], slot, key, n):
            weigh(desk, n)
            return n
        sharing.add(d[TABLE], slot, d[WEIGHTS], d[VALUES], d[ACTIVE], d[MOST_MOVES])
    sharing.judge(d[TABLE], slot, d[RNG], d[UTILITIES], d[DISTINCT] != 0)
    return n
