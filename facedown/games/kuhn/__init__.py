"""Kuhn poker, the smallest poker worth thinking about."""

from __future__ import annotations

from typing import ClassVar

from facedown.games.kuhn import rules
from facedown.games.kuhn.text import MOVE_NAMES
from facedown.games.small import SmallGame


class Kuhn(SmallGame):
    """Kuhn poker: three cards, two players, one bet."""

    State = rules.State
    rules: ClassVar = rules
    package = __name__
    names = MOVE_NAMES
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
