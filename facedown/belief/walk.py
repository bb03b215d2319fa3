"""HyperPlay's `Update()` in compiled code: a model walks on until it has seen what its viewer saw.

A *model* is a history of the game from its start (Schofield and Thielscher 2019, section 3.7; their
HyperGame). At every position along its path lie the legal moves in the order in which they were
tried: the last of those tried is the one played, those before it are *bad* (nothing that agrees
with the observations comes after them), the others are not tried yet. So a walk that is stopped
goes on where it was, and all that was ever tried in vain stays known for as long as it matters.

The walk is depth first, as in their Figure 4. It asks nothing of a game but `turn`, `legal`,
`apply`, `sees` and `copy`, and `weights` or `prior` where there are any. All that the models of a
bag share lies in one record, the *BagState*, which begins with the game (`core.stepping.Play`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from facedown.core.constants import CHANCE, OVER
from facedown.core.jit import jit, kernel
from facedown.core.records import array, view
from facedown.core.rules import call_apply, call_prior, call_remember, call_sees, call_turn
from facedown.core.stepping import (
    Play,
    alarmed,
    copy_position,
    fill_chances,
    list_legal,
    normalize,
    open_moves,
    open_numbers,
)
from facedown.core.streams import pick

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
        ("points", np.int64),  # addresses of what lies along the path, and how much fits there
        ("positions", np.int64),
        ("moves", np.int64),
        ("chances", np.int64),
        ("deepest", np.int64),
        ("room", np.int64),
        ("kept", np.int64),  # address of the moves of the history that repairs begin with
        ("settled", np.int64),  # address of a flag for each: whether nothing else can stand there
        ("kept_depth", np.int64),  # how many moves these are,
        ("kept_matched", np.int64),  # and the observations that they give
        ("same", np.int64),  # moves of the path, from the start, that are those kept
        ("memos", np.int64),  # address of each player's memo, at every position of the path
    ]
)
ChoicePoint = np.dtype(
    [
        ("first", np.int64),  # where its moves begin among those listed
        ("n", np.int64),  # how many there are; UNLISTED before they are listed
        ("tried", np.int64),
        ("matched", np.int64),  # observations before any of them
        ("scouted", np.int64),  # 0, or 1 more than the observations there were when a scout came
        ("turn", np.int64),  # whose moves they are
        ("free", np.int64),  # 1 where a repair chose for itself
    ]
)
"""A position on the path of a model, with what was tried there."""

BagState = np.dtype(
    [
        ("play", Play),
        ("viewer", np.int64),
        ("priors", np.int64),  # whether players' moves are as likely as the rule `prior` says
        ("memo_words", np.int64),  # of 8 bytes that a memo takes; 0 where none is kept
        ("models", np.int64),  # address
        ("size", np.int64),  # how many models there are
        ("stride", np.int64),  # bytes from one position of a model to the next
        ("observed", np.int64),  # address of the viewer's tokens
        ("target", np.int64),  # how many of them a model has to give
        ("limit", np.int64),  # moves that a model may try
        ("scouting", np.int64),  # moves that the scout may have tried in all
        ("thorough", np.int64),  # moves of one way of it to the last observation; 0: to the next
        ("guessed", np.int64),  # ways of which it is not known whether they lead there
        ("graded", np.int64),  # whether repairs learn from the bits of tokens
        ("missed", np.int64),  # what they have learnt: addresses of numbers for each move,
        ("times", np.int64),
        ("missed_all", np.float64),  # the same over all paths,
        ("times_all", np.int64),
        ("about", np.int64),  # and the place of the token that it is about
    ],
    align=True,
)
"""What the models of a bag share."""

MODEL_BYTES, POINT_BYTES = Model.itemsize, ChoicePoint.itemsize
UNLISTED = -1
LEAST = 1e-9  # of a move's chance by a policy: what was played cannot have been impossible

ON_LINE, OFF_LINE, LOST, CROWDED, ALARMED = range(5)
"""What a model is after a walk: it agrees with all observations; it has reached the limit; there is
no such history; it needs more room; a rule has raised."""


@jit
def open_bag(bag: int) -> Any:
    """What the models of the bag at an address share."""
    return view(bag, BagState)


@jit
def model_at(bag: int, k: int) -> int:
    """The address of the `k`-th model of a bag."""
    return view(bag, BagState)["models"] + k * MODEL_BYTES  # type: ignore[no-any-return]


@jit
def point_at(model: int, depth: int) -> Any:
    """The choice point of a model at a depth."""
    return view(view(model, Model)["points"] + POINT_BYTES * depth, ChoicePoint)


@jit
def played_at(model: int, depth: int) -> int:
    """The move that a model's path has at a depth."""
    m, point = view(model, Model), point_at(model, depth)
    return np.int64(array(m["moves"], m["room"], np.int32)[point["first"] + point["tried"] - 1])  # type: ignore[return-value]


