"""What ways of playing The Resistance are put together from, compiled.

A way of playing takes the context, the player's view, the player, its parameters and a stream.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from facedown.core import below, jit, uniform
from facedown.games.resistance.layout import (
    APPROVE,
    ATTEMPTS,
    FAIL,
    MASKS,
    MISSIONS,
    MOST_CONFIGS,
    MOST_PLAYERS,
    REJECT,
    SHIFT,
    SUCCESS,
    TEAM,
    TO_WIN,
)
from facedown.games.resistance.traits import suspect, weigh

PARAMETERS = 10
"""At most so many numbers make a player of a family."""
EVERYONE, LOWEST, LEAST_SUSPECT, BY_LOT = range(4)
"""Which spies of several on a team sabotage it."""


@jit
def is_spy(s: Any) -> bool:
    """Whether the owner of a view is a spy: only they know who is."""
    return s["spies"] != 0  # type: ignore[no-any-return]


@jit
def last_attempt(s: Any) -> bool:
    """Whether one more rejection loses the game for those who are no spies."""
    return s["attempt"] == ATTEMPTS - 1  # type: ignore[no-any-return]


@jit
def decisive(s: Any) -> bool:
    """Whether this mission can win the game for either side."""
    won, lost = int(s["won"]), int(s["round"]) - int(s["won"])
    return max(won, lost) == TO_WIN - 1


@jit
def spies_on(v: Any, s: Any, team: int) -> int:
    """How many spies are on a team, as a spy knows."""
    return int(v["bits"][team & int(s["spies"])])


@jit
def winnable(v: Any, s: Any, team: int) -> bool:
    """Whether the spies on a team are enough to win its mission."""
    return spies_on(v, s, team) >= v["needed"][s["round"]]  # type: ignore[no-any-return]


@jit
def mission_suspicion(v: Any, s: Any, innocent: int, rate: float, by_votes: bool, out: Any) -> None:
    """How likely each is a spy, by missions or by votes as well; `rate`: of sabotage."""
    missions, votes = np.empty(MOST_CONFIGS), np.empty(MOST_CONFIGS)
    weigh(v, s, innocent, rate, missions, votes)
    if by_votes:
        missions[:] = votes
    suspect(v, missions, out)


@jit
def count_missions(v: Any, s: Any, failed: Any, passed: Any) -> None:
    """On how many sabotaged and other missions each player was."""
    for p in range(v["players"]):
        failed[p], passed[p] = 0.0, 0.0
    for r in range(s["round"]):
        team = 0
        for a in range(ATTEMPTS):
            if s["past"][ATTEMPTS * r + a] != 0:
                team = int(s["past"][ATTEMPTS * r + a]) & (MASKS - 1)
        for p in range(v["players"]):
            if (team >> p) & 1:
                if s["failures"][r] > 0:
                    failed[p] += 1.0
                else:
                    passed[p] += 1.0


@jit
def proposal(s: Any, number: int) -> Any:
    """Team, approvals and failures of the `number`-th proposal; failures -1 where not sent.

    The leader of it is the `number`-th player, counted round the table. The team is 0 beyond.
    """
    seen = 0
    for r in range(MISSIONS):
        for a in range(ATTEMPTS):
            past = int(s["past"][ATTEMPTS * r + a])
            if past == 0:
                break
            if seen == number:
                last = a == ATTEMPTS - 1 or s["past"][ATTEMPTS * r + a + 1] == 0
                return past & (MASKS - 1), past >> SHIFT, int(s["failures"][r]) if last else -1
            seen += 1
    return 0, 0, -1


@jit
def worst_of(v: Any, team: int, suspicion: Any) -> float:
    """The suspicion of the most suspect on a team."""
    worst = 0.0
    for p in range(v["players"]):
        if (team >> p) & 1:
            worst = max(worst, suspicion[p])
    return worst


@jit
def sum_of(v: Any, team: int, suspicion: Any) -> float:
    """The suspicions of a team together."""
    total = 0.0
    for p in range(v["players"]):
        if (team >> p) & 1:
            total += suspicion[p]
    return total


@jit
def vote(rng: int, approves: bool) -> int:
    """A vote; the stream is there for those that draw."""
    return APPROVE if approves else REJECT


@jit
def vote_by(rng: int, leaning: float, heat: float) -> int:
    """Approve with the probability of a logistic curve; the smaller the heat the surer."""
    x = min(max(leaning / heat, -30.0), 30.0)
    return APPROVE if uniform(rng) < 1.0 / (1.0 + math.exp(-x)) else REJECT


@jit
def team_by(v: Any, s: Any, worth: Any, heat: float, rng: int) -> int:
    """Propose the team of most worth, its members' added up; with heat not always."""
    size = v["sizes"][s["round"]]
    begin, end = v["first"][size], v["first"][size + 1]
    best, highest = int(v["by_size"][begin]), -1e300
    for k in range(begin, end):
        team = int(v["by_size"][k])
        value = sum_of(v, team, worth) - heat * math.log(-math.log(uniform(rng) + 1e-12) + 1e-12)
        if value > highest:
            best, highest = team, value
    return TEAM + best


