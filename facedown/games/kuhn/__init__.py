"""Kuhn poker, the smallest poker worth thinking about."""

from __future__ import annotations

from typing import Any, ClassVar

from facedown.core import CompiledGame
from facedown.games.kuhn import rules


class Kuhn(CompiledGame):
    """Kuhn poker: three cards, two players, one bet."""

    State = rules.State
    rules: ClassVar = rules
    players = 2
    moves = 5
    most_moves = 3
    most_plies = 5
    bounds = (-2.0, 2.0)

    def move_text(self, move: int) -> str:
        return ("pass", "bet", "deal J", "deal Q", "deal K")[move]

    def observation_text(self, token: int, viewer: int) -> str:
        return "a card is dealt" if token == rules.DEAL + 4 else self.move_text(token - 1)

    def view_text(self, view: Any, viewer: int) -> str:
        cards = " ".join(
            "?" if card < 0 else "JQK"[card] for card in view["cards"][: view["dealt"]]
        )
        line = ", ".join(self.move_text(int(move)) for move in view["line"][: view["n"]])
        return f"cards: {cards or 'not dealt'}\nplayed: {line or 'nothing yet'}"