@jit
def open_settled(model: int) -> Any:
    """Whether nothing else can stand in the place of a move kept, for each."""
    m = view(model, Model)
    return array(m["settled"], m["deepest"], np.int8)


@jit
def position_at(bag: int, model: int, depth: int) -> int:
    """The address of the position of a model at a depth."""
    return view(model, Model)["positions"] + depth * view(bag, BagState)["stride"]  # type: ignore[no-any-return]


@jit
def memo_at(bag: int, model: int, depth: int, player: int) -> int:
    """The address of what a player's tokens have proven on the way to a depth; 0 without memos."""
    b = open_bag(bag)
    place = depth * b["play"]["players"] + player
    return view(model, Model)["memos"] + 8 * b["memo_words"] * place if b["memo_words"] else 0


@jit
def remember_move(bag: int, model: int, move: int) -> None:
    """Have the memos after a move at the end of a path, by what each player sees of it."""
    b, m = open_bag(bag), view(model, Model)
    players, words, ctx = b["play"]["players"], b["memo_words"], b["play"]["ctx"]
    position = position_at(bag, model, m["depth"])
    before = array(memo_at(bag, model, m["depth"], 0), players * words, np.int64)
    after = array(memo_at(bag, model, m["depth"] + 1, 0), players * words, np.int64)
    for k in range(players * words):
        after[k] = before[k]
    for player in range(players):
        token = np.uint64(call_sees(bag, ctx, position, move, player))
        if token != np.uint64(0):
            memo = memo_at(bag, model, m["depth"] + 1, player)
            call_remember(bag, ctx, memo, token, player)


@jit
def fill_policy(bag: int, model: int, turn: int, position: int, n: int) -> None:
    """How likely each of the `n` legal moves is: P(a | d) of equation 5.

    Chance by its weights, players by the game's `prior` where that is asked for, else evenly.
    """
    b = open_bag(bag)
    if turn == CHANCE:
        fill_chances(bag, position, n)
        return
    play, numbers = b["play"], open_numbers(bag, n)
    if b["priors"]:
        memo = memo_at(bag, model, view(model, Model)["depth"], turn)
        call_prior(bag, play["ctx"], position, memo, play["moves"], n, play["numbers"])
    for j in range(n):
        numbers[j] = max(numbers[j], LEAST) if b["priors"] else 1.0
    normalize(numbers, n)


@jit
def keep_own(bag: int, position: int, n: int, matched: int) -> int:
    """Of the viewer's own legal moves keep what it can have played; how many.

    A mover's token determines the move: by the contract one is left, and its chance is 1.
    """
    b = open_bag(bag)
    moves, numbers = open_moves(bag, n), open_numbers(bag, n)
    wanted, kept = array(b["observed"], b["target"], np.uint64)[matched], 0
    for j in range(n):
        move: Any = np.int64(moves[j])
        token = np.uint64(call_sees(bag, b["play"]["ctx"], position, move, b["viewer"]))
        if token == wanted or token == np.uint64(0):
            moves[kept] = moves[j]
            kept += 1
    for j in range(kept):
        numbers[j] = 1.0 / kept
    return kept


@jit
def list_moves(bag: int, model: int) -> None:
    """List what can be played at the end of a model's path (`ResetLegalAndBad` of Figure 4)."""
    b, m = open_bag(bag), view(model, Model)
    point, position = point_at(model, m["depth"]), position_at(bag, model, m["depth"])
    point["first"], point["n"], point["tried"] = m["used"], 0, 0
    point["turn"] = turn = call_turn(bag, b["play"]["ctx"], position)
    if turn == OVER or m["depth"] >= b["play"]["most_plies"]:
        return
    n = list_legal(bag, position)
    if n == 0:
        return
    if turn == b["viewer"]:
        n = keep_own(bag, position, n, m["matched"])
    else:
        fill_policy(bag, model, turn, position, n)
    put_moves(bag, model, n)


@jit
def put_moves(bag: int, model: int, n: int) -> None:
    """Put those of the `n` moves at hand that can happen beside a model's choice point."""
    m, moves, numbers = view(model, Model), open_moves(bag, n), open_numbers(bag, n)
    listed = array(m["moves"], m["room"], np.int32)
    chances = array(m["chances"], m["room"], np.float64)
    used = np.int64(m["used"])
    for j in range(n):
        if numbers[j] > 0.0:
            listed[used], chances[used] = moves[j], numbers[j]
            used += 1
    point_at(model, m["depth"])["n"] = used - m["used"]
    m["used"] = used


