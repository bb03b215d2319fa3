"""What there is to go by in The Resistance: evidence, and the traits of votes, teams and cards.

Worlds are weighed in two ways: by missions alone, where a spy is taken to sabotage with a fixed
probability, and by votes as well, by how often people were found to approve (384 recorded games of
five: clean teams by 38 % of the spies and 82 % of the others, teams with a spy by 69 % and 54 %).
Both are crude on purpose: they are what players may look at, and a model learns what they make of
it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import jit
from facedown.core.learning import Traits
from facedown.games.resistance.layout import (
    ATTEMPTS,
    FAIL,
    MASKS,
    MISSIONS,
    MOST_CONFIGS,
    MOST_PLAYERS,
    MOVE_TRAITS,
    PLAYING,
    POSITION_TRAITS,
    PROPOSING,
    SHIFT,
    TEAM,
    VOTING,
)

TRAITS = Traits(
    position=(
        "role",  # 1 a spy, -1 none, 0 unknown to the viewer
        "voting",
        "proposing",
        "playing",
        "round",
        "attempt",
        "last-attempt",
        "spies-won",
        "others-won",
        "approves",  # share of own approvals so far, less a half
        "suspected",  # by missions and votes, as the public would
        "failed-before",  # share of the missions that were sabotaged
    ),
    move=(
        "act",  # approve, or fail the mission
        "joins",  # the actor is on the team
        "leads",
        "clean",  # how likely the team has no spy, by missions
        "clean-best",  # by that of the team that looks cleanest
        "trusted",  # the same by votes as well
        "trusted-best",
        "worst",  # the most suspect of the other members
        "leader",  # how suspect who proposes it is
        "enough",  # spies on it to win the mission
        "spies",
        "proven",  # share of its members who were on the last team that was not sabotaged
        "failed",  # share of the other members who were on a sabotaged one
        "alone",  # the actor is the only spy on it
        "blamed",  # how suspect the actor would be after a sabotage, by missions
        "first",  # of the spies on it the actor has the lowest seat
        "least",  # and is the least suspect
        "posed",  # how trusted it would be by one who is no spy in the actor's place
        "posed-best",  # by that of the team that looks cleanest to such a one
    ),
)
POSITION, MOVE = POSITION_TRAITS, MOVE_TRAITS
SABOTAGE = 0.75  # how likely a spy is taken to fail a mission
_FEW = 1e-9

# How much likelier people of each kind vote so than both kinds together; square roots, for votes
# are not independent: [a spy is on the team, the voter is one, the vote].
_RATES = np.array([[[0.18, 0.82], [0.62, 0.38]], [[0.46, 0.54], [0.31, 0.69]]])
_VOTES = np.sqrt(_RATES / _RATES.mean(axis=1, keepdims=True))
_POWERS = _VOTES[..., None] ** np.arange(MOST_PLAYERS + 1)


@jit
def by_mission(v: Any, inside: int, failures: int, rate: float) -> float:
    """In proportion to how likely so many spies on a team play so many failures."""
    if failures > inside:
        return 0.0
    factor = (2.0 * rate) ** failures * (2.0 - 2.0 * rate) ** (inside - failures)
    return float(v["likely"][inside, failures]) * factor


@jit
def by_votes(v: Any, spies: int, team: int, approve: int) -> float:
    """In proportion to how likely people would vote so."""
    bad = 1 if team & spies else 0
    all_spies, players = v["bits"][spies], v["players"]
    yes, yes_spies = v["bits"][approve], v["bits"][approve & spies]
    return float(
        _POWERS[bad, 1, 1, yes_spies]
        * _POWERS[bad, 1, 0, all_spies - yes_spies]
        * _POWERS[bad, 0, 1, yes - yes_spies]
        * _POWERS[bad, 0, 0, players - all_spies - yes + yes_spies]
    )


@jit
def weigh(v: Any, s: Any, innocent: int, rate: float, missions: Any, votes: Any) -> None:
    """The weights of all worlds by missions, and by votes as well, nobody `innocent` a spy."""
    players, worlds = v["players"], v["worlds"]
    for k in range(worlds):
        missions[k] = 0.0 if v["configs"][k] & innocent else 1.0
        votes[k] = missions[k]
    for r in range(min(int(s["round"]) + 1, MISSIONS)):
        failures = int(s["failures"][r])
        for a in range(ATTEMPTS):
            past = int(s["past"][ATTEMPTS * r + a])
            if past == 0:
                break
            team, approve = past & (MASKS - 1), past >> SHIFT
            played = failures >= 0 and 2 * v["bits"][approve] > players
            for k in range(worlds):
                if missions[k] > 0.0:
                    spies = int(v["configs"][k])
                    if played:
                        likely = by_mission(v, int(v["bits"][team & spies]), failures, rate)
                        missions[k] *= likely
                        votes[k] *= likely
                    votes[k] *= by_votes(v, spies, team, approve)


@jit
def suspect(v: Any, weights: Any, out: Any) -> None:
    """How likely each player is a spy by the weights of worlds, which are then made to sum to 1."""
    total = 0.0
    for p in range(v["players"]):
        out[p] = 0.0
    for k in range(v["worlds"]):
        total += weights[k]
    for k in range(v["worlds"]):
        if weights[k] > 0.0:
            weights[k] /= total
            for p in range(v["players"]):
                if (v["configs"][k] >> p) & 1:
                    out[p] += weights[k]


@jit
def clean_chance(v: Any, weights: Any, team: int) -> float:
    """How likely a team has no spy."""
    total = 0.0
    for k in range(v["worlds"]):
        if v["configs"][k] & team == 0:
            total += weights[k]
    return total


@jit
def cleanest(v: Any, suspicion: Any, size: int) -> int:
    """The team of the least suspect."""
    team = 0
    for _ in range(size):
        best = -1
        for p in range(v["players"]):
            if not (team >> p) & 1 and (best < 0 or suspicion[p] < suspicion[best]):
                best = p
        team |= 1 << best
    return team


@jit
def on_missions(v: Any, s: Any) -> Any:
    """Masks of who was on a sabotaged mission, and of the last team that was not; how many were."""
    failed, proven, sabotaged = 0, 0, 0
    for r in range(s["round"]):
        team = 0
        for a in range(ATTEMPTS):
            if s["past"][ATTEMPTS * r + a] != 0:
                team = int(s["past"][ATTEMPTS * r + a]) & (MASKS - 1)
        if s["failures"][r] > 0:
            failed |= team
            sabotaged += 1
        else:
            proven = team
    return failed, proven, sabotaged


@jit
def approvals(s: Any, player: int) -> float:
    """The share of a player's votes so far that approved, less a half; a vote of each at first."""
    yes, all_votes = 1.0, 2.0
    for k in range(MISSIONS * ATTEMPTS):
        if s["past"][k] != 0:
            all_votes += 1.0
            yes += (int(s["past"][k]) >> (SHIFT + player)) & 1
    return yes / all_votes - 0.5


