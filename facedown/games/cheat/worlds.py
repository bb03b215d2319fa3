"""Worlds: what a viewer cannot see, drawn with the probability of its history given the view.

Cards come to a player in *slots*: those that he was dealt, one for each card that he took, and the
piles that he picked up, which everybody saw. What a viewer does not know is which cards filled the
other's slots and what the other laid since the last call; what was laid before was shown. A history
weighs what chance's draws weigh and, others choosing evenly, one over the number of moves that the
other had at each decision, which depends on what he held.

The slots are drawn first. If all of them were filled before the first round, all weights but those
numbers of moves were products over ranks: in how many ways so many cards of a rank fill slots, and
in how many ways the cards that a lie was shown to lay are chosen among those held. So how many
cards of each rank there are is drawn exactly, by dynamic programming over the ranks (`_fill_ways`,
`_draw_slots`). Then it is drawn which of them were the cards taken, the last one first, among those
that need not have been there earlier (`_draw_taken`). A walk through all rounds finds what the
world weighs beside its proposal, which is at most 1, and draws what lies on the table unseen
(`_walk`); the world is accepted with that probability. So worlds are exact.

A claim just made that the viewer *supposes* to be true, or to be a lie (`suppose`), is written into
the view as if it were known, a lie without its cards. What it asks of the slots is one more factor,
so that they are drawn with it, however rare it is.

After long games few are accepted: after `TRIES` the world is one of those tried, drawn by weight,
which is exact only as that number grows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import below, jit, uniform
from facedown.games.cheat.cards import (
    NONE,
    RANKS,
    alike,
    choose,
    count,
    counted,
    insert,
    pack,
    unit,
)
from facedown.games.cheat.key import FALSE, NO_LABEL, TRUE
from facedown.games.cheat.sheet import Sheet, lay, moves_of, pick_up, set_out
from facedown.games.cheat.state import (
    CALL,
    FALSE_HIGHER,
    PILE,
    STOCK,
    TAKE,
    UNSEEN,
    beside,
    cards_of,
    goes_lower,
    laid_at,
    mover_of,
)
from facedown.games.cheat.survey import survey

TRIES = 64
HOPELESS = 100_000  # tries without any world that fits: only a view that no game leads to
IN_VAIN = 10_000  # tries without any world after which what is supposed counts as impossible
_SEED = 0x5EC4E7  # of the stream that such tries are drawn from, the same for every view


# --- slots ----------------------------------------------------------------------------------------


@jit
def _fill_shares(w: Any, rank: int) -> None:
    """What so many cards of a rank in each player's slots weigh."""
    free = w["pool"][rank]
    for i in range(min(free, w["slots"][0]) + 1):
        chosen = choose(free, i) * w["factor"][0, rank, i]
        for j in range(min(free - i, w["slots"][1]) + 1):
            w["share"][rank, i, j] = chosen * choose(free - i, j) * w["factor"][1, rank, j]


@jit
def _fill_ways(w: Any, ways: Any) -> None:
    """[rank, slots of player 0, slots of player 1]: how much all ways to fill them weigh together,
    with cards of this rank and those after it."""
    for a in range(w["slots"][0] + 1):
        for b in range(w["slots"][1] + 1):
            ways[RANKS, a, b] = 1.0 if a + b == 0 else 0.0
    for rank in range(RANKS - 1, -1, -1):
        _fill_shares(w, rank)
        free = w["pool"][rank]
        for a in range(w["slots"][0] + 1):
            for b in range(w["slots"][1] + 1):
                total = 0.0
                for i in range(min(a, free) + 1):
                    for j in range(min(b, free - i) + 1):
                        total += w["share"][rank, i, j] * ways[rank + 1, a - i, b - j]
                ways[rank, a, b] = total


@jit
def _draw_slots(w: Any, ways: Any, rng: int) -> None:
    """How many cards of each rank are in a player's slots."""
    a, b = w["slots"][0], w["slots"][1]
    for rank in range(RANKS):
        point, free = uniform(rng) * ways[rank, a, b], w["pool"][rank]
        x, y = 0, 0
        for i in range(min(a, free) + 1):
            for j in range(min(b, free - i) + 1):
                share = w["share"][rank, i, j] * ways[rank + 1, a - i, b - j]
                if point >= 0.0 and share > 0.0:
                    x, y = i, j
                    point -= share
        w["filled"][0, rank], w["filled"][1, rank] = x, y
        a, b = a - x, b - y


