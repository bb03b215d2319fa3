"""Phantom tic-tac-toe: a small game of moves that nobody sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from facedown.core import CompiledGame, Stream
from facedown.games.phantom_ttt import rules, scripted, text


class PhantomTicTacToe(CompiledGame):
    """Phantom tic-tac-toe: three in a row against marks that you do not see."""

    State = rules.State
    rules: ClassVar = rules
    players = 2
    moves = 9
    most_moves = 9
    most_plies = 17
    bounds = (-1.0, 1.0)
    secrets = 10  # no mark of the other's yet; the square of the last one
    source = (
        "M. Lanctot et al., OpenSpiel: A Framework for Reinforcement Learning in Games, "
        "arXiv:1908.09453, 2019 (its game phantom_ttt, obstype reveal-nothing)"
    )

    def move_text(self, move: int) -> str:
        return text.SQUARE_NAMES[move]

    def observation_text(self, token: int, viewer: int) -> str:
        return text.observation_text(token)

    def view_text(self, view: Any, viewer: int) -> str:
        return text.view_text(view, viewer)

    def hidden_text(self, world: Any, viewer: int) -> str:
        return text.hidden_text(world, viewer)

    def picture(self, view: Any, viewer: int) -> str:
        from facedown.games.phantom_ttt.picture import picture

        return picture(view, viewer)

    def scripted(self, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
        return scripted.choose(view, player, legal, stream)