@jit
def _blamed(v: Any, missions: Any, team: int, failures: int, player: int) -> float:
    """How suspect a player would be after so many failures of a team."""
    total, guilty = _FEW, 0.0
    for k in range(v["worlds"]):
        spies = int(v["configs"][k])
        weight = missions[k] * by_mission(v, int(v["bits"][spies & team]), failures, SABOTAGE)
        total += weight
        if (spies >> player) & 1:
            guilty += weight
    return guilty / total


@jit
def _least(v: Any, spies: int, suspicion: Any, player: int) -> float:
    """Whether of these spies the player is the least suspect; the lower seat of equals."""
    for p in range(v["players"]):
        if (spies >> p) & 1 and (suspicion[p], p) < (suspicion[player], player):
            return 0.0
    return 1.0


@jit
def chooser(v: Any, s: Any, viewer: int) -> int:
    """Whose choice the traits are of; -1: somebody's, where all choose at once and the viewer has.

    Where all choose at once the viewer cannot tell who has, and tells of its own choice.
    """
    if s["phase"] == PROPOSING:
        return int(s["actor"])
    waiting = v["everyone"] if s["phase"] == VOTING else s["team"]
    if viewer >= 0 and ((int(waiting) & ~int(s["cast"])) >> viewer) & 1:
        return viewer
    return -1


@jit
def _role(known: int, actor: int, viewer: int) -> float:
    """1 for a spy, -1 for one who is none, 0 where the viewer cannot tell."""
    if known != 0 and actor >= 0:
        return 1.0 if (known >> actor) & 1 else -1.0
    return -1.0 if viewer == actor else 0.0


@jit
def _of_position(
    v: Any, s: Any, actor: int, role: float, suspicion: Any, sabotaged: int, out: Any
) -> None:
    phase = int(s["phase"])
    out[0] = role
    out[1], out[2], out[3] = phase == VOTING, phase == PROPOSING, phase == PLAYING
    out[4], out[5] = s["round"] / 4.0, s["attempt"] / 4.0
    out[6] = 1.0 if s["attempt"] == ATTEMPTS - 1 else 0.0
    out[7], out[8] = s["won"] / 2.0, (s["round"] - s["won"]) / 2.0
    if actor >= 0:
        out[9], out[10] = approvals(s, actor), suspicion[actor]
    out[11] = sabotaged / max(1.0, float(s["round"]))


