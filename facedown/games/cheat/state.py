"""The record of a position, how moves are numbered, and what a variant fixes."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import jit
from facedown.games.cheat.cards import RANKS

ROUNDS = 100
PILE, STOCK = 2, 3  # the places of the pile and of the deck in `cards`; before them the hands

State = np.dtype(
    [
        ("cards", np.int64, 4),  # counts: the two hands, the pile on the table, the deck
        ("known", np.int64, 2),  # counts: what each took when piles were revealed, less what later
        # reveals showed him to have laid
        ("laid", np.uint16, ROUNDS),  # by round: the list of cards laid, or of the one card taken
        ("line", np.int8, ROUNDS),  # by round: the move, of a claim unseen the claim; NONE to come
        ("claimed", np.int16, 2),  # ranks that each has claimed since the last call, a bit each
        ("again", np.int16, 2),  # of them those claimed twice or more
        ("caught", np.int16, 2),  # ranks on which each was ever caught cheating, a bit each
        ("times", np.int8, 2),  # how often each was caught
        ("size", np.int8, 2),  # how many cards each holds
        ("table", np.int8),  # how many lie on the table
        ("deck", np.int8),  # how many are left in the deck
        ("n", np.int8),  # rounds played
        ("since", np.int8),  # the first round after the last call: what it laid is unrevealed
        ("actor", np.int8),  # whose turn it is
        ("first", np.int8),  # who began; players take turns without exception
        ("turned", np.int8),  # the rank of the card that was turned up at the start
        ("rank", np.int8),  # the rank that was claimed last; first that of the card turned up
        ("doing", np.int8),  # the move whose cards chance draws, NONE otherwise
        ("owed", np.int8),  # how many cards chance has still to draw for it
    ]
)

Variant = np.dtype(
    [
        ("ranks", np.int64),
        ("copies", np.int64),  # cards of each rank
        ("dealt", np.int64),  # cards that each player is dealt
        ("rounds", np.int64),
    ]
)

# Moves, in the order of the paper's Figure 2: a claim is 4 * kind + cards - 1
TRUE_HIGHER, TRUE_LOWER, FALSE_HIGHER, FALSE_LOWER = 0, 4, 8, 12
CALL, TAKE, ACTIONS = 16, 17, 18
# Chance's: who begins, a card dealt, the card turned up, a card laid for a lie, a card taken
BEGINS = ACTIONS
DEALS = BEGINS + 2
TURNS = DEALS + RANKS
LAYS = TURNS + RANKS
DRAWS = LAYS + RANKS
MOVES = DRAWS + RANKS

UNSEEN = 18  # in `line`: a claim whose truth the viewer cannot know, and the move less its truth


@jit
def is_claim(code: int) -> bool:
    """Whether an entry of the line is a claim, its truth known or not."""
    return 0 <= code < CALL or code >= UNSEEN


@jit
def is_lie(code: int) -> bool:
    """Whether an entry of the line is a claim that is known to be false."""
    return FALSE_HIGHER <= code < CALL


@jit
def cards_of(code: int) -> int:
    """How many cards a claim lays down."""
    return (code - UNSEEN if code >= UNSEEN else code) % 4 + 1


@jit
def goes_lower(code: int) -> bool:
    """Whether a claim goes one rank down, not up."""
    return ((code - UNSEEN if code >= UNSEEN else code) >> 2) % 2 == 1


@jit
def beside(rank: int, lower: bool, ranks: int) -> int:
    """The rank one up or down; the king and the ace are neighbours."""
    return (rank + (ranks - 1 if lower else 1)) % ranks


@jit
def unseen(code: int) -> int:
    """A claim as whoever did not make it sees it."""
    return UNSEEN + (code % 8 if code < CALL else code - UNSEEN)


@jit
def mover(s: Any) -> int:
    """Whose round it is, chance's draws for it included."""
    return (int(s["first"]) + int(s["n"])) & 1


@jit
def mover_of(s: Any, k: int) -> int:
    """Whose round the `k`-th was."""
    return (int(s["first"]) + k) & 1


@jit
def laid_at(s: Any, k: int) -> int:
    """The list of cards of the `k`-th round."""
    return np.int64(s["laid"][k])  # type: ignore[return-value]  # unsigned would not mix with int


@jit
def bit(rank: int) -> int:
    """The set of one rank."""
    return np.int64(1) << np.int64(rank)  # type: ignore[return-value]


@jit
def options(held: int, adjacent: int) -> int:
    """How many claims of an adjacent rank there are with so many cards, so many of that rank."""
    return min(adjacent, 4) + min(held - adjacent, 4)
