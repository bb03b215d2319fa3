"""Settlers for three or four: the base game, with hidden hands and hidden development cards.

Chance lays out the island: the hexes one by one, a corner from which the number tokens spiral
inwards, the harbours (all but the first when the board is given). Placement goes through the seats
and back; the second settlement pays a card for each hex that it touches. Then players take turns:
cards may be played before the dice, and after them players build, buy, play a card, trade with the
bank and with each other, in any order.

**Every random thing is chance's move**: dice (the sum), a stolen card, a bought card. **Discards**
are made card by card, from the player whose turn it is around the table; others see how many. **To
win** is a move of its own, `claim`, and the only legal one as soon as whoever's turn it is has ten
points, victory cards included: so the table learns of hidden points when they are shown, and not by
the way the game stops. A game that lasts for `turns` turns has no winner: real ones take some 75,
random ones some hundreds.

**The bank** has 19 of each resource. How many it has left nobody counts, for discards are hidden;
that it has none of a kind all can see (`stock`). A year of plenty that names one resource twice
takes what there is of it.

**Trades between players** are with whoever's turn it is, after the dice. `offers=paper` (Dobre and
Lascarides 2018): an offer names one recipient and gives one card for one, one for two or two for
one, the two alike or not (conjunctive); the recipient must have as many cards as are asked for; he
accepts or rejects; three offers a turn. `offers=table`: an offer is made up in public steps (gifts,
then what is asked for, then who may accept), of any amounts, for any number of players, who answer
in the order of the seats: accept, reject, or make a counter-offer, which the player answers before
the others are asked. `offers=none`: nobody trades but with the bank.
"""

from __future__ import annotations

from typing import Any

from facedown.core import CHANCE, OVER
from facedown.games.settlers import moves as m
from facedown.games.settlers import state as st
from facedown.games.settlers.chance import (
    draw_outcome,
    list_outcomes,
    list_weights,
)
from facedown.games.settlers.geometry import HARBOURS, HEXES
from facedown.games.settlers.knowledge import bucket, hide, infoset
from facedown.games.settlers.listing import list_kind, player_kinds
from facedown.games.settlers.memory import Memo, remember
from facedown.games.settlers.play import apply, clear
from facedown.games.settlers.state import State, Variant, first
from facedown.games.settlers.tokens import sees
from facedown.games.settlers.traits import traits
from facedown.games.settlers.worlds import determinize

__all__ = [
    "Memo",
    "State",
    "Variant",
    "apply",
    "bucket",
    "determinize",
    "draw",
    "hide",
    "infoset",
    "kind",
    "kinds",
    "legal",
    "of_kind",
    "payoff",
    "remember",
    "sees",
    "start",
    "traits",
    "turn",
    "weights",
]


def start(v: Any, s: Any) -> None:
    clear(s)
    if v["fixed"] == 0:
        s["phase"], s["actor"] = st.BOARD, CHANCE
        return
    for h in range(HEXES):
        s["hexes"][h], s["numbers"][h] = v["hexes"][h], v["numbers"][h]
    for place in range(HARBOURS):
        s["harbours"][place] = v["harbours"][place]
    for k in range(26):
        s["where"][k] = v["where"][k]
    s["robber"], s["board"] = v["robber"], v["board"]
    s["phase"], s["actor"] = st.SETTLING, 0


def turn(v: Any, s: Any) -> int:
    return int(s["actor"])


def kinds(v: Any, s: Any) -> int:
    """The kinds of legal moves, a bit each; chance's are one kind."""
    if s["actor"] == CHANCE:
        return st.bit(m.K_CHANCE)
    return 0 if s["actor"] == OVER else player_kinds(v, s)


def of_kind(v: Any, s: Any, kind: int, moves: Any) -> int:
    """The legal moves of a kind that `kinds` has."""
    if kind == m.K_CHANCE:
        return list_outcomes(s, moves)
    return list_kind(v, s, kind, moves, 0)


def legal(v: Any, s: Any, moves: Any) -> int:
    if s["actor"] == CHANCE:
        return list_outcomes(s, moves)
    found, n = player_kinds(v, s), 0
    while found != 0:
        n = list_kind(v, s, first(found), moves, n)
        found &= found - 1
    return n


def weights(v: Any, s: Any, out: Any) -> None:
    list_weights(s, out)


def draw(v: Any, s: Any, rng: int) -> int:
    return draw_outcome(s, rng)


def payoff(v: Any, s: Any, pay: Any) -> None:
    for player in range(v["players"]):
        pay[player] = 1.0 if s["winner"] == player else 0.0


def kind(v: Any, s: Any, move: int) -> int:
    """The type of a move. Pieces of the start are placements; the card's roads are roads."""
    if s["actor"] == CHANCE:
        return m.K_CHANCE
    if s["phase"] == st.SETTLING or s["phase"] == st.PAVING:
        return m.K_PLACEMENT
    return int(m.KIND_OF[move])
