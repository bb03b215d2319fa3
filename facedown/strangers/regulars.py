"""Families to learn from, after the programs that are usual at tournaments."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import jit, uniform
from facedown.games.resistance.layout import (
    APPROVE,
    MOST_CONFIGS,
    MOST_PLAYERS,
    PLAYING,
    REJECT,
    VOTING,
)
from facedown.games.resistance.traits import clean_chance, suspect, weigh
from facedown.strangers import training
from facedown.strangers.craft import (
    any_team,
    card,
    count_missions,
    is_spy,
    last_attempt,
    own_team,
    proven,
    sabotages,
    spies_team,
    spys_vote,
    vote,
)
from facedown.strangers.family import Family


@jit
def stickler(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """Follows a rule: approves all teams without a proven saboteur, and takes no such along."""
    spy, team, own = is_spy(s), int(s["team"]), 1 << player
    if s["phase"] == PLAYING:
        return card(sabotages(v, s, int(q[1])))
    guilty, _ = proven(v, s, 0 if spy else own)
    failed, passed = np.zeros(MOST_PLAYERS), np.zeros(MOST_PLAYERS)
    count_missions(v, s, failed, passed)
    if s["phase"] == VOTING:
        tainted = team & guilty & ~own != 0
        for p in range(v["players"]):
            if (team & ~own) >> p & 1 and failed[p] > q[3]:
                tainted = True
        fine = not tainted or (last_attempt(s) and q[4] > 0.3) or uniform(rng) < q[2]
        usual = APPROVE if fine else REJECT
        return spys_vote(v, s, int(q[0]), usual) if spy else usual
    for p in range(v["players"]):
        passed[p] = (10.0 if (guilty >> p) & 1 else 0.0) + failed[p] * q[5]
    return own_team(v, s, player, passed, q[6], rng)


@jit
def logician(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """Rules pairs out, and approves what is clean in enough of those that are left."""
    spy, team, own = is_spy(s), int(s["team"]), 1 << player
    if s["phase"] == PLAYING:
        return card(sabotages(v, s, int(q[1])))
    pairs, votes, suspicion = np.empty(MOST_CONFIGS), np.empty(MOST_CONFIGS), np.zeros(MOST_PLAYERS)
    weigh(v, s, own, 0.5, pairs, votes)
    total = 0.0
    for k in range(v["worlds"]):
        pairs[k] = 1.0 if pairs[k] > 0.0 else 0.0
        total += pairs[k]
    if total == 0.0:  # a spy that is found out goes on as if it were not
        weigh(v, s, 0, 0.5, pairs, votes)
    suspect(v, pairs, suspicion)
    if s["phase"] == VOTING:
        wanted = q[2] * (1.0 - s["attempt"] / 4.0)
        fine = clean_chance(v, pairs, team) >= wanted and (team & own != 0 or uniform(rng) > q[3])
        usual = APPROVE if fine or last_attempt(s) or s["leader"] == player else REJECT
        if spy and last_attempt(s) and q[4] < 0.5:
            return REJECT
        return spys_vote(v, s, int(q[0]), usual) if spy else usual
    if spy and uniform(rng) < q[5]:
        return spies_team(v, s, player, suspicion, False, 0.0, rng)
    return own_team(v, s, player, suspicion, 0.0, rng)


@jit
def careless(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """Votes, leads and sabotages by chance alone, or always says yes, or no."""
    if s["phase"] == PLAYING:
        return card(uniform(rng) < q[1])
    if s["phase"] == VOTING:
        return vote(rng, uniform(rng) < q[0])
    nobody = np.zeros(MOST_PLAYERS)
    if uniform(rng) < q[2]:
        return own_team(v, s, player, nobody, 0.0, rng)
    return any_team(v, s, rng)


@jit
def proud(v: Any, s: Any, player: int, q: Any, rng: int) -> int:
    """Rejects first teams without itself, then gives in; the fifth it always approves."""
    spy, team, own = is_spy(s), int(s["team"]), 1 << player
    if s["phase"] == PLAYING:
        return card(sabotages(v, s, int(q[1])))
    guilty, cleared = proven(v, s, 0 if spy else own)
    suspicion, passed = np.zeros(MOST_PLAYERS), np.zeros(MOST_PLAYERS)
    count_missions(v, s, suspicion, passed)
    for p in range(v["players"]):
        suspicion[p] += (5.0 if (guilty >> p) & 1 else 0.0) - (q[5] if (cleared >> p) & 1 else 0.0)
        suspicion[p] -= q[6] * passed[p]
    if s["phase"] == VOTING:
        inside = team & own != 0
        tainted = team & guilty & ~own != 0
        fine = not tainted and (inside or s["attempt"] >= int(q[2])) and uniform(rng) > q[3]
        usual = APPROVE if fine or last_attempt(s) else REJECT
        return spys_vote(v, s, int(q[0]), usual) if spy and not last_attempt(s) else usual
    if spy and uniform(rng) < q[4]:
        return spies_team(v, s, player, suspicion, False, 0.1, rng)
    return own_team(v, s, player, suspicion, 0.1, rng)


_FIRST = len(training.FAMILIES)
_act = training.act


@jit
def act(v: Any, s: Any, player: int, family: int, q: Any, rng: int) -> int:
    """The move of a player of one of the families of `SCRIPTED`, by its view."""
    if family < _FIRST:
        return _act(v, s, player, family, q, rng)
    if family == _FIRST:
        return stickler(v, s, player, q, rng)
    if family == _FIRST + 1:
        return logician(v, s, player, q, rng)
    if family == _FIRST + 2:
        return careless(v, s, player, q, rng)
    return proud(v, s, player, q, rng)


SCRIPTED = (
    *training.FAMILIES,
    Family(
        "stickler",
        "approves what has no proven saboteur",
        ((0, 4), (0, 5), (0, 0.2), (0, 4), (0, 1), (0, 1), (0, 0.5)),
    ),
    Family(
        "logician",
        "rules pairs out",
        ((0, 4), (0, 5), (0.05, 0.6), (0, 0.5), (0, 1), (0, 1)),
    ),
    Family("careless", "by chance alone", ((0.1, 1), (0.2, 1), (0, 1))),
    Family(
        "proud",
        "rejects first teams without itself",
        ((0, 4), (0, 5), (1, 5), (0, 0.2), (0, 1), (0, 1), (0, 0.5)),
    ),
)
