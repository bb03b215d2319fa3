"""Leduc hold'em, a small poker with a public card."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from facedown.core.learning import Features
from facedown.games.leduc import rules, strength
from facedown.games.leduc.text import MOVE_NAMES
from facedown.games.small import SmallGame


class Leduc(SmallGame):
    """Leduc hold'em: six cards, two betting rounds, one public card."""

    State = rules.State
    rules: ClassVar = rules
    package = __name__
    names = MOVE_NAMES
    players = 2
    moves = 6
    most_moves = 3
    most_plies = 11
    bounds = (-13.0, 13.0)
    variants: ClassVar = {"playout": ("thumb",), "determinize": ("told",)}
    best = "mo-ismcts:playout=thumb,determinize=told,modelled=0.5"
    secrets = 3  # no hand to speak of; the other's is not ahead, is ahead
    predictor = Path(__file__).with_name("strength.skops")
    source = (
        "F. Southey, M. Bowling, B. Larson, C. Piccione, N. Burch, D. Billings, C. Rayner, "
        "Bayes' Bluff: Opponent Modelling in Poker, UAI 2005 (its game Leduc hold'em)"
    )

    def features(self) -> Features:
        return strength.features()
