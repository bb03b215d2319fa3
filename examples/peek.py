"""A game with a memo: one card lies face down, and players ask about it, each for himself.

A card from 0 to 3 is dealt face down. Player 0 begins; in turn a player asks whether the card is
above 0, 1 or 2, which is answered to him alone, or guesses it, which ends the game: a right guess
wins a chip from the other player, a wrong one loses it. After six turns without a guess nobody has
won.

What a player has been told rules cards out. The rule `remember` keeps them as bits in a memo, and
the abstraction (`bucket`), the prior and the worlds follow from them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown import CHANCE, OVER, CompiledGame, Traits, below, jit, mix

CARDS, TURNS = 4, 6
State = np.dtype(
    [
        ("card", np.int64),  # HIDDEN before it is dealt, and in views
        ("dealt", np.int64),
        ("told", np.int64, (2, CARDS - 1)),  # by player and question: 0 not asked, 1 no, 2 yes
        ("n", np.int64),  # turns taken
        ("guessed", np.int64),  # the guess, NONE before it
    ]
)
Memo = np.dtype([("ruled_out", np.int64)])  # a bit for each card

HIDDEN = NONE = -1
ASK, GUESS, DEAL = 0, CARDS - 1, 2 * CARDS - 1  # the first move of each kind
DEALT, ANSWER, ASKED, GUESSED = 1, 2, 8, 11  # the first token of each kind


class Peek(CompiledGame):
    State = State
    Memo = Memo
    players = 2
    moves = DEAL + CARDS
    most_moves = DEAL
    most_plies = 1 + TURNS
    bounds = (-1.0, 1.0)
    kind_names = ("above", "guess", "deal")
    trait_names = Traits(("turns", "cards left"), ("guess", "card", "ruled out"))

    def move_text(self, move: int) -> str:
        if move < GUESS:
            return f"above {move}?"
        return f"guess {move - GUESS}" if move < DEAL else f"deal {move - DEAL}"

    def hidden_text(self, world: Any, viewer: int) -> str:
        return f"the card is {world['card']}" if world["dealt"] else ""


def start(s: Any) -> None:
    s["card"], s["dealt"], s["n"], s["guessed"] = HIDDEN, 0, 0, NONE
    s["told"][:] = 0


def turn(s: Any) -> int:
    if s["dealt"] == 0:
        return CHANCE
    return OVER if s["guessed"] != NONE or s["n"] == TURNS else s["n"] % 2


def legal(s: Any, moves: Any) -> int:
    first, n = (DEAL, CARDS) if s["dealt"] == 0 else (ASK, DEAL)
    for k in range(n):
        moves[k] = first + k
    return n


def apply(s: Any, move: int) -> None:
    if move >= DEAL:
        s["card"], s["dealt"] = move - DEAL, 1
        return
    if move >= GUESS:
        s["guessed"] = move - GUESS
    else:
        s["told"][s["n"] % 2, move] = 2 if s["card"] > move else 1
    s["n"] += 1


def sees(s: Any, move: int, viewer: int) -> int:
    """An answer is for whoever asked; that he asked is for everybody."""
    if move >= DEAL:
        return DEALT
    if move >= GUESS:
        return GUESSED + move - GUESS
    if viewer != s["n"] % 2:
        return ASKED + move
    return ANSWER + 2 * move + (1 if s["card"] > move else 0)


def payoff(s: Any, pay: Any) -> None:
    pay[:] = 0.0
    if s["guessed"] != NONE:
        guesser, gain = (s["n"] - 1) % 2, 1.0 if s["guessed"] == s["card"] else -1.0
        pay[guesser], pay[1 - guesser] = gain, -gain


def hide(s: Any, viewer: int) -> None:
    """The answers that others got go; that they asked everybody knows, and so will a world."""
    s["card"] = HIDDEN
    for player in range(2):
        for k in range(CARDS - 1):
            if player != viewer and s["told"][player, k] != 0:
                s["told"][player, k] = 3


def infoset(s: Any, viewer: int) -> int:
    key = mix(s["n"] * 2 + s["dealt"] + 1, s["guessed"] + 2)
    for player in range(2):
        for k in range(CARDS - 1):
            told = s["told"][player, k]
            key = mix(key, 3 if player != viewer and told != 0 else told)
    return key


# --- what the memo is for -------------------------------------------------------------------------


def remember(memo: Any, token: int, viewer: int) -> None:
    """An answer rules out the cards on the other side."""
    if ANSWER <= token < ASKED:
        k, above = (int(token) - ANSWER) // 2, (int(token) - ANSWER) % 2
        low = (1 << (k + 1)) - 1
        memo["ruled_out"] |= low if above else ((1 << CARDS) - 1) & ~low


@jit
def left(memo: Any) -> int:
    """How many cards are not ruled out."""
    n = 0
    for card in range(CARDS):
        n += 1 - (memo["ruled_out"] >> card & 1)
    return n


def bucket(s: Any, memo: Any, viewer: int) -> int:
    """The turn and the cards that are left, however they came to be."""
    return mix(s["n"] + 1, memo["ruled_out"])


def prior(s: Any, memo: Any, moves: Any, out: Any) -> None:
    """Guess what may be right, the sooner the less is left; ask otherwise."""
    for k in range(len(moves)):
        card = moves[k] - GUESS
        out[k] = 1.0
        if card >= 0:
            out[k] = 0.01 if memo["ruled_out"] >> card & 1 else 4.0 / left(memo)


def determinize(s: Any, memo: Any, viewer: int, rng: int) -> None:
    """Any card that is left; the others' answers follow from it."""
    if s["dealt"] == 0:
        return
    skip = below(rng, left(memo))
    for card in range(CARDS):
        if memo["ruled_out"] >> card & 1 == 0:
            if skip == 0:
                s["card"] = card
            skip -= 1
    for player in range(2):
        for k in range(CARDS - 1):
            if s["told"][player, k] == 3:
                s["told"][player, k] = 2 if s["card"] > k else 1


# --- moves by their kinds -------------------------------------------------------------------------


def kind(s: Any, move: int) -> int:
    """0 asks, 1 guesses, 2 deals."""
    return (move >= GUESS) + (move >= DEAL)


def kinds(s: Any) -> int:
    return 0b100 if s["dealt"] == 0 else 0b011


def of_kind(s: Any, kind: int, moves: Any) -> int:
    first = ASK if kind == 0 else GUESS if kind == 1 else DEAL
    n = CARDS - 1 if kind == 0 else CARDS
    for k in range(n):
        moves[k] = first + k
    return n


# --- what choices are learnt by -------------------------------------------------------------------


def traits(s: Any, memo: Any, viewer: int, moves: Any, out: Any) -> None:
    """How far the game is and what is left; of a move whether it guesses, which card, if in vain.

    What a viewer knows, whoever acts: his own memo.
    """
    out[0], out[1] = s["n"] / TURNS, left(memo) / CARDS
    for k in range(len(moves)):
        guess = GUESS <= moves[k] < DEAL
        card = moves[k] - GUESS if guess else moves[k]
        out[2 + 3 * k] = 1.0 if guess else 0.0
        out[3 + 3 * k] = card / CARDS
        out[4 + 3 * k] = 1.0 if guess and memo["ruled_out"] >> card & 1 else 0.0
