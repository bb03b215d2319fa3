"""The Cheat Game for two."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from facedown.core import CompiledGame, SpecError
from facedown.games.cheat import rules
from facedown.games.cheat.cards import COPIES, RANKS
from facedown.games.cheat.state import ACTIONS, MOVES, ROUNDS, Variant


class Cheat(CompiledGame):
    """Cheat: claims one rank up or down, true or false; call a lie or take a card."""

    State = rules.State
    rules: ClassVar = rules
    players = 2
    moves = MOVES
    most_moves = ACTIONS
    bounds = (-1.0, 1.0)

    def __init__(
        self, rounds: int = ROUNDS, ranks: int = RANKS, copies: int = COPIES, cards: int = 8
    ) -> None:
        for name, value, low, high in (
            ("rounds", rounds, 1, ROUNDS),
            ("ranks", ranks, 3, RANKS),
            ("copies", copies, 1, COPIES),
            ("cards", cards, 1, (ranks * copies - 1) // 2),
        ):
            if not low <= value <= high:
                raise SpecError(f"{name}={value} in cheat: {low} to {high} is allowed")
        self.rounds, self.ranks, self.copies, self.cards = rounds, ranks, copies, cards
        self.most_plies = 2 + 2 * cards + 5 * rounds  # a round: a move and up to four cards drawn

    def context(self) -> np.ndarray[Any, Any]:
        return np.array([(self.ranks, self.copies, self.cards, self.rounds)], Variant)
