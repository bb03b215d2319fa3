"""Random games of nested players, in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import rollout
from facedown.core.constants import CHANCE, OVER
from facedown.core.jit import jit
from facedown.core.rules import call_apply, call_payoff, call_rollout, call_sees, call_turn
from facedown.core.stepping import (
    NO_END,
    STUCK,
    any_move,
    copy_position,
    draw_chance,
    list_legal,
    open_moves,
    open_payoffs,
    sound,
)
from facedown.search.nested.state import HELD, ILLEGAL, held, open_simulation


@jit
def is_legal(sim: int, position: int, move: int) -> bool:
    """Whether whoever acts may play `move`."""
    n = list_legal(sim, position)
    moves, j = open_moves(sim, n), 0
    while j < n and moves[j] != move:
        j += 1
    return j < n


@jit
def is_joint(sim: int, turn: int, move: int) -> bool:
    """Whether a move shows anything to somebody else: in GDL it completes a joint move."""
    play = open_simulation(sim)["play"]
    for p in range(play["players"]):
        token = np.uint64(call_sees(sim, play["ctx"], play["world"], move, p))
        if p != turn and token != np.uint64(0):
            return True
    return False


@jit
def make_move(sim: int, turn: int, move: int) -> None:
    """Play a move in a random game."""
    s = open_simulation(sim)
    play, counts = s["play"], s["counts"]
    if turn != CHANCE:
        play["decided"] += 1
    if counts["all_joint"] and is_joint(sim, turn, move):
        counts["joint"] += 1
    call_apply(sim, play["ctx"], play["world"], move)


@jit
def play_until(sim: int, player: int) -> int:
    """Play at random until `player` acts or the game is over; plies. With OVER: to the end."""
    play, ply = open_simulation(sim)["play"], 0
    world, rng = play["world"], play["rng"]
    while True:
        turn = call_turn(sim, play["ctx"], world)
        if turn in (player, OVER):
            return ply
        if ply >= play["most_plies"]:
            sound(sim, NO_END)
            return HELD
        move: Any = np.int64(0)
        if turn == CHANCE:
            move = np.int64(draw_chance(sim, world, rng))
        else:
            move = np.int64(any_move(sim, world, rng))
        if held(sim):
            return HELD
        make_move(sim, turn, move)
        ply += 1


@jit
def play_on(sim: int) -> int:
    """Play at random to the end, by the game's rollout where it has one; plies after this."""
    s = open_simulation(sim)
    play = s["play"]
    if call_turn(sim, play["ctx"], play["world"]) == OVER:
        plies = 0
    elif play["rollout"] != 0 and not s["counts"]["all_joint"]:
        zero: Any = np.int64(0)
        plies = call_rollout(play["rollout"], sim, zero)
        if plies < 0:
            sound(sim, STUCK if plies == rollout.STUCK else NO_END)
            return HELD
        return plies
    else:
        plies = play_until(sim, OVER)
    if plies >= 0:
        call_payoff(sim, play["ctx"], play["world"], play["payoffs"])
    return plies


@jit
def discounted(sim: int, payoff: float, decisions: int) -> float:
    """A payoff that comes after so many decisions: towards the lowest, as a scaled one to 0."""
    task = open_simulation(sim)["task"]
    if task["discount"] == 1.0:
        return payoff
    return task["low"] + (payoff - task["low"]) * task["discount"] ** decisions  # type: ignore[no-any-return]


@jit
def play_out(sim: int, source: int, player: int, move: int) -> int:
    """A random game from `source` in which the player's first move is `move`; plies, or why not.

    The player's payoff is then `raw` of the progress, and discounted for every decision after the
    move its `value`.
    """
    s = open_simulation(sim)
    play, counts, progress = s["play"], s["counts"], s["progress"]
    copy_position(sim, play["world"], source)
    before = play_until(sim, player)
    if before < 0:
        return before
    counts["states"] += before
    over = call_turn(sim, play["ctx"], play["world"]) == OVER
    if over or not is_legal(sim, play["world"], move):
        return HELD if held(sim) else ILLEGAL
    make_move(sim, player, move)
    play["decided"] = 0
    after = play_on(sim)
    if after < 0:
        return after
    counts["states"] += after + 1
    counts["played"] += before + after + 1
    progress["raw"] = open_payoffs(sim)[player]
    progress["value"] = discounted(sim, progress["raw"], play["decided"])
    return before + after + 1
