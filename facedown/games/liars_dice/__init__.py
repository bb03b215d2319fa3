"""Liar's dice, one round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from facedown.core import CompiledGame, SpecError, Stream
from facedown.games.liars_dice import rules, scripted
from facedown.games.liars_dice.text import Table


class LiarsDice(CompiledGame):
    """Liar's dice: roll in secret, outbid each other, call the liar; the highest face is wild."""

    State = rules.State
    rules: ClassVar = rules
    bounds = (-1.0, 1.0)
    best = "mo-ismcts:playout=thumb,determinize=told,modelled=0.5"
    variants: ClassVar = {"playout": ("thumb",), "determinize": ("told",)}
    source = (
        "M. Lanctot et al., OpenSpiel: A Framework for Reinforcement Learning in Games, "
        "arXiv:1908.09453, game liars_dice (two players, one die each, highest face wild)"
    )

    def __init__(self, dice: int = 1, faces: int = 6, players: int = 2) -> None:
        _within("dice", dice, 1, rules.MOST_DICE)
        _within("faces", faces, 2, rules.MOST_FACES)
        _within("players", players, 2, rules.MOST_PLAYERS)
        self.table = Table(players, dice, faces)
        self.players = players
        self.moves = self.table.bids + 1 + faces
        self.most_moves = self.table.bids
        self.most_plies = players * dice + self.table.bids + 1

    def context(self) -> np.ndarray[Any, Any]:
        table = self.table
        return np.array([(table.players, table.dice, table.faces, table.bids)], rules.Variant)

    def move_text(self, move: int) -> str:
        return self.table.move_text(move)

    def observation_text(self, token: int, viewer: int) -> str:
        return self.table.observation_text(token)

    def view_text(self, view: Any, viewer: int) -> str:
        return self.table.view_text(view, viewer)

    def hidden_text(self, world: Any, viewer: int) -> str:
        return self.table.hidden_text(world, viewer)

    def hidden_facts(self, world: Any, viewer: int) -> tuple[str, ...]:
        return tuple(self.table.hidden_facts(world, viewer))

    def picture(self, view: Any, viewer: int) -> str:
        from facedown.games.liars_dice.picture import picture

        return picture(self.table, view, viewer)

    def move_parts(self, view: Any, viewer: int, move: int) -> tuple[str, ...]:
        from facedown.games.liars_dice.picture import move_parts

        return move_parts(self.table, move)

    def scripted(self, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
        return scripted.choose(self.table, view, player, legal, stream)


def _within(option: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise SpecError(f"{option}={value} in liars-dice: {low} to {high} is allowed")
