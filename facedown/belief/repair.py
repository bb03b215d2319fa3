"""Repairing models in place: what contradicts an observation is swapped, and the rest replayed.

A walk backtracks in the order of time, so a token that speaks of a deal of long ago (a card played
from a hand that was dealt hidden) has it try all that lies between first. A repair keeps the last
history that gave all observations up to some time. It puts another move into one of its places,
where the viewer would have seen the same, and replays the rest: each move as it was where that is
legal and agrees with what was seen, else the one that was displaced, else any that agrees, and
another where that one does not do. What gives as many observations as before, or more, is kept: so
the histories kept are a Markov chain among those that agree so far, which goes on until one of them
gives the next observation too.

Moves are proposed by their chances, or taken from a model that has come further (crossover). Now
and then a repair begins with nothing, so that every history that agrees can be found. Half of the
proposals go by which moves came nearer to the token that is wanted (`belief/telling.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from facedown.belief.telling import learn, take_telling
from facedown.belief.walk import (
    ALARMED,
    CROWDED,
    OFF_LINE,
    ON_LINE,
    UNLISTED,
    Model,
    crowded,
    list_moves,
    model_at,
    open_bag,
    open_settled,
    played_at,
    point_at,
    take_move,
    take_nth,
    try_move,
)
from facedown.core.jit import jit, kernel
from facedown.core.records import array, view
from facedown.core.stepping import alarmed
from facedown.core.streams import below

NOTHING = -1
AFRESH = 16  # one repair of so many begins at the start of the game, with nothing kept
JUMPS = 64  # times that a repair may go back to a choice of its own
PLAIN, SINGLE, MIXED, WHOLE = range(4)
"""What a repair takes from another model: nothing, the first move it changes, any move with even
odds, all from there on."""


@jit
def open_kept(model: int) -> Any:
    """The moves that a model keeps."""
    m = view(model, Model)
    return array(m["kept"], m["deepest"], np.int32)


@jit
def keep(bag: int, model: int) -> None:
    """Have repairs begin with a model's path."""
    b, m = open_bag(bag), view(model, Model)
    kept, settled = open_kept(model), open_settled(model)
    changed = False
    for depth in range(m["depth"]):
        point, move = point_at(model, depth), played_at(model, depth)
        changed = changed or kept[depth] != move or depth >= m["kept_depth"]
        kept[depth] = move
        if changed:
            settled[depth] = 0
        if point["turn"] == b["viewer"] or point["n"] == 1:
            settled[depth] = 1
    m["kept_depth"], m["kept_matched"], m["same"] = m["depth"], m["matched"], m["depth"]


@jit
def agree(model: int) -> None:
    """Note how far a model's path and what it keeps are the same."""
    m, kept = view(model, Model), open_kept(model)
    same = 0
    while same < min(m["depth"], m["kept_depth"]) and played_at(model, same) == kept[same]:
        same += 1
    m["same"] = same


@jit
def reopen(model: int, depth: int) -> None:
    """Go back to a depth of the path, where nothing counts as tried."""
    m, point = view(model, Model), point_at(model, depth)
    if point["n"] != UNLISTED:
        m["used"] = point["first"] + point["n"]
    m["depth"], m["matched"] = depth, point["matched"]
    point["tried"], point["scouted"] = 0, 0


@jit
def find(model: int, move: int) -> int:
    """Where a move is among those not tried at the end of a model's path; NOTHING: nowhere."""
    m = view(model, Model)
    point = point_at(model, m["depth"])
    listed = array(m["moves"], m["room"], np.int32)
    for j in range(point["n"] - point["tried"]):
        if listed[point["first"] + point["tried"] + j] == move:
            return j
    return NOTHING


@jit
def try_this(bag: int, model: int, move: int) -> bool:
    """Play a move at the end of a model's path, if it is legal there and agrees."""
    j = find(model, move) if move != NOTHING else NOTHING
    return j != NOTHING and try_move(bag, model, take_nth(model, j))


