"""Kuhn poker and liar's dice with compiled rules, each time with one rule gone wrong."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from facedown.core import jit, mix
from facedown.core.rules import RULES
from facedown.games import kuhn as right
from facedown.games.kuhn import Kuhn
from facedown.games.liars_dice import LiarsDice
from facedown.games.liars_dice import rules as dice

State = right.State


def with_rules(right: ModuleType, **wrong: Any) -> ModuleType:
    """Rules as they should be, but for those that are given."""
    module = ModuleType("wrong")
    module.__file__ = __file__
    rules = (*RULES, "thumb", "told")  # variants of liar's dice among them
    kept = {name: getattr(right, name) for name in rules if hasattr(right, name)}
    module.__dict__.update({**kept, **wrong})
    return module


Salted = np.dtype(
    [*((name, dice.Variant[name]) for name in dice.Variant.names), ("salt", np.int64)]
)


class SaltedDice(LiarsDice):
    """Liar's dice with one more number in its context."""

    salt = 0

    def __init__(self) -> None:
        super().__init__(faces=2)

    def context(self) -> np.ndarray[Any, Any]:
        return np.array([(*super().context()[0], self.salt)], Salted)


class DealtInContext(SaltedDice):
    @property
    def salt(self) -> int:
        return random.randrange(1_000_000)


_right_infoset = jit(dice.infoset)


def counting_infoset(v: Any, s: Any, viewer: int) -> int:
    v["salt"] += 1
    return _right_infoset(v, s, viewer)


class WritesContext(SaltedDice):
    rules: ClassVar = with_rules(dice, infoset=counting_infoset)


class TooManyMoves(Kuhn):
    most_moves = 2


def blank_for_the_public(s: Any, viewer: int, rng: int) -> None:
    if viewer >= 0:
        for player in range(s["dealt"]):
            if s["cards"][player] < 0:
                s["cards"][player] = (s["cards"][1 - player] + 1) % 3


class BlankForThePublic(Kuhn):
    rules: ClassVar = with_rules(right, determinize=blank_for_the_public)


def leaky_hide(s: Any, viewer: int) -> None:
    if s["n"] < 2:
        for player in range(2):
            if player != viewer:
                s["cards"][player] = -1


class LeakyHide(Kuhn):
    rules: ClassVar = with_rules(right, hide=leaky_hide)


class TaggedState(Kuhn):
    """Its record has a field of letters, which has no text that reads back."""

    State = np.dtype([*((name, State[name]) for name in State.names or ()), ("tag", "S3")])


def wrapping_infoset(s: Any, viewer: int) -> int:
    """A word times 1.5 milliards: three milliards when compiled, a negative number when not."""
    card = s["cards"][viewer] * 1_500_000_000 if viewer >= 0 else 0
    key = mix(int(s["dealt"]) + 1, int(card) + 200)
    for k in range(s["n"]):
        key = mix(key, int(s["line"][k]) + 1)
    return key  # type: ignore[no-any-return]


class Wraps(Kuhn):
    rules: ClassVar = with_rules(right, infoset=wrapping_infoset)


_right_world = jit(right.world)


def forgetful_world(s: Any, viewer: int, k: int) -> float:
    """Every deal weighs the same, though the viewer has seen a card."""
    _right_world(s, viewer, k)
    return 1.0


def narrow_world(s: Any, viewer: int, k: int) -> float:
    """The last deal is never possible."""
    weight = _right_world(s, viewer, k)
    return weight if k < 5 else 0.0


def drifting_world(s: Any, viewer: int, k: int) -> float:
    """The deals are counted anew with every bet."""
    return _right_world(s, viewer, (k + int(s["n"])) % 6)


def loaded_world(s: Any, viewer: int, k: int) -> float:
    """Every other deal weighs twice as much as it should."""
    return _right_world(s, viewer, k) * (1.0 + k % 2)


class ForgetfulWorld(Kuhn):
    rules: ClassVar = with_rules(right, world=forgetful_world)


class NarrowWorld(Kuhn):
    rules: ClassVar = with_rules(right, world=narrow_world)


class DriftingWorld(Kuhn):
    rules: ClassVar = with_rules(right, world=drifting_world)


class LoadedWorld(Kuhn):
    rules: ClassVar = with_rules(right, world=loaded_world)


def tokens_of_the_first(s: Any, move: int, out: Any) -> None:
    for viewer in range(3):
        hidden = move >= right.DEAL and s["dealt"] != 0
        out[viewer] = np.uint64(right.DEAL + 4 if hidden else move + 1)


class TellsAll(Kuhn):
    rules: ClassVar = with_rules(right, tokens=tokens_of_the_first)
