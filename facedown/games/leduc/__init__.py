"""Leduc hold'em, a small poker with a public card."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from facedown.core import CompiledGame, Stream
from facedown.core.learning import Features
from facedown.games.leduc import rules, scripted, strength, text


class Leduc(CompiledGame):
    """Leduc hold'em: six cards, two betting rounds, one public card."""

    State = rules.State
    rules: ClassVar = rules
    players = 2
    moves = 6
    most_moves = 3
    most_plies = 11
    bounds = (-13.0, 13.0)
    secrets = 3  # no hand to speak of; the other's is not ahead, is ahead
    predictor = Path(__file__).with_name("strength.skops")
    source = (
        "F. Southey, M. Bowling, B. Larson, C. Piccione, N. Burch, D. Billings, C. Rayner, "
        "Bayes' Bluff: Opponent Modelling in Poker, UAI 2005 (its game Leduc hold'em)"
    )

    def features(self) -> Features:
        return strength.features()

    def move_text(self, move: int) -> str:
        return text.MOVE_NAMES[move]

    def observation_text(self, token: int, viewer: int) -> str:
        return text.observation_text(token)

    def view_text(self, view: Any, viewer: int) -> str:
        return text.view_text(view, viewer)

    def hidden_text(self, world: Any, viewer: int) -> str:
        return text.hidden_text(world, viewer)

    def picture(self, view: Any, viewer: int) -> str:
        from facedown.games.leduc.picture import picture

        return picture(view, viewer)

    def scripted(self, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
        return scripted.choose(view, player, legal, stream)
