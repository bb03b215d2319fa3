"""What a claim just made looks like to the other player: the features of a predictor of lies.

All come from the player's own view (section 4.7 of Bitan and Kraus 2017: "strictly from data that
is contained within the Information State") and from the time that the other took. `docs/learn.md`
has the table. The paper names four: the response time, lies caught by lies told until the last
call, cards taken by rounds, and rounds played; the rest of its 21 are not public.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from facedown.core.learning import Features
from facedown.games.cheat.key import FALSE, TRUE
from facedown.games.cheat.state import CALL, TAKE
from facedown.games.cheat.text import Round, history, lowers

UNKNOWN = math.nan

NAMES = (
    "response",
    "response-ratio",
    "rounds",
    "claim-size",
    "claim-lower",
    "own-hand",
    "other-hand",
    "table",
    "deck",
    "own-rank",
    "pile-rank",
    "room",
    "known-rank",
    "same-claims",
    "claims-since",
    "caught",
    "caught-rank",
    "caught-ratio",
    "lie-share",
    "take-rate",
    "call-rate",
)


def features(ranks: int, copies: int) -> Features:
    """The features of a variant with so many ranks of so many cards."""
    return Features(
        names=NAMES,
        labels=(TRUE, FALSE),
        words=("true claims", "false claims"),
        values=partial(values, ranks, copies),
        moment=moment,
        revealed=partial(revealed, ranks),
    )


def values(
    ranks: int, copies: int, view: Any, player: int, seconds: Sequence[float]
) -> tuple[float, ...]:
    """The features, in the order of NAMES, of a view in which the other has just claimed."""
    rounds = history(view, ranks)
    return (
        *_response(seconds),
        *_situation(view, player, rounds),
        *_cards(view, player, rounds, copies),
        *_claims(view, player, rounds),
        *_habits(view, player, rounds),
    )


def moment(view: Any) -> int:
    """The number of the round that was just played, from 0."""
    return int(view["n"]) - 1


def revealed(ranks: int, view: Any, player: int) -> Mapping[int, int]:
    """By round, whether the other's claims were true that calls have shown since."""
    return {
        k: TRUE if one.true else FALSE
        for k, one in enumerate(_shown(view, history(view, ranks)))
        if one.player != player and one.claims
    }


def _shown(view: Any, rounds: Sequence[Round]) -> Sequence[Round]:
    """The rounds up to the last call, whose claims everybody has seen turned up."""
    return rounds[: int(view["since"])]


def _response(seconds: Sequence[float]) -> tuple[float, float]:
    """The time over this claim, and the logarithm of its ratio to the usual one before it."""
    if not seconds:
        return UNKNOWN, UNKNOWN
    now, before = seconds[-1], [s for s in seconds[:-1] if s > 0]
    if not before or not now > 0:
        return now, UNKNOWN
    return now, math.log(now / usual(before))


def usual(seconds: Sequence[float]) -> float:
    """The usual one of times that are known, and not 0: their geometric mean."""
    return math.exp(sum(map(math.log, seconds)) / len(seconds))


def _situation(view: Any, player: int, rounds: Sequence[Round]) -> tuple[float, ...]:
    last = rounds[-1]
    return (
        float(len(rounds)),
        float(last.laid),
        float(lowers(last.move)),
        float(view["size"][player]),
        float(view["size"][1 - player]),
        float(view["table"]),
        float(view["deck"]),
    )


def _cards(view: Any, player: int, rounds: Sequence[Round], copies: int) -> tuple[float, ...]:
    """Where cards of the claimed rank are: less than no room makes the claim impossible."""
    rank = rounds[-1].rank
    held, laid = of_rank(view["cards"][player], rank), in_pile(view, player, rounds, rank)
    room = copies - held - laid - rounds[-1].laid
    return float(held), float(laid), float(room), float(of_rank(view["known"][1 - player], rank))


def of_rank(cards: int, rank: int) -> int:
    """How many of the cards, in counts, have the rank.

    >>> of_rank(0x201, 2)
    2
    """
    return int(cards) >> 4 * rank & 15


def in_pile(view: Any, player: int, rounds: Sequence[Round], rank: int) -> int:
    """Cards of the rank that the player knows to lie on the table: own ones, the one turned up."""
    since = int(view["since"])
    laid = sum(
        one.cards.count(rank) for one in rounds[since:] if one.player == player and one.claims
    )
    return laid + (since == 0 and int(view["turned"]) == rank)


@dataclass(frozen=True)
class _Claimer:
    """What the other has done, as far as the player has seen it."""

    since: Sequence[Round]  # claims since the last call, the one just made among them
    shown: Sequence[Round]  # claims that were turned up


def _claimer(view: Any, player: int, rounds: Sequence[Round]) -> _Claimer:
    own = [(k, one) for k, one in enumerate(rounds) if one.player != player and one.claims]
    split = int(view["since"])
    return _Claimer([one for k, one in own if k >= split], [one for k, one in own if k < split])


def _claims(view: Any, player: int, rounds: Sequence[Round]) -> tuple[float, ...]:
    other, rank = _claimer(view, player, rounds), rounds[-1].rank
    times = int(view["times"][1 - player])
    lies = sum(not one.true for one in other.shown)
    return (
        float(sum(one.rank == rank for one in other.since) - 1),
        float(len(other.since)),
        float(times),
        float(int(view["caught"][1 - player]) >> rank & 1),
        times / lies if lies else UNKNOWN,
        (lies + 1) / (len(other.shown) + 2),
    )


def _habits(view: Any, player: int, rounds: Sequence[Round]) -> tuple[float, float]:
    """How often the other took a card, by rounds; and called, by claims that could be called."""
    own = [one for one in rounds if one.player != player]
    asked = sum(one.player == player and one.claims for one in rounds[:-1])
    called = sum(one.move == CALL for one in own)
    took = sum(one.move == TAKE for one in own)
    return took / len(own), called / asked if asked else UNKNOWN
