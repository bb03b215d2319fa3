"""The count of a hand in compiled code, by a table over ranks; and the tables that it takes."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from facedown.core import jit, lowest
from facedown.games.cribbage.cards import (
    CARDS,
    CLUBS,
    JACK,
    PAIRS,
    RANKS,
    SUITS,
    bit,
)
from facedown.games.cribbage.counting import fifteens, pairs, runs
from facedown.games.cribbage.learnt import Learnt, stored
from facedown.games.cribbage.state import GOAL

_TRIPLES, DOUBLES = 455, 91  # sets of three and of two ranks, a rank as often as it comes

Tables = np.dtype(
    [
        ("kelly2017", np.int64),  # whether the paper's end of a game holds
        ("triple", np.int16, RANKS**3),  # three ranks in any order -> the number of their set
        ("double", np.int16, RANKS**2),  # two ranks in any order -> the number of their set
        ("points", np.int8, _TRIPLES * DOUBLES),  # of five ranks: fifteens, pairs and runs
        ("low", np.int8, PAIRS),  # the cards of a pair, by the pair's number
        ("high", np.int8, PAIRS),
        ("keep", np.float64, DOUBLES**2),  # `points` of four ranks in order, summed over all cuts
        ("crib", np.float64, 4 * DOUBLES),  # what two thrown cards make there, see `learnt`
        ("winning", np.float64, GOAL**2),  # of the next dealer, by his score and the other's
    ]
)


@jit
def count_hand(t: Any, hand: int, cut: int, crib: bool) -> int:
    """The points of a set of four cards with the cut."""
    first = lowest(hand)
    rest = hand & (hand - 1)
    second = lowest(rest)
    rest &= rest - 1
    third = lowest(rest)
    fourth = lowest(rest & (rest - 1))
    three = t["triple"][(first // SUITS * RANKS + second // SUITS) * RANKS + third // SUITS]
    two = t["double"][fourth // SUITS * RANKS + cut // SUITS]
    points = int(t["points"][int(three) * DOUBLES + int(two)])
    if hand & ~(np.int64(CLUBS) << (first % SUITS)) == 0:
        if first % SUITS == cut % SUITS:
            points += 5
        elif not crib:
            points += 4
    if hand & bit(SUITS * JACK + cut % SUITS):
        points += 1
    return points


@jit
def tally_all(t: Any, crib: bool) -> Any:
    """How often each number of points comes, over all 12,994,800 hands and cuts. [34]"""
    tally = np.zeros(34, np.int64)
    for a in range(CARDS):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    hand = bit(a) | bit(b) | bit(c) | bit(d)
                    for cut in range(CARDS):
                        if hand & bit(cut) == 0:
                            tally[count_hand(t, hand, cut, crib)] += 1
    return tally


@cache
def _by_ranks() -> dict[tuple[int, ...], int]:
    """Fifteens, pairs and runs of every five ranks in ascending order."""
    return {
        ranks: fifteens(ranks) + pairs(ranks) + runs(ranks)
        for ranks in combinations_with_replacement(range(RANKS), 5)
        if ranks[0] != ranks[4]
    }


def _numbers(n: int) -> dict[tuple[int, ...], int]:
    """A number for every set of `n` ranks, ascending."""
    return {ranks: k for k, ranks in enumerate(combinations_with_replacement(range(RANKS), n))}


def _kept_sums(doubles: dict[tuple[int, ...], int]) -> np.ndarray[Any, Any]:
    """`points` of four ranks with a cut, summed over the 48 cuts that the four leave."""
    sums, points = np.zeros((DOUBLES, DOUBLES)), _by_ranks()
    for ranks in combinations_with_replacement(range(RANKS), 4):
        cuts = (
            (SUITS - ranks.count(cut)) * points.get(tuple(sorted((*ranks, cut))), 0)
            for cut in range(RANKS)
        )
        sums[doubles[ranks[:2]], doubles[ranks[2:]]] = sum(cuts)
    return sums.reshape(-1)


@cache
def tables(kelly2017: bool, learnt: Learnt | None = None) -> np.ndarray[Any, Any]:
    """The context of the game; with what was learnt from play, as stored unless it is given."""
    made = np.zeros(1, Tables)
    t, triples, doubles, points = made[0], _numbers(3), _numbers(2), _by_ranks()
    t["kelly2017"] = kelly2017
    for name, numbers, n in (("triple", triples, 3), ("double", doubles, 2)):
        ways = product(range(RANKS), repeat=n)
        t[name] = [numbers[tuple(sorted(ranks))] for ranks in ways]
    t["points"] = [points.get(tuple(sorted(a + b)), 0) for a in triples for b in doubles]
    two = [(low, high) for high in range(CARDS) for low in range(high)]  # as `pair_number` does
    t["low"], t["high"] = np.array(two).T
    t["keep"] = _kept_sums(doubles)
    known = stored() if learnt is None else learnt
    t["crib"], t["winning"] = known.crib.reshape(-1), known.winning.reshape(-1)
    return made
