"""How the tables of `learnt` are made: cribs from random deals, winning from recorded hands."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import Stream, derive, jit, lowest
from facedown.games.cribbage.cards import DECK, bit, draw_some
from facedown.games.cribbage.learnt import Learnt, Table
from facedown.games.cribbage.policy import best_throw, crib_place
from facedown.games.cribbage.scoring import DOUBLES, count_hand, tables
from facedown.games.cribbage.state import GOAL

EVENTS = 24
"""Room for the scores of a hand in order: his heels, the play, the show, zeros after that."""


# --- cribs ----------------------------------------------------------------------------------------


@jit
def _crib(t: Any, thrown: int, rest: int, rng: int) -> int:
    """What a crib counts with a random cut of the rest of the pack."""
    return count_hand(t, thrown, lowest(draw_some(rng, rest, 1, 0)), True)


@jit
def _throw_cribs(t: Any, rng: int, deals: int, found: Any) -> None:
    """Deal, have one throw anything and the other well; add up the cribs' counts and numbers."""
    for k in range(deals):
        explores = k % 2 == 0  # the dealer throws anything, else the pone
        mine = draw_some(rng, DECK, 6, 0)
        other = draw_some(rng, DECK ^ mine, 6, 0)
        thrown = draw_some(rng, mine, 2, 0)
        pair = best_throw(t, other, not explores, 0.0, rng)
        crib = thrown | bit(t["low"][pair]) | bit(t["high"][pair])
        place = crib_place(t, lowest(thrown), lowest(thrown & (thrown - 1)), explores)
        found[place] += _crib(t, crib, DECK ^ mine ^ other, rng)
        found[4 * DOUBLES + place] += 1.0


def learn_cribs(deals: int, seed: int, rounds: int = 4) -> Table:
    """The mean count of a crib for every throw, against one who throws his best by such a table.

    Each round deals so many hands, and the other throws by the table of the round before it; in the
    first, by his kept hand alone. [role, suited, double] as in `Learnt`.
    """
    crib: Table = np.zeros(4 * DOUBLES)
    for k in range(rounds):
        scoring = tables(False, Learnt(crib=crib))
        stream, sums = Stream(derive(seed, "cribs", k)), np.zeros(8 * DOUBLES)
        _throw_cribs(scoring[0], stream.address, deals, sums)
        totals, numbers = sums.reshape(2, -1)
        crib = np.divide(totals, numbers, out=crib, where=numbers > 0)
    made = crib.reshape(2, 2, DOUBLES)
    twins = [d for d in range(DOUBLES) if made[0, 1, d] == 0]  # a pair is never of one suit
    made[:, 1, twins] = made[:, 0, twins]
    return made


# --- winning --------------------------------------------------------------------------------------


@jit
def _plays_out(events: Any, dealer: int, pone: int) -> tuple[int, int]:
    """The scores of dealer and pone after a hand; it ends the moment one of them has won."""
    for k in range(len(events)):
        points = events[k]
        if points == 0:
            break
        if points > 0:
            dealer += points
        else:
            pone -= points
        if dealer >= GOAL or pone >= GOAL:
            break
    return dealer, pone


@jit
def _win(hands: Any, won: Any, dealer: int, pone: int) -> float:
    """The dealer's chance at these scores, where it is known for all higher ones."""
    total = 0.0
    for k in range(len(hands)):
        after, other = _plays_out(hands[k], dealer, pone)
        if after >= GOAL:
            total += 1.0
        elif other < GOAL:
            total += 1.0 - won[other, after]
    return total / len(hands)


@jit
def _fill(hands: Any, won: Any) -> None:
    """From the end of the game backwards, by the sum of both scores: every hand scores."""
    for both in range(2 * (GOAL - 1), -1, -1):
        for dealer in range(max(0, both - GOAL + 1), min(both, GOAL - 1) + 1):
            won[dealer, both - dealer] = _win(hands, won, dealer, both - dealer)


def chances(hands: np.ndarray[Any, np.dtype[np.int8]]) -> Table:
    """The next dealer's chance to win, by his score and the other's, of hands that score so.

    `hands` [n, events]: the scores of each hand in order, the dealer's above and the pone's below
    zero, zeros after the last. Every hand is as likely as any other, at any score.

    >>> sure = np.array([[61, -1]], np.int8)  # the dealer makes 61, then the pone 1
    >>> won = chances(sure)
    >>> float(won[60, 120]), float(won[59, 120]), float(won[0, 0])
    (1.0, 0.0, 1.0)
    """
    if not (hands != 0).any(axis=1).all():
        raise ValueError("in every hand of cribbage somebody scores")
    won: Table = np.zeros((GOAL, GOAL))
    _fill(np.ascontiguousarray(hands, np.int64), won)
    return won