@jit
def _draw_taken(w: Any, player: int, rng: int) -> float:
    """Which of a player's cards are those that he took; what that weighs beside its proposal."""
    weight = 1.0
    for rank in range(RANKS):
        w["held"][player, rank] = w["could"][player, rank] = w["filled"][player, rank]
    for k in range(w["taken"][player] - 1, -1, -1):
        free = 0
        for rank in range(RANKS):
            free += w["held"][player, rank] - w["need"][player, k, rank]
        if free <= 0:
            return 0.0
        left, rank = below(rng, free), 0
        while True:
            here = w["held"][player, rank] - w["need"][player, k, rank]
            left -= here
            if left < 0:
                break
            rank += 1
        weight *= w["held"][player, rank] / here
        w["held"][player, rank] -= 1
        w["took"][player, k] = rank
    return weight


# --- the rounds -----------------------------------------------------------------------------------


@jit
def _shown(w: Any, player: int, rank: int, code: int, laid: int, later: bool) -> float:
    """What a claim that was shown weighs, beside what it weighed where all slots were filled."""
    k, had = cards_of(code), w["size"][player]
    held, could = w["held"], w["could"]
    if code < FALSE_HIGHER:
        if held[player, rank] < k:
            return 0.0
        return 1.0 / choose(could[player, rank], k) if later else 1.0
    if had - held[player, rank] < k:
        return 0.0
    weight = choose(max(had - could[player, rank], k), k) / choose(had - held[player, rank], k)
    while laid != 0:
        other, many = (laid & 15) - 1, 0
        while laid != 0 and (laid & 15) - 1 == other:
            many += 1
            laid >>= 4
        weight *= choose(held[player, other], many) / choose(could[player, other], many)
    return weight


@jit
def _lie(w: Any, player: int, rank: int, n: int, rng: int) -> int:
    """The list of `n` cards of other ranks that a player lays, each set of them as likely."""
    laid, left = 0, w["size"][player] - w["held"][player, rank]
    for _ in range(n):
        point, other = below(rng, left), 0
        while True:
            if other != rank:
                point -= w["held"][player, other] - count(counted(laid), other)
                if point < 0:
                    break
            other += 1
        laid = insert(laid, other)
        left -= 1
    return laid


@jit
def _supposed(w: Any, k: int, player: int, rank: int, code: int, rng: int) -> float:
    """Draw the cards of a claim that is supposed to be true or false; 0 where it cannot be."""
    n, same = cards_of(code), w["held"][player, rank]
    if code < FALSE_HIGHER:
        w["laid"][k] = alike(rank, n)
        return 1.0 if same >= n else 0.0
    if w["size"][player] - same < n:
        return 0.0
    w["laid"][k] = _lie(w, player, rank, n, rng)
    return 1.0


@jit
def _guess(w: Any, k: int, player: int, rank: int, code: int, rng: int) -> float:
    """Say whether a claim unseen is true, and draw its cards; how likely it was to be made."""
    n, had, same = cards_of(code), w["size"][player], w["held"][player, rank]
    true, false = same >= n, had - same >= n
    if not true and not false:
        return 0.0
    w["code"][k], w["laid"][k] = code - UNSEEN, alike(rank, n)
    if false and not (true and below(rng, 2) == 0):
        w["code"][k], w["laid"][k] = code - UNSEEN + FALSE_HIGHER, _lie(w, player, rank, n, rng)
    return (2.0 if true and false else 1.0) / w["truths"][k]  # type: ignore[no-any-return]


@jit
def _walk(s: Any, v: Any, w: Any, viewer: int, rng: int) -> float:
    """Go through the rounds with the slots as drawn; what the world weighs, at most 1."""
    ranks, rank, weight = v["ranks"], int(s["turned"]), 1.0
    deck = v["ranks"] * v["copies"] - 2 * v["dealt"] - 1
    seen = w["seen"]
    set_out(s, v, w)
    for k in range(int(s["n"])):
        player, code, laid = mover_of(s, k), int(s["line"][k]), laid_at(s, k)
        low, high = beside(rank, True, ranks), beside(rank, False, ranks)
        if player != viewer:
            had, up, down = w["size"][player], w["held"][player, high], w["held"][player, low]
            weight *= w["least"][k] / moves_of(s, k, had, up, down, deck)
        w["code"][k], w["laid"][k] = code, laid
        if code == CALL:
            pick_up(s, w, k)
        elif code == TAKE:
            if player != viewer:
                laid = w["took"][player, seen[player]] + 1
                seen[player] += 1
                w["held"][player, laid - 1] += 1
                w["laid"][k] = laid
            w["size"][player] += 1
            deck -= 1
        else:
            rank = low if goes_lower(code) else high
            if code >= UNSEEN:
                weight *= _guess(w, k, player, rank, code, rng)
            elif player != viewer and k >= s["since"]:
                weight *= _supposed(w, k, player, rank, code, rng)
            elif player != viewer:
                later = seen[player] < w["taken"][player]
                weight *= _shown(w, player, rank, code, laid, later)
            if weight == 0.0:
                return 0.0
            lay(w, player, w["laid"][k])
            w["size"][player] -= cards_of(code)
    return weight