@jit
def take_move(model: int, spared: int) -> int:
    """Draw one of the moves not yet tried at the end of a model's path, by their chances.

    The last `spared` of them are not drawn.
    """
    m = view(model, Model)
    point = point_at(model, m["depth"])
    k, left = point["first"] + point["tried"], point["n"] - point["tried"] - spared
    chances = array(m["chances"] + 8 * k, left, np.float64)
    return take_nth(model, pick(model, chances, left))  # the stream is the model's first word


@jit
def take_nth(model: int, j: int) -> int:
    """Take the `j`-th of the moves not yet tried at the end of a model's path for the next one."""
    m = view(model, Model)
    point = point_at(model, m["depth"])
    k, left = point["first"] + point["tried"], point["n"] - point["tried"]
    listed = array(m["moves"] + 4 * k, left, np.int32)
    chances = array(m["chances"] + 8 * k, left, np.float64)
    move, chance = np.int64(listed[j]), chances[j]
    listed[j], chances[j] = listed[0], chances[0]
    listed[0], chances[0] = move, chance
    point["tried"] += 1
    m["spent"] += 1
    m["tried"] += 1
    return move  # type: ignore[return-value]


@jit
def go_on(bag: int, model: int, move: int, seen: bool) -> None:
    """Play a move at the end of a model's path."""
    m = view(model, Model)
    if open_bag(bag)["memo_words"]:
        remember_move(bag, model, move)
    position = position_at(bag, model, m["depth"] + 1)
    copy_position(bag, position, position_at(bag, model, m["depth"]))
    call_apply(bag, open_bag(bag)["play"]["ctx"], position, move)
    m["depth"] += 1
    m["entered"] += 1
    if seen:
        m["matched"] += 1
    begin_point(point_at(model, m["depth"]), m["matched"])


@jit
def begin_point(point: Any, matched: int) -> None:
    """A choice point that was just come to, after so many observations."""
    point["n"], point["tried"], point["matched"] = UNLISTED, 0, matched
    point["scouted"], point["free"] = 0, 0


@jit
def go_back(model: int) -> bool:
    """Leave the end of a model's path, where all is bad; False where that is the start."""
    m = view(model, Model)
    if m["depth"] == 0:
        return False
    m["used"] = point_at(model, m["depth"])["first"]
    m["depth"] -= 1
    m["matched"] = point_at(model, m["depth"])["matched"]
    return True


@jit
def try_move(bag: int, model: int, move: int) -> bool:
    """Try a move that was taken: play it where it agrees with what was seen; whether it does."""
    b, m = open_bag(bag), view(model, Model)
    position = position_at(bag, model, m["depth"])
    token = np.uint64(call_sees(bag, b["play"]["ctx"], position, move, b["viewer"]))
    seen = token != np.uint64(0)
    if seen and point_at(model, m["depth"])["turn"] != b["viewer"]:
        m["joint"] += 1
    fits = not seen or token == array(b["observed"], b["target"], np.uint64)[m["matched"]]
    if fits:
        go_on(bag, model, move, seen)
    return fits


@jit
def crowded(bag: int, model: int) -> bool:
    """Whether a model has no room for the moves of another position."""
    m = view(model, Model)
    full = m["used"] + open_bag(bag)["play"]["most_moves"] > m["room"]
    return full or m["depth"] + 1 >= m["deepest"]  # type: ignore[no-any-return]


@jit
def walk(bag: int, model: int) -> int:
    """`Update()` of Figure 4: walk on until all observations have come; what the model is then."""
    b, m = open_bag(bag), view(model, Model)
    while m["matched"] < b["target"]:
        if m["spent"] >= b["limit"]:
            return OFF_LINE
        point = point_at(model, m["depth"])
        if point["n"] == UNLISTED:
            if crowded(bag, model):
                return CROWDED
            list_moves(bag, model)
        if alarmed(bag):
            return ALARMED
        if point["tried"] < point["n"]:
            try_move(bag, model, take_move(model, 0))
        elif not go_back(model):  # all are bad, and so is the move that led here
            return LOST
    return ALARMED if alarmed(bag) else ON_LINE


@kernel(types.int64(types.intp), "belief")
def update(bag: int) -> int:
    """Walk on with every model; the first that needs help (CROWDED, ALARMED), or how many."""
    b = open_bag(bag)
    for k in range(b["size"]):
        model = model_at(bag, k)
        view(model, Model)["status"] = ALARMED  # where a walk is broken off it stays so
        status = walk(bag, model)
        view(model, Model)["status"] = status
        if status in (CROWDED, ALARMED):
            return k
    return b["size"]  # type: ignore[no-any-return]
