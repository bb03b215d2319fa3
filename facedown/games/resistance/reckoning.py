"""What a model of players makes of a game of The Resistance so far: who are spies, and who is how.

Every proposal, vote and number of failures is evidence (`model`): given who the spies are, what a
player does is as likely as its mind makes it. For each world the odds of every player's mind are
carried along by Bayes' rule, and the world's weight is the product of how likely all was. Cards are
secret: how many spies of a team sabotaged is explained by the odds of each, taken as independent.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from facedown.core import jit
from facedown.core.jit import kernel
from facedown.core.records import view
from facedown.games.resistance.layout import (
    APPROVE,
    ATTEMPTS,
    FAIL,
    MASKS,
    MISSIONS,
    MOST_CONFIGS,
    MOST_KINDS,
    MOST_PLAYERS,
    MOVE_TRAITS,
    PLAYING,
    POSITION_TRAITS,
    PROPOSING,
    REJECT,
    SHIFT,
    TEAM,
    TEMPERS,
    UNPLAYED,
    VOTING,
    State,
    Variant,
)
from facedown.games.resistance.listing import legal
from facedown.games.resistance.model import score_all, tell_traits, to_shares

MINDS = MOST_KINDS * TEMPERS
TEAMS, VOTES, CARDS = range(3)
"""What evidence is kept apart by: how likely it was is a row of `logs` for each."""
SLIP = 0.03
"""The share of all that players do that no model foretells."""

list_moves = jit(legal)


@jit
def _likely(v: Any, t: Any, player: int, move: int, out: Any) -> None:
    """How likely a player of each mind chooses a move in position `t`, as that player sees it."""
    moves = np.empty(MASKS, np.int32)
    t["actor"] = player
    n = list_moves(v, t, moves)
    told, scores, shares = np.empty(POSITION_TRAITS + n * MOVE_TRAITS), np.empty(n), np.empty(n)
    tell_traits(v, t, player, moves[:n], told)
    place = 0
    for j in range(n):
        if moves[j] == move:
            place = j
    for kind in range(v["kinds"]):
        score_all(v["nets"][kind], told, n, scores)
        for temper in range(TEMPERS):
            if temper == 0 or t["phase"] == VOTING:
                shift = v["tempers"][temper] if t["phase"] == VOTING else 0.0
                to_shares(scores, n, shift, shares)
            out[kind * TEMPERS + temper] = (1.0 - SLIP) * shares[place] + SLIP / n


@jit
def _learn(odds: Any, likely: Any, n: int) -> float:
    """Bayes' rule for the odds of a player's minds; how likely what it did was."""
    total = 0.0
    for m in range(n):
        odds[m] *= likely[m]
        total += odds[m]
    for m in range(n):
        odds[m] /= total
    return total


@jit
def _expected(odds: Any, likely: Any, n: int) -> float:
    """How likely a choice is by the odds of minds."""
    total = 0.0
    for m in range(n):
        total += odds[m] * likely[m]
    return total


@jit
def _at_once(v: Any, t: Any, viewer: int, move: Any, shown: Any, odds: Any, logs: Any) -> None:
    """Learn from what each player but the viewer did; `move` is -1 for who did nothing.

    What one who is no spy does is as likely in every world; what a spy does depends on the others.
    """
    n, plain, spies_own = int(v["kinds"]) * TEMPERS, np.empty(MINDS), np.empty(MINDS)
    for p in range(v["players"]):
        if p == viewer or move[p] < 0:
            continue
        t["spies"] = 0
        _likely(v, t, p, move[p], plain)
        for w in range(v["worlds"]):
            if shown[w]:
                spies = int(v["configs"][w])
                if (spies >> p) & 1:
                    t["spies"] = spies
                    _likely(v, t, p, move[p], spies_own)
                    logs[w] += math.log(_learn(odds[w, p], spies_own, n))
                else:
                    logs[w] += math.log(_learn(odds[w, p], plain, n))


@jit
def _ways(chances: Any, skip: int, n: int, failures: int) -> float:
    """How likely so many of `n` sabotage, each with its chance; `skip` is left out."""
    out = np.zeros(MOST_PLAYERS + 2)
    out[0] = 1.0
    for i in range(n):
        if i != skip:
            for f in range(n, 0, -1):
                out[f] = out[f] * (1.0 - chances[i]) + out[f - 1] * chances[i]
            out[0] *= 1.0 - chances[i]
    return out[failures] if failures >= 0 else 0.0


@jit
def _cards(v: Any, t: Any, failures: int, shown: Any, odds: Any, logs: Any) -> None:
    """Learn from a number of failures."""
    n = int(v["kinds"]) * TEMPERS
    likely, chances = np.empty((MOST_PLAYERS, MINDS)), np.empty(MOST_PLAYERS)
    who = np.empty(MOST_PLAYERS, np.int64)
    for w in range(v["worlds"]):
        t["spies"] = v["configs"][w]
        sent = int(t["spies"]) & int(t["team"])
        if shown[w] and sent:
            count = 0
            for p in range(v["players"]):
                if (sent >> p) & 1:
                    _likely(v, t, p, FAIL, likely[count])
                    chances[count], who[count] = _expected(odds[w, p], likely[count], n), p
                    count += 1
            whole = _ways(chances, -1, count, failures)
            logs[w] += math.log(max(whole, 1e-12))
            for i in range(count):
                did = _ways(chances, i, count, failures - 1)
                did_not = _ways(chances, i, count, failures)
                for m in range(n):
                    likely[i, m] = likely[i, m] * did + (1.0 - likely[i, m]) * did_not + 1e-12
                _learn(odds[w, who[i]], likely[i], n)


@jit
def _voted(v: Any, t: Any, viewer: int, past: int, shown: Any, odds: Any, logs: Any) -> None:
    """Learn from all votes on a team."""
    move = np.empty(MOST_PLAYERS, np.int64)
    t["phase"], t["team"] = VOTING, past & (MASKS - 1)
    for p in range(v["players"]):
        move[p] = APPROVE if (past >> (SHIFT + p)) & 1 else REJECT
    _at_once(v, t, viewer, move, shown, odds, logs[VOTES])


@jit
def _proposed(v: Any, t: Any, viewer: int, team: int, shown: Any, odds: Any, logs: Any) -> None:
    """Learn from the team that a leader proposes."""
    move = np.empty(MOST_PLAYERS, np.int64)
    t["phase"], t["team"] = PROPOSING, 0
    for p in range(v["players"]):
        move[p] = TEAM + team if p == t["leader"] else -1
    _at_once(v, t, viewer, move, shown, odds, logs[TEAMS])


@jit
def _replay(v: Any, s: Any, viewer: int, done: int, shown: Any, odds: Any, logs: Any) -> int:
    """Go through all that was seen, in order, in a position that is set up as it was then.

    Every proposal is three steps: the team, the votes, the cards. The first so many are `done`.
    """
    block = np.zeros(1, State)
    t, players, step = block[0], int(v["players"]), 0
    t["failures"][:] = UNPLAYED
    for r in range(min(int(s["round"]) + 1, MISSIONS)):
        t["round"] = r
        for a in range(ATTEMPTS):
            past = int(s["past"][ATTEMPTS * r + a])
            now = r == s["round"] and a == s["attempt"] and s["phase"] == VOTING
            if past == 0 and not now:
                break
            t["attempt"], t["leader"] = a, (step // 3) % players
            if step >= done:
                team = past & (MASKS - 1) if past else int(s["team"])
                _proposed(v, t, viewer, team, shown, odds, logs)
            if past == 0:
                return step + 1
            if step + 1 >= done:
                _voted(v, t, viewer, past, shown, odds, logs)
            t["past"][ATTEMPTS * r + a] = past
            if 2 * v["bits"][past >> SHIFT] > players:
                if s["failures"][r] < 0:
                    return step + 2
                t["phase"], t["team"] = PLAYING, past & (MASKS - 1)
                if step + 2 >= done:
                    _cards(v, t, int(s["failures"][r]), shown, odds, logs[CARDS])
                t["failures"][r] = s["failures"][r]
                t["won"] += 1 if s["failures"][r] >= v["needed"][r] else 0
            step += 3
    return step


_EVIDENCE = "int64(intp, intp, int64, int64, boolean[::1], float64[:, :, ::1], float64[:, ::1])"


@kernel(_EVIDENCE, "resistance")
def reckon(
    context: int, state: int, viewer: int, done: int, shown: Any, odds: Any, logs: Any
) -> int:
    """Put the evidence of a view into odds of minds [world, player, mind], logs [evidence, world].

    Only worlds that are `shown`, which the view allows, are looked at. A viewer's own play is no
    evidence to it. The first `done` steps are in them already; how many are then.
    """
    return _replay(view(context, Variant), view(state, State), viewer, done, shown, odds, logs)


# --- shares of worlds -----------------------------------------------------------------------------


@jit
def _to_shares(shown: Any, logs: Any, n: int, shares: Any) -> None:
    """Shares of the worlds that are shown, by their logs."""
    highest, total = -1e300, 0.0
    for w in range(n):
        if shown[w]:
            highest = max(highest, logs[w])
    for w in range(n):
        shares[w] = math.exp(logs[w] - highest) if shown[w] else 0.0
        total += shares[w]
    for w in range(n):
        shares[w] /= total


@jit
def _weighed(v: Any, logs: Any, weights: Any, out: Any) -> None:
    """All evidence of each world, each kind of it by its weight."""
    for w in range(v["worlds"]):
        out[w] = 0.0
        for kind in range(len(weights)):
            out[w] += weights[kind] * logs[kind, w]


@jit
def _table_kinds(v: Any, shown: Any, shares: Any, odds: Any, kinds: Any) -> None:
    """What kind each player seems to be, over all worlds."""
    for w in range(v["worlds"]):
        if shown[w]:
            for p in range(v["players"]):
                for m in range(int(v["kinds"]) * TEMPERS):
                    kinds[p, m // TEMPERS] += shares[w] * odds[w, p, m]


@jit
def first_share(v: Any, mind: int) -> float:
    """How many of the crowd have a mind."""
    return max(v["shares"][mind // TEMPERS] * v["temperate"][mind % TEMPERS], 1e-12)  # type: ignore[no-any-return]


@jit
def _prior_ratios(v: Any, viewer: int, alike: float, kinds: Any, ratios: Any) -> None:
    """Priors of minds that take after what the others seem to be, by those of the crowd."""
    for p in range(v["players"]):
        for kind in range(v["kinds"]):
            mean, others = 0.0, 0
            for o in range(v["players"]):
                if o not in (p, viewer):
                    mean, others = mean + kinds[o, kind], others + 1
            for temper in range(TEMPERS):
                mind = kind * TEMPERS + temper
                taken = mean / others * v["temperate"][temper]
                ratios[p, mind] = 1.0 - alike + alike * taken / first_share(v, mind)


@jit
def believe(
    v: Any, viewer: int, shown: Any, weights: Any, alike: float, odds: Any, logs: Any, shares: Any
) -> None:
    """Shares of worlds; the odds of minds get priors that take after the table's in place.

    With other priors all odds change by their ratio: a likelihood is the same whatever the prior.
    (Where several spies were on a team that is an approximation.)
    """
    n, worlds = int(v["kinds"]) * TEMPERS, int(v["worlds"])
    total = np.empty(MOST_CONFIGS)
    _weighed(v, logs, weights, total)
    _to_shares(shown, total, worlds, shares)
    if alike == 0.0:
        return
    kinds, ratios = np.zeros((MOST_PLAYERS, MOST_KINDS)), np.empty((MOST_PLAYERS, MINDS))
    _table_kinds(v, shown, shares, odds, kinds)
    _prior_ratios(v, viewer, alike, kinds, ratios)
    for w in range(worlds):
        if shown[w]:
            for p in range(v["players"]):
                total[w] += weights[VOTES] * math.log(_learn(odds[w, p], ratios[p], n))
    _to_shares(shown, total, worlds, shares)


@kernel(
    "void(intp, int64, boolean[::1], float64[::1], float64, float64[:, :, ::1], float64[:, ::1], "
    "float64[::1])",
    "resistance",
)
def share_out(
    context: int,
    viewer: int,
    shown: Any,
    weights: Any,
    alike: float,
    odds: Any,
    logs: Any,
    shares: Any,
) -> None:
    """`believe`, for Python."""
    believe(view(context, Variant), viewer, shown, weights, alike, odds, logs, shares)
