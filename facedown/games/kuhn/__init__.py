"""Kuhn poker, the smallest poker worth thinking about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from facedown.core import CompiledGame, Stream
from facedown.games.kuhn import rules, scripted, text


class Kuhn(CompiledGame):
    """Kuhn poker: three cards, two players, one bet."""

    State = rules.State
    rules: ClassVar = rules
    players = 2
    moves = 5
    most_moves = 3
    most_plies = 5
    worlds = 6
    bounds = (-2.0, 2.0)
    source = (
        "H. W. Kuhn, A simplified two-person poker, in Contributions to the Theory of Games I, "
        "Annals of Mathematics Studies 24, Princeton 1950, pp. 97-103"
    )

    def move_text(self, move: int) -> str:
        return text.MOVE_NAMES[move]

    def observation_text(self, token: int, viewer: int) -> str:
        return text.observation_text(token)

    def view_text(self, view: Any, viewer: int) -> str:
        return text.view_text(view, viewer)

    def hidden_text(self, world: Any, viewer: int) -> str:
        return text.hidden_text(world, viewer)

    def picture(self, view: Any, viewer: int) -> str:
        from facedown.games.kuhn.picture import picture

        return picture(view, viewer)

    def scripted(self, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
        return scripted.choose(view, player, legal, stream)
