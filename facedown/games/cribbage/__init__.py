"""Cribbage for two."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, ClassVar

import numpy as np

from facedown.core import CompiledGame, Stream
from facedown.games.cribbage import rules, scripted, text
from facedown.games.cribbage.cards import CARDS
from facedown.games.cribbage.learnt import Learnt
from facedown.games.cribbage.scoring import tables
from facedown.games.cribbage.state import MOVES

_HANDS = 241  # at least a point is made in every hand, and a game ends at 121 of 240
_PLIES = 12 + 2 + 1 + 12  # of a hand: deal, throws, cut, play


def _kelly(c: float) -> dict[str, Any]:
    """The paper's bandit is mean + c sqrt(2 ln A / N) on points as they are; ours has no 2."""
    return {"c": c * sqrt(2), "scaled": False}


class Cribbage(CompiledGame):
    """Cribbage: six cards each, two into the crib, the play, the show; first to 121 points."""

    State = rules.State
    rules: ClassVar = rules
    players = 2
    moves = MOVES
    most_moves = CARDS
    most_plies = _HANDS * _PLIES
    bounds = (-1.0, 1.0)
    # A hand and a crib count up to 29 each, his heels 2, four plays less than 40 together.
    horizon_bounds = (-100.0, 100.0)
    settings: ClassVar = {
        "cheating-uct": _kelly(1.75),
        "determinized-uct": {**_kelly(1.75), "worlds": 100},
        "so-ismcts": _kelly(2.0),
        "mo-ismcts": _kelly(2.0),
        "mt-ismcts": {**_kelly(2.0), "bandit": "ucb1"},  # UCB-Tuned wants payoffs in [0, 1]
        "smooth-uct": _kelly(2.0),
    }
    variants: ClassVar = {"horizon": {"winning": (-1.0, 1.0)}, "determinize": ("skilled",)}
    best = (
        "so-ismcts:bandit=prior-first,prior=true,growth=node,c=0.5,scaled=false,playout=true,"
        "determinize=skilled,horizon=winning"
    )
    source = (
        "R. Kelly, Comparison of Monte Carlo Tree Search Methods in the Imperfect Information "
        "Card Game Cribbage, Memorial University 2017, section 2.1 and table 2-1; the game ends "
        "the moment 121 is reached, as its section 2.1.1 and the American Cribbage Congress say"
    )

    def __init__(self, kelly2017: bool = False) -> None:
        self.kelly2017 = kelly2017
        self.learnt: Learnt | None = None  # as stored, unless it is set before the game is built

    def context(self) -> np.ndarray[Any, Any]:
        return tables(self.kelly2017, self.learnt)

    def move_text(self, move: int) -> str:
        return text.move_text(move)

    def observation_text(self, token: int, viewer: int) -> str:
        return text.observation_text(token)

    def view_text(self, view: Any, viewer: int) -> str:
        return text.view_text(view, viewer)

    def hidden_text(self, world: Any, viewer: int) -> str:
        return text.hidden_text(world, viewer)

    def hidden_facts(self, world: Any, viewer: int) -> tuple[str, ...]:
        return tuple(text.hidden_facts(world, viewer))

    def picture(self, view: Any, viewer: int) -> str:
        from facedown.games.cribbage.picture import picture

        return picture(view, viewer)

    def move_parts(self, view: Any, viewer: int, move: int) -> tuple[str, ...]:
        from facedown.games.cribbage.picture import move_parts

        return move_parts(move)

    def scripted(self, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
        return scripted.choose(view, player, legal)
