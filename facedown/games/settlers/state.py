"""The record of a position, what a variant fixes, and counts of cards packed into words.

Counts of resources and of development cards are *packed*: one byte of an int64 for each kind, so
that hands add and subtract as numbers and one comparison says whether a hand covers a cost. Sets of
nodes and edges are words too (`geometry`). What follows from the board is kept beside it (`reach`,
`frontier`, `blocked`, `taken`, `lengths`), so that listing moves is reading bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import jit
from facedown.core.words import lowest, ones
from facedown.games.settlers.geometry import HARBOURS, HEXES

PLAYERS = 4
NONE = -1

BRICK, ORE, SHEEP, WHEAT, WOOD, DESERT = range(6)
RESOURCES = 5
GENERIC = 5  # a harbour that takes any resource, 3:1
KNIGHT, ROAD_BUILDING, PLENTY, MONOPOLY, VICTORY = range(5)
CARD_KINDS = 5

(
    BOARD,  # chance lays out the island
    SETTLING,  # the two settlements at the start
    PAVING,  # and a road at each
    BEFORE,  # a turn before the dice
    ROLLING,  # chance rolls
    DISCARDING,  # hands of eight and more, after a seven
    ROBBING,  # the robber is moved
    CHOOSING,  # whom to rob
    STEALING,  # chance draws the stolen card
    ACTING,  # a turn after the dice
    PAVING_FREE,  # roads of the card
    DRAWING,  # chance draws the development card that was bought
    ANSWERING,  # an offer waits for an answer
    COMPOSING,  # an offer is being made up, step by step
    ENDED,
) = range(15)

NO_OFFERS, PAPER_OFFERS, TABLE_OFFERS = range(3)

State = np.dtype(
    [
        ("settlements", np.int64, 4),  # by player: nodes
        ("cities", np.int64, 4),  # by player: nodes
        ("reach", np.int64, 4),  # by player: nodes at the ends of his roads
        ("roads", np.int64, 8),  # by player, two words: edges
        ("frontier", np.int64, 8),  # by player, two words: edges, taken or not, that his roads
        # and buildings lead to, past nobody else's building
        ("taken", np.int64, 2),  # edges with a road
        ("blocked", np.int64),  # nodes with a building or beside one
        ("hands", np.int64, 4),  # by player: packed resources; 0 where hidden
        ("rates", np.int64, 4),  # by player: packed, how many of each the bank takes for one
        ("bank", np.int64),  # packed resources; hidden from all
        ("stock", np.int64),  # the top bit of the byte of each resource that the bank still has
        ("cards", np.int64, 4),  # by player: packed unplayed development cards; 0 where hidden
        ("fresh", np.int64),  # of the cards of whoever's turn it is, those bought in it; hidden too
        ("deck", np.int64),  # packed; hidden from all
        ("played", np.int64),  # packed: development cards played by all
        ("terms", np.int64, 4),  # packed: what the offer on the table gives and gets, and the same
        # of the counter-offer
        ("board", np.int64),  # a key of the island
        ("turns", np.int16),  # turns ended
        ("hexes", np.int8, HEXES),  # resource, DESERT, or NONE before it is laid
        ("numbers", np.int8, HEXES),  # number token, 0 without
        ("harbours", np.int8, HARBOURS),  # resource or GENERIC, NONE before it is laid
        ("where", np.int8, 26),  # the two hexes of each sum of the dice, NONE where there is none
        ("held", np.int8, 4),  # by player: resource cards
        ("unplayed", np.int8, 4),  # by player: development cards
        ("knights", np.int8, 4),  # by player: knights played
        ("lengths", np.int8, 4),  # by player: the longest road
        ("points", np.int8, 4),  # by player: points that all can see
        ("silent", np.int8, 4),  # by player: the most victory cards he can have, for he did not win
        ("owed", np.int8, 4),  # by player: cards to discard
        ("phase", np.int8),
        ("actor", np.int8),  # who acts: a player, CHANCE or OVER
        ("player", np.int8),  # whose turn it is
        ("robber", np.int8),  # its hex, NONE before the board is laid
        ("count", np.int8),  # steps taken in laying out the board and in placement
        ("spot", np.int8),  # the node settled last in placement
        ("longest", np.int8),  # who holds the longest road, NONE nobody
        ("army", np.int8),  # who holds the largest army, NONE nobody
        ("rolled", np.int8),  # whether the dice were rolled in this turn
        ("spent", np.int8),  # whether a development card was played in this turn
        ("bought", np.int8),  # development cards bought in this turn
        ("left", np.int8),  # cards in the deck
        ("free", np.int8),  # roads that the card still gives
        ("victim", np.int8),  # whose card chance draws, NONE
        ("asker", np.int8),  # whose offer is on the table, NONE
        ("to", np.int8),  # players whom the offer waits for, a bit each
        ("offers", np.int8),  # offers made in this turn
        ("winner", np.int8),  # NONE while there is none
    ]
)

Variant = np.dtype(
    [
        ("players", np.int64),
        ("offers", np.int64),  # which trades between players there are
        ("turns", np.int64),  # after so many the game ends without a winner
        ("fixed", np.int64),  # whether the board is given, which then follows as in a position
        ("hexes", np.int64, HEXES),
        ("numbers", np.int64, HEXES),
        ("harbours", np.int64, HARBOURS),
        ("where", np.int64, 26),
        ("robber", np.int64),
        ("board", np.int64),
    ]
)


def pack(counts: Any) -> int:
    """Counts by kind as a packed word.

    >>> hex(pack([1, 0, 0, 0, 2]))
    '0x200000001'
    """
    return sum(int(n) << 8 * kind for kind, n in enumerate(counts))


def unpack(word: Any) -> list[int]:
    """A packed word as counts by kind."""
    return [int(word) >> 8 * kind & 0xFF for kind in range(5)]


SUPPLY = pack([19] * RESOURCES)
DECK = pack([14, 2, 2, 2, 5])
DECK_SIZE = 25
TOPS = 0x8080808080  # the top bit of every byte
RATES = pack([4] * RESOURCES)
ROAD_COST = pack([1, 0, 0, 0, 1])
SETTLEMENT_COST = pack([1, 0, 1, 1, 1])
CITY_COST = pack([0, 3, 0, 2, 0])
CARD_COST = pack([0, 1, 1, 1, 0])
MOST_ROADS, MOST_SETTLEMENTS, MOST_CITIES = 15, 5, 4
TO_WIN = 10
PAPER_LIMIT = 3
"""Offers a turn (Dobre and Lascarides 2018, section "Results")."""
TABLE_LIMIT = 50
"""Offers a turn where there is no limit by the rules: far beyond what is ever said, so that a game
ends whatever its players do."""


@jit
def unit(kind: int) -> int:
    """One of a kind, packed."""
    return np.int64(1) << np.int64(8 * kind)  # type: ignore[return-value]


@jit
def count(word: int, kind: int) -> int:
    """How many of a kind a packed word has."""
    return (word >> np.int64(8 * kind)) & np.int64(255)  # type: ignore[return-value]


@jit
def total(word: int) -> int:
    """How many a packed word has in all."""
    pairs = (word & 0xFF00FF00FF) + ((word >> 8) & 0xFF00FF)
    return (pairs + (pairs >> 16) + (pairs >> 32)) & 255


@jit
def covers(hand: int, cost: int) -> bool:
    """Whether a packed hand has a packed cost."""
    return (((hand | TOPS) - cost) & TOPS) == TOPS


@jit
def some(word: int) -> int:
    """The top bits of the bytes of a packed word that are not 0."""
    return (word + 0x7F7F7F7F7F) & TOPS


@jit
def bit(k: int) -> int:
    """The set of one small number."""
    return np.int64(1) << np.int64(k)  # type: ignore[return-value]


@jit
def has(mask: int, k: int) -> bool:
    """Whether a set has a small number."""
    return (mask >> np.int64(k)) & np.int64(1) != 0  # type: ignore[no-any-return]


@jit
def size(mask: int) -> int:
    """How many members a set has."""
    return ones(np.uint64(mask))  # type: ignore[no-any-return]


@jit
def first(mask: int) -> int:
    """The smallest member of a set that is not empty."""
    return lowest(np.uint64(mask))  # type: ignore[no-any-return]


@jit
def victory_cards(s: Any, player: int) -> int:
    """How many victory cards a player holds, as far as the record shows."""
    return count(s["cards"][player], VICTORY)


@jit
def road_count(s: Any, player: int) -> int:
    """How many roads a player has built."""
    return size(s["roads"][2 * player]) + size(s["roads"][2 * player + 1])


@jit
def buildings(s: Any, player: int) -> int:
    """The nodes with a player's buildings."""
    return s["settlements"][player] | s["cities"][player]  # type: ignore[no-any-return]


@jit
def walls(s: Any, player: int) -> int:
    """The nodes with others' buildings, where a player's road ends."""
    found = np.int64(0)
    for other in range(PLAYERS):
        if other != player:
            found |= buildings(s, other)
    return found  # type: ignore[return-value]
