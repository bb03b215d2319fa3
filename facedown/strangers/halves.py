"""A half of the families as Python meets it: players by number, and games between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.core import SpecError, Stream
from facedown.core.jit import Kernel
from facedown.core.records import address_of, lined_up
from facedown.games.resistance import Resistance
from facedown.games.resistance.layout import State
from facedown.strangers.family import Family, Numbers
from facedown.strangers.tables import Decision

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Half:
    """The families of one half: `choose` asks one player, `play` has whole games played."""

    name: str
    families: tuple[Family, ...]
    choose: Kernel
    play: Kernel

    def number_of(self, family: str) -> int:
        """The place of a family; SpecError names those there are."""
        names = [one.name for one in self.families]
        if family not in names:
            raise SpecError(f"no family {family!r} among the strangers: {', '.join(names)}")
        return names.index(family)

    def move(
        self, game: Resistance, family: int, numbers: Numbers, view: Any, player: int, rng: Stream
    ) -> int:
        """What a player of these parameters plays, from the record of its view."""
        context, block = game.without_model, lined_up(1, State)
        block[0] = view
        block[0]["actor"] = player  # who chooses, where all choose at once
        places = address_of(context), address_of(block), player, family, address_of(numbers)
        return int(self.choose(*places, rng.address))

    def games(
        self, game: Resistance, seats: Array, numbers: Array, seed: int, room: int
    ) -> tuple[Array, Array]:
        """Have a game played for each row of `seats`: decisions, and masks of spies.

        A mask is negative where the spies won.
        """
        context, log = game.without_model, lined_up(max(1, room), Decision)
        spies = np.zeros(len(seats), np.int64)
        stream = Stream(seed)
        n = self.play(address_of(context), seats, numbers, stream.address, log, spies)
        return log[:n], spies


def seated(
    families: Sequence[Family], games: int, players: int, alike: float, stream: Stream
) -> tuple[Array, Array]:
    """Families and parameters of the players of so many games, as `Half.games` takes them.

    At a share `alike` of the tables all are of one family; the players of a family always differ.
    """
    seats = np.zeros((games, players), np.int64)
    numbers = np.array([[families[0].player(0)] * players] * games)
    for g in range(games):
        one = stream.below(len(families)) if stream.random() < alike else None
        for p in range(players):
            seats[g, p] = stream.below(len(families)) if one is None else one
            numbers[g, p] = families[seats[g, p]].player(stream.below(1 << 30))
    return seats, numbers
