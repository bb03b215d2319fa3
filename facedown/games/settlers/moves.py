"""How moves are numbered, their kinds, and the offers of the paper.

The numbers are the same in every variant. The first eleven kinds are the types of Dobre and
Lascarides (2018); the others are the decisions that somebody is forced to make.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement

import numpy as np

from facedown.games.settlers.geometry import EDGES, HEXES, NODES, TOKENS
from facedown.games.settlers.state import CARD_KINDS, PLAYERS, RESOURCES, pack

(ROLL, END, BUY, PLAY_KNIGHT, PLAY_ROADS, CLAIM) = range(6)
(ACCEPT, REJECT, COUNTER, COMPOSE, PROPOSE, CANCEL) = range(6, 12)
SETTLE = 12  # + node
UPGRADE = SETTLE + NODES  # + node
PAVE = UPGRADE + NODES  # + edge
SWAP = PAVE + EDGES  # + 4 * given + gotten, which is never the given: a trade with the bank
SWAPS = 20
PLAY_PLENTY = SWAP + SWAPS  # + pair
PAIRS = 15
PLAY_MONOPOLY = PLAY_PLENTY + PAIRS  # + resource
DISCARD = PLAY_MONOPOLY + RESOURCES  # + resource
ROB = DISCARD + RESOURCES  # + hex
CHOOSE = ROB + HEXES  # + player
GIVE = CHOOSE + PLAYERS  # + resource: one more on the giving side of an offer
ASK = GIVE + RESOURCES  # + resource: one more on the other side
ADDRESS = ASK + RESOURCES  # + player: one more who may accept
TRADE = ADDRESS + PLAYERS  # + OFFERS * recipient + offer
OFFERS = 120
# Chance's
LAY = TRADE + PLAYERS * OFFERS  # + resource or DESERT: the next hex
SPIRAL = LAY + 6  # + corner: where the number tokens begin
MOOR = SPIRAL + 6  # + resource or GENERIC: the next harbour
DICE = MOOR + 6  # + sum - 2
STEAL = DICE + 11  # + resource
DRAW = STEAL + RESOURCES  # + kind of card
MOVES = DRAW + CARD_KINDS
# What others see of moves that are hidden from them; in tokens only
UNSEEN_DISCARD, UNSEEN_STEAL, UNSEEN_DRAW = MOVES, MOVES + 1, MOVES + 2

MOST_MOVES = 3 * OFFERS + NODES + EDGES + 60
"""More than can be legal at once: all offers, every place, bank trades and cards."""

KINDS = (
    "settlement",
    "road",
    "city",
    "end turn",
    "port trade",
    "buy card",
    "knight",
    "road building",
    "year of plenty",
    "monopoly",
    "trade",
    "roll",
    "discard",
    "robber",
    "victim",
    "accept",
    "reject",
    "placement",
    "claim",
    "counter",
    "give",
    "ask",
    "address",
    "propose",
    "cancel",
    "chance",
)
"""The kinds of moves by number."""
KIND_NUMBERS = {
    1: "settlement",
    2: "road",
    3: "city",
    5: "end turn",
    6: "port trade",
    7: "buy card",
    8: "knight",
    9: "road building",
    10: "year of plenty",
    11: "monopoly",
    18: "trade",
}
"""The types of moves as published tables of counts number them."""
(
    K_SETTLEMENT,
    K_ROAD,
    K_CITY,
    K_END,
    K_PORT,
    K_BUY,
    K_KNIGHT,
    K_ROADS,
    K_PLENTY,
    K_MONOPOLY,
    K_TRADE,
    K_ROLL,
    K_DISCARD,
    K_ROBBER,
    K_VICTIM,
    K_ACCEPT,
    K_REJECT,
    K_PLACEMENT,
    K_CLAIM,
    K_COUNTER,
    K_GIVE,
    K_ASK,
    K_ADDRESS,
    K_PROPOSE,
    K_CANCEL,
    K_CHANCE,
) = range(len(KINDS))

_SPANS = (
    (ROLL, K_ROLL),
    (END, K_END),
    (BUY, K_BUY),
    (PLAY_KNIGHT, K_KNIGHT),
    (PLAY_ROADS, K_ROADS),
    (CLAIM, K_CLAIM),
    (ACCEPT, K_ACCEPT),
    (REJECT, K_REJECT),
    (COUNTER, K_COUNTER),
    (COMPOSE, K_TRADE),
    (PROPOSE, K_PROPOSE),
    (CANCEL, K_CANCEL),
    (SETTLE, K_SETTLEMENT),
    (UPGRADE, K_CITY),
    (PAVE, K_ROAD),
    (SWAP, K_PORT),
    (PLAY_PLENTY, K_PLENTY),
    (PLAY_MONOPOLY, K_MONOPOLY),
    (DISCARD, K_DISCARD),
    (ROB, K_ROBBER),
    (CHOOSE, K_VICTIM),
    (GIVE, K_GIVE),
    (ASK, K_ASK),
    (ADDRESS, K_ADDRESS),
    (TRADE, K_TRADE),
    (LAY, K_CHANCE),
)
KIND_OF = np.zeros(MOVES, np.int64)
"""[move]: its kind, but for the pieces of the start, which are placements."""
for _first, _kind in _SPANS:
    KIND_OF[_first:] = _kind

PAIR_LIST = tuple(combinations_with_replacement(range(RESOURCES), 2))
PAIR = np.array(PAIR_LIST, np.int64)
"""[pair, 2]: the two resources that a year of plenty may take."""


def _paper_offers() -> list[tuple[list[int], list[int]]]:
    """One card for one, one for two, two for one; two may be alike or not (conjunctive).

    Sorted by what is given, singles first, and for each by what is asked, singles first, so that
    the offers of one gift are consecutive numbers.
    """
    offers = []
    for given in range(RESOURCES):
        others = [r for r in range(RESOURCES) if r != given]
        asks = [[r] for r in others]
        asks += [list(two) for two in combinations_with_replacement(others, 2)]
        offers += [([given], asked) for asked in asks]
    doubles = [[r, r] for r in range(RESOURCES)]
    doubles += [list(two) for two in combinations(range(RESOURCES), 2)]
    for given_two in doubles:
        offers += [(given_two, [r]) for r in range(RESOURCES) if r not in given_two]
    return offers


def _packed(cards: list[int]) -> int:
    return pack([cards.count(r) for r in range(RESOURCES)])


OFFER_LIST = tuple(_paper_offers())
OFFER_GIVES = np.array([_packed(gives) for gives, _ in OFFER_LIST], np.int64)
OFFER_GETS = np.array([_packed(gets) for _, gets in OFFER_LIST], np.int64)
"""[offer]: what is given and what is asked for, packed."""
SINGLE_FIRST, DOUBLE_FIRST, BOTH_FIRST = 0, 70, 90
SINGLE_SPAN, SINGLE_ONES, DOUBLE_SPAN, BOTH_SPAN = 14, 4, 4, 3
BOTH = np.array(list(combinations(range(RESOURCES), 2)), np.int64)
"""[10, 2]: the two different resources of the last gifts."""

TOKEN_NUMBERS = np.array(TOKENS, np.int64)
DICE_WEIGHTS = np.array([6 - abs(7 - total) for total in range(2, 13)], np.float64)
DICE_SUMS = np.array([a + b for a in range(1, 7) for b in range(1, 7)], np.int64)
LAY_COUNTS = np.array([3, 3, 4, 4, 4, 1], np.int64)
"""Hexes of each kind on the island: brick, ore, sheep, wheat, wood, desert."""
MOOR_COUNTS = np.array([1, 1, 1, 1, 1, 4], np.int64)
"""Harbours of each kind: one for each resource, four for any."""


def swap_move(given: int, gotten: int) -> int:
    """The move that gives the bank cards of one resource for one of another."""
    return SWAP + 4 * given + gotten - (gotten > given)


def swap_of(move: int) -> tuple[int, int]:
    """What such a move gives and gets."""
    given, rest = divmod(move - SWAP, 4)
    return given, rest + (rest >= given)


def trade_move(recipient: int, gives: list[int], gets: list[int]) -> int:
    """The paper's offer to a player; resources as lists. ValueError where there is none such."""
    return TRADE + OFFERS * recipient + OFFER_LIST.index((sorted(gives), sorted(gets)))
