"""What a view tells of all its worlds, before any is drawn: see `worlds`."""

from __future__ import annotations

from typing import Any

from facedown.core import jit
from facedown.games.cheat.cards import COPIES, NONE, RANKS, choose, count, counted
from facedown.games.cheat.sheet import lay, moves_of, pick_up, set_out
from facedown.games.cheat.state import (
    CALL,
    FALSE_HIGHER,
    TAKE,
    UNSEEN,
    beside,
    cards_of,
    goes_lower,
    is_claim,
    laid_at,
    mover_of,
)


@jit
def _begin(s: Any, v: Any, w: Any, viewer: int) -> None:
    """Before the first round: what everybody was dealt, the card that was turned up."""
    for player in range(2):
        for rank in range(RANKS):
            w["held"][player, rank] = w["could"][player, rank] = w["needed"][player, rank] = 0
            for n in range(COPIES + 1):
                w["factor"][player, rank, n] = 1.0
    set_out(s, v, w)
    for player in range(2):
        dealt = w["size"][player]
        w["taken"][player], w["gone"][player] = 0, 0
        w["slots"][player] = 0 if player == viewer else dealt
    for k in range(int(s["n"])):
        player = mover_of(s, k)
        if s["line"][k] == TAKE and player != viewer:
            w["taken"][player] += 1
            w["slots"][player] += 1


@jit
def _weigh_claim(w: Any, player: int, rank: int, code: int, laid: int, later: bool) -> None:
    """The factors of a claim that was shown; `later`: the player took cards after it.

    Then a true one, too, weighs as if its cards had been chosen among those of its rank: that makes
    up for `_draw_taken`, which does not take away what had to be there.
    """
    k, had = cards_of(code), w["size"][player]
    for filled in range(COPIES + 1):
        n, share = filled + w["held"][player, rank], 0.0
        if n >= 0 and code < FALSE_HIGHER:
            share = choose(n, k) if later else min(choose(n, k), 1.0)
        elif n >= 0 and (later or had - n >= k):
            share = 1.0 / choose(max(had - n, k), k)
        w["factor"][player, rank, filled] *= share
    if code >= FALSE_HIGHER:
        while laid != 0:
            other, many = (laid & 15) - 1, 0
            while laid != 0 and (laid & 15) - 1 == other:
                many += 1
                laid >>= 4
            for filled in range(COPIES + 1):
                n = filled + w["held"][player, other]
                w["factor"][player, other, filled] *= choose(n, many)


@jit
def _weigh_supposed(w: Any, player: int, rank: int, code: int) -> None:
    """The factors of the last claim where it is supposed to be true, or a lie of any cards.

    Earlier claims unseen may have laid cards of its rank: he held so many of them at most, and that
    many fewer at least.
    """
    k, had, gone = cards_of(code), w["size"][player], w["gone"][player]
    for filled in range(COPIES + 1):
        n = filled + w["held"][player, rank]
        fits = n >= k if code < FALSE_HIGHER else had - max(n - gone, 0) >= k
        if not fits:
            w["factor"][player, rank, filled] = 0.0


@jit
def survey(s: Any, v: Any, w: Any, viewer: int) -> None:
    """Walk through the rounds for what every world has in common.

    `held` is here what a player picked up less what he was shown to lay, and may be below 0.
    """
    _begin(s, v, w, viewer)
    needed, seen = w["needed"], w["seen"]
    ranks, rank, since = v["ranks"], int(s["turned"]), int(s["since"])
    deck = v["ranks"] * v["copies"] - 2 * v["dealt"] - 1
    for k in range(int(s["n"])):
        player, code = mover_of(s, k), int(s["line"][k])
        low, high = beside(rank, True, ranks), beside(rank, False, ranks)
        if player != viewer:
            gone = w["gone"][player]  # of what he surely had, so much may be on the table unseen
            up = max(w["held"][player, high] + needed[player, high] - gone, 0)
            down = max(w["held"][player, low] + needed[player, low] - gone, 0)
            w["least"][k] = moves_of(s, k, w["size"][player], up, down, deck)
        if code == CALL:
            pick_up(s, w, k)
        elif code == TAKE:
            if player != viewer:
                for x in range(RANKS):
                    w["need"][player, seen[player], x] = needed[player, x]
                seen[player] += 1
            w["size"][player] += 1
            deck -= 1
        else:
            rank = low if goes_lower(code) else high
            laid = laid_at(s, k)
            if code >= UNSEEN:
                w["gone"][player] += cards_of(code)
            elif player != viewer and k >= since:
                _weigh_supposed(w, player, rank, code)
                laid = 0  # they lie among what is unseen, for all that claims before can have been
            elif player != viewer:
                later = seen[player] < w["taken"][player]
                _weigh_claim(w, player, rank, code, laid, later)
            lay(w, player, laid)
            for x in range(RANKS):
                needed[player, x] = max(needed[player, x], -w["held"][player, x])
            w["size"][player] -= cards_of(code)
    _count_unplaced(s, v, w, viewer)


@jit
def _count_unplaced(s: Any, v: Any, w: Any, viewer: int) -> None:
    """The cards that the viewer has not placed, and which claims unseen can be true."""
    laying = 0
    if viewer >= 0 and s["doing"] != NONE and s["doing"] != TAKE:
        laying = counted(laid_at(s, s["n"]))
    for x in range(RANKS):
        w["pool"][x] = v["copies"] - (1 if s["turned"] == x else 0) if x < v["ranks"] else 0
        if viewer >= 0:  # less what came to himself
            own = count(s["cards"][viewer], x) + count(laying, x) - w["held"][viewer, x]
            w["pool"][x] -= own
    rank = int(s["rank"])
    for k in range(int(s["n"]) - 1, int(s["since"]) - 1, -1):
        code, player = int(s["line"][k]), mover_of(s, k)
        if is_claim(code):
            most = w["pool"][rank] + w["held"][player, rank]
            w["truths"][k] = 2 if most >= cards_of(code) else 1
            rank = beside(rank, not goes_lower(code), v["ranks"])
