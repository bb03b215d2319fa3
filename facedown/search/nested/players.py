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
    ON_LINE,
    Model,
    begin_point,
    model_at,
    open_bag,
    point_at,
    position_at,
)
from facedown.belief.weighing import history_of
from facedown.core.jit import jit
from facedown.core.records import array, view
from facedown.core.stepping import copy_position, list_legal, open_moves
from facedown.core.streams import below, bits, mix
from facedown.search.nested import sharing
from facedown.search.nested.playing import play_out
from facedown.search.nested.state import HELD, ILLEGAL, bag_of, held, open_simulation

ROUNDING = 1e-9
LEAST = 2  # models that a nested player decides by


@jit
def open_values(sim: int) -> Any:
    """The value of every move in every model, `most_moves` for each model."""
    s = open_simulation(sim)
    nested = s["nested"]
    return array(nested["values"], nested["models"] * s["play"]["most_moves"], np.float64)


@jit
def begin_bags(sim: int) -> None:
    """Every nested bag at the start of the game, with streams from the simulation's."""
    s = open_simulation(sim)
    nested, play = s["nested"], s["play"]
    for p in range(play["players"]):
        bag = bag_of(sim, p)
        open_bag(bag)["target"] = 0
        for k in range(nested["models"]):
            model = model_at(bag, k)
            m = view(model, Model)
            m["rng"] = bits(play["rng"])
            m["depth"], m["matched"], m["used"] = 0, -1 if nested["known"] else 0, 0
            begin_point(point_at(model, 0), 0)


@jit
def reveal(sim: int) -> None:
    """Have the only model of everybody who has just seen something be the truth (`known`).

    Choices that are pending stay unknown: a model ends with the last that its player has seen.
    """
    s = open_simulation(sim)
    for p in range(s["play"]["players"]):
        bag = bag_of(sim, p)
        m, target = view(model_at(bag, 0), Model), open_bag(bag)["target"]
        if m["matched"] != target:
            copy_position(sim, m["positions"], s["task"]["truth"])
            m["matched"] = target


@jit
def follow(sim: int, player: int) -> int:
    """Have the models of a nested player agree with what it has seen; how many do, or HELD.

    Where a model has needed room (`waiting`) it goes on where it was, and those before it are done.
    """
    s, bag = open_simulation(sim), bag_of(sim, player)
    nested, progress, active = s["nested"], s["progress"], 0
    if nested["known"]:
        view(model_at(bag, 0), Model)["status"] = ON_LINE
        return 1
    waiting = progress["waiting"]
    waited = waiting - player * nested["models"] if waiting >= 0 else -1
    progress["waiting"] = -1
    for k in range(nested["active"]):
        m = view(model_at(bag, k), Model)
        if k != waited:
            m["spent"] = 0
        if k >= waited and step_out(sim, player, k):
            return HELD
        if m["status"] == ON_LINE:
            active += 1
    return active


@jit
def step_out(sim: int, player: int, k: int) -> bool:
    """Have a nested player's `k`-th model walk on; whether that could not be finished."""
    s, bag = open_simulation(sim), bag_of(sim, player)
    model = model_at(bag, k)
    m = view(model, Model)
    spent, joint = np.int64(m["spent"]), np.int64(m["joint"])
    status = walk.walk(bag, model)
    m["status"] = status
    s["counts"]["states"] += m["spent"] - spent
    s["counts"]["joint"] += m["joint"] - joint
    if status == CROWDED:
        s["progress"]["waiting"] = player * s["nested"]["models"] + k
    return status in (CROWDED, ALARMED) or held(sim)


@jit
def measure(sim: int, player: int) -> None:
    """Note history and likelihood of each of a nested player's models; 0 for a key off line."""
    nested, bag = open_simulation(sim)["nested"], bag_of(sim, player)
    active = nested["active"]
    keys = array(nested["histories"], active, np.uint64)
    chances = array(nested["chances"], active, np.float64)
    for k in range(active):
        model = model_at(bag, k)
        keys[k], chances[k] = np.uint64(0), -math.inf
        if view(model, Model)["status"] == ON_LINE:
            keys[k], chances[k], _ = history_of(model)


@jit
def try_move(sim: int, player: int, j: int) -> int:
    """The value of the `j`-th own move in each of a nested player's models (equation 12).

    Gives 1 where every game had the win, 0 where not, HELD where it did not come to an end.
    """
    s, bag, values = open_simulation(sim), bag_of(sim, player), open_values(sim)
    nested, task, progress = s["nested"], s["task"], s["progress"]
    most, samples, won = s["play"]["most_moves"], nested["samples"], 1
    move: Any = np.int64(array(nested["own"], most, np.int32)[j])
    for k in range(nested["active"]):
        model, total = model_at(bag, k), 0.0
        m = view(model, Model)
        if m["status"] != ON_LINE:
            continue
        source = position_at(bag, model, m["depth"])
        for _ in range(samples):
            plies = play_out(sim, source, player, move)
            if plies == HELD or held(sim):
                return HELD
            total += progress["value"] if plies != ILLEGAL else task["low"]
            if plies == ILLEGAL or progress["raw"] < task["win"]:
                won = 0
        values[k * most + j] = total / samples
    return won


@jit
def evaluate(sim: int, player: int, n: int) -> int:
    """Try the `n` own moves in every model; n, or HELD where it was not finished.

    Cut on win: after a move that won every game no further one is tried, and they are worth the
    lowest payoff.
    """
    s, values, won = open_simulation(sim), open_values(sim), 0
    nested, most, low = s["nested"], s["play"]["most_moves"], s["task"]["low"]
    for j in range(n):
        if won == 1 and nested["cuts"]:
            for k in range(nested["active"]):
                values[k * most + j] = low
            continue
        won = try_move(sim, player, j)
        if won == HELD:
            return HELD
    return n


