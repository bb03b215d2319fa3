"""Kuhn poker (Kuhn 1950): three cards, two players, one chip each in the pot, one bet of one chip.

Cards are 0 (jack), 1 (queen), 2 (king); -1 is unknown or not dealt. Moves: 0 passes (checks or
folds), 1 bets (or calls); 2, 3 and 4 are chance's, the card dealt to the next player.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import CHANCE, OVER, below, mix

# Whole words: in eight runs side by side a search took 207 ns an iteration at the median against
# 243 on bytes, though the best runs of both were alike (202 and 206).
State = np.dtype(
    [("cards", np.int32, 2), ("line", np.int32, 3), ("n", np.int32), ("dealt", np.int32)]
)

PASS, BET, DEAL = 0, 1, 2
HIDDEN = -1


def start(s: Any) -> None:
    s["cards"][:] = HIDDEN
    s["line"][:] = HIDDEN
    s["n"] = 0
    s["dealt"] = 0


def turn(s: Any) -> int:
    if s["dealt"] < 2:
        return CHANCE
    n, line = s["n"], s["line"]
    if n == 3 or (n == 2 and not (line[0] == PASS and line[1] == BET)):
        return OVER
    return int(n % 2)


def legal(s: Any, moves: Any) -> int:
    if s["dealt"] == 2:
        moves[0], moves[1] = PASS, BET
        return 2
    n = 0
    for card in range(3):
        if s["dealt"] == 0 or s["cards"][0] != card:
            moves[n] = DEAL + card
            n += 1
    return n


def apply(s: Any, move: int) -> None:
    if move >= DEAL:
        s["cards"][s["dealt"]] = move - DEAL
        s["dealt"] += 1
    else:
        s["line"][s["n"]] = move
        s["n"] += 1


def sees(s: Any, move: int, viewer: int) -> int:
    """A dealt card shows its face to its owner alone; everyone sees that it was dealt."""
    if move >= DEAL and viewer != s["dealt"]:
        return DEAL + 4
    return move + 1


def payoff(s: Any, pay: Any) -> None:
    n, line = s["n"], s["line"]
    last = line[n - 1]
    if last == PASS and (n == 3 or line[0] == BET):  # a bet was passed on: the bettor wins a chip
        gain = -1.0 if n == 3 else 1.0
    else:
        stake = 2.0 if last == BET else 1.0
        gain = stake if s["cards"][0] > s["cards"][1] else -stake
    pay[0], pay[1] = gain, -gain


def hide(s: Any, viewer: int) -> None:
    for player in range(2):
        if player != viewer:
            s["cards"][player] = HIDDEN


def infoset(s: Any, viewer: int) -> int:
    card = s["cards"][viewer] if viewer >= 0 else HIDDEN
    key = mix(int(s["dealt"]) + 1, int(card) + 1)
    for k in range(s["n"]):
        key = mix(key, int(s["line"][k]) + 1)
    return key  # type: ignore[no-any-return]


def determinize(s: Any, viewer: int, rng: int) -> None:
    for player in range(s["dealt"]):
        if player == viewer:
            continue
        other = s["cards"][1 - player]
        if other == HIDDEN:
            s["cards"][player] = below(rng, 3)
        else:
            s["cards"][player] = (other + 1 + below(rng, 2)) % 3


def world(s: Any, viewer: int, k: int) -> float:
    """The six deals: card k // 2 to the first player, one of the others to the second."""
    first = k // 2
    deal = first, (first + 1 + k % 2) % 3
    weight = 1.0
    for player in range(s["dealt"]):
        if s["cards"][player] != HIDDEN and s["cards"][player] != deal[player]:
            weight = 0.0
        s["cards"][player] = deal[player]
    return weight
