"""Memos: what a viewer's tokens have proven, kept along by the rule `remember`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from facedown.core.constants import PUBLIC
from facedown.core.records import address_of

if TYPE_CHECKING:
    from facedown.core.game import Game


def memo_words(game: Game) -> int:
    """How many words of 8 bytes a memo of the game takes; 0 where it keeps none."""
    return -(-game.rules.memo_size // 8)


class Memo:
    """A viewer's memo of a game; it begins as nothing, all zeros, and owns its bytes.

    In a game without the rule `remember` it stays empty, and its address is 0.
    """

    __slots__ = ("address", "block", "game")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.block: np.ndarray[Any, Any] = np.zeros(memo_words(game), np.int64)
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


class Memos:
    """What a player brings to a search: its own memo and the public's, from the game's start on.

    Others may know more than the public, but what that is the player cannot tell: so the public's
    memo stands for theirs.
    """

    def __init__(self, game: Game, player: int) -> None:
        self.game, self.player = game, player
        self._own, self._public = Memo(game), Memo(game)

    def observe(self, token: int) -> None:
        """A token of the player's own; one of nothing leaves everything as it is."""
        if token:
            self._own.remember(token, self.player)

    def overhear(self, token: int) -> None:
        """A token of the public's."""
        if token:
            self._public.remember(token, PUBLIC)

    def of(self, viewer: int) -> Memo:
        """The memo of a viewer, as far as the player knows."""
        return self._own if viewer == self.player else self._public
