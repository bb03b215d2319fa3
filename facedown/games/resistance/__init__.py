"""The Resistance, for 5 to 10 players."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import comb
from typing import Any, ClassVar

import numpy as np

from facedown.core import CompiledGame, SpecError, Stream
from facedown.games.resistance import rules, text
from facedown.games.resistance.careful import FIRM
from facedown.games.resistance.crowd import shipped
from facedown.games.resistance.knowledge import Suspicion
from facedown.games.resistance.reckoner import Reckoner
from facedown.games.resistance.scripted import Players
from facedown.games.resistance.table import FEWEST, MOST, Table
from facedown.games.resistance.traits import TRAITS


class Resistance(CompiledGame):
    """The Resistance: hidden spies, teams put to the vote, missions that may be sabotaged."""

    State = rules.State
    rules: ClassVar = rules
    bounds = (0.0, 1.0)
    sides = ("spies", "resistance")
    trait_names: ClassVar = TRAITS
    best = "mt-ismcts:belief=factored,playout=true,modelled=0.9,script=adept,doubt=6"
    source = (
        "P. I. Cowling, D. Whitehouse, E. J. Powley, Emergent bluffing and inference with Monte "
        "Carlo Tree Search, IEEE CIG 2015, section III; the game is D. Eskridge's, 2009"
    )

    def __init__(self, players: int = 5) -> None:
        if not FEWEST <= players <= MOST:
            raise SpecError(f"players={players} in resistance: {FEWEST} to {MOST} is allowed")
        self.table = Table(players)
        self.players = players
        play = Players(self.table, self.without_model)
        self.scripts = {
            "naive": play.naive,
            "logical": play.logical,
            "bluffer": play.bluffer,
            "watchful": play.watchful,
            "reckoner": self.reckoner,
            "adept": self.adept,
        }
        self.worlds = self.table.worlds
        self.moves = self.table.deal + self.worlds
        self.most_moves = max(self.worlds, *(comb(players, size) for size in self.table.sizes))
        votes = rules.MISSIONS * rules.ATTEMPTS * (1 + players)
        self.most_plies = 1 + votes + sum(self.table.sizes)

    @cached_property
    def looked_up(self) -> np.ndarray[Any, Any]:
        """What the rules look up, made once; nobody changes it."""
        return self.table.context(shipped())

    @cached_property
    def without_model(self) -> np.ndarray[Any, Any]:
        """The same without the model, for those who play by none, and for learning a new one."""
        return self.table.context()

    def context(self) -> np.ndarray[Any, Any]:
        return self.looked_up.copy()

    def knowledge(self, viewer: int) -> Suspicion:
        """Who the spies are and how the others play, by the model that comes with the game."""
        return Suspicion(self.table, self.looked_up, viewer)

    def move_text(self, move: int) -> str:
        return text.move_text(self.table, move)

    def observation_text(self, token: int, viewer: int) -> str:
        return text.observation_text(self.table, token)

    def view_text(self, view: Any, viewer: int) -> str:
        return text.view_text(self.table, view, viewer)

    def hidden_text(self, world: Any, viewer: int) -> str:
        return text.hidden_text(world, viewer)

    def hidden_facts(self, world: Any, viewer: int) -> tuple[str, ...]:
        return tuple(text.hidden_facts(self.table, world, viewer))

    def picture(self, view: Any, viewer: int) -> str:
        from facedown.games.resistance.picture import picture

        return picture(self.table, view, viewer)

    def move_parts(self, view: Any, viewer: int, move: int) -> tuple[str, ...]:
        from facedown.games.resistance.picture import move_parts

        return move_parts(move)

    def scripted(self, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
        return self.scripts["logical"](view, player, legal, stream)

    def reckoner(self, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
        """Sends whom a model of people's play holds for clean; as a spy logical."""
        if view["spies"]:
            return self.scripts["logical"](view, player, legal, stream)
        return Reckoner(self.table, self.looked_up).choose(view, player, legal, stream)

    def adept(self, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
        """A firmer reckoner; a spy who plays to the table, as `watchful` does."""
        if view["spies"]:
            return self.scripts["watchful"](view, player, legal, stream)
        return Reckoner(self.table, self.looked_up, FIRM).choose(view, player, legal, stream)

    def side(self, record: Any, player: int) -> int:
        return 0 if int(record["spies"]) >> player & 1 else 1