@jit
def _try(s: Any, v: Any, w: Any, ways: Any, viewer: int, rng: int) -> float:
    """Draw a world; what it weighs beside its proposal."""
    _draw_slots(w, ways, rng)
    weight = _draw_taken(w, 0, rng) * _draw_taken(w, 1, rng)
    if weight == 0.0 or s["turned"] == NONE:
        return weight
    return weight * _walk(s, v, w, viewer, rng)


@jit
def _keep(s: Any, w: Any) -> None:
    for rank in range(RANKS):
        w["kept_held"][0, rank], w["kept_held"][1, rank] = w["held"][0, rank], w["held"][1, rank]
    for k in range(int(s["n"])):
        w["kept_code"][k], w["kept_laid"][k] = w["code"][k], w["laid"][k]


@jit
def _write(s: Any, v: Any, w: Any, viewer: int) -> None:
    """Make the view the world that was kept."""
    for k in range(int(s["n"])):
        s["line"][k], s["laid"][k] = w["kept_code"][k], w["kept_laid"][k]
    for player in range(2):
        if player != viewer:
            hand = 0
            for rank in range(RANKS):
                hand += w["kept_held"][player, rank] * unit(rank)
            s["cards"][player] = hand
    pile = 0
    if s["since"] == 0 and s["turned"] >= 0:
        pile = unit(int(s["turned"]))
    for k in range(int(s["since"]), int(s["n"])):
        if s["line"][k] < CALL:
            pile += counted(laid_at(s, k))
    if s["doing"] != NONE and s["doing"] != TAKE:
        pile += counted(laid_at(s, s["n"]))
    s["cards"][PILE] = pile
    s["cards"][STOCK] = pack(v["ranks"], v["copies"]) - pile - s["cards"][0] - s["cards"][1]


def determinize(v: Any, s: Any, viewer: int, rng: int) -> None:
    """Draw the cards that the viewer does not see and the truth of what the other claimed."""
    sheets = np.empty(1, Sheet)  # a record keeps no memory alive, so the array is used to the end
    w = sheets[0]
    survey(s, v, w, viewer)
    ways = np.empty((RANKS + 1, w["slots"][0] + 1, w["slots"][1] + 1))
    _fill_ways(w, ways)
    total = 0.0
    for k in range(HOPELESS):
        weight = _try(s, v, w, ways, viewer, rng)
        if weight > 0.0:
            total += weight
            accepted = uniform(rng) < weight
            if accepted or uniform(rng) * total < weight:
                _keep(s, w)
            if accepted:
                break
        if k >= TRIES - 1 and total > 0.0:
            break
    if total > 0.0:
        _write(s, v, sheets[0], viewer)


# --- what can be supposed -------------------------------------------------------------------------


@jit
def _can_be(s: Any, v: Any, viewer: int) -> bool:
    """Whether the view has a world at all.

    Without earlier claims unseen the slots tell; with them a world is looked for.
    """
    sheets, word = np.empty(1, Sheet), np.full(1, np.uint64(_SEED))
    w, rng = sheets[0], word.ctypes.data
    survey(s, v, w, viewer)
    ways = np.empty((RANKS + 1, w["slots"][0] + 1, w["slots"][1] + 1))
    _fill_ways(w, ways)
    found = False
    if ways[0, w["slots"][0], w["slots"][1]] > 0.0:
        for _ in range(IN_VAIN):
            found = _try(s, v, w, ways, viewer, rng) > 0.0
            if found:
                break
    return found and len(sheets) + len(word) == 2  # so both arrays are alive until here


def suppose(v: Any, s: Any, viewer: int, label: int) -> int:
    """Suppose that the claim which the other has just made is true, or a lie: see `secret`."""
    last = int(s["n"]) - 1
    if last < 0 or mover_of(s, last) == viewer or s["line"][last] < UNSEEN:
        return 1 if label == NO_LABEL else 0
    claim = int(s["line"][last]) - UNSEEN
    if label == TRUE:
        s["line"][last], s["laid"][last] = claim, alike(int(s["rank"]), cards_of(claim))
    elif label == FALSE:
        s["line"][last] = claim + FALSE_HIGHER
    else:
        return 0
    return 1 if _can_be(s, v, viewer) else 0
