"""Scripted players of The Resistance that go by a model of how people play (`knowledge`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from facedown.core import Stream
from facedown.games.resistance.careful import ALIKE
from facedown.games.resistance.knowledge import Suspicion
from facedown.games.resistance.layout import APPROVE, PLAYING, REJECT, TEAM, VOTING
from facedown.games.resistance.table import Table

Array = np.ndarray[Any, Any]
FALLING = (0.8, 0.6, 0.4, 0.2, 0.0)
"""How clean a team must be to be approved, by the cleanest there is: less with each attempt."""


def clean(table: Table, shares: Array, team: int) -> float:
    """How likely a team has no spy."""
    return float(sum(s for spies, s in zip(table.configs, shares, strict=True) if not spies & team))


class Reckoner:
    """As one of the resistance it sends whom it holds for clean, and approves what is `asked`."""

    def __init__(self, table: Table, context: Array, asked: Sequence[float] = FALLING) -> None:
        self.table, self.context, self.asked = table, context, asked

    def choose(self, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
        """A vote or a team of one who is no spy; any of the teams that are as clean as the best.

        That leaders do not all begin with the same team tells more: each is voted on.
        """
        if view["phase"] == PLAYING:
            return legal[0]
        shares = Suspicion(self.table, self.context, player).reckon(view).shares
        size = self.table.sizes[int(view["round"])]
        own = 1 << player
        teams = [mask for mask in range(1 << self.table.players) if mask.bit_count() == size]
        worth = {team: clean(self.table, shares, team) for team in teams if team & own}
        if view["phase"] != VOTING:
            least = max(worth.values()) * (1.0 - ALIKE)
            return TEAM + stream.choice([team for team in worth if worth[team] >= least])
        wanted = self.asked[int(view["attempt"])] * max(worth.values())
        share = clean(self.table, shares, int(view["team"]))
        return APPROVE if share >= wanted else REJECT
