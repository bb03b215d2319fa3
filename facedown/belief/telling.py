"""Which moves come nearer to a token that is wanted, as repairs learn it.

A token may speak of several moves at once, and then one alone will not do. But compiled games pack
what is seen into a token, part by part, and with one of them right a token comes out in which fewer
bits are wrong. So for each move it is counted how many bits were wrong where it was played. Where
tokens are hashed that means nothing.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from facedown.belief.walk import (
    Model,
    open_bag,
    open_settled,
    played_at,
    point_at,
    position_at,
    take_nth,
)
from facedown.core.constants import OVER
from facedown.core.jit import jit
from facedown.core.records import array, view
from facedown.core.rules import call_sees, call_turn
from facedown.core.stepping import list_legal, open_moves, open_numbers
from facedown.core.streams import pick

DOUBT = 8.0  # paths of the usual distance that every move is taken to have been in


@jit
def open_missed(bag: int) -> Any:
    """For each move the bits that were wrong, in all paths with it."""
    b = open_bag(bag)
    return array(b["missed"], b["play"]["all_moves"], np.float64)


@jit
def open_times(bag: int) -> Any:
    """For each move how many these paths were."""
    b = open_bag(bag)
    return array(b["times"], b["play"]["all_moves"], np.int64)


@jit
def distance(bag: int, model: int) -> int:
    """Bits in which the nearest token of a move at the end of a path differs from that wanted."""
    b, m = open_bag(bag), view(model, Model)
    position = position_at(bag, model, m["depth"])
    wanted, least = array(b["observed"], b["target"], np.uint64)[m["matched"]], 64
    if call_turn(bag, b["play"]["ctx"], position) == OVER:
        return least
    n = list_legal(bag, position)
    moves = open_moves(bag, n)
    for j in range(n):
        move: Any = np.int64(moves[j])
        token = np.uint64(call_sees(bag, b["play"]["ctx"], position, move, b["viewer"]))
        rest, wrong = token ^ wanted, 0
        while rest != np.uint64(0) and wrong < least:
            rest &= rest - np.uint64(1)
            wrong += 1
        least = wrong
    return least


@jit
def learn(bag: int, model: int) -> None:
    """Note by how many bits a path that ends in contradiction missed the token wanted.

    It is noted of every move of the path that could have been another. What was noted of an earlier
    token is forgotten.
    """
    b, m, settled = open_bag(bag), view(model, Model), open_settled(model)
    missed, times = open_missed(bag), open_times(bag)
    if b["about"] != m["matched"]:
        b["about"], b["missed_all"], b["times_all"] = m["matched"], 0.0, 0
        for move in range(b["play"]["all_moves"]):
            missed[move], times[move] = 0.0, 0
    bits = distance(bag, model)
    b["missed_all"] += bits
    b["times_all"] += 1
    for depth in range(m["depth"]):
        if depth >= m["kept_depth"] or settled[depth] == 0:
            move = played_at(model, depth)
            missed[move] += bits
            times[move] += 1


@jit
def take_telling(bag: int, model: int) -> int:
    """Draw a move, as `take_move` does that spares one, by what is known of those that came nearer.

    A move with which tokens are a bit nearer on average than without is e times as likely.
    """
    b, m = open_bag(bag), view(model, Model)
    point = point_at(model, m["depth"])
    first, left = point["first"] + point["tried"], point["n"] - point["tried"] - 1
    moves = array(m["moves"], m["room"], np.int32)
    chances = array(m["chances"], m["room"], np.float64)
    missed, times, numbers = open_missed(bag), open_times(bag), open_numbers(bag, left)
    usual = b["missed_all"] / max(b["times_all"], 1)
    for j in range(left):
        move = moves[first + j]
        mean = (missed[move] + DOUBT * usual) / (times[move] + DOUBT)
        numbers[j] = chances[first + j] * math.exp(min(usual - mean, 30.0))
    return take_nth(model, pick(model, numbers, left))