@jit
def own_team(v: Any, s: Any, player: int, suspicion: Any, heat: float, rng: int) -> int:
    """Oneself and the least suspect."""
    worth = np.zeros(MOST_PLAYERS)
    for p in range(v["players"]):
        worth[p] = -suspicion[p] + uniform(rng) * 1e-6
    worth[player] = 10.0
    return team_by(v, s, worth, heat, rng)


@jit
def spies_team(
    v: Any, s: Any, player: int, suspicion: Any, more: bool, heat: float, rng: int
) -> int:
    """Oneself, as many spies as are needed or one more, and those who look cleanest."""
    worth = np.zeros(MOST_PLAYERS)
    wanted = int(v["needed"][s["round"]]) - 1 + (1 if more else 0)
    for p in range(v["players"]):
        worth[p] = -suspicion[p] + uniform(rng) * 1e-6
    worth[player] = 10.0
    for _ in range(v["bits"][s["spies"]] - 1):  # the least suspect of them first
        best = -1
        for p in range(v["players"]):
            mate = (int(s["spies"]) >> p) & 1 and -5.0 < worth[p] < 5.0
            if mate and (best < 0 or worth[p] > worth[best]):
                best = p
        worth[best] = 5.0 + worth[best] if wanted > 0 else worth[best] - 5.0
        wanted -= 1
    return team_by(v, s, worth, heat, rng)


@jit
def my_turn(v: Any, s: Any, player: int, custom: int, suspicion: Any, rng: int) -> bool:
    """Whether by the custom it is this spy's part to sabotage: as many should as are needed."""
    mates, needed = int(s["team"]) & int(s["spies"]), int(v["needed"][s["round"]])
    n = int(v["bits"][mates])
    if n < needed:
        return False
    if custom == EVERYONE or n == needed:
        return True
    if custom == BY_LOT:
        return uniform(rng) < needed / n
    before = 0
    for p in range(v["players"]):
        if (mates >> p) & 1 and p != player:
            if custom == LOWEST and p < player:
                before += 1
            if custom == LEAST_SUSPECT and (suspicion[p], p) < (suspicion[player], player):
                before += 1
    return before < needed


@jit
def card(fails: bool) -> int:
    """A card of a spy."""
    return FAIL if fails else SUCCESS


@jit
def any_team(v: Any, s: Any, rng: int) -> int:
    """Any team."""
    size = v["sizes"][s["round"]]
    begin, end = int(v["first"][size]), int(v["first"][size + 1])
    return TEAM + int(v["by_size"][begin + below(rng, end - begin)])


ALWAYS, ALONE, LATER, ALONE_LATER, SURE = range(5)
"""When a spy sabotages: always, as the only spy, not at first, both, or when it costs nothing."""
TAINTED, EXACT, HIDDEN, GLAD = range(4)
"""What a spy approves: teams with a spy, with as many as needed, as others do, all."""


@jit
def sabotages(v: Any, s: Any, style: int) -> bool:
    """Whether a spy of this style fails the mission; what decides the game it always does."""
    alone = spies_on(v, s, int(s["team"])) <= int(v["needed"][s["round"]])
    if decisive(s) or style == ALWAYS:
        return True
    if style == ALONE:
        return alone
    if style == LATER:
        return int(s["round"]) > 0
    if style == ALONE_LATER:
        return alone and int(s["round"]) > 0
    return alone and int(v["bits"][s["team"]]) > 2


@jit
def spys_vote(v: Any, s: Any, style: int, others: int) -> int:
    """The vote of a spy of this style; `others`: what it would vote if it were none."""
    on = spies_on(v, s, int(s["team"]))
    if style == TAINTED:
        return APPROVE if on > 0 else REJECT
    if style == EXACT:
        return APPROVE if on == v["needed"][s["round"]] else REJECT
    return others if style == HIDDEN else APPROVE


@jit
def proven(v: Any, s: Any, innocent: int) -> Any:
    """Masks of those who must be spies by missions, and of those who cannot be; 0 where none."""
    missions, votes = np.empty(MOST_CONFIGS), np.empty(MOST_CONFIGS)
    weigh(v, s, innocent, 0.5, missions, votes)
    guilty, cleared = int(v["everyone"]), int(v["everyone"])
    worlds = 0
    for k in range(v["worlds"]):
        if missions[k] > 0.0:
            guilty &= int(v["configs"][k])
            cleared &= ~int(v["configs"][k])
            worlds += 1
    return (guilty, cleared) if worlds else (0, 0)
