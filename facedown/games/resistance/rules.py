"""The Resistance (Eskridge 2009; Cowling et al. 2015, section III): spies among 5 to 10 players.

Chance deals the roles in one move; spies see who the spies are, others only that they are none. In
each of up to five rounds the leader proposes a team and all vote at once; a majority sends the
team, else the next player leads. Five rejected teams in one round win the game for the spies. Each
member of the team plays a card in secret, success or failure; those who are no spies must play
success. Everyone then learns how many failures there were, not whose. One failure (two in the
fourth mission with seven or more players) makes the mission the spies'; three missions win.

Players are bits of a mask. Moves: REJECT and APPROVE, SUCCESS and FAIL, TEAM + mask proposes a
team, and after those of all masks come chance's deals, in the order of `configs`. Whoever has
chosen in a vote or a mission waits in `cast` (and in `chosen`, with APPROVE or FAIL) until all
have; a view withdraws the others. The record keeps teams, votes and numbers of failures, and
forgets the cards. How the others play (`minds`) is nobody's to know and never set in a game: it is
what a belief supposes of them in a world that it makes up, and says how they go on there (`model`).

Tokens: 1 + move for what only the mover sees, and for deals as spies see them; a proposal has its
leader beside it, from PROPOSED on; VOTED + mask is all votes; PLAYED + 3 * failures all cards,
where one or two more tell the last to play his own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import CHANCE, OVER, jit, mix, uniform
from facedown.games.resistance.layout import (
    APPROVE,
    ATTEMPTS,
    DEALING,
    ENDED,
    FAIL,
    MASKS,
    MISSIONS,
    MOST_CONFIGS,
    MOST_PLAYERS,
    NOT_A_SPY,
    PLAYED,
    PLAYING,
    PROPOSED,
    PROPOSING,
    REJECT,
    ROLES_DEALT,
    SHIFT,
    SUCCESS,
    TEAM,
    TO_WIN,
    UNPLAYED,
    VOTED,
    VOTING,
    State,
    Variant,
)
from facedown.games.resistance.listing import legal
from facedown.games.resistance.model import playout
from facedown.games.resistance.traits import traits

__all__ = [
    "APPROVE",
    "ATTEMPTS",
    "DEALING",
    "ENDED",
    "FAIL",
    "MASKS",
    "MISSIONS",
    "MOST_CONFIGS",
    "MOST_PLAYERS",
    "NOT_A_SPY",
    "PLAYED",
    "PLAYING",
    "PROPOSED",
    "PROPOSING",
    "REJECT",
    "ROLES_DEALT",
    "SHIFT",
    "SUCCESS",
    "TEAM",
    "TO_WIN",
    "UNPLAYED",
    "VOTED",
    "VOTING",
    "State",
    "Variant",
    "legal",
    "playout",
    "traits",
]


def start(v: Any, s: Any) -> None:
    s["key"] = 1
    s["past"][:] = 0
    s["failures"][:] = UNPLAYED
    s["spies"], s["phase"], s["actor"], s["leader"] = 0, DEALING, CHANCE, 0
    s["team"], s["cast"], s["chosen"] = 0, 0, 0
    s["round"], s["attempt"], s["won"] = 0, 0, 0
    s["minds"][:] = 0


def turn(v: Any, s: Any) -> int:
    return int(s["actor"])


def apply(v: Any, s: Any, move: int) -> None:
    if s["phase"] >= VOTING:
        actor = int(s["actor"])
        waiting = s["team"] if s["phase"] == PLAYING else v["everyone"]
        s["cast"] |= 1 << actor
        s["chosen"] |= (move & 1) << actor
        if s["cast"] != waiting:
            s["actor"] = v["lowest"][waiting & ~s["cast"]]
        elif s["phase"] == VOTING:
            _count_votes(s, v)
        else:
            _count_cards(s, v)
    elif s["phase"] == PROPOSING:
        s["key"] = mix(s["key"], PROPOSED + move)
        s["team"], s["phase"], s["actor"] = move - TEAM, VOTING, 0
    else:
        s["key"] = mix(s["key"], ROLES_DEALT)
        s["spies"], s["phase"], s["actor"] = v["configs"][move - v["deal"]], PROPOSING, 0


@jit
def _count_votes(s: Any, v: Any) -> None:
    """All have voted: the team is sent, the next player leads, or the spies have won."""
    votes = int(s["chosen"])
    s["key"] = mix(s["key"], VOTED + votes)
    s["past"][ATTEMPTS * s["round"] + s["attempt"]] = s["team"] | (votes << SHIFT)
    s["leader"] = (s["leader"] + 1) % v["players"]
    s["cast"], s["chosen"] = 0, 0
    if 2 * v["bits"][votes] > v["players"]:
        s["phase"], s["actor"] = PLAYING, v["lowest"][s["team"]]
        return
    s["team"] = 0
    s["attempt"] += 1
    if s["attempt"] == ATTEMPTS:
        s["phase"], s["actor"] = ENDED, OVER
    else:
        s["phase"], s["actor"] = PROPOSING, s["leader"]


@jit
def _count_cards(s: Any, v: Any) -> None:
    """All cards are played: the mission is won or lost, and with it perhaps the game."""
    failures = v["bits"][s["chosen"]]
    s["key"] = mix(s["key"], PLAYED + 3 * int(failures))
    s["failures"][s["round"]] = failures
    if failures >= v["needed"][s["round"]]:
        s["won"] += 1
    s["round"] += 1
    s["team"], s["cast"], s["chosen"], s["attempt"] = 0, 0, 0, 0
    if s["won"] == TO_WIN or s["round"] - s["won"] == TO_WIN:
        s["phase"], s["actor"] = ENDED, OVER
    else:
        s["phase"], s["actor"] = PROPOSING, s["leader"]


@jit
def _sight(s: Any, v: Any, move: int, viewer: int) -> int:
    """A choice is its owner's until the last one is made, which tells all votes or the failures."""
    phase = s["phase"]
    if phase >= VOTING:
        actor = int(s["actor"])
        waiting = s["team"] if phase == PLAYING else v["everyone"]
        if s["cast"] | (1 << actor) != waiting:
            return 1 + move if viewer == actor else 0
        chosen = int(s["chosen"]) | ((move & 1) << actor)
        if phase == VOTING:
            return VOTED + chosen
        own = move - SUCCESS + 1 if viewer == actor else 0
        return PLAYED + 3 * int(v["bits"][chosen]) + own
    if phase == PROPOSING:
        return PROPOSED + move + 2 * MASKS * int(s["leader"])
    if viewer < 0:
        return ROLES_DEALT
    spy = (int(v["configs"][move - v["deal"]]) >> viewer) & 1
    return 1 + move if spy else NOT_A_SPY


