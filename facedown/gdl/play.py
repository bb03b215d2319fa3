"""Random play in the network itself, without records: how fast the rules run.

`random_play` counts joint states; `jump_about` goes between states that have nothing to do with
each other, as a search over many worlds does.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from facedown.core import RuleError, Stream, array, below, jit
from facedown.core.jit import JIT, native
from facedown.core.records import address_of, lined_up
from facedown.core.rules import Rule
from facedown.core.words import ONE, lowest, ones
from facedown.gdl import layout as at
from facedown.gdl.engine import (
    advance,
    head_of,
    holds,
    leave,
    look,
    occupy,
    play_network,
    stand,
)
from facedown.gdl.network import RuleNetwork

_NONE = np.uint64(0)
_PLAY = Rule("random_play", 0, "int", ("address", "int", "int", "int", "address", "address"))
_WANDER = Rule("wander", 0, "int", ("address", "address", "int", "address"))
_JUMP = Rule("jump_about", 0, "int", ("address", "address", "int", "int"))


@jit
def choose_all(ctx: int, area: int, joint: int, rng: int) -> bool:
    """A random legal move for every role where the area stands; whether each has one."""
    h, n = head_of(ctx), play_network(ctx)
    roles, first = h[at.ROLES], n[at.OUTPUTS] >> 6
    moves = array(joint, roles, np.int32)
    bits = array(area + n[at.BITS_AT], n[at.WORDS], np.uint64)
    groups = array(ctx + h[at.GROUPS_AT], 4 * h[at.GROUPS], np.int64)
    role, total = np.int64(-1), np.int64(0)
    chosen = 0
    for g in range(h[at.GROUPS]):
        if groups[4 * g] != role:
            role, total = groups[4 * g], np.int64(0)
        if not holds(ctx, area, groups[4 * g + 3]):
            continue
        for w in range(groups[4 * g + 1], groups[4 * g + 2]):
            x = bits[first + w]
            if x == _NONE:
                continue
            if total == 0:
                chosen += 1
            total += ones(x)
            k = below(rng, total) if total > 1 else 0
            if k < ones(x):  # of all moves so far each is as likely
                for _ in range(k):
                    x &= x - ONE
                moves[role] = (w << 6) + lowest(x)
    return chosen == roles  # type: ignore[no-any-return]


def random_play(ctx: int, games: int, most: int, seeing: int, rng: int, out: int) -> int:
    """Play so many games at random, or `most` joint moves; how many, or -1 where a role had none.

    `seeing`: also find out after every move what is seen. `out`: the sum of goals of each player,
    then the number of finished games and of the joint moves in them.
    """
    h, n = head_of(ctx), play_network(ctx)
    players, steps = h[at.PLAYERS], 0
    sums = array(out, players + 2, np.int64)
    goals = array(ctx + h[at.GOALS_AT], 3 * h[at.GOALS], np.int64)
    area = occupy(ctx, out)
    joint, here = area + h[at.JOINT_AT], area + n[at.STATE_AT]
    for _ in range(games):
        stand(ctx, area, ctx + h[at.START_AT])
        while not holds(ctx, area, h[at.TERMINAL]):
            if steps == most or not choose_all(ctx, area, joint, rng):
                leave(area)
                return steps if steps == most else -1
            if seeing:
                look(ctx, area, here, joint)
            advance(ctx, area, here, joint)
            steps += 1
        for g in range(h[at.GOALS]):
            if holds(ctx, area, goals[3 * g + 2]):
                sums[goals[3 * g]] += goals[3 * g + 1]
        sums[players] += 1
        sums[players + 1] = steps
    leave(area)
    return steps


def wander(ctx: int, states: int, n: int, rng: int) -> int:
    """Fill an array with `n` states of random games, some steps apart from each other."""
    h, net = head_of(ctx), play_network(ctx)
    words = h[at.STATE_WORDS]
    area = occupy(ctx, states)
    joint, here = area + h[at.JOINT_AT], area + net[at.STATE_AT]
    stand(ctx, area, ctx + h[at.START_AT])
    now = array(here, words, np.uint64)
    for k in range(n):
        for _ in range(1 + below(rng, 8)):
            over = holds(ctx, area, h[at.TERMINAL])
            if over or not choose_all(ctx, area, joint, rng):
                stand(ctx, area, ctx + h[at.START_AT])
            else:
                advance(ctx, area, here, joint)
        there = array(states + 8 * k * words, words, np.uint64)
        for w in range(words):
            there[w] = now[w]
    leave(area)
    return n


def jump_about(ctx: int, states: int, n: int, jumps: int) -> int:
    """Go from state to state of an array of `n`, in turn; how many of those met were ends."""
    h = head_of(ctx)
    size, over = 8 * h[at.STATE_WORDS], 0
    area = occupy(ctx, states)
    for k in range(jumps):
        stand(ctx, area, states + (k % n) * size)
        over += holds(ctx, area, h[at.TERMINAL])
    leave(area)
    return over


_LOOPS: dict[str, tuple[Callable[..., int], Rule]] = {
    "play": (random_play, _PLAY),
    "wander": (wander, _WANDER),
    "jump": (jump_about, _JUMP),
}
_kept: list[Any] = []  # compiled code, which must outlive what Python calls


@cache
def compiled(name: str) -> Any:
    """One of the functions here as Python calls it; it holds no GIL."""
    function, rule = _LOOPS[name]
    if not JIT:
        return function
    _kept.append(native(function, rule.signature))
    return rule.callback(_kept[-1].address)


@dataclass(frozen=True)
class Speed:
    """How fast a network worked: joint states a second; how many, finished games, and their means.

    Of several goals that a role has at once, all are in its mean.
    """

    states_per_second: float
    states: int
    games: int = 0
    mean_length: float = 0.0
    mean_goals: tuple[float, ...] = ()


def random_games(
    rules: RuleNetwork,
    games: int,
    seed: int = 1,
    *,
    seeing: bool = False,
    most: int = 100_000_000,
) -> Speed:
    """Play games at random from the start, and time it; it stops after `most` joint moves.

    `seeing`: with all percepts worked out at every step.
    """
    context, stream = rules.context(), Stream(seed)
    out = lined_up(rules.players + 2, np.int64)
    play = compiled("play")
    began = time.thread_time()
    steps = play(address_of(context), games, most, int(seeing), stream.address, address_of(out))
    took = time.thread_time() - began
    if steps < 0:
        raise RuleError(f"{rules.source}: a role has no legal move, and the game is not over")
    *sums, finished, within = (int(total) for total in out)
    goals = tuple(total / max(finished, 1) for total in sums)
    return Speed(steps / max(took, 1e-9), steps, finished, within / max(finished, 1), goals)


def jumps(rules: RuleNetwork, number: int, states: int = 256, seed: int = 1) -> Speed:
    """Go between states of random games that have nothing to do with each other, and time it."""
    context, stream = rules.context(), Stream(seed)
    words = rules.play.fluent_words
    met = lined_up(states * words, np.uint64)
    compiled("wander")(address_of(context), address_of(met), states, stream.address)
    order = list(range(states))
    stream.shuffle(order)
    met[:] = met.reshape(states, words)[order].ravel()
    began = time.thread_time()
    compiled("jump")(address_of(context), address_of(met), states, number)
    return Speed(number / max(time.thread_time() - began, 1e-9), number)
