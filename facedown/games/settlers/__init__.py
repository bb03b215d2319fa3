"""Settlers, for three or four."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from facedown.core import CompiledGame, SpecError, Stream
from facedown.games.settlers import rules, text
from facedown.games.settlers.belief import FactoredBelief
from facedown.games.settlers.late import SettlersRules
from facedown.games.settlers.lesson import QUIZ, RULES
from facedown.games.settlers.moves import KIND_NUMBERS, KINDS, MOST_MOVES, MOVES
from facedown.games.settlers.setup import Board, random_board
from facedown.games.settlers.state import NO_OFFERS, PAPER_OFFERS, TABLE_OFFERS
from facedown.games.settlers.traits import TRAITS

_OFFERS = {"none": NO_OFFERS, "paper": PAPER_OFFERS, "table": TABLE_OFFERS}
_PLIES = 30  # a turn, far more than random play takes on average


class Settlers(CompiledGame):
    """Settlers: build on an island of hexes, trade, be the first with ten points.

    `players` are 3 or 4. `offers` are the trades between players: those of the paper, those of a
    real table, or none. `board` fixes the island for all games by a seed; without it chance lays it
    out anew in each. After `turns` turns without a winner the game ends.
    """

    State = rules.State
    Memo: ClassVar = rules.Memo
    rules: ClassVar = rules
    moves = MOVES
    most_moves = MOST_MOVES
    bounds = (0.0, 1.0)
    worlds_approximate: ClassVar = True  # bounds of hands are kept, not all that could be proven
    kind_names: ClassVar = KINDS
    kind_numbers: ClassVar = KIND_NUMBERS
    preferences = str(Path(__file__).with_name("preferences.json"))
    trait_names: ClassVar = TRAITS
    move_network = str(Path(__file__).with_name("network.json"))
    best = "pomcp-ts-cr"
    lesson = RULES
    quiz = QUIZ
    source = (
        "K. Teuber, The Settlers of Catan, base game, 1995; trades as in M. Dobre, A. Lascarides, "
        "POMCP with Human Preferences in Settlers of Catan, AIIDE 2018"
    )

    def __init__(
        self,
        players: int = 4,
        offers: Literal["paper", "table", "none"] = "paper",
        board: int | None = None,
        turns: int = 3000,
    ) -> None:
        limits = {"players": (players, 3, 4), "turns": (turns, 1, 30_000)}
        for name, (value, low, high) in limits.items():
            if not low <= value <= high:
                raise SpecError(f"{name}={value} in settlers: {low} to {high} is allowed")
        if offers not in _OFFERS:
            raise SpecError(f"offers={offers} in settlers: one of {', '.join(_OFFERS)}")
        if board is not None and board < 0:
            raise SpecError(f"board={board} in settlers: the seed of a board is not negative")
        self.players, self.offers, self.turns = players, offers, turns
        self.board: Board | None = None if board is None else random_board(board)
        self.most_plies = 1000 + _PLIES * turns

    def context(self) -> np.ndarray[Any, Any]:
        v = np.zeros(1, rules.Variant)
        v["players"], v["offers"], v["turns"] = self.players, _OFFERS[self.offers], self.turns
        if self.board is not None:
            v["fixed"] = 1
            self.board.put(v[0])
        return v

    def knowledge(self, viewer: int) -> FactoredBelief:
        """The factored belief of a viewer's."""
        return FactoredBelief(viewer)

    def make_rules(self) -> SettlersRules:
        self._rules = SettlersRules(self)
        return self._rules

    def scripted(self, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
        return self._rules.scripted_move(view, legal, stream)

    def move_text(self, move: int) -> str:
        return text.move_text(move)

    def observation_text(self, token: int, viewer: int) -> str:
        return text.observation_text(token, viewer)

    def view_text(self, view: Any, viewer: int) -> str:
        return text.view_text(view, viewer, self.players)

    def hidden_text(self, world: Any, viewer: int) -> str:
        return text.hidden_text(world, viewer, self.players)

    def hidden_facts(self, world: Any, viewer: int) -> tuple[str, ...]:
        return tuple(text.hidden_facts(world, viewer, self.players))

    def picture(self, view: Any, viewer: int) -> str:
        from facedown.games.settlers.picture import picture

        return picture(view, viewer, self.players, self.offers == "table")

    def move_parts(self, view: Any, viewer: int, move: int) -> tuple[str, ...]:
        from facedown.games.settlers.panel import move_parts

        return move_parts(move)