@jit
def advance(bag: int, model: int, first: int, second: int) -> int:
    """Play a move at the end of a path: `first` or `second` where they agree, else any that does.

    ON_LINE where one did, OFF_LINE where none does.
    """
    point = point_at(model, view(model, Model)["depth"])
    if point["n"] == UNLISTED:
        if crowded(bag, model):
            return CROWDED
        list_moves(bag, model)
    done = try_this(bag, model, first) or try_this(bag, model, second)
    while not done and point["tried"] < point["n"] and not alarmed(bag):
        done = try_move(bag, model, take_move(model, 0))
    if alarmed(bag):
        return ALARMED
    return ON_LINE if done else OFF_LINE


@jit
def find_donor(bag: int, model: int) -> int:
    """A model that has come further; 0 where none is found in a few tries."""
    b = open_bag(bag)
    for _ in range(4):
        other = model_at(bag, below(model, b["size"]))
        if view(other, Model)["kept_matched"] > view(model, Model)["kept_matched"]:
            return other
    return 0


@jit
def given(donor: int, depth: int) -> int:
    """The move that a donor has at a depth; NOTHING where there is none."""
    if donor == 0 or depth >= view(donor, Model)["kept_depth"]:
        return NOTHING
    return np.int64(open_kept(donor)[depth])  # type: ignore[return-value]


@jit
def choose_place(model: int, donor: int) -> int:
    """Any place of the history kept that is not settled, and that a donor has otherwise."""
    m, kept, settled = view(model, Model), open_kept(model), open_settled(model)
    found, n = NOTHING, 0
    for depth in range(m["kept_depth"]):
        differs = donor == 0 or given(donor, depth) not in (NOTHING, np.int64(kept[depth]))
        if settled[depth] == 0 and differs:
            n += 1
            if below(model, n) == 0:
                found = depth
    return found


@jit
def put_another(bag: int, model: int, wished: int) -> int:
    """Put a move into the place of the one kept at the end of a path; as `advance` says."""
    m = view(model, Model)
    depth, point = m["depth"], point_at(model, m["depth"])
    if point["n"] == UNLISTED:
        if crowded(bag, model):
            return CROWDED
        list_moves(bag, model)
    spare_last(model, max(find(model, open_kept(model)[depth]), 0))
    done, telling = try_this(bag, model, wished), open_bag(bag)["graded"] and below(model, 2)
    while not done and point["tried"] < point["n"] - 1 and not alarmed(bag):
        move = take_telling(bag, model) if telling else take_move(model, 1)
        done = try_move(bag, model, move)
    if alarmed(bag):
        return ALARMED
    if not done:
        open_settled(model)[depth] = 1
    return ON_LINE if done else OFF_LINE


@jit
def spare_last(model: int, j: int) -> None:
    """Put the `j`-th of the moves not tried at the end of a path last."""
    m = view(model, Model)
    point = point_at(model, m["depth"])
    moves = array(m["moves"], m["room"], np.int32)
    chances = array(m["chances"], m["room"], np.float64)
    here, last = point["first"] + point["tried"] + j, point["first"] + point["n"] - 1
    move, chance = moves[here], chances[here]
    moves[here], chances[here] = moves[last], chances[last]
    moves[last], chances[last] = move, chance


@jit
def replay(bag: int, model: int, displaced: int, donor: int, way: int) -> int:
    """Go on with what is kept, as far as it agrees, and beyond it; as `walk` says."""
    b, m, kept = open_bag(bag), view(model, Model), open_kept(model)
    while m["matched"] < b["target"] and m["spent"] < b["limit"]:
        depth = m["depth"]
        is_kept = depth < m["kept_depth"] and displaced != NOTHING
        own: Any = np.int64(kept[depth]) if is_kept else NOTHING
        first, second = own, displaced
        if way == WHOLE or (way == MIXED and below(model, 2) == 0):
            first, second = given(donor, depth), own
        status = advance(bag, model, first, second)
        if status != ON_LINE:
            return status
        point_at(model, depth)["free"] = played_at(model, depth) != own
        if own not in (NOTHING, played_at(model, depth)):
            displaced = own
    return ON_LINE if m["matched"] >= b["target"] else OFF_LINE


