"""Player 0 guesses the card that player 1 was dealt; the rules list the right guess first."""

from __future__ import annotations

from typing import Any

from facedown.core import CHANCE, OVER

CARDS = ("ace", "king", "queen")
Dealt = tuple[str, ...]  # what was dealt, then what was guessed


class GuessedCard:
    """Honest but for the order of `legal`, and in `missing` for what it lists on a view."""

    players, bounds = 2, (-1.0, 1.0)

    def __init__(self, *, leaks: bool = True, missing: bool = False) -> None:
        self.leaks, self.missing = leaks, missing

    def start(self) -> Dealt:
        return ()

    def turn(self, s: Dealt) -> int:
        return (CHANCE, 0, OVER)[len(s)]

    def legal(self, s: Dealt) -> list[str]:
        if not s or not self.leaks:
            return list(CARDS)
        if self.missing and s[0] == "?":
            return list(CARDS[1:])
        return sorted(CARDS, key=lambda card: card != s[0])

    def apply(self, s: Dealt, move: str) -> Dealt:
        return (*s, move)

    def sees(self, s: Dealt, move: str, viewer: int) -> Any:
        return move if s or viewer == 1 else "a card"

    def payoff(self, s: Dealt) -> list[float]:
        won = 1.0 if s[0] == s[1] else -1.0
        return [won, -won]

    def hide(self, s: Dealt, viewer: int) -> Dealt:
        return s if viewer == 1 or len(s) != 1 else ("?",)

    def infoset(self, s: Dealt, viewer: int) -> Any:
        return self.hide(s, viewer)
