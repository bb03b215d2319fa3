"""Simulated people at Cheat. They are no data of human players, of which none are public.

Every number is a person, with a temper of their own drawn around a crowd whose claims follow the
shares of Figure 2 (Bitan and Kraus 2017): people lie more where they cannot tell the truth, take a
card rather than lie if they are timid, call what looks wrong as far as they remember, take longer
over a lie or, some of them, hurry it, and change after being caught. They know their view alone.

The crowd was calibrated on games of these people with each other, by three constants, to what the
paper prints of people's behaviour (section 5.1): 40.4 to 44.8 % of claims are false, 19.6 to 23.9 %
of moves take a card; and calls near the 10.5 % of Figure 2. Nothing was tuned to whether anybody
wins. `FROZEN` is the fingerprint of how they play since then, by `learn.people.fingerprint`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

from facedown.core import Stream, derive
from facedown.games.cheat.policy import FIGURE_2
from facedown.games.cheat.state import CALL, FALSE_HIGHER, TAKE
from facedown.games.cheat.text import Round, history, lowers, next_rank, size_of

FROZEN = "f87c25d63a1317d7"

PUBLISHED = {  # sections 5.1 and 4.5; of calls Figure 2 has one number
    "false claims": (0.404, 0.448),
    "cards taken": (0.196, 0.239),
    "calls": (0.105, 0.105),
}

# The crowd, in log-odds: a lie where a true claim is possible, a card taken where none is, a call.
LIES, TAKES, CALLS = -1.1, -0.5, -3.3
_TAKES_ANYWAY = -1.5  # added to TAKES where a true claim is possible
_SECONDS = 18.0  # the median time of a decision; with its spread the mean is near the paper's 25
_FADES = 12.0  # rounds after which being caught weighs a third


@dataclass(frozen=True)
class Person:
    """A temper: what is added to the crowd's log-odds, and how fast and forgetful a person is."""

    boldness: float  # lies where the truth could be told
    evasion: float  # takes a card rather than to lie
    suspicion: float  # calls
    alertness: float  # the share of impossible claims that are noticed
    memory: int  # rounds that are recalled
    greed: float  # log-weight of each further card of a claim
    drift: float  # lies after being caught; below 0 for those whom it daunts
    pace: float  # the median time of a decision, in seconds
    unevenness: float  # the standard deviation of its logarithm
    tell: float  # what a lie adds to that logarithm; below 0 for those who hurry it


@cache
def person(number: int) -> Person:
    """The person of this number."""
    stream = Stream(derive(2017, "cheat", "person", number))

    def around(mean: float, spread: float) -> float:
        return mean + spread * _normal(stream)

    return Person(
        boldness=around(0.0, 0.8),
        evasion=around(0.0, 0.9),
        suspicion=around(0.0, 0.6),
        alertness=_share(around(1.5, 1.0)),
        memory=4 + stream.below(37),
        greed=around(0.0, 0.25),
        drift=around(-0.5, 0.5),
        pace=_SECONDS * math.exp(around(0.0, 0.4)),
        unevenness=0.35 + 0.4 * stream.random(),
        tell=around(0.25, 0.3),
    )


def learnt(who: Person, played: int) -> Person:
    """Somebody who has learnt from so many matches: recalls more, and notices more.

    How fast is an assumption: each match leaves three quarters of what goes unnoticed, and adds
    four rounds to what is recalled. Nobody learns to lie better.
    """
    if not played:
        return who
    unnoticed = (1.0 - who.alertness) * 0.75**played
    return replace(who, alertness=1.0 - unnoticed, memory=who.memory + 4 * played)


def _normal(stream: Stream) -> float:
    """A standard normal number (Box and Muller)."""
    radius = math.sqrt(-2.0 * math.log(1.0 - stream.random()))
    return radius * math.cos(2.0 * math.pi * stream.random())


def _share(log_odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-log_odds))


