"""The bluffing game of bluff.py with compiled rules: small functions over a record."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown import CHANCE, OVER, CompiledGame, below, mix

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


def start(s: Any) -> None:
    s["card"], s["n"] = NONE, 0
    s["played"][:] = NONE


def turn(s: Any) -> int:
    if s["card"] == NONE:
        return CHANCE
    n = int(s["n"])
    return OVER if n == 2 or (n == 1 and s["played"][0] == FOLD) else n


def legal(s: Any, moves: Any) -> int:
    if s["card"] == NONE:
        moves[0], moves[1] = ACE, DEUCE
    else:
        moves[0], moves[1] = CALL if s["n"] else BET, FOLD
    return 2


def apply(s: Any, move: int) -> None:
    if move <= DEUCE:
        s["card"] = move
    else:
        s["played"][s["n"]] = move
        s["n"] += 1


def sees(s: Any, move: int, viewer: int) -> int:
    """A token for what the viewer learns; 0 would be nothing."""
    return 6 if move <= DEUCE and viewer != 0 else move + 1


def payoff(s: Any, pay: Any) -> None:
    if s["played"][s["n"] - 1] == FOLD:
        gain = -1.0 if s["n"] == 1 else 1.0
    else:
        gain = 2.0 if s["card"] == ACE else -2.0
    pay[0], pay[1] = gain, -gain


def hide(s: Any, viewer: int) -> None:
    if viewer != 0 and s["card"] != NONE:
        s["card"] = UNSEEN


def infoset(s: Any, viewer: int) -> int:
    card = int(s["card"])
    if viewer != 0 and card != NONE:
        card = UNSEEN
    return mix(mix(mix(1, card + 3), int(s["played"][0]) + 2), int(s["played"][1]) + 2)


def determinize(s: Any, viewer: int, rng: int) -> None:
    if s["card"] == UNSEEN:
        s["card"] = below(rng, 2)
