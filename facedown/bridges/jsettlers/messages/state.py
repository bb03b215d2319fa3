"""How a game stands: board, turns, hands, numbers of seats."""

from __future__ import annotations

from facedown.bridges.jsettlers.fields import (
    Amount,
    AnySeat,
    Gains,
    Layout,
    Message,
    Name,
    Pairs,
    Seat,
    Whole,
    Words,
)
from facedown.bridges.jsettlers.messages.registry import FROM_SERVER, kind


@kind(1014, FROM_SERVER)
class BoardLayout(Message):
    """The island: hexes, numbers, and the robber's hex."""

    game: Name
    kinds: Layout
    numbers: Layout
    robber: Whole


@kind(1018, FROM_SERVER)
class Started(Message):
    """The game begins."""

    game: Name
    state: Whole


@kind(1025, FROM_SERVER)
class GameState(Message):
    """What the game waits for."""

    game: Name
    state: Whole


@kind(1026, FROM_SERVER)
class Turn(Message):
    """Whose turn begins."""

    game: Name
    player: Seat
    state: Whole


@kind(1028, FROM_SERVER)
class Dice(Message):
    """The sum of the dice; -1 before any."""

    game: Name
    total: Whole


@kind(1092, FROM_SERVER, separator="|")
class Production(Message):
    """What the dice gave everyone."""

    game: Name
    gains: Gains


@kind(1086, FROM_SERVER, separator="|")
class Elements(Message):
    """Numbers of a seat, by type: set, gained or lost."""

    game: Name
    player: Seat
    action: Whole
    pairs: Pairs


@kind(1024, FROM_SERVER)
class Element(Message):
    """One number of a seat; of all seats where it is -1."""

    game: Name
    player: AnySeat
    action: Whole
    element: Whole
    amount: Whole
    rest: Words = ()

    @property
    def pair(self) -> tuple[int, int]:
        """As one of several."""
        return self.element, self.amount


@kind(1096, FROM_SERVER, separator="|")
class GameElements(Message):
    """Numbers of the game, by type."""

    game: Name
    pairs: Pairs


@kind(1063, FROM_SERVER)
class HandSize(Message):
    """How many cards a seat holds."""

    game: Name
    player: Seat
    total: Amount


@kind(1066, FROM_SERVER)
class LongestRoad(Message):
    """Who has the longest road."""

    game: Name
    player: AnySeat


@kind(1067, FROM_SERVER)
class LargestArmy(Message):
    """Who has the largest army."""

    game: Name
    player: AnySeat


@kind(1061, FROM_SERVER)
class Statistics(Message):
    """At the end the points of the seats; before that, the time."""

    game: Name
    words: Words = ()

    @property
    def points(self) -> tuple[int, ...] | None:
        """The final points, if that is what it tells."""
        first = self.words[:4]
        if len(self.words) < 8 or not all(word.isascii() and word.isdecimal() for word in first):
            return None
        return tuple(int(word[:6]) for word in first)
