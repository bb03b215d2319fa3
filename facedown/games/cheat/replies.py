"""What a claim not yet made promises its player: the features of a predictor of calls.

The first thing that Bitan and Kraus (2017, section 6) leave for later is a model of "the
probability that the opponent will Call Cheat at a claim". All features come from the claimer's own
view before the claim, from the claim itself and from the times that the other took; `docs/learn.md`
has the table. Whether the claim is true is no feature, for nobody can react to what they do not
see; that the claimer holds cards of the rank is one, for the other does not hold those.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from facedown.core.learning import Replies
from facedown.games.cheat.features import UNKNOWN, in_pile, of_rank, usual
from facedown.games.cheat.state import CALL, TAKE
from facedown.games.cheat.text import Round, history, lowers, next_rank, size_of

NAMES = (
    "rounds",
    "claim-size",
    "claim-lower",
    "own-hand",
    "other-hand",
    "table",
    "deck",
    "other-most",
    "known-rank",
    "room",
    "same-claims",
    "other-claims",
    "claims-since",
    "caught",
    "caught-rank",
    "lie-share",
    "call-rate",
    "last-call",
    "call-success",
    "take-rate",
    "response",
    "response-usual",
)


def replies(ranks: int, copies: int) -> Replies:
    """The features of a variant with so many ranks of so many cards."""
    return Replies(
        names=NAMES,
        words=("claims let pass", "claims called"),
        reply=CALL,
        asks=is_claim,
        values=partial(values, ranks, copies),
        moment=moment,
        revealed=partial(revealed, ranks),
    )


def is_claim(move: int) -> bool:
    """Whether a move can be called."""
    return move < CALL


def values(
    ranks: int, copies: int, view: Any, player: int, move: int, seconds: Sequence[float]
) -> tuple[float, ...]:
    """The features, in the order of NAMES, of a claim that the player may make in this view."""
    rounds = history(view, ranks)
    rank = next_rank(int(view["rank"]), lowers(move), ranks)
    return (
        *_situation(view, player, move),
        *_cards(view, player, rounds, rank, copies, size_of(move)),
        *_claims(view, player, rounds, rank),
        *_caller(player, rounds),
        *_times(seconds),
    )


def moment(view: Any) -> int:
    """The number of the round that is played next, from 0."""
    return int(view["n"])


def revealed(ranks: int, view: Any, player: int) -> Mapping[int, int]:
    """By round, whether the player's claims were called that the other has answered."""
    rounds = history(view, ranks)
    return {
        k: int(rounds[k + 1].move == CALL)
        for k, one in enumerate(rounds[:-1])
        if one.player == player and one.claims
    }


def _situation(view: Any, player: int, move: int) -> tuple[float, ...]:
    """Rounds, the claim, and how many cards are where after it."""
    laid = size_of(move)
    return (
        float(view["n"]),
        float(laid),
        float(lowers(move)),
        float(int(view["size"][player]) - laid),
        float(view["size"][1 - player]),
        float(int(view["table"]) + laid),
        float(view["deck"]),
    )


def _cards(
    view: Any, player: int, rounds: Sequence[Round], rank: int, copies: int, laid: int
) -> tuple[float, float, float]:
    """How many of the rank the other can hold, surely holds, and has room for beside the claim."""
    own = of_rank(view["cards"][player], rank) + in_pile(view, player, rounds, rank)
    known = of_rank(view["known"][1 - player], rank)
    return float(copies - own), float(known), float(copies - known - laid)


def _claims(view: Any, player: int, rounds: Sequence[Round], rank: int) -> tuple[float, ...]:
    """What the other has seen the player claim."""
    since = int(view["since"])
    lately = [one for one in rounds[since:] if one.claims]
    own = [one for one in lately if one.player == player]
    shown = [one for one in rounds[:since] if one.player == player and one.claims]
    return (
        float(sum(one.rank == rank for one in own)),
        float(sum(one.rank == rank for one in lately if one.player != player)),
        float(len(own)),
        float(view["times"][player]),
        float(int(view["caught"][player]) >> rank & 1),
        (sum(not one.true for one in shown) + 1) / (len(shown) + 2),
    )


def _caller(player: int, rounds: Sequence[Round]) -> tuple[float, ...]:
    """How often the other called, how long ago, and how often that was right; and took a card."""
    asked = sum(one.player == player and one.claims for one in rounds[:-1])
    turns = [(k, one) for k, one in enumerate(rounds) if one.player != player]
    calls = [k for k, one in turns if one.move == CALL]
    right = sum(rounds[k].taker == player for k in calls)
    took = sum(one.move == TAKE for _, one in turns)
    return (
        len(calls) / asked if asked else UNKNOWN,
        float(len(rounds) - calls[-1]) if calls else UNKNOWN,
        (right + 1) / (len(calls) + 2),
        took / len(turns) if turns else UNKNOWN,
    )


def _times(seconds: Sequence[float]) -> tuple[float, float]:
    """The time over the other's last decision, and the usual one of all."""
    known = [s for s in seconds if s > 0]
    last = seconds[-1] if seconds else math.nan
    return last, usual(known) if known else UNKNOWN
