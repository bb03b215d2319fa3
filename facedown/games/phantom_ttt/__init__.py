"""Phantom tic-tac-toe: a small game of moves that nobody sees."""

from __future__ import annotations

from typing import ClassVar

from facedown.games.phantom_ttt import rules
from facedown.games.phantom_ttt.text import SQUARE_NAMES
from facedown.games.small import SmallGame


class PhantomTicTacToe(SmallGame):
    """Phantom tic-tac-toe: three in a row against marks that you do not see."""

    State = rules.State
    rules: ClassVar = rules
    package = __name__
    names = SQUARE_NAMES
    players = 2
    moves = 9
    most_moves = 9
    most_plies = 17
    bounds = (-1.0, 1.0)
    best = "mt-ismcts"
    secrets = 10  # no mark of the other's yet; the square of the last one
    source = (
        "M. Lanctot et al., OpenSpiel: A Framework for Reinforcement Learning in Games, "
        "arXiv:1908.09453, 2019 (its game phantom_ttt, obstype reveal-nothing)"
    )
