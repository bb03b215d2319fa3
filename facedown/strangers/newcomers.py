"""Further families that are kept out of all training and tuning, as those of `kept` are."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import jit, uniform
from facedown.games.resistance.layout import MOST_PLAYERS, PLAYING, VOTING
from facedown.strangers import kept
from facedown.strangers.craft import (
    any_team,
    card,
    decisive,
    is_spy,
    last_attempt,
    own_team,
    proposal,
    spies_on,
    spies_team,
    sum_of,
    vote,
    vote_by,
    winnable,
    worst_of,
)
from facedown.strangers.family import Family

_PROPOSALS = 25


@jit
def hunter(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """Fixes on one suspect, who was on what failed last and most, and sends all but that one."""
    blame, team, own, spy = np.zeros(MOST_PLAYERS), int(s["team"]), 1 << player, is_spy(s)
    for k in range(_PROPOSALS):
        sent, _, failures = proposal(s, k)
        if sent == 0:
            break
        for p in range(v["players"]):
            if failures >= 0 and (sent >> p) & 1:
                blame[p] = q[0] * blame[p] + (failures if failures > 0 else -q[1])
    prime = -1
    for p in range(v["players"]):
        mate = spy and (int(s["spies"]) >> p) & 1 and q[6] > 0.4
        if p != player and not mate and blame[p] > 0.0 and (prime < 0 or blame[p] > blame[prime]):
            prime = p
    if s["phase"] == PLAYING:
        bold = uniform(rng) < q[4] if blame[player] <= 0.0 else uniform(rng) < q[5]
        return card(bold or decisive(s))
    if s["phase"] == VOTING:
        if last_attempt(s):
            return vote(rng, not spy or uniform(rng) < 0.5)
        if spy and team & own and uniform(rng) < q[3]:
            return vote(rng, True)
        hunted = prime >= 0 and (team >> prime) & 1 == 1
        return vote(rng, not hunted and (team & own != 0 or uniform(rng) > q[2]))
    worth = np.zeros(MOST_PLAYERS)
    for p in range(v["players"]):
        worth[p] = 5.0 if p == prime else 0.1 * blame[p]
    return own_team(v, s, player, worth, 0.3, rng)


@jit
def turncoat(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """Goes by the score: trusts while missions work, then trusts nobody but old companions."""
    team, own, spy = int(s["team"]), 1 << player, is_spy(s)
    ahead = int(s["round"]) - 2 * int(s["won"])
    if s["phase"] == PLAYING:
        chance = q[3] if ahead <= 0 else q[4]
        return card(uniform(rng) < chance or decisive(s))
    distance = np.zeros(MOST_PLAYERS)
    for k in range(_PROPOSALS):
        sent, yes, failures = proposal(s, k)
        if sent == 0:
            break
        for p in range(v["players"]):
            if failures > 0 and (sent >> p) & 1:
                distance[p] += q[1]
            if failures >= 0 and ((yes >> p) & 1) != ((yes >> player) & 1):
                distance[p] += q[2]
    if s["phase"] == VOTING:
        if last_attempt(s):
            return vote(rng, not spy or ahead > 0)
        mood = q[0] + 0.8 * ahead + 0.4 * s["attempt"]
        if spy:
            mood += q[5] * (1.0 if spies_on(v, s, team) > 0 else -1.0)
        return vote_by(rng, mood - sum_of(v, team & ~own, distance), 0.4)
    if spy and uniform(rng) < q[6]:
        return spies_team(v, s, player, distance, False, 0.2, rng)
    return own_team(v, s, player, distance, 0.2, rng)


@jit
def chairman(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """Judges leaders: by what they led, by whom they take and whether they go themselves."""
    team, own, spy, leader = int(s["team"]), 1 << player, is_spy(s), int(s["leader"])
    credit = np.zeros(MOST_PLAYERS)
    for k in range(_PROPOSALS):
        sent, _, failures = proposal(s, k)
        if sent == 0:
            break
        led = k % int(v["players"])
        if (sent >> led) & 1 == 0:
            credit[led] -= q[0]
        if failures >= 0:
            credit[led] += q[1] if failures == 0 else -q[2]
        for p in range(v["players"]):
            if failures > 0 and (sent >> p) & 1:
                credit[p] -= q[3]
    if s["phase"] == PLAYING:
        led_it = leader == (player + 1) % int(v["players"])  # whoever led has handed on already
        return card(decisive(s) or uniform(rng) < (q[6] if led_it else q[5]))
    for p in range(v["players"]):
        credit[p] = -credit[p]
    if s["phase"] == VOTING:
        if last_attempt(s) or leader == player:
            return vote(rng, leader == player or not spy)
        doubt = credit[leader] + worst_of(v, team & ~own, credit)
        if spy and winnable(v, s, team) and uniform(rng) < q[7]:
            return vote(rng, True)
        return vote_by(rng, q[4] + 0.3 * s["attempt"] - doubt, 0.25)
    return own_team(v, s, player, credit, 0.4, rng)


@jit
def ledger(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """Keeps points for all that anybody did, and approves teams below a line that it draws."""
    points, team, own, spy = np.zeros(MOST_PLAYERS), int(s["team"]), 1 << player, is_spy(s)
    for k in range(_PROPOSALS):
        sent, yes, failures = proposal(s, k)
        if sent == 0:
            break
        for p in range(v["players"]):
            inside, approved = (sent >> p) & 1, (yes >> p) & 1
            if failures > 0:
                points[p] += q[0] * inside + q[1] * approved
            elif failures == 0:
                points[p] -= q[0] * 0.7 * inside + (0.0 if approved else -q[1])
            elif approved and not inside:
                points[p] += q[2]
    if s["phase"] == PLAYING:
        rank = 0
        for p in range(v["players"]):
            rank += 1 if points[p] > points[player] else 0
        return card(decisive(s) or rank >= int(q[5]))
    mean = sum_of(v, int(v["everyone"]), points) / v["players"]
    if s["phase"] == VOTING:
        if last_attempt(s):
            return vote(rng, not spy)
        line = mean + q[3] + 0.2 * s["attempt"]
        fine = sum_of(v, team & ~own, points) <= line * v["bits"][team & ~own]
        if spy and uniform(rng) < q[4]:
            return vote(rng, spies_on(v, s, team) > 0)
        return vote(rng, fine)
    if uniform(rng) < 0.1:
        return any_team(v, s, rng)
    return own_team(v, s, player, points, 0.2, rng)


_FIRST = len(kept.FAMILIES)
_act = kept.act


@jit
def act(v: Any, s: Any, player: int, family: int, q: Any, rng: int) -> int:
    """The move of a player of one of the families of `SCRIPTED`, by its view."""
    if family < _FIRST:
        return _act(v, s, player, family, q, rng)
    if family == _FIRST:
        return hunter(v, s, player, q, rng)
    if family == _FIRST + 1:
        return turncoat(v, s, player, q, rng)
    if family == _FIRST + 2:
        return chairman(v, s, player, q, rng)
    return ledger(v, s, player, q, rng)


SCRIPTED = (
    *kept.FAMILIES,
    Family(
        "hunter",
        "fixes on one suspect",
        ((0.4, 1), (0.1, 0.8), (0, 0.5), (0, 1), (0.4, 1), (0.1, 0.9), (0, 1)),
    ),
    Family(
        "turncoat",
        "goes by the score",
        ((0.2, 1.6), (0.3, 1), (0, 0.5), (0.4, 1), (0.3, 1), (0, 1), (0, 1)),
    ),
    Family(
        "chairman",
        "judges leaders",
        ((0, 0.6), (0.1, 0.5), (0.2, 0.7), (0.1, 0.6), (0, 0.7), (0.5, 1), (0.2, 1), (0, 1)),
    ),
    Family(
        "ledger",
        "keeps points for all that is done",
        ((0.4, 1), (0, 0.5), (0, 0.3), (-0.1, 0.5), (0, 1), (0, 3)),
    ),
)
