"""A scripted player of The Resistance that goes by a model of how people play (`knowledge`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from facedown.core import Stream
from facedown.games.resistance.knowledge import Suspicion
from facedown.games.resistance.layout import (
    APPROVE,
    ATTEMPTS,
    PLAYING,
    REJECT,
    TEAM,
    VOTING,
)
from facedown.games.resistance.table import Table

Array = np.ndarray[Any, Any]
ASKED = 0.8
"""How clean a first team must be to be approved, by the cleanest that there is."""


def clean(table: Table, shares: Array, team: int) -> float:
    """How likely a team has no spy."""
    return float(sum(s for spies, s in zip(table.configs, shares, strict=True) if not spies & team))


class Reckoner:
    """As one of the resistance it sends whom it holds for clean; as a spy it plays another's way.

    What it asks of a team falls to nothing with the attempts: the fifth is approved.
    """

    def __init__(self, table: Table, context: Array, asked: float = ASKED) -> None:
        self.table, self.context, self.asked = table, context, asked

    def choose(self, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
        """A vote or a team of one who is no spy."""
        if view["phase"] == PLAYING:
            return legal[0]
        shares = Suspicion(self.table, self.context, player).reckon(view).shares
        size = self.table.sizes[int(view["round"])]
        own = 1 << player
        teams = [mask for mask in range(1 << self.table.players) if mask.bit_count() == size]
        worth = {team: clean(self.table, shares, team) for team in teams if team & own}
        if view["phase"] != VOTING:
            return TEAM + max(worth, key=lambda team: worth[team])
        wanted = self.asked * (1 - int(view["attempt"]) / (ATTEMPTS - 1)) * max(worth.values())
        share = clean(self.table, shares, int(view["team"]))
        return APPROVE if share >= wanted else REJECT
