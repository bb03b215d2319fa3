"""The bluffing game of bluff.py with compiled rules: small functions over a record."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown import CHANCE, OVER, CompiledGame, array, below, mix, view

State = np.dtype([("card", np.int8), ("played", np.int8, 2), ("n", np.int8)])

ACE, DEUCE, BET, FOLD, CALL = range(5)
NAMES = ("ace", "deuce", "bet", "fold", "call")
NONE, UNSEEN = -1, -2  # not drawn yet; drawn, but this viewer cannot know it


class Bluff(CompiledGame):
    State = State
    players = 2
    moves = 5
    most_moves = 2
    most_plies = 3
    bounds = (-2.0, 2.0)

    def move_text(self, move: int) -> str:
        return NAMES[move]

    def observation_text(self, token: int, viewer: int) -> str:
        return "a card is drawn" if token == 6 else NAMES[token - 1]

    def view_text(self, view: Any, viewer: int) -> str:
        card = {NONE: "not drawn", UNSEEN: "?"}.get(int(view["card"])) or NAMES[view["card"]]
        played = ", ".join(NAMES[move] for move in view["played"][: view["n"]])
        return f"card: {card}; played: {played or 'nothing'}"

    def hidden_text(self, world: Any, viewer: int) -> str:
        return "" if viewer == 0 else f"player 0 holds the {NAMES[world['card']]}"


def start(ctx: int, state: int) -> None:
    s = view(state, State)
    s["card"], s["n"] = NONE, 0
    s["played"][:] = NONE


def turn(ctx: int, state: int) -> int:
    s = view(state, State)
    if s["card"] == NONE:
        return CHANCE
    n = int(s["n"])
    return OVER if n == 2 or (n == 1 and s["played"][0] == FOLD) else n


def legal(ctx: int, state: int, out: int) -> int:
    s, moves = view(state, State), array(out, 2, np.int32)
    if s["card"] == NONE:
        moves[0], moves[1] = ACE, DEUCE
    else:
        moves[0], moves[1] = CALL if s["n"] else BET, FOLD
    return 2


def apply(ctx: int, state: int, move: int) -> None:
    s = view(state, State)
    if move <= DEUCE:
        s["card"] = move
    else:
        s["played"][s["n"]] = move
        s["n"] += 1


def sees(ctx: int, state: int, move: int, viewer: int) -> int:
    """A token for what the viewer learns; 0 would be nothing."""
    return 6 if move <= DEUCE and viewer != 0 else move + 1


def payoff(ctx: int, state: int, out: int) -> None:
    s, pay = view(state, State), array(out, 2, np.float64)
    if s["played"][s["n"] - 1] == FOLD:
        gain = -1.0 if s["n"] == 1 else 1.0
    else:
        gain = 2.0 if s["card"] == ACE else -2.0
    pay[0], pay[1] = gain, -gain


def hide(ctx: int, state: int, viewer: int) -> None:
    s = view(state, State)
    if viewer != 0 and s["card"] != NONE:
        s["card"] = UNSEEN


def infoset(ctx: int, state: int, viewer: int) -> int:
    s = view(state, State)
    card = int(s["card"])
    if viewer != 0 and card != NONE:
        card = UNSEEN
    return mix(mix(mix(1, card + 3), int(s["played"][0]) + 2), int(s["played"][1]) + 2)


def determinize(ctx: int, state: int, viewer: int, rng: int) -> None:
    s = view(state, State)
    if s["card"] == UNSEEN:
        s["card"] = below(rng, 2)