@jit
def weigh(sim: int, n: int) -> None:
    """The utilities of the `n` own moves over all models (equation 13, weights by 5 to 8)."""
    s, values = open_simulation(sim), open_values(sim)
    nested, width = s["nested"], s["play"]["most_moves"]
    active = nested["active"]
    keys = array(nested["histories"], active, np.uint64)
    chances = array(nested["chances"], active, np.float64)
    utilities, most, total = array(nested["utilities"], n, np.float64), -math.inf, 0.0
    for k in range(active):
        most = max(most, chances[k])
    for j in range(n):
        utilities[j] = 0.0
    for k in range(active):
        if keys[k] == np.uint64(0):
            continue
        times = 0
        for other in range(active):
            if keys[other] == keys[k]:
                times += 1
        weight = math.exp(chances[k] - most) / (times if nested["distinct"] else 1)
        total += weight
        for j in range(n):
            utilities[j] += weight * values[k * width + j]
    for j in range(n):
        utilities[j] /= total


@jit
def best_of(sim: int, n: int) -> int:
    """The place of the highest of `n` utilities; ties are broken at random (equation 14).

    What only rounding tells apart is a tie: nobody should come to an agreement by it.
    """
    s = open_simulation(sim)
    utilities = array(s["nested"]["utilities"], n, np.float64)
    highest = utilities[0]
    for j in range(1, n):
        highest = max(highest, utilities[j])
    least, best, ties = highest - ROUNDING * max(1.0, abs(highest)), 0, 0
    for j in range(n):
        if utilities[j] >= least:
            ties += 1
            if below(s["play"]["rng"], ties) == 0:
                best = j
    return best


@jit
def consider(sim: int, player: int, n: int) -> int:
    """Have a nested player try its `n` moves: n, 0 where it has no model, or HELD."""
    active = follow(sim, player)
    if active <= 0:
        return active
    measure(sim, player)
    return evaluate(sim, player, n)


@jit
def list_own(sim: int) -> int:
    """List the moves of who acts in the simulated game, where random games leave them; how many."""
    s = open_simulation(sim)
    n = list_legal(sim, s["task"]["truth"])
    moves, own = open_moves(sim, n), array(s["nested"]["own"], n, np.int32)
    for j in range(n):
        own[j] = moves[j]
    return n


@jit
def think(sim: int, player: int) -> int:
    """The move that a nested player plays in the simulated game, or HELD.

    Its legal moves are taken from the truth: by the contract they are the same in all that the
    player may be in. Without a model that agrees with what it has seen it plays any of them.
    """
    s, n = open_simulation(sim), list_own(sim)
    nested = s["nested"]
    own, shares = array(nested["own"], s["play"]["most_moves"], np.int32), nested["table"] != 0
    if n <= 1:
        return np.int64(own[0]) if n else HELD  # type: ignore[return-value]
    tried = consult(sim, player, n) if shares else consider(sim, player, n)
    if tried == HELD:
        return HELD
    if tried > 0 and not shares:
        weigh(sim, n)
    j = best_of(sim, n) if tried > 0 else below(s["play"]["rng"], n)
    return np.int64(own[j])  # type: ignore[return-value]


@jit
def decision_key(sim: int, player: int, n: int) -> Any:
    """The key of a decision: what its player has seen, and what it may play."""
    s = open_simulation(sim)
    nested = s["nested"]
    key = mix(array(nested["keys"], s["play"]["players"], np.uint64)[player], np.uint64(player + 1))
    own = array(nested["own"], n, np.int32)
    for j in range(n):
        key = mix(key, np.uint64(own[j] + 1))
    return key


@jit
def consult(sim: int, player: int, n: int) -> int:
    """Have the utilities by what nested players share; as `consider` says.

    A nested player knows what it has seen and what it may play, and no more, so what it found there
    serves every simulation in which both are the same: a rule file may allow other moves after the
    same observations, and values are kept by the places of the moves. It tries its moves in some
    models, for about `trials` random games, and adds these to those that are kept (`sharing`),
    until there are as many as the table keeps. After that the utilities are those of a bag that is
    drawn from what is kept, so that its play is as various as if everybody had their own bag.
    """
    s, key = open_simulation(sim), decision_key(sim, player, n)
    nested = s["nested"]
    table = nested["table"]
    slot = sharing.find(table, key)
    if sharing.due(table, slot):
        wanted = max(LEAST, nested["trials"] // (n * nested["samples"]))
        nested["active"] = min(nested["models"], wanted)
        tried = consider(sim, player, n)
        if tried <= 0:
            return tried
        if not sharing.keep(table, slot, key, n):
            weigh(sim, n)
            return n
        for k in range(nested["active"]):
            put_row(sim, slot, k)
    sharing.judge(table, slot, s["play"]["rng"], nested["utilities"], nested["distinct"] != 0)
    return n


@jit
def put_row(sim: int, slot: int, k: int) -> None:
    """Add the `k`-th model and its values to those that are shared, unless it is off line."""
    s = open_simulation(sim)
    nested, most = s["nested"], s["play"]["most_moves"]
    key = array(nested["histories"], k + 1, np.uint64)[k]
    chance = array(nested["chances"], k + 1, np.float64)[k]
    if key != np.uint64(0):
        sharing.add(nested["table"], slot, key, chance, nested["values"] + 8 * k * most)
