"""The families to learn from."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import jit, uniform
from facedown.games.resistance.layout import MOST_PLAYERS, PLAYING, VOTING
from facedown.strangers.craft import (
    any_team,
    card,
    count_missions,
    decisive,
    is_spy,
    last_attempt,
    mission_suspicion,
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


@jit
def counter(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """Counts who was on sabotaged missions and who on others, and approves what counts little."""
    failed, passed = np.zeros(MOST_PLAYERS), np.zeros(MOST_PLAYERS)
    count_missions(v, s, failed, passed)
    for p in range(v["players"]):
        failed[p] -= q[0] * passed[p]
    failed[player] = 0.0
    if s["phase"] == PLAYING:
        ready = uniform(rng) < (q[4] if s["round"] == 0 else q[5])
        return card(my_turn(v, s, player, int(q[6]), failed, rng) and (ready or decisive(s)))
    if is_spy(s) and uniform(rng) > q[3]:
        if s["phase"] == VOTING:
            return vote(rng, winnable(v, s, int(s["team"])) and not last_attempt(s))
        return spies_team(v, s, player, failed, False, 0.1, rng)
    if s["phase"] == VOTING:
        outside = 0.0 if (int(s["team"]) >> player) & 1 else q[2]
        limit = q[1] + 0.25 * s["attempt"] - outside
        return vote(rng, last_attempt(s) or sum_of(v, int(s["team"]), failed) <= limit)
    return own_team(v, s, player, failed, 0.1, rng)


@jit
def bayesian(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """Weighs worlds by missions and asks for a clean team; a spy reckons how it would look."""
    suspicion = np.zeros(MOST_PLAYERS)
    spy = is_spy(s)
    mission_suspicion(v, s, 0 if spy else 1 << player, q[0], False, suspicion)
    team = int(s["team"])
    if s["phase"] == PLAYING:
        shy = suspicion[player] > q[4] and not decisive(s)
        return card(my_turn(v, s, player, int(q[6]), suspicion, rng) and not shy)
    if spy and uniform(rng) > q[3]:
        if s["phase"] == VOTING:
            return vote(rng, winnable(v, s, team) and not last_attempt(s))
        return spies_team(v, s, player, suspicion, q[5] > 0.5, 0.05, rng)
    if s["phase"] == VOTING:
        limit = q[1] + (1.0 - q[1]) * s["attempt"] / 4.0
        own = 1 << player
        return vote_by(rng, limit - worst_of(v, team & ~own, suspicion), q[2])
    return own_team(v, s, player, suspicion, 0.02, rng)


@jit
def watcher(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """Watches votes too: who approved what failed, and who rejected what did not."""
    suspicion, votes = np.zeros(MOST_PLAYERS), np.zeros(MOST_PLAYERS)
    spy = is_spy(s)
    mission_suspicion(v, s, 0 if spy else 1 << player, q[0], False, suspicion)
    for k in range(25):
        team, yes, failures = proposal(s, k)
        if team == 0:
            break
        for p in range(v["players"]):
            if failures >= 0 and p != player:
                wrong = ((yes >> p) & 1) == (1 if failures > 0 else 0)
                votes[p] += q[1] if wrong else -q[1]
            if p == k % v["players"] and failures > 0 and p != player:
                votes[p] += q[2]
    for p in range(v["players"]):
        suspicion[p] += votes[p]
    team, own = int(s["team"]), 1 << player
    if s["phase"] == PLAYING:
        ready = uniform(rng) < q[5] or decisive(s)
        return card(my_turn(v, s, player, 2, suspicion, rng) and ready)
    if s["phase"] == VOTING:
        if spy and uniform(rng) < q[6]:
            return vote(rng, winnable(v, s, team) and not last_attempt(s))
        if last_attempt(s):
            return vote(rng, not spy)
        limit = q[3] + 0.1 * s["attempt"]
        return vote_by(rng, limit - sum_of(v, team & ~own, suspicion) / v["bits"][team], q[4])
    if spy:
        return spies_team(v, s, player, suspicion, False, 0.1, rng)
    return own_team(v, s, player, suspicion, 0.05, rng)


@jit
def person(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """Leans, as people do: towards teams with oneself, against suspects, towards an end."""
    suspicion = np.zeros(MOST_PLAYERS)
    spy = is_spy(s)
    mission_suspicion(v, s, 0 if spy else 1 << player, 0.7, q[8] > 0.5, suspicion)
    team, own = int(s["team"]), 1 << player
    if s["phase"] == PLAYING:
        lone = spies_on(v, s, team) == 1
        usual = (0.32, 0.77, 0.67, 0.91, 0.95)[int(s["round"])]  # of lone spies, in human games
        chance = usual + q[4] if lone else (usual + q[4]) * q[5]
        if s["won"] == 2:
            chance = 1.0
        return card(uniform(rng) < chance)
    if s["phase"] == VOTING:
        leaning = q[0] + (q[1] if team & own else 0.0) + 0.5 * s["attempt"]
        leaning -= q[2] * worst_of(v, team & ~own, suspicion)
        if s["leader"] == player:
            leaning += 2.0
        if spy:
            leaning += q[3] * (1.0 if winnable(v, s, team) else -1.0)
        if last_attempt(s):
            leaning += 4.0 if not spy else -1.0
        return vote_by(rng, leaning, 1.0)
    if spy and uniform(rng) < q[6]:
        return spies_team(v, s, player, suspicion, uniform(rng) < q[7], 0.2, rng)
    return own_team(v, s, player, suspicion, q[9], rng)


@jit
def loyal(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """Approves at first, then holds to the last team that was not sabotaged."""
    failed, passed = np.zeros(MOST_PLAYERS), np.zeros(MOST_PLAYERS)
    count_missions(v, s, failed, passed)
    worth = np.zeros(MOST_PLAYERS)
    for p in range(v["players"]):
        worth[p] = passed[p] - q[0] * failed[p] + 0.01 * uniform(rng)
    team, own, spy = int(s["team"]), 1 << player, is_spy(s)
    if s["phase"] == PLAYING:
        waits = s["round"] < q[4] and not decisive(s)
        return card(my_turn(v, s, player, 1, failed, rng) and not waits)
    if s["phase"] == VOTING:
        if last_attempt(s):
            return vote(rng, not spy)
        if spy and uniform(rng) < q[3]:
            return vote(rng, winnable(v, s, team))
        if s["round"] == 0:
            return vote(rng, uniform(rng) < q[1])
        strange = 0.0
        for p in range(v["players"]):
            if (team & ~own) >> p & 1 and worth[p] < 0.0:
                strange += 1.0
        return vote(rng, strange <= q[2] + 0.3 * s["attempt"])
    worth[player] += q[5]
    return team_by(v, s, worth, 0.05, rng)


@jit
def selfish(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """Wants to go: rejects most teams without oneself, and leads with its neighbours or friends."""
    failed, passed = np.zeros(MOST_PLAYERS), np.zeros(MOST_PLAYERS)
    count_missions(v, s, failed, passed)
    team, own, spy = int(s["team"]), 1 << player, is_spy(s)
    if s["phase"] == PLAYING:
        return card(uniform(rng) < q[3] or s["won"] == 2)
    if s["phase"] == VOTING:
        if last_attempt(s):
            return vote(rng, not spy or uniform(rng) < q[5])
        if spy and spies_on(v, s, team) > 0 and uniform(rng) < q[4]:
            return vote(rng, True)
        suspects = 0.0
        for p in range(v["players"]):
            if (team & ~own) >> p & 1 and failed[p] > passed[p]:
                suspects += 1.0
        if team & own:
            return vote(rng, suspects <= q[1])
        return vote(rng, suspects == 0.0 and uniform(rng) < q[0] + 0.15 * s["attempt"])
    worth = np.zeros(MOST_PLAYERS)
    for p in range(v["players"]):
        near = (p - player) % int(v["players"])
        worth[p] = -q[2] * near - failed[p] + 0.01 * uniform(rng)
    worth[player] = 10.0
    return team_by(v, s, worth, 0.05, rng)


@jit
def beginner(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """Plays at random now and then, and otherwise by one simple thought."""
    failed, passed = np.zeros(MOST_PLAYERS), np.zeros(MOST_PLAYERS)
    count_missions(v, s, failed, passed)
    failed[player] = 0.0
    team, spy = int(s["team"]), is_spy(s)
    if s["phase"] == PLAYING:
        return card(uniform(rng) < q[2])
    if s["phase"] == VOTING:
        if uniform(rng) < q[0]:
            return vote(rng, uniform(rng) < q[1])
        if spy:
            return vote(rng, spies_on(v, s, team) > 0)
        return vote(rng, worst_of(v, team, failed) == 0.0 or uniform(rng) < q[3])
    if uniform(rng) < q[0]:
        return any_team(v, s, rng)
    return own_team(v, s, player, failed, q[4], rng)


@jit
def act(v: Any, s: Any, player: int, family: int, q: Any, rng: int) -> int:
    """The move of a player of a family, by its view."""
    if family == 0:
        return counter(v, s, player, q, rng)
    if family == 1:
        return bayesian(v, s, player, q, rng)
    if family == 2:
        return watcher(v, s, player, q, rng)
    if family == 3:
        return person(v, s, player, q, rng)
    if family == 4:
        return loyal(v, s, player, q, rng)
    if family == 5:
        return selfish(v, s, player, q, rng)
    return beginner(v, s, player, q, rng)


FAMILIES = (
    Family(
        "counter",
        "counts missions",
        ((0, 0.8), (0, 1), (0, 0.6), (0, 1), (0, 1), (0.6, 1), (0, 4)),
    ),
    Family(
        "bayesian",
        "weighs worlds by missions",
        ((0.5, 0.99), (0.25, 0.6), (0.02, 0.2), (0, 1), (0.35, 1), (0, 1), (0, 4)),
    ),
    Family(
        "watcher",
        "watches votes and leaders",
        ((0.5, 0.95), (0.02, 0.3), (0, 0.4), (0.1, 0.45), (0.03, 0.2), (0.3, 1), (0, 0.8)),
    ),
    Family(
        "person",
        "leans, as people do",
        (
            (-0.5, 1.5),
            (0, 2.5),
            (1, 5),
            (0, 2),
            (-0.3, 0.2),
            (0.2, 0.9),
            (0, 1),
            (0, 0.6),
            (0, 1),
            (0.05, 0.6),
        ),
    ),
    Family(
        "loyal",
        "holds to what has worked",
        ((0.5, 2), (0.6, 1), (0, 1), (0, 1), (-1, 2.5), (0, 2)),
    ),
    Family(
        "selfish",
        "wants to go itself",
        ((0, 0.5), (0, 1.5), (0, 0.3), (0.6, 1), (0, 1), (0, 1)),
    ),
    Family(
        "beginner",
        "one simple thought, and chance",
        ((0.05, 0.5), (0.3, 0.9), (0.4, 1), (0, 0.5), (0.05, 0.8)),
    ),
)