@jit
def _of_team(
    v: Any, s: Any, who: Any, team: int, missions: Any, votes: Any, by: Any, out: Any
) -> None:
    """What there is to say of a team; `by` has suspicions by missions, then by votes as well.

    `who`: the actor, the spies that are known, who was on a failed team, who on a proven one.
    """
    actor, known, failed, proven = who
    own = 1 << actor if actor >= 0 else 0
    size, needed = float(v["bits"][team]), v["needed"][s["round"]]
    out[1] = 1.0 if team & own else 0.0
    out[3], out[5] = clean_chance(v, missions, team), clean_chance(v, votes, team)
    worst = 0.0
    for p in range(v["players"]):
        if (team & ~own) >> p & 1:
            worst = max(worst, by[1, p])
    out[7] = worst
    spies = team & known
    out[9] = 1.0 if v["bits"][spies] >= needed and known else 0.0
    out[10] = v["bits"][spies] / 2.0
    out[11] = v["bits"][team & proven] / size
    out[12] = v["bits"][team & failed & ~own] / size
    out[13] = 1.0 if spies == own else 0.0
    if spies & own:
        out[15] = 1.0 if v["lowest"][spies] == actor else 0.0
        out[16] = _least(v, spies, by[1], actor)


@jit
def _of_best(best: Any, out: Any) -> None:
    """A team's chances by those of the team that looks cleanest."""
    out[4], out[6] = out[3] / (best[0] + _FEW), out[5] / (best[1] + _FEW)
    out[4], out[6] = min(out[4], 1.0), min(out[6], 1.0)


@jit
def _of_pose(v: Any, team: int, posed: Any, best: float, out: Any) -> None:
    """What a spy would say of a team if it were none: what it has to look like."""
    out[17] = clean_chance(v, posed, team)
    out[18] = min(out[17] / (best + _FEW), 1.0)


@jit
def _posed(v: Any, s: Any, viewer: int, size: int, posed: Any) -> float:
    """The weights of worlds to one who is no spy in the viewer's place; its cleanest team's."""
    missions, suspicion = np.empty(MOST_CONFIGS), np.empty(MOST_PLAYERS)
    weigh(v, s, 1 << viewer, SABOTAGE, missions, posed)
    suspect(v, posed, suspicion)
    return float(clean_chance(v, posed, cleanest(v, suspicion, size)))


@jit
def _of_act(v: Any, s: Any, actor: int, move: int, missions: Any, suspicion: Any, out: Any) -> None:
    """What there is to say of approving, or of failing a mission, beside the team."""
    out[0] = 1.0
    if move == FAIL and actor >= 0:
        needed = int(v["needed"][s["round"]])
        out[14] = _blamed(v, missions, int(s["team"]), needed, actor)
    elif move != FAIL:
        leader = int(s["leader"])
        out[2] = 1.0 if leader == actor else 0.0
        out[8] = suspicion[leader] if leader != actor else 0.0


def traits(v: Any, s: Any, viewer: int, moves: Any, out: Any) -> None:
    """What the viewer sees of the position, and of each move (`TRAITS`)."""
    out[:] = 0.0
    if s["phase"] < PROPOSING or s["phase"] > PLAYING:
        return
    actor = chooser(v, s, viewer)
    known = int(s["spies"]) if viewer >= 0 and (int(s["spies"]) >> viewer) & 1 else 0
    innocent = 1 << viewer if viewer >= 0 and known == 0 else 0
    missions, votes, posed = np.empty(MOST_CONFIGS), np.empty(MOST_CONFIGS), np.empty(MOST_CONFIGS)
    by, best = np.zeros((2, MOST_PLAYERS)), np.zeros(2)
    weigh(v, s, innocent, SABOTAGE, missions, votes)
    suspect(v, missions, by[0])
    suspect(v, votes, by[1])
    failed, proven, sabotaged = on_missions(v, s)
    size = int(v["sizes"][s["round"]])
    best[0] = clean_chance(v, missions, cleanest(v, by[0], size))
    best[1] = clean_chance(v, votes, cleanest(v, by[1], size))
    pose = _posed(v, s, viewer, size, posed) if known else best[1]
    _of_position(v, s, actor, _role(known, actor, viewer), by[1], sabotaged, out)
    who = (actor, known, failed, proven)
    for j in range(len(moves)):
        row = out[POSITION + j * MOVE : POSITION + (j + 1) * MOVE]
        move = int(moves[j])
        if move >= TEAM or move & 1:  # what is said of approving or failing is not of the other
            team = move - TEAM if move >= TEAM else int(s["team"])
            _of_team(v, s, who, team, missions, votes, by, row)
            _of_best(best, row)
            _of_pose(v, team, posed if known else votes, pose, row)
            if move < TEAM:
                _of_act(v, s, actor, move, missions, by[1], row)