def sees(v: Any, s: Any, move: int, viewer: int) -> int:
    return _sight(s, v, move, viewer)


def tokens(v: Any, s: Any, move: int, out: Any) -> None:
    players, actor = int(v["players"]), int(s["actor"])
    everyones = np.uint64(_sight(s, v, move, -1))
    for viewer in range(players + 1):
        out[viewer] = everyones
    if s["phase"] >= VOTING:  # whoever chooses sees the own choice beside
        out[actor] = np.uint64(_sight(s, v, move, actor))
    elif s["phase"] == DEALING:
        for player in range(players):
            out[player] = np.uint64(_sight(s, v, move, player))


def payoff(v: Any, s: Any, pay: Any) -> None:
    players = int(v["players"])
    winners = int(s["spies"])
    if s["won"] < TO_WIN and s["attempt"] < ATTEMPTS:
        winners = int(v["everyone"]) & ~winners
    for player in range(players):
        pay[player] = float((winners >> player) & 1)


@jit
def _own(viewer: int) -> int:
    """The viewer's mask; nobody is the public."""
    return 1 << viewer if viewer >= 0 else 0


def hide(v: Any, s: Any, viewer: int) -> None:
    own = _own(viewer)
    if not s["spies"] & own:
        s["spies"] = 0
    s["cast"] &= own
    s["chosen"] &= own
    s["minds"][:] = 0
    if s["phase"] == VOTING or s["phase"] == PLAYING:
        waiting = s["team"] if s["phase"] == PLAYING else v["everyone"]
        s["actor"] = v["lowest"][waiting & ~s["cast"]]


def infoset(v: Any, s: Any, viewer: int) -> int:
    own, code = _own(viewer), 0
    if s["spies"] & own:
        code = int(s["spies"])
    if s["cast"] & own:
        code |= MASKS << (1 if s["chosen"] & own else 0)
    return mix(s["key"], code)  # type: ignore[no-any-return]


@jit
def _weight(s: Any, v: Any, viewer: int, spies: int) -> float:
    """In proportion to the probability of a deal given a view; others play cards at random.

    Of a mission with `n` spies, `f` failures had the probability C(n, f) / 2^n.
    """
    if s["spies"] != 0:
        return 1.0 if s["spies"] == spies else 0.0
    if spies & _own(viewer):
        return 0.0
    weight = 1.0
    for k in range(s["round"]):
        row = s["past"][ATTEMPTS * k : ATTEMPTS * (k + 1)]
        sent = row[0]
        for attempt in range(1, ATTEMPTS):
            if row[attempt] != 0:
                sent = row[attempt]
        weight *= v["likely"][v["bits"][sent & spies], s["failures"][k]]
    return weight


def determinize(v: Any, s: Any, viewer: int, rng: int) -> None:
    if s["phase"] == DEALING or s["spies"] != 0:
        return
    total = 0.0
    for k in range(v["worlds"]):
        total += _weight(s, v, viewer, v["configs"][k])
    left, spies = uniform(rng) * total, 0
    for k in range(v["worlds"]):
        weight = _weight(s, v, viewer, v["configs"][k])
        if weight > 0.0 and left >= 0.0:
            left, spies = left - weight, v["configs"][k]
    s["spies"] = spies


def world(v: Any, s: Any, viewer: int, k: int) -> float:
    """The deals in the order of `configs`."""
    if s["phase"] == DEALING:
        return 1.0
    spies = v["configs"][k]
    weight = _weight(s, v, viewer, spies)
    s["spies"] = spies
    return weight
