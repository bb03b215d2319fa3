"""Liar's dice, one round: roll in secret, outbid each other, and call the liar.

The variant is that of OpenSpiel's `liars_dice` with its bidding rule `reset-face`. Everyone rolls
their dice (one each by default) and sees only their own. Player 0 begins; players bid in turn. The
bid `2x5` claims that among all dice there are at least two fives; the highest face is wild and
counts as every face, while a bid on the highest face counts that face alone. Each bid must be
higher than the last: a greater quantity, or the same quantity of a higher face. Instead of bidding,
a player may call the last bidder a liar; after the highest bid of all there is nothing else to do.
The dice then decide: where the bid holds the caller has lost, else the bidder. The loser gets -1,
and the others share +1 (OpenSpiel has two players only).

Faces are counted from 0 here, so 0 is a one; -1 is unknown or not rolled. Dice lie in the order of
the rolls, player by player. Moves, where B is the number of bids: 0 to B-1 are the bids from lowest
to highest, B calls the liar, B+1 and up are chance's, the face of the next die.

Tokens, with M = B+1 moves of players: 1 to M * players are a player's move; the next ones a face
that the viewer rolled; the last ones a die that somebody rolled in secret.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import CHANCE, OVER, below, jit, mix
from facedown.games.liars_dice.habits import thumb, told

__all__ = [
    "State",
    "Variant",
    "apply",
    "determinize",
    "hide",
    "infoset",
    "legal",
    "payoff",
    "sees",
    "start",
    "thumb",
    "told",
    "turn",
]

MOST_PLAYERS, MOST_DICE, MOST_FACES = 4, 3, 6
MOST_BIDS = MOST_PLAYERS * MOST_DICE * MOST_FACES

Variant = np.dtype(
    [("players", np.int64), ("dice", np.int64), ("faces", np.int64), ("bids", np.int64)]
)
State = np.dtype(
    [
        ("dice", np.int8, MOST_PLAYERS * MOST_DICE),
        ("bids", np.int8, MOST_BIDS),  # in order; the k-th was made by player k modulo players
        ("n", np.int8),  # bids made
        ("rolled", np.int8),  # dice rolled
        ("called", np.int8),  # 1 once the liar is called
    ]
)

HIDDEN = -1


def start(v: Any, s: Any) -> None:
    s["dice"][:] = HIDDEN
    s["bids"][:] = HIDDEN
    s["n"], s["rolled"], s["called"] = 0, 0, 0


def turn(v: Any, s: Any) -> int:
    if s["rolled"] < v["players"] * v["dice"]:
        return CHANCE
    if s["called"]:
        return OVER
    return int(s["n"]) % int(v["players"])


def legal(v: Any, s: Any, moves: Any) -> int:
    bids, faces = int(v["bids"]), int(v["faces"])
    if s["rolled"] < v["players"] * v["dice"]:
        for face in range(faces):
            moves[face] = bids + 1 + face
        return faces
    n = 0
    lowest = int(s["bids"][s["n"] - 1]) + 1 if s["n"] > 0 else 0
    for bid in range(lowest, bids):
        moves[n] = bid
        n += 1
    if s["n"] > 0:
        moves[n] = bids
        n += 1
    return n


def apply(v: Any, s: Any, move: int) -> None:
    bids = int(v["bids"])
    if move > bids:
        s["dice"][s["rolled"]] = move - bids - 1
        s["rolled"] += 1
    elif move == bids:
        s["called"] = 1
    else:
        s["bids"][s["n"]] = move
        s["n"] += 1


def sees(v: Any, s: Any, move: int, viewer: int) -> int:
    """A rolled die shows its face to its owner alone; bids and the call are public."""
    own, players = int(v["bids"]) + 1, int(v["players"])
    if move < own:
        return 1 + move + own * (int(s["n"]) % players)
    owner = int(s["rolled"]) // int(v["dice"])
    if viewer == owner:
        return 1 + own * players + move - own
    return 1 + own * players + int(v["faces"]) + owner


@jit
def _holds(dice: np.ndarray, total: int, faces: int, bid: int) -> bool:
    """Whether the dice bear the bid out; the highest face is wild."""
    quantity, face = bid // faces + 1, bid % faces
    count = 0
    for k in range(total):
        if dice[k] == face or dice[k] == faces - 1:
            count += 1
    return count >= quantity


def payoff(v: Any, s: Any, pay: Any) -> None:
    players, n = int(v["players"]), int(s["n"])
    true = _holds(s["dice"], players * int(v["dice"]), int(v["faces"]), int(s["bids"][n - 1]))
    loser = n % players if true else (n - 1) % players
    for player in range(players):
        pay[player] = -1.0 if player == loser else 1.0 / (players - 1)


def hide(v: Any, s: Any, viewer: int) -> None:
    for k in range(s["rolled"]):
        if k // v["dice"] != viewer:
            s["dice"][k] = HIDDEN


def infoset(v: Any, s: Any, viewer: int) -> int:
    code = int(s["rolled"]) * 2 + int(s["called"])
    if viewer >= 0:
        for k in range(viewer * v["dice"], (viewer + 1) * v["dice"]):
            code = code * (MOST_FACES + 1) + int(s["dice"][k]) + 1
    key = mix(1, code)
    for k in range(s["n"]):
        key = mix(key, int(s["bids"][k]) + 1)
    return key  # type: ignore[no-any-return]


def determinize(v: Any, s: Any, viewer: int, rng: int) -> None:
    for k in range(s["rolled"]):
        if k // v["dice"] != viewer:
            s["dice"][k] = below(rng, v["faces"])