@jit
def jump_back(model: int, place: int) -> bool:
    """Go back to the last move after a place that a repair chose itself; whether there is one."""
    m = view(model, Model)
    for depth in range(m["depth"] - 1, place, -1):
        point = point_at(model, depth)
        if point["free"] and point["tried"] < point["n"]:
            m["used"], m["depth"] = point["first"] + point["n"], depth
            m["matched"] = point["matched"]
            return True
    return False


@jit
def return_to(bag: int, model: int, depth: int) -> int:
    """Have a model's path be what is kept, up to a depth; as `advance` says."""
    m = view(model, Model)
    reopen(model, min(depth, m["same"]))
    while m["depth"] < depth:
        status = advance(bag, model, open_kept(model)[m["depth"]], NOTHING)
        if status != ON_LINE:
            return status
    m["same"] = depth
    return ON_LINE


@jit
def choose_way(model: int) -> int:
    """What to take from a donor: one move most of the time, so that models stay different."""
    odds = below(model, 16)
    return PLAIN if odds < 4 else SINGLE if odds < 14 else MIXED if odds < 15 else WHOLE


@jit
def attempt(bag: int, model: int) -> int:
    """One repair; as `walk` says."""
    displaced: Any = NOTHING
    m = view(model, Model)
    donor = find_donor(bag, model)
    place = choose_place(model, donor)
    if place == NOTHING and donor != 0:
        donor, place = 0, choose_place(model, 0)
    way = choose_way(model) if donor != 0 else PLAIN
    if place == NOTHING or below(model, AFRESH) == 0:
        way, place = PLAIN, 0
        reopen(model, 0)
        m["same"] = 0
    else:
        displaced = np.int64(open_kept(model)[place])
        status = return_to(bag, model, place)
        if status == ON_LINE:
            status = put_another(bag, model, given(donor, place) if way != PLAIN else NOTHING)
        if status != ON_LINE:
            return status
    status, jumps = replay(bag, model, displaced, donor, way), 0
    while status == OFF_LINE and m["matched"] < m["kept_matched"] and jumps < JUMPS:
        if m["spent"] >= open_bag(bag)["limit"] or not jump_back(model, place):
            break
        status, jumps = replay(bag, model, displaced, donor, way), jumps + 1
    if status in (CROWDED, ALARMED):
        return status
    if m["matched"] >= m["kept_matched"]:
        if status == OFF_LINE and open_bag(bag)["graded"] and m["spent"] < open_bag(bag)["limit"]:
            learn(bag, model)
        keep(bag, model)
    return status


@jit
def repair(bag: int, model: int) -> int:
    """Repair a model until all observations have come, or it has tried enough; as `walk` says."""
    b, m = open_bag(bag), view(model, Model)
    agree(model)
    while m["spent"] < b["limit"]:
        m["spent"] += 1  # so that it ends where there is nothing to try
        status = attempt(bag, model)
        if status != OFF_LINE:
            return status
    return OFF_LINE


@kernel(types.void(types.intp), "belief")
def keep_all(bag: int) -> None:
    """Have repairs of the models on line begin with what they are now."""
    for k in range(open_bag(bag)["size"]):
        model = model_at(bag, k)
        if view(model, Model)["status"] == ON_LINE:
            keep(bag, model)


@kernel(types.int64(types.intp), "belief")
def mend(bag: int) -> int:
    """Repair the models that are not on line; the first that needs help, or how many there are."""
    b = open_bag(bag)
    for k in range(b["size"]):
        model = model_at(bag, k)
        m = view(model, Model)
        if m["status"] == ON_LINE:
            continue
        m["status"] = ALARMED  # where a repair is broken off it stays so
        status = repair(bag, model)
        m["status"] = status
        if status in (CROWDED, ALARMED):
            return k
    return b["size"]  # type: ignore[no-any-return]
