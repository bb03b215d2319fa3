"""Kuhn poker with compiled rules, each time with one rule gone wrong."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from facedown.core import array, jit, mix, view
from facedown.core.rules import RULES
from facedown.games.kuhn import Kuhn
from facedown.games.kuhn import rules as right

State = right.State


def _with(**wrong: Any) -> ModuleType:
    """Kuhn's rules, but for those that are given."""
    module = ModuleType("wrong")
    module.__file__ = __file__
    kept = {name: getattr(right, name) for name in RULES if hasattr(right, name)}
    module.__dict__.update({**kept, **wrong})
    return module


class DealtInContext(Kuhn):
    def context(self) -> np.ndarray[Any, Any]:
        return np.array(random.sample(range(100), 4), np.int8)


def counting_infoset(ctx: int, state: int, viewer: int) -> int:
    array(ctx, 1, np.int64)[0] += 1
    s = view(state, State)
    card = s["cards"][viewer] if viewer >= 0 else -1
    key = mix(int(s["dealt"]) + 1, int(card) + 1)
    for k in range(s["n"]):
        key = mix(key, int(s["line"][k]) + 1)
    return key  # type: ignore[no-any-return]


class WritesContext(Kuhn):
    rules: ClassVar = _with(infoset=counting_infoset)

    def context(self) -> np.ndarray[Any, Any]:
        return np.zeros(1, np.int64)


class TooManyMoves(Kuhn):
    most_moves = 2


def blank_for_the_public(ctx: int, state: int, viewer: int, rng: int) -> None:
    s = view(state, State)
    if viewer >= 0:
        for player in range(s["dealt"]):
            if s["cards"][player] < 0:
                s["cards"][player] = (s["cards"][1 - player] + 1) % 3


class BlankForThePublic(Kuhn):
    rules: ClassVar = _with(determinize=blank_for_the_public)


def leaky_hide(ctx: int, state: int, viewer: int) -> None:
    s = view(state, State)
    if s["n"] < 2:
        for player in range(2):
            if player != viewer:
                s["cards"][player] = -1


class LeakyHide(Kuhn):
    rules: ClassVar = _with(hide=leaky_hide)


class TaggedState(Kuhn):
    """Its record has a field of letters, which has no text that reads back."""

    State = np.dtype([*((name, State[name]) for name in State.names or ()), ("tag", "S3")])


def wrapping_infoset(ctx: int, state: int, viewer: int) -> int:
    """A word times 1.5 milliards: three milliards when compiled, a negative number when not."""
    s = view(state, State)
    card = s["cards"][viewer] * 1_500_000_000 if viewer >= 0 else 0
    key = mix(int(s["dealt"]) + 1, int(card) + 200)
    for k in range(s["n"]):
        key = mix(key, int(s["line"][k]) + 1)
    return key  # type: ignore[no-any-return]


class Wraps(Kuhn):
    rules: ClassVar = _with(infoset=wrapping_infoset)


_right_world = jit(right.world)


def forgetful_world(ctx: int, state: int, viewer: int, k: int) -> float:
    """Every deal weighs the same, though the viewer has seen a card."""
    _right_world(ctx, state, viewer, k)
    return 1.0


def narrow_world(ctx: int, state: int, viewer: int, k: int) -> float:
    """The last deal is never possible."""
    weight = _right_world(ctx, state, viewer, k)
    return weight if k < 5 else 0.0


def drifting_world(ctx: int, state: int, viewer: int, k: int) -> float:
    """The deals are counted anew with every bet."""
    return _right_world(ctx, state, viewer, (k + int(view(state, State)["n"])) % 6)


def loaded_world(ctx: int, state: int, viewer: int, k: int) -> float:
    """Every other deal weighs twice as much as it should."""
    return _right_world(ctx, state, viewer, k) * (1.0 + k % 2)


class ForgetfulWorld(Kuhn):
    rules: ClassVar = _with(world=forgetful_world)


class NarrowWorld(Kuhn):
    rules: ClassVar = _with(world=narrow_world)


class DriftingWorld(Kuhn):
    rules: ClassVar = _with(world=drifting_world)


class LoadedWorld(Kuhn):
    rules: ClassVar = _with(world=loaded_world)


def tokens_of_the_first(ctx: int, state: int, move: int, out: int) -> None:
    sights = array(out, 3, np.uint64)
    s = view(state, State)
    for viewer in range(3):
        hidden = move >= right.DEAL and s["dealt"] != 0
        sights[viewer] = np.uint64(right.DEAL + 4 if hidden else move + 1)


class TellsAll(Kuhn):
    rules: ClassVar = _with(tokens=tokens_of_the_first)