class CheatPeople:
    """The people of a variant with so many ranks of so many cards."""

    frozen = FROZEN
    published: ClassVar = PUBLISHED

    def __init__(self, ranks: int, copies: int) -> None:
        self._ranks, self._copies = ranks, copies

    def act(
        self,
        number: int,
        view: Any,
        player: int,
        legal: Sequence[int],
        stream: Stream,
        played: int = 0,
    ) -> tuple[int, float]:
        """What person `number` plays, from the record of their view, and the seconds it takes.

        `played` are the matches that they have behind them and have learnt from.
        """
        who = learnt(person(number), played)
        seen = _Seen(view, player, legal, history(view, self._ranks), self._ranks, self._copies)
        move = _decide(who, seen, stream)
        seconds = math.log(who.pace) + who.unevenness * _normal(stream)
        if FALSE_HIGHER <= move < CALL:
            seconds += who.tell
        return move, round(math.exp(seconds), 2)

    def figures(self, moves: Sequence[int]) -> Mapping[str, tuple[int, int]]:
        """False claims of claims; cards taken, and calls, of moves."""
        claims = [move for move in moves if move < CALL]
        lies = sum(move >= FALSE_HIGHER for move in claims)
        return {
            "false claims": (lies, len(claims)),
            "cards taken": (sum(move == TAKE for move in moves), len(moves)),
            "calls": (sum(move == CALL for move in moves), len(moves)),
        }


@dataclass(frozen=True)
class _Seen:
    """A decision as the person has it before them."""

    view: Any
    player: int
    legal: Sequence[int]
    rounds: list[Round]
    ranks: int
    copies: int

    def since(self, memory: int) -> list[Round]:
        """The rounds since the last call that are recalled."""
        first = max(int(self.view["since"]), len(self.rounds) - memory)
        return self.rounds[first:]


def _decide(who: Person, seen: _Seen, stream: Stream) -> int:
    if CALL in seen.legal and stream.random() < _doubt(who, seen):
        return CALL
    honest = [move for move in seen.legal if move < FALSE_HIGHER]
    lies = [move for move in seen.legal if FALSE_HIGHER <= move < CALL]
    if TAKE in seen.legal and stream.random() < _evasion(who, seen, bool(honest)):
        return TAKE
    if honest and (not lies or stream.random() >= _share(LIES + who.boldness + _after(who, seen))):
        return _drawn(who, seen, honest, stream)
    if lies:
        return _drawn(who, seen, lies, stream)
    return stream.choice(seen.legal)  # no cards: a card or a call is all there is


def _evasion(who: Person, seen: _Seen, truth: bool) -> float:
    """How likely a card is taken: more by those whom being caught has daunted."""
    odds = TAKES + who.evasion - _after(who, seen)
    return _share(odds + _TAKES_ANYWAY if truth else odds)


def _after(who: Person, seen: _Seen) -> float:
    """What having been caught adds to the log-odds of a lie; it fades."""
    caught = [
        len(seen.rounds) - k
        for k, one in enumerate(seen.rounds)
        if one.taker == seen.player and one.player != seen.player
    ]
    return who.drift * math.exp(-caught[-1] / _FADES) if caught else 0.0


def _doubt(who: Person, seen: _Seen) -> float:
    """How likely the claim just made is called."""
    view, last, other = seen.view, seen.rounds[-1], 1 - seen.player
    held = int(view["cards"][seen.player]) >> 4 * last.rank & 15
    recalled = seen.since(who.memory)
    laid = sum(
        one.cards.count(last.rank) for one in recalled if one.player == seen.player and one.claims
    )
    if held + laid + last.laid > seen.copies or view["size"][other] == 0:
        return who.alertness
    again = sum(one.player == other and one.claims and one.rank == last.rank for one in recalled)
    caught = sum(one.taker == other and one.player != other for one in seen.rounds[-who.memory :])
    odds = CALLS + who.suspicion
    odds += 0.5 * (last.laid - 1) + 0.5 * (held + laid) + 0.8 * (again - 1) + 0.2 * caught
    return _share(odds)


def _drawn(who: Person, seen: _Seen, claims: Sequence[int], stream: Stream) -> int:
    """One of the claims, by Figure 2 and the person's greed; a rank claimed lately is avoided."""
    rank, weights = int(seen.view["rank"]), []
    claimed = {
        one.rank for one in seen.since(who.memory) if one.player == seen.player and one.claims
    }
    for move in claims:
        again = next_rank(rank, lowers(move), seen.ranks) in claimed
        weight = FIGURE_2[move] * math.exp(who.greed * (size_of(move) - 1))
        weights.append(0.5 * weight if again else weight)
    left = stream.random() * sum(weights)
    for move, weight in zip(claims, weights, strict=True):
        left -= weight
        if left < 0:
            return move
    return claims[-1]
