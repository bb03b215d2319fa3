"""One of The Resistance who weighs missions and votes, without a model; and who else does so.

Worlds are weighed by missions and by votes as people vote (`traits.weigh`). It sends whom it holds
for clean, and approves what is nearly as clean as the best team.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core import Stream, below, jit
from facedown.core.jit import kernel
from facedown.core.records import address_of, lined_up, view
from facedown.games.resistance.layout import (
    APPROVE,
    ATTEMPTS,
    MASKS,
    MISSIONS,
    MOST_CONFIGS,
    REJECT,
    SHIFT,
    TEAM,
    UNPLAYED,
    VOTING,
    State,
    Variant,
)
from facedown.games.resistance.traits import SABOTAGE, clean_chance, weigh

FIRM = (0.8, 0.75, 0.6, 0.35, 0.0)
"""How clean a team must be to be approved, by the cleanest there is, at each attempt: as it won the
most among the strangers to learn from."""
_FIRM = np.array(FIRM)
ALIKE = 1e-9  # of two shares that are this near each other none is the larger

Array = np.ndarray[Any, Any]


@jit
def _highest(v: Any, s: Any, weights: Any, own: int) -> float:
    """How likely the cleanest team with all of `own` on it has no spy."""
    size, highest = int(v["sizes"][s["round"]]), 0.0
    for k in range(v["first"][size], v["first"][size + 1]):
        if v["by_size"][k] & own == own:
            highest = max(highest, clean_chance(v, weights, int(v["by_size"][k])))
    return highest


@jit
def _cleanest(v: Any, s: Any, weights: Any, own: int, rng: int) -> int:
    """Any of the teams with all of `own` that are as clean as the cleanest."""
    size, chosen, ties = int(v["sizes"][s["round"]]), 0, 0
    least = _highest(v, s, weights, own) * (1.0 - ALIKE)
    for k in range(v["first"][size], v["first"][size + 1]):
        team = int(v["by_size"][k])
        if team & own == own and clean_chance(v, weights, team) >= least:
            ties += 1
            if below(rng, ties) == 0:
                chosen = team
    return chosen


@jit
def approves(v: Any, s: Any, weights: Any, own: int) -> bool:
    """Whether by these weights of worlds a team is clean enough to be approved."""
    share = clean_chance(v, weights, int(s["team"]))
    return bool(share > 0.0 and share >= _FIRM[s["attempt"]] * _highest(v, s, weights, own))


@kernel("int64(intp, intp, int64, intp)", "resistance")
def move(context: int, state: int, player: int, rng: int) -> int:
    """A vote or a team of one who is no spy, or who acts as if."""
    v, s, own = view(context, Variant), view(state, State), 1 << player
    missions, votes = np.empty(MOST_CONFIGS), np.empty(MOST_CONFIGS)
    weigh(v, s, own, SABOTAGE, missions, votes)
    if s["phase"] == VOTING:
        return APPROVE if approves(v, s, votes, own) else REJECT
    return TEAM + _cleanest(v, s, votes, own, rng)


@jit
def _agrees(v: Any, t: Any, player: int, approved: bool) -> float:
    """1 where only one who weighs votes votes so, -1 where only one who does not, else 0."""
    missions, votes, own = np.empty(MOST_CONFIGS), np.empty(MOST_CONFIGS), 1 << player
    weigh(v, t, own, SABOTAGE, missions, votes)
    for k in range(v["worlds"]):
        missions[k] = 1.0 if missions[k] > 0.0 else 0.0
    blind, sharp = approves(v, t, missions, own), approves(v, t, votes, own)
    if blind == sharp:
        return 0.0
    return 1.0 if approved == sharp else -1.0


@kernel("float64(intp, intp)", "resistance")
def watching(context: int, state: int) -> float:
    """What a spy sees of how far those who are none watch votes: 0 where nothing tells.

    Past votes that only one who weighs votes would have cast, less those that only one who goes by
    missions would have. Leaders and last attempts tell nothing.
    """
    v, s = view(context, Variant), view(state, State)
    block = np.zeros(1, State)
    t, step, found = block[0], 0, 0.0
    t["failures"][:] = UNPLAYED
    for r in range(min(int(s["round"]) + 1, MISSIONS)):
        t["round"] = r
        for a in range(ATTEMPTS):
            past = int(s["past"][ATTEMPTS * r + a])
            if past == 0:
                break
            t["attempt"], t["team"] = a, past & (MASKS - 1)
            silent = int(s["spies"]) | 1 << (step % int(v["players"]))
            for p in range(v["players"]):
                if a < ATTEMPTS - 1 and not (silent >> p) & 1:
                    found += _agrees(v, t, p, ((past >> (SHIFT + p)) & 1) == 1)
            t["past"][ATTEMPTS * r + a] = past
            step += 1
        t["failures"][r] = s["failures"][r]
    return found


@kernel("void(intp, intp, int64, float64[::1], float64[::1])", "resistance")
def weigh_all(context: int, state: int, innocent: int, missions: Any, votes: Any) -> None:
    """The weights of all worlds by missions, and by votes as well, nobody `innocent` a spy."""
    weigh(view(context, Variant), view(state, State), innocent, SABOTAGE, missions, votes)


def by_votes(context: Array, record: Any, viewer: int) -> Array:
    """How likely each world is by missions and votes, as people vote, to a viewer or the public."""
    worlds, innocent = int(context[0]["worlds"]), 1 << viewer if viewer >= 0 else 0
    if viewer >= 0 and int(record["spies"]) >> viewer & 1:
        innocent = 0
    missions, votes = np.empty(worlds), np.empty(worlds)
    block = _block(record)
    weigh_all(address_of(context), address_of(block), innocent, missions, votes)
    return votes


def careful_move(context: Array, record: Any, player: int, stream: Stream) -> int:
    """What one who is no spy does by a view, or who acts as if it were none."""
    block = _block(record)
    block["spies"] = 0
    return int(move(address_of(context), address_of(block), player, stream.address))


def watched(context: Array, record: Any) -> float:
    """How far the others watch votes, by the view of a spy (`watching`)."""
    block = _block(record)
    return float(watching(address_of(context), address_of(block)))


def _block(record: Any) -> Array:
    block = lined_up(1, State)
    block[0] = record
    return block
