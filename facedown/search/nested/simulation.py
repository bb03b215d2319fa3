"""Imperfect-information simulations in compiled code (Schofield and Thielscher 2019, section 6).

A simulation takes a model of the searcher's bag for the truth and plays the game from its start:
the model's moves first, then a candidate move of the searcher's, then everybody's, where each is
a nested player (`players`). What the searcher gets at the end is the utility of equation 20.
A simulation is a function of its random stream and changes nothing that lasts but counters and,
where nested players share what they found, the table of that.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from facedown.belief.walk import open_bag
from facedown.core.constants import CHANCE, OVER
from facedown.core.jit import jit, kernel
from facedown.core.records import array
from facedown.core.rules import call_apply, call_payoff, call_sees, call_turn
from facedown.core.stepping import (
    NO_END,
    alarmed,
    copy_position,
    draw_chance,
    open_payoffs,
    sound,
)
from facedown.core.streams import mix
from facedown.search.nested.players import begin_bags, reveal, think
from facedown.search.nested.playing import discounted, is_legal
from facedown.search.nested.state import HELD, ILLEGAL, bag_of, held, open_simulation

DONE, STOPPED, NEEDS_ROOM, FAILED = range(4)
"""How a simulation ended: with a value; by request; it wants more room to go on; by an alarm."""


@jit
def show(sim: int, move: int) -> None:
    """Tell every nested player what it sees of a move in the simulated game."""
    s = open_simulation(sim)
    play, truth = s["play"], s["task"]["truth"]
    keys = array(s["nested"]["keys"], play["players"], np.uint64)
    turn, others = call_turn(sim, play["ctx"], truth), 0
    for p in range(play["players"]):
        token = np.uint64(call_sees(sim, play["ctx"], truth, move, p))
        if token != np.uint64(0):
            b = open_bag(bag_of(sim, p))
            array(b["observed"], play["most_plies"] + 1, np.uint64)[b["target"]] = token
            b["target"] += 1
            keys[p] = mix(keys[p], token)
            others += p != turn
    s["counts"]["joint"] += others > 0


@jit
def happen(sim: int, move: int) -> None:
    """Play a move in the simulated game; everybody sees what is theirs to see."""
    s = open_simulation(sim)
    show(sim, move)
    call_apply(sim, s["play"]["ctx"], s["task"]["truth"], move)
    s["counts"]["states"] += 1
    if s["nested"]["known"]:
        reveal(sim)


@jit
def replay(sim: int) -> None:
    """Play the model from the start of the game to where the searcher may be (Definition 8)."""
    s = open_simulation(sim)
    task, players = s["task"], s["play"]["players"]
    copy_position(sim, task["truth"], task["start"])
    keys = array(s["nested"]["keys"], players, np.uint64)
    for p in range(players):
        keys[p] = np.uint64(1)
    begin_bags(sim)
    if s["nested"]["known"]:
        reveal(sim)
    path = array(task["path"], task["length"], np.int32)
    for ply in range(task["length"]):
        move: Any = np.int64(path[ply])
        happen(sim, move)


@jit
def next_move(sim: int, turn: int, first: bool) -> int:
    """The move of whoever acts in the simulated game: ILLEGAL, or HELD, where there is none."""
    s = open_simulation(sim)
    task = s["task"]
    if turn == CHANCE:
        return draw_chance(sim, task["truth"], s["play"]["rng"])
    if first and turn == task["me"]:
        return task["candidate"] if is_legal(sim, task["truth"], task["candidate"]) else ILLEGAL
    return think(sim, turn)


@jit
def settle(sim: int, over: bool) -> int:
    """Note what the searcher got: its payoff, or the lowest where the game was not played out."""
    s = open_simulation(sim)
    task, play, progress = s["task"], s["play"], s["progress"]
    progress["raw"] = progress["value"] = task["low"]
    if over:
        call_payoff(sim, play["ctx"], task["truth"], play["payoffs"])
        progress["raw"] = open_payoffs(sim)[task["me"]]
        progress["value"] = discounted(sim, progress["raw"], progress["depth"])
    return DONE


@jit
def begin(sim: int) -> None:
    """A simulation from its start; one that waits for room is where it was."""
    s = open_simulation(sim)
    progress = s["progress"]
    if progress["waiting"] < 0:
        progress["depth"] = 0
        replay(sim)
        progress["ply"], progress["first"] = s["task"]["length"], 1


@kernel(types.int64(types.intp), "search/nested", loop=True)
def simulate(sim: int) -> int:
    """One simulation, through the model and the candidate move to the end; how it ended.

    Its `value` is the searcher's payoff, discounted for every decision after the candidate, `raw`
    the payoff, `depth` those decisions. Where the candidate is not legal it is worth nothing, the
    lowest payoff (equation 21); so is a game that takes more than `deepest` of them (pruning on
    depth). Where it waited for room it goes on with the same decision: nothing is drawn between
    there and the walk that needed it.
    """
    s = open_simulation(sim)
    play, task, progress = s["play"], s["task"], s["progress"]
    begin(sim)
    while not held(sim):
        first, turn = progress["first"] != 0, call_turn(sim, play["ctx"], task["truth"])
        deep = not first and turn != CHANCE and progress["depth"] >= task["deepest"]
        if turn == OVER or deep:
            return settle(sim, turn == OVER)
        if progress["ply"] >= play["most_plies"]:
            sound(sim, NO_END)
            break
        move: Any = np.int64(next_move(sim, turn, first))
        if held(sim) or move == HELD:
            break
        if move == ILLEGAL:
            return settle(sim, False)
        if not first and turn != CHANCE:
            progress["depth"] += 1
        if turn == task["me"]:
            progress["first"] = 0
        happen(sim, move)
        progress["ply"] += 1
    if alarmed(sim):
        return FAILED
    return NEEDS_ROOM if progress["waiting"] >= 0 and not held(sim) else STOPPED
