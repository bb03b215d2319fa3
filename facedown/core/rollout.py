"""Rollouts: random moves to the end of a game, in one loop that its rules are compiled into.

Where everybody has left the tree a search plays on without looking, and there most of its moves
are made. Calling the rules one by one by their addresses keeps the compiler from seeing through
them; compiled together in one loop they run two to six times as fast. The loop is made for each
game from one template, with the game's own functions for its globals, so that it caches like a rule
of the game. It draws the same random numbers as a search that asks rule by rule.

A rollout takes the address of a `core.stepping.Play`, with which the state of every search begins,
and the ply at which it begins.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from facedown.core.constants import CHANCE, OVER
from facedown.core.jit import PACKAGE, jit, native
from facedown.core.records import array, view
from facedown.core.rules import ROLLOUT, call_horizon, call_playout
from facedown.core.stepping import Play, one_of

ENDLESS, STUCK = -1, -2
"""Instead of the ply at the end: no end within `most_plies`; no legal moves, or too many."""


@jit
def _none(ctx: int, state: int, more: int) -> int:
    """Stands for a rule that a game does not have, and is never called."""
    return 0


# The game's own when a rollout is made.
turn: Any = _none
legal: Any = _none
apply: Any = _none
payoff: Any = _none
draw: Any = _none
weights: Any = _none
DRAWS = WEIGHS = False


def rollout(play: int, ply: int) -> int:
    """Play on from a position that is not over, `ply` moves after the root; the ply at the end.

    Fills the payoffs, or the values at the horizon, and the trail of moves; counts decisions.
    """
    p = view(play, Play)
    ctx, state, rng = p["ctx"], p["world"], p["rng"]
    most_plies, most_moves, payoffs = p["most_plies"], p["most_moves"], p["payoffs"]
    to_horizon, informed = p["to_horizon"], p["informed"]
    moves, trail = array(p["moves"], most_moves, np.int32), array(p["trail"], most_plies, np.int32)
    numbers = array(p["numbers"], most_moves, np.float64)
    player, decided = turn(ctx, state), p["decided"]
    while True:
        if player != CHANCE:
            decided += 1
        if player == CHANCE and DRAWS:
            move = np.int64(draw(ctx, state, rng))
        elif player != CHANCE and informed != 0:
            move = np.int64(call_playout(play, ctx, state, rng))
        else:
            n = legal(ctx, state, p["moves"])
            if n <= 0 or n > most_moves:
                trail[ply] = -1
                return STUCK
            weighed = player == CHANCE and WEIGHS
            if weighed:
                weights(ctx, state, p["numbers"])
            move = np.int64(one_of(rng, moves, n, numbers, weighed))
        trail[ply] = move
        apply(ctx, state, move)
        ply += 1
        p["decided"] = decided
        if to_horizon != 0 and call_horizon(play, ctx, state, payoffs) != 0:
            return ply
        player = turn(ctx, state)
        if player == OVER:
            payoff(ctx, state, payoffs)
            return ply
        if ply >= most_plies:
            return ENDLESS


def rollout_of(
    module: ModuleType, functions: Mapping[str, Callable[..., Any]], sources: tuple[Path, ...]
) -> Any:
    """The rollout of a game with these rules, compiled, cached beside them."""
    wanted = ("turn", "legal", "apply", "payoff", "draw", "weights")
    own = {name: _plain(functions[name]) for name in wanted if name in functions}
    names = {**globals(), "__name__": module.__name__}
    names |= {name: jit(function) for name, function in own.items()}
    names |= {"DRAWS": "draw" in own, "WEIGHS": "weights" in own}
    name, file = f"rollout_{_digest(own)}", _home(module, own)
    code = rollout.__code__.replace(co_filename=file, co_name=name, co_qualname=name)
    taking_part = (*_folders(own), *sources)
    return native(FunctionType(code, names, name), ROLLOUT.signature, taking_part)


def _plain(function: Any) -> FunctionType:
    """A function as it was before it was compiled."""
    found: FunctionType = getattr(function, "py_func", function)
    return found


def _digest(functions: Mapping[str, FunctionType]) -> str:
    """What tells a rollout from those of other functions that lie in the same files."""
    parts = [(name, _spelt(one.__code__), one.__defaults__) for name, one in functions.items()]
    return hashlib.sha256(repr(sorted(parts)).encode()).hexdigest()[:12]


def _spelt(code: CodeType) -> tuple[Any, ...]:
    """Code as what can be compared from process to process."""
    consts = [_spelt(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts]
    place = (code.co_filename, code.co_firstlineno, code.co_qualname)
    return (*place, code.co_code, code.co_names, *consts)


def _home(module: ModuleType, functions: Mapping[str, FunctionType]) -> str:
    """The file that a rollout is cached for; none where its functions are not a module's own."""
    known = all(map(_at_home, functions.values()))
    return str(module.__file__) if known else "<rollout>"


def _at_home(function: FunctionType) -> bool:
    """Whether a function is as its file says: it closes over nothing, its globals are there."""
    home = sys.modules.get(function.__module__)
    bare = function.__closure__ is None and Path(function.__code__.co_filename).is_file()
    return bare and home is not None and function.__globals__ is vars(home)


def _folders(functions: Mapping[str, FunctionType]) -> list[Path]:
    """Where the functions' own files lie, with all that they may call: folders of the package."""
    files = {Path(function.__code__.co_filename).resolve() for function in functions.values()}
    return sorted({file.parent for file in files if file.is_relative_to(PACKAGE)})
