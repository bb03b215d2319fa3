"""What a history weighs: how likely it is, and how likely a walk comes to it.

The second takes to know which of the moves that were not played could have been (`scout`).
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
from numba import types

from facedown.belief.walk import (
    ALARMED,
    CROWDED,
    LOST,
    OFF_LINE,
    ON_LINE,
    Model,
    model_at,
    open_bag,
    point_at,
    position_at,
    walk,
)
from facedown.core.jit import jit, kernel
from facedown.core.records import array, view
from facedown.core.stepping import copy_position
from facedown.core.streams import mix

Measure = np.dtype([("key", np.uint64), ("chance", np.float64), ("drawn", np.float64)])
"""A model's history as a key, and two logarithms: how likely it is, and how likely a walk finds it.
"""

MEASURE_BYTES = Measure.itemsize
SCOUTED = 256  # moves that a scout tries before it is believed that there is a way

Weighing = Literal["even", "choices", "distinct", "inclusion"]
Reals = np.ndarray[Any, np.dtype[np.float64]]


@jit
def send_scout(bag: int, model: int, depth: int, move: int) -> int:
    """See whether a move at a point of a model leads to the next observation; as `walk` says.

    A thorough one goes on to the last.
    """
    b = open_bag(bag)
    scout = model_at(bag, b["size"])
    s, point, matched = view(scout, Model), point_at(scout, 0), point_at(model, depth)["matched"]
    copy_position(bag, s["positions"], position_at(bag, model, depth))
    s["depth"], s["matched"], s["used"], s["spent"] = 0, matched, 1, 0
    point["first"], point["n"], point["tried"], point["matched"] = 0, 1, 0, matched
    array(s["moves"], 1, np.int32)[0] = move
    array(s["chances"], 1, np.float64)[0] = 1.0
    target, limit = b["target"], b["limit"]
    if b["thorough"]:
        b["limit"] = b["thorough"]
    else:
        b["target"], b["limit"] = matched + 1, SCOUTED
    status = walk(bag, scout)
    b["target"], b["limit"] = target, limit
    if status == OFF_LINE:
        b["guessed"] += 1
    return status


@jit
def scout_point(bag: int, model: int, depth: int) -> int:
    """Put moves of a point that do not lead to the observation sought with the bad ones."""
    m, point = view(model, Model), point_at(model, depth)
    moves = array(m["moves"], m["room"], np.int32)
    chances = array(m["chances"], m["room"], np.float64)
    for j in range(point["first"] + point["tried"], point["first"] + point["n"]):
        other: Any = np.int64(moves[j])
        status = send_scout(bag, model, depth, other)
        if status in (CROWDED, ALARMED):
            return status
        if status == LOST:  # before the move played; the first that is not tried takes its place
            move, chance, played = moves[j], chances[j], point["first"] + point["tried"] - 1
            moves[j], chances[j] = moves[played + 1], chances[played + 1]
            moves[played + 1], chances[played + 1] = moves[played], chances[played]
            moves[played], chances[played] = move, chance
            point["tried"] += 1
    point["scouted"] = open_bag(bag)["target"] + 1
    return ON_LINE


@kernel(types.int64(types.intp), "belief")
def scout(bag: int) -> int:
    """Scout every point of the models on line, once; how it ended. Again where it was CROWDED.

    It goes no further when the scout has tried as many moves as `scouting` says. A thorough one
    comes again when more was observed.
    """
    b = open_bag(bag)
    sent = view(model_at(bag, b["size"]), Model)
    for k in range(b["size"]):
        model = model_at(bag, k)
        m = view(model, Model)
        if m["status"] != ON_LINE:
            continue
        for depth in range(m["depth"]):
            known = point_at(model, depth)["scouted"]
            if known == 0 or (b["thorough"] and known <= b["target"]):
                if sent["tried"] >= b["scouting"]:
                    b["guessed"] += 1
                    return ON_LINE
                status = scout_point(bag, model, depth)
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
        point = point_at(model, depth)
        played, bad = point["first"] + point["tried"] - 1, 0.0
        for j in range(point["first"], played):
            bad += chances[j]
        own = math.log(chances[played])
        key = mix(key, np.int64(moves[played]) + 1)
        chance += own
        drawn += own - math.log(max(1.0 - bad, chances[played]))
    return key, chance, drawn


@kernel(types.void(types.intp, types.intp), "belief")
def measure(bag: int, out: int) -> None:
    """Fill in the Measure of every model.

    `chance` is equation 6 without what the viewer did itself. A walk tries moves by their chances
    until one is good, so that it plays a good one in proportion to its chance among the good ones;
    `drawn` takes all that are not known to be bad for good.
    """
    for k in range(open_bag(bag)["size"]):
        found = view(out + k * MEASURE_BYTES, Measure)
        key, chance, drawn = history_of(model_at(bag, k))
        found["key"], found["chance"], found["drawn"] = key, chance, drawn


def shares_of(found: Any, weigh: Weighing) -> Reals:
    """The shares of models by their Measures; they sum to 1 (equations 7 and 8)."""
    weights = np.zeros(len(found)) if weigh == "even" else found["chance"].copy()
    keys, where, times = np.unique(found["key"], return_inverse=True, return_counts=True)
    if weigh in ("distinct", "inclusion"):
        weights -= np.log(times[where])
    if weigh == "inclusion":
        drawn = np.full(len(keys), -np.inf)
        np.maximum.at(drawn, where, found["drawn"])  # the model that knows most has it best
        weights -= np.array([_log_held(log, len(found)) for log in drawn.tolist()])[where]
    odds = np.exp(weights - weights.max(initial=-np.inf))
    shares: Reals = odds / max(odds.sum(), 1.0)
    return shares


def _log_held(drawn: float, models: int) -> float:
    """The logarithm of the probability that one of so many walks finds a history.

    1 - (1 - q)^n, where log q = `drawn`.

    >>> round(math.exp(_log_held(math.log(0.5), 2)), 6)
    0.75
    """
    if drawn >= 0.0:
        return 0.0
    if drawn < -30.0:
        return min(0.0, drawn + math.log(models))
    return math.log(-math.expm1(models * math.log1p(-math.exp(drawn))))
