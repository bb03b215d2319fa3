"""Memos: what a viewer's tokens have proven, kept along by the rule `remember`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from facedown.core.records import address_of

if TYPE_CHECKING:
    from facedown.core.game import Game


class Memo:
    """A viewer's memo of a game; it begins as nothing, all zeros, and owns its bytes.

    In a game without the rule `remember` it stays empty, and its address is 0.
    """

    __slots__ = ("address", "block", "game")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.block: np.ndarray[Any, Any] = np.zeros(game.rules.memo_size, np.uint8)
        self.address = address_of(self.block) if len(self.block) else 0

    def remember(self, token: int, viewer: int) -> None:
        """Advance it by a token that the viewer, a player or PUBLIC, has been given."""
        rules = self.game.rules
        if self.address:
            rules.python["remember"](rules.ctx, self.address, token, viewer)

    def copy(self) -> Memo:
        """An equal memo that shares nothing with this one."""
        other = Memo(self.game)
        other.block[:] = self.block
        return other

    def digest(self) -> bytes:
        """Bytes that are equal for equal memos of one game."""
        return self.block.tobytes()

    @property
    def record(self) -> Any:
        """What it holds: a NumPy record, or the value of a plain Python game; None for nothing."""
        return self.game.rules.memo(self.address) if self.address else None
