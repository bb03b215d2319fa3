"""The families that are kept out of all training and tuning: nothing that learns imports this.

They are met in measurements alone (`benchmarks/strangers.py`, the agent `stranger`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import jit, uniform
from facedown.games.resistance.layout import MASKS, MOST_PLAYERS, PLAYING, TEAM, VOTING
from facedown.strangers.craft import (
    any_team,
    card,
    count_missions,
    decisive,
    is_spy,
    last_attempt,
    my_turn,
    own_team,
    proposal,
    spies_on,
    spies_team,
    sum_of,
    team_by,
    vote,
    vote_by,
    winnable,
    worst_of,
)
from facedown.strangers.family import Family

MOST_PROPOSALS = 25


@jit
def expert(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """A list of rules, as programs of tournaments have: certainties first, then habits."""
    failed, passed = np.zeros(MOST_PLAYERS), np.zeros(MOST_PLAYERS)
    count_missions(v, s, failed, passed)
    sure = 0  # on a team with as many failures as members beside oneself
    for k in range(MOST_PROPOSALS):
        team, _, failures = proposal(s, k)
        if team == 0:
            break
        rest = team & ~(1 << player)
        if failures > 0 and v["bits"][rest] == failures:
            sure |= rest
    team, own, spy = int(s["team"]), 1 << player, is_spy(s)
    if s["phase"] == PLAYING:
        if s["won"] == 2 or (s["round"] - s["won"] == 2):
            return card(my_turn(v, s, player, 0, failed, rng))
        if s["round"] == 0 and v["bits"][team] <= 2 and uniform(rng) < q[0]:
            return card(False)
        mine = s["leader"] == (player + 1) % int(v["players"])  # who leads has gone on by then
        return card(spies_on(v, s, team) == 1 or mine or uniform(rng) < q[1])
    if s["phase"] == VOTING:
        if s["leader"] == player or last_attempt(s):
            return vote(rng, not (spy and last_attempt(s)))
        if spy and spies_on(v, s, team) > 0 and (s["won"] == 2 or uniform(rng) < q[2]):
            return vote(rng, True)
        if team & sure:
            return vote(rng, False)
        if v["bits"][team] >= 3 and not team & own and uniform(rng) < q[3]:
            return vote(rng, False)
        if s["round"] == 0:
            return vote(rng, uniform(rng) < q[4])
        return vote(rng, worst_of(v, team & ~own, failed) <= q[5] * s["round"])
    worth = np.zeros(MOST_PLAYERS)
    for p in range(v["players"]):
        worth[p] = -failed[p] - (5.0 if (sure >> p) & 1 else 0.0) + uniform(rng) * 0.1
        if spy and p != player and (int(s["spies"]) >> p) & 1:
            worth[p] -= 3.0
    worth[player] = 10.0
    return team_by(v, s, worth, 0.0, rng)


@jit
def pairs(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """Keeps odds for every pair, multiplied by what its members do at each proposal."""
    n = int(v["players"])
    odds, suspicion = np.ones((MOST_PLAYERS, MOST_PLAYERS)), np.zeros(MOST_PLAYERS)
    for k in range(MOST_PROPOSALS):
        team, yes, failures = proposal(s, k)
        if team == 0:
            break
        for a in range(n):
            for b in range(a):
                inside = ((team >> a) & 1) + ((team >> b) & 1)
                if failures > 0:
                    odds[a, b] *= q[0] if inside >= failures else 0.02
                elif failures == 0:
                    odds[a, b] *= 1.0 - q[1] * inside
                agree = ((yes >> a) & 1) == ((yes >> b) & 1)
                odds[a, b] *= 1.0 + q[2] if agree else 1.0
    total = 0.0
    for a in range(n):
        for b in range(a):
            if player not in (a, b):
                total += odds[a, b]
                suspicion[a] += odds[a, b]
                suspicion[b] += odds[a, b]
    for p in range(n):
        suspicion[p] /= total
    team, own, spy = int(s["team"]), 1 << player, is_spy(s)
    if s["phase"] == PLAYING:
        bold = uniform(rng) < q[3] + 0.15 * s["round"]
        return card(my_turn(v, s, player, 3, suspicion, rng) and (bold or decisive(s)))
    if s["phase"] == VOTING:
        if last_attempt(s):
            return vote(rng, not spy)
        helped = q[5] if spy and winnable(v, s, team) else 0.0
        average = sum_of(v, team & ~own, suspicion) / max(1, v["bits"][team & ~own])
        return vote_by(rng, q[4] + 0.06 * s["attempt"] + helped - average, 0.06)
    if spy:
        return spies_team(v, s, player, suspicion, uniform(rng) < 0.2, 0.02, rng)
    return own_team(v, s, player, suspicion, 0.02, rng)


@jit
def grudge(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """Likes who takes it along and votes for it, and forgives nothing."""
    feeling = np.zeros(MOST_PLAYERS)
    own, n = 1 << player, int(v["players"])
    for k in range(MOST_PROPOSALS):
        team, yes, failures = proposal(s, k)
        if team == 0:
            break
        leader = k % n
        feeling[leader] += q[0] if team & own else -q[1]
        for p in range(n):
            if team & own:
                feeling[p] += 0.5 * q[0] if (yes >> p) & 1 else -q[2]
            if failures > 0 and (team >> p) & 1:
                feeling[p] -= q[3]
            elif failures == 0 and (team >> p) & 1:
                feeling[p] += 0.5
    feeling[player] = 5.0
    team, spy = int(s["team"]), is_spy(s)
    if s["phase"] == PLAYING:
        if decisive(s):
            return card(True)
        liked = sum_of(v, team & ~own, feeling)
        return card(uniform(rng) < (q[5] if liked > 0.0 else q[6]))
    if s["phase"] == VOTING:
        if s["leader"] == player:
            return vote(rng, True)
        leaning = sum_of(v, team & ~own, feeling) / v["bits"][team] + q[4] + 0.4 * s["attempt"]
        leaning += 0.5 * feeling[int(s["leader"])]
        if spy:
            leaning += 0.8 if winnable(v, s, team) else -0.4
        if last_attempt(s) and not spy:
            leaning += 3.0
        return vote_by(rng, leaning, 0.3)
    return team_by(v, s, feeling, 0.1, rng)


@jit
def follower(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """Goes with the table: votes as most did on teams like this, proposes what went through."""
    liking = np.zeros(MOST_PLAYERS)
    n, own, spy = int(v["players"]), 1 << player, is_spy(s)
    for k in range(MOST_PROPOSALS):
        team, yes, failures = proposal(s, k)
        if team == 0:
            break
        popular = 2.0 * v["bits"][yes] / n - 1.0
        for p in range(n):
            if (team >> p) & 1:
                liking[p] = q[0] * liking[p] + popular - (q[1] if failures > 0 else 0.0)
    team = int(s["team"])
    if s["phase"] == PLAYING:
        hated = liking[player] < -0.5
        return card(decisive(s) or uniform(rng) < (q[2] if hated else q[3]))
    if s["phase"] == VOTING:
        if last_attempt(s):
            return vote(rng, not spy or uniform(rng) < 0.3)
        leaning = sum_of(v, team & ~own, liking) / v["bits"][team] + q[4] + 0.15 * s["attempt"]
        if spy and s["won"] == 2 and winnable(v, s, team):
            leaning += 1.0
        return vote_by(rng, leaning, q[5])
    liking[player] += q[6]
    return team_by(v, s, liking, 0.15, rng)


@jit
def sleeper(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """Deep cover: a spy is one of the best of the resistance until it has to act.

    One of the resistance is wary: it rejects until late, and trusts only who has been on missions.
    """
    failed, passed = np.zeros(MOST_PLAYERS), np.zeros(MOST_PLAYERS)
    count_missions(v, s, failed, passed)
    distrust = np.zeros(MOST_PLAYERS)
    for p in range(v["players"]):
        distrust[p] = 1.0 + q[0] * failed[p] - q[1] * passed[p]
    distrust[player] = 0.0
    team, own, spy = int(s["team"]), 1 << player, is_spy(s)
    left = 5 - int(s["round"])
    if s["phase"] == PLAYING:
        must = 3 - int(s["won"]) >= left - q[2]
        return card((must or decisive(s)) and my_turn(v, s, player, 2, distrust, rng))
    if s["phase"] == VOTING:
        if last_attempt(s):
            return vote(rng, not spy)
        if s["leader"] == player:
            return vote(rng, True)
        if spy and decisive(s):
            return vote(rng, winnable(v, s, team))
        patience = q[3] if s["attempt"] < 2 else 0.0
        average = sum_of(v, team & ~own, distrust) / max(1, v["bits"][team & ~own])
        return vote(rng, average <= q[4] + 0.2 * s["attempt"] and uniform(rng) >= patience)
    return own_team(v, s, player, distrust, 0.05, rng)


@jit
def quick(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """Decides by the last thing that happened, and by gut."""
    last, yes, failures, number = 0, 0, -1, 0
    for k in range(MOST_PROPOSALS):
        team, approved, found = proposal(s, k)
        if team == 0:
            break
        number = k + 1
        if found >= 0:
            last, yes, failures = team, approved, found
    team, own, spy = int(s["team"]), 1 << player, is_spy(s)
    if s["phase"] == PLAYING:
        usual = q[0] if failures > 0 else q[1]
        return card(uniform(rng) < usual or s["won"] == 2)
    if s["phase"] == VOTING:
        leaning = q[2] + (q[3] if team & own else -q[3]) + 0.2 * number / 5.0
        if failures > 0:
            leaning -= q[4] * v["bits"][team & last & ~own]
            leaning -= 0.3 * ((yes >> int(s["leader"])) & 1)
        elif failures == 0:
            leaning += q[5] * v["bits"][team & last]
        if spy:
            leaning += q[6] * (spies_on(v, s, team) - 0.5)
        if last_attempt(s):
            leaning += 2.0 if not spy else -2.0
        return vote_by(rng, leaning, 0.4)
    worth = np.zeros(MOST_PLAYERS)
    for p in range(v["players"]):
        met = 1.0 if (last >> p) & 1 else 0.0
        worth[p] = met * (1.0 if failures == 0 else -1.0) + 0.3 * uniform(rng)
    worth[player] += q[7]
    return team_by(v, s, worth, 0.1, rng)


@jit
def gambler(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """Mixes on purpose: sabotages, approves and chooses by fixed shares, to be hard to read."""
    failed, passed = np.zeros(MOST_PLAYERS), np.zeros(MOST_PLAYERS)
    count_missions(v, s, failed, passed)
    failed[player] = 0.0
    team, spy = int(s["team"]), is_spy(s)
    if s["phase"] == PLAYING:
        n = spies_on(v, s, team)
        return card(decisive(s) or uniform(rng) < (q[0] if n == 1 else q[1]))
    if s["phase"] == VOTING:
        if last_attempt(s):
            return vote(rng, not spy)
        looks_bad = worst_of(v, team, failed) > 0.0
        share = q[3] if looks_bad else q[2]
        if spy:
            share += q[4] if winnable(v, s, team) else -q[4]
        return vote(rng, uniform(rng) < share)
    if uniform(rng) < q[5]:
        return any_team(v, s, rng)
    chosen = own_team(v, s, player, failed, 0.1, rng)
    if spy and not winnable(v, s, (chosen - TEAM) & (MASKS - 1)):
        return spies_team(v, s, player, failed, False, 0.1, rng)
    return chosen


@jit
def act(v: Any, s: Any, player: int, family: int, q: Any, rng: int) -> int:
    """The move of a player of a family, by its view."""
    if family == 0:
        return expert(v, s, player, q, rng)
    if family == 1:
        return pairs(v, s, player, q, rng)
    if family == 2:
        return grudge(v, s, player, q, rng)
    if family == 3:
        return follower(v, s, player, q, rng)
    if family == 4:
        return sleeper(v, s, player, q, rng)
    if family == 5:
        return quick(v, s, player, q, rng)
    return gambler(v, s, player, q, rng)


FAMILIES = (
    Family(
        "expert",
        "a list of rules, certainties first",
        ((0, 1), (0, 0.8), (0.2, 1), (0.3, 1), (0.4, 1), (0, 0.6)),
    ),
    Family(
        "pairs",
        "odds for every pair, by all that is seen",
        ((1.3, 3), (0.1, 0.35), (0, 0.2), (0.2, 1), (0.35, 0.6), (0, 0.4)),
    ),
    Family(
        "grudge",
        "likes who takes it along, forgives nothing",
        ((0.1, 0.8), (0, 0.4), (0, 0.5), (0.5, 2.5), (-0.3, 0.6), (0.3, 1), (0.6, 1)),
    ),
    Family(
        "follower",
        "goes with the table",
        ((0.5, 1), (0.3, 1.5), (0, 0.7), (0.5, 1), (0, 0.5), (0.05, 0.4), (0, 2)),
    ),
    Family(
        "sleeper",
        "deep cover as a spy, wary otherwise",
        ((0.5, 2), (0.2, 0.8), (0, 1.5), (0, 0.6), (0.6, 1.3)),
    ),
    Family(
        "quick",
        "by the last thing that happened",
        (
            (0.5, 1),
            (0.3, 1),
            (-0.3, 0.6),
            (0, 0.6),
            (0.2, 1),
            (0, 0.6),
            (0, 0.6),
            (0, 1.5),
        ),
    ),
    Family(
        "gambler",
        "mixes on purpose",
        ((0.5, 1), (0.2, 0.7), (0.5, 0.95), (0.1, 0.5), (0, 0.35), (0, 0.5)),
    ),
)
